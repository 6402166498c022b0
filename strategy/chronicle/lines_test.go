package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestNamedLines checks which lines of which files a text names.
func TestNamedLines(t *testing.T) {
	for text, want := range map[string][]lineRange{
		"See keel.go:12.":         {{12, 12}},
		"See ship/keel.go:12-19.": {{12, 19}},
		"### 1. `ship/keel.go`\n- Pass the tide (line 119-123)":  {{119, 123}},
		"`keel.go` (~line 166) and (line ~172)":                  {{166, 166}, {172, 172}},
		"`keel.go`\n- **Lines 743-750 and 832–839**: split it":   {{743, 750}, {832, 839}},
		"keel.go, lines 3, 5 & 9":                                {{3, 3}, {5, 5}, {9, 9}},
		"keel.go: add it after level.match (line 7)":             {{7, 7}}, // level.match is no file
		"keel.go, e.g. on line 7":                                {{7, 7}},
		"keel.go and mast.go (line 7)":                           nil,
		"keel.go and mast.go:7":                                  nil,
		"mast/keel.go:7":                                         nil,
		"Line 7":                                                 nil,
		"keel.go has 7 lines":                                    nil,
		"keel.go lines 9-7":                                      nil,
		"keel.go has a headline 7":                               nil,
		"In @ship/keel.go on line 7, and in the deadlines of 12": {{7, 7}},
	} {
		n := namedLines{}
		n.add(text, func(base string) bool { return base == "keel.go" || base == "mast.go" })
		if got := n.of("/srv/ship/keel.go"); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestCovers checks which lines are in or beside the ranges, in any order and with overlaps.
func TestCovers(t *testing.T) {
	ranges := merged([]lineRange{{40, 50}, {10, 12}, {45, 47}, {11, 20}, {60, 60}})
	if want := []lineRange{{10, 20}, {40, 50}, {60, 60}}; !slices.Equal(ranges, want) {
		t.Fatalf("got %v, want %v", ranges, want)
	}
	for line, want := range map[int]bool{1: false, 7: false, 8: true, 10: true, 22: true, 23: false, 37: false, 38: true, 52: true, 53: false, 58: true, 62: true, 63: false} {
		if got := covers(ranges, line); got != want {
			t.Errorf("line %d: %v", line, got)
		}
	}
	if covers(nil, 1) {
		t.Error("no range covers a line")
	}
}

// TestNamedLinesStay checks that a small budget keeps the lines that a request names by their numbers, in a file that
// no call has changed, and not in one that a call has changed.
func TestNamedLinesStay(t *testing.T) {
	var lines strings.Builder
	for i := range 300 {
		fmt.Fprintf(&lines, "%6d→\tpump%d.Open(valve%d, tide%d)\n", i+1, i, i, i)
	}
	for name, tt := range map[string]struct {
		more []*transcript.Message
		want bool
	}{
		"unchanged": {nil, true},
		"changed":   {round("2", "ok", "Edit", "file_path=/ship/keel.go", "old_string=pump1.Open(valve1, tide1)", "new_string=pump1.Shut()"), false},
	} {
		c := choiceOf(200, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Close the valve in keel.go (line 217).")},
			round("1", lines.String(), "Read", "file_path=/ship/keel.go"), tt.more, round("3", "ok", "Bash", "command=make"))...))
		c.land()
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
		if got := x.kept[216]; got != tt.want {
			t.Errorf("%s: line 217 stays: %v", name, got)
		}
	}
}

// TestCutNumber checks which numbers are those of lines.
func TestCutNumber(t *testing.T) {
	for line, want := range map[string]struct {
		number int
		rest   string
		ok     bool
	}{
		"    12→\tx": {12, "\tx", true}, "7\tx": {7, "x", true}, "3: x": {3, " x", true}, "4 | x": {4, "x", true}, "5|x": {5, "x", true},
		"12 x": {0, "12 x", false}, "x": {0, "x", false}, "": {0, "", false}, "12345678→x": {0, "12345678→x", false}, "1234567→x": {1234567, "x", true},
		"646be|    load();": {646, "    load();", true}, "12a|x": {0, "12a|x", false}, "12AB|x": {0, "12AB|x", false},
	} {
		if number, rest, ok := cutNumber(line); number != want.number || rest != want.rest || ok != want.ok {
			t.Errorf("%q: %d, %q, %v", line, number, rest, ok)
		}
	}
}
