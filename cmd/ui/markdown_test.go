package ui

import (
	"regexp"
	"strings"
	"testing"

	"condense/cmd/report"
)

// tableShape fails the test unless every table of a Markdown page has the same cells in each row,
// and every line is one that this package writes.
func tableShape(t *testing.T, page string) {
	t.Helper()
	cells := 0
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "|") {
			cells = 0
			if line != "" && !regexp.MustCompile(`^(### condense: |\*\*|- |</?details>$|<summary>[^<]*</summary>$)`).MatchString(line) {
				t.Fatalf("unexpected line: %q", line)
			}
			continue
		}
		n := strings.Count(line, "|")
		if cells != 0 && n != cells {
			t.Fatalf("%d bars where the table has %d: %q", n, cells, line)
		}
		cells = n
	}
}

func TestMarkdownShowsTextAsCode(t *testing.T) {
	for in, want := range map[string]string{
		"":               "–",
		"tool results":   "tool results",
		"src/a.go":       "`src/a.go`",
		"@user":          "`@user`",
		"#1":             "`#1`",
		"www.evil.com":   "`www.evil.com`",
		"<b>&amp;":       "`<b>&amp;`",
		"a|b":            "<code>a&#124;b</code>",
		`a\`:             "<code>a&#92;</code>",
		"`x` @user":      "<code>&#96;x&#96; &#64;user</code>",
		" <b>":           "<code> &#60;b&#62;</code>",
		"a\nb":           "<code>a&#92;nb</code>",
		"\u202egnp.exe":  "<code>&#92;u202egnp&#46;exe</code>",
		"ä 日本 (12 %); x": "ä 日本 (12 %); x",
	} {
		got := prose(in)
		if in == "" {
			got = code(in)
		}
		if got != want {
			t.Errorf("%q becomes %s, want %s", in, got, want)
		}
	}
}

func TestMarkdownStaysShort(t *testing.T) {
	r := session()
	c := &r.Conversations[0]
	for i := range 5000 {
		c.Edits = append(c.Edits, report.Edit{Message: i + 1, Block: 1, Stage: "dedupe", What: strings.Repeat("w", 1000), Why: strings.Repeat("y", 1000)})
		c.Faults = append(c.Faults, report.Fault{Message: i + 1, Text: strings.Repeat("z", 1000)})
	}
	page := string(rendered(t, markdown(r)))
	if len(page) > 65536 || !strings.Contains(page, "<summary>5,006 edits, the first 100 of them</summary>") {
		t.Errorf("%d bytes for 5,006 edits", len(page))
	}
	tableShape(t, page)
}
