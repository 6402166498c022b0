package strategy

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/strategy/notes"
	"condense/transcript"
)

// numbered counts a block by the number at its start, so that the tests can have the
// token counts of .github/CONFORMANCE.md without long texts.
func numbered(b *transcript.Block) int {
	number, _, _ := strings.Cut(b.Text(), " ")
	n, _ := strconv.Atoi(number)
	return n
}

// five returns a conversation of five messages, with the given tokens in the first four,
// and in the last.
func five(tokens, last int) *transcript.Conversation {
	return conv(user("0"), model(strconv.Itoa(tokens/2)), user("0"), model(strconv.Itoa(tokens-tokens/2)), user(strconv.Itoa(last)))
}

// TestBudgetOfAWindow tests the budget of a pipeline in a window.
func TestBudgetOfAWindow(t *testing.T) {
	tests := []struct {
		name           string
		before, window int
		set            func(*Options)
		want           int
	}{
		{"no window", 200_000, 0, nil, 100_000},
		{"the room of the window", 215_857, 100_000, nil, 81_808},
		{"just over the room", 90_000, 100_000, nil, 81_808},
		{"another reserve", 200_000, 100_000, func(o *Options) { o.Trigger.Reserve = 20_000 }, 70_000},
		{"below the threshold", 200_000, 100_000, func(o *Options) { o.Trigger.Threshold = 0.5 }, 49_999},
		{"a target", 200_000, 100_000, func(o *Options) { o.Target.Share = 0.9 }, 180_000},
		{"always, though there is room", 50_000, 100_000, func(o *Options) { o.Trigger.Always = true }, 25_000},
		{"no room at all", 50_000, 8_000, nil, 8_000},
	}
	for _, tt := range tests {
		o := Options{Window: tt.window}
		if tt.set != nil {
			tt.set(&o)
		}
		if got := budget([]*Strategy{&Truncate}, &o, tt.before); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestTrigger tests DM1 to DM5 and DM9 to DM18 of .github/CONFORMANCE.md. There, the tokens of
// the last message are separate; here all tokens of the effective view count. "Auto off" is a
// threshold of 100, because the room of the window is always reached before that.
func TestTrigger(t *testing.T) {
	const w, m = 100_000, 30_000
	other := []ProfileThreshold{{"other", 0.5}}
	mine := func(share float64) []ProfileThreshold { return []ProfileThreshold{{"other", 0.07}, {"mine", share}} }
	tests := []struct {
		name         string
		tokens, last int
		window       int
		trigger      Trigger
		want         Rule
	}{
		{"DM1", 59_999, 0, w, Trigger{Reserve: m}, RuleFits},
		{"DM2", 60_001, 0, w, Trigger{Reserve: m}, RuleFull},
		{"DM3", 70_001, 0, w, Trigger{Reserve: m}, RuleFull},
		{"DM4", 60_000 - 500 - 10, 500, w, Trigger{Reserve: m}, RuleFits},
		{"DM5", 70_000 - 250, 500, w, Trigger{Reserve: m}, RuleFull},
		{"DM9 reached", 60_000, 0, w, Trigger{Reserve: m, Threshold: 0.5}, RuleThreshold},
		{"DM9 not reached", 40_000, 0, w, Trigger{Reserve: m, Threshold: 0.5}, RuleFits},
		{"DM10", 65_000, 0, w, Trigger{Reserve: m, Profile: "mine", Profiles: mine(0.6)}, RuleThreshold},
		{"DM11", 80_000, 0, w, Trigger{Reserve: m, Threshold: 0.75, Profile: "mine", Profiles: mine(inherited)}, RuleThreshold},
		{"DM12, CM8", 50_000, 0, w, Trigger{Reserve: m, Threshold: 0.8, Profile: "mine", Profiles: other}, RuleFits},
		{"DM13 within", 39_999, 0, w, Trigger{Reserve: 50_000}, RuleFits},
		{"DM13 over", 50_001, 0, w, Trigger{Reserve: 50_000}, RuleFull},
		{"DM14 within", 81_807, 0, w, Trigger{}, RuleFits},
		{"DM14 over", 81_809, 0, w, Trigger{}, RuleFull},
		{"DM15 small within", 34_999, 0, 50_000, Trigger{Reserve: 10_000}, RuleFits},
		{"DM15 small over", 40_001, 0, 50_000, Trigger{Reserve: 10_000}, RuleFull},
		{"DM15 large within", 149_999, 0, 200_000, Trigger{Reserve: m}, RuleFits},
		{"DM15 large over", 170_001, 0, 200_000, Trigger{Reserve: m}, RuleFull},
		{"DM16 60k at 50%", 60_000, 0, w, Trigger{Reserve: m, Threshold: 0.5}, RuleThreshold},
		{"DM16 40k at 50%", 40_000, 0, w, Trigger{Reserve: m, Threshold: 0.5}, RuleFits},
		{"DM16 off, over", 60_001, 0, w, Trigger{Reserve: m}, RuleFull},
		{"DM16 off, within", 59_999, 0, w, Trigger{Reserve: m}, RuleFits},
		{"DM16 profile", 55_000, 0, w, Trigger{Reserve: m, Profile: "mine", Profiles: mine(0.5)}, RuleThreshold},
		{"DM16 inherited", 55_000, 0, w, Trigger{Reserve: m, Threshold: 0.8, Profile: "mine", Profiles: mine(inherited)}, RuleFits},
		{"DM16 49k at 50%", 49_000, 0, w, Trigger{Reserve: m, Threshold: 0.5}, RuleFits},
		{"DM16 the last message counts", 49_000, 2_000, w, Trigger{Reserve: m, Threshold: 0.5}, RuleThreshold},
		{"DM18 4", 55_000, 0, w, Trigger{Reserve: m, Threshold: 0.8, Profile: "mine", Profiles: mine(0.04)}, RuleFits},
		{"DM18 101", 55_000, 0, w, Trigger{Reserve: m, Threshold: 0.5, Profile: "mine", Profiles: mine(1.01)}, RuleThreshold},
		{"DM18 0", 55_000, 0, w, Trigger{Reserve: m, Threshold: 0.5, Profile: "mine", Profiles: mine(0)}, RuleThreshold},
		{"DM18 not a number", 55_000, 0, w, Trigger{Reserve: m, Threshold: 0.5, Profile: "mine", Profiles: mine(math.NaN())}, RuleThreshold},
		{"DM18 exactly the room", 60_000, 0, w, Trigger{Reserve: m}, RuleFits},
		{"DM18 exactly the threshold", 50_000, 0, w, Trigger{Reserve: m, Threshold: 0.5}, RuleThreshold},

		{"5 and 100 are valid", 5_000, 0, w, Trigger{Profile: "mine", Profiles: mine(0.05)}, RuleThreshold},
		{"the last of two for a profile", 30_000, 0, w, Trigger{Profile: "mine", Profiles: append(mine(0.05), ProfileThreshold{"mine", 0.5})}, RuleFits},
		{"a tenth of a window that is not a multiple of ten", 808, 0, 10_001, Trigger{}, RuleFits},
		{"one more", 809, 0, 10_001, Trigger{}, RuleFull},
		{"a window smaller than the reserve", 1, 0, 8_000, Trigger{}, RuleFull},
		{"no window", 1_000_000, 0, 0, Trigger{Threshold: 0.5}, ""},
		{"always", 1, 0, w, Trigger{Always: true, MinMessages: 9, MinGap: 9}, RuleAlways},
		{"never below", 500, 0, w, Trigger{Always: true, MinTokens: 500}, RuleFewTokens},
		{"one above", 501, 0, 0, Trigger{MinTokens: 500}, ""},
		{"few messages", 90_000, 0, w, Trigger{MinMessages: 6}, RuleFewMessages},
		{"enough messages", 90_000, 0, w, Trigger{MinMessages: 5}, RuleFull},
		{"never condensed", 90_000, 0, w, Trigger{MinGap: 5}, RuleFull},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := five(tt.tokens, tt.last)
			opts := Options{Window: tt.window, Trigger: tt.trigger}
			r, err := Run(t.Context(), c, []*Strategy{&Truncate}, &opts, Env{Tokens: numbered})
			if err != nil {
				t.Fatal(err)
			}
			acts := tt.want == "" || tt.want == RuleAlways || tt.want == RuleThreshold || tt.want == RuleFull
			d := r.Decision
			if d.Rule != tt.want || d.Act != acts || d.Tokens != tt.tokens+tt.last || (d.Why == "") != (tt.want == "") {
				t.Errorf("got %+v, want rule %q", d, tt.want)
			}
			if !acts && (r.edited() || r.Budget != 0 || r.Stages[0].Skipped != d.Why || show(r.Conv) != show(c)) {
				t.Errorf("it acted: %+v", r)
			}
			byWindow := Trigger{Reserve: tt.trigger.Reserve, Threshold: tt.trigger.Threshold, Profile: tt.trigger.Profile, Profiles: tt.trigger.Profiles}
			tooLarge := func(tokens int) bool { return tt.window > 0 && byWindow.decide(c, tokens, tt.window).Act }
			half, least := max(1, (tt.tokens+tt.last)/2), min(r.Before, tt.trigger.least())
			switch {
			case !acts:
			case tooLarge(r.Before) && !tooLarge(1): // it aims at the largest size that the window allows
				if r.Budget < least || tooLarge(r.Budget) && !r.Raised || !tooLarge(r.Budget+1) {
					t.Errorf("budget %d, at which the window decides to act: %t", r.Budget, tooLarge(r.Budget))
				}
			case r.Budget != max(half, least):
				t.Errorf("budget %d, want %d", r.Budget, max(half, least))
			}
		})
	}
}

// TestTriggerAsks tests DM6 and DM8 of .github/CONFORMANCE.md. "Auto" is a pipeline with a
// summary here. Without "auto" the pipeline is the truncation alone, and no model is asked.
func TestTriggerAsks(t *testing.T) {
	for name, tt := range map[string]struct {
		stages []*Strategy
		asked  bool
	}{
		"DM6": {[]*Strategy{&Summarize, &Truncate}, true},
		"DM8": {[]*Strategy{&Truncate}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []notes.Prompt
			c := conv(user("0 go"), model("20000 "+lines(9)), model("20000 "+lines(9)), model("20000 "+lines(9)), model("10001 "+lines(9)), user("0 more"), model("0 done"), user("0 go on"))
			opts := Options{Window: 100_000, Trigger: Trigger{Reserve: 30_000, Threshold: 1}, UnpinLast: true}
			r, err := Run(t.Context(), c, tt.stages, &opts, Env{Tokens: numbered, Ask: notesOn(&asked, sections), Model: Model{Tokens: func(s string) int { return len(strings.Fields(s)) }}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Before != 70_001 || r.Decision.Rule != RuleFull || (len(asked) > 0) != tt.asked {
				t.Errorf("%d tokens, %+v, %d questions", r.Before, r.Decision, len(asked))
			}
			summarised := slices.ContainsFunc(r.Conv.Messages, isSummary)
			if summarised != tt.asked || !tt.asked && len(r.Stages[0].Edits) == 0 {
				t.Errorf("left %s\n%+v", show(r.Conv), r.Stages[0])
			}
		})
	}
}

// TestTriggerFallsBack tests DM3, DM7 and DM17 of .github/CONFORMANCE.md. If a summary
// fails, the next stage truncates: a marker hides two of five messages.
func TestTriggerFallsBack(t *testing.T) {
	failed := &Strategy{Name: "summary", Aims: true, Run: failed().Run}
	c := conv(system("9"), user("100"), model("30000 "+lines(9)), user("20000 "+lines(9)), model("20001"), user("0"))
	opts := Options{Window: 100_000, Hide: true, Trigger: Trigger{Reserve: 30_000}, UnpinUser: true, TruncateOptions: TruncateOptions{Fraction: 0.5}}
	r, err := Run(t.Context(), c, []*Strategy{failed, &Truncate}, &opts, Env{Tokens: numbered})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("DM7", func(t *testing.T) {
		if r.Stages[0].Skipped != "failed: no model answers" || !r.Stages[0].Failed || len(r.Stages[1].Edits) == 0 {
			t.Errorf("%+v", r.Stages)
		}
	})
	want := "0:9 | 1:100 | 6:[Sliding window truncation: 2 messages hidden to save context] | 4:20001 | 5:0"
	if show(r.Conv) != want || r.Decision.Rule != RuleFull {
		t.Errorf("got %s, %+v", show(r.Conv), r.Decision)
	}
	t.Run("DM17", func(t *testing.T) {
		if r.After >= r.Before || r.After < 9 { // of instructions
			t.Errorf("%d tokens of %d", r.After, r.Before)
		}
	})
}

func TestTriggerWarning(t *testing.T) {
	tests := []struct {
		trigger Trigger
		want    string
	}{
		{Trigger{}, ""},
		{Trigger{Profile: "a"}, ""},
		{Trigger{Profile: "a", Profiles: []ProfileThreshold{{"a", inherited}}}, ""},
		{Trigger{Profile: "a", Profiles: []ProfileThreshold{{"b", 0.04}}}, ""},
		{Trigger{Profile: "a", Profiles: []ProfileThreshold{{"a", 0.04}}},
			"the threshold of profile a is not a percentage from 5 to 100: the global one, 100%, counts"},
		{Trigger{Threshold: 0.665, Profile: "a", Profiles: []ProfileThreshold{{"a", math.NaN()}}},
			"the threshold of profile a is not a percentage from 5 to 100: the global one, 66.5%, counts"},
	}
	for _, tt := range tests {
		if got := tt.trigger.Warning(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.trigger, got, tt.want)
		}
	}
}

// TestTriggerRecent checks that a run does not act if one of the last MinGap messages is a
// summary or a marker.
func TestTriggerRecent(t *testing.T) {
	marker := windowMarker(4)
	tests := []struct {
		name string
		conv *transcript.Conversation
		gap  int
		held bool
	}{
		{"SU5: directly after the summary", conv(user("9"), model("1"), user(summary("3")), model("40")), 3, true},
		{"V2: at the edge", conv(user("9"), user(summary("3")), model("1"), user("1"), model("40")), 4, true},
		{"just too far", conv(user("9"), user(summary("3")), model("1"), user("1"), model("40")), 3, false},
		{"a truncation", conv(user("9"), marker, model("40")), 3, true},
		{"hidden", conv(user("9"), hidden(user(summary("3"))), model("40")), 3, false},
		{"without MinGap", conv(user("9"), user(summary("3")), model("40")), 0, false},
		{"MinGap is more than all messages", conv(user(summary("3")), model("40")), 99, true},
	}
	for _, tt := range tests {
		r, err := Run(t.Context(), tt.conv, []*Strategy{&Dedupe}, &Options{Trigger: Trigger{MinGap: tt.gap}}, Env{Tokens: numbered})
		if err != nil {
			t.Fatal(err)
		}
		if held := r.Decision.Rule == RuleRecent; held != tt.held || r.Decision.Act == held {
			t.Errorf("%s: got %+v", tt.name, r.Decision)
		}
	}
}

// TestTriggerAndLayers tests the two meanings of Window. Stages with their own shares of
// the window ignore the trigger, unless an option changes how the window decides.
func TestTriggerAndLayers(t *testing.T) {
	big := conv(concat(msgs(user("q")), round("1", "T", "x=1", lines(40)), round("2", "T", "x=2", lines(40)), msgs(user("r")))...)
	window := 600 // the conversation has between 0.4 and 0.9 of it
	both := []*Strategy{&Progressive, &Truncate}
	tests := []struct {
		name    string
		stages  []*Strategy
		trigger Trigger
		acted   []string // names of stages
	}{
		{"by its shares", both[:1], Trigger{Reserve: 0}, []string{"progressive/rounds"}},
		{"beside another", both, Trigger{}, []string{"progressive/rounds"}},
		{"held when asked", both, Trigger{Reserve: 1}, nil},
		{"held by a threshold", both[:1], Trigger{Threshold: 0.95, Reserve: 1}, nil},
		{"held by a guard", both[:1], Trigger{MinMessages: 99}, nil},
		{"always", both[:1], Trigger{MinMessages: 99, Always: true}, []string{"progressive/rounds"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := Options{Window: window, Trigger: tt.trigger, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 0.55, L3: 0.7}}
			r, err := Run(t.Context(), big, tt.stages, &opts, Env{Tokens: words})
			if err != nil {
				t.Fatal(err)
			}
			var acted []string
			for _, s := range r.Stages {
				if len(s.Edits) > 0 {
					acted = append(acted, s.Name)
				}
			}
			if strings.Join(acted, " ") != strings.Join(tt.acted, " ") {
				t.Errorf("acted: %v, want %v (%d tokens, %+v)", acted, tt.acted, r.Before, r.Decision)
			}
		})
	}
}

// TestTriggerHoldsDemands checks that the trigger also stops preparations.
func TestTriggerHoldsDemands(t *testing.T) {
	c := conv(user("q", image()), model("a"), user("r"))
	for _, always := range []bool{false, true} {
		opts := Options{Window: 100_000, Trigger: Trigger{Always: always}, PrepareOptions: PrepareOptions{Images: Images{Limited: true}}}
		r, err := Run(t.Context(), c, []*Strategy{&Dedupe}, &opts, Env{Tokens: words})
		if err != nil || r.edited() != always {
			t.Errorf("always %v: %v, %+v", always, err, r.Stages)
		}
	}
}

func TestMinGain(t *testing.T) {
	c := conv(user("q"), model(strings.Repeat("w ", 9)), model(strings.Repeat("w ", 9)), user("r")) // 20 words
	tests := []struct {
		gain Target
		acts bool
	}{
		{Target{}, true}, {Target{Tokens: 9}, true}, {Target{Tokens: 10}, false},
		{Target{Share: 0.45}, true}, {Target{Share: 0.46}, false},
	}
	for _, tt := range tests {
		opts := Options{Target: Target{Tokens: 11}, Trigger: Trigger{MinGain: tt.gain}}
		r := run(t, c, opts, proposing(drop(1, 0)), proposing(drop(2, 0)))
		if r.edited() != tt.acts || (show(r.Conv) == show(c)) == tt.acts || (r.After < r.Before) != tt.acts {
			t.Errorf("%v: acted %v, %d tokens", tt.gain, r.edited(), r.After)
		}
		if !tt.acts && (r.Decision.Rule != RuleSmallGain || r.Decision.Act || !strings.HasPrefix(r.Decision.Why, "all of it would save 9 of 20 tokens") || r.Reached()) {
			t.Errorf("%v: %+v, %+v", tt.gain, r.Decision, r.Stages)
		}
	}
	if r := run(t, c, Options{Target: Target{Tokens: 19}, Trigger: Trigger{MinGain: Target{Tokens: 5}}}, proposing()); r.Decision.Rule != "" {
		t.Errorf("nothing was proposed, but %+v", r.Decision)
	}
}

func TestMinTokens(t *testing.T) {
	c := conv(user("q"), model(strings.Repeat("w ", 9)), model(strings.Repeat("w ", 9)), user("r")) // 20 words
	tests := []struct {
		name    string
		least   int
		target  int
		edits   []transcript.Edit
		after   int
		skipped string
	}{
		{"no limit", 0, 5, msgsOf(drop(1, 0), drop(2, 0)), 2, ""},
		{"far enough away", 2, 1, msgsOf(drop(1, 0), drop(2, 0)), 2, ""},
		{"half of it", 3, 1, msgsOf(drop(1, 0), drop(2, 0)), 11, ""},
		{"only the edit that fits", 15, 1, msgsOf(drop(1, 0), rewrite(2, 0, "w w w w w")), 16, ""},
		{"a group whole", 3, 1, group(1, drop(1, 0), drop(2, 0)), 20, "its edits would leave less than the 3 tokens that must be left"},
		{"without a target", 3, 0, msgsOf(drop(1, 0), drop(2, 0)), 11, ""},
		{"the budget is raised", 20, 5, msgsOf(drop(1, 0)), 20, "20 tokens are not more than the 20 that must be left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := Options{Target: Target{Tokens: tt.target}, Trigger: Trigger{MinTokens: tt.least}}
			r := run(t, c, opts, proposing(tt.edits...))
			if r.After != tt.after || r.Stages[0].Skipped != tt.skipped {
				t.Errorf("%d tokens, skipped %q; want %d, %q", r.After, r.Stages[0].Skipped, tt.after, tt.skipped)
			}
			if r.Budget > 0 && r.Budget < tt.least {
				t.Errorf("the budget is %d", r.Budget)
			}
		})
	}
}

func TestParseThresholds(t *testing.T) {
	for text, want := range map[string]ProfileThreshold{"a=80": {"a", 0.8}, "a=80%": {"a", 0.8}, "a=-1": {"a", inherited}, "a=5": {"a", 0.05}} {
		if got, err := parseProfileThreshold(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"a=lots", "a=4", "a=101", "a=0", "a=-100", "a=NaN"} {
		if got, err := parseProfileThreshold(text); err != nil || !math.IsNaN(got.Share) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "a", "=80"} {
		if got, err := parseProfileThreshold(text); err == nil {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
