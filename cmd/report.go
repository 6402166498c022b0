package cmd

import (
	"condense/cmd/report"
	"condense/cmd/source"
	"condense/strategy"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/token"
)

// newReport puts together what a run did. Counts after the run are taken from
// the output as it was decoded again, never from what a strategy said.
func newReport(in *source.Input, o *runOptions, c *condensed) *report.Report {
	counter := c.counter
	r := &report.Report{
		Version: report.ReportVersion, Condense: version(), Input: in.Name, Format: c.File.Dialect.Name,
		Strategy: o.pipeline.String(), Target: o.strategy.Target.String(), DryRun: o.dryRun, Changed: c.Changed,
		Bytes: report.Change{Before: len(in.Data), After: len(c.Out)}, Notes: c.notes,
	}
	if o.strategy.Fraction > 0 {
		r.Notes = append(r.Notes, "--fraction implies --unpin user: what the user typed may go with its message")
	}
	r.Notes = append(r.Notes, leftNotes(c.Outcome)...)
	r.Notes = append(r.Notes, strategyNotes(c)...)
	r.Notes = append(r.Notes, triggerNotes(&o.strategy)...)
	if c.SessionID != "" {
		r.Notes = append(r.Notes, "the session is "+c.SessionID+" now; resume it from its project's folder with: claude --resume "+c.SessionID)
	}
	r.Notes = append(r.Notes, packingNotes(in.Encoding, packing(in, &o.outputOptions))...)
	for _, f := range c.File.Faults {
		r.Faults = append(r.Faults, report.Fault{Line: f.Line, Text: f.Text})
	}
	var left retain.Retention
	for i, one := range c.Conversations {
		result := one.Result
		if result == nil {
			continue
		}
		conv := newConversation(result, one.Final, o, counter)
		conv.Number = i + 1
		if one.Err != nil {
			conv.Failed = whyLeft(one.Err)
		}
		measure(conv.Stages, result.Stages, c.millis[i])
		untag(&conv, i, c.Prepared)
		if o.reportFormat == "html" {
			conv.Turns = turns(result, one.Final)
		}
		if c.Changed && o.measures() {
			kept := retain.Of(c.File.Convs[i], one.Final)
			conv.Retained = newRetained(kept)
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
		r.Unchanged = whyUnchanged(c.results())
	case o.measures():
		r.Retained = newRetained(&left)
	}
	r.Tokenizer = tokenizerOf(counter)
	r.Tokenizer.Flat = flatMedia(c, counter)
	return r
}

// packingNotes say how the file and what is written are compressed, where either is.
func packingNotes(from, to *source.Encoding) []string {
	const bytes = "; bytes are those of the transcript in it"
	switch {
	case from != nil && from == to:
		return []string{"the file is compressed with " + from.Name + ", and so is what is written" + bytes}
	case from != nil:
		return []string{"the file is compressed with " + from.Name + ", and what is written with " + to.Name + ", by its name" + bytes}
	case to != nil:
		return []string{"what is written is compressed with " + to.Name + ", by its name" + bytes}
	}
	return nil
}

// strategyNotes are what the runs say of options that had no effect, with the
// conversation where there are several, and what --tags took away.
func strategyNotes(c *condensed) (notes []string) {
	dropped := false
	for _, r := range c.results() {
		if r == nil {
			continue
		}
		for _, n := range r.Notes {
			if len(c.Conversations) > 1 {
				n = "conversation " + r.From.ID + ": " + n
			}
			notes = append(notes, n)
		}
		for _, s := range r.Stages {
			dropped = dropped || s.Name == strategy.TagsStage && len(s.Edits) > 0
		}
	}
	if dropped {
		notes = append(notes, "--tags: what stood between <drop> tags is gone, the user's own words with it")
	}
	return notes
}

// flatMedia counts the media in what is left whose tokens are not known.
func flatMedia(c *condensed, counter *token.Counter) (n int) {
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

// newConversation compares a conversation with what became of it.
func newConversation(r *strategy.Result, after *transcript.Conversation, o *runOptions, counter *token.Counter) report.Conversation {
	before := r.From
	tokensBefore, kindsBefore := r.Measure(before)
	tokensAfter, kindsAfter := r.Measure(after)
	measured, counted := counter.Last(before, tokensBefore)
	c := report.Conversation{
		Framing: report.Change{Before: counter.Framing(before), After: counter.Framing(after)},
		Usage:   report.Usage{Measured: measured, Counted: counted},
		ID:      before.ID, Budget: r.Budget, Raised: r.Raised, Reached: r.Budget == 0 || tokensAfter <= r.Budget,
		Tokens:   report.Change{Before: tokensBefore, After: tokensAfter},
		Messages: report.Change{Before: visible(before), After: visible(after)},
		Hidden:   len(after.Messages) - visible(after),
		Decision: newDecision(&r.Decision),
	}
	for i, k := range kindsBefore {
		if k.Tokens > 0 || kindsAfter[i].Tokens > 0 {
			c.Kinds = append(c.Kinds, report.Kind{Name: k.Kind, Tokens: report.Change{Before: k.Tokens, After: kindsAfter[i].Tokens}})
		}
	}
	for _, s := range r.Stages {
		skipped := s.Skipped
		if !r.Decision.Act && skipped == r.Decision.Why { // which is said once, not for each stage
			skipped = "the conversation is left alone"
		}
		c.Stages = append(c.Stages, report.Stage{
			Name: s.Name, Tokens: report.Change{Before: s.Before, After: s.After},
			Edits: len(s.Edits), Refused: s.Refused, Refusals: s.Refusals, Failed: s.Failed, Skipped: skipped, Planned: s.Planned, Fallback: s.Fallback,
		})
	}
	for _, f := range r.Floor {
		c.Floor = append(c.Floor, report.Floor{What: f.What, Tokens: f.Tokens})
	}
	for _, f := range r.Faults {
		c.Faults = append(c.Faults, report.Fault{Message: before.Position(f.At.Msg) + 1, Rule: f.Rule, Text: f.Message})
	}
	c.UnitsRemoved = unitsRemoved(before, r.Conv)
	if o.tag {
		c.UnitsRemoved, c.UnitsHidden = 0, c.UnitsRemoved
		was := len(before.Messages) - visible(before)
		c.Hidden, c.NewlyHidden = was, c.Hidden-was
	}
	c.Edits, c.Kept = edits(r, o.tag, o.explain)
	if len(c.Edits) > 0 {
		c.FirstChanged = c.Edits[0].Message
	}
	c.Cache = newCache(before, after, c.Tokens, counter)
	return c
}

// measure adds to stages how long they took, what they saved and what they asked.
func measure(stages []report.Stage, of []strategy.Stage, millis []float64) {
	for i := range stages {
		s := &stages[i]
		s.Metrics = &report.Metrics{Milliseconds: millis[i], Saved: s.Tokens.Before - s.Tokens.After}
		if asked := of[i].Asked; asked != nil {
			s.Metrics.Cost = asked.Cost
			s.Metrics.Asked = &report.Asked{
				Questions: asked.Calls, Cached: asked.Cached, In: asked.In, Out: asked.Out,
				Redacted: asked.Redacted, Removed: asked.Removed, Notes: asked.Remarks,
			}
		}
	}
}

func visible(c *transcript.Conversation) (n int) {
	for range c.Visible() {
		n++
	}
	return n
}

// unitsRemoved counts the units of which nothing is left.
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
