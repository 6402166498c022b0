package format

import (
	"fmt"
	"strconv"

	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

// Codex 0.150 and later number the lines of a rollout: each has an ordinal that is higher
// than that of the line before. On resume Codex continues with the ordinal of the last
// line, and refuses a rollout in which that line has none. Its index of the rollout stops
// at an ordinal that is not higher than the one before. Gaps are allowed.

// codexOrdinals holds the ordinals of a rollout.
type codexOrdinals struct {
	numbered bool           // some line has an ordinal
	lines    []codexOrdinal // by record
}

// codexOrdinal is the ordinal of one line.
type codexOrdinal struct {
	value rawjson.Span // the literal; empty when the line has none
	n     int64
}

// read notes the ordinal of line i.
func (o *codexOrdinals) read(i int, v rawjson.Value) {
	for len(o.lines) <= i {
		o.lines = append(o.lines, codexOrdinal{})
	}
	at := v.Get("ordinal")
	if n, ok := at.Int(); ok && at.Kind() == rawjson.Number {
		o.numbered = true
		o.lines[i] = codexOrdinal{at.Span(), n}
	}
}

// place returns the ordinals of the new messages, by index in c.Inserted, and the edits
// that raise the ordinals of later lines where the new ones leave no room. A message
// inside a line has none. The result is nil for a rollout without ordinals.
func (o *codexOrdinals) place(c *splice.Change) (added []int64, edits []rawjson.Edit) {
	if !o.numbered {
		return nil, nil
	}
	added = make([]int64, len(c.Inserted))
	last, next := int64(-1), 0
	insert := func(before int) {
		for ; next < len(c.Inserted) && (c.Nested(next) || c.Inserted[next].Record <= before); next++ {
			if !c.Nested(next) {
				last++
				added[next] = last
			}
		}
	}
	for i, at := range o.lines {
		insert(i)
		switch {
		case c.Gone(i) || at.value.Len() == 0:
		case at.n > last:
			last = at.n
		case next > 0: // a line in front of all new ones keeps a wrong ordinal
			last++
			edits = append(edits, rawjson.Edit{Span: at.value, New: strconv.AppendInt(nil, last, 10)})
		}
	}
	insert(len(o.lines))
	return added, edits
}

// lintOrdinals finds lines of a numbered rollout whose ordinal is not higher than the one
// before, and a last line without an ordinal.
func lintOrdinals(f *File) (found []flaw) {
	numbered, last := false, int64(-1)
	bare := splice.None // where the last line begins, if it is an object without an ordinal
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		bare = splice.None
		at := v.Get("ordinal")
		n, ok := at.Int()
		switch {
		case !ok && v.Kind() == rawjson.Object:
			bare = v.Span().Start
		case !ok:
		case n <= last:
			x := f.flaw(&rules.Ordinal, at.Span().Start, fmt.Sprintf("ordinal %d follows ordinal %d", n, last))
			last++
			found = append(found, x.mended("a higher ordinal", rawjson.Edit{Span: at.Span(), New: strconv.AppendInt(nil, last, 10)}))
		default:
			numbered, last = true, n
		}
	})
	if numbered && bare != splice.None {
		at := bare + 1
		x := f.flaw(&rules.Ordinal, at-1, "the last line has no ordinal")
		edit := rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: fmt.Appendf(nil, `"ordinal":%d,`, last+1)}
		found = append(found, x.mended("an ordinal", edit))
	}
	return found
}
