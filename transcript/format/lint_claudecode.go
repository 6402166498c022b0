package format

import (
	"bytes"
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// lintClaudeCode finds what is wrong with the lines of a session and the way
// they hang together.
func lintClaudeCode(f *File) []flaw {
	l := f.layouts[0]
	if l.len() == 0 {
		return nil
	}
	found := lintSurrogates(f)
	if l.isLines() {
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

// lintLastNewline finds a last line, else right, that the next one would be
// written behind.
func lintLastNewline(f *File) []flaw {
	end := len(f.src)
	if bytes.HasSuffix(f.src, []byte("\n")) || end == 0 {
		return nil
	}
	start := bytes.LastIndexByte(f.src, '\n') + 1
	var doc rawjson.Doc
	if doc.ScanAll(f.src, start, end) != nil {
		return nil // broken, and told as such
	}
	x := f.flaw(&rules.JSONLLine, start, "the last line has no newline")
	return []flaw{x.mended("a newline at the end", rawjson.Edit{Span: rawjson.Span{Start: end, End: end}, New: []byte("\n")})}
}

// lintLinks finds parents and leaves that are not in the file.
func lintLinks(f *File, l *layout) []flaw {
	c := l.chain
	hung := newMendedChain(c)
	var found []flaw
	for _, k := range c.links {
		if _, there := c.byID[k.to]; there || k.to == "" || c.nodes[k.record].aside {
			continue
		}
		var x flaw
		switch k.key {
		case "leafUuid":
			found = append(found, f.flaw(&rules.SummaryLeaf, k.value.Start, fmt.Sprintf("leafUuid %s is not in the file", k.to)))
			continue
		case "logicalParentUuid":
			x = f.flaw(&rules.Boundary, k.value.Start, fmt.Sprintf("logicalParentUuid %s is not in the file", k.to))
		default:
			x = f.flaw(&rules.Chain, k.value.Start, fmt.Sprintf("parentUuid %s is not in the file", k.to))
		}
		parent, why := hung.before(k.record), "hung on the line before it"
		if parent == "" {
			why = "made a first line"
		}
		if k.key == "parentUuid" {
			hung.hang(k.record, parent)
		}
		found = append(found, x.mended(why, rawjson.Edit{Span: k.value, New: linkValue(parent)}))
	}
	return found
}

// mendedChain is a chain with the mends so far.
type mendedChain struct {
	chain
	children map[string]int // by id, how many records hang on it
	onMain   map[string]int // how many of these are of the main chain
}

func newMendedChain(c *chain) *mendedChain {
	m := &mendedChain{chain{nodes: slices.Clone(c.nodes), byID: c.byID}, map[string]int{}, map[string]int{}}
	for i := range m.nodes {
		m.count(i, 1)
	}
	return m
}

func (m *mendedChain) count(record, by int) {
	n := &m.nodes[record]
	m.children[n.parent] += by
	if !n.aside {
		m.onMain[n.parent] += by
	}
}

// hang gives a record another parent.
func (m *mendedChain) hang(record int, parent string) {
	m.count(record, -1)
	m.nodes[record].parent = parent
	m.count(record, 1)
}

// before is the id of the nearest record of the main chain in front of one that
// does not hang below it, "" when there is none, or when others hang there: it
// would be a fork, of which one side counts as given up.
func (m *mendedChain) before(record int) string {
	own := m.nodes[record]
	for i := record - 1; i >= 0; i-- {
		n := m.nodes[i]
		if n.id == "" || n.aside || m.byID[n.id] != i || n.id == own.id || m.children[own.id] > 0 && below(&m.chain, i, own.id) {
			continue
		}
		others := m.onMain[n.id]
		if own.parent == n.id && !own.aside {
			others--
		}
		if others > 0 {
			return ""
		}
		return n.id
	}
	return ""
}

// below reports whether a record has an id, or one above it has.
func below(c *chain, record int, id string) bool {
	for range c.nodes { // a cycle ends after as many steps as there are records
		n := c.nodes[record]
		if n.id == id {
			return true
		}
		parent, known := c.byID[n.parent]
		if n.parent == "" || !known {
			return false
		}
		record = parent
	}
	return false
}

// lintCycles finds records whose ancestors come round to them.
func lintCycles(f *File, l *layout) []flaw {
	c := l.chain
	const unseen, under, done = 0, 1, 2
	state := make([]uint8, len(c.nodes))
	var found []flaw
	for i := range c.nodes {
		var path []int
		at := i
		for state[at] == unseen {
			state[at] = under
			path = append(path, at)
			parent, ok := c.byID[c.nodes[at].parent]
			if !ok || c.nodes[at].parent == "" {
				break
			}
			if state[parent] == under {
				found = append(found, f.flaw(&rules.Chain, l.recordSpan(at).Start, "the parents of this line come round to it"))
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

// lintRepeatedLines finds uuids that are used twice. A line that repeats another
// byte for byte can go.
func lintRepeatedLines(f *File, l *layout) []flaw {
	var found []flaw
	first := map[string]int{}
	for i, n := range l.chain.nodes {
		if n.id == "" {
			continue
		}
		earlier, repeated := first[n.id]
		if !repeated {
			first[n.id] = i
			continue
		}
		span, was := l.span(l.record(i)), l.span(l.record(earlier))
		x := f.flaw(&rules.UUIDUnique, span.Start, fmt.Sprintf("uuid %s is used twice", n.id))
		same := bytes.Equal(bytes.TrimRight(f.src[span.Start:span.End], "\r\n"), bytes.TrimRight(f.src[was.Start:was.End], "\r\n"))
		if same && l.isLines() {
			x = x.mended("a repeated line", rawjson.Edit{Span: span})
		}
		found = append(found, x)
	}
	return found
}

// lintSplit finds answers of which some lines are on a branch that was given up.
func lintSplit(f *File, l *layout) []flaw {
	given := l.chain.abandoned()
	var found []flaw
	for msg, m := range l.msgs {
		kept, lost := 0, none
		for _, s := range m.records {
			record, isRecord := l.isRecord(s)
			if !isRecord || l.chain.nodes[record].aside {
				continue
			}
			if given[record] {
				lost = record
			} else {
				kept++
			}
		}
		if kept > 0 && lost != none {
			x := f.flaw(&rules.SplitMessage, l.span(l.record(lost)).Start, "a line of this answer is on a branch beside the chain that is resumed")
			x.At = transcript.At(msg)
			found = append(found, x)
		}
	}
	return found
}

// lintSessionID finds lines of another session than the first one's, one of each.
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
