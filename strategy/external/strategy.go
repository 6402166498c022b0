package external

import (
	"context"
	"encoding/json"
	"errors"

	"condense/strategy"
	"condense/transcript"
)

// Strategy makes a strategy of a program. The options are read when it runs. A
// program that fails, or does not answer as the protocol says, is an *Error, or a
// stage that is skipped where the options say so.
func Strategy(p Program, o *Options) *strategy.Strategy {
	return &strategy.Strategy{
		Name: p.Name(), Doc: "another program", Aims: true, Foreign: true,
		Run: func(ctx context.Context, in *strategy.Input) ([]transcript.Edit, error) {
			edits, err := p.propose(ctx, in, o)
			var failed *Error
			if errors.As(err, &failed) && o.Skip {
				return nil, &strategy.FailedError{Err: err}
			}
			return edits, err
		},
	}
}

// propose asks a program for edits.
func (p Program) propose(ctx context.Context, in *strategy.Input, o *Options) ([]transcript.Edit, error) {
	request, err := json.Marshal(newRequest(in))
	if err != nil {
		return nil, &Error{p.Name(), err, ""}
	}
	text, err := p.ask(ctx, append(request, '\n'), o)
	if err != nil {
		return nil, err
	}
	answer, err := parseAnswer(text)
	if err != nil {
		return nil, &Error{p.Name(), err, ""}
	}
	edits, err := answer.edits()
	switch {
	case err != nil:
		return nil, &Error{p.Name(), err, ""}
	case len(edits) == 0 && answer.Skip != "":
		return nil, &strategy.SkipError{Reason: answer.Skip}
	}
	return edits, nil
}
