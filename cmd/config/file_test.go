package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestParseConfig checks the problems that are found in files.
func TestParseConfig(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", ""},
		{"only comments", "# nothing\n", ""},
		{"all shapes", "target: 40%\npin: [a, b]\ncap: {Bash: 5}\nfiles: {'*.json': {target: 5k}}", ""},
		{"no keys", "- target", "1: expected keys with values; keys are names of flags, as in target: 50%"},
		{"a list of keys", "[files]", "1: expected keys with values; keys are names of flags, as in target: 50%"},
		{"no value", "target:\npin:\n", "1: target: expected a value; for an empty one, write \"\"\n2: pin: expected a value; for an empty one, write \"\""},
		{"nested lists and keys", "pin: [[a]]\ncap: {a: {b: c}}", "1: pin: expected a word or a number, found a list or keys\n2: cap: expected a word or a number, found a list or keys"},
		{"aliases", "pin: &a [b]\nprotect: *a", "2: protect: aliases are not supported: repeat the value"},
		{"twice", "target: 1\n\ntarget: 2", "3: target is also in line 1"},
		{"sections without globs", "files: 5\n", "1: files: expected globs, each with keys below it"},
		{"sections without keys", "files:\n  '*': target\n", "2: expected keys with values; keys are names of flags, as in target: 50%"},
		{"a wrong glob", "files:\n  '[a': {target: 5}\n", "2: malformed pattern \"[a\": no ] for its ["},
		{"a wrong glob before others", "files:\n  '[a': {target: 5}\n  '*': {target: 5, target: 6}\n", "2: malformed pattern \"[a\": no ] for its [\n3: target is also in line 3"},
		{"two documents", "target: 1\n---\ntarget: 2\n", "0: expected one document, found a second"},
		{"a list that does not end", "target: 4\npin: [a\n", "2: did not find expected ',' or ']'"},
		{"found at the end", "pin: [a\n", "2: did not find expected ',' or ']'"},
		{"a wrong indentation", "a: b\nfiles:\n   c: d\n  e: f\n", "4: did not find expected key"},
		{"two values", "target: 4\npin: a: b\n", "2: mapping values are not allowed in this context"},
		{"a glob without quotes", "files:\n  *.json: {target: 5k}\n", "2: did not find expected alphabetic or numeric character"},
	} {
		_, problems := Parse([]byte(tt.file))
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%d: %v", p.Line, p.Err))
		}
		if text := strings.Join(got, "\n"); text != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, text, tt.want)
		}
	}
}

// TestConfigArguments checks the texts that a value has for flags of each kind.
func TestConfigArguments(t *testing.T) {
	fs := someFlags()
	for _, tt := range []struct{ key, value, want string }{
		{"target", "20k", "20k"},
		{"target", "[20k]", "target takes one value, not a list"},
		{"strategy", "[dedupe, truncate]", "dedupe,truncate"},
		{"strategy", "{dedupe: 1}", "strategy takes NAME[,NAME…], not keys"},
		{"pin", "TODO", "TODO"},
		{"pin", "[a, b]", "a b"},
		{"pin", "[]", ""},
		{"cap", "{Bash: 500, 'mcp__*': 1k}", "Bash=500 mcp__*=1k"},
		{"profile-threshold", "{work: -1}", "work=-1"},
		{"exec-env", "[A, B]", "A B"},
		{"exec-env", "{A: B}", "exec-env takes stringArray, not keys"},
		{"always", "true", "true"},
	} {
		c, problems := Parse([]byte(tt.key + ": " + tt.value))
		if len(problems) > 0 {
			t.Errorf("%s: %v", tt.key, problems)
			continue
		}
		texts, err := c.values[tt.key].arguments(fs.Lookup(tt.key))
		got := strings.Join(texts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s: got %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{"target: 40%\nfiles: {'*': {pin: [a]}}", "a: &b [*b]", "? [a]\n: {b: c}", "%YAML 1.1\n---\na: !!int x", "a: |\n  b\n", "<<: {a: b}"} {
		f.Add([]byte(s))
	}
	fs := someFlags()
	f.Fuzz(func(t *testing.T, data []byte) {
		c, problems := Parse(data)
		c.Project, c.Dir = true, "/project"
		for _, p := range append(problems, c.CheckKeys([]string{"target", "pin", "stash"})...) {
			if p.Err == nil || p.Line < 0 || p.Line > strings.Count(string(data), "\n")+strings.Count(string(data), "\r")+2 {
				t.Errorf("a problem in line %d: %v", p.Line, p.Err)
			}
		}
		for key, e := range c.values {
			if f := fs.Lookup(key); f != nil {
				e.arguments(f)
			}
		}
	})
}

// list is a flag that can be given several times.
type list struct {
	texts []string
	kind  string
}

func (l *list) Set(text string) error { l.texts = append(l.texts, text); return nil }
func (l *list) String() string        { return strings.Join(l.texts, ", ") }
func (l *list) Type() string          { return l.kind }
func (l *list) GetSlice() []string    { return l.texts }

// one is a flag that takes one value of some kind.
type one struct{ text, kind string }

func (o *one) Set(text string) error { o.text = text; return nil }
func (o *one) String() string        { return o.text }
func (o *one) Type() string          { return o.kind }

// someFlags has a flag of each kind.
func someFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.Var(&one{kind: "TOKENS|PERCENT"}, "target", "")
	fs.Var(&one{kind: "NAME[,NAME…]"}, "strategy", "")
	fs.Var(&list{kind: "REGEX"}, "pin", "")
	fs.Var(&list{kind: "GLOB=TOKENS"}, "cap", "")
	fs.Var(&list{kind: "NAME=PERCENT"}, "profile-threshold", "")
	fs.StringArray("exec-env", nil, "")
	fs.Bool("always", false, "")
	return fs
}

// TestHintOfProblems checks that the hint of the first of several problems does not say how many
// condense config check will list: it knows more of them.
func TestHintOfProblems(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	for _, tt := range []struct{ text, want string }{
		{"foo: 1\nbar: 2\ntarget: lots\n", "condense config check lists all problems"},
		{"foo: 1\n", "see condense config --help"},
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := read(path, true, []string{"target"})
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Hint() != tt.want {
			t.Errorf("%q: got %v, hint %q", tt.text, err, wrong.Hint())
		}
	}
}
