package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript/internal/rawjson"
)

// Lines come in order, each once and with its own value, however they fall into
// stretches: short ones, one of many stretches, blank and broken ones.
func TestScanAhead(t *testing.T) {
	var src strings.Builder
	var want []string
	for i := range 3000 {
		line := fmt.Sprintf(`{"n":"%d\n"}`, i)
		switch {
		case i%1000 == 999:
			line = fmt.Sprintf(`{"n":"%d\n","long":%q}`, i, strings.Repeat("x", 3*stretchBytes))
		case i%100 == 50:
			line = ""
		case i%100 == 51:
			line = `{"torn`
		}
		got := fmt.Sprintf("%d\n", i)
		if i%100 == 50 || i%100 == 51 {
			got = "error"
		}
		want = append(want, got)
		src.WriteString(line + "\n")
	}
	p := &probe{src: []byte(src.String()), texts: new(rawjson.Texts)}
	p.splitLines()
	at := 0
	p.scanAhead(p.lines, func(i int, doc *rawjson.Doc, err error) {
		got := doc.Root().Get("n").Str()
		if err != nil {
			got = "error"
		}
		if i != at || got != want[i] {
			t.Fatalf("line %d, after %d: %q, want %q", i, at-1, got, want[i])
		}
		at++
	})
	if at != len(want) {
		t.Errorf("%d lines, want %d", at, len(want))
	}
}
