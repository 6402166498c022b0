package chronicle

import (
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// fileChange is the change of one file by a call.
type fileChange struct {
	path string
	name string // the first identifier that the change adds, which tells it from other changes; may be ""
	part int    // the part of the call that holds the name
}

// Limits for the changes that an entry describes.
const (
	mostChanged = 6  // files
	mostName    = 48 // bytes
)

// changesOf returns the changes of a call if it changes several files, or if a name describes the
// change of its file.
func changesOf(call *transcript.Block) (list []fileChange) {
	path := subject.Path(call)
	for i := range call.Parts {
		text := call.Parts[i].Text
		switch side := subject.SideOf(call, i); {
		case side != subject.Content && side != subject.NewSide && strings.Contains(text, "*** Begin Patch"):
			list = append(list, patchedFiles(text, i)...)
		case path == "" || len(list) > 0:
		case side == subject.NewSide:
			if name := firstNew(text, subject.Replaced(call, i)); name != "" {
				list = append(list, fileChange{path, name, i})
			}
		case side == subject.Patch:
			if name := firstNew(sidesOf(text)); name != "" {
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
func patchedFiles(patch string, part int) (list []fileChange) {
	from, at := 0, 0
	end := func() {
		if n := len(list); n > 0 {
			list[n-1].name = firstNew(sidesOf(patch[from:at]))
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

// firstNew returns the first identifier in a text that another text does not contain, or "".
func firstNew(text, old string) (name string) {
	fact.Each(text, func(i int, key string) {
		if name == "" && len(key) <= mostName && fact.KindOf(text, i, key) == fact.Identifier && !strings.Contains(old, key) {
			name = key
		}
	})
	return name
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
