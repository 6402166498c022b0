package strategy

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestSmartPrefersFindingsToOffers checks that an answer to which the user replied at length is
// represented by its finding, and not by the offer at its end.
func TestSmartPrefersFindingsToOffers(t *testing.T) {
	answer := "The gauge drifts because the offset in src/harbour/drift.go is applied twice.\n\n" +
		strings.Repeat("There is more to be said about gauges, of which most is well known to all who work with them.\n\n", 20) +
		"Want me to write this up as a section of PLAN.md, and to list the open questions of src/harbour/drift.go in it?"
	c := conv(concat(
		[]*transcript.Message{user("why does it drift?"), model(answer), user("leave that for now and look at the tide tables of last year")},
		round("1", "Bash", "command=ls -R src", catalogue(300)),
		[]*transcript.Message{model("The tables are complete.")},
	)...)
	got := all(smartly(t, c, 160))
	if !strings.Contains(got, "applied twice") || strings.Contains(got, "Want me") {
		t.Errorf("the offer stays instead of the finding:\n%s", got)
	}
}

// TestSmartKeepsReports checks that the answer of another model keeps more than its first
// words where its call stays.
func TestSmartKeepsReports(t *testing.T) {
	report := strings.Repeat("The search went on through many folders of no interest.\n", 40) +
		"\n- the sluice fails when the tide table is empty\n- nobody closes it again\n\n" +
		strings.Repeat("The search went on through many folders of no interest.\n", 40)
	c := conv(concat(
		[]*transcript.Message{user("why does the gauge drift?")},
		round("1", "Bash", "command=ls -R lib", catalogue(400)),
		round("2", "Task", "prompt=Find the cause of the drift.", report),
		[]*transcript.Message{model("Next comes the fix of src/basin7/level_7.go."), user("go on")},
	)...)
	got := all(smartly(t, c, 300))
	if !strings.Contains(got, "fails when the tide table is empty") {
		t.Errorf("the finding of the report is gone:\n%s", got)
	}
}
