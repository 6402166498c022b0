package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestLosesTyped checks when the budget cannot hold what a person typed: what no run can shorten counts against it, such
// as the calls of a round that is still open, and what it can shorten does not, such as the results in that round.
func TestLosesTyped(t *testing.T) {
	const long = 300 // tokens of all typed text
	typed := []*transcript.Message{transcripttest.User(strings.Repeat("Pump.. ", 4*long/7)), transcripttest.Model("I do."), transcripttest.User("Go on.")}
	page := strings.Repeat("a line of the hall that says little\n", 2*long/9)
	for name, tt := range map[string]struct {
		budget int
		open   []*transcript.Message
		want   bool
	}{
		"more than enough": {2 * long, nil, false},
		"too little":       {long / 2, nil, true},
		"an open call":     {2 * long, []*transcript.Message{transcripttest.Model(transcripttest.Call("1", "Write", "content="+page))}, true},
		"a result beside one": {2 * long, []*transcript.Message{
			transcripttest.Model(transcripttest.Call("1", "Read", "file_path=hall.txt"), transcripttest.Call("2", "Read", "file_path=pump.txt")), transcripttest.Tool("1", page),
		}, false},
	} {
		c := choiceOf(tt.budget, transcripttest.Conversation(slices.Concat(typed, tt.open)...), func(s *Source) { s.Unpinned = true })
		if !c.freeTyped || c.losesTyped != tt.want {
			t.Errorf("%s: typed text may go: %t, and must go: %t", name, c.freeTyped, c.losesTyped)
		}
	}
}

// TestRanks checks in which order statements are kept.
func TestRanks(t *testing.T) {
	for source, want := range map[string]rank{
		"Rule: the seal of tank 4 stays closed.":                demand,
		"Never open the seal of tank 4.":                        demand,
		"Öffne niemals das Siegel.":                             demand,
		"Hold the pressure below 40,000 pounds.":                demand,
		"The log shows: nothing new.":                           demand, // looks like a label
		"Mira Holt owns the night shift.":                       stated,
		"The valve is named VX-204.":                            stated,
		"Please answer in short sentences.":                     stated,
		"The next step is to drain the hall.":                   stated,
		"I had a look at the plan, and the hall is rather big.": mention,
		"Only a few pumps run.":                                 mention,
		"The pump started again.":                               mention,
	} {
		if got := rankOf(source, true); got != want {
			t.Errorf("%q has the rank %d, want %d", source, got, want)
		}
	}
	if got := rankOf("INFO: started", false); got != mention {
		t.Errorf("a label in pasted data has the rank %d", got)
	}
}

// TestSupersede checks which statements a later one replaces.
func TestSupersede(t *testing.T) {
	for _, tt := range []struct {
		earlier, later string
		stale          bool
	}{
		{"Rule: spend at most $400 on the new pump.", "Rule: spend at most $650 on the new pump.", true},
		{"The inspection of the hall is due 2031-03-04.", "The inspection of the hall is due 2031-05-01.", true},
		{"The spare valve is called VX-204.", "Change of plan: the spare valve is now called VX-310.", true},
		{"Budget for the north hall: $900.", "Update: costs of the north hall must stay under seven hundred dollars.", true},
		{"Rule: write all times in UTC.", "Use Eastern Time in all tables.", true},
		{"Please keep answers formal.", "I would rather have casual answers.", true},
		{"Mira Holt has duty in the pump house.", "Duty in the pump house moved to Ole Brandt.", true},
		{"Rule: the hall is locked at night.", "Rule: the hall is locked at night.", true},

		{"Budget for the north hall: $900.", "Budget for the south hall: $700.", false},
		{"The main pump is a Grundig 15 in hall 3.", "The spare pump is a Grundig 9 in hall 8.", false},
		{"Never open valve_a.", "Never open valve_b.", false},
		{"The inspection is due 2031-03-04.", "Now look at the pumps.", false},
		{"Rule: spend at most $400 on the new pump.", "Now paint the new pump.", false},
	} {
		list := []statement{newStatement(0, 0, 1, tt.earlier, 100), newStatement(1, 0, 1, tt.later, 100)}
		supersede(list)
		if list[0].stale != tt.stale || list[1].stale {
			t.Errorf("%q, then %q: %s", tt.earlier, tt.later, fmt.Sprint(list[0].stale, list[1].stale))
		}
	}
}
