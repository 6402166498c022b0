package chronicle

import (
	"path"
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// findDue returns the calls that read a file which the last two requests name, and which no call changed. The
// work on such a file is probably still to come. It also returns the last call of git status: a commit takes what that
// lists.
func (d *draft) findDue() map[*transcript.Block]bool {
	due := d.readsDue()
	for i := len(d.Conv.Messages) - 1; i >= 0; i-- {
		m := d.Conv.Messages[i]
		for _, b := range m.Blocks {
			if b.Kind == transcript.ToolCall && !m.Hidden && gitStatus.MatchString(subject.Command(b)) {
				due[b] = true
				return due
			}
		}
	}
	return due
}

// gitStatus matches a command that lists the changes of a checkout.
var gitStatus = lazyregexp.New(`\bgit (?:-\S+ \S+ )?status\b`)

// readsDue returns the reads of such files.
func (d *draft) readsDue() map[*transcript.Block]bool {
	due := map[*transcript.Block]bool{}
	changed, byBase := map[string]bool{}, map[string][]string{}
	for _, files := range d.changed {
		for _, file := range files {
			if !changed[file] {
				byBase[path.Base(file)] = append(byBase[path.Base(file)], file)
			}
			changed[file] = true
		}
	}
	named := namedFiles{}
	for text := range d.plans {
		steps := sections(text)
		for _, step := range steps {
			if len(steps) == 1 || !isDone(step, byBase) {
				named.add(step)
			}
		}
	}
	for text := range d.recentProse {
		named.add(text)
	}
	if len(named) == 0 {
		return due
	}
	for _, b := range d.Conv.Blocks() {
		if b.Kind != transcript.ToolCall {
			continue
		}
		if name := readBy(b); name != "" && !changed[placeOf(d.Conv, name)] && named.has(name) {
			due[b] = true
		}
	}
	return due
}

// sections returns the sections of a text: the first one, and one for each heading.
func sections(text string) (list []string) {
	first, at, code := 0, 0, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if !code && at > first && headingLevel(line) > 0 {
			list = append(list, text[first:at])
			first = at
		}
		at += len(line)
	}
	return append(list, text[first:])
}

// isDone reports whether a section of a plan, which is a step of it, names files with their folders, and calls changed
// all of these. The changed files are given by their last elements. A file that the section names besides is only an
// example for that step.
func isDone(section string, changed map[string][]string) bool {
	named := namedFiles{}
	named.add(section)
	done := false
	for base, typed := range named {
		for _, file := range typed {
			if !strings.Contains(file, "/") || !strings.Contains(base, ".") {
				continue
			}
			one := namedFiles{base: {file}}
			if done = slices.ContainsFunc(changed[base], one.has); !done {
				return false
			}
		}
	}
	return done
}

// recentRequests calls yield with the texts of the last two requests.
func (d *draft) recentRequests(yield func(text string) bool) {
	for m, b := range d.requestTexts {
		if int(d.turns[m.ID]) >= d.lastTurn-1 && !yield(b.Text()) {
			return
		}
	}
}

// recentProse calls yield with what the model said in the last turn.
func (d *draft) recentProse(yield func(text string) bool) {
	for m := range d.Conv.Visible() {
		for _, b := range m.Blocks {
			if int(d.turns[m.ID]) == d.lastTurn && b.Kind == transcript.Text && b.Origin == transcript.ByModel && !yield(b.Text()) {
				return
			}
		}
	}
}

// isDue reports whether a text is the result of such a call.
func (d *draft) isDue(t *text) bool {
	return len(d.due) > 0 && t.step >= 0 && slices.ContainsFunc(d.steps[t.step].calls, func(call transcript.Ref) bool { return d.due[d.Conv.Block(call)] })
}

// namedFiles holds the names of files in typed text: by the last element of each path, the paths. A name without
// an extension, such as stockService, stands for stockService.ts and stockService.test.ts.
type namedFiles map[string][]string

// add adds the words of a text that look like the name of a file.
func (n namedFiles) add(text string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && !isPathByte(byte(r)) }) {
		word = strings.TrimLeft(strings.TrimRight(word, "./-"), "@./-")
		if base := path.Base(word); strings.Contains(base, ".") || joins(base) {
			n[base] = append(n[base], word)
		}
	}
}

func isPathByte(c byte) bool { return isWordByte(c) || strings.IndexByte("./-@+", c) >= 0 }

// joins reports whether a name consists of words that capitals, hyphens or underscores join.
func joins(name string) bool {
	for i := 1; i < len(name); i++ {
		if isLetter(name[i-1]) && (name[i] == '-' || name[i] == '_' || 'a' <= name[i-1] && 'A' <= name[i] && name[i] <= 'Z') {
			return true
		}
	}
	return false
}

// has reports whether a typed path is the end of a path, with or without the extensions.
func (n namedFiles) has(name string) bool {
	name = "/" + strings.ReplaceAll(name, `\`, "/")
	base := path.Base(name)
	stem, extensions, _ := strings.Cut(base, ".")
	for _, typed := range n[base] {
		if strings.HasSuffix(name, "/"+typed) {
			return true
		}
	}
	for _, typed := range n[stem] {
		if strings.HasSuffix(strings.TrimSuffix(name, "."+extensions), "/"+typed) {
			return true
		}
	}
	return false
}
