package format

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// place is the address of a block in a file.
type place struct {
	conv int
	at   transcript.Ref
}

// PairByPosition sets the wrong ids of results to those of the calls in front of them, where
// [rules.Facing] finds exactly one of each. It returns the corrected file and the findings
// of the profile that this corrects; without any, it returns f. Only ids change. After an
// error, the result must not be used.
func (f *File) PairByPosition(p *rules.Profile) (*File, []Mended, error) {
	r := &repair{p: p, src: f, now: f}
	var edits []rawjson.Edit
	facing := make([][]rules.Pair, len(f.Convs))
	found := map[place]rules.Finding{}
	for _, x := range f.Check(p) {
		found[place{x.Conv, x.At}] = x
	}
	for i, c := range f.Convs {
		for _, pair := range rules.Facing(c) {
			x, ok := found[place{i, pair.Result}]
			if !ok {
				x, ok = found[place{i, pair.Call}]
			}
			ids := f.ids(i, pair.Result)
			if !ok || len(ids) == 0 {
				continue
			}
			for _, id := range ids {
				edits = append(edits, rawjson.Edit{Span: id, New: rawjson.Style{}.Quote(c.Block(pair.Call).Call)})
			}
			facing[i] = append(facing[i], pair)
			r.note(x, "given the id of the only call in front of it")
		}
	}
	if len(edits) == 0 {
		return f, nil, nil
	}
	out, err := f.apply(edits)
	if err != nil {
		return nil, nil, err
	}
	again, err := f.Reread(out)
	if err != nil {
		return nil, nil, fmt.Errorf("the output does not decode: %w", err)
	}
	if len(again.Convs) != len(f.Convs) {
		return nil, nil, fmt.Errorf("the output has %d conversations, expected %d", len(again.Convs), len(f.Convs))
	}
	for i, pairs := range facing {
		if err := checkPaired(f.Convs[i], again.Convs[i], pairs); err != nil {
			return nil, nil, fmt.Errorf("pairing by position: conversation %d: %w", i+1, err)
		}
	}
	return again, r.mended, nil
}

// ids returns the literals of the id of a result: the values of members in its element that
// are named as ids are.
func (f *File) ids(conv int, ref transcript.Ref) (ids []rawjson.Span) {
	l, id := f.layouts[conv], f.Convs[conv].Block(ref).Call
	slots := l.Block(ref.Msg, ref.Block).Slots
	if len(slots) == 0 {
		slots = l.Records(ref.Msg)
	}
	if len(slots) == 0 {
		return nil
	}
	span := l.Span(slots[0])
	var doc rawjson.Doc
	if doc.ScanAll(f.src, span.Start, span.End) != nil {
		return nil
	}
	var walk func(v rawjson.Value)
	walk = func(v rawjson.Value) {
		for key, member := range v.Members() {
			if member.Is(id) && strings.HasSuffix(strings.ToLower(key.Str()), "id") {
				ids = append(ids, member.Span())
			}
			walk(member)
		}
		for e := range v.Elems() {
			walk(e)
		}
	}
	walk(doc.Root())
	return ids
}

// checkPaired returns an error unless the pairs are calls with their results now, and nothing
// else has changed.
func checkPaired(was, is *transcript.Conversation, pairs []rules.Pair) error {
	for _, p := range pairs {
		if result, ok := is.Partner(p.Call); !ok || result != p.Result {
			return fmt.Errorf("the result at %s does not belong to the call at %s then", p.Result, p.Call)
		}
	}
	same := slices.EqualFunc(was.Messages, is.Messages, func(a, b *transcript.Message) bool {
		return a.Role == b.Role && a.Hidden == b.Hidden && slices.EqualFunc(a.Blocks, b.Blocks, func(a, b *transcript.Block) bool {
			return a.Kind == b.Kind && slices.EqualFunc(a.Parts, b.Parts, equalParts)
		})
	})
	if !same {
		return fmt.Errorf("other content would change")
	}
	return nil
}
