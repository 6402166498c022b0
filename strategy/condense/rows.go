package condense

import (
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
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
// conversation that is not a row of its own stays. If detection would find another dialect in
// the rows that are left, the first row that does not fit stays, too: a single line of JSONL
// is a document. If that does not help, no row is left out.
func (r *run) dropRows() error {
	if !r.o.DropRows {
		return nil
	}
	var unfit []int
	for i := range r.convs {
		if result := r.convs[i].Result; result != nil && result.Unfit() {
			unfit = append(unfit, i)
		}
	}
	if len(unfit) == len(r.convs) && len(unfit) > 0 {
		return &UnfitError{len(unfit)}
	}
	for _, rows := range [][]int{unfit, unfit[min(1, len(unfit)):]} {
		if len(rows) == 0 {
			break
		}
		again, err := r.without(rows)
		switch {
		case err == nil && again == nil:
			return nil
		case err != nil, !r.readable(again): // such as rows without messages
			continue
		}
		for _, i := range rows {
			r.convs[i].Dropped, r.convs[i].Final = true, transcript.New(r.convs[i].Final.ID, nil)
		}
		r.out, r.decoded, r.shorter = again.Source(), nil, true
		r.warnings = slices.DeleteFunc(r.warnings, func(f rules.Finding) bool { return r.convs[f.Conv].Dropped })
		return nil
	}
	return nil
}

// without returns the output without some rows, whose indexes ascend, or nil if one of them is not a row of its own.
func (r *run) without(rows []int) (*format.File, error) {
	f, err := r.file.Reread(r.out)
	if err != nil {
		return nil, err
	}
	out, ok := f.WithoutRows(func(i int) bool { _, found := slices.BinarySearch(rows, i); return found })
	if !ok {
		return nil, nil
	}
	again, err := r.file.Reread(out)
	if err == nil && len(again.Convs) != len(r.convs)-len(rows) {
		err = fmt.Errorf("%d of %d rows are to be left out, but %d are left", len(rows), len(r.convs), len(again.Convs))
	}
	return again, err
}
