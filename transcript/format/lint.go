package format

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// flaw is a finding that only the bytes show.
type flaw struct {
	rules.Finding
	// mend are the edits of the source that correct the finding, and why describes them.
	// Without edits it is only reported.
	mend []rawjson.Edit
	why  string
	// known reports whether the rules find it in the conversation, too. Check then ignores
	// it, but Repair uses its edits.
	known bool
}

// Target returns the profile of the program that reads files of the dialect.
func (d *Dialect) Target() *rules.Profile {
	if d.target == nil {
		return &rules.Any
	}
	return d.target
}

// Check returns the findings by the rules of a profile, with conversation, message and line.
// Findings about the file come first, then those of each conversation, in the order of the source.
func (f *File) Check(p *rules.Profile) []rules.Finding {
	var found []rules.Finding
	for _, flaw := range f.flaws(p) {
		if !flaw.known {
			found = append(found, flaw.Finding)
		}
	}
	for i, c := range f.Convs {
		for _, finding := range rules.CheckFor(p, c) {
			finding.Conv = i
			if at, ok := f.offset(i, finding.At); ok {
				finding.Offset = at
			}
			found = append(found, finding)
		}
	}
	for i := range found {
		if found[i].Line == 0 && (found[i].At.Msg != transcript.End || found[i].Offset > 0) {
			found[i].Line = f.lineAt(found[i].Offset)
		}
	}
	slices.SortStableFunc(found, func(a, b rules.Finding) int {
		return cmp.Or(cmp.Compare(a.Conv, b.Conv), cmp.Compare(a.Offset, b.Offset))
	})
	for i := range found {
		found[i].Offset = f.outside(found[i].Offset)
	}
	return found
}

// New returns the findings of [File.Check] that an earlier state of the file does not have, as [rules.New]
// compares them.
func (f *File) New(p *rules.Profile, before *File) []rules.Finding {
	after := f.Check(p)
	if len(after) == 0 {
		return nil
	}
	return rules.New(before.Check(p), after)
}

// NewErrors returns the findings of [File.New] that are errors.
func (f *File) NewErrors(p *rules.Profile, before *File) []rules.Finding {
	return slices.DeleteFunc(f.New(p, before), func(x rules.Finding) bool { return x.Severity != rules.Error })
}

// flaws returns the flaws that the lint of the dialect finds and whose rules belong to a
// profile.
func (f *File) flaws(p *rules.Profile) []flaw {
	var all []flaw
	if f.Dialect.lint != nil {
		all = f.Dialect.lint(f)
	}
	if r := p.Rule(rules.BrokenLine.ID); r != nil {
		all = append(all, lintLines(f, r)...)
	}
	return slices.DeleteFunc(all, func(x flaw) bool { return p.Rule(x.Rule) == nil })
}

// Line returns the line of the file, from 1, in which a message or block of conversation
// conv begins; 0 when that is not in the file.
func (f *File) Line(conv int, at transcript.Ref) int {
	if offset, ok := f.offset(conv, at); ok {
		return f.lineAt(offset)
	}
	return 0
}

// offset returns the offset of a block, or else of its message, and false when neither is
// in the file.
func (f *File) offset(conv int, at transcript.Ref) (int, bool) {
	l := f.layouts[conv]
	if !l.Has(at.Msg) {
		return 0, false
	}
	if at.Block >= 0 && at.Block < l.Blocks(at.Msg) {
		b := l.Block(at.Msg, at.Block)
		if len(b.Slots) > 0 {
			return l.Span(b.Slots[0]).Start, true
		}
		if len(b.Parts) > 0 {
			return b.Parts[0].Lit.Start, true
		}
	}
	if records := l.Records(at.Msg); len(records) > 0 {
		return l.Span(records[0]).Start, true
	}
	return 0, false
}

// lineAt returns the line, from 1, that holds the byte at an offset.
func (f *File) lineAt(offset int) int { return f.lineOf(f.outside(offset)) }

// outside translates an offset in src to the offset in the source.
func (f *File) outside(offset int) int {
	if f.rows == nil {
		return offset
	}
	return f.rows.Offset(offset)
}

// lineOf returns the line, from 1, of the source that holds the byte at an offset.
func (f *File) lineOf(offset int) int {
	if f.starts == nil {
		f.starts = []int{0}
		for at, src := 0, f.Source(); ; {
			n := bytes.IndexByte(src[at:], '\n')
			if n < 0 {
				break
			}
			at += n + 1
			f.starts = append(f.starts, at)
		}
	}
	i, same := slices.BinarySearch(f.starts, offset)
	if same {
		i++
	}
	return i
}

// flaw returns a flaw of a rule at an offset of the source.
func (f *File) flaw(r *rules.Rule, offset int, message string) flaw {
	conv, at := f.owner(offset)
	found := r.Of(at, message)
	found.Conv, found.Offset, found.Line = conv, offset, f.lineAt(offset)
	return flaw{Finding: found}
}

// mended returns the flaw with the edits that correct it.
func (x flaw) mended(why string, edits ...rawjson.Edit) flaw {
	x.why, x.mend = why, edits
	return x
}

// eachRecord scans the records of every conversation again, and calls visit for each
// record that is JSON. v is valid only during the call.
func (f *File) eachRecord(visit func(conv, record int, v rawjson.Value)) {
	var doc rawjson.Doc
	for i, l := range f.layouts {
		for r, span := range l.RecordSpans() {
			if !isBlank(f.src, span) && doc.ScanAll(f.src, span.Start, span.End) == nil {
				visit(i, r, doc.Root())
			}
		}
	}
}

// RepeatedKeys returns a fault for each object in a record of a conversation that has two members of
// one key. Only the last one is read and changed: the others stay as they are.
func (f *File) RepeatedKeys() (found []Fault) {
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		eachRepeated(v, func(key rawjson.Value) {
			at := key.Span().Start
			found = append(found, Fault{Line: f.lineAt(at), Offset: f.outside(at), Text: fmt.Sprintf("an object has two members %.80q; the last one counts", key.Str())})
		})
	})
	return found
}

// eachRepeated calls found for the second of two equal keys in each object of v.
func eachRepeated(v rawjson.Value, found func(key rawjson.Value)) {
	for e := range v.Elems() {
		eachRepeated(e, found)
	}
	seen := map[string]bool{}
	for k, m := range v.Members() {
		key := k.Str()
		if seen[key] {
			found(k)
		}
		seen[key] = true
		eachRepeated(m, found)
	}
}

// lintLines finds lines that are not JSON objects. A truncated last line can be removed,
// because its content is lost.
func lintLines(f *File, r *rules.Rule) []flaw {
	var found []flaw
	faults := f.Faults
	if f.rows != nil {
		faults = faults[:len(f.rows.Broken)] // the others are in strings
	}
	for _, fault := range faults {
		if fault.Line == 0 {
			continue
		}
		at := fault.Offset - f.before.offset
		if f.rows != nil {
			at = f.rows.Inward(at)
		}
		x := f.flaw(r, at, strings.Replace(fault.Text, ", copied as it is", "", 1))
		if f.torn(at) {
			x = x.mended("a torn last line", rawjson.Edit{Span: rawjson.Span{Start: at, End: len(f.src)}})
		}
		found = append(found, x)
	}
	return found
}

// Unlinked describes the first record of conversation i that is not linked to the others as clients link
// them: its id is there twice, or its parent stands behind it. It returns "" if there is none.
func (f *File) Unlinked(i int) string {
	c := f.layouts[i].Chain
	for k, n := range c.Nodes {
		at, known := c.ByID[n.Parent]
		switch {
		case n.ID != "" && c.ByID[n.ID] < k:
			return fmt.Sprintf("the id %.80s is there twice", n.ID)
		case n.Parent != "" && known && at >= k:
			return fmt.Sprintf("the parent %.80s stands behind its child", n.Parent)
		}
	}
	return ""
}

// CutOff reports whether the last line is truncated, as a killed client or a copy that ended too early
// leaves it. [File.Repair] removes such a line.
func (f *File) CutOff() bool {
	if f.rows != nil || len(f.Faults) == 0 {
		return false
	}
	last := f.Faults[len(f.Faults)-1]
	return last.Line > 0 && f.torn(last.Offset)
}

// torn reports whether the line at an offset is the last one and is truncated.
func (f *File) torn(offset int) bool {
	line := f.src[offset:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 && rawjson.SkipSpace(line, end) < len(line) {
		return false
	}
	var doc rawjson.Doc
	_, err := doc.Scan(f.src, offset, len(bytes.TrimRight(f.src, " \r\n\t")))
	return truncated(err)
}

// lintSurrogates finds escapes that are half of a surrogate pair. In JSON, backslashes
// occur only in strings, each in front of the character that it escapes.
func lintSurrogates(f *File) []flaw {
	var found []flaw
	for _, part := range f.parts() {
		src := f.src[:part.End]
		for i := part.Start; i+1 < len(src); i++ {
			if src[i] != '\\' {
				continue
			}
			at, unit := i, escapedUnit(src, i)
			if i++; unit < 0xd800 || unit > 0xdfff {
				continue
			}
			i = at + 5
			if next := escapedUnit(src, at+6); unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff {
				i = at + 11
				continue
			}
			found = append(found, f.flaw(&rules.UTF16WellFormed, at, fmt.Sprintf(`half of a surrogate pair: \u%04x`, unit)))
		}
	}
	return found
}

// escapedUnit returns the UTF-16 unit of an escape \uXXXX at i, or -1 when there is none.
func escapedUnit(src []byte, i int) int64 {
	if i+6 > len(src) || src[i] != '\\' || src[i+1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(src[i+2:i+6]), 16, 16)
	if err != nil {
		return -1
	}
	return int64(unit)
}

// An ownership assigns the bytes from an offset on, up to the next ownership, to a
// message. There may be as many findings as messages, so the list is made once and
// searched for each.
type ownership struct {
	from, conv int
	at         transcript.Ref
}

// owner returns the message that holds the byte at an offset; the first one when several
// share a record.
func (f *File) owner(offset int) (conv int, at transcript.Ref) {
	if f.owners == nil {
		f.owners = f.findOwners()
	}
	i, found := slices.BinarySearchFunc(f.owners, offset, func(o ownership, offset int) int { return cmp.Compare(o.from, offset) })
	if !found {
		i--
	}
	return f.owners[i].conv, f.owners[i].at
}

// findOwners returns the ownerships from offset 0 on. Two records are nested or disjoint,
// so the open ones form a stack.
func (f *File) findOwners() []ownership {
	type record struct {
		rawjson.Span
		owner ownership
	}
	var records []record
	for conv, l := range f.layouts {
		for msg := 0; l.Has(msg); msg++ {
			for _, s := range l.Records(msg) {
				records = append(records, record{l.Span(s), ownership{conv: conv, at: transcript.At(msg)}})
			}
		}
	}
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	nobody := ownership{at: transcript.At(transcript.End)}
	list := []ownership{nobody}
	var open []record
	owned := func(from int, by ownership) {
		by.from = from
		if last := &list[len(list)-1]; last.from == from {
			*last = by
			return
		}
		list = append(list, by)
	}
	closeTo := func(offset int) {
		for len(open) > 0 && open[len(open)-1].End <= offset {
			end := open[len(open)-1].End
			open = open[:len(open)-1]
			if len(open) > 0 {
				owned(end, open[len(open)-1].owner)
			} else {
				owned(end, nobody)
			}
		}
	}
	for _, r := range records {
		closeTo(r.Start)
		if len(open) > 0 { // of nested records, the earlier message is the owner
			r.owner = earlier(open[len(open)-1].owner, r.owner)
		}
		owned(r.Start, r.owner)
		open = append(open, r)
	}
	closeTo(len(f.src))
	return list
}

// earlier returns the ownership whose message comes first in the file.
func earlier(a, b ownership) ownership {
	if cmp.Or(cmp.Compare(a.conv, b.conv), cmp.Compare(a.at.Msg, b.at.Msg)) <= 0 {
		return a
	}
	return b
}

// removeMember returns the edits that remove members from an object, also those that are there twice.
func removeMember(object rawjson.Value, names ...string) []rawjson.Edit {
	var named []bool
	for k := range object.Members() {
		named = append(named, isOneOf(k, names))
	}
	return rawjson.Remove(nil, object.Items(), func(i int) bool { return named[i] })
}

// memberGap returns the bytes between two members of an object: a comma and white space.
func memberGap(src []byte, object rawjson.Value) string {
	items := object.Items()
	if len(items) < 2 {
		return ","
	}
	return string(src[items[0].End:items[1].Start])
}
