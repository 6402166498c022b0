package ui

import (
	_ "embed" // for the schema
	"io"
	"strconv"
	"strings"
)

// Difference is what is different in one file from another.
type Difference struct {
	Version       int       `json:"version"`       // version of this report format
	Condense      string    `json:"condense"`      // version of the program
	A             string    `json:"a"`             // the first file, as the user wrote it; "-" for standard input
	B             string    `json:"b"`             // the second file
	FormatA       string    `json:"format_a"`      // dialect of the first file
	FormatB       string    `json:"format_b"`      // dialect of the second file
	Tokenizer     Tokenizer `json:"tokenizer"`     // how tokens were counted
	Different     bool      `json:"different"`     // some message or block is different
	SameBytes     bool      `json:"same_bytes"`    // the files are the same to the byte
	Bytes         Change    `json:"bytes"`         // size of the files
	Tokens        Change    `json:"tokens"`        // of all conversations
	Messages      Change    `json:"messages"`      // of all conversations
	Conversations []Differs `json:"conversations"` // in the order of the first file, then those of the second alone
}

// Differs is what is different in one conversation.
type Differs struct {
	ID       string   `json:"id"`             // as the file names it; may be ""
	Only     string   `json:"only,omitempty"` // a or b, when the other file does not have it
	Tokens   Change   `json:"tokens"`         // of its effective view
	Messages Change   `json:"messages"`       // of its effective view
	Changes  []Differ `json:"changes"`        // in the order of the first file
}

// Differ is one message or block that is different.
type Differ struct {
	Message int         `json:"message"`         // number in the first conversation, from 1; of an insertion, that of the message behind it
	Other   int         `json:"other"`           // number in the second conversation, from 1; of what went, that of the message behind it
	Block   int         `json:"block"`           // number in the message, from 1; 0 for the whole message
	Op      string      `json:"op"`              // drop, insert, shorten, rewrite, hide, show
	What    string      `json:"what"`            // kind and tool: "tool result Read"
	Tokens  Change      `json:"tokens"`          // of the block
	Lines   *LineCounts `json:"lines,omitempty"` // of a text that is there in both
	Note    string      `json:"note"`            // what differs when it is not the text; may be ""
	Before  string      `json:"before"`          // its text in the first file
	After   string      `json:"after"`           // its text in the second file
}

// LineCounts compares the lines of two texts, in any order.
type LineCounts struct {
	Kept    int `json:"kept"`    // that are in both
	Omitted int `json:"omitted"` // that are in the first alone
	Added   int `json:"added"`   // that are in the second alone
}

// DifferenceVersion is the version of what [DifferenceJSON] writes. It rises when a member
// changes its meaning or goes away.
const DifferenceVersion = 1

//go:embed difference.schema.json
var differenceSchema string

// DifferenceSchema is the JSON Schema of what [DifferenceJSON] writes.
func DifferenceSchema() []byte { return []byte(differenceSchema) }

// DifferenceJSON writes it for programs, as [DifferenceSchema] describes it.
func DifferenceJSON(w io.Writer, d *Difference) error {
	c := *d
	c.Conversations = make([]Differs, len(d.Conversations))
	for i, conv := range d.Conversations {
		conv.Changes = list(conv.Changes)
		c.Conversations[i] = conv
	}
	return writeJSON(w, &c)
}

// WriteDifference writes what is different, as [Diff] writes what a run changes.
func WriteDifference(w io.Writer, d *Difference, o TextOptions) error {
	p := newPage(w, o)
	for i := range d.Conversations {
		c := &d.Conversations[i]
		edits := make([]Edit, len(c.Changes))
		for j := range c.Changes {
			edits[j] = c.Changes[j].edit()
		}
		if err := p.changes(d.title(i), edits); err != nil {
			return err
		}
	}
	return p.Flush()
}

// title names a conversation where there are several.
func (d *Difference) title(i int) string {
	if len(d.Conversations) == 1 {
		return ""
	}
	c := &d.Conversations[i]
	name := "conversation " + EscapeLine(c.ID)
	if c.ID == "" {
		name = "conversation number " + strconv.Itoa(i+1)
	}
	if c.Only != "" {
		name += ", in " + EscapeLine(map[string]string{"a": d.A, "b": d.B}[c.Only]) + " only"
	}
	return name
}

// edit is a difference as a run would list it.
func (d *Differ) edit() Edit {
	return Edit{Message: d.Message, Block: d.Block, What: d.What, Tokens: d.Tokens, Why: d.says(), Before: d.Before, After: d.After}
}

// says tells in a few words what became of it.
func (d *Differ) says() string {
	text := map[string]string{
		"drop": "dropped", "insert": "inserted", "shorten": "shortened", "rewrite": "changed", "hide": "hidden now", "show": "not hidden any more",
	}[d.Op]
	if d.Note != "" {
		return text + ": " + d.Note
	}
	if d.Lines == nil {
		return text
	}
	var parts []string
	for _, n := range []struct {
		lines int
		what  string
	}{{d.Lines.Kept, "kept"}, {d.Lines.Omitted, "omitted"}, {d.Lines.Added, "new"}} {
		if n.lines > 0 {
			parts = append(parts, plural(n.lines, "line")+" "+n.what)
		}
	}
	return text + ": " + strings.Join(parts, ", ")
}

// WriteDifferenceStat writes a line for each difference, without the texts.
func WriteDifferenceStat(w io.Writer, d *Difference, o TextOptions) error {
	p := newPage(w, o)
	largest := 0
	for i := range d.Conversations {
		for _, x := range d.Conversations[i].Changes {
			largest = max(largest, x.Tokens.Before, x.Tokens.After)
		}
	}
	for i := range d.Conversations {
		c := &d.Conversations[i]
		if title := d.title(i); title != "" && len(c.Changes) > 0 {
			p.blank()
			p.sentence(strong, title)
		}
		t := table{
			columns: []column{figures, figures, figures, figures, words, words, aside},
			head:    []string{"message", "block", "tokens", "after", "what", "change", ""},
			long:    4,
		}
		for _, x := range c.Changes {
			block, drawn := "–", ""
			if x.Block > 0 {
				block = strconv.Itoa(x.Block)
			}
			if p.terminal() {
				drawn = bar(x.Tokens, largest)
			}
			t.add(strconv.Itoa(x.Message), block, number(x.Tokens.Before), number(x.Tokens.After), EscapeLine(x.What), EscapeLine(x.says()), drawn)
		}
		p.table(t)
	}
	return p.Flush()
}

// WriteDifferenceSummary writes one line that adds up.
func WriteDifferenceSummary(w io.Writer, d *Difference, o TextOptions) error {
	p := newPage(w, o)
	count := map[string]int{}
	for i := range d.Conversations {
		for _, x := range d.Conversations[i].Changes {
			count[x.Op]++
		}
	}
	var parts []string
	for _, op := range []struct{ op, noun, says string }{
		{"drop", "block", "dropped"}, {"shorten", "block", "shortened"}, {"rewrite", "block", "changed"},
		{"insert", "block", "inserted"}, {"hide", "message", "hidden"}, {"show", "message", "shown"},
	} {
		if n := count[op.op]; n > 0 {
			parts = append(parts, plural(n, op.noun)+" "+op.says)
		}
	}
	text := strings.Join(parts, ", ")
	switch {
	case d.SameBytes:
		text = "the same to the byte"
	case !d.Different:
		text = "the same conversation; the files differ in other bytes"
	case text == "": // conversations without messages
		text = "another number of conversations"
	}
	tokens := change(d.Tokens) + " tokens"
	if saved := percent(d.Tokens); d.Tokens.Before != d.Tokens.After && saved != "" {
		tokens += " (" + saved + ")"
	}
	p.sentence(plain, p.paint(strong, EscapeLine(d.A)+" → "+EscapeLine(d.B)+":")+" "+text+"; "+tokens+" "+
		p.paint(faint, "["+EscapeLine(d.Tokenizer.Name)+"]"))
	return p.Flush()
}
