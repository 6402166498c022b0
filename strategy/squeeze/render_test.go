package squeeze

import (
	"strings"
	"testing"
)

func TestRenderPhrases(t *testing.T) {
	source := func(parts ...string) string { return strings.Join(parts, "") }
	tests := []struct {
		name, source, want string
		keep               string // a byte for each piece: x is kept
	}{
		{"lines", source("the first line\n", "another one of them\n", "a third one\n"), "[2 lines omitted]\na third one\n", "..x"},
		{"one line", source("the first line that is long enough\n", "b\n"), "[1 line omitted]\nb\n", ".x"},
		{"no line break at the end", source("b\n", "the last line is long enough"), "b\n[1 line omitted]", "x."},
		{"carriage returns", source("b\r\n", "the last line is long enough\r\n"), "b\r\n[1 line omitted]\r\n", "x."},
		{"too short to gain", source("b\n", "short\n", "c\n"), source("b\n", "short\n", "c\n"), "x.x"},
		{"indentation is no gain", source("b\n", "                        }\n", "c\n"), source("b\n", "                        }\n", "c\n"), "x.x"},
		{"repeated", strings.Repeat("the same again and again\n", 9), "the same again and again\n[repeated 8 more times, omitted]\n", "x........"},
		{"similar", source("took 1 second for it\n", "took 2 seconds for a\n", "took 31 second for it\n", "took 4 second for it\n"), "took 1 second for it\ntook 2 seconds for a\n[2 similar lines omitted]\n", "xx.."},
		{"the first of them is gone too", source("took 1 second for it\n", "took 3 second for it\n"), "[2 lines omitted]\n", ".."},
		{"markers add up", source("[12 lines omitted]\n", "some line that stood here\n", "[3 similar lines omitted]\n", "b\n"), "[16 lines omitted]\nb\n", "x.xx"},
		{"markers alone stay", source("a\n", "[12 lines omitted]\n", "b\n"), source("a\n", "[12 lines omitted]\n", "b\n"), "x.x"},
		{"repetitions add up", source("tick tock tick tock\n", "[repeated 6 more times, omitted]\n", "tick tock tick tock\n"), "tick tock tick tock\n[repeated 7 more times, omitted]\n", "xx."},
		{"a blank line between omissions", source("a first line of them\n", "[12 lines omitted]\n", "\n", "another one of them\n", "c\n"), "[15 lines omitted]\nc\n", "..x.x"},
		{"a blank line beside one", source("a first line of them\n", "[12 lines omitted]\n", "\n", "another one of them\n", "c\n"), "[13 lines omitted]\n\nanother one of them\nc\n", "..xxx"},
		{"a number nobody wrote", source("[007 lines omitted]\n", "some line that stood here\n"), "[2 lines omitted]\n", ".."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := Cut(tt.source, Hint{Tool: "Bash", Command: "./x"})
			if len(tt.keep) != len(text.Pieces) {
				t.Fatalf("%d pieces: %+v", len(text.Pieces), text.Pieces)
			}
			keep := make([]bool, len(tt.keep))
			for i := range keep {
				keep[i] = tt.keep[i] == 'x'
			}
			if got := text.Render(keep); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestMarkersAreCounted checks that a marker counts the lines of the markers that it replaces, also of those of other
// strategies.
func TestMarkersAreCounted(t *testing.T) {
	for line, want := range map[string]int{
		"[repeated later: 75 lines omitted]\n": 75, "[repeated later by Read src/a.go: 1,204 lines omitted]": 1204, "[Read a.go: 1 line omitted]": 1,
		"[12 lines omitted]": 12, "[12 lines #482193 omitted]": 12, "[repeated later: 75 lines #482193 omitted]": 75, "[3 similar lines omitted]": 3,
		"[image omitted]": 0, "[80 characters omitted]": 0, "[a: b lines omitted]": 0, "[a]: 7 lines omitted]": 0, "7 lines omitted]": 0, "text": 0, "": 0,
	} {
		if got := linesBehind(line); got != want {
			t.Errorf("linesBehind(%q) = %d, want %d", line, got, want)
		}
	}
	text := Cut("keep\n[repeated later: 75 lines omitted]\na line that goes\n[repeated later: 1,000 lines omitted]\nlast\n", Hint{})
	keep := make([]bool, len(text.Pieces))
	keep[0], keep[len(keep)-1] = true, true
	if got := text.Render(keep); got != "keep\n[1076 lines omitted]\nlast\n" {
		t.Errorf("got %q", got)
	}
}
