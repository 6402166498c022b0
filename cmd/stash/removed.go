package stash

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Edit is what a run took from one place.
type Edit struct {
	Conversation int    `json:"conversation"`    // number in the file, from 1
	Message      int    `json:"message"`         // number in the conversation as it was, from 1
	Block        int    `json:"block,omitempty"` // number in the message, from 1; 0 for the whole message
	What         string `json:"what,omitempty"`  // kind and tool: "tool result Read src/a.go"
	Op           string `json:"op"`              // rewrite, drop, …
	Why          string `json:"why,omitempty"`   // the reason, short
	Text         string `json:"text,omitempty"`  // the lines that went, joined by line feeds; "" for what has no text

	Elsewhere int `json:"elsewhere,omitempty"` // lines that went from here and are not in Text, because the output has them elsewhere
}

// Lines are lines of texts that an output holds.
type Lines map[string]bool

// Add adds the lines of a text, but for short ones, which say nothing of where they stand.
func (l Lines) Add(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= telling {
			l[line] = true
		}
	}
}

// telling is the least length of a line that is looked for in other places. What is shorter (a
// bracket, an empty line) goes with the line before it.
const telling = 20

// Gone returns the lines of a text that are not in what became of it, in order, joined by line
// feeds, and leaves out those that the output has elsewhere; it tells how many these are.
// A line that was there twice and is there once is given once.
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
		if len(line) >= telling {
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

// marshal writes edits one a line. Texts are spelled as most transcripts spell them, so that they
// are found among the removed bytes.
func marshal(edits []Edit) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range edits {
		if err := enc.Encode(&edits[i]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func unmarshal(list []byte) (edits []Edit, err error) {
	for dec := json.NewDecoder(bytes.NewReader(list)); ; {
		var e Edit
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return edits, nil
		} else if err != nil {
			return nil, errDelta
		}
		edits = append(edits, e)
	}
}
