// Package gate holds what commands report about broken rules, as data: the results of check, the
// findings of validate and the changes of repair.
package gate

import (
	"strconv"
	"strings"

	"condense/cmd/report"
)

// A Gate reports whether files meet the demands of a check.
type Gate struct {
	Version   int              `json:"version"`   // version of this report format
	Condense  string           `json:"condense"`  // version of the program
	Tokenizer report.Tokenizer `json:"tokenizer"` // how tokens were counted; of the first file, if files differ
	Errors    int              `json:"errors"`    // findings that fail the check
	Warnings  int              `json:"warnings"`  // findings that fail it only when asked to
	Files     []Gated          `json:"files"`     // in the order of the arguments, those of a folder by name
	Skipped   []report.Skipped `json:"skipped"`   // files without a conversation: in folders, or anywhere with --skip-others
}

// A Gated reports whether one file meets the demands of a check.
type Gated struct {
	Input    string   `json:"input"`             // as the user wrote it; "-" for standard input
	Format   string   `json:"format"`            // dialect of the file; "" when it could not be read
	Tokens   int      `json:"tokens"`            // tokens of all its conversations
	Outcome  *Outcome `json:"outcome,omitempty"` // what condensing would lead to; absent when no demand asks for it
	Demands  []string `json:"demands"`           // names of the demands: max-tokens, valid, …
	Findings []Breach `json:"findings"`          // in the order of the demands

	Tokenizer *report.Tokenizer `json:"tokenizer,omitempty"` // how its tokens were counted, if files differ in that
}

// An Outcome holds what condensing a file would lead to.
type Outcome struct {
	Tokens  int     `json:"tokens"`  // tokens that would be left
	Bound   float64 `json:"bound"`   // smallest share, over the conversations, of facts that would still be at their place
	Measure string  `json:"measure"` // the measure of the retention with the smallest share: answered, closing, last, prose, facts, user or todos; "" when all are 1
	Worst   float64 `json:"worst"`   // that share
	Why     string  `json:"why"`     // why nothing would change; "" when something would
}

// A Breach is one demand that is not met at one place.
type Breach struct {
	Demand       string `json:"demand"`            // max-tokens, min-savings, max-growth, valid, min-retention, expect, or read
	Rule         string `json:"rule"`              // id of the rule: "condense/" and the demand; for the demand valid, target/slug
	Severity     string `json:"severity"`          // error or warning
	Path         string `json:"path"`              // the file with the place: the input, or its expected output
	Line         int    `json:"line,omitempty"`    // line of that file, from 1; absent when the breach concerns the whole file
	Conversation int    `json:"conversation"`      // number in the file, from 1; 0 when the breach concerns all conversations
	Message      int    `json:"message,omitempty"` // number in the conversation, from 1
	Text         string `json:"text"`              // what is wrong, for people
	Fix          string `json:"fix"`               // what to do about it; may be ""
}

// GateVersion is the version of the JSON of check. It rises when a member changes its meaning or is
// removed.
const GateVersion = 1

// Add adds a file and counts its findings.
func (g *Gate) Add(file Gated) {
	g.Files = append(g.Files, file)
	for i := range file.Findings {
		if file.Findings[i].IsError() {
			g.Errors++
		} else {
			g.Warnings++
		}
	}
}

// Finish sets the tokenizer from those of the files, and removes theirs if all are the same.
func (g *Gate) Finish() {
	var first *report.Tokenizer
	alike := true
	for i := range g.Files {
		how := g.Files[i].Tokenizer
		if first == nil {
			first = how
		}
		alike = alike && (how == nil || *how == *first)
	}
	if first != nil {
		g.Tokenizer = *first
	}
	for i := range g.Files {
		if alike {
			g.Files[i].Tokenizer = nil
		}
	}
}

// Finding returns a breach in the form of validate.
func (b *Breach) Finding() Finding {
	return Finding{
		Severity: b.Severity, Rule: b.Rule, Line: b.Line, Conversation: b.Conversation, Message: b.Message, Text: b.Text, Fix: b.Fix,
	}
}

// IsError reports whether a breach fails the check.
func (b *Breach) IsError() bool { return b.Severity == "error" }

// Breaches yields all findings, in order.
func (g *Gate) Breaches() func(yield func(*Breach) bool) {
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

// where names the place within the file: "conversation 2, message 3". It returns "" for the whole file.
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

// Sentence describes the breach with its place and its fix. It omits the file and the line, which
// callers show beside it.
func (b *Breach) Sentence() string {
	text := b.Text
	if where := b.where(); where != "" {
		text = where + ": " + text
	}
	if b.Fix != "" {
		text += "; fix: " + b.Fix
	}
	return text
}
