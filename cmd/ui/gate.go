package ui

import (
	"encoding/json"
	"fmt"
	"io"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeGate writes a line for each finding, as compilers do. With o.Verbose, what to do follows.
func writeGate(w io.Writer, g *report.Gate, o Options) error {
	p := newPage(w, o)
	for _, file := range g.Files {
		several := false
		for _, b := range file.Findings {
			several = several || b.Conversation > 1
		}
		for _, b := range file.Findings {
			p.finding(b.Path, b.Finding(), several)
		}
	}
	return p.Flush()
}

// GateSummary writes one line that adds up.
func GateSummary(w io.Writer, g *report.Gate, o Options) error {
	p := newPage(w, o)
	text, t := gateResult(g), content.Good
	switch {
	case g.Errors > 0:
		t = content.Bad
	case g.Warnings > 0 || len(g.Files) == 0:
		t = content.Warn
	}
	tokens := 0
	for _, file := range g.Files {
		tokens += file.Tokens
	}
	with := content.Number(tokens) + " tokens, " + escape.Line(g.Tokenizer.Name)
	if n := len(g.Skipped); n > 0 {
		with += "; " + content.Plural(n, "other file") + " skipped"
	}
	p.sentence(content.Plain, p.paint(content.Strong, content.Plural(len(g.Files), "file")+":")+" "+p.paint(t, text)+" "+p.paint(content.Faint, "["+with+"]"))
	if p.Verbose > 0 {
		for _, s := range g.Skipped {
			p.sentence(content.Faint, "skipped "+escape.Line(s.Input)+": "+escape.Line(s.Why))
		}
	}
	return p.Flush()
}

// gateResult says in a few words how it ended.
func gateResult(g *report.Gate) string {
	switch {
	case len(g.Files) == 0:
		return "no conversation was found, nothing was checked"
	case g.Errors+g.Warnings == 0:
		return "no findings"
	}
	return content.Plural(g.Errors, "error") + ", " + content.Plural(g.Warnings, "warning")
}

// gateLines writes each finding as a JSON object on a line of its own: a [Breach] of the schema.
func gateLines(w io.Writer, g *report.Gate, _ Options) error {
	for b := range g.Breaches() {
		line, err := json.Marshal(b)
		if err != nil {
			return fmt.Errorf("finding as JSON: %w", err)
		}
		if _, err := io.WriteString(w, escape.JSON(string(line))+"\n"); err != nil {
			return err
		}
	}
	return nil
}
