package condense

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/format"
)

// An UnfitError reports a training set of which every row would be left out, because none
// fits. There is no output.
type UnfitError struct{ Rows int }

func (e *UnfitError) Error() string {
	if e.Rows == 1 {
		return "the row does not fit within its target, and no other is left"
	}
	return fmt.Sprintf("none of the %s rows fits within its target", transcript.Number(e.Rows))
}

// Rows counts the rows of a training set by what became of them.
type Rows struct{ Fit, Left, Dropped int }

// Rows returns the numbers of conversations that are within their target, that do not fit
// and were left as they are, and that were left out.
func (o *Outcome) Rows() (n Rows) {
	for i := range o.Conversations {
		switch c := &o.Conversations[i]; {
		case c.Result == nil:
		case c.Dropped:
			n.Dropped++
		case c.Result.Unfit(), !c.Result.Reached():
			n.Left++
		default:
			n.Fit++
		}
	}
	return n
}

// dropRows leaves out the rows that do not fit, if the options ask for that. A
// conversation that is not a row of its own stays.
func (r *run) dropRows() error {
	if !r.o.DropRows {
		return nil
	}
	unfit := func(i int) bool { return r.convs[i].Result != nil && r.convs[i].Result.Unfit() }
	n := 0
	for i := range r.convs {
		if unfit(i) {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case len(r.convs):
		return &UnfitError{n}
	}
	f, err := format.Decode(r.out, r.file.Dialect.Name)
	if err != nil {
		return &RefusedError{Err: err}
	}
	out, ok := f.WithoutRows(unfit)
	if !ok {
		return nil
	}
	again, err := format.Decode(out, r.file.Dialect.Name)
	if err == nil && len(again.Convs) != len(r.convs)-n {
		err = fmt.Errorf("%d of %d rows are to be left out, but %d are left", n, len(r.convs), len(again.Convs))
	}
	if err != nil {
		return &RefusedError{Err: err}
	}
	for i := range r.convs {
		if unfit(i) {
			r.convs[i].Dropped, r.convs[i].Final = true, transcript.New(r.convs[i].Final.ID, nil)
		}
	}
	r.out, r.decoded, r.dropped = out, nil, n
	return nil
}
