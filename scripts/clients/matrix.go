//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A matrix holds the results of all clients.
type matrix struct {
	Date    string
	Columns []*column
	Skipped []string
}

// A column holds the results of one client.
type column struct {
	Title, Version string
	Results        []*result
	Unknown        []string
}

func (m *matrix) skip(s *subject, why string) {
	m.Skipped = append(m.Skipped, fmt.Sprintf("%s %s: %s", s.c.title, s.version, why))
}

// add adds a result of the last client.
func (m *matrix) add(r *result) {
	c := m.Columns[len(m.Columns)-1]
	c.Results = append(c.Results, r)
}

// failed reports whether a trial of the last client failed.
func (m *matrix) failed() bool {
	return slices.ContainsFunc(m.Columns[len(m.Columns)-1].Results, func(r *result) bool { return len(r.Faults) > 0 })
}

// keep writes the results of the last client into a folder.
func (m *matrix) keep(dir, name string) error {
	data, err := json.MarshalIndent(m.Columns[len(m.Columns)-1], "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".json"), append(data, '\n'), 0o644)
}

// restore adds the results of a client that keep wrote, and reports whether there are any of this
// version.
func (m *matrix) restore(dir, name, version string) bool {
	data, err := os.ReadFile(filepath.Join(dir, name+".json"))
	var c column
	if err != nil || json.Unmarshal(data, &c) != nil || c.Version != version {
		return false
	}
	m.Columns = append(m.Columns, &c)
	return true
}

// word describes a result for the log.
func (r *result) word() string {
	if len(r.Faults) == 0 {
		return fmt.Sprintf("yes, in round %d", r.Rounds)
	}
	return strings.Join(r.Faults, "; ")
}

// of returns the result of a trial, or nil.
func (c *column) of(trial string) *result {
	for _, r := range c.Results {
		if r.Trial == trial {
			return r
		}
	}
	return nil
}

// markdown returns the matrix as a page.
func (m *matrix) markdown() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# Condensed sessions in the real clients\n")
	say("Written by `go run ./scripts/clients` on %s. Each client makes a session beside a fake model server. It is condensed,", m.Date)
	say("resumed with one more prompt, condensed again and resumed again. \"yes\" means, for both rounds:\n")
	say("- The client accepts the session and saves the new turn.")
	say("- `condense validate` finds no error that the unchanged session does not have, in the file and in the request.")
	say("- `condense diff` finds nothing in the request but system text, reminders, the new prompt, and what the client also does to")
	say("  the unchanged session.")
	say("- No removed line is in the request.\n")
	m.table(&b)
	m.notes(&b)
	m.savings(&b)
	return b.String()
}

// table writes the matrix. Faults are numbered.
func (m *matrix) table(b *strings.Builder) {
	row := func(first string, cell func(c *column) string) {
		fmt.Fprintf(b, "| %s |", first)
		for _, c := range m.Columns {
			fmt.Fprintf(b, " %s |", cell(c))
		}
		b.WriteString("\n")
	}
	row("", func(c *column) string { return c.Title + " " + c.Version })
	row("---", func(*column) string { return "---" })
	var faults []string
	for _, t := range trials {
		row(t.name, func(c *column) string {
			r := c.of(t.name)
			switch {
			case r == nil:
				return "–"
			case len(r.Faults) == 0:
				return "yes"
			}
			faults = append(faults, fmt.Sprintf("%s, %s: %s", c.Title, t.name, escaped(strings.Join(r.Faults, "; "))))
			return fmt.Sprintf("no (%d)", len(faults))
		})
	}
	b.WriteString("\n")
	for i, f := range faults {
		fmt.Fprintf(b, "%d. %s\n", i+1, f)
	}
	if faults != nil {
		b.WriteString("\n")
	}
}

// notes writes the habits of the clients, and what was left out.
func (m *matrix) notes(b *strings.Builder) {
	fmt.Fprintf(b, "## What the clients do to the unchanged session\n\n")
	for _, c := range m.Columns {
		r := c.of(trials[0].name)
		if r == nil {
			continue
		}
		var notes []string
		if len(r.Habits) > 0 {
			notes = append(notes, strings.Join(r.Habits, ", "))
		}
		if len(r.Findings) > 0 {
			notes = append(notes, "its request breaks "+strings.Join(r.Findings, ", "))
		}
		if len(c.Unknown) > 0 {
			notes = append(notes, "kinds of records that are not known: "+strings.Join(c.Unknown, ", "))
		}
		if notes == nil {
			notes = []string{"nothing"}
		}
		fmt.Fprintf(b, "- %s: %s.\n", c.Title, escaped(strings.Join(notes, "; ")))
	}
	for _, s := range m.Skipped {
		fmt.Fprintf(b, "- Not run: %s\n", escaped(s))
	}
	fmt.Fprintf(b, "- Not driven: Cline CLI, and Roo Code, which is an extension of an editor.\n")
	b.WriteString("\n")
}

// savings writes the tokens that the clients sent, beside those of the files.
func (m *matrix) savings(b *strings.Builder) {
	fmt.Fprintf(b, "## Tokens, as the file has them and as the client sends them\n\n")
	fmt.Fprintf(b, "Hybrid at 50 %%, o200k_base. The request also holds what the client adds; schemas of tools are not counted.\n\n")
	fmt.Fprintf(b, "| client | file | sent | file after | sent after | saved in the file | saved in the request | difference |\n")
	fmt.Fprintf(b, "|---|---|---|---|---|---|---|---|\n")
	for _, c := range m.Columns {
		before, after := c.of(trials[0].name), c.of("hybrid 50 %")
		if before == nil || after == nil || before.Sent == nil || after.Sent == nil {
			continue
		}
		claim, sent := before.File.Tokens-after.File.Tokens, before.Sent.Tokens-after.Sent.Tokens
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %s |\n", c.Title, before.File.Tokens, before.Sent.Tokens, after.File.Tokens, after.Sent.Tokens,
			claim, sent, gap(claim, sent, before, after))
	}
}

// gap describes the difference between the saving of the file and that of the request: in
// percent, and by kind of content if it is more than 3 %.
func gap(claim, sent int, before, after *result) string {
	share := 0.0
	if claim != 0 {
		share = 100 * float64(sent-claim) / math.Abs(float64(claim))
	}
	text := fmt.Sprintf("%+.1f %%", share)
	if math.Abs(share) <= 3 {
		return text
	}
	var items []string
	names := map[string]bool{}
	for _, list := range []*counted{before.File, before.Sent, after.File, after.Sent} {
		for _, k := range list.Kinds {
			if names[k.Name] {
				continue
			}
			names[k.Name] = true
			if d := before.Sent.of(k.Name) - after.Sent.of(k.Name) - before.File.of(k.Name) + after.File.of(k.Name); d != 0 {
				items = append(items, fmt.Sprintf("%s %+d", k.Name, d))
			}
		}
	}
	return text + ": " + strings.Join(items, ", ")
}

// escaped makes a text safe for a cell or an item.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(text)
}
