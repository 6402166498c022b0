package cmd

import (
	"slices"
	"strings"

	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/token"
)

// newReport puts together what a run did. Counts after the run are taken from
// the output as it was decoded again, never from what a strategy said.
func newReport(in *source.Input, o *runOptions, c *condensed, counter *token.Counter) *ui.Report {
	r := &ui.Report{
		Version: ui.ReportVersion, Condense: version(), Input: in.Name, Format: c.file.Dialect.Name,
		Strategy: o.pipeline.String(), Target: o.strategy.Target.String(), DryRun: o.dryRun, Changed: c.changed,
		Bytes: ui.Change{Before: c.file.Len(), After: len(c.out)},
	}
	if o.strategy.Fraction > 0 {
		r.Notes = append(r.Notes, "--fraction implies --unpin user: what the user typed may go with its message")
	}
	if c.session != "" {
		r.Notes = append(r.Notes, "the session is "+c.session+" now; resume it from its project's folder with: claude --resume "+c.session)
	}
	if in.Encoding != nil {
		r.Notes = append(r.Notes, "the file is compressed with "+in.Encoding.Name+", and so is what is written; bytes are those of the transcript in it")
	}
	for _, f := range c.file.Faults {
		r.Faults = append(r.Faults, ui.Fault{Line: f.Line, Text: f.Text})
	}
	var left retain.Retention
	for i, result := range c.results {
		if result == nil {
			continue
		}
		conv := newConversation(c.file.Convs[i], result, c.final[i], counter)
		if c.changed {
			one := retain.Of(c.file.Convs[i], c.final[i])
			conv.Retained = newRetained(one)
			left.Add(one)
		}
		r.Conversations = append(r.Conversations, conv)
		r.Tokens.Before += conv.Tokens.Before
		r.Tokens.After += conv.Tokens.After
		r.Messages.Before += conv.Messages.Before
		r.Messages.After += conv.Messages.After
	}
	if c.changed {
		r.Retained = newRetained(&left)
	} else {
		r.Unchanged = whyUnchanged(r)
	}
	r.Tokenizer = ui.Tokenizer{
		Name: counter.Name(), Model: counter.Model(), Method: counter.Method(), Approximate: counter.Approximate(),
	}
	return r
}

// whyUnchanged is what the stages said, each reason once.
func whyUnchanged(r *ui.Report) string {
	var reasons []string
	for _, c := range r.Conversations {
		if c.Messages.Before == 0 {
			continue
		}
		for _, s := range c.Stages {
			if !slices.Contains(reasons, s.Skipped) {
				reasons = append(reasons, s.Skipped)
			}
		}
	}
	if reasons == nil {
		return "there are no messages in it"
	}
	return strings.Join(reasons, "; ")
}

func newConversation(before *transcript.Conversation, r *strategy.Result, after *transcript.Conversation, counter *token.Counter) ui.Conversation {
	tokensBefore, kindsBefore := strategy.Measure(before, counter.Block)
	tokensAfter, kindsAfter := strategy.Measure(after, counter.Block)
	c := ui.Conversation{
		ID: before.ID, Budget: r.Budget, Reached: r.Budget == 0 || tokensAfter <= r.Budget,
		Tokens:   ui.Change{Before: tokensBefore, After: tokensAfter},
		Messages: ui.Change{Before: visible(before), After: visible(after)},
		Hidden:   len(after.Messages) - visible(after),
	}
	for i, k := range kindsBefore {
		if k.Tokens > 0 || kindsAfter[i].Tokens > 0 {
			c.Kinds = append(c.Kinds, ui.Kind{Name: k.Kind, Tokens: ui.Change{Before: k.Tokens, After: kindsAfter[i].Tokens}})
		}
	}
	for _, s := range r.Stages {
		c.Stages = append(c.Stages, ui.Stage{
			Name: s.Name, Tokens: ui.Change{Before: s.Before, After: s.After},
			Edits: len(s.Edits), Refused: s.Refused, Skipped: s.Skipped,
		})
	}
	for _, f := range r.Floor {
		c.Floor = append(c.Floor, ui.Floor{What: f.What, Tokens: f.Tokens})
	}
	for _, f := range r.Faults {
		c.Faults = append(c.Faults, ui.Fault{Message: before.Position(f.At.Msg) + 1, Rule: f.Rule, Text: f.Message})
	}
	c.UnitsRemoved = unitsRemoved(before, r.Conv)
	c.Edits = edits(before, r, counter)
	if len(c.Edits) > 0 {
		c.FirstChanged = c.Edits[0].Message
	}
	return c
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

// edits lists what became of each block, once, with the reason of the last
// stage that touched it; in the order of the conversation.
func edits(before *transcript.Conversation, r *strategy.Result, counter *token.Counter) []ui.Edit {
	type cause struct{ stage, why string }
	causes := map[transcript.Ref]cause{}
	for _, s := range r.Stages {
		for _, e := range s.Edits {
			at := e.At
			at.Part = transcript.Whole
			causes[at] = cause{s.Name, e.Why}
		}
	}
	var list []ui.Edit
	for i, m := range before.Messages {
		for j, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			by, ok := causes[ref]
			if !ok {
				by, ok = causes[transcript.At(m.ID)]
			}
			if !ok {
				continue
			}
			e := ui.Edit{
				Message: i + 1, Block: j + 1, Stage: by.stage, Why: by.why, Op: transcript.Drop.String(),
				What: what(before, ref, b), Before: b.Text(), Tokens: ui.Change{Before: counter.Block(b)},
			}
			if now := r.Conv.Block(ref); now != nil {
				e.Op, e.After, e.Tokens.After = transcript.Rewrite.String(), now.Text(), counter.Block(now)
			}
			list = append(list, e)
		}
	}
	return list
}

// what names a block for people: its kind, and the tool and its subject.
func what(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) string {
	name := b.Kind.String()
	if b.Kind == transcript.Text {
		name = c.Message(ref.Msg).Role.String() + " text"
	}
	if label := strategy.Label(c, ref); label != "" {
		name += " " + label
	}
	return name
}
