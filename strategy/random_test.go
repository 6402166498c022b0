package strategy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// TestRunAnyConversation checks that runs on random conversations end without an error and
// keep their promises. The conversations have calls without results, results without
// calls, late results, and duplicate ids.
func TestRunAnyConversation(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		c, o := randomConversation(r), randomOptions(r)
		stages := [][]*Strategy{Hybrid, {&Dedupe}, {&Mask}, {&Truncate}, {&Progressive}, {&Truncate, &Mask, &Dedupe},
			{&Dedupe, &shortener}, {&Dedupe, &shortener, &Truncate}, {&Dedupe, &Mask}, {&Dedupe, &Progressive}}[r.IntN(10)]
		if len(stages) > 1 { // messages are hidden by truncate alone
			o.Hide = false
		}
		checkRun(t, c, o, stages)
		if t.Failed() {
			t.Fatalf("seed %d: %+v\n%s", seed, o, outline(c))
		}
	}
}

// TestRunLateResults checks that runs on conversations whose parallel calls stand in messages
// of their own and are answered later add no finding of any profile. APIs refuse some of
// these conversations before the run.
func TestRunLateResults(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := lateConversation(r)
		o := Options{KeepRounds: r.IntN(3), Target: Target{Tokens: 1 + r.IntN(200)}}
		switch r.IntN(5) {
		case 0:
			o.Only = globs(t, "Read")
		case 1:
			o.Pin = patterns("line 5")
		case 2:
			o.KeepFirst, o.KeepLast = r.IntN(9), r.IntN(9)
		}
		for _, s := range append(All, &Strategy{Name: HybridName, Layers: Hybrid}) {
			after := run(t, c, o, s).Conv
			for _, p := range rules.Profiles {
				for _, f := range rules.New(rules.CheckFor(p, c), rules.CheckFor(p, after)) {
					if f.Severity == rules.Error && p != &rules.StrictAlternation {
						t.Fatalf("seed %d, %s: %s\n%s\n%s", seed, s.Name, f, show(c), show(after))
					}
				}
			}
		}
	}
}

// lateConversation returns turns of calls in messages of their own, and of their results in
// any order.
func lateConversation(r *rand.Rand) *transcript.Conversation {
	list := msgs(user("do it"))
	for turn := range 1 + r.IntN(4) {
		ids := make([]string, 1+r.IntN(5))
		for i := range ids {
			ids[i] = fmt.Sprint(turn, ".", i)
			m := model(call(ids[i], []string{"Read", "Bash", "TodoWrite"}[r.IntN(3)], "path="+ids[i]))
			if r.IntN(4) == 0 {
				m.Blocks = append(model(thinking(lines(1)), "I look at it").Blocks[r.IntN(2):], m.Blocks...)
			}
			list = append(list, m)
		}
		if r.IntN(3) == 0 {
			list = append(list, model("waiting for all of these results now"))
		}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		for _, id := range ids[r.IntN(4)/3:] {
			list = append(list, tool(id, lines(1+r.IntN(60))))
		}
		if r.IntN(2) == 0 {
			list = append(list, model("done with it, the value is seven"), user("next"))
		}
	}
	return conv(list...)
}

func checkRun(t *testing.T, c *transcript.Conversation, o Options, stages []*Strategy) {
	t.Helper()
	r, err := Run(t.Context(), c, stages, &o, Env{Tokens: words})
	if err != nil {
		t.Error(err)
		return
	}
	if r.Before != total(c) || r.After != total(r.Conv) || r.After > r.Before {
		t.Errorf("from %d to %d tokens, want %d to %d", r.Before, r.After, total(c), total(r.Conv))
	}
	if added := rules.New(rules.Check(c), rules.Check(r.Conv)); len(added) > 0 {
		t.Errorf("new faults: %v", added)
	}
	sum := 0
	for _, f := range r.Floor {
		sum += f.Tokens
	}
	if sum > r.After || r.Reached() && r.Floor != nil {
		t.Errorf("%d tokens are left, %d of them kept by rule: %v", r.After, sum, r.Floor)
	}
	for ref, b := range c.WithPins(pinsOf(c, &o, transcript.Present).of).Blocks() {
		now := r.Conv.Block(ref)
		switch {
		case o.Tags != "" && b.Origin == transcript.Typed && strings.Contains(b.Text(), "<drop>") && now != nil: // TestDropMarked
		case b.Pin == transcript.Verbatim && (now == nil || now.Text() != b.Text()):
			t.Errorf("%s is pinned verbatim, but was changed", ref)
		case b.Pin == transcript.Present && now == nil:
			t.Errorf("%s is pinned, but was removed", ref)
		}
	}
	if !o.Hide {
		ReferencesHold(t, c, r.Conv)
	}
	if !o.Hide { // a later run knows only the text of references
		less, err := Run(t.Context(), r.Conv, []*Strategy{&Dedupe, &shortener, &Truncate}, &Options{Target: Target{Tokens: 1 + r.After/2}}, Env{Tokens: words})
		if err != nil {
			t.Errorf("a run with a lower target: %v", err)
			return
		}
		ReferencesHold(t, c, less.Conv)
	}
	if o.Fraction == 0 && len(r.Faults) == 0 {
		o.Target = Target{Tokens: r.Budget}
		again, err := Run(t.Context(), r.Conv, stages, &o, Env{Tokens: words})
		if err != nil {
			t.Errorf("a second run: %v", err)
			return
		}
		for _, s := range again.Stages {
			if len(s.Edits) > 0 {
				t.Errorf("a second run changes something: %s: %q", s.Name, showEdits(s.Edits))
			}
		}
	}
}

func randomOptions(r *rand.Rand) Options {
	var o Options
	o.KeepRounds, o.UnpinUser, o.Hide = r.IntN(4), r.IntN(4) == 0, r.IntN(4) == 0
	switch r.IntN(9) {
	case 0:
		o.Fraction = r.Float64()
	case 1:
		o.Target.Share = 0.01 + 0.99*r.Float64()
	case 2:
		o.Target.Tokens = 1 + r.IntN(300)
	case 3:
		o.KeepFirst, o.KeepLast = r.IntN(4), r.IntN(4)
	case 4:
		o.Pin = patterns("line 1")
	case 7:
		o.Caps = []Cap{{must(parseGlob("*")), r.IntN(40)}, {must(parseGlob("B*")), 1 + r.IntN(20)}}
	case 8:
		o.Tags, o.Target.Tokens = TagsAll, 1+r.IntN(300)
	case 5:
		o.Window, o.L1, o.L2, o.L3 = 1+r.IntN(300), r.Float64(), r.Float64(), r.Float64()
		o.Aggression = float64(r.IntN(11)) / 10
	}
	return o
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// generator makes conversations in which results come late, in any order, or never.
type generator struct {
	*rand.Rand
	open []string // ids of calls without a result so far
	next int      // number of the next call
	wild bool     // also results without calls, and duplicate ids
}

func randomConversation(r *rand.Rand) *transcript.Conversation {
	g := generator{Rand: r, wild: r.IntN(3) == 0}
	var list []*transcript.Message
	for range r.IntN(25) {
		by, block := user, g.answer
		switch r.IntN(8) {
		case 0:
			by, block = system, func() *transcript.Block { return injected("be good") }
		case 1, 2, 3, 4:
			by, block = model, g.saying
		}
		var blocks []any
		for range 1 + r.IntN(3) {
			blocks = append(blocks, block())
		}
		list = append(list, by(blocks...))
	}
	for i := range r.IntN(len(list) + 1) { // as before a compaction
		list[i].Hidden = r.IntN(4) == 0
	}
	return conv(list...)
}

func (g *generator) saying() *transcript.Block {
	switch g.IntN(5) {
	case 0:
		return thinking(lines(1))
	case 1:
		b := text(lines(1 + g.IntN(3)))
		if g.IntN(2) == 0 {
			b = text("Well.\n\n" + paragraph(fmt.Sprint("w", g.IntN(3))) + "\n\n" + paragraph(fmt.Sprint("w", g.IntN(3))))
		}
		b.Origin = transcript.ByModel
		return b
	}
	id := fmt.Sprint(g.next)
	if g.wild {
		id = fmt.Sprint(g.IntN(9))
	}
	g.open = append(g.open, id)
	g.next++
	if g.IntN(4) == 0 {
		return call(id, []string{"TodoWrite", "Bash"}[g.IntN(2)], "command="+lines(1))
	}
	return call(id, "Read", fmt.Sprintf("path=%d.go", g.IntN(3)))
}

func (g *generator) answer() *transcript.Block {
	switch g.IntN(8) {
	case 0:
		return injected([]string{env1, env2, env3, "<system-reminder>be brief and kind and right about it"}[g.IntN(4)])
	case 1:
		return text(g.tagged(lines(1 + g.IntN(3))))
	case 2:
		return summary(lines(1 + g.IntN(3)))
	}
	id := fmt.Sprint(g.IntN(9))
	if !g.wild {
		if len(g.open) == 0 {
			return injected("go on")
		}
		i := g.IntN(len(g.open))
		id = g.open[i]
		g.open = slices.Delete(g.open, i, i+1)
	}
	switch g.IntN(5) {
	case 0:
		return failing(result(id, "no such file\n"+lines(g.IntN(20))))
	case 1:
		return headed(id, "[read_file for 'a.go'] Result:", version(fmt.Sprint(g.IntN(3))))
	}
	if g.IntN(2) == 0 {
		return result(id, g.tagged(g.piecewise()))
	}
	return result(id, strings.Repeat(fmt.Sprint("v", g.IntN(3), " "), 20+g.IntN(2)*60))
}

// tagged sometimes puts tags around a part of a text, or only an opening one before it.
func (g *generator) tagged(text string) string {
	i, j := g.IntN(len(text)+1), g.IntN(len(text)+1)
	if i > j {
		i, j = j, i
	}
	switch g.IntN(9) {
	case 0:
		return text[:i] + "<keep>" + text[i:j] + "</keep>" + text[j:]
	case 1:
		return text[:i] + "<drop>" + text[i:j] + "</drop>" + text[j:]
	case 2:
		return text[:i] + "<drop>" + text[i:]
	}
	return text
}

// piecewise joins pieces of a file, with or without line numbers.
func (g *generator) piecewise() string {
	var s strings.Builder
	for range 1 + g.IntN(4) {
		from, n := 5*g.IntN(6), 3+g.IntN(12)
		text := listing(g.IntN(2), 40)
		if g.IntN(2) == 0 {
			text = source(40)
		}
		s.WriteString(cut(cut(text, from+n, 41, ""), 0, from, fmt.Sprintln("piece", g.IntN(3))))
	}
	return s.String()
}

// outline describes a conversation without its texts.
func outline(c *transcript.Conversation) string {
	var s strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintf(&s, "%d %s %v:", m.ID, m.Role, m.Hidden)
		for _, b := range m.Blocks {
			fmt.Fprintf(&s, " %s(%s %s)", b.Kind, b.Call, b.Origin)
		}
		s.WriteByte('\n')
	}
	return s.String()
}
