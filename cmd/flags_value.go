package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"condense/cmd/config"
)

// parsed is a flag whose text is turned into a T by parse when it is set, so
// that a wrong value is an error of the command line and named with its flag.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
	text  string // as it was given, or the default
	kind  string // what help shows in place of a value
}

func (p *parsed[T]) Set(text string) error {
	v, err := p.parse(text)
	if err != nil {
		return err
	}
	*p.to, p.text = v, text
	return nil
}

func (p *parsed[T]) String() string { return p.text }
func (p *parsed[T]) Type() string   { return p.kind }

// repeated is a flag that may be given several times.
type repeated[T any] struct {
	to    *[]T
	parse func(string) (T, error)
	kind  string
	texts []string // as they were given
}

func (r *repeated[T]) Set(text string) error {
	v, err := r.parse(text)
	if err == nil {
		*r.to, r.texts = append(*r.to, v), append(r.texts, text)
	}
	return err
}

func (r *repeated[T]) String() string     { return strings.Join(r.texts, ", ") }
func (r *repeated[T]) Type() string       { return r.kind }
func (r *repeated[T]) GetSlice() []string { return r.texts }

// oneOf is a flag that takes one of a few words.
func oneOf(to *string, words []string) pflag.Value {
	return &parsed[string]{to: to, text: *to, kind: strings.Join(words, "|"), parse: func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", config.Unknown(fmt.Errorf("expected one of %s", strings.Join(words, ", ")), s, words)
		}
		return s, nil
	}}
}
