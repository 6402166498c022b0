package ui

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeTokens writes counts as wc does: the number alone for one text, else a line
// with number and name for each, and a total. Tokens that were asked for stand on
// a line for each text instead. Texts that were counted in several ways have no total, and
// each line says how.
func writeTokens(w io.Writer, t *report.Tokens, _ Options) error {
	ids := t.ShowIDs
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
			fmt.Fprintf(&b, "%*d %s [%s]\n", width, f.Tokens, escape.Line(f.Input), content.TokenizerName(f.Tokenizer))
		default:
			fmt.Fprintf(&b, "%*d %s\n", width, f.Tokens, escape.Line(f.Input))
		}
	}
	if !ids && len(t.Files) > 1 && t.Total != nil {
		fmt.Fprintf(&b, "%*d total\n", width, *t.Total)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
