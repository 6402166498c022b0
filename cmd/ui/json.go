package ui

import (
	"bytes"
	_ "embed" // for the schema
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

//go:embed report.schema.json
var schema string

//go:embed findings.schema.json
var findingsSchema string

//go:embed mending.schema.json
var mendingSchema string

//go:embed stats.schema.json
var statsSchema string

//go:embed comparison.schema.json
var comparisonSchema string

//go:embed summary.schema.json
var summarySchema string

// StatsSchema is the JSON Schema of what [StatsJSON] writes.
func StatsSchema() []byte { return []byte(statsSchema) }

// ComparisonSchema is the JSON Schema of what [ComparisonJSON] writes.
func ComparisonSchema() []byte { return []byte(comparisonSchema) }

// SummarySchema is the JSON Schema of what [SummaryJSON] writes.
func SummarySchema() []byte { return []byte(summarySchema) }

// Schema is the JSON Schema (2020-12) of what [JSON] writes.
func Schema() []byte { return []byte(schema) }

// FindingsSchema is the JSON Schema of what [FindingsJSON] writes.
func FindingsSchema() []byte { return []byte(findingsSchema) }

// MendingSchema is the JSON Schema of what [MendingJSON] writes.
func MendingSchema() []byte { return []byte(mendingSchema) }

// JSON writes the report for programs, indented. Lists are never null. Runes that could act on a
// terminal are written as \u escapes, which mean the same to every JSON reader.
func JSON(w io.Writer, r *Report) error { return writeJSON(w, complete(r)) }

// writeJSON writes a value as [JSON] does.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("report as JSON: %w", err)
	}
	_, err := io.WriteString(w, EscapeJSON(b.String()))
	return err
}

// complete is a copy of r with an empty list in place of each that is nil.
func complete(r *Report) *Report {
	c := *r
	c.Notes = list(r.Notes)
	c.Faults = list(r.Faults)
	c.Retained = completeRetained(r.Retained)
	c.Conversations = make([]Conversation, len(r.Conversations))
	for i, conv := range r.Conversations {
		conv.Kinds = list(conv.Kinds)
		conv.Stages = completeStages(conv.Stages)
		conv.Floor = list(conv.Floor)
		conv.Faults = list(conv.Faults)
		conv.Edits = list(conv.Edits)
		conv.Retained = completeRetained(conv.Retained)
		c.Conversations[i] = conv
	}
	return &c
}

func completeStages(stages []Stage) []Stage {
	c := append([]Stage{}, stages...)
	for i := range c {
		if m := c[i].Metrics; m != nil && m.Asked != nil {
			metrics, asked := *m, *m.Asked
			asked.Notes = list(asked.Notes)
			if asked.Redacted == nil {
				asked.Redacted = map[string]int{}
			}
			metrics.Asked = &asked
			c[i].Metrics = &metrics
		}
	}
	return c
}

func completeRetained(r *Retained) *Retained {
	if r == nil {
		return nil
	}
	c := *r
	c.Kinds = list(r.Kinds)
	return &c
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// EscapeJSON escapes in a JSON document, as an encoder wrote it, what could act on a terminal and
// is left as it is there: DEL, C1 and bidirectional controls. It means the same to every JSON
// reader, for they can only stand in strings: outside of them, an encoder writes no control
// characters but line feeds.
func EscapeJSON(doc string) string {
	var b strings.Builder
	b.Grow(len(doc))
	done := 0
	for i, r := range doc {
		if r != '\n' && unsafeRune(r) {
			b.WriteString(doc[done:i])
			writeU(&b, r)
			done = i + utf8.RuneLen(r)
		}
	}
	b.WriteString(doc[done:])
	return b.String()
}
