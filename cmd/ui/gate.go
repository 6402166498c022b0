package ui

import (
	_ "embed" // for the schema
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Gate is whether some files are what was demanded of them.
type Gate struct {
	Version   int       `json:"version"`   // version of this report format
	Condense  string    `json:"condense"`  // version of the program
	Tokenizer Tokenizer `json:"tokenizer"` // how tokens were counted
	Errors    int       `json:"errors"`    // findings that fail the check
	Warnings  int       `json:"warnings"`  // findings that fail it only when asked to
	Files     []Gated   `json:"files"`     // in the order they were named, those of a folder by name
	Skipped   []Skipped `json:"skipped"`   // files that are no conversation, and need not be
}

// Gated is whether one file is what was demanded of it.
type Gated struct {
	Input    string   `json:"input"`             // as the user wrote it; "-" for standard input
	Format   string   `json:"format"`            // dialect of the file; "" when it could not be read
	Tokens   int      `json:"tokens"`            // of all its conversations
	Outcome  *Outcome `json:"outcome,omitempty"` // what condensing would make of it; absent when no demand is about that
	Demands  []string `json:"demands"`           // what was asked: max-tokens, valid, …
	Findings []Breach `json:"findings"`          // in the order of the demands
}

// Outcome is what condensing would make of a file.
type Outcome struct {
	Tokens int     `json:"tokens"` // that would be left
	Bound  float64 `json:"bound"`  // share of the facts that would still be where they belong, of the conversation with the smallest
	Why    string  `json:"why"`    // why nothing would be done; "" when something would
}

// Breach is one demand that is not met, in one place.
type Breach struct {
	Demand       string `json:"demand"`            // max-tokens, min-savings, max-growth, valid, min-retention, expect, or read
	Rule         string `json:"rule"`              // id of the rule: condense/ and the demand, or of --valid target/slug
	Severity     string `json:"severity"`          // error or warning
	Path         string `json:"path"`              // the file where it is: the input, or what was expected of it
	Line         int    `json:"line,omitempty"`    // of that file, from 1; absent when it is about the whole
	Conversation int    `json:"conversation"`      // number in the file, from 1; 0 when it is about all
	Message      int    `json:"message,omitempty"` // number in the conversation, from 1
	Text         string `json:"text"`              // what is wrong, for people
	Fix          string `json:"fix"`               // what to do about it; may be ""
}

// GateVersion is the version of what [GateJSON] writes. It rises when a member changes its
// meaning or goes away.
const GateVersion = 1

//go:embed gate.schema.json
var gateSchema string

// GateSchema is the JSON Schema of what [GateJSON] writes.
func GateSchema() []byte { return []byte(gateSchema) }

// Add adds a file, and counts its findings.
func (g *Gate) Add(file Gated) {
	g.Files = append(g.Files, file)
	for i := range file.Findings {
		if file.Findings[i].isError() {
			g.Errors++
		} else {
			g.Warnings++
		}
	}
}

// finding is a breach as validate would list it.
func (b *Breach) finding() Finding {
	return Finding{
		Severity: b.Severity, Rule: b.Rule, Line: b.Line, Conversation: b.Conversation, Message: b.Message, Text: b.Text, Fix: b.Fix,
	}
}

// isError reports whether a breach fails the check.
func (b *Breach) isError() bool { return b.Severity == "error" }

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

// GateJSON writes it for programs, as [GateSchema] describes it.
func GateJSON(w io.Writer, g *Gate) error {
	c := *g
	c.Skipped = list(g.Skipped)
	c.Files = make([]Gated, len(g.Files))
	for i, file := range g.Files {
		file.Demands, file.Findings = list(file.Demands), list(file.Findings)
		c.Files[i] = file
	}
	return writeJSON(w, &c)
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

// breaches yields all findings, in order.
func (g *Gate) breaches() func(yield func(*Breach) bool) {
	return func(yield func(*Breach) bool) {
		for i := range g.Files {
			for j := range g.Files[i].Findings {
				if !yield(&g.Files[i].Findings[j]) {
					return
				}
			}
		}
	}
}

// where is the place within the file, in words: "conversation 2, message 3"; "" for the whole.
func (b *Breach) where() string {
	var parts []string
	if b.Conversation > 1 {
		parts = append(parts, "conversation "+strconv.Itoa(b.Conversation))
	}
	if b.Message > 0 {
		parts = append(parts, "message "+strconv.Itoa(b.Message))
	}
	return strings.Join(parts, ", ")
}

// sentence is the finding in words, with its place and what to do, for where a file and a line
// are shown beside it.
func (b *Breach) sentence() string {
	text := b.Text
	if where := b.where(); where != "" {
		text = where + ": " + text
	}
	if b.Fix != "" {
		text += "; fix: " + b.Fix
	}
	return text
}
