package format

import (
	"bytes"
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

// lintClaudeCode finds faults in the lines of a session and in the links between them.
func lintClaudeCode(f *File) []flaw {
	l := f.layouts[0]
	if l.Len() == 0 {
		return nil
	}
	found := lintSurrogates(f)
	if l.IsLines() {
		found = append(found, lintLines(f, &rules.JSONLLine)...)
		found = append(found, lintLastNewline(f)...)
	}
	found = append(found, lintLinks(f, l)...)
	found = append(found, lintCycles(f, l)...)
	found = append(found, lintRepeatedLines(f, l)...)
	found = append(found, lintSplit(f, l)...)
	found = append(found, lintSessionID(f)...)
	return append(found, lintSignatures(f, func(v rawjson.Value) rawjson.Value { return v.Get("message") })...)
}

// lintLastNewline finds a valid last line without a newline. The client would append the
// next line to it.
func lintLastNewline(f *File) []flaw {
	end := len(f.src)
	if bytes.HasSuffix(f.src, []byte("\n")) || end == 0 || f.rows != nil {
		return nil
	}
	start := bytes.LastIndexByte(f.src, '\n') + 1
	var doc rawjson.Doc
	if doc.ScanAll(f.src, start, end) != nil {
		return nil // a broken line, which lintLines finds
	}
	x := f.flaw(&rules.JSONLLine, start, "the last line has no newline")
	return []flaw{x.mended("a newline at the end", rawjson.Edit{Span: rawjson.Span{Start: end, End: end}, New: []byte("\n")})}
}

// lintLinks finds links to parents and leaves that are not in the file.
func lintLinks(f *File, l *splice.Layout) []flaw {
	c := l.Chain
	chain := newMendedChain(c)
	var found []flaw
	for _, k := range c.Links {
		if _, there := c.ByID[k.To]; there || k.To == "" || c.Nodes[k.Record].Aside {
			continue
		}
		var x flaw
		switch k.Key {
		case "leafUuid":
			found = append(found, f.flaw(&rules.SummaryLeaf, k.Value.Start, fmt.Sprintf("leafUuid %s is not in the file", k.To)))
			continue
		case "logicalParentUuid":
			x = f.flaw(&rules.Boundary, k.Value.Start, fmt.Sprintf("logicalParentUuid %s is not in the file", k.To))
		default:
			x = f.flaw(&rules.Chain, k.Value.Start, fmt.Sprintf("parentUuid %s is not in the file", k.To))
		}
		parent, why := chain.before(k.Record), "attached to the line before it"
		if parent == "" {
			why = "made a root"
		}
		if k.Key == "parentUuid" {
			chain.attach(k.Record, parent)
		}
		found = append(found, x.mended(why, rawjson.Edit{Span: k.Value, New: splice.LinkValue(parent)}))
	}
	return found
}

// mendedChain is a chain that holds the corrections made so far.
type mendedChain struct {
	splice.Chain
	children map[string]int // by id, the number of children
	onMain   map[string]int // by id, the number of children on the main chain
}

func newMendedChain(c *splice.Chain) *mendedChain {
	m := &mendedChain{splice.Chain{Nodes: slices.Clone(c.Nodes), ByID: c.ByID}, map[string]int{}, map[string]int{}}
	for i := range m.Nodes {
		m.count(i, 1)
	}
	return m
}

// count adds by to the number of children of a record's parent.
func (m *mendedChain) count(record, by int) {
	n := &m.Nodes[record]
	m.children[n.Parent] += by
	if !n.Aside {
		m.onMain[n.Parent] += by
	}
}

// attach changes the parent of a record.
func (m *mendedChain) attach(record int, parent string) {
	m.count(record, -1)
	m.Nodes[record].Parent = parent
	m.count(record, 1)
}

// before returns the id of the nearest record of the main chain in front of a record that
// is not one of its descendants. It returns "" when there is none, or when that record
// has other children, because one side of the fork would be abandoned.
func (m *mendedChain) before(record int) string {
	own := m.Nodes[record]
	for i := record - 1; i >= 0; i-- {
		n := m.Nodes[i]
		if n.ID == "" || n.Aside || m.ByID[n.ID] != i || n.ID == own.ID || m.children[own.ID] > 0 && below(&m.Chain, i, own.ID) {
			continue
		}
		others := m.onMain[n.ID]
		if own.Parent == n.ID && !own.Aside {
			others--
		}
		if others > 0 {
			return ""
		}
		return n.ID
	}
	return ""
}

// below reports whether a record or one of its ancestors has the id.
func below(c *splice.Chain, record int, id string) bool {
	for range c.Nodes { // a cycle ends after as many steps as there are records
		n := c.Nodes[record]
		if n.ID == id {
			return true
		}
		parent, known := c.ByID[n.Parent]
		if n.Parent == "" || !known {
			return false
		}
		record = parent
	}
	return false
}

// lintCycles finds records that are their own ancestors.
func lintCycles(f *File, l *splice.Layout) []flaw {
	c := l.Chain
	const unseen, under, done = 0, 1, 2
	state := make([]uint8, len(c.Nodes))
	var found []flaw
	for i := range c.Nodes {
		var path []int
		at := i
		for state[at] == unseen {
			state[at] = under
			path = append(path, at)
			parent, ok := c.ByID[c.Nodes[at].Parent]
			if !ok || c.Nodes[at].Parent == "" {
				break
			}
			if state[parent] == under {
				found = append(found, f.flaw(&rules.Chain, l.RecordSpan(at).Start, "this line is among its own ancestors"))
				break
			}
			at = parent
		}
		for _, p := range path {
			state[p] = done
		}
	}
	return found
}

// lintRepeatedLines finds uuids that occur twice. A line with the same bytes as the
// earlier one can be removed.
func lintRepeatedLines(f *File, l *splice.Layout) []flaw {
	var found []flaw
	first := map[string]int{}
	for i, n := range l.Chain.Nodes {
		if n.ID == "" {
			continue
		}
		earlier, repeated := first[n.ID]
		if !repeated {
			first[n.ID] = i
			continue
		}
		span, was := l.Span(l.Slot(i)), l.Span(l.Slot(earlier))
		x := f.flaw(&rules.UUIDUnique, span.Start, fmt.Sprintf("uuid %s is used twice", n.ID))
		same := bytes.Equal(bytes.TrimRight(f.src[span.Start:span.End], "\r\n"), bytes.TrimRight(f.src[was.Start:was.End], "\r\n"))
		if same && l.IsLines() {
			x = x.mended("a repeated line", rawjson.Edit{Span: span})
		}
		found = append(found, x)
	}
	return found
}

// lintSplit finds messages that have some of their lines on an abandoned branch.
func lintSplit(f *File, l *splice.Layout) []flaw {
	abandoned := l.Chain.Abandoned()
	var found []flaw
	for msg := 0; l.Has(msg); msg++ {
		kept, lost := 0, splice.None
		for _, s := range l.Records(msg) {
			record, isRecord := l.IsRecord(s)
			if !isRecord || l.Chain.Nodes[record].Aside {
				continue
			}
			if abandoned[record] {
				lost = record
			} else {
				kept++
			}
		}
		if kept > 0 && lost != splice.None {
			x := f.flaw(&rules.SplitMessage, l.Span(l.Slot(lost)).Start, "a line of this answer is on a branch beside the chain that is resumed")
			x.At = transcript.At(msg)
			found = append(found, x)
		}
	}
	return found
}

// lintSessionID finds the first line of every session other than the first one of the
// file.
func lintSessionID(f *File) []flaw {
	var found []flaw
	own := ""
	seen := map[string]bool{}
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		id := v.Get("sessionId")
		if id.Kind() != rawjson.String || seen[id.Str()] {
			return
		}
		seen[id.Str()] = true
		if own == "" {
			own = id.Str()
			return
		}
		found = append(found, f.flaw(&rules.SessionID, id.Span().Start, fmt.Sprintf("sessionId %s, but the file begins with %s", id.Str(), own)))
	})
	return found
}
