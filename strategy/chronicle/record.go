package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/marker"
)

// A record describes removed calls. It is one line,
//
//	[condensed: Read src/a.go (214 lines); `go test ./...` failed: FAIL a_test.go:12]
//
// or several, where quoted lines of results and edits follow the call that they belong to.
// Each quoted line begins with a space. A line with an ellipsis marks a gap:
//
//	[condensed: Edit src/a.go ok:
//	 +func A() {
//	 …
//	 +}
//	`git push`: main → main
//	]
const (
	opening = transcript.RecordOpening
	gapLine = " …"

	thoughtWord = "thought" // in front of quoted thinking
)

// chunk is the description of one or more calls in a record, with the lines quoted below it.
type chunk struct {
	head   string
	quotes []string         // lines, each with its leading space
	more   *strings.Builder // what follows the head when steps were added to the chunk; nil for none
}

// oldRecord is a record of an earlier run.
type oldRecord struct {
	ref    transcript.Ref // the block that contains it
	chunks []chunk
	tokens float64
	turn   int
	kept   bool // with its words, not only as a count
	text   string
}

// writeRecord writes chunks as one record.
func writeRecord(chunks []chunk) string {
	var b strings.Builder
	b.WriteString(opening)
	for i, c := range chunks {
		switch {
		case i == 0:
		case len(chunks[i-1].quotes) > 0:
			b.WriteByte('\n')
		default:
			b.WriteString("; ")
		}
		b.WriteString(c.head)
		if c.more != nil {
			b.WriteString(c.more.String())
		}
		if len(c.quotes) == 0 {
			continue
		}
		b.WriteByte(':')
		for _, line := range c.quotes {
			b.WriteByte('\n')
			b.WriteString(line)
		}
	}
	if len(chunks[len(chunks)-1].quotes) > 0 {
		b.WriteByte('\n')
	}
	b.WriteByte(']')
	return b.String()
}

// readRecord returns the chunks of the record at the start of a text, and its length with the
// line break that follows. The length is 0 when the text does not start with a record.
func readRecord(text string) (chunks []chunk, n int) {
	if !strings.HasPrefix(text, opening) {
		return nil, 0
	}
	at := len(opening)
	line, more := lineAt(text, at)
	if strings.HasSuffix(line, "]") && !strings.HasSuffix(line, ":") {
		plain, _ := marker.CutID(line)
		return []chunk{{head: plain[:len(plain)-1]}}, at + len(line) + more
	}
	for at < len(text) {
		line, more = lineAt(text, at)
		at += len(line) + more
		if strings.HasSuffix(line, "]") && !strings.HasPrefix(line, " ") {
			line, _ = marker.CutID(line)
		}
		switch {
		case line == "]":
			return chunks, at
		case strings.HasPrefix(line, " ") && len(chunks) > 0:
			last := &chunks[len(chunks)-1]
			last.quotes = append(last.quotes, line)
		case strings.HasSuffix(line, ":"):
			chunks = append(chunks, chunk{head: line[:len(line)-1]})
		case strings.HasSuffix(line, "]"):
			return append(chunks, chunk{head: line[:len(line)-1]}), at
		default:
			return nil, 0
		}
	}
	return nil, 0
}

// lineAt returns the line that begins at a byte, without its line break, and the length of
// the line break.
func lineAt(text string, at int) (line string, more int) {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i], 1
	}
	return text[at:], 0
}

// split calls yield for each stretch of text and each record of source from a byte on, in
// order. rec is nil for a stretch of text.
func (d *draft) split(source string, from int, yield func(from, to int, rec *oldRecord)) {
	start := from
	for at := from; at < len(source); {
		line, more := lineAt(source, at)
		if strings.HasPrefix(line, opening) {
			if chunks, n := readRecord(source[at:]); n > 0 {
				if strings.TrimSpace(source[start:at]) != "" {
					yield(start, at, nil)
				}
				yield(at, at+n, d.oldRecord(chunks, source[at:at+n]))
				at += n
				start = at
				continue
			}
		}
		at += len(line) + more
	}
	if strings.TrimSpace(source[start:]) != "" {
		yield(start, len(source), nil)
	}
}

// addOld adds a record in a result to olds, and returns its index.
func (d *draft) addOld(chunks []chunk, text string, turn int) int {
	o := d.oldRecord(chunks, text)
	o.turn, o.ref = turn, transcript.At(transcript.End)
	d.olds = append(d.olds, *o)
	return len(d.olds) - 1
}

// oldRecord returns a record of an earlier run without its place.
func (d *draft) oldRecord(chunks []chunk, text string) *oldRecord {
	return &oldRecord{chunks: chunks, tokens: float64(d.textTokens(text)), text: text}
}

// recordsAround adds the records at the start and the end of a result to its step, and
// returns the byte range between them.
func (d *draft) recordsAround(s *step, p *transcript.Part) (from, to int) {
	from, to = int(p.Head), len(p.Text)
	if !strings.Contains(p.Text, opening) {
		return from, to
	}
	for from < to && p.Text[from] == '\n' {
		from++
	}
	for {
		chunks, n := readRecord(p.Text[from:to])
		if n == 0 {
			break
		}
		own := s.specials()
		own.before = append(own.before, d.addOld(chunks, p.Text[from:from+n], s.turn))
		from += n
	}
	for {
		at := strings.LastIndex("\n"+p.Text[from:to], "\n"+opening)
		if at < 0 {
			break
		}
		chunks, n := readRecord(p.Text[from+at : to])
		if n != to-from-at {
			break
		}
		own := s.specials()
		own.after = append([]int{d.addOld(chunks, p.Text[from+at:to], s.turn)}, own.after...)
		to = from + at
	}
	to = from + len(strings.TrimRight(p.Text[from:to], "\n"))
	return from, to
}

// counted returns the words for calls that are only counted: "3 reads" for one of nouns, and "probe ×3" for the
// name of a tool.
func counted(calls int, noun string) string {
	switch {
	case slices.Contains(nouns[:], noun):
		return transcript.Plural(calls, noun)
	case calls == 1:
		return noun
	}
	return fmt.Sprintf("%s ×%d", noun, calls)
}

// Words of chunks that describe nothing.
const (
	moreCalls = "more calls"
	wordless  = "answered without words"
)

// nounOf returns the noun by which calls of a kind are counted.
func nounOf(kind fact.ToolKind) string {
	switch kind {
	case fact.ReadTool:
		return "read"
	case fact.SearchTool, fact.ListTool:
		return "lookup"
	case fact.ShellTool:
		return "command"
	case fact.EditTool:
		return "edit"
	case fact.WriteTool:
		return "write"
	}
	return "call"
}

// nouns are the nouns by which calls are counted.
var nouns = [...]string{"call", "read", "lookup", "command", "edit", "write", "failed edit", "failed write"}

// least reports whether a record only counts calls.
func (o *oldRecord) least() bool {
	for _, c := range o.chunks {
		if len(c.quotes) > 0 {
			return false
		}
		for word := range strings.SplitSeq(c.head, "; ") {
			if n, _ := callsIn(word); word != moreCalls && word != wordless && word != unedited && n == 0 {
				return false
			}
		}
	}
	return true
}

// callsIn parses words that counted returned. n is 0 for any other words.
func callsIn(words string) (n int, noun string) {
	number, noun, _ := strings.Cut(words, " ")
	noun = strings.TrimSuffix(noun, "s")
	if n = parsed(strings.ReplaceAll(number, ",", "")); n > 0 && slices.Contains(nouns[:], noun) && counted(n, noun) == words {
		return n, noun
	}
	name, times, again := strings.Cut(words, " ×")
	if n = 1; again {
		n = parsed(times)
	}
	if n == 0 || !isToolName(name) || counted(n, name) != words {
		return 0, ""
	}
	return n, name
}

// isToolName reports whether a word can be the name of a tool, and is no other word of a record.
func isToolName(word string) bool {
	return word != "" && word != thoughtWord && strings.IndexFunc(word, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0
}

// addChunk appends a chunk to those of a record, and adds up adjacent counts of calls.
func addChunk(chunks []chunk, c chunk) []chunk {
	more, noun := callsIn(c.head)
	for i := len(chunks) - 1; i >= 0 && len(chunks[i].quotes) == 0; i-- {
		last := &chunks[i]
		n, of := callsIn(last.head)
		if last.more != nil {
			n = 0
		}
		switch {
		case more > 0 && n > 0 && of == noun:
			last.head = counted(n+more, noun)
			return chunks
		case c.head == moreCalls && last.head == moreCalls, c.head == wordless:
			return chunks
		}
		if n == 0 {
			break
		}
	}
	return append(chunks, c)
}

// pathNames shortens paths in records. The first path in the folder of the client is named in
// full, and others relative to that folder. A path that was named before loses the folder that
// most paths of the conversation have in common.
type pathNames struct {
	folder   string          // of the client, with a slash at its end; "" where it is not known
	placed   bool            // a path in folder was named in full
	root     string          // with a slash at its end; "" for none
	relative bool            // some paths in the calls are relative
	named    map[string]bool // paths that were named
	bare     bool            // the root is named elsewhere
	used     bool            // some path was shortened
}

// unnamed returns a pathNames that has named nothing.
func (n *pathNames) unnamed() *pathNames {
	return &pathNames{folder: n.folder, root: n.root, named: map[string]bool{}, bare: n.bare}
}

// Shares of the paths that must lie in a folder for it to be the root, and to stand for the folder of a
// client that states none.
const (
	common = 0.7
	placed = 0.9
)

// namePaths returns a pathNames for the common folder of the paths in the calls. Where the client states no
// folder, the deepest one that holds nearly all of the paths stands for it, unless calls or earlier records may name
// paths relative to another.
func namePaths(c *transcript.Conversation) *pathNames {
	n, under, all, condensed := &pathNames{named: map[string]bool{}}, map[string]int{}, 0, false
	for _, b := range c.Blocks() {
		if b.Kind != transcript.ToolCall {
			condensed = condensed || c.Folder == "" && slices.ContainsFunc(b.Parts, func(p transcript.Part) bool { return strings.Contains(p.Text, opening) })
			continue
		}
		for _, p := range b.Parts {
			switch {
			case !subject.IsPath(p.Name) || p.Text == "" || len(p.Text) > mostSubject:
				continue
			case p.Text[0] != '/':
				n.relative = true
				continue
			}
			all++
			for i := 1; i < len(p.Text); i++ {
				if p.Text[i] == '/' {
					under[p.Text[:i+1]]++
				}
			}
		}
	}
	for folder, count := range under {
		if float64(count) >= float64(common*float64(all)) && len(folder) > len(n.root) {
			n.root = folder
		}
		if float64(count) >= float64(placed*float64(all)) && strings.Count(folder, "/") > 2 && len(folder) > len(n.folder) { // not a folder of the root
			n.folder = folder
		}
	}
	switch {
	case c.Folder != "":
		n.folder = c.Folder + "/"
	case n.relative || condensed:
		n.folder = ""
	}
	return n
}

// short returns the words for a path, or for a pattern and the path in which it was searched.
func (n *pathNames) short(path string) string {
	if n.bare || n.named[path] {
		if rest, ok := without(path, n.root); ok {
			n.used = true
			return rest
		}
	}
	if n.bare {
		return path
	}
	n.named[path] = true
	if pattern, searched := strings.CutSuffix(path+"/", " in "+n.folder); searched && n.folder != "" {
		if n.placed {
			return pattern
		}
		n.placed = true
		return path
	}
	rest, ok := without(path, n.folder)
	if !ok || !n.placed {
		n.placed = n.placed || ok
		return path
	}
	return rest
}

// without returns a path without the folder that it lies in. It reports whether the path lies
// in that folder.
func without(path, folder string) (rest string, ok bool) {
	at := strings.LastIndex(path, folder)
	if folder == "" || at < 0 || at+len(folder) == len(path) || at > 0 && path[at-1] != ' ' {
		return path, false
	}
	return path[:at] + path[at+len(folder):], true
}
