package chronicle

import (
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// deadLines reports whether a line is no longer in its file at the end of the conversation.
type deadLines func(line string) bool

// leastLine is the length in bytes from which a line is specific enough to be compared.
const leastLine = 12

// file is the state of a file while the conversation is read backwards.
type file struct {
	now     map[string]bool // its lines at the end; nil while they are not all known
	removed map[string]int  // lines that later edits removed and did not add again: the number of the step
	back    map[string]int  // lines that later edits added: the number of the step
	shown   map[string]int  // lines that later calls show, or write with the whole file: the number of the step
	steps   int             // calls on the file so far
	whole   bool            // a later call writes all of it
	last    lastShown
}

// lastShown is the text of the last result that shows the file. Its lines are needed only when another call
// on the file comes, which most files never have.
type lastShown struct {
	text string
	all  bool // it shows all of the file
	step int  // its number
}

// settle takes the lines of the last result.
func (f *file) settle() {
	last := f.last
	if last.text == "" {
		return
	}
	f.last = lastShown{}
	lines := linesOf(last.text)
	f.show(lines, last.step)
	if f.now == nil && last.all && !strings.Contains(last.text, "truncated") {
		f.now = lines
	}
}

// newFile returns a file of which nothing is known.
func newFile() *file {
	return &file{removed: map[string]int{}, back: map[string]int{}, shown: map[string]int{}}
}

// deadOf returns a check for each part of a call or result that shows lines of a file. The
// check reports whether the file no longer has a line at the end of the conversation, or whether a
// later call shows a line of a result again.
func deadOf(c *transcript.Conversation) map[*transcript.Part]deadLines {
	dead, files := map[*transcript.Part]deadLines{}, map[string]*file{}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		if m.Hidden {
			continue
		}
		for j := len(m.Blocks) - 1; j >= 0; j-- {
			b := m.Blocks[j]
			if b.Kind != transcript.ToolCall {
				continue
			}
			partner, ok := c.Partner(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
			if !ok {
				continue
			}
			answer := c.Block(partner)
			if fails(answer) {
				continue
			}
			of := func(path string) *file {
				key := tail(path)
				f := files[key]
				if f == nil {
					f = newFile()
					files[key] = f
				}
				return f
			}
			if patch(b, of, dead) {
				continue
			}
			if path, all := shellRead(b); path != "" {
				of(path).seen(answer, all, dead)
				continue
			}
			path := subject.Path(b)
			if path == "" || strings.Contains(path, "\n") {
				continue
			}
			of(path).step(b, answer, dead)
		}
	}
	return dead
}

// step applies one call on the file, and records the checks of its parts in dead.
func (f *file) step(b, answer *transcript.Block, dead map[*transcript.Part]deadLines) {
	f.steps++
	wrote := false
	for i := range b.Parts {
		p := &b.Parts[i]
		side, text, replaced := subject.SideOf(b, i), p.Text, subject.Replaced(b, i)
		if subject.InProse(b) {
			side, text, replaced = sidesInProse(b)
		}
		if side != subject.NewSide && side != subject.Content {
			continue
		}
		if !wrote { // the result may show the changed lines
			f.check(answer, dead)
		}
		wrote = true
		dead[p] = f.deadLines()
		if f.whole { // the later write holds all lines that remain
			dead[p] = func(string) bool { return true }
		}
		if f.whole {
			continue
		}
		added := linesOf(text)
		if side == subject.Content {
			f.settle()
			f.show(added, f.steps)
			f.written(added)
			continue
		}
		for line := range linesOf(replaced) {
			if !added[line] && f.back[line] == 0 && f.removed[line] == 0 {
				f.removed[line] = f.steps
			}
		}
		for line := range added {
			if f.back[line] == 0 {
				f.back[line] = f.steps
			}
		}
	}
	if !wrote {
		f.seen(answer, readsAll(b), dead)
	}
}

// sidesInProse returns what a call in prose writes, and what that replaces.
func sidesInProse(call *transcript.Block) (side subject.Side, text, replaced string) {
	if text = subject.Arg(call, "content", "file_text"); text != "" {
		return subject.Content, text, ""
	}
	if replaced = subject.Arg(call, oldArgs...); replaced != "" {
		return subject.NewSide, subject.Arg(call, "new_str", "new_string", "replace"), replaced
	}
	return subject.NoSide, "", ""
}

// oldArgs hold the text that a call in prose replaces.
var oldArgs = []string{"old_str", "old_string", "search"}

// written applies a write of the whole file, unless a later result shows all of it. Later
// edits have changed what it wrote.
func (f *file) written(lines map[string]bool) {
	f.whole = true
	if f.now != nil {
		return
	}
	f.now = lines
	for line := range f.back {
		f.now[line] = true
	}
	for line := range f.removed {
		delete(f.now, line)
	}
	f.removed, f.back = map[string]int{}, map[string]int{}
}

// tail returns the last two elements of a path. Paths are compared by them because calls
// name files by relative or absolute paths.
func tail(path string) string {
	path = strings.TrimPrefix(path, "./")
	for i, n := len(path)-1, 0; i >= 0; i-- {
		if path[i] == '/' {
			if n++; n == 2 {
				return path[i+1:]
			}
		}
	}
	return strings.TrimPrefix(path, "/")
}

// patch applies the apply_patch patch of a call, and reports whether the call has one.
func patch(b *transcript.Block, of func(path string) *file, dead map[*transcript.Part]deadLines) bool {
	for i := range b.Parts {
		p := &b.Parts[i]
		if !strings.Contains(p.Text, "*** Begin Patch") {
			continue
		}
		var f *file
		var checks []deadLines
		var added, removed []string
		end := func() {
			if f == nil {
				return
			}
			f.steps++
			checks = append(checks, f.deadLines())
			put := map[string]bool{}
			for _, line := range added {
				put[line] = true
			}
			for _, line := range removed {
				if !put[line] && f.back[line] == 0 && f.removed[line] == 0 {
					f.removed[line] = f.steps
				}
			}
			for _, line := range added {
				if f.back[line] == 0 {
					f.back[line] = f.steps
				}
			}
			added, removed = nil, nil
		}
		for line := range strings.Lines(p.Text) {
			line = strings.TrimRight(line, "\r\n")
			if path := subject.PatchedFile(line); path != "" {
				end()
				f = of(path)
				continue
			}
			if bare := strings.TrimSpace(line[min(1, len(line)):]); len(bare) >= leastLine && line[0] == '+' {
				added = append(added, bare)
			} else if len(bare) >= leastLine && line[0] == '-' {
				removed = append(removed, bare)
			}
		}
		end()
		dead[p] = func(line string) bool {
			if line == "" || line[0] != '+' && line[0] != ' ' {
				return false
			}
			for _, check := range checks {
				if check != nil && check(line[1:]) {
					return true
				}
			}
			return false
		}
		return true
	}
	return false
}

// reads matches a shell command that prints one file.
var reads = lazyregexp.New(`^(cat|nl -ba|nl|head(?: -n)?(?: -?\d+)?|tail(?: -n)?(?: [-+]?\d+)?|sed -n '?[\d,$ ]+p'?) +([^\s|<>;&*]+)$`)

// shellRead returns the path of the file that a shell command prints, and whether it prints
// all of it. The path is "" when the command does anything else.
func shellRead(b *transcript.Block) (path string, all bool) {
	command := subject.Command(b)
	if command == "" || len(command) > 400 {
		return "", false
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(command, ";", "&&"), "&&") {
		part = strings.TrimSpace(part)
		if strings.HasPrefix(part, "cd ") || part == "" {
			continue
		}
		m := reads.FindStringSubmatch(part)
		if m == nil || path != "" {
			return "", false
		}
		path, all = strings.Trim(m[2], "'\""), m[1] == "cat" || strings.HasPrefix(m[1], "nl")
	}
	return path, all
}

// check records the checks of the parts of a result that shows lines of the file.
func (f *file) check(answer *transcript.Block, dead map[*transcript.Part]deadLines) {
	for i := range answer.Parts {
		if p := &answer.Parts[i]; p.Media == nil && p.Text != "" {
			dead[p] = f.notNewest()
		}
	}
}

// seen applies a result that shows the file, or a part of it if all is false.
func (f *file) seen(answer *transcript.Block, all bool, dead map[*transcript.Part]deadLines) {
	f.steps++
	f.check(answer, dead)
	for i := range answer.Parts {
		p := &answer.Parts[i]
		if p.Media != nil || p.Text == "" {
			continue
		}
		f.settle()
		f.last = lastShown{p.Text, all, f.steps}
	}
}

// show marks lines as shown by the call with this number.
func (f *file) show(lines map[string]bool, step int) {
	for line := range lines {
		if f.shown[line] == 0 {
			f.shown[line] = step
		}
	}
}

// notNewest returns a check for the lines of a result that shows the file. It reports whether a later
// call removed a line, or shows it again: the newest copy of a line is the one to keep. It returns nil
// when no such line is known.
func (f *file) notNewest() deadLines {
	removed, limit := f.deadLines(), f.steps
	if len(f.shown) == 0 {
		return removed
	}
	shown := f.shown
	return func(line string) bool {
		if removed != nil && removed(line) {
			return true
		}
		n := shown[strings.TrimSpace(withoutNumber(line))]
		return 0 < n && n < limit
	}
}

// readsAll reports whether a call reads all of a file.
func readsAll(b *transcript.Block) bool {
	name := strings.ToLower(b.Tool)
	if !strings.Contains(name, "read") && !strings.Contains(name, "view") && !strings.Contains(name, "cat") && !strings.Contains(name, "open") {
		return false
	}
	for _, p := range b.Parts {
		switch p.Name[strings.LastIndexByte(p.Name, '.')+1:] {
		case "offset", "limit", "start_line", "end_line", "startLine", "endLine", "lines", "start", "line_range", "pattern", "query", "regex":
			if p.Text != "" {
				return false
			}
		}
		if strings.HasPrefix(p.Name, "view_range") {
			return false
		}
	}
	return true
}

// deadLines returns a function that reports whether a later call removed a line from the
// file. It returns nil when no line is known to be removed.
func (f *file) deadLines() deadLines {
	f.settle()
	now, removed, back, limit := f.now, f.removed, f.back, f.steps
	if len(removed) == 0 && now == nil {
		return nil
	}
	later := func(n int) bool { return 0 < n && n < limit }
	return func(line string) bool {
		line = strings.TrimSpace(withoutNumber(line))
		switch {
		case len(line) < leastLine:
			return false
		case later(removed[line]):
			return true
		case later(back[line]):
			return false
		}
		return now != nil && !now[line]
	}
}

// linesOf returns the lines of a text of at least leastLine bytes, without line numbers.
func linesOf(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(withoutNumber(line)); len(line) >= leastLine {
			set[line] = true
		}
	}
	return set
}

// withoutNumber removes the line number that a tool put in front of a line.
func withoutNumber(line string) string {
	_, rest, _ := cutNumber(line)
	return rest
}

// cutNumber returns the line number that a tool put in front of a line, and the rest of the line. ok reports whether
// there is one.
func cutNumber(line string) (number int, after string, ok bool) {
	rest := strings.TrimLeft(line, " ")
	digits := 0
	for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
		if digits < 7 {
			number = 10*number + int(rest[digits]-'0')
		}
		digits++
	}
	if digits == 0 || digits > 7 {
		return 0, line, false
	}
	for _, sep := range [...]string{"→", "\t", ":", " | ", "|"} {
		if after, ok := strings.CutPrefix(rest[digits:], sep); ok {
			return number, after, true
		}
	}
	if after := rest[digits:]; len(after) > 2 && isLower(after[0]) && isLower(after[1]) && after[2] == '|' { // the anchors of oh-my-pi
		return number, after[len("ab|"):], true
	}
	return 0, line, false
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
