package format

import (
	"cmp"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// ownership says of the bytes from an offset on, up to the next ownership, which
// message they lie in: a finding may be anywhere in the source, and there can be as
// many as messages.
type ownership struct {
	from, conv int
	at         transcript.Ref
}

// owner is the message that lies around an offset, as a finding tells it: the first
// of several in one record.
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

// findOwners lists who owns what, from offset 0 on. Records lie in each other or
// apart, never across, so the open ones are a stack.
func (f *File) findOwners() []ownership {
	type record struct {
		rawjson.Span
		owner ownership
	}
	var records []record
	for conv, l := range f.layouts {
		for msg, m := range l.Messages {
			for _, s := range m.Records {
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
		if len(open) > 0 { // of records in each other, that of the first message counts
			r.owner = earlier(open[len(open)-1].owner, r.owner)
		}
		owned(r.Start, r.owner)
		open = append(open, r)
	}
	closeTo(len(f.src))
	return list
}

// earlier is the one whose message comes first in the file's conversations.
func earlier(a, b ownership) ownership {
	if cmp.Or(cmp.Compare(a.conv, b.conv), cmp.Compare(a.at.Msg, b.at.Msg)) <= 0 {
		return a
	}
	return b
}
