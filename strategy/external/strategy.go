package external

import (
	"context"
	"encoding/json"
	"errors"

	"condense/strategy"
)

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
	text, err := p.ask(ctx, append(request, '\n'), o)
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
