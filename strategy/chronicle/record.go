package chronicle

import (
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
)

// A record stands for calls that are gone. It is one line,
//
//	[condensed: Read src/a.go (214 lines); `go test ./...` failed: FAIL a_test.go:12]
//
// or several, where lines of results and edits stand under the call that they belong
// to, each behind a space, and gaps between them are a line with an ellipsis:
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
)

// chunk is what a record says of calls: the line, and what is quoted under it.
type chunk struct {
	head   string
	quotes []string // lines
}

// oldRecord is a record that an earlier run left.
type oldRecord struct {
	ref    transcript.Ref // the block that it stands in
	chunks []chunk
	tokens float64
	turn   int
	item   int
	kept   bool
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

// readRecord reads the record that begins at the start of a text: its chunks and its
// length, with the line break behind it. 0 when there is none.
func readRecord(text string) (chunks []chunk, n int) {
	if !strings.HasPrefix(text, opening) {
		return nil, 0
	}
	at := len(opening)
	line, more := lineAt(text, at)
	if strings.HasSuffix(line, "]") && !strings.HasSuffix(line, ":") {
		return []chunk{{head: line[:len(line)-1]}}, at + len(line) + more
	}
	for at < len(text) {
		line, more = lineAt(text, at)
		at += len(line) + more
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

func lineAt(text string, at int) (line string, more int) {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i], 1
	}
	return text[at:], 0
}

// split calls yield for what a text holds from a byte on, in order: stretches of text,
// and records between them.
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

func (d *draft) addOld(chunks []chunk, text string, turn int) int {
	o := d.oldRecord(chunks, text)
	o.turn, o.ref = turn, transcript.At(transcript.End)
	d.olds = append(d.olds, *o)
	return len(d.olds) - 1
}

func (d *draft) oldRecord(chunks []chunk, text string) *oldRecord {
	return &oldRecord{chunks: chunks, tokens: float64(d.textTokens(text)), text: text}
}

// recordsAround takes the records off the start and the end of a result, and returns
// what is left between them.
func (d *draft) recordsAround(s *step, p *transcript.Part) (from, to int) {
	from, to = p.Head, len(p.Text)
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
		s.before = append(s.before, d.addOld(chunks, p.Text[from:from+n], s.turn))
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
		s.after = append([]int{d.addOld(chunks, p.Text[from+at:to], s.turn)}, s.after...)
		to = from + at
	}
	to = from + len(strings.TrimRight(p.Text[from:to], "\n"))
	return from, to
}

// counted says how many calls of a kind are not described: "3 reads".
func counted(calls int, noun string) string { return transcript.Plural(calls, noun) }

const (
	moreCalls = "more calls"
	wordless  = "answered without words"
)

// nounOf is what calls of a kind are counted as.
func nounOf(kind fact.ToolKind) string {
	switch kind {
	case fact.ReadTool:
		return "read"
	case fact.SearchTool, fact.ListTool:
		return "lookup"
	case fact.ShellTool:
		return "command"
	}
	return "call"
}

// least reports whether a record says no more than how many calls it stands for.
func (o *oldRecord) least() bool {
	for _, c := range o.chunks {
		if len(c.quotes) > 0 {
			return false
		}
		for word := range strings.SplitSeq(c.head, "; ") {
			if n, _ := callsIn(word); word != moreCalls && word != wordless && n == 0 {
				return false
			}
		}
	}
	return true
}

// callsIn reads what counted wrote; 0 for anything else.
func callsIn(words string) (n int, noun string) {
	number, noun, ok := strings.Cut(words, " ")
	if !ok {
		return 0, ""
	}
	noun = strings.TrimSuffix(noun, "s")
	n = parsed(strings.ReplaceAll(number, ",", ""))
	if noun != "call" && noun != "read" && noun != "lookup" && noun != "command" || counted(n, noun) != words {
		return 0, ""
	}
	return n, noun
}

// addChunk adds a chunk to a record. Counts of calls that follow each other are added up.
func addChunk(chunks []chunk, c chunk) []chunk {
	more, noun := callsIn(c.head)
	for i := len(chunks) - 1; i >= 0 && len(chunks[i].quotes) == 0; i-- {
		last := &chunks[i]
		n, of := callsIn(last.head)
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

// pathNames shortens paths that were named in full before: by the folder that most
// paths of the conversation have in common.
type pathNames struct {
	root  string // with a slash at its end; "" for none
	named map[string]bool
}

// common is the part of the paths that have to lie in a folder for it to be the root.
const common = 0.7

// namePaths finds the common folder of the paths that calls name.
func namePaths(c *transcript.Conversation) *pathNames {
	under, all := map[string]int{}, 0
	for _, b := range c.Blocks() {
		if b.Kind != transcript.ToolCall {
			continue
		}
		for _, p := range b.Parts {
			if !pathLeaf(p.Name) || !strings.HasPrefix(p.Text, "/") || len(p.Text) > mostSubject {
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
	n := &pathNames{named: map[string]bool{}}
	for folder, count := range under {
		if float64(count) >= float64(common*float64(all)) && len(folder) > len(n.root) {
			n.root = folder
		}
	}
	return n
}

// short is a path as it is written: in full the first time, later without the root.
func (n *pathNames) short(path string) string {
	if n.root == "" || !n.named[path] {
		n.named[path] = true
		return path
	}
	at := strings.Index(path, n.root)
	if at < 0 || at+len(n.root) == len(path) {
		return path
	}
	return path[:at] + path[at+len(n.root):]
}
