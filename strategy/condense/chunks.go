package condense

import (
	"context"
	"errors"
	"slices"

	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

// Chunks condenses a source chunk by chunk, so that memory holds the conversations of one chunk
// at a time. It calls visit with the outcome of each chunk, in order. Output and results are
// those of the whole source.
//
// Chunks returns nil without an error if the source must be condensed as a whole: with
// Select, SessionID, DropRows, MaxBytes, Ask or IDs, or because a conversation failed or its
// result depends on others. Its other error is that of ctx.
func (c *Condenser) Chunks(ctx context.Context, chunks *format.Chunks, visit func(*Outcome)) (out []byte, err error) {
	one := *c
	o := &one.o
	if o.Select != "" || o.SessionID != "" || o.DropRows || o.MaxBytes > 0 || o.Ask != nil || o.IDs != nil {
		return nil, nil
	}
	if c.table != nil {
		if o.Counter, err = named(c.table, chunks); err != nil {
			return nil, nil
		}
		one.table = nil
	}
	out = make([]byte, 0, chunks.Len())
	o.Format, o.Strict = chunks.Dialect().Name, true // Reads checks the format of the whole output
	err = chunks.Each(func(p *format.Chunk) error {
		outcome, err := one.once(ctx, p.File, nil, true)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(outcome.Conversations, givenUp) {
			return errWhole
		}
		visit(outcome)
		out = p.Append(out, outcome.Out)
		return nil
	})
	if err != nil {
		return nil, ctx.Err()
	}
	out = append(out, chunks.Tail()...)
	if !chunks.Reads(out) {
		return nil, nil
	}
	return out, nil
}

// errWhole is the error for a chunk whose result may differ from that in the whole source.
var errWhole = errors.New("the source must be condensed as a whole")

// givenUp reports whether the edits of a conversation were undone because the output could not
// be used. In the whole source, others might make up for them.
func givenUp(c Conversation) bool {
	return c.Result != nil && c.Result.Decision.Rule == strategy.RuleOutput
}

// named returns the counter for the model that the conversations of all chunks name; nil if they
// name none.
func named(table token.Models, chunks *format.Chunks) (*token.Counter, error) {
	n := token.Newest{Models: table}
	if err := chunks.Conversations(n.Add); err != nil {
		return nil, err
	}
	counter, _, err := n.Counter()
	return counter, err
}
