package mcp

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"condense/transcript"
)

// Limits of search.
const (
	mostPattern = 1000 // bytes of a pattern
	mostLines   = 50   // matching lines in a result
	mostLine    = 300  // bytes of each
)

type searchInput struct {
	Pattern    string `json:"pattern" jsonschema:"a regular expression in RE2 syntax, matched against each line"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"ignore case"`
}

// search returns the lines of removed texts that match, each with the id and the place of its text.
func (s *Session) search(ctx context.Context, _ *sdk.CallToolRequest, in searchInput) (*sdk.CallToolResult, any, error) {
	pattern, err := compile(in)
	if err != nil {
		return nil, nil, err
	}
	own, _, err := s.entries(ctx)
	if err != nil {
		return nil, nil, refused(err)
	}
	var lines []string
	found, texts := 0, map[string]bool{} // by number: a text may be in several entries
	for _, e := range own {
		if e.Damaged {
			continue
		}
		list, err := s.Store.Texts(e)
		if err != nil {
			return nil, nil, refused(err)
		}
		for _, t := range list {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if texts[t.Number] {
				continue
			}
			texts[t.Number] = true
			for line := range strings.SplitSeq(t.Text, "\n") {
				at := pattern.FindStringIndex(line)
				if at == nil || t.Text == "" {
					continue
				}
				if found++; found <= mostLines {
					lines = append(lines, fmt.Sprintf("%s %s: %s", t.ID, name(&t), around(line, at[0], at[1])))
				}
			}
		}
	}
	return text([]string{summary(found, len(texts)) + "\n" + strings.Join(lines, "\n")}), nil, nil
}

// compile returns the pattern of a search.
func compile(in searchInput) (*regexp.Regexp, error) {
	switch {
	case in.Pattern == "":
		return nil, errors.New("the pattern is empty")
	case len(in.Pattern) > mostPattern:
		return nil, fmt.Errorf("the pattern has %d bytes, more than %d", len(in.Pattern), mostPattern)
	case strings.ContainsAny(in.Pattern, "\x00\n\r"):
		return nil, errors.New("the pattern has a line break or a NUL: it is matched against single lines")
	}
	expr := in.Pattern
	if in.IgnoreCase {
		expr = "(?i)" + expr
	}
	pattern, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("the pattern is not RE2 syntax, which has no backreferences and no lookaround: %w", err)
	}
	return pattern, nil
}

// summary says how many lines were found, and how many are left out.
func summary(found, texts int) string {
	in := " in " + transcript.Plural(texts, "removed text") + " of this session"
	switch {
	case found == 0:
		return "No line matches" + in + "."
	case found > mostLines:
		return fmt.Sprintf("%s match%s. The first %d follow, the others are left out: use a narrower pattern.", transcript.Plural(found, "line"), in, mostLines)
	case found == 1:
		return "1 line matches" + in + ":"
	}
	return fmt.Sprintf("%d lines match%s:", found, in)
}

// around returns a line, or the part of a long one with the match.
func around(line string, from, to int) string {
	start := max(0, min(from-mostLine/3, len(line)-mostLine))
	end := min(len(line), start+mostLine)
	for start > 0 && !utf8.RuneStart(line[start]) {
		start--
	}
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	part := line[start:end]
	if start > 0 {
		part = "…" + part
	}
	if end < len(line) {
		part += fmt.Sprintf("… (%d bytes in all)", len(line))
	}
	return part
}
