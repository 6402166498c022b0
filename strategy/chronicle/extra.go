package chronicle

import (
	"slices"
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// valueUncommitted is the value of a line of what listsChanges finds.
const valueUncommitted = 0.3

// This file values the pieces of a text in addition to the facts that they mention.

// extras returns the value of each piece of a text in addition to its facts.
func (c *choice) extras(t *text) []float64 {
	extras := make([]float64, len(t.cut.Pieces))
	base, cue := c.baseOf(t)
	fade, document := recency(int(t.age)), c.severe && t.isDocument()
	for i := range extras {
		p := &t.cut.Pieces[i]
		w := base
		if c.spoken(t) {
			w *= c.tone(t, i)
		}
		extras[i] = float64(float64(w*t.size(i)) * fade)
		extras[i] += float64(c.signatureValue(t, i) * fade)
		if t.isProse() {
			extras[i] += float64(float64(valueWord*c.words.weight(t.cut.Source[p.Start:p.End])) * fade)
			switch line := withoutNumber(t.cut.Source[p.Start:p.End]); {
			case !document:
			case states(line):
				extras[i] += float64(valueStated * fade)
			case !t.helps && runs(line):
				extras[i] += float64(valueRun * fade)
			}
		}
		if t.form == hunks && wordy(t.cut.Source[p.Start:p.End]) {
			extras[i] += float64(float64(valueWords*t.size(i)) * fade)
		}
		if t.form == hunks && hasLiteral(t.cut.Source[p.Start:p.End]) {
			extras[i] += float64(valueLiteral * fade)
		}
		extras[i] += t.extraOf(i, fade)
		if p.Like == squeeze.None && !t.repeated(i) {
			extras[i] += float64(float64(cue*float64(p.Cue)) * fade)
		}
	}
	for _, h := range t.hits() {
		if i := int(h.piece); !t.idle(i) && !t.repeated(i) && !imports(withoutNumber(t.source(i, i+1))) {
			extras[h.piece] += float64(c.asked.value(h, t.due, int(t.turn), c.lastTurn) * t.roleFactor(i))
		}
	}
	c.addAbout(extras, t)
	if t.closing {
		addPoints(extras, t, fade)
	}
	if c.listsChanges(t) {
		for i := range extras {
			if !strings.Contains(t.source(i, i+1), `(use "git `) {
				extras[i] += valueUncommitted
			}
		}
	}
	if last := t.lastLine(); c.severe && last >= 0 && c.endsWithOutcome(t, last) {
		extras[last] += float64(valueEnd * fade)
	}
	if t.closing && len(extras) > 0 { // an answer usually begins with its conclusion
		extras[0] += valueFirst
	}
	return extras
}

// runs reports whether a line of a document is a command, such as "npm run build", or has the address of a local server.
func runs(line string) bool {
	line = strings.TrimLeft(line, " \t$>")
	first, rest, _ := strings.Cut(line, " ")
	return rest != "" && effectWords[first] && effects.MatchString(line) || strings.Contains(line, "://localhost") || strings.Contains(line, "://127.0.0.1")
}

// signatureValue returns the value of a piece that declares something, or 0. A line that leastShared files have is of
// no value: most of these are what a framework calls.
func (c *choice) signatureValue(t *text, i int) float64 {
	switch {
	case t.isPending(i) && declaration.MatchString(withoutFence(t.source(i, i+1))):
		return valueSignature
	case !t.declares(i):
		return 0
	case len(c.declared[strings.TrimSpace(t.source(i, i+1))]) >= leastShared:
		return 0
	case t.opensType(i) && t.typeEnd(i) == 0:
		return float64(valueSignature*float64(t.cut.Pieces[i].Cue)) * headShare
	}
	return valueSignature * float64(t.cut.Pieces[i].Cue)
}

// Factors for the value of a name of a request in a line of code that is due.
const (
	valueAssigned = 1.5 // the line sets a variable or a field
	valuePassed   = 0.3 // the line has hardly more than the name, such as an argument in a line of its own
)

// assignment matches a line of code that sets a variable or a field.
var assignment = lazyregexp.New(`^\s*[\w.$<>\[\]{}*&, ]+(?:: [\w.<>\[\]|? ]+)? (?::=|=) `)

// roleFactor returns the factor for a line that has a name of a request: what a name stands for says more than that it
// is passed on.
func (t *text) roleFactor(i int) float64 {
	if !t.due || t.cut.Kind != squeeze.Code {
		return 1
	}
	switch line := withoutNumber(t.source(i, i+1)); {
	case bare(line):
		return valuePassed
	case assignment.MatchString(line):
		return valueAssigned
	}
	return 1
}

// addAbout adds the values of the pieces that belong to what the last request is about.
func (c *choice) addAbout(extras []float64, t *text) {
	asked := c.askedRegions(t)
	if asked == nil {
		return
	}
	t.seldoms().asked = asked
	for i := range asked {
		if asked[i] && !t.idle(i) && !t.repeated(i) {
			extras[i] += float64(valueAbout * t.size(i))
		}
	}
}

// extraOf returns the value of a line of a result that a request or the open plan names, that a user said in a conversation
// which a tool returned, that no call changed, or that a short diff changes.
func (t *text) extraOf(i int, fade float64) float64 {
	switch named := t.namedValue(i); {
	case named > 0:
		return named
	case t.isTurn(i):
		return float64(valueTurn * fade)
	case t.isForeign(i):
		return float64(valueForeign * fade)
	case t.form == result && t.cut.Kind == squeeze.Diff && len(t.cut.Pieces) <= mostDiff && isChange(t.source(i, i+1)):
		return float64(valueChange * fade)
	}
	return 0
}

// mostDiff is the number of lines up to which a diff that a tool returned is short.
const mostDiff = 40

// isChange reports whether a line of a diff is one that it adds or removes.
func isChange(line string) bool {
	return (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") && strings.TrimSpace(line[1:]) != ""
}

// addPoints adds the values of the pieces of a closing answer for what they state.
func addPoints(extras []float64, t *text, fade float64) {
	open := false // the piece stands under a heading over what is left to do
	for i := range t.cut.Pieces {
		piece := t.source(i, i+1)
		heading := isHeading(piece)
		if heading {
			open = openHeading.MatchString(piece)
		}
		point := pointOf(piece)
		if open && !heading {
			point = max(point, valueFinding)
		}
		extras[i] += float64(point * fade)
	}
}

// mostUncommitted is the number of lines up to which the last output of git status is of value as a whole.
const mostUncommitted = 20

// listsChanges reports whether a text is the last output of git status, and short.
func (c *choice) listsChanges(t *text) bool {
	call := c.callOf(t)
	return t.form == result && t.due && len(t.cut.Pieces) <= mostUncommitted && call != nil && gitStatus.MatchString(subject.Command(call))
}

// endsWithOutcome reports whether the last line of a result is likely to state the outcome of a command. The last
// line of JSON is a bracket, and that of a help text names another help text.
func (c *choice) endsWithOutcome(t *text, last int) bool {
	if t.step < 0 || c.steps[t.step].kind != fact.ShellTool || t.helps {
		return false
	}
	return t.cut.Kind != squeeze.JSON && t.cut.Kind != squeeze.NDJSON && speaks(t.source(last, last+1))
}

// baseOf returns the value of a token of a text, and the value of one unit of the cue of a piece.
func (c *choice) baseOf(t *text) (base, cue float64) {
	switch {
	case t.closing:
		return valueClosing, 0
	case t.form == prose, t.typed, t.form == frame && c.orders.has(t.ref()):
		return valueSaid, 0
	case t.form == thought:
		return valueQuoted, 0
	case c.reports(t) && t.last:
		return valueReport, valueCue
	case c.reports(t):
		return valueReported, valueCue
	case t.form == hunks && t.last:
		return valueLastArgs, valueCue
	case t.form == hunks:
		return valueArgs, valueCue
	case t.form == frame:
		return valueInjected, valueCue
	case t.form == result && t.brief():
		return valueBrief, valueCue
	}
	return valueOutput, valueCue
}

// isDocument reports whether a text is prose with headings, or with words in bold at the beginning of lines.
func (t *text) isDocument() bool {
	if !t.isProse() {
		return false
	}
	for line := range strings.Lines(t.cut.Source) {
		if leads(withoutNumber(line)) {
			return true
		}
	}
	return false
}

// lastLine returns the index of the last piece of a result that is output of the tool, or -1.
func (t *text) lastLine() int {
	if t.form != result {
		return -1
	}
	last := len(t.cut.Pieces) - 1
	for last >= 0 && t.idle(last) {
		last--
	}
	return last
}

// brief reports whether a text is an output of few lines that is no file and no search: the state that a
// command prints.
func (t *text) brief() bool {
	switch t.cut.Kind {
	case squeeze.Code, squeeze.Search, squeeze.Listing, squeeze.Binary:
		return false
	}
	return strings.Count(t.cut.Source, "\n") <= mostBrief
}

// alike reports whether most pieces in [from, to) have the shape of an earlier piece of the text.
func (t *text) alike(from, to int) bool {
	n := 0
	for _, p := range t.cut.Pieces[from:to] {
		if p.Like != squeeze.None {
			n++
		}
	}
	return 2*n > to-from
}

// chatterLevel marks a line of a log for the developers of a program.
var chatterLevel = lazyregexp.New(`\blevel=(?:debug|trace)\b`)

// chatterScan is the number of bytes of a line that are searched for its level.
const chatterScan = 80

// measures reports whether a line has a decimal fraction or a colour.
func measures(line string) bool {
	for i := 0; i+1 < len(line); i++ { // most lines have no such two characters, and the expression takes long
		switch next := line[i+1]; line[i] {
		case '.', '#', '0':
			if isHex(next) || next == 'x' {
				return measure.MatchString(line)
			}
		}
	}
	return false
}

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// measure matches what [measures] looks for.
var measure = lazyregexp.New(`(?:^|[^\w.])\d*\.\d+(?:[^\w.]|$)|\b0x[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{6}\b`)

// loggers are the beginnings of lines of code that only write a log, or add something to a line of one.
var loggers = []string{
	"slog.", "log.", "logger.", "logging.", "console.", "self.logger.", "this.logger.", "self.log.", "this.log.", "LOG.", "Log.", "Debug.", "NSLog(", "zap.",
	"tracing::", "log::", "debug!(", "info!(", "trace!(", "println!(", "eprintln!(", "System.out.print", "System.err.print", "fmt.Print", "print(",
}

// logs reports whether a line of code only writes a log.
func logs(line string) bool {
	return slices.ContainsFunc(loggers, func(start string) bool { return strings.HasPrefix(line, start) })
}

// isDisabled reports whether a line is code that is commented out.
func isDisabled(line string) bool {
	rest, ok := strings.CutPrefix(line, "//")
	return ok && rest != "" && strings.IndexByte(";{}", rest[len(rest)-1]) >= 0
}

// isMinor reports whether the pieces of a text in [from, to) are of little use: lines of a file that a thought quotes, a
// log for developers, or code of which at least half the lines write one, or place or colour what a program draws. So are
// patterns of files to ignore, also if a call wrote them.
func (t *text) isMinor(from, to int) bool {
	switch {
	case t.form == thought: // it quotes a file
		return withoutNumber(t.source(from, from+1)) != t.source(from, from+1) && withoutNumber(t.source(to-1, to)) != t.source(to-1, to)
	case t.form != result && t.form != hunks:
		return false
	case ignores(t.source(from, to)), t.echoes(from):
		return true
	case t.form == hunks:
		return false
	}
	if t.cut.Kind != squeeze.Code {
		return chatters(t.source(from, to))
	}
	minor, all := 0, 0
	for i := from; i < to; i++ {
		line := strings.TrimSpace(withoutNumber(t.source(i, i+1)))
		if line == "" {
			continue
		}
		all++
		if measures(line) || logs(line) || isDisabled(line) {
			minor++
		}
	}
	return minor > 0 && 2*minor >= all || chatters(t.source(from, to))
}

// echoes reports whether a piece is a line of a file that the result of its edit shows: the edit has what is new in it.
func (t *text) echoes(i int) bool {
	return t.form == result && t.edited && withoutNumber(t.source(i, i+1)) != t.source(i, i+1)
}

// ignores reports whether the lines of a text are comments and patterns of files, as in .gitignore.
func ignores(text string) bool {
	comments, patterns, signs := 0, 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(withoutNumber(line))
		switch {
		case line == "":
		case line[0] == '#':
			comments++
		case strings.ContainsAny(line, " \t=:;,|(){}<>\"'$"):
			return false
		default:
			patterns++
			if strings.IndexByte(".*!/", line[0]) >= 0 || line[len(line)-1] == '/' || strings.Contains(line, "*") {
				signs++
			}
		}
	}
	return comments > 0 && patterns > 0 && 2*signs >= patterns
}

// chatters reports whether the first line of a text is one of a log for developers.
func chatters(text string) bool {
	line, _ := lineAt(text, 0)
	line = line[:min(len(line), chatterScan)]
	return beginsWithLevel(line) || strings.Contains(line, "level=") && chatterLevel.MatchString(line)
}

// beginsWithLevel reports whether a line begins with a level for developers, perhaps after a time and other
// characters that are no letters.
func beginsWithLevel(line string) bool {
	at := 0 // of the first letter, besides those of a time
	for at < len(line) && (!isWordByte(line[at]) || line[at] <= '9' || line[at] == 'T' || line[at] == 'Z') {
		at++
	}
	if strings.HasPrefix(line[max(0, at-1):], "TRACE") {
		at--
	}
	if at > 0 && isWordByte(line[at-1]) {
		return false
	}
	for _, level := range [...]string{"debug", "trace", "verbose", "DEBUG", "TRACE", "VERBOSE", "npm verb", "npm sill"} {
		if rest, ok := strings.CutPrefix(line[at:], level); ok {
			return rest == "" || !isWordByte(rest[0])
		}
	}
	return false
}

// A line is wordy from this many words on, when they make up this share of its bytes.
const (
	wordyWords = 5
	wordyShare = 0.65
)

// wordy reports whether a line is made of words, and not of code: it is prose or a comment, which states
// what the code does not.
func wordy(line string) bool {
	words, bytes := 0, 0
	for field := range strings.FieldsSeq(line) {
		if word := bareWord(field); len(word) > 1 && strings.IndexFunc(word, isNoWord) < 0 {
			words++
			bytes += len(field) + 1
		}
	}
	return words >= wordyWords && float64(bytes) >= wordyShare*float64(len(strings.TrimSpace(line)))
}

// isNoWord reports whether a character is not part of a word in prose.
func isNoWord(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }

// namesFile reports whether a line has a path, and besides at most bareWords words.
func namesFile(line string) bool {
	words, paths := 0, 0
	for word := range strings.FieldsSeq(line) {
		if strings.IndexByte(word, '/') >= 0 {
			paths++
		} else if words++; words > bareWords {
			return false
		}
	}
	return paths > 0
}

// bare reports whether a line has at most bareWords words, such as a name alone.
func bare(line string) bool {
	words := 0
	for range strings.FieldsSeq(line) {
		if words++; words > bareWords {
			return false
		}
	}
	return true
}
