//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// The results of condense, as far as the comparison reads them.
type (
	difference struct {
		Conversations []struct {
			Only    string
			Changes []change
		}
	}
	change  struct{ Op, What, Before, After string }
	checked struct {
		Files []struct {
			Error    string
			Findings []struct{ Severity, Rule string }
			Unknown  []struct {
				Kind  string
				Count int
			}
		}
	}
	viewed struct {
		Conversations []struct {
			Messages []struct {
				Hidden bool
				Blocks []struct {
					Origin string
					Parts  []struct{ Text string }
				}
			}
		}
	}
	counted struct {
		Tokens int
		Kinds  []struct {
			Name   string
			Tokens int
		}
	}
)

// ask runs condense and reads its JSON. The exit codes 0 and 1 are results; any other is an error.
func (l *lab) ask(into any, args ...string) error {
	cmd := exec.Command(l.condense, args...)
	cmd.Env = l.condenseEnv()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 {
		return fmt.Errorf("condense %s: exit %d: %s", args[0], code, strings.TrimSpace(said.String()))
	}
	return json.Unmarshal(out, into)
}

// marker begins every prompt of the harness.
const marker = "PROMPT-"

// additions returns what a request has besides its session and what it lacks, as in "adds tool
// result". The client may add system text, reminders and the new prompt. Only the number of equal
// texts counts, because APIs put results into messages of other roles, and hidden messages may
// repeat visible ones: excess returns how many more of a text the request has than the session.
// known lists what the client also does to the original, its own rule.
func additions(d *difference, known []string, excess func(text string) int) (kinds []string) {
	for _, c := range d.Conversations {
		if c.Only != "" {
			kinds = append(kinds, "conversation only in "+c.Only)
			continue
		}
		more, kind := map[string]int{}, map[string]string{} // by text
		allowed := map[string]int{}                         // by text of the client, that a request may have as any text
		for _, x := range c.Changes {
			what := strings.TrimPrefix(x.What, "hidden ")
			own := strings.HasPrefix(what, "system") || strings.HasPrefix(what, "injected")
			before, after := bare(x.Before), bare(x.After)
			switch visible := x.What == what && x.Op != "insert"; {
			case own && visible:
				allowed[before]++
			case visible:
				more[before]--
				kind[before] = kindOf(what)
			}
			if !own && !strings.Contains(after, marker+"NEXT-") && (x.What == what || x.Op != "drop") {
				more[after]++
				kind[after] = kindOf(what)
			}
		}
		for text, n := range more {
			switch {
			case text == "" || excess(text) == 0:
			case n > allowed[text]:
				kinds = append(kinds, "adds "+kind[text])
			case n < 0:
				kinds = append(kinds, "lacks "+kind[text])
			}
		}
	}
	slices.Sort(kinds)
	return without(slices.Compact(kinds), known)
}

// reminder is a text that Claude Code adds to results and prompts.
var reminder = regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>`)

// bare returns a text without reminders.
func bare(text string) string { return strings.TrimSpace(reminder.ReplaceAllString(text, "")) }

// excessOf returns a function that returns how many more of a text one list has than another. A
// client may join the texts of adjacent messages: a sent text that consists of saved ones stands
// for them.
func excessOf(sent, saved []string) func(text string) int {
	n := map[string]int{}
	for _, text := range saved {
		n[bare(text)]--
	}
	for _, text := range sent {
		if text = bare(text); n[text] < 0 {
			n[text]++
			continue
		}
		rest := text
		var parts []string
		for part := range n {
			if n[part] < 0 && part != "" && strings.Contains(rest, part) {
				parts, rest = append(parts, part), strings.Replace(rest, part, "", 1)
			}
		}
		if strings.TrimSpace(rest) != "" {
			n[text]++
			continue
		}
		for _, part := range parts {
			n[part]++
		}
	}
	return func(text string) int { return n[text] }
}

// kindOf returns the kind of content that a difference is in, without tool and subject.
func kindOf(what string) string {
	words := strings.Fields(what)
	return strings.Join(words[:min(len(words), 2)], " ")
}

// longLine is the length in bytes of the shortest line by which removed text is recognised.
const longLine = 60

// returned returns the long lines that condensing removed from a session and that the request
// holds again.
func returned(original, condensed, request []string) (lines []string) {
	left, sent := strings.Join(condensed, "\n"), bare(strings.Join(request, "\n"))
	seen := map[string]bool{}
	for _, text := range original {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if len(line) >= longLine && !seen[line] && !strings.Contains(left, line) && strings.Contains(sent, line) {
				lines = append(lines, line)
			}
			seen[line] = true
		}
	}
	return lines
}

// texts returns the texts of the effective view of a file; without those that a client wrote, if
// own is not set.
func (l *lab) texts(path string, own bool) (list []string, err error) {
	var v viewed
	if err := l.ask(&v, "view", "--json", path); err != nil {
		return nil, err
	}
	for _, c := range v.Conversations {
		for _, m := range c.Messages {
			for _, b := range m.Blocks {
				for _, p := range b.Parts {
					if !m.Hidden && (own || b.Origin != "injected") {
						list = append(list, p.Text)
					}
				}
			}
		}
	}
	return list, nil
}

// findings returns the rules that a file breaks with errors, and the kinds of records that
// condense does not know. api is "" for the rules of its format.
func (l *lab) findings(path, api string) (broken, unknown []string, err error) {
	args := []string{"validate", "--json", path}
	if api != "" {
		args = append(args, "--api", api)
	}
	var c checked
	if err := l.ask(&c, args...); err != nil {
		return nil, nil, err
	}
	for _, f := range c.Files {
		if f.Error != "" {
			broken = append(broken, f.Error)
		}
		for _, x := range f.Findings {
			if x.Severity == "error" {
				broken = append(broken, x.Rule)
			}
		}
		for _, u := range f.Unknown {
			unknown = append(unknown, u.Kind)
		}
	}
	slices.Sort(broken)
	return slices.Compact(broken), unknown, nil
}

// tokens counts a file, as a whole and by kind of content.
func (l *lab) tokens(path string) (*counted, error) {
	var c counted
	if err := l.ask(&c, "stats", "--json", "--tokenizer", "o200k_base", path); err != nil {
		return nil, err
	}
	return &c, nil
}

// of returns the tokens of a kind.
func (c *counted) of(kind string) int {
	for _, k := range c.Kinds {
		if k.Name == kind {
			return k.Tokens
		}
	}
	return 0
}

// without returns the elements of a list that are not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
