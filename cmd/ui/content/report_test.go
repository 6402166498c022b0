package content

import (
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/transcript/token"
)

func plain(s string) string { return s }

// TestDialogue checks the line about the dialogue: without what the input had none of.
func TestDialogue(t *testing.T) {
	one, none, two := report.Change{Before: 1, After: 1}, report.Change{Before: 1}, report.Change{Before: 2, After: 1}
	for want, k := range map[string]*report.Retained{
		"":                                     {},
		"dialogue: last answer kept":           {Last: one},
		"dialogue: last answer lost":           {Last: none},
		"dialogue: last answers 1/2":           {Last: two},
		"dialogue: answered 1/2":               {Answered: two},
		"dialogue: closing answers 1/2":        {Closing: two},
		"dialogue: prose 0.50":                 {Paragraphs: two},
		"dialogue: gaps 1":                     {Gaps: 1},
		"dialogue: records 1":                  {Records: 1},
		"dialogue: gaps 1,200 · records 1,300": {Gaps: 1200, Records: 1300},
	} {
		if got := dialogue(&report.Report{Retained: k}, true); got != want {
			t.Errorf("%+v: %q, want %q", *k, got, want)
		}
	}
	if got := dialogue(&report.Report{}, true); got != "" {
		t.Errorf("nothing changed: %q", got)
	}
}

// TestRetained checks the line about facts and typed text.
func TestRetained(t *testing.T) {
	for want, k := range map[string]*report.Retained{
		"retained: facts not measurable, there are 3":                              {Facts: 3},
		"retained: facts 0.83 of 1,204 (bound 0.79)":                               {Facts: 1204, Measurable: true, Present: .83, Bound: .79},
		"retained: facts not measurable, there are 0 · user text 0.50":             {Typed: report.Change{Before: 1}, User: .5},
		"retained: facts not measurable, there are 0 · todos 1/3":                  {Todos: report.Change{Before: 3, After: 1}},
		"retained: facts not measurable, there are 0 · user text 1.00 · todos 0/1": {Typed: report.Change{Before: 9, After: 9}, User: 1, Todos: report.Change{Before: 1}},
	} {
		if got := retained(&report.Report{Retained: k}); got != want {
			t.Errorf("%+v: %q, want %q", *k, got, want)
		}
	}
}

// TestStageNote checks what is reported of a stage beside its numbers.
func TestStageNote(t *testing.T) {
	for want, s := range map[string]stageSum{
		"":                                   {runs: 2},
		"skipped: a; b":                      {runs: 2, skipped: 2, reasons: []string{"a", "b"}},
		"skipped: a; b; c":                   {runs: 3, skipped: 3, reasons: []string{"a", "b", "c"}},
		"skipped for 4 reasons":              {runs: 4, skipped: 4, reasons: []string{"a", "b", "c", "d"}},
		"skipped in 1 of 2":                  {runs: 2, skipped: 1, reasons: []string{"a"}},
		"1 edit refused, would save nothing": {runs: 2, refused: 1},
		"skipped in 1 of 3; 2 edits refused, would save nothing": {runs: 3, skipped: 1, refused: 2, reasons: []string{"a"}},
	} {
		if got := s.note(plain); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// TestRemoved checks the sentences about units: one at least.
func TestRemoved(t *testing.T) {
	for _, n := range []int{0, 1, 2} {
		r := &report.Report{Conversations: []report.Conversation{{UnitsRemoved: n}, {}}}
		list := removed(r)
		if (len(list) > 0) != (n > 0) || n == 1 && list[0].Text != "1 unit removed whole (prompts, answers, tool rounds)" {
			t.Errorf("%d units: %+v", n, list)
		}
	}
}

// TestFirstChanged checks the sentences about the first changed message and the cached prompt before it.
func TestFirstChanged(t *testing.T) {
	const first = "first changed message: 3"
	cache := func(turns string) string {
		return "prompt cache: the first 1,200 tokens stay cached; if the prompt was cached, this pays " + turns + " (writing costs 1.25 times, reading 0.1 times the price)"
	}
	for _, tt := range []struct {
		changed int
		cache   *report.Cache
		want    []string
	}{
		{0, nil, nil}, {3, nil, []string{first}}, {3, &report.Cache{Prefix: 1200}, []string{first, cache("at once")}},
		{3, &report.Cache{Prefix: 1200, BreakEven: 2.5}, []string{first, cache("after 2.5 turns")}},
	} {
		var got []string
		for _, x := range removed(&report.Report{Conversations: []report.Conversation{{FirstChanged: tt.changed, Cache: tt.cache}}}) {
			got = append(got, x.Text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("message %d, cache %+v: %q, want %q", tt.changed, tt.cache, got, tt.want)
		}
	}
}

// TestHidden checks the sentence about messages that a run hides.
func TestHidden(t *testing.T) {
	for newly, want := range map[int]string{0: "", 1: "1 unit hidden whole (prompts, answers, tool rounds): 1 message tagged, still in the file", 3: "1 unit hidden whole (prompts, answers, tool rounds): 3 messages tagged, still in the file"} {
		got := ""
		for _, x := range removed(&report.Report{Conversations: []report.Conversation{{UnitsHidden: 1, NewlyHidden: newly}, {}}}) {
			got += x.Text
		}
		if got != want {
			t.Errorf("%d messages: %q, want %q", newly, got, want)
		}
	}
}

// TestReached checks what is reported of the target of one conversation.
func TestReached(t *testing.T) {
	pinned := []report.Floor{{What: "system", Tokens: 400}, {What: "last turn", Tokens: 200}}
	roomless := &report.Decision{Act: true, Window: 8000, Allowed: -192}
	for _, tt := range []struct {
		c       report.Conversation
		changed bool
		target  string
		want    string
	}{
		{report.Conversation{Reached: true}, true, "", ""},
		{report.Conversation{Budget: 1, Reached: true}, true, "1", "within the target of 1 tokens"},
		{report.Conversation{Budget: 500, Reached: true}, true, "25%", "within the target of 500 tokens (25%)"},
		{report.Conversation{Budget: 500, Reached: true}, false, "25%", ""},
		{report.Conversation{Budget: 500, Reached: true, Raised: true}, true, "25%", "within 500 tokens, to which --min-tokens raises the target"},
		{report.Conversation{Budget: 500, Reached: true, Decision: &report.Decision{}}, true, "25%", ""},
		{report.Conversation{Budget: 100, Tokens: report.Change{After: 300}}, true, "100",
			"cannot reach 100: 300 tokens are leftthe target 100 is a number of tokens: a share of the input is written 100%"},
		{report.Conversation{Budget: 500, Tokens: report.Change{After: 600}}, true, "500", "cannot reach 500: 600 tokens are left"},
		{report.Conversation{Budget: 500, Tokens: report.Change{After: 600}, Floor: pinned}, true, "500", "cannot reach 500: 600 tokens are pinned (system 400; last turn 200)"},
		{report.Conversation{Budget: 500, Tokens: report.Change{After: 1700}, Floor: pinned}, true, "500",
			"cannot reach 500: 600 tokens are pinned (system 400; last turn 200); these strategies cannot remove 1,100 more"},
		{report.Conversation{Budget: 500, Reached: true, Decision: roomless}, true, "", "reduced to half: 500 tokens or fewer are left"},
		{report.Conversation{Budget: 500, Reached: true, Decision: roomless}, true, "25%", "within the target of 500 tokens (25%)"},
		{report.Conversation{Budget: 500, Reached: true, Decision: roomless}, false, "", ""},
		{report.Conversation{Reached: true, Decision: roomless}, true, "", ""},
	} {
		got := ""
		for _, x := range reached(&report.Report{Changed: tt.changed, Target: tt.target}, &tt.c, plain) {
			got += x.Text
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.c, got, tt.want)
		}
	}
}

// TestStageTableOfNothing checks that a conversation without messages has no table of stages.
func TestStageTableOfNothing(t *testing.T) {
	r := &report.Report{Conversations: []report.Conversation{{Stages: []report.Stage{{Name: "dedupe", Skipped: "0 tokens are within the target of 1"}}}}}
	if rows := StageTable(r, plain, plain).Rows; len(rows) > 0 {
		t.Errorf("got %q", rows)
	}
	r.Messages.Before = 1
	if rows := StageTable(r, plain, plain).Rows; len(rows) != 1 {
		t.Errorf("got %q", rows)
	}
}

// TestDialogueTable checks that a report without a dialogue has no rows about it, not even about gaps.
func TestDialogueTable(t *testing.T) {
	for _, tt := range []struct {
		k    *report.Retained
		rows int
	}{
		{nil, 0}, {&report.Retained{Gaps: 4}, 0}, {&report.Retained{Gaps: 4, Last: report.Change{Before: 1}}, 3},
	} {
		if got := DialogueTable(&report.Report{Retained: tt.k}); len(got.Rows) != tt.rows {
			t.Errorf("%+v: %q", tt.k, got.Rows)
		}
	}
}

// TestBar checks that parts of a bar are rounded up, so that what is left shows.
func TestBar(t *testing.T) {
	for _, tt := range []struct {
		before, after, largest int
		want                   string
	}{
		{100, 100, 100, strings.Repeat("█", 20)}, {100, 50, 100, strings.Repeat("█", 10) + strings.Repeat("░", 10)}, {100, 1, 100, "█" + strings.Repeat("░", 19)},
		{1, 0, 19, "░░"}, {1, 1, 19, "██"}, {50, 0, 100, strings.Repeat("░", 10)}, {0, 0, 100, ""}, {5, 5, 0, ""}, {300, 0, 100, strings.Repeat("░", 20)},
	} {
		if got := Bar(report.Change{Before: tt.before, After: tt.after}, tt.largest); got != tt.want {
			t.Errorf("%d to %d of %d: %q, want %q", tt.before, tt.after, tt.largest, got, tt.want)
		}
	}
}

// TestLargestNamesThePlace checks that a place has the name of its file or the number of its conversation
// where there are several.
func TestLargestNamesThePlace(t *testing.T) {
	largest := []survey.Large{{Input: "a.json", Conversation: 2, Message: 7, Block: 1, Tokens: 90, What: "tool result"}}
	one := func(conversations int) survey.FileStats {
		return survey.FileStats{Conversations: make([]survey.ConversationStats, conversations)}
	}
	for want, files := range map[string][]survey.FileStats{
		"message 7": {one(1)}, "conversation 2 message 7": {one(2)}, "a.json message 7": {one(2), one(1)},
	} {
		got := LargestTable(&survey.Stats{Files: files, Largest: largest}, plain)
		if len(got.Rows) != 1 || got.Rows[0][0] != want {
			t.Errorf("%q, want %q", got.Rows, want)
		}
	}
}

// TestPays checks that a trial names the turns after which it pays only if it saves tokens.
func TestPays(t *testing.T) {
	c := &survey.Comparison{Tokens: 100}
	for tokens, want := range map[int]string{99: "2.5", 100: "–", 101: "–"} {
		row := trialRow(c, &survey.Trial{Strategy: "truncate", Valid: true, Reached: true, Tokens: tokens, BreakEven: 2.5}, plain)
		if !slices.Contains(row, want) || slices.Contains(row, "2.5") != (want == "2.5") {
			t.Errorf("%d of 100 tokens: %q", tokens, row)
		}
	}
}

// TestBecause checks what is reported of the error of a count and its source.
func TestBecause(t *testing.T) {
	for want, of := range map[string]report.Tokenizer{
		"": {}, ", ±5 %": {Band: 5}, ": measured": {Source: "measured"}, ", ±5 %: measured": {Band: 5, Source: "measured"},
	} {
		if got := because(&of, plain); got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
	}
}

// TestMeasured checks that calibration is advised where there is none yet.
func TestMeasured(t *testing.T) {
	c := report.Conversation{Usage: report.Usage{Measured: 1000, Counted: 500}}
	for factor, want := range map[float64]bool{1: true, 1.2: false} {
		got := measured(&report.Tokenizer{Factor: factor}, &c)
		if len(got) != 1 || strings.Contains(got[0].Text, "(--calibrate auto)") != want {
			t.Errorf("factor %v: %+v", factor, got)
		}
	}
}

// TestOverfull checks the warning about a window that has no room for what the file does not contain.
func TestOverfull(t *testing.T) {
	for window, want := range map[int]string{
		0: "the provider counted 34,694 tokens for the last request, condense counts 5,417 for its messages: ",
		30_000: "the provider counted 34,694 tokens for the last request, 29,277 more than the file has (system text, tools). " +
			"With them the result does not fit the window of 30,000: they leave no room for the conversation",
		45_000: "the provider counted 34,694 tokens for the last request, 29,277 more than the file has (system text, tools). " +
			"With them the result does not fit the window of 45,000: --reserve 38k leaves room for them",
		200_000: "the provider counted 34,694 tokens for the last request, condense counts 5,417 for its messages: ",
	} {
		c := report.Conversation{Tokens: report.Change{Before: 5036, After: 5036}, Usage: report.Usage{Measured: 34_694, Counted: 5417}}
		if window > 0 {
			c.Decision = &report.Decision{Window: window, Reserve: 8192, Allowed: window*9/10 - 8192}
		}
		got := measured(&report.Tokenizer{Factor: 1}, &c)
		if len(got) != 1 || !strings.HasPrefix(got[0].Text, want) || (got[0].Tone == Warn) != strings.Contains(want, "does not fit") {
			t.Errorf("window %d: %+v", window, got)
		}
	}
}

// TestTrialCounts checks the cells about the dialogue of a trial without an output.
func TestTrialCounts(t *testing.T) {
	got := trialCounts(nil)
	if len(got) != 3 || got[0] != "–" || got[1] != "–" || got[2] != "–" {
		t.Errorf("got %q", got)
	}
	two := report.Change{Before: 2, After: 1}
	if got := trialCounts(&report.Retained{Answered: two, Closing: two, Last: two}); len(got) != 3 || got[0] != "1/2" || got[1] != "1/2" || got[2] != "1/2" {
		t.Errorf("got %q", got)
	}
}

// TestOutcomeLimits checks that the limits of a project are named one by one.
func TestOutcomeLimits(t *testing.T) {
	got := Outcomes(&report.Report{Limits: []string{"max-cost", "target"}}, plain)
	if len(got) == 0 || got[0].Text != "the project's condense.yaml sets max-cost, target" || got[0].Tone != Warn {
		t.Errorf("got %+v", got)
	}
}

// TestMoney checks what a request costs less, for prices that are known.
func TestMoney(t *testing.T) {
	one := func(before, after int, price float64, conversations int) *report.Report {
		return &report.Report{Tokens: report.Change{Before: before, After: after}, Price: price, Conversations: make([]report.Conversation, conversations)}
	}
	for want, r := range map[string]*report.Report{
		"each request costs $0.30 less, or $0.030 with a cached prompt ($3 for a million tokens, prices of " + token.PricesDate + ")":     one(150_000, 50_000, 3, 1),
		"each request costs $0.0015 less, or $0.00015 with a cached prompt ($5 for a million tokens, prices of " + token.PricesDate + ")": one(1000, 700, 5, 1),
	} {
		if got := money(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, r := range []*report.Report{one(100, 50, 0, 1), one(100, 100, 3, 1), one(100, 120, 3, 1), one(100, 50, 3, 2)} {
		if got := money(r); got != "" {
			t.Errorf("%+v: %q", r, got)
		}
	}
}

// TestNextSteps checks the lines below a report.
func TestNextSteps(t *testing.T) {
	r := &report.Report{Changed: true, Resume: "claude --resume 1", Undo: "mv a.bak a"}
	if got := NextSteps(r, true, plain); len(got) != 3 || got[0].Text != "resume: claude --resume 1" || got[1].Text != "undo: mv a.bak a" {
		t.Errorf("got %v", got)
	}
	if got := NextSteps(&report.Report{}, true, plain); got != nil {
		t.Errorf("nothing changed: %v", got)
	}
	if got := NextSteps(&report.Report{Changed: true}, false, plain); got != nil {
		t.Errorf("with everything: %v", got)
	}
}
