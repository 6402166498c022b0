package stash

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Edit is the text that a run removed at one place.
type Edit struct {
	Conversation int    `json:"conversation"`    // number in the file, from 1
	Message      int    `json:"message"`         // number in the conversation before the run, from 1
	Block        int    `json:"block,omitempty"` // number in the message, from 1; 0 for the whole message
	What         string `json:"what,omitempty"`  // kind and tool: "tool result Read src/a.go"
	Op           string `json:"op"`              // rewrite, drop, …
	Why          string `json:"why,omitempty"`   // the reason, short
	Text         string `json:"text,omitempty"`  // the removed lines, joined by line feeds; "" for media

	Elsewhere int `json:"elsewhere,omitempty"` // number of removed lines that Text leaves out, because the output has them elsewhere
}

// Lines is the set of lines of an output.
type Lines map[string]bool

// Add adds the lines of a text, except short ones, which occur everywhere.
func (l Lines) Add(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= distinctive {
			l[line] = true
		}
	}
}

// distinctive is the least length of a line that is compared with other places. A shorter line, such
// as a bracket, is treated like the line before it.
const distinctive = 20

// Gone returns the lines of before that are not in after, in order, joined by line feeds. It leaves
// out lines that the output has elsewhere, and returns their number. A line that occurs twice in
// before and once in after is returned once.
func (l Lines) Gone(before, after string) (text string, elsewhere int) {
	left := map[string]int{}
	if after != "" {
		for line := range strings.SplitSeq(after, "\n") {
			left[line]++
		}
	}
	var gone []string
	skipping := false
	for line := range strings.SplitSeq(before, "\n") {
		if left[line] > 0 {
			left[line]--
			continue
		}
		if len(line) >= distinctive {
			skipping = l[line]
		}
		if skipping {
			elsewhere++
			continue
		}
		gone = append(gone, line)
	}
	return strings.Join(gone, "\n"), elsewhere
}

// marshal encodes edits or texts, one a line. It escapes texts like most transcripts do, so that a delta
// finds them in the removed bytes.
func marshal[T Edit | Text](list []T) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range list {
		_ = enc.Encode(&list[i]) // there is nothing in it that JSON cannot have
	}
	return b.Bytes()
}

// unmarshal decodes the first n edits of a list.
func unmarshal(list []byte, n int) (edits []Edit, err error) {
	dec := json.NewDecoder(bytes.NewReader(list))
	for range n {
		var e Edit
		if dec.Decode(&e) != nil {
			return nil, errDelta
		}
		edits = append(edits, e)
	}
	return edits, nil
}
