// Package squeeze cuts texts into pieces that can be left out one by one, and
// writes a text again without some of them.
//
// What a text is (a log, a test run, source code, JSON …) decides where it can
// be cut, which pieces say more than others, and how an omission is written.
// Nobody here decides what goes: the caller weighs the pieces against each other
// and says which to keep.
//
//	t := squeeze.Cut(output, squeeze.Hint{Tool: "Bash", Command: "go test ./..."})
//	keep := make([]bool, len(t.Pieces))
//	...
//	short := t.Render(keep)
package squeeze

import (
	"fmt"
	"slices"
	"strings"
)

// Hint is what is known about a text besides itself. The zero value is: nothing.
type Hint struct {
	Tool    string // name of the tool that was called, "" for prose
	Command string // the shell command whose output it is
	Path    string // the file whose content it is, or a part of it
	Arg     string // the argument of the call that it is; "" for a result
	Failed  bool   // the tool reported failure
}

// Kind is what a text is.
type Kind uint8

// The kinds. The zero value is text of which nothing is known.
const (
	Plain     Kind = iota
	Log            // what a command printed, not one of the kinds below
	Test           // a run of tests
	Compiler       // what compilers, linters and type checkers found
	Trace          // a stack trace, or several
	ToolError      // a short message: the tool failed
	Diff           // a unified diff, alone or in a commit
	History        // git log and the like
	Code           // source code or configuration, a whole file or a part
	Listing        // names of files
	Search         // lines that were searched for, with file names or line numbers
	Prose          // sentences: documents, messages, thoughts
	Binary         // base64, hex dumps, bytes that are no text
	JSON
	NDJSON   // a JSON value on each line
	Table    // CSV, TSV, Markdown and box tables, what psql and the like print
	HTML     // HTML or XML
	Snapshot // the accessibility tree of a page
	kinds    // how many there are
)

// None is no piece.
const None = -1

// Piece is a run of a text that is kept or left out as one.
type Piece struct {
	Start, End int // bytes of the source; the pieces tile it, in order
	// Cue is how much the piece tells whatever it mentions, from 0 to 1: the
	// message of an error is 1, a line like any other 0.
	Cue float32
	// Under is the index of an earlier piece without which this one makes no
	// sense: the file that a hunk belongs to, the path above its search results,
	// the declaration around a line. None without. Render keeps it in any case.
	Under int32
	// Like is the index of the first piece of the same shape (numbers and times
	// aside), when this is a repetition of it; else None.
	Like int32
}

// Text is a text cut into pieces.
type Text struct {
	Kind   Kind
	Source string
	Pieces []Piece

	// omit, when set, writes the pieces from (inclusive) to (exclusive) that are
	// left out: a marker with what must surround it. nil: lines, see gap.
	omit func(t *Text, from, to int) string
	// marks are the pieces, in order, that are markers of an earlier run. They
	// join the omissions beside them, whatever the caller wants.
	marks []int32
}

const longLine = 240

// Cut cuts a text into pieces, in time linear in its length.
func Cut(source string, _ Hint) *Text {
	t := &Text{Source: source}
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		for end-start > longLine {
			cut := start + strings.LastIndexAny(source[start:start+160], " ,;}])>")
			if cut < start+80 {
				cut = start + 160
				for cut > start && source[cut]&0xC0 == 0x80 {
					cut--
				}
			} else {
				cut++
			}
			t.add(start, cut)
			start = cut
		}
		t.add(start, end)
		start = end
	}
	return t
}

func (t *Text) add(start, end int) {
	t.Pieces = append(t.Pieces, Piece{Start: start, End: end, Cue: cue(t.Source[start:end]), Under: None, Like: None})
}

// Render writes the text with the pieces that are to be kept, and those that they
// stand under; keep has an element for each piece. Each run of others becomes one
// marker that says how much it was, unless the marker would be longer.
func (t *Text) Render(keep []bool) string {
	keep = t.closed(keep)
	var b strings.Builder
	for i := 0; i < len(t.Pieces); {
		p := t.Pieces[i]
		if keep[i] {
			b.WriteString(t.Source[p.Start:p.End])
			i++
			continue
		}
		j := i
		for j < len(t.Pieces) && !keep[j] {
			j++
		}
		gone := t.Source[p.Start:t.Pieces[j-1].End]
		marker := ""
		if t.omit != nil {
			marker = t.omit(t, i, j)
		} else {
			marker = gap(gone)
			if strings.HasSuffix(gone, "\n") {
				marker += "\n"
			}
		}
		if len(marker) >= len(gone) {
			marker = gone
		}
		b.WriteString(marker)
		i = j
	}
	return b.String()
}

// closed is keep with what the kept pieces stand under, and without the markers
// of an earlier run that have an omission beside them.
func (t *Text) closed(keep []bool) []bool {
	keep = slices.Clone(keep)
	for i := len(keep) - 1; i >= 0; i-- {
		if under := t.Pieces[i].Under; keep[i] && under != None {
			keep[under] = true
		}
	}
	for _, m := range t.marks {
		keep[m] = m > 0 && keep[m-1] || m == 0
	}
	for _, m := range slices.Backward(t.marks) {
		if int(m)+1 < len(keep) && !keep[m+1] {
			keep[m] = false
		}
	}
	return keep
}

// gap is the marker for text that is left out.
func gap(gone string) string {
	if n := strings.Count(gone, "\n"); n > 0 {
		return fmt.Sprintf("[%d lines omitted]", n)
	}
	return fmt.Sprintf("[%d characters omitted]", len(gone))
}

var cues = []string{"error", "fail", "panic", "fatal", "exception", "denied", "not found", "no such", "cannot", "undefined", "warning", "traceback"}

// cue says how much a line matters whatever it mentions.
func cue(line string) float32 {
	if len(line) > 400 {
		line = line[:400]
	}
	l := strings.ToLower(line)
	for _, c := range cues {
		if strings.Contains(l, c) {
			return 1
		}
	}
	return 0
}
