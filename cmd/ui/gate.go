package ui

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteGate writes a line for each finding, as compilers do. With o.Verbose, what to do follows.
func WriteGate(w io.Writer, g *Gate, o TextOptions) error {
	p := newPage(w, o)
	for _, file := range g.Files {
		several := false
		for _, b := range file.Findings {
			several = several || b.Conversation > 1
		}
		for _, b := range file.Findings {
			p.finding(b.Path, b.finding(), several)
		}
	}
	return p.Flush()
}

// WriteGateSummary writes one line that adds up.
func WriteGateSummary(w io.Writer, g *Gate, o TextOptions) error {
	p := newPage(w, o)
	text, t := gateResult(g), good
	switch {
	case g.Errors > 0:
		t = bad
	case g.Warnings > 0 || len(g.Files) == 0:
		t = warn
	}
	tokens := 0
	for _, file := range g.Files {
		tokens += file.Tokens
	}
	with := number(tokens) + " tokens, " + EscapeLine(g.Tokenizer.Name)
	if n := len(g.Skipped); n > 0 {
		with += "; " + plural(n, "other file") + " skipped"
	}
	p.sentence(plain, p.paint(strong, plural(len(g.Files), "file")+":")+" "+p.paint(t, text)+" "+p.paint(faint, "["+with+"]"))
	if p.Verbose > 0 {
		for _, s := range g.Skipped {
			p.sentence(faint, "skipped "+EscapeLine(s.Input)+": "+EscapeLine(s.Why))
		}
	}
	return p.Flush()
}

// gateResult says in a few words how it ended.
func gateResult(g *Gate) string {
	switch {
	case len(g.Files) == 0:
		return "no conversation was found, nothing was checked"
	case g.Errors+g.Warnings == 0:
		return "no findings"
	}
	return plural(g.Errors, "error") + ", " + plural(g.Warnings, "warning")
}

// GateLines writes each finding as a JSON object on a line of its own: a [Breach] of the schema.
func GateLines(w io.Writer, g *Gate) error {
	for b := range g.breaches() {
		line, err := json.Marshal(b)
		if err != nil {
			return fmt.Errorf("finding as JSON: %w", err)
		}
		if _, err := io.WriteString(w, EscapeJSON(string(line))+"\n"); err != nil {
			return err
		}
	}
	return nil
}
