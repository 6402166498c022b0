// Package choose decides by the properties of a conversation whether a rule applies to it,
// so that different conversations can have different strategies.
package choose

import (
	"fmt"
	"slices"
	"strings"

	"condense/strategy"
	"condense/transcript"
)

// Properties holds the values of a conversation that a [Condition] compares.
type Properties struct {
	Format   string `json:"format"`   // name of its format, as in --format
	Kind     string `json:"kind"`     // "agent" with calls of tools, otherwise "chat"
	Model    string `json:"model"`    // the newest model that it names; "" if it names none
	Tokens   int    `json:"tokens"`   // of its effective view
	Messages int    `json:"messages"` // of its effective view
}

// The kinds of conversations.
const (
	agent = "agent"
	chat  = "chat"
)

// PropertiesOf returns the properties of a conversation. tokens counts a block.
func PropertiesOf(c *transcript.Conversation, format string, tokens func(*transcript.Block) int) Properties {
	p := Properties{Format: format, Kind: chat, Model: c.LastModel()}
	for m := range c.Visible() {
		p.Messages++
		for _, b := range m.Blocks {
			p.Tokens += tokens(b)
			if b.Kind == transcript.ToolCall {
				p.Kind = agent
			}
		}
	}
	return p
}

// A Condition is a list of comparisons that all have to hold. The zero Condition holds for
// every conversation.
type Condition struct {
	comparisons []comparison
}

type comparison struct {
	text  string // as it was written
	holds func(Properties) bool
}

// String returns the comparisons, separated by commas.
func (c Condition) String() string {
	var texts []string
	for _, one := range c.comparisons {
		texts = append(texts, one.text)
	}
	return strings.Join(texts, ", ")
}

// Holds reports whether all comparisons hold for p.
func (c Condition) Holds(p Properties) bool {
	return !slices.ContainsFunc(c.comparisons, func(one comparison) bool { return !one.holds(p) })
}

// Parse reads comparisons separated by commas: tokens and messages with > or < and a number
// (100k), kind=agent or kind=chat, format and model with = and a pattern (claude-*).
func Parse(s string) (Condition, error) {
	var c Condition
	for text := range strings.SplitSeq(s, ",") {
		one, err := parseComparison(strings.TrimSpace(text))
		if err != nil {
			return Condition{}, err
		}
		c.comparisons = append(c.comparisons, one)
	}
	return c, nil
}

func parseComparison(s string) (comparison, error) {
	at := strings.IndexAny(s, "<>=")
	if at < 0 {
		return comparison{}, malformed(s)
	}
	name, operator, value := strings.TrimSpace(s[:at]), s[at], strings.TrimSpace(s[at+1:])
	one := comparison{text: s}
	var err error
	switch {
	case operator != '=':
		one.holds, err = parseSize(name, operator, value)
	case name == "kind" && (value == agent || value == chat):
		one.holds = func(p Properties) bool { return p.Kind == value }
	case name == "format":
		one.holds, err = parsePattern(value, func(p Properties) string { return p.Format })
	case name == "model":
		one.holds, err = parsePattern(value, func(p Properties) string { return p.Model })
	default:
		err = malformed(s)
	}
	return one, err
}

func malformed(s string) error {
	return fmt.Errorf("malformed condition %q, expected tokens>100k, messages<50, kind=agent, kind=chat, format=GLOB or model=GLOB", s)
}

// parseSize returns a comparison of a number.
func parseSize(name string, operator byte, value string) (func(Properties) bool, error) {
	var limit strategy.Target
	if err := limit.UnmarshalText([]byte(value)); err != nil || limit.Tokens == 0 {
		return nil, fmt.Errorf("malformed number %q in a condition, expected 100000 or 100k", value)
	}
	var size func(Properties) int
	switch name {
	case "tokens":
		size = func(p Properties) int { return p.Tokens }
	case "messages":
		size = func(p Properties) int { return p.Messages }
	default:
		return nil, malformed(name + string(operator) + value)
	}
	if operator == '<' {
		return func(p Properties) bool { return size(p) < limit.Tokens }, nil
	}
	return func(p Properties) bool { return size(p) > limit.Tokens }, nil
}

// parsePattern returns a comparison of a name with a pattern.
func parsePattern(pattern string, name func(Properties) string) (func(Properties) bool, error) {
	var g strategy.Glob
	if err := g.UnmarshalText([]byte(pattern)); err != nil {
		return nil, err
	}
	return func(p Properties) bool { return g.Name(name(p)) }, nil
}
