package ui

import (
	_ "embed" // for the schema
	"io"
	"strconv"
)

// Explanation is what a run would do to a conversation, or to one message of it.
type Explanation struct {
	Version   int         `json:"version"`             // version of this report format
	Condense  string      `json:"condense"`            // version of the program
	Input     string      `json:"input"`               // as the user wrote it; "-" for standard input
	Format    string      `json:"format"`              // dialect of the file
	Strategy  string      `json:"strategy"`            // as asked for
	Target    string      `json:"target"`              // as asked for; "" for none
	Tokenizer Tokenizer   `json:"tokenizer"`           // how tokens were counted
	Unchanged string      `json:"unchanged,omitempty"` // why nothing would be done, when nothing would be
	Place     *Place      `json:"place,omitempty"`     // of the message that was asked for; absent when all were
	Blocks    []Explained `json:"blocks"`              // in the order of the file
}

// Place is where a message is.
type Place struct {
	Message int    `json:"message"`        // its number, from 1
	Of      int    `json:"of"`             // messages in the conversation
	Line    int    `json:"line,omitempty"` // of the file, from 1
	Role    string `json:"role"`           // system, user, assistant, tool
	Hidden  bool   `json:"hidden"`         // the model does not see it
}

// Explained is what would become of one block.
type Explained struct {
	Conversation int     `json:"conversation"`    // number in the file, from 1
	Message      int     `json:"message"`         // number in the conversation, from 1; of an insertion, that of the message behind it
	Block        int     `json:"block"`           // number in the message, from 1; 0 for the whole message
	Op           string  `json:"op"`              // keep, rewrite, drop, insert, hide, untag
	What         string  `json:"what"`            // kind and tool: "tool result Read"
	Tokens       Change  `json:"tokens"`          // of the block
	Left         Left    `json:"left"`            // what would be left of it
	Lines        *Change `json:"lines,omitempty"` // lines before, and those of them that would be left, when a part would
	Stage        string  `json:"stage"`           // strategy that would do it; "–" for none
	Why          string  `json:"why"`             // the reason, or the rule that keeps it
	Before       string  `json:"before"`          // its text, of something that would change
	After        string  `json:"after"`           // what it would be
}

// ExplanationVersion is the version of what [ExplanationJSON] writes. It rises when a member
// changes its meaning or goes away.
const ExplanationVersion = 1

//go:embed explanation.schema.json
var explanationSchema string

// ExplanationSchema is the JSON Schema of what [ExplanationJSON] writes.
func ExplanationSchema() []byte { return []byte(explanationSchema) }

// Explain takes out of a report, which has to be one with --explain, what it says of
// the message with that number, or for 0 of all.
func Explain(r *Report, message int) *Explanation {
	e := &Explanation{
		Version: ExplanationVersion, Condense: r.Condense, Input: r.Input, Format: r.Format, Strategy: r.Strategy, Target: r.Target,
		Tokenizer: r.Tokenizer, Unchanged: r.Unchanged,
	}
	for i := range r.Conversations {
		c := &r.Conversations[i]
		for _, x := range withKept(c) {
			if message != 0 && x.Message != message {
				continue
			}
			if x.Op == "" {
				x.Op = "keep"
			}
			e.Blocks = append(e.Blocks, Explained{
				Conversation: c.Number, Message: x.Message, Block: x.Block, Op: x.Op, What: x.What, Tokens: x.Tokens, Left: x.Left,
				Lines: x.Lines, Stage: x.Stage, Why: x.Why, Before: x.Before, After: x.After,
			})
		}
	}
	return e
}

// edit is the entry of a report that it was taken from.
func (x *Explained) edit() Edit {
	return Edit{
		Message: x.Message, Block: x.Block, Stage: x.Stage, Op: x.Op, What: x.What, Tokens: x.Tokens, Left: x.Left,
		Why: x.Why, Lines: x.Lines, Before: x.Before, After: x.After,
	}
}

// WriteExplanation writes a table of what would become of each block, and of one message what
// changes in its text.
func WriteExplanation(w io.Writer, e *Explanation, o TextOptions) error {
	p := newPage(w, o)
	if at := e.Place; at != nil {
		text := "message " + strconv.Itoa(at.Message) + " of " + number(at.Of) + " · " + EscapeLine(at.Role)
		if at.Line > 0 {
			text += " · " + EscapeLine(e.Input) + ":" + strconv.Itoa(at.Line)
		}
		p.sentence(strong, text)
		switch {
		case at.Hidden && len(e.Blocks) == 0:
			p.sentence(plain, "the model does not see it: it is copied as it is")
		case len(e.Blocks) == 0:
			p.sentence(plain, "there is no content in it that a strategy could change")
		}
	}
	if e.Unchanged != "" {
		p.sentence(plain, "a run would change nothing: "+EscapeLine(e.Unchanged))
	}
	for blocks := e.Blocks; len(blocks) > 0; {
		n := 0
		var edits []Edit
		for ; n < len(blocks) && blocks[n].Conversation == blocks[0].Conversation; n++ {
			edits = append(edits, blocks[n].edit())
		}
		if n < len(e.Blocks) {
			p.blank()
			p.line(strong, "conversation number "+strconv.Itoa(blocks[0].Conversation))
		}
		p.table(editTable(edits, EscapeLine))
		if e.Place != nil {
			for i := range edits {
				edits[i].Why = ""
			}
			if err := p.changes("", changed(edits)); err != nil {
				return err
			}
		}
		blocks = blocks[n:]
	}
	return p.Flush()
}

// changed leaves out what stays as it is.
func changed(edits []Edit) (list []Edit) {
	for _, e := range edits {
		if e.Op != "keep" {
			list = append(list, e)
		}
	}
	return list
}

// ExplanationJSON writes it for programs, as [ExplanationSchema] describes it.
func ExplanationJSON(w io.Writer, e *Explanation) error {
	c := *e
	c.Blocks = list(e.Blocks)
	return writeJSON(w, &c)
}
