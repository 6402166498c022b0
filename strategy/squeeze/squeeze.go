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

import "strings"

// Hint is what is known about a text besides itself. The zero value is: nothing;
// then a text is prose unless it looks like something else.
type Hint struct {
	Tool    string // name of the tool that was called, "" for what was said
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
	Diff           // a diff or patch, alone or in a commit
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
)

var kindNames = [...]string{
	Plain: "plain", Log: "log", Test: "test run", Compiler: "compiler output", Trace: "stack trace", ToolError: "tool error",
	Diff: "diff", History: "history", Code: "code", Listing: "listing", Search: "search results", Prose: "prose",
	Binary: "binary", JSON: "JSON", NDJSON: "NDJSON", Table: "table", HTML: "HTML", Snapshot: "snapshot",
}

// String is the name of the kind, for people.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// None is no piece.
const None = -1

// Piece is a run of a text that is kept or left out as one.
type Piece struct {
	Start, End int // bytes of the source; the pieces tile it, in order
	// Cue is how much the piece tells whatever it mentions, from 0 to 1: see the
	// scale in cue.go.
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
	// Gutter tells that the lines begin with line numbers, which Render takes off
	// once anything else is left out. Cut sets it; the caller may clear it.
	Gutter bool

	gutter string // what stands between a line number and its line
	// omit, when set, writes the pieces from (inclusive) to (exclusive) that are
	// left out: a marker with what must surround it. nil: lines, see gap.
	omit func(t *Text, from, to int) string
	// marks are the pieces, in order, that are markers of an earlier run. They
	// join the omissions beside them, whatever the caller wants.
	marks  []int32
	marked bool // the source may hold such markers
}

// Cut cuts a text into pieces, in time linear in its length.
func Cut(source string, h Hint) *Text {
	t := &Text{Source: source, marked: strings.Contains(source, omitted)}
	expect := expected(h)
	if t.Kind = t.cutTree(expect); t.Kind != Plain {
		return t
	}
	t.Kind = recognise(source, expect, h)
	switch t.Kind {
	case Diff, History:
		t.cutDiff()
	case Code:
		t.cutCode(h)
	case Listing:
		t.cutListing()
	case Search:
		t.cutSearch()
	case Prose:
		t.cutProse(h)
	default:
		t.cutRun()
	}
	return t
}

// cutTree cuts what is not made of lines, and says what it was; Plain when it
// is none of those. What only looks like a table or a page is not tried where the
// call leads to expect something else.
func (t *Text) cutTree(expect Kind) Kind {
	switch {
	case cutJSON(t), cutNDJSON(t), cutSnapshot(t):
	case expect == Prose && cutHTML(t): // what was fetched
	case expect != Plain && expect != Log && expect != Table && expect != HTML && expect != JSON:
	case cutHTML(t), cutTable(t):
	}
	return t.Kind
}
