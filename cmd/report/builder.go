package report

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"

	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/strategy/condense"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/token"
)

// A Builder holds what the report of a run is built from.
type Builder struct {
	Outcome *condense.Outcome
	Counter *token.Counter // which counted all tokens
	Millis  [][]float64    // duration of each stage of each conversation

	Tag     bool // set if messages were hidden by tags, not removed
	Explain bool // set to list the blocks that are kept, and to count lines
	Turns   bool // set to list every message, for an HTML page
	Measure bool // set to measure retention
	Labels  bool // set to compare what a model learns from a training set
}

// Report returns a report that lacks only what the command adds: names, options and notes. All
// numbers after the run are counted on the decoded output, never taken from a strategy.
func (f *Builder) Report() *Report {
	c := f.Outcome
	r := &Report{Version: ReportVersion, Condense: CondenseVersion(), Format: c.File.Dialect.Name, Changed: c.Changed, CutOff: c.File.CutOff()}
	for _, x := range c.File.Faults {
		r.Faults = append(r.Faults, Fault{Line: x.Line, Text: x.Text})
	}
	r.Conversations = slices.Grow(r.Conversations, len(c.Conversations)) // a file can have very many
	var left retain.Retention
	var same reasons
	for i, one := range c.Conversations {
		if same.add(one.Result); one.Result == nil {
			continue
		}
		conv := f.conversation(i)
		if c.Changed && f.Measure && !one.Dropped {
			kept := retain.Of(c.File.Convs[i], one.Final)
			conv.Retained = NewRetained(kept)
			left.Add(kept)
		}
		r.Conversations = append(r.Conversations, conv)
		r.Tokens.Before += conv.Tokens.Before
		r.Tokens.After += conv.Tokens.After
		r.Framing.Before += conv.Framing.Before
		r.Framing.After += conv.Framing.After
		r.Messages.Before += conv.Messages.Before
		r.Messages.After += conv.Messages.After
	}
	switch {
	case !c.Changed:
		r.Unchanged = same.String()
	case f.Measure:
		r.Retained = NewRetained(&left)
	}
	if f.Labels {
		r.Labels = labels(c)
	}
	r.Tokenizer = TokenizerOf(f.Counter)
	r.Tokenizer.Flat = flatMedia(c, f.Counter)
	return r
}

// conversation returns the entry of conversation i of the file. It must be one of those selected.
func (f *Builder) conversation(i int) Conversation {
	one := f.Outcome.Conversations[i]
	conv := newConversation(one.Result, one.Final, f.Tag, f.Explain, f.Counter)
	conv.Number = i + 1
	if conv.Dropped = one.Dropped; conv.Dropped {
		conv.Kept = nil
	}
	if one.Err != nil {
		conv.Failed = WhyLeft(one.Err)
	}
	measure(conv.Stages, one.Result.Stages, f.Millis[i])
	untag(&conv, i, f.Outcome.Prepared)
	if f.Turns {
		conv.Turns = turns(one.Result, one.Final)
	}
	return conv
}

// flatMedia counts the media of the output that are estimated at a flat number of tokens.
func flatMedia(c *condense.Outcome, counter *token.Counter) (n int) {
	for _, conv := range c.Conversations {
		if conv.Result == nil {
			continue
		}
		for _, b := range conv.Final.Blocks() {
			for _, p := range b.Parts {
				if p.Media != nil && counter.Flat(p.Media) {
					n++
				}
			}
		}
	}
	return n
}

// newConversation compares a conversation before and after the run.
func newConversation(r *strategy.Result, after *transcript.Conversation, tag, explain bool, counter *token.Counter) Conversation {
	before := r.From
	tokensBefore, kindsBefore := r.Measure(before)
	tokensAfter, kindsAfter := r.Measure(after)
	measured, counted := counter.Last(before, tokensBefore)
	c := Conversation{
		Framing: Change{Before: counter.Framing(before), After: counter.Framing(after)},
		Usage:   Usage{Measured: measured, Counted: counted},
		ID:      before.ID, Budget: r.Budget, Raised: r.Raised, Reached: r.Budget == 0 || tokensAfter <= r.Budget,
		Tokens:   Change{Before: tokensBefore, After: tokensAfter},
		Messages: Change{Before: visible(before), After: visible(after)},
		Hidden:   len(after.Messages) - visible(after),
		Decision: newDecision(&r.Decision),
	}
	for i, k := range kindsBefore {
		if k.Tokens > 0 || kindsAfter[i].Tokens > 0 {
			c.Kinds = append(c.Kinds, Kind{Name: k.Kind, Tokens: Change{Before: k.Tokens, After: kindsAfter[i].Tokens}})
		}
	}
	for _, s := range r.Stages {
		skipped := s.Skipped
		if !r.Decision.Act && skipped == r.Decision.Why { // the decision reports this reason once
			skipped = "the conversation is left alone"
		}
		c.Stages = append(c.Stages, Stage{
			Name: s.Name, Tokens: Change{Before: s.Before, After: s.After},
			Edits: len(s.Edits), Refused: s.Refused, Refusals: s.Refusals, Failed: s.Failed, Skipped: skipped, Planned: s.Planned, Fallback: s.Fallback,
		})
	}
	for _, f := range r.Floor {
		c.Floor = append(c.Floor, Floor{What: f.What, Tokens: f.Tokens})
	}
	for _, f := range r.Faults {
		c.Faults = append(c.Faults, Fault{Message: before.Position(f.At.Msg) + 1, Rule: f.Rule, Text: f.Message})
	}
	c.UnitsRemoved = unitsRemoved(before, r.Conv)
	if tag {
		c.UnitsRemoved, c.UnitsHidden = 0, c.UnitsRemoved
		was := len(before.Messages) - visible(before)
		c.Hidden, c.NewlyHidden = was, c.Hidden-was
	}
	c.Edits, c.Kept = Edits(r, tag, explain)
	if len(c.Edits) > 0 {
		c.FirstChanged = c.Edits[0].Message
	}
	c.Cache = newCache(before, after, c.Tokens, counter)
	return c
}

// measure adds metrics to stages: duration, saved tokens, and questions to a model.
func measure(stages []Stage, of []strategy.Stage, millis []float64) {
	for i := range stages {
		s := &stages[i]
		s.Metrics = &Metrics{Milliseconds: millis[i], Saved: s.Tokens.Before - s.Tokens.After}
		if asked := of[i].Asked; asked != nil {
			s.Metrics.Cost = asked.Cost
			s.Metrics.Asked = &Asked{
				Questions: asked.Calls, Cached: asked.Cached, In: asked.In, Out: asked.Out,
				Redacted: asked.Redacted, Removed: asked.Removed, Notes: asked.Remarks,
			}
		}
	}
}

// visible counts the messages of the effective view.
func visible(c *transcript.Conversation) (n int) {
	for range c.Visible() {
		n++
	}
	return n
}

// unitsRemoved counts the units that were removed as a whole.
func unitsRemoved(before, after *transcript.Conversation) (n int) {
	for _, u := range before.Units() {
		left := false
		for _, id := range u.Msgs {
			left = left || after.Message(id) != nil
		}
		if !left {
			n++
		}
	}
	return n
}

// WhyLeft returns the reason why a conversation was left as it was. It omits the prefix of a
// [condense.RefusedError], which speaks of the whole output.
func WhyLeft(err error) string {
	var refused *condense.RefusedError
	if errors.As(err, &refused) {
		return refused.Reason()
	}
	return err.Error()
}

// newDecision returns nil when no trigger was set.
func newDecision(d *strategy.Decision) *Decision {
	if d.Rule == "" {
		return nil
	}
	return &Decision{
		Rule: string(d.Rule), Act: d.Act, Why: d.Why, Tokens: d.Tokens,
		Window: d.Window, Reserve: d.Reserve, Allowed: d.Allowed, Threshold: math.Round(d.Threshold*1e14) / 1e12, // 7, not 7.000000000000001
	}
}

// TokenizerOf describes how a Counter counts.
func TokenizerOf(c *token.Counter) Tokenizer {
	scale := c.Scale()
	window, _ := c.Window()
	return Tokenizer{
		Name: c.Name(), Model: c.Model(), Named: c.Named(), Method: scale.Method, Factor: scale.Factor, Band: math.Round(scale.Band*1e4) / 100, Source: scale.Source,
		Window: window,
	}
}

// turns lists the messages of the effective view before and after the run, in order. An inserted
// message stands behind the message that it follows. The argument after is the decoded output. It
// has the same messages as r.Conv, except for records without content.
func turns(r *strategy.Result, after *transcript.Conversation) (list []Turn) {
	const start = -1
	written := slices.DeleteFunc(slices.Collect(after.Visible()), isEmpty)
	left := map[int]int{} // tokens of the messages after the run
	inserted, behind := map[int][]Turn{}, start
	for m := range r.Conv.Visible() {
		tokens := 0
		if len(written) > 0 && !isEmpty(m) {
			tokens, written = tokensOf(r, written[0]), written[1:]
		}
		if r.From.Message(m.ID) != nil {
			behind, left[m.ID] = m.ID, tokens
		} else {
			inserted[behind] = append(inserted[behind], newTurn(r, 0, m, Change{After: tokens}))
		}
	}
	list = append(list, inserted[start]...)
	for i, m := range r.From.Messages {
		if !m.Hidden {
			list = append(list, newTurn(r, i+1, m, Change{Before: tokensOf(r, m), After: left[m.ID]}))
		}
		list = append(list, inserted[m.ID]...)
	}
	return list
}

// newTurn returns the entry of one message for the timeline.
func newTurn(r *strategy.Result, number int, m *transcript.Message, tokens Change) Turn {
	return Turn{Message: number, Role: m.Role.String(), Kind: breakdown.KindOf(m, r.Tokens), Tokens: tokens}
}

// tokensOf counts the tokens of a message.
func tokensOf(r *strategy.Result, m *transcript.Message) (n int) {
	for _, b := range m.Blocks {
		n += r.Tokens(b)
	}
	return n
}

func isEmpty(m *transcript.Message) bool { return len(m.Blocks) == 0 }

// maxReasons limits the reasons on one line.
const maxReasons = 4

// reasons collects why nothing changed: the reasons of the decisions and the stages. Those that differ
// only in numbers are one. A stage that left its work to later stages has no reason of its own.
type reasons struct {
	list []reason
	at   map[string]int // index in list by the reason without its numbers
	any  bool           // a conversation has messages
}

// A reason is the first of several that differ only in numbers.
type reason struct {
	text          string
	conversations int
	differ        bool // set if one has other numbers
}

// numbers matches a number of a reason.
var numbers = regexp.MustCompile(`[0-9][0-9,.]*`)

// add adds the reasons of one conversation; r is nil if it was not selected.
func (n *reasons) add(r *strategy.Result) {
	if r == nil || visible(r.From) == 0 {
		return
	}
	n.any = true
	if n.at == nil {
		n.at = map[string]int{}
	}
	var seen []int
	for _, why := range reasonsOf(r) {
		kind := numbers.ReplaceAllString(why, "0")
		i, known := n.at[kind]
		if !known {
			i = len(n.list)
			n.at[kind] = i
			n.list = append(n.list, reason{text: why})
		}
		if n.list[i].differ = n.list[i].differ || n.list[i].text != why; !slices.Contains(seen, i) {
			seen = append(seen, i)
			n.list[i].conversations++
		}
	}
}

func (n *reasons) String() string {
	switch {
	case n.any && n.list == nil:
		return "what there was to condense failed"
	case !n.any:
		return "there are no messages in it"
	}
	var list []string
	for i, r := range n.list {
		if i == maxReasons {
			list = append(list, "and "+transcript.Plural(len(n.list)-i, "more reason"))
			break
		}
		switch others := r.conversations - 1; {
		case others > 0 && r.differ:
			r.text += " (the first of " + transcript.Number(r.conversations) + " such conversations)"
		case others > 0 && len(n.list) > 1:
			r.text += " (" + transcript.Number(r.conversations) + " conversations)"
		}
		list = append(list, r.text)
	}
	return strings.Join(list, "; ")
}

// reasonsOf returns the reasons of one conversation.
func reasonsOf(r *strategy.Result) (reasons []string) {
	if !r.Decision.Act {
		return []string{r.Decision.Why}
	}
	for _, s := range r.Stages {
		if !s.Left {
			reasons = append(reasons, s.Skipped)
		}
	}
	return reasons
}

// newCache returns the effect of condensing on a prompt that a provider has cached, or nil when
// no tokens are saved.
func newCache(before, after *transcript.Conversation, tokens Change, counter *token.Counter) *Cache {
	if tokens.After >= tokens.Before {
		return nil
	}
	prefix := UnchangedPrefix(before, after, counter)
	return &Cache{Prefix: prefix, BreakEven: BreakEven(tokens, prefix)}
}

// UnchangedPrefix counts the tokens of the effective view up to the first message that differs
// before and after.
func UnchangedPrefix(before, after *transcript.Conversation, counter *token.Counter) (tokens int) {
	old, now := slices.Collect(before.Visible()), slices.Collect(after.Visible())
	for i := range min(len(old), len(now)) {
		if old[i].Role != now[i].Role || !slices.EqualFunc(old[i].Blocks, now[i].Blocks, sameBlock) {
			break
		}
		for _, b := range old[i].Blocks {
			tokens += counter.Block(b)
		}
	}
	return tokens
}

// sameBlock reports whether two blocks are the same to a model.
func sameBlock(a, b *transcript.Block) bool {
	return a.Kind == b.Kind && a.Call == b.Call && a.Tool == b.Tool && a.Opaque == b.Opaque &&
		slices.EqualFunc(a.Parts, b.Parts, func(p, q transcript.Part) bool {
			return p.Name == q.Name && p.Text == q.Text && (p.Media == nil) == (q.Media == nil) && (p.Media == nil || *p.Media == *q.Media)
		})
}

// BreakEven returns after how many turns, rounded up to a tenth, a shorter prompt has paid for
// being written to the cache once more. It returns 0 when the first turn already costs less, or when
// nothing is saved. The first turn writes what follows the prefix and reads less; each turn then saves
// reading what was removed:
//
//	(1.25·(new − prefix) + 0.1·prefix − 0.1·old) / (0.1·(old − new))
//
// Writing costs 1.25 times and reading 0.1 times the price of input, as Anthropic charges for a
// cache of five minutes. The sums are integers, so that every machine computes the same.
func BreakEven(tokens Change, prefix int) float64 {
	more := 125*(tokens.After-prefix) + 10*prefix - 10*tokens.Before
	saved := tokens.Before - tokens.After // in a tenth of a turn, in hundredths of the price
	if more <= 0 || saved <= 0 {
		return 0
	}
	return float64((more+saved-1)/saved) / 10
}

// A Brief builds a report of sums. It lists only the conversations that failed, and the first that is
// over its budget. A file can be added in chunks.
type Brief struct {
	report Report
	same   reasons
	missed bool // a conversation over its budget is listed
}

// Add adds the outcome of the next chunk.
func (f *Brief) Add(chunk *condense.Outcome) {
	r := &f.report
	r.Format, r.Changed, r.CutOff = chunk.File.Dialect.Name, r.Changed || chunk.Changed, chunk.File.CutOff()
	for _, x := range chunk.File.Faults {
		r.Faults = append(r.Faults, Fault{Line: x.Line, Text: x.Text})
	}
	for i := range chunk.Conversations {
		one := &chunk.Conversations[i]
		if one.Result == nil {
			continue
		}
		after, _ := one.Result.Measure(one.Final)
		r.Count++
		r.Tokens.Before += one.Result.Before
		r.Tokens.After += after
		f.same.add(one.Result)
		c := Conversation{
			ID: one.Result.From.ID, Number: r.Count, Budget: one.Result.Budget, Reached: one.Result.Budget == 0 || after <= one.Result.Budget,
			Tokens: Change{Before: one.Result.Before, After: after}, Dropped: one.Dropped, Decision: newDecision(&one.Result.Decision),
		}
		if one.Err != nil {
			c.Failed = WhyLeft(one.Err)
		}
		if c.Failed != "" || !c.Reached && !f.missed {
			r.Conversations = append(r.Conversations, c)
			f.missed = f.missed || !c.Reached
		}
	}
}

// Report returns the report of all chunks. It lacks what [Builder.Report] lacks, and the measures
// of the messages.
func (f *Brief) Report(counter *token.Counter) *Report {
	r := f.report
	r.Version, r.Condense, r.Tokenizer = ReportVersion, CondenseVersion(), TokenizerOf(counter)
	if !r.Changed {
		r.Unchanged = f.same.String()
	}
	return &r
}

// Len returns the number of conversations of the file that were selected.
func (r *Report) Len() int { return max(r.Count, len(r.Conversations)) }

// Fallback returns why the first stage that was to ask a model ran without it, or "".
func (r *Report) Fallback() string {
	for i := range r.Conversations {
		for _, s := range r.Conversations[i].Stages {
			if s.Fallback != "" {
				return s.Fallback
			}
		}
	}
	return ""
}
