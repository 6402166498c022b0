package condense

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"condense/transcript/format"
	"condense/transcript/rules"
)

// encode writes the decided state to memory. A conversation whose change would break
// a promise is left as it is.
func (r *run) encode(ctx context.Context) error {
	s := search{
		try:  r.try,
		fail: func(i int, err error) error { return r.fail(ctx, i, &RefusedError{err}) },
	}
	if len(r.changed) > 0 {
		if err := s.add(ctx, r.changed); err != nil {
			return err
		}
	}
	r.good, r.tries = s.good, s.tries
	if len(r.good) == 0 && r.elsewhere() {
		if _, err := r.try(nil); err != nil {
			return &RefusedError{err}
		}
	}
	return nil
}

// try encodes the changes of the listed conversations. If the output keeps the
// promises, it is the output of the run. If not, the error says why, and broken
// holds the conversations at fault, where that shows.
func (r *run) try(list []int) (broken map[int]error, err error) {
	final := slices.Clone(r.file.Convs)
	for _, i := range list {
		final[i] = r.convs[i].Result.Conv
	}
	out, err := r.file.Bytes(final)
	if err != nil {
		return nil, err
	}
	again, differs, err := r.file.Compare(final, out)
	if err != nil {
		return nil, err
	}
	broken = map[int]error{}
	note := func(i int, wrong error) {
		if wrong == nil {
			return
		}
		if broken[i] = wrong; err == nil {
			err = wrong
		}
	}
	for i, wrong := range differs {
		note(i, wrong)
	}
	if err != nil {
		return broken, err
	}
	if len(out) > len(r.src) && !r.o.Hide && r.session == "" {
		return nil, fmt.Errorf("it is larger than the input: %d bytes, not %d", len(out), len(r.src))
	}
	for _, i := range list {
		note(i, r.worse(i, again))
	}
	for _, f := range r.added(again) {
		note(f.Conv, invalid(f))
	}
	if err != nil {
		return broken, err
	}
	r.out = out
	for i := range r.convs {
		r.convs[i].Final = again.Convs[i]
	}
	return nil, nil
}

// worse returns how conversation i of an output is worse than that of the source: it
// breaks a rule that was kept, or has more tokens. Nil means that it is not.
func (r *run) worse(i int, out *format.File) error {
	was, is := r.convs[i].Result, out.Convs[i]
	if added := rules.New(was.Faults, rules.Check(is)); len(added) > 0 {
		return invalid(added[0])
	}
	if after, _ := was.Measure(is); after > was.Before {
		return fmt.Errorf("it has more tokens than the input: %d, not %d", after, was.Before)
	}
	return nil
}

func invalid(f rules.Finding) error { return fmt.Errorf("it would be invalid: %s", f) }

// added returns the errors that the reader of the format would find in an output, and
// not in the source. Numbers in their texts are not compared: offsets change.
func (r *run) added(out *format.File) []rules.Finding {
	reader := r.file.Dialect.Target()
	after := failures(out, reader)
	if len(after) == 0 {
		return nil
	}
	before := map[string]int{}
	for _, f := range failures(r.file, reader) {
		before[kindOf(f)]++
	}
	return slices.DeleteFunc(after, func(f rules.Finding) bool {
		before[kindOf(f)]--
		return before[kindOf(f)] >= 0
	})
}

// failures returns the findings of a file that are errors.
func failures(f *format.File, reader *rules.Profile) []rules.Finding {
	return slices.DeleteFunc(f.Check(reader), func(x rules.Finding) bool { return x.Severity != rules.Error })
}

var digits = regexp.MustCompile(`[0-9]+`)

func kindOf(f rules.Finding) string {
	return fmt.Sprint(f.Conv, " ", f.Rule, " ", digits.ReplaceAllString(f.Message, "0"))
}

// maxTries bounds how often a search tries in vain, so that its work grows with the
// source alone. It is enough to find six culprits among a million, by halves. What is
// not found by then is left out.
const maxTries = 128

// search finds which of many changes can be made together.
type search struct {
	// try makes the changes in a list. If that cannot be, the error says why, and
	// broken holds those at fault, where that shows.
	try func(list []int) (broken map[int]error, err error)
	// fail leaves a change out. An error ends the search.
	fail func(i int, err error) error

	good  []int // can be made together
	tries int   // in vain
}

// add tries more changes besides the good ones. If that fails, it leaves out those at
// fault; where nothing shows which they are, it tries each half.
func (s *search) add(ctx context.Context, more []int) error {
	if err := ctx.Err(); err != nil || len(more) == 0 {
		return err
	}
	list := append(slices.Clip(s.good), more...)
	broken, err := s.try(list)
	if err == nil {
		s.good = list
		return nil
	}
	s.tries++
	var rest []int
	for _, i := range more {
		if broken[i] == nil {
			rest = append(rest, i)
		} else if err := s.fail(i, broken[i]); err != nil {
			return err
		}
	}
	n := len(rest)
	switch shown := n < len(more); {
	case s.tries >= maxTries || n == 1 && !shown:
		for _, i := range rest {
			if err := s.fail(i, err); err != nil {
				return err
			}
		}
		return nil
	case shown:
		return s.add(ctx, rest)
	}
	if err := s.add(ctx, rest[:n/2]); err != nil {
		return err
	}
	return s.add(ctx, rest[n/2:])
}
