package ui

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Tokens is what was counted in some texts. The names of its members in JSON are
// part of the interface.
type Tokens struct {
	Tokenizer *Tokenizer `json:"tokenizer"` // how tokens were counted; null when each text says it for itself
	Files     []TextSize `json:"files"`     // in the order of the arguments
	Total     *int       `json:"total"`     // tokens of all; null when they were not counted in one way
}

// TextSize is the size of one text.
type TextSize struct {
	Input  string `json:"input"` // as the user wrote it; "-" for standard input
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"`
	IDs    []int  `json:"ids,omitempty"` // the tokens themselves, when asked for

	Tokenizer *Tokenizer `json:"tokenizer,omitempty"` // how it was counted, when not all texts were counted in one way
}

// WriteTokens writes counts as wc does: the number alone for one text, else a line
// with number and name for each, and a total. Tokens that were asked for stand on
// a line for each text instead. Texts that were counted in several ways have no total, and
// each line says how.
func WriteTokens(w io.Writer, t *Tokens, ids bool) error {
	var b strings.Builder
	width := 0
	for _, f := range t.Files {
		width = max(width, len(strconv.Itoa(f.Tokens)))
	}
	if t.Total != nil {
		width = len(strconv.Itoa(*t.Total))
	}
	for _, f := range t.Files {
		switch {
		case ids:
			b.WriteString(strings.Trim(fmt.Sprint(f.IDs), "[]") + "\n")
		case len(t.Files) == 1:
			fmt.Fprintln(&b, f.Tokens)
		case f.Tokenizer != nil:
			fmt.Fprintf(&b, "%*d %s [%s]\n", width, f.Tokens, EscapeLine(f.Input), tokenizerName(f.Tokenizer))
		default:
			fmt.Fprintf(&b, "%*d %s\n", width, f.Tokens, EscapeLine(f.Input))
		}
	}
	if !ids && len(t.Files) > 1 && t.Total != nil {
		fmt.Fprintf(&b, "%*d total\n", width, *t.Total)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// TokensJSON writes counts for programs.
func TokensJSON(w io.Writer, t *Tokens) error { return writeJSON(w, t) }
