// Package squeeze cuts texts into pieces that can be left out one by one, and renders
// a text without some of them.
//
// The kind of a text (a log, a test run, source code, JSON …) decides where it can be
// cut, which pieces are more informative than others, and how an omission is written.
// The package does not decide what to leave out: the caller weighs the pieces against
// each other and passes those to keep.
//
//	t := squeeze.Cut(output, squeeze.Hint{Tool: "Bash", Command: "go test ./..."})
//	keep := make([]bool, len(t.Pieces))
//	...
//	short := t.Render(keep)
//
// All functions are pure and linear in the length of the text. They see text and never
// a conversation.
package squeeze

import (
	"slices"
	"strings"
)

// A Hint holds what the caller knows about the origin of a text. With the zero Hint, a text is prose
// unless it looks like something else.
type Hint struct {
	Tool    string // name of the tool that was called; "" for a message
	Command string // the shell command whose output it is
	Path    string // the file whose content it is, or a part of it
	Arg     string // the argument of the call that it is; "" for a result
	Failed  bool   // the tool reported failure
}

// Kind is the kind of a text: how it is cut.
type Kind uint8

// The kinds. The zero value is a text of unknown kind.
const (
	Plain     Kind = iota
	Log            // output of a command, other than the kinds below
	Test           // a run of tests
	Compiler       // findings of compilers, linters and type checkers
	Trace          // a stack trace, or several
	ToolError      // a short message of a tool that failed
	Diff           // a diff or patch, alone or in a commit
	History        // git log and the like
	Code           // source code or configuration, a whole file or a part
	Listing        // names of files
	Search         // results of a search, with file names or line numbers
	Prose          // sentences: documents, messages, thoughts
	Binary         // base64, hexadecimal dumps, bytes that are not text
	JSON
	NDJSON   // a JSON value on each line
	Table    // CSV, TSV, Markdown and box tables, and those of psql and the like
	HTML     // HTML or XML
	Snapshot // the accessibility tree of a page
)

var kindNames = [...]string{
	Plain: "plain", Log: "log", Test: "test run", Compiler: "compiler output", Trace: "stack trace", ToolError: "tool error",
	Diff: "diff", History: "history", Code: "code", Listing: "listing", Search: "search results", Prose: "prose",
	Binary: "binary", JSON: "JSON", NDJSON: "NDJSON", Table: "table", HTML: "HTML", Snapshot: "snapshot",
}

// String returns the name of the kind for people: "test run", "JSON".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// None is the index of no piece.
const None = -1

// Piece is a part of a text that is kept or left out as a whole. A text can have one for every few
// bytes, so it is small: a text has up to 2 GiB.
type Piece struct {
	Start, End int32 // bytes of the source; the pieces tile it, in order
	// Cue is how informative the piece is, regardless of the facts in it, from 0 to 1: .25 for a
	// warning or a changed line, .5 for a heading, 1 for the message of an error.
	Cue float32
	// Under is the index of the earlier piece that readers need to understand this one: the file of
	// a hunk, the path above search results, the declaration around a line. It is None without one.
	// Render keeps it whenever it keeps this piece.
	Under int32
	// Like is the index of the first piece of the same shape (numbers and times aside)
	// when this piece repeats it; otherwise None.
	Like int32
}

// Text is a text cut into pieces.
type Text struct {
	Kind Kind
	// Gutter reports whether the lines begin with line numbers, which Render removes when
	// it leaves anything else out. Cut sets it; the caller may clear it.
	Gutter bool
	marked bool // the source may hold markers of an earlier run
	spoken bool // cut by Paragraphs: where whole lines go, the rest of a line begins a new one
	Source string
	Pieces []Piece

	special *special // nil for most texts, of which a conversation can have very many
}

// special is what only few texts have.
type special struct {
	gutter string // what stands between a line number and its line
	// omit, when set, returns the text that replaces the pieces from (inclusive) to
	// (exclusive): a marker with what must surround it. When it is nil, lines are
	// replaced: see gap.
	omit func(t *Text, from, to int) string
	// marks lists the pieces, in order, that are markers of an earlier run. Render merges them with
	// the omissions beside them, whether or not the caller keeps them.
	marks    []int32
	elements [][2]int32 // set by PairTags: the pieces that are the start tag and the end tag of an element
}

// specials returns the special data of a text, to be set.
func (t *Text) specials() *special {
	if t.special == nil {
		t.special = &special{}
	}
	return t.special
}

func (t *Text) gutter() string {
	if t.special == nil {
		return ""
	}
	return t.special.gutter
}

func (t *Text) omit() func(t *Text, from, to int) string {
	if t.special == nil {
		return nil
	}
	return t.special.omit
}

func (t *Text) marks() []int32 {
	if t.special == nil {
		return nil
	}
	return t.special.marks
}

func (t *Text) elements() [][2]int32 {
	if t.special == nil {
		return nil
	}
	return t.special.elements
}

// mark adds a piece to the marks.
func (t *Text) mark(piece int) {
	s := t.specials()
	s.marks = append(s.marks, int32(piece))
}

// Cut cuts a text into pieces. The pieces cover the text without gaps, in order. It
// never fails: a text of unknown kind is cut into lines.
func Cut(source string, h Hint) *Text {
	t := &Text{Source: source, marked: strings.Contains(source, omitted)}
	expect := expected(h)
	if t.Kind = t.cutTree(expect); t.Kind != Plain {
		return t
	}
	t.Kind = recognise(source, expect, h)
	lines := 1 + strings.Count(source, "\n")
	crowded := lines > manyLines && len(source)/lines < shortLine
	if !crowded {
		t.Pieces = slices.Grow(t.Pieces, lines)
	}
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
		t.cutRun(crowded)
	}
	return t
}

// A text of more than manyLines lines, shorter than shortLine on average, is crowded. A piece for each line
// would take much more memory than the text.
const (
	manyLines = 1 << 18
	shortLine = 8 // bytes
)

// cutTree cuts a text that is not made of lines, and returns its kind; Plain when it
// is none of those. A text that only resembles a table or a page is not tried where
// the call leads to expect something else.
func (t *Text) cutTree(expect Kind) Kind {
	switch {
	case cutJSON(t), cutNDJSON(t), cutSnapshot(t):
	case expect == Prose && cutHTML(t): // what was fetched
	case expect != Plain && expect != Log && expect != Table && expect != HTML && expect != JSON:
	case cutHTML(t), cutTable(t):
	}
	return t.Kind
}
