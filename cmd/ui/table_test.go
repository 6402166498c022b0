package ui

import (
	"bytes"
	"strings"
	"testing"

	"condense/cmd/ui/content"
)

// TestPathsKeepNumbersInLine checks that long paths do not move the numbers behind them.
func TestPathsKeepNumbersInLine(t *testing.T) {
	for _, width := range []int{0, 200} { // a pipe, a wide screen
		var b bytes.Buffer
		p := newPage(&b, Options{Width: width})
		tab := content.Table{Columns: []content.ColumnKind{content.Words, content.Figures}, Head: []string{"path", "tokens"}}
		for _, path := range []string{"/home/u/README.md", "/home/u/" + strings.Repeat("deeper/", 7) + "a.go", "/home/u/" + strings.Repeat("deeper/", 10) + "main.go"} {
			tab.Add(path, "1,234")
		}
		p.table(tab)
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		for _, line := range lines {
			if got, want := len([]rune(line)), len([]rune(lines[0])); got != want {
				t.Errorf("width %d: a line of %d columns below one of %d:\n%s", width, got, want, b.String())
				break
			}
		}
	}
}
