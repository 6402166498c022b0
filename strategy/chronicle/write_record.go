package chronicle

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
	"condense/transcript/marker"
)

// record returns the record of the pending steps and old records. lead, if not "", is its
// first chunk.
func (w *writer) record(lead string) string {
	r := recorder{names: w.names, chunks: make([]chunk, 0, len(w.pending)+1), entries: make([]recorded, 0, len(w.pending))}
	if len(w.pending) > manyEntries {
		r.places, r.seed = map[uint64]int32{}, maphash.MakeSeed()
	}
	if lead != "" {
		r.chunks = append(r.chunks, chunk{head: lead})
	}
	for _, p := range w.pending {
		switch p.kind {
		case oldElement:
			r.old(&w.olds[p.at])
			continue
		case thoughtElement:
			r.chunks, r.last = append(r.chunks, chunk{head: thoughtWord, quotes: w.keptLines(nil, &w.texts[p.at], "")}), nil
			continue
		}
		s := &w.steps[p.at]
		if s.label {
			r.step(s, w.described(int(p.at)), append(w.quotes(s), w.oldQuotes(s)...))
		} else {
			r.count(s)
		}
		if int(p.at)+1 == w.unedited {
			r.unedited()
		}
	}
	if len(w.pending) == 1 && w.pending[0].kind == oldElement {
		return asBefore(writeRecord(r.chunks), &w.olds[w.pending[0].at])
	}
	return writeRecord(r.chunks)
}

// unedited adds that there were no edits, once.
func (r *recorder) unedited() {
	for i := range r.chunks {
		r.chunks[i].head = strings.TrimSuffix(r.chunks[i].head, "; "+unedited)
	}
	r.chunks = slices.DeleteFunc(r.chunks, func(c chunk) bool { return c.head == unedited })
	r.chunks, r.last = append(r.chunks, chunk{head: unedited}), nil
}

// asBefore returns a record that has no other words than an old record with the id of that.
func asBefore(record string, o *oldRecord) string {
	if plain, id := marker.CutRecordID(o.text); id != "" && plain == record {
		return strings.TrimRight(o.text, "\n")
	}
	return record
}

// oldRecords returns the old records with the given indices in olds as one record.
func (w *writer) oldRecords(olds []int) string {
	r := recorder{names: w.names, command: -1}
	for _, o := range olds {
		r.old(&w.olds[o])
	}
	if len(olds) == 1 {
		return asBefore(writeRecord(r.chunks), &w.olds[olds[0]])
	}
	return writeRecord(r.chunks)
}

// oldQuotes returns the words of the kept old records in the results of a step, as its record
// quotes them: like other lines of the results.
func (w *writer) oldQuotes(s *step) (list []string) {
	for _, o := range slices.Concat(s.also().before, s.also().after) {
		if !w.olds[o].kept {
			continue
		}
		for _, c := range w.olds[o].chunks {
			list = append(append(list, " "+c.head), c.quotes...)
		}
	}
	return list
}

// recorder collects the chunks of a record.
type recorder struct {
	names   *pathNames
	chunks  []chunk
	entries []recorded
	places  map[uint64]int32 // by hash: the index of the last entry with these words; nil for short records
	seed    maphash.Seed
	last    *entry // of the last chunk; nil when no subject can be added to the chunk
	command int    // the last chunk for a command or an old record, which no step is moved across; 0 for none
}

// recorded is an entry, and the index of the chunk that contains it.
type recorded struct {
	entry *entry
	chunk int
	alone bool // the chunk contains no other entry
}

// old adds an old record: its chunks when it is kept, and otherwise only its counts.
func (r *recorder) old(o *oldRecord) {
	r.last, r.command = nil, len(r.chunks)
	switch {
	case o.kept:
		r.chunks = append(r.chunks, o.chunks...)
	case o.least():
		for word := range strings.SplitSeq(o.chunks[0].head, "; ") {
			r.chunks = addChunk(r.chunks, chunk{head: word})
		}
	default:
		r.chunks = addChunk(r.chunks, chunk{head: moreCalls})
	}
}

// count adds a step without its description: the name of its tool if the kind of the tool is not known, and
// otherwise a number.
func (r *recorder) count(s *step) {
	noun := nounOf(s.kind)
	switch {
	case s.failed() && (s.kind == fact.EditTool || s.kind == fact.WriteTool):
		noun = "failed " + noun
	case noun != "call":
	case isToolName(s.entry.tool):
		noun = s.entry.tool
	case s.entry.tool == "":
		noun = nounOf(fact.ShellTool) // its subject is a command
	}
	r.chunks, r.last = addChunk(r.chunks, chunk{head: counted(max(1, len(s.calls)), noun)}), nil
}

// step adds a step with its entry. It extends the last chunk for another step with the same tool, and only
// counts a step that repeats an earlier one.
func (r *recorder) step(s *step, e *entry, quotes []string) {
	if len(quotes) == 0 && r.repeats(s, e) {
		return
	}
	head := e.text(r.names, strings.Join(quotes, "\n"))
	joins := r.last != nil && e.tool != "" && r.last.tool == e.tool && len(quotes) == 0
	if joins {
		at := len(r.chunks) - 1
		c := &r.chunks[at]
		if c.more == nil {
			c.more = &strings.Builder{}
		}
		c.more.WriteString(", ")
		c.more.WriteString(strings.TrimPrefix(head, e.tool+" "))
		r.entries[len(r.entries)-1].alone = false
	} else {
		r.chunks = append(r.chunks, chunk{head: head, quotes: quotes})
	}
	at := len(r.chunks) - 1
	r.entries = append(r.entries, recorded{e, at, !joins})
	if r.places != nil {
		r.places[e.hash(r.seed)] = int32(len(r.entries) - 1)
	}
	if e.tool == "" {
		r.command = at
	}
	r.last = e
	if len(quotes) > 0 {
		r.last = nil
	}
}

// repeats reports whether the record already describes a step, and adds to the count of the
// earlier step. A repeated read is not counted.
func (r *recorder) repeats(s *step, e *entry) bool {
	before := r.latest(e)
	switch {
	case before == nil:
		return false
	case s.readOnly():
		return true
	case before.alone && before.chunk >= r.command && len(r.chunks[before.chunk].quotes) == 0:
		r.chunks[before.chunk].head = countAgain(r.chunks[before.chunk].head)
		return true
	}
	return false
}

// manyEntries is the number of entries from which on a map finds one faster than a search.
const manyEntries = 64

// latest returns the last entry with the same words, or nil.
func (r *recorder) latest(e *entry) *recorded {
	if r.places != nil {
		i, known := r.places[e.hash(r.seed)]
		if !known {
			return nil
		}
		if last := &r.entries[i]; last.entry.equal(e) {
			return last
		}
	}
	for i := len(r.entries) - 1; i >= 0; i-- {
		if r.entries[i].entry.equal(e) {
			return &r.entries[i]
		}
	}
	return nil
}

// countAgain returns the head of a chunk with its repetition count increased, as in "×2".
func countAgain(head string) string {
	if before, n, ok := strings.Cut(head, " ×"); ok && !strings.Contains(n, " ×") {
		if times := parsed(n); times > 1 {
			return fmt.Sprintf("%s ×%d", before, times+1)
		}
	}
	return head + " ×2"
}

// parsed returns the number that a text consists of, or 0.
func parsed(n string) int {
	v, err := strconv.Atoi(n)
	if err != nil {
		return 0
	}
	return v
}

// quotes returns the kept lines of a step, as its record quotes them.
func (w *writer) quotes(s *step) (list []string) {
	for i, k := range s.texts {
		t := &w.texts[k]
		if t.fixed || t.form == result && s.complete || t.sign == removed && w.replacedUnseen(s.texts[i+1:]) { // the entry holds the whole output
			continue
		}
		list = w.keptLines(list, t, s.entry.outcome)
	}
	return list
}

// replacedUnseen reports whether the first of some texts of a step is the new side of an edit of which no line is kept.
// Without it, the old side would look like a deletion.
func (w *writer) replacedUnseen(texts []int) bool {
	if len(texts) == 0 {
		return false
	}
	t := &w.texts[texts[0]]
	return t.sign == added && !slices.Contains(t.kept, true) && slices.Contains(t.seldom.repeats, false)
}

// keptLines appends the kept lines of a text to list, as a record quotes them. It leaves out
// lines that outcome holds.
func (w *writer) keptLines(list []string, t *text, outcome string) []string {
	if !slices.Contains(t.kept, true) {
		return list
	}
	left := 0 // lines that are left out since the last quoted one
	parted, headed, before, last := false, int32(squeeze.None), 0, -1
	if t.sign != "" { // what both sides have in front of the change is no gap
		before = len(list)
	}
	patch, around := t.form == hunks && isPatch(t.cut.Source), enclosingOf(t)
	for i := range t.cut.Pieces {
		around.pass(i)
		commit := t.form == result && commitLine.MatchString(t.source(i, i+1))
		if !t.kept[i] || t.form == result && (t.idle(i) || t.isProse() && around.sayNothing(i)) {
			if len(list) > before && speaksOfGap(t.source(i, i+1)) {
				left++
			}
			parted = parted || commit
			if last >= 0 && last == i-1 && t.continued(i) {
				list[len(list)-1] = strings.TrimRight(list[len(list)-1], " ") + ellipsis
			}
			continue
		}
		if file := t.fileOf(i); file != headed {
			if headed = file; file != squeeze.None && !t.kept[file] {
				list = w.quote(list, t, int(file), outcome, patch)
			}
			if file != squeeze.None {
				left = 0
			}
		}
		base, gaps := len(list), left > 0 && (t.hidesGap(i) || around.parts(i) || parted && !commit)
		if gaps && !(left == 1 && around.missing(i) != squeeze.None) && !(len(list) > 0 && leavesOpen(list[len(list)-1], t.source(i, i+1), t.sign)) {
			list = append(list, gapLine)
		}
		list = w.enclose(list, around, i, gaps, outcome)
		n := len(list)
		if list = w.quote(list, t, i, outcome, patch); len(list) == n { // a mark would stand beside another, or at the end
			list = list[:base]
			continue
		}
		switch {
		case !t.continued(i):
		case last == i-1:
			list[n-1] += list[n][len(" "):]
			list = slices.Delete(list, n, n+1)
		default:
			list[n] = ellipsis + list[n]
		}
		around.add(i)
		last = i
		left, parted = 0, false
	}
	return list
}

// speaksOfGap reports whether a reader misses a line that is left out: a blank line and a fence say nothing.
func speaksOfGap(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && !strings.HasPrefix(line, "```")
}

// ellipsis stands for the part of a long line that a record does not quote.
const ellipsis = " …"

// commitLine matches a line with which Git begins a commit in a log.
var commitLine = lazyregexp.New(`^[*|/\\ ]*(?:commit )?[0-9a-f]{7,40}\b`)

// quote appends the lines of a piece to list, those of a side of an edit with its sign.
func (w *writer) quote(list []string, t *text, i int, outcome string, patch bool) []string {
	n := -1
	for line := range strings.Lines(strings.TrimRight(t.source(i, i+1), "\r\n")) {
		n++
		line = lastState(line)
		bare := strings.TrimSpace(line)
		if bare == "" || strings.Contains(outcome, clean(bare, mostFailure)) || w.misleads(bare) || t.form == hunks && w.frames(t, i, line, patch) {
			continue
		}
		switch {
		case n == 0 && t.continued(i):
		case t.form == hunks && !t.file && t.sign == "": // what the call said, not what it returned
			line = "> " + line
		case t.sign == "":
		case t.repeated(i):
			line = " " + line
		default:
			line = t.sign + line
		}
		list = append(list, " "+line)
	}
	return list
}

// misleads reports whether a line, quoted in a record, would look like a marker, a call or a fence.
func (w *writer) misleads(line string) bool {
	return transcript.IsMarker(line) || w.acts(line) || strings.Contains(line, "<command>") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// frames reports whether a line of piece i of what a call wrote only frames the change, or stands on both sides of it.
func (w *writer) frames(t *text, i int, line string, patch bool) bool {
	bare := strings.TrimSpace(line)
	switch {
	case t.sign == removed && t.repeated(i), blockMark.MatchString(bare):
		return true
	case patch:
		return line[0] == '-' && t.repeated(i) || w.framesPatch(t, bare)
	}
	return subject.InProse(t.block) && argumentTag.MatchString(bare)
}

// blockMark matches a line around the sides of a patch with blocks to search for.
var blockMark = lazyregexp.New(`^(?:[<-]{5,} SEARCH|={5,}|[>+]{5,} REPLACE)$`)

// argumentTag matches a tag of an argument of a call that is written in prose.
var argumentTag = lazyregexp.New(`^</?(?:parameter=[\w-]+|parameter|path|content|diff|args|file|command|question|regex|result|line_count|requires_approval)>`)

// hidesGap reports whether a record marks what is missing in front of a piece: a reader would take it for the next
// line of the one before. Hits of a search are read one by one, and so are lines with numbers and those of a document.
func (t *text) hidesGap(i int) bool {
	switch {
	case t.form == hunks:
		return true
	case t.form != result:
		return t.drafts() != nil && t.drafts()[i]
	case t.cut.Kind == squeeze.Diff:
		return t.fileOf(i) != squeeze.None // the line that names a file has none in front of it
	}
	line := t.source(i, i+1)
	switch t.cut.Kind {
	case squeeze.Search, squeeze.Prose:
		return false
	}
	return withoutNumber(line) == line
}

// leavesOpen reports whether a quoted line opens a block that the next line, of the same depth or less, can
// only follow behind the end of the block: a reader sees the gap.
func leavesOpen(quoted, next, sign string) bool {
	quoted = strings.TrimPrefix(quoted[len(" "):], sign)
	line := strings.TrimLeft(quoted, " \t")
	if python := strings.HasSuffix(line, ":") && (strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "async def ") || strings.HasPrefix(line, "class ")); !python && !strings.HasSuffix(line, "{") {
		return false
	}
	indent := len(quoted) - len(line)
	rest := strings.TrimLeft(next, " \t")
	return len(next)-len(rest) <= indent && rest != "" && (isLetter(rest[0]) || rest[0] == '/' || rest[0] == '#' || rest[0] == '@')
}

// continued reports whether a piece is a part of a long line, and not its beginning.
func (t *text) continued(i int) bool {
	start := int(t.cut.Pieces[i].Start)
	before := strings.TrimRight(t.cut.Source[:start], " \t\r")
	return before != "" && before[len(before)-1] != '\n' && !strings.HasPrefix(strings.TrimLeft(t.cut.Source[start:], " \t\r"), "\n")
}

// fileOf returns the piece that names the file of a line in a diff, or squeeze.None.
func (t *text) fileOf(i int) int32 {
	if t.form != result || t.cut.Kind != squeeze.Diff {
		return squeeze.None
	}
	at := t.cut.Pieces[i].Under
	for at != squeeze.None && namesHunk(t.source(int(at), int(at)+1)) {
		at = t.cut.Pieces[at].Under
	}
	return at
}

// namesHunk reports whether a line of a diff begins a hunk.
func namesHunk(line string) bool {
	return strings.HasPrefix(line, "@@") || strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, "------- SEARCH")
}

// framesPatch reports whether a line of a patch of apply_patch tells a reader of its record nothing: the
// first and the last line, and the heading of the only file.
func (w *writer) framesPatch(t *text, line string) bool {
	only := t.step < 0 || len(w.steps[t.step].entry.changes) < 2
	return line == "*** Begin Patch" || line == "*** End Patch" || line == "@@" || only && subject.PatchedFile(line) != ""
}

// joined returns the text of the segments. It removes a marker next to a record, because the
// record already shows that something was removed.
func joined(list []segment) string {
	var b strings.Builder
	size := 0
	for _, s := range list {
		size += len(s.text) + len("\n\n")
	}
	b.Grow(size)
	for i, s := range list {
		text := s.text
		if !s.record {
			if i > 0 && list[i-1].record {
				text = withoutMarker(strings.TrimLeft(text, "\n"), true)
			}
			if i+1 < len(list) && list[i+1].record {
				text = withoutMarker(strings.TrimRight(text, "\n"), false)
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	return b.String()
}

// withoutMarker removes a marker on the first or else the last line of a text.
func withoutMarker(text string, first bool) string {
	if first {
		line, rest, _ := strings.Cut(text, "\n")
		if transcript.IsMarker(line) {
			return strings.TrimLeft(rest, "\n")
		}
		return text
	}
	at := strings.LastIndexByte(text, '\n') + 1
	if transcript.IsMarker(text[at:]) {
		return strings.TrimRight(text[:at], "\n")
	}
	return text
}
