package survey

import "condense/cmd/report"

// An Explanation lists the changes that a run would make to a conversation, or to one message of it.
type Explanation struct {
	Version   int              `json:"version"`             // version of this report format
	Condense  string           `json:"condense"`            // version of the program
	Input     string           `json:"input"`               // as the user wrote it; "-" for standard input
	Format    string           `json:"format"`              // dialect of the file
	Strategy  string           `json:"strategy"`            // as asked for
	Target    string           `json:"target"`              // as asked for; "" for none
	Tokenizer report.Tokenizer `json:"tokenizer"`           // how tokens were counted
	Unchanged string           `json:"unchanged,omitempty"` // why nothing would change; absent when something would
	Place     *Place           `json:"place,omitempty"`     // place of the requested message; absent when all were requested
	Blocks    []Explained      `json:"blocks"`              // in the order of the file
}

// A Place locates a message.
type Place struct {
	Message int    `json:"message"`        // number of the message, from 1
	Of      int    `json:"of"`             // number of messages in the conversation
	Line    int    `json:"line,omitempty"` // line of the file, from 1
	Role    string `json:"role"`           // system, user, assistant, tool
	Hidden  bool   `json:"hidden"`         // set if the model does not see it
}

// An Explained describes the change that a run would make to one block.
type Explained struct {
	Conversation int            `json:"conversation"`    // number in the file, from 1
	Message      int            `json:"message"`         // number in the conversation, from 1; for an insertion, that of the message behind it
	Block        int            `json:"block"`           // number in the message, from 1; 0 for the whole message
	Op           string         `json:"op"`              // keep, rewrite, drop, insert, hide, untag
	What         string         `json:"what"`            // kind and tool: "tool result Read"
	Tokens       report.Change  `json:"tokens"`          // tokens of the block
	Left         report.Left    `json:"left"`            // what would be left of it
	Lines        *report.Change `json:"lines,omitempty"` // lines before, and those that would be left, when a part would
	Stage        string         `json:"stage"`           // strategy that would make the change; "–" for none
	Why          string         `json:"why"`             // the reason of the change, or the pin that prevents it
	Before       string         `json:"before"`          // text of the block, when it would change
	After        string         `json:"after"`           // text that it would have
}

// explanationVersion is the version of the JSON of explain. It rises when a member changes its
// meaning or is removed.
const explanationVersion = 1

// Explain returns the part of a report that concerns the message with that number, or all messages
// for 0. The report must have been built with [report.Builder.Explain].
func Explain(r *report.Report, message int) *Explanation {
	e := &Explanation{
		Version: explanationVersion, Condense: r.Condense, Input: r.Input, Format: r.Format, Strategy: r.Strategy, Target: r.Target,
		Tokenizer: r.Tokenizer, Unchanged: r.Unchanged,
	}
	for i := range r.Conversations {
		c := &r.Conversations[i]
		for _, x := range report.WithKept(c) {
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
