package strategy_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

// setting is a list of stages with options and a model, of which the outcomes are frozen.
type setting struct {
	name   string // without spaces
	stages []*strategy.Strategy
	set    func(*strategy.Options, *strategy.Env) // on the defaults
}

// list returns stages.
func list(stages ...*strategy.Strategy) []*strategy.Strategy { return stages }

// share returns a function that sets a target.
func share(f float64) func(*strategy.Options, *strategy.Env) {
	return func(o *strategy.Options, _ *strategy.Env) { o.Target.Share = f }
}

// globs parses globs.
func globs(texts ...string) (list []strategy.Glob) {
	for _, s := range texts {
		var g strategy.Glob
		if err := g.UnmarshalText([]byte(s)); err != nil {
			panic(err) // a fault of the table
		}
		list = append(list, g)
	}
	return list
}

// errGone is the error of models that fail.
var errGone = errors.New("gone")

// replies returns a model that returns a reply.
func replies(reply notes.Reply, err error) func(context.Context, notes.Prompt) (notes.Reply, error) {
	return func(_ context.Context, p notes.Prompt) (notes.Reply, error) {
		reply.In, reply.Out = len(p.System)+len(p.Text), len(reply.Text)
		return reply, err
	}
}

// dear counts five tokens more for each id of a block behind the first.
func dear(b *transcript.Block) int {
	text := b.Text()
	return (len(text)+3)/4 + 5*max(0, strings.Count(text, "#")-1)
}

// wellWritten is an answer that can be used.
var wellWritten = notes.Reply{Text: "The notes say which files matter, what was tried in vain, and what is still to be done; nobody has pushed the branch."}

// asIs is a program that proposes edits, some of which cannot be made.
var asIs = strategy.Strategy{Name: "program", Run: func(_ context.Context, in *strategy.Input) (strategy.Proposal, error) {
	p := strategy.Proposal{Foreign: true}
	add := func(at transcript.Ref, op transcript.Op, text string) {
		p.Edits = append(p.Edits, transcript.Edit{At: at, Op: op, Text: text, Why: "program"})
	}
	for ref, b := range in.Conv.Blocks() {
		switch len(b.Text()) % 5 {
		case 0:
			add(ref, transcript.Drop, "")
		case 1:
			ref.Part = 0
			add(ref, transcript.Rewrite, "short")
		case 2: // some of the lines, which is permitted for typed text too
			ref.Part = len(b.Parts) - 1
			add(ref, transcript.Rewrite, "[1 line omitted]\n"+strings.Join(strings.SplitAfter(b.Text(), "\n")[:1], ""))
		case 3:
			ref.Part = 7
			add(ref, transcript.Rewrite, "x")
		}
	}
	for i, m := range in.Conv.Messages {
		switch {
		case m.Hidden && i%3 < 2:
			add(transcript.At(m.ID), transcript.Drop, "")
		case i%17 == 16:
			add(transcript.At(m.ID+1000), transcript.Drop, "")
		case i%11 == 10:
			add(transcript.At(m.ID), transcript.Drop, "")
			p.Edits[len(p.Edits)-1].Group = 3
		}
	}
	return p, nil
}}

// toolSettings are settings of preparations and of options that limit what may change.
var toolSettings = []setting{
	{"caps", nil, func(o *strategy.Options, _ *strategy.Env) { o.Caps = caps("*=60") }},
	{"caps-by-tool", list(&strategy.Dedupe), func(o *strategy.Options, _ *strategy.Env) { o.Caps = caps("*=40", "B*=10", "r*=25", "*file*=15") }},
	{"tags-hidden", nil, func(o *strategy.Options, _ *strategy.Env) { o.Tags, o.DropHidden = strategy.TagsAll, true }},
	{"no-thinking", list(&strategy.Mask), func(o *strategy.Options, _ *strategy.Env) { o.Thinking, o.KeepRounds = strategy.ThinkingDrop, 2 }},
	{"old-thinking-images", nil, func(o *strategy.Options, _ *strategy.Env) {
		o.Thinking, o.Images.Limited = strategy.ThinkingDropOld, true
	}},
	{"other-model", strategy.Hybrid, func(o *strategy.Options, _ *strategy.Env) {
		o.TargetModel, o.Images, o.Target.Share = "gpt-4o", strategy.Images{Limited: true, Last: 1}, .6
	}},
	{"edges", strategy.Hybrid, func(o *strategy.Options, _ *strategy.Env) {
		o.KeepFirst, o.KeepLast, o.FreezePrefix, o.Target.Share = 3, 3, 2, .3
	}},
	{"tools", strategy.Hybrid, func(o *strategy.Options, _ *strategy.Env) {
		o.ProtectTools, o.ProtectPaths, o.Target.Share = globs("R*", "read*"), globs("**/*.py"), .3
	}},
	{"only", list(&strategy.Dedupe, &strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) {
		o.Only, o.Target.Share = globs("B*", "*file*", "bash", "shell"), .3
	}},
	{"range-pin-stay", list(&strategy.Mask, &strategy.Smart), func(o *strategy.Options, _ *strategy.Env) {
		o.Messages, o.Stay, o.KeepRounds, o.Target.Share = strategy.Range{First: 3, Last: 30}, []int{4, 6}, 1, .3
		o.Pin, o.Protect = []*regexp.Regexp{regexp.MustCompile(`(?i)test`)}, []*regexp.Regexp{regexp.MustCompile(`(?i)error|fail`)}
	}},
	{"protect-whole", list(&strategy.Mask, &strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) {
		o.KeepRounds, o.Target.Share, o.Protect = 0, .2, []*regexp.Regexp{regexp.MustCompile(`(?i)error|fail|ok`)}
	}},
}

// strategySettings are settings of strategies.
var strategySettings = []setting{
	{"dedupe", list(&strategy.Dedupe), func(*strategy.Options, *strategy.Env) {}},
	{"dedupe-half", list(&strategy.Dedupe), share(.8)},
	{"mask", list(&strategy.Mask), func(o *strategy.Options, _ *strategy.Env) { o.KeepRounds = 1 }},
	{"mask-target", list(&strategy.Mask), func(o *strategy.Options, _ *strategy.Env) { o.KeepRounds, o.Target.Share = 2, .7 }},
	{"smart", list(&strategy.Smart), share(.5)},
	{"smart-lines", list(&strategy.Smart), func(o *strategy.Options, _ *strategy.Env) {
		o.Target.Share, o.UnpinUser, o.Protect = .2, true, []*regexp.Regexp{regexp.MustCompile(`(?i)error|fail`)}
	}},
	{"progressive", list(&strategy.Progressive), share(.5)},
	{"progressive-tenth", list(&strategy.Progressive), func(o *strategy.Options, _ *strategy.Env) { o.Target.Share, o.KeepRounds, o.Aggression = .1, 2, 1 }},
	{"progressive-window", list(&strategy.Progressive), func(o *strategy.Options, _ *strategy.Env) {
		o.Window, o.KeepRounds, o.L1, o.L2, o.L3 = 900, 1, 0, .5, .8
	}},
	{"progressive-some", list(&strategy.Progressive), func(o *strategy.Options, _ *strategy.Env) { o.Window, o.KeepRounds, o.Aggression = 1500, 3, .5 }},
	{"summarize", list(&strategy.Summarize), share(.3)},
	{"summarize-fresh", list(&strategy.Summarize), func(o *strategy.Options, _ *strategy.Env) {
		o.Target.Share, o.Layout, o.UnpinUser = .2, strategy.LayoutFresh, true
	}},
	{"summarize-fresh-typed", list(&strategy.Summarize), func(o *strategy.Options, _ *strategy.Env) { o.Target.Share, o.Layout = .4, strategy.LayoutFresh }},
	{"summarize-fork", list(&strategy.Summarize), func(o *strategy.Options, _ *strategy.Env) { o.Target.Share, o.Layout = .3, strategy.LayoutFork }},
	{"summarize-fresh-only", list(&strategy.Summarize), func(o *strategy.Options, _ *strategy.Env) {
		o.Target.Share, o.Layout, o.Only, o.ProtectTools = .3, strategy.LayoutFresh, globs("B*", "*file*", "R*"), globs("*ad*")
	}},
	{"summarize-fork-range", list(&strategy.Summarize), func(o *strategy.Options, _ *strategy.Env) {
		o.Target.Share, o.Layout, o.Messages, o.Pin = .3, strategy.LayoutFork, strategy.Range{First: 3}, []*regexp.Regexp{regexp.MustCompile(`(?i)test`)}
	}},
	{"summarize-hide", list(&strategy.Summarize), func(o *strategy.Options, _ *strategy.Env) { o.Target.Share, o.Hide = .4, true }},
	{"truncate", list(&strategy.Truncate), share(.5)},
	{"truncate-unpinned", list(&strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) { o.Target.Share, o.UnpinUser, o.UnpinLast = .2, true, true }},
	{"truncate-hide", list(&strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) { o.Target.Share, o.Hide = .4, true }},
	{"fraction", list(&strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) { o.Fraction, o.UnpinUser = .5, true }},
}

// pipelineSettings are settings of pipelines, of triggers and of models.
var pipelineSettings = []setting{
	{"hybrid-ids", strategy.Hybrid, func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, e.IDs = .4, func(string, string) bool { return false }
	}},
	{"mask-ids", list(&strategy.Mask), func(o *strategy.Options, e *strategy.Env) {
		o.KeepRounds, e.IDs = 0, func(id, _ string) bool { return id < "5" }
	}},
	{"dear-ids", list(&strategy.Mask), func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, o.KeepRounds, e.IDs, e.Tokens = .6, 0, func(string, string) bool { return false }, dear
	}},
	{"dear-ids-small", strategy.Hybrid, func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, o.UnpinUser, e.IDs, e.Tokens = .35, true, func(string, string) bool { return false }, dear
	}},
	{"progressive-ids", list(&strategy.Progressive), func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, o.KeepRounds, o.Caps, e.IDs = .1, 2, caps("*=60"), func(string, string) bool { return false }
	}},
	{"training", strategy.Hybrid, func(o *strategy.Options, _ *strategy.Env) { o.Training, o.Target.Share = true, .8 }},
	{"training-mask", list(&strategy.Dedupe, &strategy.Mask), func(o *strategy.Options, _ *strategy.Env) {
		o.Training, o.KeepRounds, o.Caps = true, 1, caps("*=100")
	}},
	{"training-dedupe-truncate", list(&strategy.Dedupe, &strategy.Progressive, &strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) { o.Training, o.Target.Share = true, .6 }},
	{"window", strategy.Hybrid, func(o *strategy.Options, _ *strategy.Env) {
		o.Window, o.Trigger.Reserve, o.Trigger.Threshold = 2000, 500, .5
	}},
	{"least", list(&strategy.Dedupe, &strategy.Mask, &strategy.Smart), func(o *strategy.Options, _ *strategy.Env) {
		o.Target.Share, o.KeepRounds, o.Trigger.MinTokens, o.Trigger.MinMessages, o.Trigger.MinGap = .2, 1, 400, 4, 3
	}},
	{"gains", list(&strategy.Dedupe, &strategy.Mask, &strategy.Truncate), func(o *strategy.Options, _ *strategy.Env) {
		o.Target.Share, o.KeepRounds, o.Trigger.MinGain.Share, o.Trigger.MinStageGain.Share = .6, 1, .2, .1
	}},
	{"small", strategy.Hybrid, func(o *strategy.Options, _ *strategy.Env) { o.Target.Tokens = 60 }},
	{"all", append(list(&strategy.Dedupe, &strategy.Mask, &strategy.Smart, &strategy.Progressive, &strategy.Summarize), &strategy.Truncate), share(.1)},
	{"program", list(&asIs, &strategy.Smart), share(.5)},
	{"notes", list(&strategy.Summarize), func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, o.UnpinUser, e.Model = .4, true, strategy.Model{Name: "m", Prompt: "short", Window: 30_000}
		e.Ask = replies(wellWritten, nil)
	}},
	{"notes-beside", list(&strategy.Summarize), func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, e.Model, e.Ask = .7, strategy.Model{Name: "m", Prompt: "short", MaxNotes: 300}, replies(wellWritten, nil)
	}},
	{"notes-failed", list(&strategy.Summarize), func(o *strategy.Options, e *strategy.Env) {
		second := strategy.Env{Ask: replies(wellWritten, nil), Model: strategy.Model{Name: "n", Window: 8000}}
		o.Target.Share, e.Model, e.Ask = .4, strategy.Model{Name: "m", Prompt: "short", Substitute: &second}, replies(notes.Reply{}, errGone)
	}},
	{"notes-truncate", list(&strategy.Summarize, &strategy.Truncate), func(o *strategy.Options, e *strategy.Env) {
		o.Target.Share, e.Model, e.Ask = .4, strategy.Model{Name: "m", Fallback: strategy.FallbackTruncate}, replies(notes.Reply{}, errGone)
	}},
	{"notes-planned", list(&strategy.Summarize), func(o *strategy.Options, e *strategy.Env) {
		usd := func(in, out int) *float64 { v := float64(in+out) / 1e5; return &v }
		o.Target.Share, e.Ask = .4, replies(wellWritten, nil)
		e.Model = strategy.Model{Name: "m", DryRun: true, Window: 6000, Price: usd, NoRedact: true, Focus: "tests"}
	}},
}

// TestOutcomesOfTools checks what preparations and options about tools and messages leave of each fixture.
// A change of a rule shows in testdata/tools.txt by the fixtures that it concerns, and -update rewrites it.
func TestOutcomesOfTools(t *testing.T) { freeze(t, "testdata/tools.txt", toolSettings) }

// TestOutcomesOfStrategies checks what each strategy leaves of each fixture, in testdata/strategies.txt.
func TestOutcomesOfStrategies(t *testing.T) { freeze(t, "testdata/strategies.txt", strategySettings) }

// TestOutcomesOfPipelines checks what pipelines, triggers and models leave of each fixture, in
// testdata/pipelines.txt.
func TestOutcomesOfPipelines(t *testing.T) { freeze(t, "testdata/pipelines.txt", pipelineSettings) }

// freeze compares the outcomes of settings with those in a file.
func freeze(t *testing.T, file string, settings []setting) {
	t.Helper()
	head := []string{"conversation"}
	for _, s := range settings {
		head = append(head, s.name)
	}
	rows := [][]string{head}
	for name, c := range examples(t) {
		row := []string{name}
		for _, s := range settings {
			o, env := strategy.Defaults(), strategy.Env{Tokens: func(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 }}
			s.set(&o, &env)
			r, err := strategy.Run(t.Context(), c, s.stages, &o, env)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, s.name, err)
			}
			texts := []string{told(r), content(r.Conv)}
			after := r.After
			r.Undo("it was asked for")
			row = append(row, fmt.Sprintf("%d:%s", after, transcripttest.Sum(append(texts, told(r), content(r.Conv))...)))
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, file, *update, rows)
}

// examples yields the conversations of the fixtures, invented ones, and random ones.
func examples(t *testing.T) func(func(string, *transcript.Conversation) bool) {
	return func(yield func(string, *transcript.Conversation) bool) {
		for name, src := range transcripttest.Fixtures(t, "../testdata") {
			f, err := format.Decode(src, "")
			if err != nil || len(f.Convs) == 0 {
				continue
			}
			if !yield(name, f.Convs[len(f.Convs)/2]) {
				return
			}
		}
		for seed := range int64(3) {
			if !yield(fmt.Sprint("invented-", seed), inventedSession(seed, 8)) {
				return
			}
		}
		for seed := range uint64(8) {
			if !yield(fmt.Sprint("mixed-", seed), mixedSession(t, seed)) {
				return
			}
		}
		for seed := range uint64(30) {
			r := rand.New(rand.NewPCG(seed, 5))
			if !yield(fmt.Sprint("random-", seed), strategy.RandomConversation(r)) || !yield(fmt.Sprint("late-", seed), strategy.LateConversation(r)) {
				return
			}
		}
	}
}

// TestOutcomesOfOptions checks what random options leave of mixed and of random conversations, in
// testdata/options.txt. Each row has the sums of 20 runs.
func TestOutcomesOfOptions(t *testing.T) {
	stages := append(list(&strategy.Dedupe, &strategy.Mask, &strategy.Smart), strategy.All...)
	rows := [][]string{{"runs", "tokens"}}
	for row := range uint64(40) {
		sum, all := 0, ""
		for seed := 20 * row; seed < 20*row+20; seed++ {
			r := rand.New(rand.NewPCG(seed, 23))
			c := strategy.RandomConversation(r)
			if seed%4 == 0 {
				c = mixedSession(t, seed)
			}
			o, env := strategy.RandomOptions(r), strategy.Env{Tokens: func(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 }}
			chosen := list(stages[r.IntN(len(stages))])
			if r.IntN(3) == 0 && !o.Hide {
				chosen = append(chosen, stages[r.IntN(len(stages))])
			}
			if o.Hide && !strings.Contains("truncate summarize", chosen[0].Name) {
				chosen = list(&strategy.Truncate)
			}
			more(r, &o, &env)
			res, err := strategy.Run(t.Context(), c, chosen, &o, env)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			sum += res.After
			all += told(res) + content(res.Conv)
		}
		rows = append(rows, []string{fmt.Sprint(20*row, "-", 20*row+19), fmt.Sprintf("%d:%s", sum, transcripttest.Sum(all))})
	}
	transcripttest.Frozen(t, "testdata/options.txt", *update, rows)
}

// TestOutcomesOfGlobs checks which patterns are refused and what others match, in testdata/globs.txt: of all patterns of
// up to three characters with a meaning, and of random longer ones.
func TestOutcomesOfGlobs(t *testing.T) {
	const meaning = "a*?[]{},/!^-.\\"
	names := strings.Fields("a b aa ab a,b a/b a/a b/a/a /a /a/b a.a .a a- ! ^a ] { a\\a \\ bash Read read_file src/a.go /home/a/src/main.go a/ aé é")
	rows := [][]string{{"patterns", "outcome"}}
	add := func(name string, patterns []string) {
		taken, all := 0, ""
		for _, pattern := range patterns {
			var g strategy.Glob
			if err := g.UnmarshalText([]byte(pattern)); err != nil {
				all += err.Error() + "\n"
				continue
			}
			taken++
			for _, name := range names {
				all += fmt.Sprint(g.Name(name), g.Path(name), " ")
			}
		}
		rows = append(rows, []string{name, fmt.Sprintf("%d:%s", taken, transcripttest.Sum(all))})
	}
	for _, first := range meaning {
		var patterns []string
		for _, second := range meaning {
			patterns = append(patterns, string(first), string([]rune{first, second}))
			for _, third := range meaning {
				patterns = append(patterns, string([]rune{first, second, third}))
			}
		}
		add(string(first)+"-", patterns)
	}
	r := rand.New(rand.NewPCG(1, 31))
	for _, length := range []int{4, 5, 6, 8, 12, 30} {
		var patterns []string
		for range 400 {
			pattern := make([]byte, length)
			for i := range pattern {
				pattern[i] = meaning[r.IntN(len(meaning))]
				if r.IntN(2) == 0 {
					pattern[i] = "a*b/"[r.IntN(4)]
				}
			}
			patterns = append(patterns, string(pattern))
		}
		add(fmt.Sprint("random-", length), append(patterns, strings.Repeat("{a,b}", length), strings.Repeat("**/", length)+"a"))
	}
	add("common", []string{"**/*.go", "src/**", "{Read,Write}", "mcp__*__search", "[Rr]ead*", "[!a-c]*", "*.{go,md}", "/home/**/main.go", "**", "[z-a]", "[a-", "{a,{b,c}}/d", ""})
	transcripttest.Frozen(t, "testdata/globs.txt", *update, rows)
}

// more sets options that RandomOptions leaves out.
func more(r *rand.Rand, o *strategy.Options, env *strategy.Env) {
	switch r.IntN(12) {
	case 0:
		o.Window, o.Trigger = 100*(1+r.IntN(60)), strategy.Trigger{Reserve: r.IntN(300), Threshold: .05 + .95*r.Float64(), MinGap: r.IntN(4)}
	case 1:
		o.Trigger.MinTokens, o.Trigger.MinGain.Tokens, o.Trigger.MinStageGain.Tokens = r.IntN(500), r.IntN(300), r.IntN(100)
	case 2:
		o.Thinking = []strategy.Thinking{strategy.ThinkingDrop, strategy.ThinkingDropOld, strategy.ThinkingKeep}[r.IntN(3)]
	case 3:
		o.Images = strategy.Images{Limited: true, Last: r.IntN(3)}
	case 4:
		o.Layout, o.Target.Share = []strategy.Layout{strategy.LayoutKeep, strategy.LayoutFresh, strategy.LayoutFork}[r.IntN(3)], .1+.5*r.Float64()
	case 5:
		if !o.Hide {
			env.IDs, o.Target.Share = func(id, _ string) bool { return id[0] == '7' }, .1+.8*r.Float64()
		}
	case 6:
		o.ProtectTools, o.ProtectPaths = globs("R*"), globs("**/*.go", "src/**")
	case 7:
		o.Only = globs("B*", "Read")
	case 8:
		o.Protect, o.Pin = []*regexp.Regexp{regexp.MustCompile(`(?i)error|line 2`)}, []*regexp.Regexp{regexp.MustCompile(`moon`)}
	case 9:
		o.Messages, o.Stay = strategy.Range{First: r.IntN(5), Last: 5 + r.IntN(20)}, []int{2, 3, 5, 8}
	case 10:
		o.DropHidden, o.FreezePrefix, o.UnpinLast = !o.Hide, r.IntN(6), r.IntN(2) == 0
	}
}
