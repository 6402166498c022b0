package condense

import (
	"context"
	"fmt"
	"slices"

	"condense/transcript/format"
	"condense/transcript/rules"
)

// maxTries bounds how often a source is encoded in search of the conversations at
// fault, so that the work grows with the source alone. It is enough to find six of
// a million. What is not found by then is left alone.
const maxTries = 128

// encode writes the decided state to memory. A conversation whose change would break
// a promise is left alone.
func (r *run) encode(ctx context.Context) error {
	r.out = r.src
	rest := r.session != "" || len(r.cleaned) > 0 // besides the conversations
	if len(r.changed) > 0 {
		if err := r.add(ctx, r.changed); err != nil {
			return err
		}
	}
	if rest && len(r.good) == 0 {
		return r.add(ctx, nil)
	}
	return nil
}

// add encodes the changes of more conversations, besides those of r.good. If that
// breaks a promise, it finds the conversations at fault: those that the check names,
// or else by halves.
func (r *run) add(ctx context.Context, more []int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t, err := r.try(append(slices.Clip(r.good), more...))
	if err == nil {
		r.good, r.out = t.list, t.out
		for i := range r.convs {
			r.convs[i].Final = t.file.Convs[i]
		}
		return nil
	}
	r.tries++
	var rest []int
	for _, i := range more {
		if t.broken[i] == nil {
			rest = append(rest, i)
		} else if err := r.fail(ctx, i, &RefusedError{t.broken[i]}); err != nil {
			return err
		}
	}
	switch n, named := len(rest), len(rest) < len(more); {
	case len(more) == 0:
		return &RefusedError{err}
	case n == 0:
		return nil
	case r.tries >= maxTries || n == 1 && !named:
		return r.failAll(ctx, rest, &RefusedError{err})
	case named:
		return r.add(ctx, rest)
	default:
		if err := r.add(ctx, rest[:n/2]); err != nil {
			return err
		}
		return r.add(ctx, rest[n/2:])
	}
}

func (r *run) failAll(ctx context.Context, list []int, err error) error {
	for _, i := range list {
		if err := r.fail(ctx, i, err); err != nil {
			return err
		}
	}
	return nil
}

// trial is an output that is not approved yet.
type trial struct {
	list   []int // the conversations that change in it
	out    []byte
	file   *format.File  // out, decoded again
	broken map[int]error // conversations that break a promise
}

// try encodes the changes of the listed conversations and asks whether the output
// keeps the promises. Where the check knows which conversations do not, it says so.
func (r *run) try(list []int) (trial, error) {
	t := trial{list: list, broken: map[int]error{}}
	final := slices.Clone(r.file.Convs)
	for _, i := range list {
		final[i] = r.convs[i].Result.Conv
	}
	var err error
	if t.out, err = r.file.Bytes(final); err != nil {
		return t, err
	}
	var differs []error
	if t.file, differs, err = r.file.Compare(final, t.out); err != nil {
		return t, err
	}
	for i, d := range differs {
		t.note(i, d, &err)
	}
	if err != nil {
		return t, err
	}
	if len(t.out) > len(r.src) && !r.o.Hide && r.session == "" {
		return t, fmt.Errorf("it is larger than the input: %d bytes, not %d", len(t.out), len(r.src))
	}
	for _, i := range list {
		t.note(i, r.worse(i, t.file), &err)
	}
	return t, err
}

// note takes in what is wrong with a conversation, nil for nothing; first keeps the
// first of these.
func (t *trial) note(i int, wrong error, first *error) {
	if wrong == nil {
		return
	}
	t.broken[i] = wrong
	if *first == nil {
		*first = wrong
	}
}

// worse reports how conversation i of an output is worse than what it was: it breaks
// a rule that it kept, or has more tokens. Nil: it is not.
func (r *run) worse(i int, out *format.File) error {
	was, is := r.convs[i].Result, out.Convs[i]
	if added := rules.New(was.Faults, rules.Check(is)); len(added) > 0 {
		return fmt.Errorf("it would be invalid: %s", added[0])
	}
	if after, _ := was.Measure(is); after > was.Before {
		return fmt.Errorf("it has more tokens than the input: %d, not %d", after, was.Before)
	}
	return nil
}
