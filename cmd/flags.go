package cmd

import (
	"encoding"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript/format"
)

// parsed is a flag value of type T. Its text is parsed as soon as it is set, so a wrong
// value is an error of the command line that names the flag.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
	text  string // as given, or the default
	kind  string // placeholder for the value in help
	given []string
}

func (p *parsed[T]) Set(text string) error {
	v, err := p.parse(text)
	if err != nil {
		return err
	}
	*p.to, p.text = v, text
	p.given = append(p.given, text)
	return nil
}

// values returns all texts to which the flag was set, of which only the last counts.
func (p *parsed[T]) values() []string { return p.given }

func (p *parsed[T]) String() string { return p.text }

func (p *parsed[T]) Type() string { return p.kind }

// repeated is the value of a flag that may be given several times.
type repeated[T any] struct {
	to    *[]T
	parse func(string) (T, error)
	kind  string   // placeholder for one value in help
	texts []string // as given
}

func (r *repeated[T]) Set(text string) error {
	v, err := r.parse(text)
	if err == nil {
		*r.to, r.texts = append(*r.to, v), append(r.texts, text)
	}
	return err
}

func (r *repeated[T]) String() string { return strings.Join(r.texts, ", ") }

func (r *repeated[T]) Type() string { return r.kind }

func (r *repeated[T]) GetSlice() []string { return r.texts }

// replacedFlags returns a note for each flag that was given several times, of which the last one
// counts, so that a command line can end with an exception from an alias.
func replacedFlags(fs *pflag.FlagSet) (notes []string) {
	fs.Visit(func(f *pflag.Flag) {
		v, ok := f.Value.(interface{ values() []string })
		if !ok || len(v.values()) < 2 {
			return
		}
		if all := v.values(); slices.ContainsFunc(all, func(s string) bool { return s != all[0] }) {
			notes = append(notes, fmt.Sprintf("--%s was given as %s: the last one counts", f.Name, strings.Join(all, ", then as ")))
		}
	})
	return notes
}

// oneOf returns a flag value that accepts only the given words.
func oneOf(to *string, words []string) pflag.Value {
	return &parsed[string]{to: to, text: *to, kind: strings.Join(words, "|"), parse: func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", config.Unknown(fmt.Errorf("expected one of %s", strings.Join(words, ", ")), s, words)
		}
		return s, nil
	}}
}

// unmarshal parses the text of a flag as a T.
func unmarshal[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](text string) (v T, err error) {
	err = P(&v).UnmarshalText([]byte(text))
	return v, err
}

// parseOnly parses "tool:GLOB", the value of --only.
func parseOnly(s string) (strategy.Glob, error) {
	name, ok := strings.CutPrefix(s, "tool:")
	if !ok {
		return strategy.Glob{}, errors.New("expected tool:GLOB, such as tool:Bash")
	}
	return unmarshal[strategy.Glob](name)
}

// parseWindow parses a number of tokens: "200000" or "200k".
func parseWindow(s string) (int, error) {
	t, err := unmarshal[strategy.Target](s)
	if err != nil || t.Tokens == 0 {
		return 0, fmt.Errorf("malformed window %q, expected tokens (200000, 200k)", s)
	}
	return t.Tokens, nil
}

// parseReserve parses the value of --reserve. It returns -1 for "0", as strategy.Trigger has it.
func parseReserve(s string) (int, error) {
	if s == "0" {
		return -1, nil
	}
	t, err := unmarshal[strategy.Target](s)
	if err != nil || t.Tokens == 0 {
		return 0, fmt.Errorf("malformed reserve %q, expected tokens (8192, 8k, 0 for none)", s)
	}
	return t.Tokens, nil
}

// parseThreshold parses a percentage from 5 to 100, with or without a percent sign, and
// returns it as a share.
func parseThreshold(s string) (float64, error) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(percent >= 5 && percent <= 100) {
		return 0, fmt.Errorf("malformed threshold %q, expected a percentage from 5 to 100", s)
	}
	return percent / 100, nil
}

// addOldFlag adds a flag under its name of earlier versions. Help does not list it, but scripts
// and settings that use it still work.
func addOldFlag(fs *pflag.FlagSet, name string, value pflag.Value) *pflag.Flag {
	f := fs.VarPF(value, name, "", "")
	f.Hidden, f.Annotations = true, map[string][]string{oldAnnotation: nil}
	return f
}

const oldAnnotation = "old"

// configured reports whether condense.yaml and the environment can set flags of the command.
func configured(cmd *cobra.Command) bool {
	ignored := cmd.Hidden || cmd.Name() == "help"
	for c := cmd; c != nil; c = c.Parent() {
		ignored = ignored || c.Annotations[config.Annotation] == config.Ignored
	}
	return !ignored
}

// configKeys returns the names of the flags of c and of all commands below it, sorted.
// These are the keys of condense.yaml.
func configKeys(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != config.FlagName && configured(c) && !config.Annotated(f, config.Ignored) && (!f.Hidden || isOld(f)) {
			names = append(names, f.Name)
		}
	})
	for _, sub := range c.Commands() {
		names = append(names, configKeys(sub)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func takesFiles(cmd *cobra.Command) bool {
	return strings.Contains(cmd.Use, "FILE") || strings.Contains(cmd.Use, "PATH")
}

// isOld reports whether a flag is an old spelling. Old spellings stay keys of condense.yaml.
func isOld(f *pflag.Flag) bool {
	_, old := f.Annotations[oldAnnotation]
	return old
}

// reading holds the flags that set how a source is read.
type reading struct {
	format string // "" to detect it
	column string // path to the conversations in each row; "" if there are no rows around them, or to detect it
}

func (r *reading) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.StringVar(&r.format, "format", "", "format of the input, instead of detecting it")
	parse := func(path string) (string, error) {
		if path == "" {
			return "", nil
		}
		return path, format.CheckColumn(path)
	}
	fs.Var(&parsed[string]{to: &r.column, parse: parse, kind: "NAME"},
		"column", "the conversation is this member of each row: messages, a.b[].messages, prompt+completion; nothing else in a row is read or changed")
}

// decode decodes a source. The error is that of [format.DecodeColumn].
func (r *reading) decode(src []byte) (*format.File, error) {
	return format.DecodeColumn(src, r.format, r.column)
}

func formatNames() []string {
	names := make([]string, len(format.Dialects))
	for i, d := range format.Dialects {
		names[i] = d.Name
	}
	return names
}

// oddFlags holds the names of flags that cannot be derived from the names of their options.
var oddFlags = map[string]string{
	"ProtectTools": "protect-tool", "ProtectPaths": "protect-path", "Caps": "cap", "Hide": "tag", "Training": "for",
	"Ask": "llm", "Model.Name": "llm-model", "Model.Substitute": "llm-fallback-model", "Model.MaxNotes": "llm-max-tokens",
	"Model.Fallback": "fallback", "Model.Focus": "focus", "Model.Prompt": "prompt-file",
}

// flagOf returns the name of the flag that sets an option of the library: "keep-first"
// for KeepFirst.
func flagOf(option string) string {
	if name, ok := oddFlags[option]; ok {
		return name
	}
	var name strings.Builder
	for i, r := range option {
		if unicode.IsUpper(r) && i > 0 {
			name.WriteByte('-')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

// flagsOf returns the flags that set the options of a strategy.
func flagsOf(s *strategy.Strategy) (names []string) {
	for _, option := range s.Options {
		names = append(names, flagOf(option))
	}
	return names
}

// explained converts an error of the library to one that names flags and gives advice.
func explained(err error) error {
	var refused *condense.RefusedError
	var unselected *condense.SelectError
	var option *strategy.OptionError
	var conflict *condense.ConflictError
	var unfit *condense.UnfitError
	switch {
	case errors.As(err, &refused):
		return &refusedError{refused.Err, refused.Damage}
	case errors.As(err, &unfit):
		return &unfitError{unfit}
	case errors.As(err, &unselected):
		return &usageError{err, "--select takes an id or a number from 1; condense run -n FILE lists them"}
	case errors.As(err, &option) && option.Field == "Hide":
		return &usageError{fmt.Errorf("--tag %s", option.Problem), "use --strategy truncate, or summarize with --layout fresh"}
	case errors.As(err, &option):
		return usage("--%s %s", flagOf(option.Field), option.Problem)
	case errors.As(err, &conflict):
		return usage("--%s does not go with --%s", flagOf(conflict.Field), flagOf(conflict.With))
	}
	return err
}
