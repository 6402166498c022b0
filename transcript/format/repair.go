package format

import (
	"cmp"
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

// maxRepairs is the number of passes after which a repair is given up.
const maxRepairs = 6

// Repaired is a file whose findings are corrected, as far as possible.
type Repaired struct {
	Out    []byte
	File   *File // Out, decoded again
	Mended []Mended
}

// Mended is a corrected finding.
type Mended struct {
	rules.Finding        // its line and offset are those of the source
	Message       int    // number of the message in the conversation, from 1; 0 when the finding is about none
	Why           string // the correction, such as "a torn last line"
}

// Repair corrects the findings of [File.Check] by the same profile, as far as possible.
// It first corrects bytes by the lint of the dialect, then conversations by edits, and
// repeats both until nothing is left to correct. All other bytes stay. After an error,
// the result must not be used.
func (f *File) Repair(p *rules.Profile) (*Repaired, error) {
	r := &repair{p: p, src: f, now: f}
	for range maxRepairs {
		before := len(r.mended)
		if err := r.bytes(); err != nil {
			return nil, err
		}
		if err := r.messages(); err != nil {
			return nil, err
		}
		if len(r.mended) == before {
			return &Repaired{Out: r.now.Source(), File: r.now, Mended: r.mended}, r.check()
		}
	}
	return nil, fmt.Errorf("the repair does not end after %d passes", maxRepairs)
}

// Prepare corrects the findings that must be corrected before a file is condensed, in the
// chosen conversations: chosen[i] is for Convs[i]. It returns the corrected file and the
// corrections; without any, it returns f. The conversations stay equal. After an error,
// the result must not be used.
func (f *File) Prepare(chosen []bool) (*File, []Mended, error) {
	r := &repair{src: f, now: f}
	for f.Dialect.prepare != nil {
		edits := r.mends(slices.DeleteFunc(f.Dialect.prepare(r.now), func(x flaw) bool { return !chosen[x.Conv] }))
		if len(edits) == 0 {
			break
		}
		out, err := r.now.apply(edits)
		if err != nil {
			return nil, nil, err
		}
		again, err := f.Verify(f.Convs, out)
		if err != nil {
			return nil, nil, err
		}
		r.advance(edits, again)
	}
	return r.now, r.mended, nil
}

type repair struct {
	p      *rules.Profile
	src    *File // before the repair
	now    *File // so far
	steps  [][]rawjson.Edit
	mended []Mended
}

// bytes corrects the findings of the dialect's lint.
func (r *repair) bytes() error {
	edits := r.mends(append(r.now.flaws(r.p), r.now.imageFlaws(r.p)...))
	if len(edits) == 0 {
		return nil
	}
	out, err := r.now.apply(edits)
	if err != nil {
		return err
	}
	again, err := r.now.Reread(out)
	if err != nil {
		return fmt.Errorf("the output does not decode: %w", err)
	}
	if len(again.Convs) != len(r.now.Convs) {
		return fmt.Errorf("the output has %d conversations, expected %d", len(again.Convs), len(r.now.Convs))
	}
	for i, c := range again.Convs {
		if visibleCount(c) < visibleCount(r.now.Convs[i]) {
			return fmt.Errorf("the repair would hide messages of conversation %d", i+1)
		}
	}
	r.advance(edits, again)
	return nil
}

// mends notes the flaws that have a repair, and returns its edits.
func (r *repair) mends(flaws []flaw) (edits []rawjson.Edit) {
	var taken spanSet
	for _, x := range flaws {
		if len(x.mend) == 0 || slices.ContainsFunc(x.mend, taken.touch) {
			continue // the next pass finds it again
		}
		for _, e := range x.mend {
			taken.add(e.Span)
		}
		edits = append(edits, x.mend...)
		r.note(x.Finding, x.why)
	}
	return edits
}

// messages corrects the findings that edits of conversations can correct.
func (r *repair) messages() error {
	final := slices.Clone(r.now.Convs)
	all := make([][]rules.Mended, len(final))
	for i, c := range r.now.Convs {
		final[i], all[i] = rules.Repair(r.p, c, r.src.Dialect.answers, r.removable(i))
	}
	again, err := r.written(final)
	if err != nil {
		again, err = r.repairSingly(final, all)
	}
	if err != nil {
		return err
	}
	before := len(r.mended)
	for i, mended := range all {
		for k, m := range mended {
			if k > 0 && m.Edit.Group == mended[k-1].Edit.Group && m.Finding == mended[k-1].Finding {
				continue // one correction that consists of several edits
			}
			m.Conv = i
			m.Offset, _ = r.now.offset(i, m.At)
			r.note(m.Finding, m.Edit.Why)
		}
	}
	if len(r.mended) > before {
		r.advance(r.now.lower(final), again)
	}
	return nil
}

// removable returns a function that reports whether the content of a finding can be
// removed. Content that is only emptied, such as that beside calls, would be decoded as
// an empty text. A message that shares its place with others would be decoded again
// unchanged.
func (r *repair) removable(i int) func(rules.Finding) bool {
	l := r.now.layouts[i]
	return func(f rules.Finding) bool {
		if !l.Has(f.At.Msg) {
			return true
		}
		records, blocks := l.Records(f.At.Msg), l.Blocks(f.At.Msg)
		if f.At.Block < 0 || f.At.Block >= blocks {
			return len(records) > 0 || blocks > 0
		}
		b := l.Block(f.At.Msg, f.At.Block)
		if blocks > 1 && slices.ContainsFunc(b.Parts, func(p splice.Place) bool {
			return string(l.Src[p.Lit.Start:p.Lit.End]) == `""` && slices.Contains(records, p.Slot)
		}) {
			return false // already empty, in a record that stays for other blocks
		}
		return !slices.ContainsFunc(b.Slots, func(s int) bool { return l.IsEmptied(s) })
	}
}

// written encodes a state and decodes it again.
func (r *repair) written(final []*transcript.Conversation) (*File, error) {
	out, err := r.now.Bytes(final)
	if err != nil {
		return nil, err
	}
	return r.now.Verify(final, out)
}

// repairSingly corrects one finding after another and leaves out the corrections that
// cannot be written. For example, to drop one of two lines with the same id would change
// the other line. It stores the results in final and all.
func (r *repair) repairSingly(final []*transcript.Conversation, all [][]rules.Mended) (again *File, err error) {
	wanted := slices.Clone(all)
	copy(final, r.now.Convs)
	for i, c := range r.now.Convs {
		allowed := map[rules.Finding]bool{}
		best := c
		all[i] = nil
		for _, w := range wanted[i] {
			if allowed[w.Finding] {
				continue
			}
			allowed[w.Finding] = true
			removable := r.removable(i)
			next, mended := rules.Repair(r.p, c, r.src.Dialect.answers, func(f rules.Finding) bool { return allowed[f] && removable(f) })
			final[i] = next
			if _, err := r.written(final); err != nil {
				delete(allowed, w.Finding)
				continue
			}
			best, all[i] = next, mended
		}
		final[i] = best
	}
	return r.written(final)
}

// note adds a correction, with its place in the source.
func (r *repair) note(found rules.Finding, why string) {
	m := Mended{Finding: found, Why: rules.Cut(why), Message: r.now.Convs[found.Conv].Position(found.At.Msg) + 1}
	for _, edits := range slices.Backward(r.steps) {
		m.Offset = cameFrom(edits, m.Offset)
	}
	m.Line, m.Offset = r.src.lineAt(m.Offset), r.src.outside(m.Offset)
	r.mended = append(r.mended, m)
}

// advance makes the result of edits the current state.
func (r *repair) advance(edits []rawjson.Edit, now *File) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b rawjson.Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	r.steps = append(r.steps, edits)
	r.now = now
}

// check returns an error when the result breaks a rule that the source kept.
func (r *repair) check() error {
	if added := r.now.NewErrors(r.p, r.src); len(added) > 0 {
		return fmt.Errorf("the result would break another rule: %s", added[0])
	}
	return nil
}

// cameFrom returns the offset in the source for an offset in the result of edits. The
// edits are in order.
func cameFrom(edits []rawjson.Edit, at int) int {
	shift := 0
	for _, e := range edits {
		start := e.Start + shift
		if at < start {
			break
		}
		if at < start+len(e.New) {
			return e.Start
		}
		shift += len(e.New) - e.Len()
	}
	return at - shift
}

// spanSet is a set of spans that do not overlap, in order.
type spanSet []rawjson.Span

// touch reports whether an edit overlaps one of the spans, or is adjacent to it.
func (s spanSet) touch(e rawjson.Edit) bool {
	i := s.behind(e.Start)
	return i < len(s) && s[i].Start <= e.End
}

func (s *spanSet) add(span rawjson.Span) { *s = slices.Insert(*s, s.behind(span.Start), span) }

// behind returns the index of the first span that ends at or after an offset.
func (s spanSet) behind(offset int) int {
	i, _ := slices.BinarySearchFunc(s, offset, func(x rawjson.Span, offset int) int { return cmp.Compare(x.End, offset) })
	return i
}

// shown returns the number of messages in the effective view.
func visibleCount(c *transcript.Conversation) (n int) {
	for range c.Visible() {
		n++
	}
	return n
}
