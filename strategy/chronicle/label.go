package chronicle

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// entry is the description of a step in a record: the tool, its subject and the outcome.
// Its words are those of the call and its result, apart from a few words for the outcome.
type entry struct {
	tool    string       // "" where the subject is sufficient
	subject string       // a path, a command or an argument
	path    bool         // the subject is a path, or ends in one
	changes []fileChange // if not nil, they stand for the subject
	outcome string       // " ok", ": No matches found", " (214 lines)", " failed: exit status 1"
	calls   int          // that the step consists of, at least 1
}

// Limits for the parts of an entry, in bytes.
const (
	mostSubject    = 140
	mostCommand    = 110
	mostRedirected = 80  // of the file to which a command writes
	mostPath       = 400 // a longer path is not used: a cut one could name another file
	mostTool       = 64
	mostFailure    = 140
	mostRepeated   = 60  // of the reason of a failure that another result states, too
	shortOutput    = 120 // most bytes of a line of an output that is quoted whole
	briefOutput    = 200 // most bytes of such an output
)

// text returns the entry in words. names, if not nil, shortens paths that it has named before. A name
// that the quoted lines hold is left out.
func (e *entry) text(names *pathNames, quoted string) string {
	about := e.subject
	switch {
	case e.changes != nil:
		about = changeWords(e.changes, names, quoted)
	case e.path && names != nil:
		about = names.short(about)
	}
	words := strings.TrimSpace(e.tool + " " + about)
	if words == "" {
		words = "call"
	}
	return words + e.outcome
}

// callTag matches a tag of a call that is written in prose. The names of tools have an underscore there, or stand behind
// "function=".
var callTag = lazyregexp.New(`</?[A-Za-z]+(?:_[A-Za-z]+)+>|</?(?:function|parameter)\b`)

// acts reports whether words have a tag that the next run would not take for words of a record.
func (d *draft) acts(words string) bool {
	return d.proseCalls && callTag.MatchString(words) || d.Tags != nil && d.Tags.MatchString(words)
}

// withoutTags returns words with parentheses around the names of such tags.
func (d *draft) withoutTags(words string) string {
	if !d.acts(words) {
		return words
	}
	return strings.NewReplacer("<", "(", ">", ")").Replace(words)
}

// equal reports whether two entries have the same words.
func (e *entry) equal(o *entry) bool {
	return e.tool == o.tool && e.subject == o.subject && slices.Equal(e.changes, o.changes) && e.outcome == o.outcome
}

// hash returns a number that is the same for entries with the same words.
func (e *entry) hash(seed maphash.Seed) uint64 {
	h := maphash.Comparable(seed, [...]string{e.tool, e.subject, e.outcome})
	for _, c := range e.changes {
		h = bits.RotateLeft64(h, 1) ^ maphash.Comparable(seed, c)
	}
	return h
}

// readOnly reports whether a step only reads, searches or lists.
func (s *step) readOnly() bool {
	switch s.kind {
	case fact.ReadTool, fact.SearchTool, fact.ListTool:
		return !s.changes
	}
	return false
}

// entryOf returns the entry of a step, and sets the kind of the step and whether it changes
// anything.
func (d *draft) entryOf(s *step) entry {
	e := entry{calls: max(1, len(s.calls))}
	var call *transcript.Block
	if len(s.calls) > 0 {
		call = d.Conv.Block(s.calls[0])
		s.kind = fact.ToolOf(call.Tool)
		s.checks = checksIn(subject.Command(call))
		s.changes = changes(s, call)
		s.writes = s.turn == d.lastTurn && mayWrite(s, call)
		var task string
		if task, s.adds = d.taskOf(s, call); task != "" {
			s.specials().task = task
		}
		e.tool = clean(call.Tool, mostTool)
		e.subject, e.path = subjectOf(call)
		if strings.HasPrefix(e.subject, "`") {
			e.tool = ""
		}
	}
	e.outcome = d.outcome(s, call)
	if s.changes {
		e.changes = changesOf(call, d.readBefore(s.calls[0].Msg))
	}
	switch {
	case s.adds && e.subject != "":
		e.subject, e.outcome = "#"+s.also().task+" "+e.subject, ""
		d.tasks[s.also().task] = e.subject
	case s.kind == fact.TodoTool && !strings.HasPrefix(e.outcome, " failed") && current(call) != "":
		e.subject, e.outcome = current(call), ""
	case s.also().task != "" && e.outcome == "" && d.tasks[s.also().task] != "":
		e.subject, e.outcome = d.tasks[s.also().task], ": "+clean(stateOf(call), shortOutput)
		if closes(call) {
			e.subject = briefTask(e.subject)
		}
	}
	for _, words := range []*string{&e.tool, &e.subject, &e.outcome} {
		*words = d.withoutTags(*words)
	}
	return e
}

// mostClosed is the most bytes of the title of a task that a step closes: its number identifies it.
const mostClosed = 32

// briefTask returns the number of a task and the first words of its title, which is in quotes if there is one.
func briefTask(task string) string {
	number, quoted, _ := strings.Cut(task, " ")
	title, err := strconv.Unquote(quoted)
	if err != nil || len(title) <= mostClosed {
		return task
	}
	return number + " " + strconv.Quote(clean(title, mostClosed))
}

// subjectOf returns the subject of a call, and whether it is a path or ends in one.
func subjectOf(call *transcript.Block) (text string, isPath bool) {
	path, command := subject.Path(call), subject.Command(call)
	switch {
	case command != "" && path == "":
		return "`" + commandLine(command) + "`", false
	case path != "" && len(path) <= mostPath && !strings.Contains(path, "\n"):
		if pattern := subject.Pattern(call); pattern != "" {
			return strconv.Quote(clean(pattern, mostSubject)) + " in " + path, true
		}
		return path, true
	}
	if about := subject.About(call); about != "" {
		return strconv.Quote(clean(about, mostSubject)), false
	}
	for _, p := range call.Parts {
		if path = subject.PatchedFile(p.Text); path != "" && len(path) <= mostPath {
			return path, true
		}
	}
	return shortArgs(call), false
}

// mostArgs is the most arguments that shortArgs returns.
const mostArgs = 3

// shortArgs returns the first arguments of a call with their names, such as
// "taskId=6 status=completed".
func shortArgs(call *transcript.Block) string {
	var list []string
	for _, p := range call.Parts {
		if p.Name == "" || p.Text == "" || p.Media != nil {
			continue
		}
		list = append(list, p.Name+"="+clean(p.Text, shortOutput))
		if len(list) == mostArgs || len(p.Text) > shortOutput/2 {
			break
		}
	}
	return strings.Join(list, " ")
}

// clean returns the last state of the first line of a text, without characters that could
// end a record early. It cuts the line between words to no more than most bytes, and adds an ellipsis.
func clean(text string, most int) string {
	text = strings.TrimSpace(text)
	first, _, more := strings.Cut(text, "\n")
	if strings.Contains(first, "[condensed") || strings.Contains(first, "omitted]") { // no record or marker in the record
		first = strings.NewReplacer("[", "(", "]", ")").Replace(first)
	}
	first = strings.Map(func(r rune) rune {
		switch {
		case r == '`':
			return '\''
		case unicode.IsControl(r) || r == utf8.RuneError:
			return ' '
		}
		return r
	}, strings.TrimSpace(lastState(first)))
	if len(first) > most {
		first, more = cutWords(first, most), true
	}
	if more {
		return first + " …"
	}
	return first
}

// cutWords cuts a text at the last space within most bytes. It cuts between characters if
// there is no space in the second half. Of a path that the cut would divide, it keeps the
// base name behind an ellipsis, or nothing: a cut path could name another file.
func cutWords(text string, most int) string {
	space := strings.LastIndexByte(text[:most], ' ')
	word, _, _ := strings.Cut(text[space+1:], " ")
	if slash := strings.LastIndexByte(word, '/'); slash >= 0 && space+1+len(word) > most {
		if base := word[slash+1:]; base != "" && space+len("…/")+len(base) < most {
			return text[:space+1] + "…/" + base
		}
		if space > 0 {
			return strings.TrimRight(text[:space], " ,;:")
		}
	}
	if space > most/2 {
		return strings.TrimRight(text[:space], " ,;:")
	}
	return subject.Within(text, most)
}

// withoutNotices returns an output without the lines that its client wrote behind it.
func withoutNotices(text string) string {
	for {
		text = strings.TrimSpace(text)
		at := strings.LastIndexByte(text, '\n') + 1
		if !isNotice(text[at:]) {
			return text
		}
		text = text[:at]
	}
}

// lastState returns the part of a line behind its last carriage return. A terminal shows only
// this part of a line that a program wrote several times.
func lastState(line string) string {
	line = strings.TrimRight(line, "\r\n")
	return line[strings.LastIndexByte(line, '\r')+1:]
}

// shortLines is the number of line breaks from which an output is not short.
const shortLines = 4

// cleanLines returns a short output in one line, with " / " between the lines.
func cleanLines(text string) string {
	var list []string
	for line := range strings.Lines(text) {
		if line = clean(line, shortOutput); line != "" {
			list = append(list, line)
		}
	}
	return strings.Join(list, " / ")
}

// redirects matches a shell command that writes a part of its text to a file.
var redirects = lazyregexp.New(`\*\*\* Begin Patch|(?:>|\btee\b)[^\n|]*<<|<<[^\n|]*>`)

// toFile reports whether a call writes one of its parts to a file.
func toFile(call *transcript.Block, i int) bool {
	if subject.InProse(call) && subject.Arg(call, "content", "diff", "file_text", "new_str", "new_string") != "" {
		return true
	}
	switch subject.SideOf(call, i) {
	case subject.NewSide, subject.Content, subject.Patch:
		return true
	}
	return redirects.MatchString(call.Parts[i].Text)
}

// The signs in front of quoted lines of an edit.
const (
	added   = "+"
	removed = "-"
)

// leastWritten is the length in bytes from which on a part of a call is worth a quotation.
const leastWritten = 24

// wrote reports whether a record may quote a part of a removed call. sign is put in front of the lines of a
// side of an edit.
func wrote(call *transcript.Block, i int) (sign string, ok bool) {
	p := &call.Parts[i]
	if p.Number || p.Media != nil {
		return "", false
	}
	switch side := subject.SideOf(call, i); {
	case side == subject.NewSide:
		return added, p.Text != ""
	case side == subject.OldSide:
		return removed, p.Text != ""
	case len(p.Text) < leastWritten:
		return "", false
	case side == subject.Content || side == subject.Patch:
		return "", true
	}
	return "", len(p.Text) > 2*shortArg && strings.Contains(p.Text, "\n") || isChecklist(p.Text)
}
