package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// The checklist of a call of Cline, and a newer one.
const (
	oldChecklist = "- [x] Look at the harbour\n- [ ] Moor the ship at the northern pier\n- [ ] Count the barrels in the hold\n"
	newChecklist = "- [x] Look at the harbour\n- [x] Moor the ship at the northern pier\n- [ ] Count the barrels in the hold\n"
)

// quotedList returns the lines of a checklist as a record quotes them.
func quotedList(list string) (lines []string) {
	for line := range strings.Lines(list) {
		lines = append(lines, "> "+strings.TrimSpace(line))
	}
	return lines
}

// TestChecklists checks that a small budget holds the newest checklist that calls carry, or the open items of a long
// one, and no item of an older one.
func TestChecklists(t *testing.T) {
	write := func(id, list string) []*transcript.Message {
		return round(id, "saved", "write_to_file", "file_path=/ship/log"+id+".txt", "content="+strings.Repeat("An entry of the log of the ship, which says little.\n", 12), "task_progress="+list)
	}
	for name, tt := range map[string]struct {
		msgs []*transcript.Message
		want []string // lines with a box
	}{
		"a newer one":   {slices.Concat(write("1", oldChecklist), write("2", newChecklist)), quotedList(newChecklist)},
		"the only one":  {slices.Concat(write("1", oldChecklist), write("2", "")), quotedList(oldChecklist)},
		"an equal one":  {slices.Concat(write("1", newChecklist), write("2", newChecklist)), quotedList(newChecklist)},
		"a long one":    {slices.Concat(write("1", oldChecklist), write("2", strings.Repeat("- [x] Look at the harbour once more, as each day\n", 20)+"- [ ] Count the barrels in the hold\n")), []string{"> - [ ] Count the barrels in the hold"}},
		"in a document": {round("1", "saved", "write_to_file", "file_path=/ship/todo.md", "content="+oldChecklist+strings.Repeat("An entry of the log of the ship, which says little.\n", 12)), nil},
	} {
		msgs := slices.Concat([]*transcript.Message{transcripttest.User("Moor the ship.")}, tt.msgs, []*transcript.Message{transcripttest.Model("I go on."), transcripttest.User("Go on.")})
		var got []string
		for line := range strings.Lines(left(t, 110, msgs...)) {
			if line = strings.TrimSpace(line); strings.Contains(line, "[ ]") || strings.Contains(line, "[x]") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestIsChecklist checks which texts are checklists.
func TestIsChecklist(t *testing.T) {
	for text, want := range map[string]bool{
		"- [ ] a\n- [x] b\n":          true,
		"* [X] a\n\n  + [-] b\n":      true,
		"[ ] a\n[~] b":                true,
		"Left:\n- [ ] a\n- [ ] b\n":   true,
		"- [ ] a\n":                   false,
		"- [ ] a\nb\nc\n- [x] d\ne\n": false,
		"- a\n- b\n":                  false,
		"x[ ] = 1\ny[x] = 2\n":        false,
		"":                            false,
	} {
		if isChecklist(text) != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
}
