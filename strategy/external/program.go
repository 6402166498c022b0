package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"condense/strategy"
)

// Prefix begins the name of a program where the name of a built-in is possible too.
const Prefix = "exec:"

// Program is a program with its arguments. The zero Program is none.
type Program struct {
	words []string
}

// Parse reads "exec:PROGRAM ARGUMENT…": words separated by spaces, in which '…' or "…"
// protect spaces and commas. No other character is special: there are no escapes,
// variables, globs or pipes. The error states what is wrong with s.
func Parse(s string) (Program, error) {
	line, ok := strings.CutPrefix(s, Prefix)
	if !ok {
		return Program{}, fmt.Errorf("expected %sPROGRAM", Prefix)
	}
	words, err := split(line, " \t\n")
	if err != nil {
		return Program{}, fmt.Errorf("%q: %w", s, err)
	}
	if len(words) == 0 || words[0] == "" {
		return Program{}, fmt.Errorf("expected a program after %s", Prefix)
	}
	return Program{words}, nil
}

// Fields splits a list at the commas outside of quotes. The fields keep their quotes.
func Fields(list string) []string {
	var fields []string
	from, quote := 0, rune(0)
	for i, r := range list {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ',':
			fields = append(fields, list[from:i])
			from = i + 1
		}
	}
	return append(fields, list[from:])
}

// split cuts a line into words at any of the separators outside of quotes, and removes
// the quotes.
func split(line, separators string) (words []string, err error) {
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case strings.ContainsRune(separators, r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// Name returns the program as it was named, without its arguments: "exec:./tidy.py".
func (p Program) Name() string { return Prefix + p.words[0] }

// Check returns an error when the program cannot be found.
func (p Program) Check() error {
	if _, err := exec.LookPath(p.words[0]); err != nil {
		return fmt.Errorf("%s: %w", p.Name(), err)
	}
	return nil
}

// Strategy returns the strategy that a program implements. The options are read when
// it runs. When the program fails, or violates the protocol, the error is an *Error;
// with Options.Skip the stage is skipped instead.
func Strategy(p Program, o *Options) *strategy.Strategy {
	return &strategy.Strategy{
		Name: p.Name(), Doc: "another program", Loses: "what that program leaves out", Aims: true,
		Run: func(ctx context.Context, in *strategy.Input) (strategy.Proposal, error) {
			proposal, err := p.propose(ctx, in, o)
			var failed *Error
			if errors.As(err, &failed) && o.Skip && ctx.Err() == nil {
				return strategy.Proposal{Skipped: "failed: " + err.Error(), Failed: true}, nil
			}
			return proposal, err
		},
	}
}

// propose asks a program for edits.
func (p Program) propose(ctx context.Context, in *strategy.Input, o *Options) (strategy.Proposal, error) {
	var none strategy.Proposal
	request, err := json.Marshal(newRequest(in))
	if err != nil {
		return none, &Error{p.Name(), err, ""}
	}
	text, err := p.Ask(ctx, append(request, '\n'), o)
	if err != nil {
		return none, err
	}
	answer, err := parseAnswer(text)
	if err != nil {
		return none, &Error{p.Name(), err, ""}
	}
	edits, err := answer.edits()
	switch {
	case err != nil:
		return none, &Error{p.Name(), err, ""}
	case len(edits) == 0 && answer.Skip != "":
		return strategy.Skip(answer.Skip), nil
	}
	return strategy.Proposal{Edits: edits, Foreign: true}, nil
}
