package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// A planted statement is one that a person typed among others, with the words that must
// be left of it, and those of an earlier value that must not.
type planted struct{ text, holds, earlier, stale string }

// plantation returns statements with values that depend on the seed.
func plantation(r *rand.Rand) []planted {
	n := func() int { return 100 + r.IntN(900) }
	day := func() string { return fmt.Sprintf("20%d-0%d-1%d", 31+r.IntN(9), 1+r.IntN(9), r.IntN(10)) }
	name := func() string {
		return string(rune('A'+r.IntN(26))) + "rvid " + string(rune('A'+r.IntN(26))) + "olmqvist"
	}
	guard, gate, valve, fee, oldFee, due, oldDue := name(), n(), n(), n(), n(), day(), day()
	keeper, oldKeeper := name(), name()
	return []planted{
		{text: fmt.Sprintf("RULE: Never open gate %d at night.", gate), holds: fmt.Sprintf("never open gate %d", gate)},
		{text: "RULE: Do not paint the boiler until " + guard + " agrees.", holds: guard},
		{text: "RULE: If somebody could get hurt, stop the pumps and call the foreman first.", holds: "call the foreman"},
		{text: fmt.Sprintf("RULE: Never reveal the lock number %d to a visitor.", valve), holds: fmt.Sprint(valve)},
		{text: fmt.Sprintf("LIMIT: The fee for repairs is $%d at most. Ask before you exceed it.", fee), holds: fmt.Sprintf("$%d", fee),
			earlier: fmt.Sprintf("LIMIT: The fee for repairs is $%d at most. Ask before you exceed it.", oldFee), stale: fmt.Sprintf("$%d", oldFee)},
		{text: "LIMIT: At most two halls are heated at the same time.", holds: "two halls"},
		{text: "FACT: The inspection of the dam is due " + due + ".", holds: due, earlier: "FACT: The inspection of the dam is due " + oldDue + ".", stale: oldDue},
		{text: "Change of plan: " + keeper + " now has duty in the pump house.", holds: keeper, earlier: oldKeeper + " has duty in the pump house.", stale: oldKeeper},
		{text: "FACT: The spare wheel lies in hall-7b behind the ladder.", holds: "hall-7b"},
		{text: "FACT: The dam was built with stones of the quarry Ulvsund.", holds: "ulvsund"},
		{text: "STATE: Turbines A-101 and B-202 stand still. Start them after the test.", holds: "b-202"},
		{text: "STATE: Open question for the user: shall the west door be closed?", holds: "west door"},
		{text: "STATE: The walls are dry, the roof is next. The next step is to order tiles.", holds: "order tiles"},
		{text: "WISH: The user prefers one clear answer.", holds: "one clear answer"},
		{text: "WISH: The user wants lengths in metres, not in feet.", holds: "not in feet"},
		{text: "WISH: Letters are signed with the code QZ-77.", holds: "qz-77"},
	}
}

// chatter are texts without anything to keep.
var chatter = []string{
	"I went through the cellar again and looked at the pipes along the wall there.",
	"We talked about the weather and the road to the village for quite a while.",
	"Somebody moved the ladder from one side of the yard to the other again.",
	"The old drawings were folded and put back into the drawer of the desk.",
	"Walking along the canal took longer than it had taken us last summer.",
}

// plantedTalk returns a talk with these statements in random places.
func plantedTalk(r *rand.Rand, list []planted) *transcript.Conversation {
	msgs := []*transcript.Message{transcripttest.System("You help the crew of a dam.")}
	say := func(text, answer string) {
		msgs = append(msgs, transcripttest.User(text), transcripttest.Model(answer))
	}
	for _, i := range r.Perm(len(list)) {
		for range 2 {
			say(chatter[r.IntN(len(chatter))], "I see. Let us go on with the plan.")
		}
		if list[i].earlier != "" {
			say(list[i].earlier, "Written down.")
			say(chatter[r.IntN(len(chatter))], "I see.")
		}
		say(list[i].text, "Written down.")
	}
	say(chatter[0], "I see. Let us go on with the plan.")
	return transcripttest.Conversation(msgs...)
}

// TestTypedSelection checks what stays of typed text that the user gives up and that
// exceeds the target alone: rules, limits, names and the newest values.
func TestTypedSelection(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ target, least float64 }{{0.1, 0.4}, {0.2, 0.85}, {0.3, 1}} {
		held, all := 0, 0
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 1))
			list := plantation(r)
			o := strategy.Defaults()
			o.UnpinUser, o.Target.Share = true, tt.target
			res, err := strategy.Run(t.Context(), plantedTalk(r, list), strategy.Hybrid, &o, strategy.Env{Tokens: counter.Block})
			if err != nil {
				t.Fatal(err)
			}
			var left strings.Builder
			for _, b := range res.Conv.Blocks() {
				left.WriteString(strings.ToLower(b.Text()) + "\n")
			}
			for _, p := range list {
				all++
				if strings.Contains(left.String(), strings.ToLower(p.holds)) {
					held++
				}
				if p.stale != "" && tt.target <= 0.2 && strings.Contains(left.String(), strings.ToLower(p.stale)) {
					t.Errorf("at %v: the earlier value %q stays:\n%s", tt.target, p.stale, left.String())
				}
			}
			if !res.Reached() {
				t.Errorf("at %v: %d tokens of %d", tt.target, res.After, res.Budget)
			}
		}
		if t.Logf("%.0f%%: %.2f of %d statements stay", 100*tt.target, float64(held)/float64(all), all); float64(held) < tt.least*float64(all) {
			t.Errorf("at %v: %d of %d statements stay, want %v", tt.target, held, all, tt.least)
		}
	}
}
