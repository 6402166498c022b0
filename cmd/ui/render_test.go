package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
	"condense/cmd/ui/escape"
)

// everyReport returns a report of each shape.
func everyReport() map[string]*report.Report {
	return map[string]*report.Report{
		"session": session(), "several": several(14), "unchanged": unchangedRun(), "below floor": belowFloor(),
		"estimated": estimated(), "calibrated": calibrated(), "tagged": tagged(), "hostile": hostile(nasty), "empty": {},
		"wide": hostile(strings.Repeat("日本語 ", 40)), "long": hostile(strings.Repeat("x", 500)),
	}
}

func TestLinesFitTheTerminal(t *testing.T) {
	for name, r := range everyReport() {
		for _, width := range []int{1, 2, 7, 20, 41, 80, 200} {
			for _, o := range []Options{{Width: width, Verbose: 1}, {Width: width, Color: true, Explain: true}} {
				out := string(rendered(t, text(r, o))) + string(rendered(t, diff(r, o)))
				for line := range strings.Lines(out) {
					if got := ansi.StringWidth(line); got > width {
						t.Errorf("%s: %d columns on a terminal of %d: %q", name, got, width, line)
					}
				}
			}
		}
	}
}

// TestColorIsOnlyPaint checks that colour adds nothing but colour codes to a page.
func TestColorIsOnlyPaint(t *testing.T) {
	paint := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for name, r := range everyReport() {
		for _, width := range []int{0, 60} {
			plain, painted := Options{Width: width, Verbose: 1}, Options{Width: width, Verbose: 1, Color: true}
			for kind, render := range map[string]func(*report.Report, Options) func(io.Writer) error{"text": text, "diff": diff} {
				want := string(rendered(t, render(r, plain)))
				got := paint.ReplaceAllString(string(rendered(t, render(r, painted))), "")
				if got != want {
					t.Errorf("%s, %s of width %d: colour changes more than the colour", name, kind, width)
				}
				safe(t, got, "\n\t")
			}
		}
	}
}

func TestRenderersLeaveTheReport(t *testing.T) {
	for name, r := range everyReport() {
		before := fmt.Sprintf("%#v", r)
		for _, render := range []func(io.Writer) error{
			text(r, Options{Width: 40, Verbose: 1}), diff(r, Options{}), markdown(r), asJSON(r),
		} {
			rendered(t, render)
		}
		if fmt.Sprintf("%#v", r) != before {
			t.Errorf("%s was changed", name)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestRenderersReturnWriteErrors(t *testing.T) {
	r := several(3)
	for i, render := range []func(io.Writer) error{
		text(r, Options{}), diff(r, Options{}), markdown(r), asJSON(r),
	} {
		if err := render(fullDisk{}); !errors.Is(err, errFull) {
			t.Errorf("renderer %d: %v", i, err)
		}
	}
}

func TestJSONReadsBack(t *testing.T) {
	want := session()
	for i := range want.Conversations[0].Edits {
		want.Conversations[0].Edits[i].Before, want.Conversations[0].Edits[i].After = "", ""
	}
	want.Conversations[0].ID = "\u202e\u009b\x7f<&>"
	var got report.Report
	if err := json.Unmarshal(rendered(t, asJSON(want)), &got); err != nil {
		t.Fatal(err)
	}
	if again, first := rendered(t, asJSON(&got)), rendered(t, asJSON(want)); !bytes.Equal(again, first) {
		t.Errorf("got  %s\nwant %s", again, first)
	}
}

// TestLongNamesCostLittle checks that a name of a megabyte is not written more often than it is used.
// TestNamesKeepTheirEnd checks that the first line of a report keeps the base name of a file that is too
// long for the terminal, with colour and without.
func TestNamesKeepTheirEnd(t *testing.T) {
	r := session()
	r.Input = "/home/lena/.claude/projects/-home-lena-work-a-long-name-of-a-project/cb8c670b.jsonl"
	for _, o := range []Options{{Width: 60}, {Width: 60, Color: true}} {
		first, _, _ := strings.Cut(string(rendered(t, func(w io.Writer) error { return writeReport(w, r, o) })), "\n")
		if !strings.Contains(first, "…") || !strings.Contains(first, "cb8c670b.jsonl:") {
			t.Errorf("%+v: %q", o, first)
		}
	}
}

func TestLongNamesCostLittle(t *testing.T) {
	r := several(500)
	r.Conversations[7].ID = strings.Repeat("word ", 200000)
	out := rendered(t, text(r, Options{Verbose: 1}))
	if len(out) > 10<<20 {
		t.Errorf("%d bytes", len(out))
	}
}

// acts reports whether a rune can act on a terminal.
func acts(r rune) bool { return escape.Line(string(r)) != string(r) }

// safe fails the test if s could act on a terminal.
func safe(t *testing.T, s, allowed string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if acts(r) && !strings.ContainsRune(allowed, r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

// FuzzHostile renders reports in which all strings are the fuzzed one.
func FuzzHostile(f *testing.F) {
	for _, s := range []string{"", nasty, "| a |\n| - |", "`", "``|`", "\\|", " x ", "<b>", "www.evil.example", "\x1b[0m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := hostile(s)
		for _, o := range []Options{{Verbose: 1}, {Verbose: 1, Width: 60}, {Verbose: 1, Width: 3}} {
			safe(t, string(rendered(t, text(r, o))), "\n")
			safe(t, string(rendered(t, diff(r, o))), "\n\t")
		}
		safe(t, string(rendered(t, asJSON(r))), "\n")
		page := string(rendered(t, markdown(r)))
		safe(t, page, "\n")
		tableShape(t, page)
	})
}
