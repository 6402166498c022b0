// Package gate is what commands report about broken rules, as data: the demands of check, the
// findings of validate and what repair put right.
package gate

import (
	"strconv"
	"strings"

	"condense/cmd/report"
)

// Gate reports whether some files meet the demands on them.
type Gate struct {
	Version   int              `json:"version"`   // version of this report format
	Condense  string           `json:"condense"`  // version of the program
	Tokenizer report.Tokenizer `json:"tokenizer"` // how tokens were counted
	Errors    int              `json:"errors"`    // findings that fail the check
	Warnings  int              `json:"warnings"`  // findings that fail it only when asked to
	Files     []Gated          `json:"files"`     // in the order they were named, those of a folder by name
	Skipped   []report.Skipped `json:"skipped"`   // files that are no conversation, and need not be
}

// Gated reports whether one file meets the demands on it.
type Gated struct {
	Input    string   `json:"input"`             // as the user wrote it; "-" for standard input
	Format   string   `json:"format"`            // dialect of the file; "" when it could not be read
	Tokens   int      `json:"tokens"`            // of all its conversations
	Outcome  *Outcome `json:"outcome,omitempty"` // what condensing would make of it; absent when no demand is about that
	Demands  []string `json:"demands"`           // what was asked: max-tokens, valid, …
	Findings []Breach `json:"findings"`          // in the order of the demands
}

// Outcome holds the sizes that condensing a file would lead to.
type Outcome struct {
	Tokens  int     `json:"tokens"`  // that would be left
	Bound   float64 `json:"bound"`   // share of the facts that would still be where they belong, of the conversation with the smallest
	Measure string  `json:"measure"` // the smallest measure of a retention: answered, closing, last, prose, facts, user or todos; "" when all are 1
	Worst   float64 `json:"worst"`   // its share
	Why     string  `json:"why"`     // why nothing would be done; "" when something would
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

// GateVersion is the version of the JSON of check. It rises when a member changes its
// meaning or goes away.
const GateVersion = 1

// Add adds a file, and counts its findings.
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

// Finding is a breach as validate would list it.
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

// Sentence is the finding in words, with its place and what to do, for where a file and a line
// are shown beside it.
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
