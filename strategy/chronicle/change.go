package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// fileChange is the change of one file by a call.
type fileChange struct {
	path string
	name string // an identifier that the change adds, which tells it from other changes; may be ""
	part int    // the part of the call that holds the name
}

// Limits for the changes that an entry describes.
const (
	mostChanged = 6  // files
	mostName    = 48 // bytes

	mostCandidates = 16 // names that a change adds, of which one describes it
)

// changesOf returns the changes of a call if it changes several files, or if a name describes the
// change of its file. The function known reports whether the conversation read a name of a part of the call
// before.
func changesOf(call *transcript.Block, known func(p *transcript.Part, name string) bool) (list []fileChange) {
	path := subject.Path(call)
	for i := range call.Parts {
		text := call.Parts[i].Text
		read := func(name string) bool { return known(&call.Parts[i], name) }
		switch side := subject.SideOf(call, i); {
		case side != subject.Content && side != subject.NewSide && strings.Contains(text, "*** Begin Patch"):
			list = append(list, patchedFiles(text, i, read)...)
		case path == "" || len(list) > 0:
		case side == subject.NewSide:
			if name := newName(text, subject.Replaced(call, i), read); name != "" {
				list = append(list, fileChange{path, name, i})
			}
		case side == subject.Patch:
			added, removed := sidesOf(text)
			if name := newName(added, removed, read); name != "" {
				list = append(list, fileChange{path, name, i})
			}
		}
	}
	if len(list) == 1 && list[0].name == "" {
		return nil
	}
	for _, c := range list {
		if len(c.path) > mostPath || strings.Contains(c.path, "\n") {
			return nil
		}
	}
	return list
}

// patchedFiles returns the changes in a patch of apply_patch, which is a part of a call.
func patchedFiles(patch string, part int, known func(name string) bool) (list []fileChange) {
	from, at := 0, 0
	end := func() {
		if n := len(list); n > 0 {
			added, removed := sidesOf(patch[from:at])
			list[n-1].name = newName(added, removed, known)
		}
	}
	for line := range strings.Lines(patch) {
		if path := subject.PatchedFile(line); path != "" {
			end()
			list = append(list, fileChange{path: path, part: part})
			from = at + len(line)
		}
		at += len(line)
	}
	end()
	return list
}

// sidesOf returns the lines that a patch adds and removes. A patch has signed lines, or blocks to
// search for and to put in their place.
func sidesOf(patch string) (added, removed string) {
	var sides [2]strings.Builder
	block := -1
	for line := range strings.Lines(patch) {
		switch bare := strings.TrimSpace(line); {
		case strings.HasSuffix(bare, " SEARCH"):
			block = 1
		case block == 1 && strings.Trim(bare, "=") == "" && len(bare) >= 5:
			block = 0
		case strings.HasSuffix(bare, " REPLACE"):
			block = -1
		case block >= 0:
			sides[block].WriteString(line)
		case strings.HasPrefix(line, "+"):
			sides[0].WriteString(line[1:])
		case strings.HasPrefix(line, "-"):
			sides[1].WriteString(line[1:])
		}
	}
	return sides[0].String(), sides[1].String()
}

// newName returns the name by which a change is known, given the text that it adds and the one that this replaces: of the
// first function or type that it adds, or else of the first that both texts have. Without one, it is the first identifier
// that is not in the old text and was not known before the change, or else the first that is not in the old text. It may
// be "".
func newName(text, old string, known func(name string) bool) (name string) {
	if name := declaredName(text, old); name != "" {
		return name
	}
	candidates := make([]string, 0, mostCandidates)
	fact.Each(text, func(i int, key string) {
		if len(candidates) < mostCandidates && len(key) <= mostName && fact.KindOf(text, i, key) == fact.Identifier && !strings.Contains(old, key) {
			candidates = append(candidates, key)
		}
	})
	if len(candidates) == 0 {
		return ""
	}
	if i := slices.IndexFunc(candidates, func(name string) bool { return !known(name) }); i >= 0 {
		return candidates[i]
	}
	return candidates[0]
}

// declaredName returns the name of the first function or type in a text that another text does not have, or else of the
// first one, or "".
func declaredName(text, old string) (first string) {
	for line := range strings.Lines(text) {
		m := declaration.FindStringSubmatch(line)
		if m == nil || len(m[1]) > mostName || bindsValue(line) {
			continue
		}
		if !strings.Contains(old, m[1]) {
			return m[1]
		}
		if first == "" {
			first = m[1]
		}
	}
	return first
}

// bindsValue reports whether a line of code names a value that is no function.
func bindsValue(line string) bool {
	line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
	first, _, _ := strings.Cut(line, " ")
	switch first {
	case "const", "let", "var", "val":
		return !strings.Contains(line, "=>") && !strings.Contains(line, "function")
	}
	return false
}

// readBefore returns a function that reports whether a name in a part of a message is known from a result in
// front of the message. A name that a person, a client or the model used first is not: a change that adds it
// is about it.
func (d *draft) readBefore(msg int) func(p *transcript.Part, name string) bool {
	at := int32(d.visible) - d.ages[msg]
	return func(p *transcript.Part, name string) bool {
		if d.firstRead == nil {
			d.firstRead = d.findFirstRead()
		}
		for _, m := range d.Survey.Mentions(p) {
			if strings.HasPrefix(p.Text[m.At:], name) {
				first := d.firstRead[m.Fact]
				return 0 < first && first < at
			}
		}
		return false
	}
}

// findFirstRead returns for each fact that a result mentions first the number of the visible messages up to
// that result, and otherwise at most 0.
func (d *draft) findFirstRead() []int32 {
	first := make([]int32, d.Survey.Len())
	for ref, b := range d.Conv.Blocks() {
		at := int32(-1)
		if b.Kind == transcript.ToolResult {
			at = int32(d.visible) - d.ages[ref.Msg]
		}
		for i := range b.Parts {
			for _, m := range d.Survey.Mentions(&b.Parts[i]) {
				if first[m.Fact] == 0 {
					first[m.Fact] = at
				}
			}
		}
	}
	return first
}

// changeWords returns the description of changes: their paths as names shortens them, each with its name in
// parentheses unless the quoted lines hold it.
func changeWords(changes []fileChange, names *pathNames, quoted string) string {
	var b strings.Builder
	for i, c := range changes {
		switch {
		case i == mostChanged:
			return b.String() + " …"
		case i > 0:
			b.WriteString(", ")
		}
		if names != nil {
			c.path = names.short(c.path)
		}
		b.WriteString(c.path)
		if c.name != "" && !strings.Contains(quoted, c.name) {
			b.WriteString(" (" + c.name + ")")
		}
	}
	return b.String()
}
