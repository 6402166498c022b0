package chronicle

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// bytesPerCutter is the length of the texts from which on another goroutine cuts them faster than
// it starts.
const bytesPerCutter = 32 << 10

// cutAll cuts all texts, on all cores if they are long.
func (d *draft) cutAll() {
	var next atomic.Int64
	cut := func() { // each goroutine owns the texts whose indices it draws
		space := scratch{seen: map[string]bool{}}
		for i := next.Add(1) - 1; i < int64(len(d.texts)); i = next.Add(1) - 1 {
			d.cut(&d.texts[i], &space)
		}
	}
	size := 0
	for i := range d.texts {
		size += int(d.texts[i].to - d.texts[i].from)
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0)-1, size/bytesPerCutter) {
		wg.Go(cut)
	}
	cut()
	wg.Wait()
}

// scratch is space that the texts of a goroutine use one after the other.
type scratch struct {
	hits  []hit
	seen  map[string]bool // lines
	lines fact.Index
}

// cut cuts a text into pieces and groups.
func (d *draft) cut(t *text, space *scratch) {
	source := t.block.Parts[t.part].Text[t.from:t.to]
	switch t.form {
	case thought:
		t.cut, t.starts = squeeze.Thoughts(source)
	case prose:
		d.cutProse(t, source)
	default:
		if t.typed && len(source) <= shortTyped {
			t.cut, t.starts = squeeze.Paragraphs(source)
			break
		}
		t.cut = squeeze.Cut(source, d.Hint(t.ref(), t.block, int(t.part)))
		t.cut.Gutter = false
		if t.form == result && !needsParents(t.cut.Kind) {
			t.dropParents()
		}
		t.starts = t.cut.Regions()
		if t.isProse() && (d.Held == nil || len(d.Held(t.block, t.cut)) == 0) { // lines that stay in any case need none
			t.putUnderHeadings()
			t.markTurns()
		}
	}
	if t.form == frame && (t.cut.Kind == squeeze.Prose || t.cut.Kind == squeeze.Plain) {
		t.cut, t.starts = squeeze.Paragraphs(source) // so that both fences of a code block stay together
	}
	if t.form == hunks {
		t.config = t.file && t.sign == "" && settingsFile.MatchString(subject.Path(t.block))
		t.splitSignatures()
		t.markUnchanged(space)
		t.markContext()
	}
	if t.form == result {
		d.markResult(t, space)
	}
	if t.form == frame && t.block.Origin == transcript.Injected {
		t.cut.PairTags()                         // whatever kind of text the element holds
		for i := 1; i < len(t.cut.Pieces); i++ { // the first words identify a text of a client
			if p := &t.cut.Pieces[i]; p.Under == squeeze.None {
				p.Under = 0
			}
		}
	}
	t.dirty = true
	t.kept = make([]bool, len(t.cut.Pieces))
	for i, p := range t.cut.Pieces {
		t.kept[i] = t.fixed && p.Start >= t.head
	}
}

// markResult marks the pieces of a result for what they are, and makes some of them groups of their own.
func (d *draft) markResult(t *text, space *scratch) {
	t.markNoise(d.writtenLines(t, space))
	t.markRefusal()
	t.markAnnounced()
	t.markRepeats(space)
	t.splitStale(d.dead[&t.block.Parts[t.part]])
	t.turn = d.turns[t.msg]
	t.helps, t.due = d.isHelp(t), d.isDue(t)
	t.markEcho(d.callOf(t))
	if d.reports(t) {
		t.markCode()
	}
	if t.due {
		d.markNamed(t)
	}
	space.hits = d.asked.hits(t, space.hits)
	if len(space.hits) > 0 {
		t.seldoms().hits = slices.Clone(space.hits)
	}
}

// cutProse cuts a text of the model into sentences and paragraphs.
func (d *draft) cutProse(t *text, source string) {
	t.cut, t.starts = squeeze.Paragraphs(source)
	if n := len(t.cut.Pieces); n > 0 && t.starts[len(t.starts)-1] < n-1 && d.isAnsweredOffer(t, t.source(n-1, n)) {
		t.starts = append(t.starts, n-1) // so that the rest of its paragraph can stay without it
	}
}

// dropParents makes each piece independent of the one that it stands under.
func (t *text) dropParents() {
	for i := range t.cut.Pieces {
		t.cut.Pieces[i].Under = squeeze.None
	}
}

// putUnderHeadings makes a piece of a document need the heading of its section, which names what the piece is about. A
// comment in a block of code is no heading.
func (t *text) putUnderHeadings() {
	heading, code := int32(squeeze.None), t.codePieces()
	for i := range t.cut.Pieces {
		if headingLevel(withoutNumber(t.source(i, i+1))) > 0 && (code == nil || !code[i]) {
			heading = int32(i)
		} else {
			t.cut.Pieces[i].Under = heading
		}
	}
}

// helpOption matches the option of a command line that asks for a help text.
var helpOption = lazyregexp.New(`(?:^|\s)--help(?:\s|$)`)

// settingsFile matches the paths of files that configure tools.
var settingsFile = lazyregexp.New(`(?i)(?:\.(?:json|ya?ml|toml|ini|cfg|conf|lock|xml|properties)|/Dockerfile|/\.[\w.-]+)$`)

// skillFile is the name of the file in which Claude Code, Codex and other clients keep a skill.
const skillFile = "SKILL.md"

// isHelp reports whether a result is the help text of a command, or a skill of the client that no request names. Both can
// be had again at any time.
func (d *draft) isHelp(t *text) bool {
	call := d.callOf(t)
	if call == nil {
		return false
	}
	if file := strings.ReplaceAll(readBy(call), `\`, "/"); path.Base(file) == skillFile {
		return !d.asked.names(path.Base(path.Dir(file)))
	}
	command := subject.Command(call)
	return strings.Contains(command, "--help") && helpOption.MatchString(command)
}

// callOf returns the only call of the step of a text, or nil.
func (d *draft) callOf(t *text) *transcript.Block {
	if t.step < 0 || len(d.steps[t.step].calls) != 1 {
		return nil
	}
	return d.Conv.Block(d.steps[t.step].calls[0])
}

// needsParents reports whether a reader of a piece of a result needs the pieces that it stands under: the keys
// of a value, the file of a changed line.
func needsParents(kind squeeze.Kind) bool {
	switch kind {
	case squeeze.JSON, squeeze.NDJSON, squeeze.Diff:
		return true
	}
	return false
}

// The tags around the text that Claude Code adds to a result for the model.
const (
	reminder    = "<system-reminder>"
	reminderEnd = "</system-reminder>"
)

// mostFraming is the largest number of pieces that a client puts in front of an output.
const mostFraming = 8

// framing reports whether a piece is a line that Codex writes in front of an output.
func framing(piece string) bool {
	line := strings.TrimSpace(piece)
	_, ok := transcript.StatusLine(line)
	return line == "Output:" || ok && !strings.Contains(line, "\n")
}

// notices matches the lines that clients write around an output: about its length and its end, and the tags
// in which they put it.
var notices = lazyregexp.New(`\A\s*(?:` + strings.Join([]string{
	`[\[(](?:Showing lines|End of file|raw output:)[^\n]*[\])]`,
	`<shellId: \d+ completed[^\n]*>`, `<exited with exit code \d+>`, `\(Bash completed with no output\)`,
	`</?(?:content|output)>`, `<path>[^<\n]*</path>`, `<type>file</type>`, `<returncode>0</returncode>`, // OpenCode, mini-SWE-agent
	`Directory: \(root\)`, `Error: \(none\)`, `Exit Code: 0`, `Signal: (?:0|\(none\))`, `Background PIDs: \(none\)`, `Process Group PGID: \d+`, // Gemini CLI
	`\[(?:Jupyter current|Current) working directory: [^\n]*\]`, `\[Python [Ii]nterpreter: [^\n]*\]`, `\[(?:The c|C)ommand (?:finished|completed) with exit code 0\.?\]`, // OpenHands
	`agentId: \w+ \(for resuming[^\n]*\)(?:\n<usage>total_tokens: \d+)?`, `(?:<usage>)?(?:total_tokens|subagent_tokens|tool_uses|duration_ms): \d+(?:</usage>)?`, // Claude Code, behind the answer of another agent
	// The text editor of Anthropic, which OpenHands and SWE-agent use, too.
	"(?:The file [^\\n]* has been edited\\. )?Here's the result of running `cat -n` on [^\\n]*:", `Review the changes and make sure they are as expected[^\n]*`,
}, "|") + `)\s*\z`)

// isNotice reports whether a piece is a line that notices matches. Most pieces begin otherwise, and need no
// regular expression.
func isNotice(piece string) bool {
	piece = strings.TrimLeft(piece, " \t\r\n")
	return piece != "" && strings.IndexByte("[(<DESBPHTRadst", piece[0]) >= 0 && notices.MatchString(piece)
}

// markRepeats finds the pieces of a result that repeat an earlier piece of it.
func (t *text) markRepeats(space *scratch) {
	space.lines.Reset()
	for i := range t.cut.Pieces {
		line := strings.TrimSpace(withoutNumber(t.source(i, i+1)))
		if line == "" {
			continue
		}
		if _, seen := space.lines.Find(line); seen {
			t.repeat(i)
			continue
		}
		space.lines.ID(line)
	}
}

// mostTiny is the number of bytes that a side of an edit may add or remove to be tiny.
const mostTiny = 160

// markUnchanged finds the pieces of a side of an edit whose lines the other side has, too. It makes
// the runs of the others groups of their own: only these say what the edit changed.
// A call in prose, and a patch with blocks to search for, have both sides in one text. Of that, what they only removed
// counts as unchanged.
func (t *text) markUnchanged(space *scratch) {
	replaced := ""
	if subject.InProse(t.block) {
		replaced = subject.Arg(t.block, oldArgs...)
	}
	if t.sign == "" && replaced == "" && strings.Contains(t.cut.Source, " SEARCH\n") {
		_, replaced = sidesOf(t.cut.Source)
	}
	if t.sign == "" && replaced == "" {
		return
	}
	side := subject.OldSide
	if t.sign == removed {
		side = subject.NewSide
	}
	other := space.seen
	clear(other)
	add := func(text string) {
		for line := range strings.Lines(text) {
			other[strings.TrimSpace(line)] = true
		}
	}
	add(replaced)
	for i := range t.block.Parts {
		if subject.SideOf(t.block, i) == side {
			add(t.block.Parts[i].Text)
		}
	}
	repeats := make([]bool, len(t.cut.Pieces))
	changed := 0
	for i := range t.cut.Pieces {
		repeats[i] = true
		for line := range strings.Lines(t.source(i, i+1)) {
			line = strings.TrimSpace(line)
			same := other[line] || replaced != "" && (argumentTag.MatchString(line) || callTag.MatchString(line))
			if repeats[i] = repeats[i] && same; !same {
				changed += len(line)
			}
		}
	}
	t.seldoms().repeats, t.seldoms().tiny = repeats, changed <= mostTiny
	t.split(repeats)
}

// markContext does for a patch what markUnchanged does for the sides of an edit. What the patch removed counts as
// unchanged unless it is tiny.
func (t *text) markContext() {
	if t.sign != "" || subject.SideOf(t.block, int(t.part)) != subject.Patch || !isPatch(t.cut.Source) {
		return
	}
	repeats := make([]bool, len(t.cut.Pieces))
	more, gone := 0, 0
	for i := range t.cut.Pieces {
		repeats[i] = true
		for line := range strings.Lines(t.source(i, i+1)) {
			repeats[i] = repeats[i] && (line[0] == ' ' || line[0] == '-')
			switch line[0] {
			case '-':
				gone += len(line)
			case '+':
				more += len(line)
			}
		}
	}
	if gone > 0 && gone <= mostTiny {
		for i := range t.cut.Pieces {
			repeats[i] = repeats[i] && t.source(i, i+1)[0] != '-'
		}
	}
	t.seldoms().repeats, t.seldoms().tiny = repeats, gone <= mostTiny && more <= mostTiny
	t.split(repeats)
}

// isPatch reports whether a text is a patch of apply_patch.
func isPatch(text string) bool { return strings.Contains(text, "*** Begin Patch") }

// writtenLines returns the lines that the call of a result wrote, in space; nil for none. Clients repeat them in
// the result.
func (d *draft) writtenLines(t *text, space *scratch) map[string]bool {
	call := d.callOf(t)
	if call == nil {
		return nil
	}
	lines := space.seen
	clear(lines)
	for i := range call.Parts {
		if sign, ok := wrote(call, i); !ok || sign == removed {
			continue
		}
		for line := range strings.Lines(call.Parts[i].Text) {
			lines[strings.TrimSpace(line)] = true
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return lines
}

// markNoise finds the pieces of a result that are not output of the tool, or that its call wrote, and makes
// them groups of their own.
func (t *text) markNoise(written map[string]bool) {
	source := t.cut.Source
	noisy := func(i int) bool {
		p := t.cut.Pieces[i]
		first, last := i < mostFraming, i >= len(t.cut.Pieces)-mostFraming
		return p.End <= t.head || t.marks(i, i+1) || first && framing(source[p.Start:p.End]) ||
			(first || last) && isNotice(source[p.Start:p.End])
	}
	from, to := strings.Index(source, reminder), -1
	if from >= 0 {
		if to = strings.LastIndex(source, reminderEnd); to < from {
			from = -1
		}
	}
	any := false
	noise := make([]bool, len(t.cut.Pieces))
	for i, p := range t.cut.Pieces {
		noise[i] = noisy(i) || from >= 0 && int(p.Start) >= from && int(p.Start) <= to
		if line := strings.TrimSpace(withoutNumber(source[p.Start:p.End])); written != nil && !noise[i] {
			noise[i] = line != "" && written[line] || line == "" && i > 0 && noise[i-1]
		}
		any = any || noise[i]
	}
	if !any {
		return
	}
	t.seldoms().noise = noise
	t.split(noise)
}

// markEcho notes that a text is the result of a call that changes a file, and makes the lines of the file that it shows
// groups of their own.
func (t *text) markEcho(call *transcript.Block) {
	if t.edited = call != nil && subject.Changes(call); !t.edited {
		return
	}
	echoes := make([]bool, len(t.cut.Pieces))
	for i := range echoes {
		echoes[i] = t.echoes(i)
	}
	t.split(echoes)
}

// split makes the runs of pieces with equal marks groups of their own.
func (t *text) split(marked []bool) {
	starts := t.starts[:0:0]
	next := 0
	for i := range t.cut.Pieces {
		begins := next < len(t.starts) && t.starts[next] == i
		if begins {
			next++
		}
		if begins || i > 0 && marked[i] != marked[i-1] {
			starts = append(starts, i)
		}
	}
	t.starts = starts
}

// splitStale makes the runs of lines that are no longer in their file groups of their own.
// Lines that are too short to be compared belong to the line before them.
func (t *text) splitStale(check deadLines) {
	if check == nil {
		return
	}
	any := false
	stale := make([]bool, len(t.cut.Pieces))
	for i := range t.cut.Pieces {
		line := t.source(i, i+1)
		switch {
		case len(strings.TrimSpace(withoutNumber(line))) >= leastLine:
			stale[i] = check(line)
		case i > 0:
			stale[i] = stale[i-1]
		}
		any = any || stale[i]
	}
	if any {
		t.seldoms().dead = stale
		t.split(stale)
	}
}

// demanded finds the pieces of instructions that hold a constraint that no earlier text
// holds. A list of skills says what these are for, and demands nothing.
func (d *draft) demanded(t *text) {
	if listsSkills(t.cut.Source) {
		return
	}
	fact.Constraints(t.cut.Source, func(at int, sentence string) {
		if d.ruled[sentence] {
			return
		}
		d.ruled[sentence] = true
		for i, p := range t.cut.Pieces {
			if int(p.End) > at && int(p.Start) < at+len(sentence) {
				own := t.seldoms()
				own.demands = append(own.demands, i)
			}
		}
	})
}

// skill matches an item of the list of skills that Claude Code shows to its model: a name and what it is for.
var skill = lazyregexp.New(`(?m)^- [a-z][\w:.-]*: `)

// leastSkills is the number of items from which on a text is such a list.
const leastSkills = 5

// listsSkills reports whether a text is a list of skills.
func listsSkills(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(text, "The following skills are available") {
		return true
	}
	at := skill.FindStringIndex(text)
	return at != nil && at[0] == 0 && len(skill.FindAllStringIndex(text, leastSkills)) == leastSkills
}
