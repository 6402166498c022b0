package strategy

import (
	"fmt"
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// training holds the state of a run with [Options].Training.
type training struct {
	conv *transcript.Conversation
	// quoted holds, for each block that may change, the pieces of its text that a later
	// label repeats.
	quoted map[transcript.Ref][]string
}

// newTraining returns nil unless the run is for training.
func newTraining(c *transcript.Conversation, o *Options) *training {
	if !o.Training {
		return nil
	}
	return &training{conv: c, quoted: quotedLater(c)}
}

// pin raises the pins of a conversation. Blocks that must not change are verbatim. The
// others are present, so that rows keep their messages, and get the pin lines if they
// have a piece that a label repeats.
func (t *training) pin(pins *pinMap, lines transcript.Pin) {
	if t == nil {
		return
	}
	for ref, b := range t.conv.Blocks() {
		pin := transcript.Verbatim
		if unlearned(t.conv.Message(ref.Msg), b) {
			pin = transcript.Present
			if len(t.quoted[ref]) > 0 {
				pin = max(pin, lines)
			}
		}
		pins.raise(ref, pin)
	}
}

// unlearned reports whether a block may change in a training set: results of tools,
// text that clients added, and text of the model without weight.
func unlearned(m *transcript.Message, b *transcript.Block) bool {
	switch {
	case m.Learned(), m.Role == transcript.System, b.Origin == transcript.Typed:
		return false
	case b.Kind == transcript.ToolResult:
		return true
	case b.Kind == transcript.Text:
		return b.Origin == transcript.Injected || b.Origin == transcript.ByModel
	}
	return false
}

// quotes returns the pieces that stay of the blocks of c, by block; nil without any.
func (t *training) quotes(c *transcript.Conversation) map[*transcript.Block][]string {
	if t == nil {
		return nil
	}
	of := make(map[*transcript.Block][]string, len(t.quoted))
	for ref, texts := range t.quoted {
		if b := c.Block(ref); b != nil {
			of[b] = texts
		}
	}
	return of
}

// held returns the pieces of a text that the user protects, or that a label of a
// training set repeats.
func (in *Input) held(b *transcript.Block, text *squeeze.Text) []int {
	pieces := held(in.Opts, b, text)
	for _, quote := range in.quotes[b] {
		if at := strings.Index(text.Source, quote); at >= 0 {
			pieces = append(pieces, piecesIn(text, at, at+len(quote))...)
		}
	}
	return pieces
}

// whyUnfit returns the reason why the row of a training set is left alone, or "" when it
// is within the budget.
func (r *Result) whyUnfit(o *Options) string {
	if !o.Training || r.Reached() {
		return ""
	}
	return fmt.Sprintf("the row does not fit: %s of its %s tokens would be left, more than the target of %s",
		transcript.Number(r.After), transcript.Number(r.Before), transcript.Number(r.Budget))
}

// Unfit reports whether the conversation is a row of a training set that is left alone
// because it cannot be brought to its budget.
func (r *Result) Unfit() bool { return r.Decision.Rule == RuleUnfit }
