package format

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// flaw is something wrong that only the bytes show.
type flaw struct {
	rules.Finding
	// mend are the edits of the source that put it right, and why says what they
	// do; none when it is only reported.
	mend []rawjson.Edit
	why  string
	// known: the rules find it in the conversation themselves; only the mend is ours.
	known bool
}

// Target is the profile of who reads such files.
func (d *Dialect) Target() *rules.Profile {
	if d.target == nil {
		return &rules.Any
	}
	return d.target
}

// Check lists what is wrong by the rules of a profile, with conversation,
// message and line: first what is about the file, then conversation by
// conversation, in order.
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
	return found
}

// flaws is what the dialect's lint finds of the rules of a profile.
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

// Line returns the line of the file, from 1, in which a message or block of
// conversation conv begins; 0 when it is not of the file.
func (f *File) Line(conv int, at transcript.Ref) int {
	if offset, ok := f.offset(conv, at); ok {
		return f.lineAt(offset)
	}
	return 0
}

// offset is where a block begins, or its message.
func (f *File) offset(conv int, at transcript.Ref) (int, bool) {
	l := f.layouts[conv]
	if at.Msg < 0 || at.Msg >= len(l.Messages) {
		return 0, false
	}
	m := l.Messages[at.Msg]
	if at.Block >= 0 && at.Block < len(m.Blocks) {
		b := m.Blocks[at.Block]
		if len(b.Slots) > 0 {
			return l.Span(b.Slots[0]).Start, true
		}
		if len(b.Parts) > 0 {
			return b.Parts[0].Lit.Start, true
		}
	}
	if len(m.Records) > 0 {
		return l.Span(m.Records[0]).Start, true
	}
	return 0, false
}

// lineAt is the number of the line, from 1, that holds the byte at an offset.
func (f *File) lineAt(offset int) int {
	if f.starts == nil {
		f.starts = []int{0}
		for at := 0; ; {
			n := bytes.IndexByte(f.src[at:], '\n')
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

// flaw makes a flaw of a rule at an offset of the source.
func (f *File) flaw(r *rules.Rule, offset int, message string) flaw {
	conv, at := f.owner(offset)
	found := r.Of(at, message)
	found.Conv, found.Offset, found.Line = conv, offset, f.lineAt(offset)
	return flaw{Finding: found}
}

// mended is the flaw with the edits that put it right.
func (x flaw) mended(why string, edits ...rawjson.Edit) flaw {
	x.why, x.mend = why, edits
	return x
}

// eachRecord scans the records of every conversation again and calls each for
// those that are JSON. v is valid only during the call.
func (f *File) eachRecord(each func(conv, record int, v rawjson.Value)) {
	var doc rawjson.Doc
	for i, l := range f.layouts {
		for r, span := range l.RecordSpans() {
			if !isBlank(f.src, span) && doc.ScanAll(f.src, span.Start, span.End) == nil {
				each(i, r, doc.Root())
			}
		}
	}
}

// lintLines finds lines that are not JSON objects. A last line that was cut off
// can go: what it would have said is not there.
func lintLines(f *File, r *rules.Rule) []flaw {
	var found []flaw
	for _, fault := range f.Faults {
		if fault.Line == 0 {
			continue
		}
		x := f.flaw(r, fault.Offset, strings.Replace(fault.Text, ", copied as it is", "", 1))
		if f.torn(fault.Offset) {
			x = x.mended("a torn last line", rawjson.Edit{Span: rawjson.Span{Start: fault.Offset, End: len(f.src)}})
		}
		found = append(found, x)
	}
	return found
}

// torn reports whether the line at an offset is the last one and was cut off.
func (f *File) torn(offset int) bool {
	line := f.src[offset:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 && rawjson.SkipSpace(line, end) < len(line) {
		return false
	}
	var doc rawjson.Doc
	_, err := doc.Scan(f.src, offset, len(bytes.TrimRight(f.src, " \r\n\t")))
	return truncated(err)
}
