package strategy

import (
	"slices"
	"strings"

	"condense/transcript"
)

// A claim is a marker that says that what it stands for comes again later:
//
//	[repeated later: 80 lines omitted]                  in a result of the same call, or in what is said
//	[repeated later by Read src/a.go: 80 lines omitted] in a result of that call
//
// Only what stands in the file tells, so that a later run knows as much as the
// one that made it. Whoever changes what a claim leads to makes it a plain
// marker: [80 lines omitted].
const claimStart = "[repeated later"

// claimed writes a claim about an amount that a later block holds; by is its name, or "".
func claimed(by, amount string) string {
	if by != "" {
		by = " by " + by
	}
	return transcript.Marker(claimStart[1:] + by + ": " + amount)
}

// parseClaim reads a line: the name in it ("" for none) and the plain marker.
func parseClaim(line string) (by, plain string, ok bool) {
	rest, ok := strings.CutPrefix(line, claimStart)
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

// sourceName is how a claim names a block: the call of a result, a mentioned
// file; "" for all that is said.
func sourceName(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) string {
	ref.Part = transcript.Whole
	switch {
	case b.Kind == transcript.ToolResult:
		return label(partner(c, ref), b)
	case b.Kind == transcript.Text && len(b.Parts) > 0 && b.Parts[0].Name != "":
		return "file " + firstLine(b.Parts[0].Name)
	}
	return ""
}

// markerName is a name as it reads in a marker.
func markerName(name string) string { return transcript.Marker(name) }

// settle adds to edits what keeps claims true: those that were there before, and
// lead to a block that the edits change, say no more than what they stand for.
// A block that becomes a reference itself still leads to what it held.
func settle(from *transcript.Conversation, edits []transcript.Edit) ([]transcript.Edit, error) {
	if !holdsClaims(from) {
		return edits, nil
	}
	next, err := from.Apply(edits)
	if err != nil {
		return nil, err
	}
	s := settling{from: from, next: next, edits: slices.Clone(edits), broken: map[string]bool{}, at: map[transcript.Ref]int{}}
	for i, e := range edits {
		if e.Op == transcript.Rewrite {
			s.at[e.At] = i
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

func holdsClaims(c *transcript.Conversation) bool {
	for _, b := range c.Blocks() {
		for _, p := range b.Parts {
			if strings.Contains(p.Text, claimStart) {
				return true
			}
		}
	}
	return false
}

type settling struct {
	from, next *transcript.Conversation
	edits      []transcript.Edit
	at         map[transcript.Ref]int // index of the rewrite in edits
	broken     map[string]bool        // names of later blocks that do not hold any more what they did
}

// block rewords the claims of a block, and tells the older ones what became of it.
func (s *settling) block(ref transcript.Ref, was *transcript.Block) {
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
	if refers := is.Same != nil && is.Same != was.Same; reworded || is != was && !refers {
		s.broken[markerName(name)] = true
	}
}

// part rewords the claims of a part that were there before and do not hold.
func (s *settling) part(ref transcript.Ref, was, is *transcript.Block, i int, name string) bool {
	p := &is.Parts[i]
	if !strings.Contains(p.Text, claimStart) || p.Media != nil {
		return false
	}
	before := was.Text()
	var text strings.Builder
	changed := false
	for line := range strings.Lines(strings.TrimLeft(p.Text[p.Head:], "\n")) {
		bare := strings.TrimRight(line, "\n")
		by, plain, ok := parseClaim(bare)
		if by == "" {
			by = name
		}
		if ok && s.broken[markerName(by)] && strings.Contains(before, bare) {
			line, changed = plain+line[len(bare):], true
		}
		text.WriteString(line)
	}
	if !changed {
		return false
	}
	one := ref
	one.Part = i
	for _, at := range []transcript.Ref{ref, one} {
		if e, ok := s.at[at]; ok {
			s.edits[e].Text = text.String()
			return true
		}
	}
	if len(is.Parts) > 1 {
		ref = one
	}
	s.edits = append(s.edits, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: text.String(), Why: "what it refers to has changed"})
	return true
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
