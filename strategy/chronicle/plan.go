package chronicle

import (
	"slices"
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// This file finds what the next steps will edit, so that it stays as a whole: the functions that the open plan names in
// files that are still to be changed, and the section or the declaration that a short request is about.

// Limits for the plan, and for what it names.
const (
	newestPlans  = 3  // number of the newest texts and thoughts of the model in which the plan stands
	leastNoun    = 6  // least bytes of a name behind its verb
	mostDeclared = 40 // most lines of a declaration that is kept as a whole
	mostPattern  = 16 // most lines of one that only is a pattern
	phraseWords  = 4  // words of a phrase that a plan and a line of code share
	leastPhrase  = 16 // least bytes of their letters and digits
	mostComment  = 6  // most lines of the comment in front of it
)

// plans calls yield with the texts in which the open plan stands: the last two requests, the answer that the last
// request only agrees to, and the newest texts and thoughts of the model in the last turn.
func (d *draft) plans(yield func(text string) bool) {
	for text := range d.recentRequests {
		if !yield(text) {
			return
		}
	}
	newest := 0
	for i := len(d.Conv.Messages) - 1; i >= 0; i-- {
		m := d.Conv.Messages[i]
		if m.Hidden {
			continue
		}
		turn := int(d.turns[m.ID])
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			spoken := b.Origin == transcript.ByModel && (b.Kind == transcript.Text || b.Kind == transcript.Thinking) && turn == d.lastTurn && newest < newestPlans
			if spoken {
				newest++
			}
			if (spoken || turn == d.lastTurn-1 && d.closing.has(ref) && !d.replied.has(ref)) && !yield(b.Text()) {
				return
			}
		}
		if turn < d.lastTurn-1 {
			return
		}
	}
}

// plannedName matches a name that a text marks as code, perhaps behind that of a type or a package, and one with
// parentheses.
var plannedName = lazyregexp.New("`(?:[\\w*]+(?:\\.|::|->))*(\\w{4,60})[(`]|\\b(\\w{4,60})\\(\\)")

// openPlan holds what the open plan names: functions and types by their names, and for each the rest of its name
// behind the verb, such as JobById of removeJobById. A function with the same rest, getJobById, is a pattern for it.
type openPlan struct {
	names, rests map[string]bool
	phrases      map[uint64]bool // hashes of phrases; see eachPhrase
}

// planNames returns the names in the open plan.
func (d *draft) planNames() openPlan {
	p := openPlan{map[string]bool{}, map[string]bool{}, map[uint64]bool{}}
	if len(d.due) == 0 {
		return p
	}
	for text := range d.plans {
		for line := range strings.Lines(text) {
			eachPhrase(line, func(phrase uint64) { p.phrases[phrase] = true })
		}
		for _, m := range plannedName.FindAllStringSubmatch(text, -1) {
			p.names[m[1]+m[2]] = true
			if rest := behindVerb(m[1] + m[2]); len(rest) >= leastNoun {
				p.rests[rest] = true
			}
		}
	}
	return p
}

// behindVerb returns what follows the first word of a name, in lower case and without underscores, or "" if it has
// only one word.
func behindVerb(name string) string {
	at := strings.IndexFunc(name, func(r rune) bool { return r == '_' || unicode.IsUpper(r) })
	if at == 0 { // an exported name of Go
		at = 1 + strings.IndexFunc(name[1:], func(r rune) bool { return r == '_' || unicode.IsUpper(r) })
	}
	if at <= 0 {
		return ""
	}
	return strings.ToLower(strings.ReplaceAll(name[at:], "_", ""))
}

// markDeclared sets named for the lines of the declarations of planned names, and for the comments in front of them.
func (d *draft) markDeclared(t *text, named []float32) {
	if len(d.plan.names) == 0 || t.cut.Kind != squeeze.Code {
		return
	}
	for i := range t.cut.Pieces {
		value, most := d.plan.declares(withoutNumber(t.source(i, i+1)))
		if value == 0 {
			continue
		}
		end := t.blockEnd(i, most)
		if end-i > most {
			continue
		}
		first := i
		for first > 0 && i-first < mostComment && isComment(withoutNumber(t.source(first-1, first))) {
			first--
		}
		for k := first; k < end; k++ {
			named[k] = max(named[k], value)
		}
	}
}

// markPhrases sets named for the lines of code that have a phrase of the open plan, which may quote them with changes.
func (d *draft) markPhrases(t *text, named []float32) {
	if len(d.plan.phrases) == 0 || t.cut.Kind != squeeze.Code {
		return
	}
	lines := map[uint64][]int{}
	for i := range t.cut.Pieces {
		line := withoutNumber(t.source(i, i+1))
		if imports(strings.TrimSpace(line)) {
			continue
		}
		eachPhrase(line, func(phrase uint64) {
			if at := lines[phrase]; d.plan.phrases[phrase] && len(at) <= mostAlike && (len(at) == 0 || at[len(at)-1] != i) {
				lines[phrase] = append(at, i)
			}
		})
	}
	for _, at := range lines {
		if len(at) <= mostAlike {
			for _, i := range at {
				named[i] = max(named[i], valuePhrase)
			}
		}
	}
}

// eachPhrase calls yield with the hash of each run of phraseWords words in a line.
func eachPhrase(line string, yield func(phrase uint64)) {
	var starts [phraseWords]int
	for at, n := 0, 0; at < len(line); {
		if !isWordByte(line[at]) {
			at++
			continue
		}
		starts[n%phraseWords] = at
		for n++; at < len(line) && isWordByte(line[at]); {
			at++
		}
		if n < phraseWords {
			continue
		}
		hash, bytes := squeeze.HashStart, 0
		for i := starts[n%phraseWords]; i < at; i++ {
			if isWordByte(line[i]) {
				hash = squeeze.HashByte(hash, line[i])
				bytes++
			} else if isWordByte(line[i-1]) {
				hash = squeeze.HashByte(hash, ' ')
			}
		}
		if bytes >= leastPhrase {
			yield(hash)
		}
	}
}

// declares returns the value of the lines of the declaration that a line of code opens, and how many there may be:
// of one that has a planned name, or is a pattern. The value of other lines is 0.
func (p openPlan) declares(line string) (value float32, most int) {
	line = strings.TrimSpace(line)
	if line == "" || !strings.HasSuffix(line, "{") && !strings.HasSuffix(line, "(") && !strings.HasSuffix(line, ":") {
		return 0, 0
	}
	switch first, _, _ := strings.Cut(line, " "); strings.TrimSuffix(first, "(") {
	case "if", "for", "while", "switch", "return", "}", "else", "case", "elif", "with", "await", "try", "catch":
		return 0, 0
	}
	for at := 0; at < len(line); {
		if !isWordByte(line[at]) {
			at++
			continue
		}
		end := at
		for end < len(line) && isWordByte(line[end]) {
			end++
		}
		if at == 0 || line[at-1] != '.' {
			switch name := line[at:end]; {
			case p.names[name]:
				return valuePlanned, mostDeclared
			case p.rests[behindVerb(name)]:
				return valuePattern, mostPattern
			}
		}
		at = end
	}
	return 0, 0
}

// blockEnd returns the index of the first piece behind the block that a line of code opens: behind the line that
// closes it, or in front of the next line that is not deeper. It looks at no more than most pieces.
func (t *text) blockEnd(first, most int) int {
	depth := indentOf(withoutNumber(t.source(first, first+1)))
	last := min(len(t.cut.Pieces), first+most+1)
	for i := first + 1; i < last; i++ {
		line := withoutNumber(t.source(i, i+1))
		bare := strings.TrimSpace(line)
		switch {
		case bare == "" || indentOf(line) > depth:
		case bare[0] == ')' && strings.HasSuffix(bare, "{"), bare[0] == ')' && strings.HasSuffix(bare, ":"): // the end of a list of parameters
		case bare[0] == '}' || bare[0] == ')' || bare[0] == ']' || bare == "end":
			return i + 1
		default:
			return i
		}
	}
	return last
}

// indentOf returns the number of blanks at the beginning of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// isComment reports whether a line of code is a comment, or an annotation.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, start := range [...]string{"//", "#", "*", "/*", "@", "--"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// Limits for what the last request is about.
const (
	longRequest  = 60 // words from which on a request says more than what it is about
	leastSubject = 5  // least bytes of a word for what it is about
	mostAlike    = 4  // most headings, or names of declarations, of a text with the same word
	mostAsked    = 40 // most lines of a section or a declaration that is of value as a whole
	leastAbout   = 8  // lines of a longer one that are
)

// subjects returns the hashes of the words of the last request if that is short. They say what it is about.
func (d *draft) subjects() map[uint64]bool {
	words, list := 0, map[uint64]bool{}
	for m, b := range d.requestTexts {
		if int(d.turns[m.ID]) != d.lastTurn {
			continue
		}
		for word := range strings.FieldsSeq(b.Text()) {
			words++
			if word = bareWord(word); len(word) >= leastSubject {
				eachName(word, func(hash uint64, _ bool) { list[hash] = true })
			}
		}
	}
	if words > longRequest {
		return nil
	}
	return list
}

// askedRegions returns which pieces of a result of the last turn belong to what the last request is about: the section
// of a document whose heading has a word of the request, and the declaration whose name has one. It returns nil if
// there are none.
func (c *choice) askedRegions(t *text) []bool {
	code := t.cut.Kind == squeeze.Code
	if len(c.about) == 0 || t.form != result || !t.last || !code && !t.isProse() {
		return nil
	}
	heads, alike := map[int][]uint64{}, map[uint64]int{}
	for i := range t.cut.Pieces {
		eachName(t.headName(i, code), func(word uint64, _ bool) {
			if c.about[word] {
				heads[i] = append(heads[i], word)
				alike[word]++
			}
		})
	}
	var asked []bool
	for i, words := range heads {
		if !slices.ContainsFunc(words, func(word uint64) bool { return alike[word] <= mostAlike }) {
			continue
		}
		end := t.sectionEnd(i)
		if code {
			end = t.blockEnd(i, mostAsked)
		}
		if end-i > mostAsked {
			end = i + leastAbout
		}
		if asked == nil {
			asked = make([]bool, len(t.cut.Pieces))
		}
		for k := i; k < end; k++ {
			asked[k] = true
		}
	}
	return asked
}

// isAsked reports whether a piece belongs to what askedRegions returned.
func (t *text) isAsked(i int) bool {
	return t.seldom != nil && t.seldom.asked != nil && t.seldom.asked[i] || t.namedValue(i) > 0
}

// headName returns the words of a heading of a document, or in code the name that a line declares, or "".
func (t *text) headName(i int, code bool) string {
	line := withoutNumber(t.source(i, i+1))
	if !code && headingLevel(line) > 0 {
		return line
	}
	if end := strings.TrimRight(line, " \t\r\n"); code && end != "" && strings.IndexByte("{([:|", end[len(end)-1]) >= 0 {
		if m := declaration.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

// declaration matches the first line of the declaration of a function, a type or a list, and its name.
var declaration = lazyregexp.New(`^\s*(?:export |default |pub(?:\([a-z]+\))? |public |private |protected |internal |static |final |abstract |async |override |unsafe )*(?:func(?: \([^)]*\))?|function|fn|def|class|struct|interface|type|enum|trait|impl|module|const|let|var|val|object|record) +(\w+).*[{(\[:|]\s*$`)

// headingLevel returns the level of a heading of Markdown, or 0.
func headingLevel(line string) int {
	line = strings.TrimLeft(line, " \t")
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 6 || level > 0 && !strings.HasPrefix(line[level:], " ") {
		return 0
	}
	return level
}

// sectionEnd returns the index of the first piece behind the section of a heading.
func (t *text) sectionEnd(heading int) int {
	level := headingLevel(withoutNumber(t.source(heading, heading+1)))
	for i := heading + 1; i < len(t.cut.Pieces); i++ {
		if other := headingLevel(withoutNumber(t.source(i, i+1))); other > 0 && other <= level {
			return i
		}
	}
	return len(t.cut.Pieces)
}
