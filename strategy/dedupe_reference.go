package strategy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// A reference is a marker for content that comes again later:
//
//	[repeated later: 80 lines omitted]                  in a result of the same call, or in prose
//	[repeated later by Read src/a.go: 80 lines omitted] in a result of that call
//
// A later run knows only the text of a reference, and not the edit that made it. So when
// an edit changes the content that a reference points to, the reference becomes a plain
// marker: [80 lines omitted].
const referenceStart = "[repeated later"

// reference returns a reference for an amount of content that a later block holds. by
// is the name of that block, or "".
func reference(by, amount string) string {
	if by != "" {
		by = " by " + by
	}
	return transcript.Marker(referenceStart[1:] + by + ": " + amount)
}

// parseReference parses a line that is a reference. It returns the name in the reference,
// which may be "", and the plain marker.
func parseReference(line string) (by, plain string, ok bool) {
	rest, ok := strings.CutPrefix(line, referenceStart)
	if !ok || !transcript.IsMarker(line) {
		return "", "", false
	}
	if amount, ok := strings.CutPrefix(rest, ": "); ok {
		return "", "[" + amount, true
	}
	by, ok = strings.CutPrefix(rest, " by ")
	i := strings.LastIndex(by, ": ")
	if !ok || i < 0 {
		return "", "", false
	}
	return by[:i], "[" + by[i+len(": "):], true
}

// sourceName returns the name that references have for a block: the call of a result, or
// the mentioned file. It returns "" for prose.
func sourceName(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) string {
	ref.Part = transcript.Whole
	switch {
	case b.Kind == transcript.ToolResult:
		return subject.Name(partner(c, ref), b)
	case b.Kind == transcript.Text && len(b.Parts) > 0 && b.Parts[0].Name != "":
		return "file " + subject.FirstLine(b.Parts[0].Name)
	}
	return ""
}

// markerName returns a name as it is written in a marker.
func markerName(name string) string { return transcript.Marker(name) }

// mendReferences adds the edits that keep references true. A reference becomes a plain
// marker if it was there before the edits and points to a block that they change. A block
// that becomes a reference itself does not count as changed, because it still points to
// its content.
func mendReferences(from *transcript.Conversation, edits []transcript.Edit) ([]transcript.Edit, error) {
	if !holdsReferences(from) {
		return edits, nil
	}
	next, err := from.Apply(edits)
	if err != nil {
		return nil, err
	}
	s := mending{
		from: from, next: next, edits: slices.Clone(edits), broken: map[string]bool{}, at: map[transcript.Ref]int{}, refers: map[transcript.Ref]bool{},
	}
	for i, e := range edits {
		if e.Op == transcript.Rewrite {
			s.at[e.At] = i
		}
		if e.Same != nil {
			s.refers[transcript.Ref{Msg: e.At.Msg, Block: e.At.Block, Part: transcript.Whole}] = true
		}
	}
	for _, m := range slices.Backward(from.Messages) {
		if m.Hidden {
			continue
		}
		for _, b := range slices.Backward(m.Blocks) {
			s.block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}, b)
		}
	}
	return s.edits, nil
}

func holdsReferences(c *transcript.Conversation) bool {
	for _, b := range c.Blocks() {
		for _, p := range b.Parts {
			if strings.Contains(p.Text, referenceStart) {
				return true
			}
		}
	}
	return false
}

// mending is the state of mendReferences, which visits blocks from new to old.
type mending struct {
	from, next *transcript.Conversation // before and after the edits
	edits      []transcript.Edit
	at         map[transcript.Ref]int  // index of the rewrite in edits
	refers     map[transcript.Ref]bool // blocks that become references, in whole or in part
	broken     map[string]bool         // names of later blocks whose content changes
}

// block mends the references in a block, and adds its name to broken if it changes.
func (s *mending) block(ref transcript.Ref, was *transcript.Block) {
	is := s.next.Block(ref)
	name := sourceName(s.from, ref, was)
	if is == nil {
		s.broken[markerName(name)] = true
		return
	}
	if renamed := sourceName(s.next, ref, is) != name; renamed {
		s.broken[markerName(name)] = true
	}
	reworded := false
	if was.Origin != transcript.Typed && was.Pin != transcript.Verbatim && !was.Fixed {
		for i := range is.Parts {
			reworded = s.part(ref, was, is, i, name) || reworded
		}
	}
	if reworded || is != was && !s.refers[ref] {
		s.broken[markerName(name)] = true
	}
}

// part replaces the broken references of a part by plain markers. It ignores references
// that the edits add. It reports whether it replaced any.
func (s *mending) part(ref transcript.Ref, was, is *transcript.Block, i int, name string) bool {
	p := &is.Parts[i]
	if !strings.Contains(p.Text, referenceStart) || p.Media != nil {
		return false
	}
	before := was.Text()
	var lines []string
	changed := false
	for line := range strings.Lines(strings.TrimLeft(p.Text[p.Head:], "\n")) {
		bare := strings.TrimRight(line, "\n")
		by, plain, ok := parseReference(bare)
		if by == "" {
			by = name
		}
		if ok && s.broken[markerName(by)] && strings.Contains(before, bare) {
			line, changed = plain+line[len(bare):], true
		}
		lines = appendMarker(lines, line)
	}
	if !changed {
		return false
	}
	text := strings.Join(lines, "")
	one := ref
	one.Part = i
	for _, at := range []transcript.Ref{ref, one} {
		if e, ok := s.at[at]; ok {
			s.edits[e].Text = text
			return true
		}
	}
	if len(is.Parts) > 1 {
		ref = one
	}
	s.edits = append(s.edits, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: text, Why: "what it refers to has changed"})
	return true
}

// plainMarker matches a line that is a plain marker: for lines, for numbered lines, or for a part of a line.
var plainMarker = lazyregexp.New(`\A\[(?:([\d,]+) lines?|lines? (\d+)(?:-(\d+))?|([\d,]+) (?:bytes|characters?))(?: #\d{6,9})? omitted\]\r?\n?\z`)

// extent is what a plain marker stands for.
type extent struct {
	lines       int
	first, last int // numbers of the lines; 0 if they are not known
	part        int // size of the part of a line that stands alone
}

// extentOf reads a line that is a plain marker.
func extentOf(line string) (x extent, ok bool) {
	if !strings.HasPrefix(line, "[") {
		return x, false
	}
	found := plainMarker.FindStringSubmatch(line)
	if found == nil {
		return x, false
	}
	for i, n := range []*int{&x.lines, &x.first, &x.last, &x.part} {
		if digits := strings.ReplaceAll(found[i+1], ",", ""); digits != "" {
			v, err := strconv.Atoi(digits)
			if err != nil {
				return x, false
			}
			*n = v
		}
	}
	if x.first > 0 {
		x.last = max(x.last, x.first)
		x.lines = x.last - x.first + 1
	}
	return x, true
}

// plus returns what a marker for x and for y right behind it stands for. A part of a line counts as a line.
func (x extent) plus(y extent) extent {
	sum := extent{lines: x.lines + y.lines}
	for _, one := range [...]extent{x, y} {
		if one.part > 0 {
			sum.lines++
		}
	}
	if x.first > 0 && y.first == x.last+1 {
		sum.first, sum.last = x.first, y.last
	}
	return sum
}

// marker returns the marker for x, which is not a part of a line.
func (x extent) marker() string {
	if x.first > 0 {
		return transcript.Marker(fmt.Sprintf("lines %d-%d", x.first, x.last))
	}
	return transcript.Marker(transcript.Plural(x.lines, "line"))
}

// appendMarker appends a line to lines. It adds a plain marker to one that stands directly
// before it, or with only blank lines between them.
func appendMarker(lines []string, line string) []string {
	is, ok := extentOf(line)
	if !ok {
		return append(lines, line)
	}
	last := len(lines) - 1
	for last >= 0 && strings.TrimSpace(lines[last]) == "" {
		last--
	}
	if last < 0 {
		return append(lines, line)
	}
	before, ok := extentOf(lines[last])
	if !ok {
		return append(lines, line)
	}
	return append(lines[:last], before.plus(is).marker()+line[len(strings.TrimRight(line, "\n")):])
}

// holdsMarker reports whether a line of a text is a marker.
func holdsMarker(text string) bool {
	if !strings.Contains(text, " omitted]") {
		return false
	}
	for line := range strings.Lines(text) {
		if transcript.IsMarker(strings.TrimRight(line, "\n")) {
			return true
		}
	}
	return false
}
