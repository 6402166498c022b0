package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"condense/strategy"
)

// File holds the content of a condense.yaml.
type File struct {
	Path    string
	Dir     string // folder at which its globs and relative paths begin
	Project bool   // the file came with a checkout, so it must not set the keys of UserOnly
	values  map[string]entry
	files   []fileSection // in the order of the file
}

// fileSection holds the settings in a condense.yaml for files that match a glob.
type fileSection struct {
	glob   strategy.Glob
	line   int
	values map[string]entry
}

// entry is the value of one key.
type entry struct {
	shape yaml.Kind // ScalarNode, SequenceNode, or MappingNode
	texts []string  // scalars as they are spelled; KEY=VALUE for each key of a mapping
	line  int       // of the key
}

// filesKey is the only key that is no flag. It holds sections with settings for some files.
const filesKey = "files"

// Problem is an error in a condense.yaml.
type Problem struct {
	Line int // 0 for the whole file
	Err  error
}

// Error is the first problem in a file, with the file's path.
type Error struct {
	Path string
	Problem
	more int // number of further problems
}

func (e *Error) Error() string {
	at := e.Path
	if e.Line > 0 {
		at += ":" + strconv.Itoa(e.Line)
	}
	return at + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Hint returns one sentence of advice, or "".
func (e *Error) Hint() string {
	if e.more > 0 {
		return "condense config check lists all problems" // wrong values, too, which are not counted here
	}
	return "see condense config --help"
}

// Parse parses a condense.yaml. [File.CheckKeys] checks that its keys are flags, and
// [File.Try] that flags take its values.
func Parse(data []byte) (*File, []Problem) {
	c := &File{}
	doc, err := yamlDocument(data)
	if err != nil {
		return c, []Problem{syntaxProblem(err)}
	}
	if doc == nil {
		return c, nil
	}
	var problems []Problem
	c.values, problems = entries(doc, func(key string) bool { return key == filesKey })
	if files := valueOf(doc, filesKey); files != nil {
		problems = append(problems, c.sections(files)...)
	}
	return c, problems
}

// Keys returns the keys with settings for all files, in no order.
func (c *File) Keys() []string { return slices.Collect(maps.Keys(c.values)) }

// valueOf returns the first value of a key in a mapping, nil if node has no such key or is no
// mapping.
func valueOf(node *yaml.Node, key string) *yaml.Node {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// yamlDocument returns the only document in data, nil if it is empty.
func yamlDocument(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("expected one document, found a second")
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

var (
	yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	// yamlParser matches errors for which the library counts lines from 0.
	yamlParser = regexp.MustCompile(`^did not find expected (?:<|node|'-'|key|',')`)
)

// syntaxProblem converts an error of the YAML library to a problem at the line that it names.
func syntaxProblem(err error) Problem {
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return Problem{0, err}
	}
	text := strings.TrimPrefix(err.Error(), m[0])
	line, _ := strconv.Atoi(m[1])
	if yamlParser.MatchString(text) {
		line++
	}
	return Problem{max(1, line), errors.New(text)}
}

// sections reads the sections below the key files.
func (c *File) sections(node *yaml.Node) (problems []Problem) {
	if node.Kind != yaml.MappingNode {
		return []Problem{{node.Line, errors.New("files: expected globs, each with keys below it")}}
	}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		var glob strategy.Glob
		if err := glob.UnmarshalText([]byte(key.Value)); err != nil {
			problems = append(problems, Problem{key.Line, err})
			continue
		}
		values, found := entries(node.Content[i+1], func(string) bool { return false })
		problems = append(problems, found...)
		c.files = append(c.files, fileSection{glob: glob, line: key.Line, values: values})
	}
	return problems
}

// entries reads the keys of a mapping, except those for which skip returns true.
func entries(node *yaml.Node, skip func(key string) bool) (values map[string]entry, problems []Problem) {
	if node.Kind != yaml.MappingNode {
		return nil, []Problem{{node.Line, errors.New("expected keys with values; keys are names of flags, as in target: 50%")}}
	}
	values = map[string]entry{}
	seen := map[string]int{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if first, twice := seen[key.Value]; twice {
			problems = append(problems, Problem{key.Line, fmt.Errorf("%s is also in line %d", key.Value, first)})
			continue
		}
		seen[key.Value] = key.Line
		if skip(key.Value) {
			continue
		}
		e, err := newEntry(value)
		if err != nil {
			problems = append(problems, Problem{value.Line, fmt.Errorf("%s: %w", key.Value, err)})
			continue
		}
		e.line = key.Line
		values[key.Value] = e
	}
	return values, problems
}

func newEntry(node *yaml.Node) (entry, error) {
	e := entry{shape: node.Kind}
	switch node.Kind {
	case yaml.ScalarNode, yaml.SequenceNode:
		list := node.Content
		if node.Kind == yaml.ScalarNode {
			list = []*yaml.Node{node}
		}
		for _, n := range list {
			text, err := scalar(n)
			if err != nil {
				return e, err
			}
			e.texts = append(e.texts, text)
		}
	case yaml.MappingNode:
		for i := 0; i < len(node.Content); i += 2 {
			name, err := scalar(node.Content[i])
			if err != nil {
				return e, err
			}
			value, err := scalar(node.Content[i+1])
			if err != nil {
				return e, err
			}
			e.texts = append(e.texts, name+"="+value)
		}
	default:
		_, err := scalar(node)
		return e, err
	}
	return e, nil
}

// scalar returns a single value as it is spelled.
func scalar(n *yaml.Node) (string, error) {
	switch {
	case n.Kind == yaml.AliasNode:
		return "", errors.New("aliases are not supported: repeat the value")
	case n.Kind != yaml.ScalarNode:
		return "", errors.New("expected a word or a number, found a list or keys")
	case n.Tag == "!!null":
		return "", errors.New(`expected a value; for an empty one, write ""`)
	}
	return n.Value, nil
}

// arguments returns the texts to which a flag must be set, one after the other. Lists are for
// flags that may be given several times, or that take several values between commas.
// Mappings are for flags that take NAME=VALUE.
func (e entry) arguments(f *pflag.Flag) ([]string, error) {
	_, repeatable := f.Value.(interface{ GetSlice() []string })
	kind := f.Value.Type()
	switch {
	case e.shape == yaml.ScalarNode:
		return e.texts, nil
	case e.shape == yaml.MappingNode && !(repeatable && strings.Contains(kind, "=")):
		return nil, fmt.Errorf("%s takes %s, not keys", f.Name, kind)
	case e.shape == yaml.SequenceNode && strings.Contains(kind, "[,"):
		return []string{strings.Join(e.texts, ",")}, nil
	case !repeatable:
		return nil, fmt.Errorf("%s takes one value, not a list", f.Name)
	}
	return e.texts, nil
}

// CheckKeys returns an error for each key that is no flag of any command, and for each key
// that a project file must not set. known lists the flags.
func (c *File) CheckKeys(known []string) (problems []Problem) {
	check := func(values map[string]entry) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			e := values[key]
			if !slices.Contains(known, key) {
				problems = append(problems, Problem{e.line, Unknown(fmt.Errorf("unknown key %q: keys are names of flags", key), key, known)})
			} else if err := c.refuses(key, e); err != nil {
				problems = append(problems, Problem{e.line, err})
			}
		}
	}
	check(c.values)
	for _, s := range c.files {
		check(s.values)
	}
	return problems
}

// Try sets the flags of fs to every value of the file, and returns an error for each value that
// its flag does not accept. For accepted values it calls outOfRange, which returns an error if
// the value is wrong nevertheless.
func (c *File) Try(fs *pflag.FlagSet, outOfRange func(name string, texts []string) error) (problems []Problem) {
	try := func(values map[string]entry) {
		level := c.level(0, values)
		fs.VisitAll(func(f *pflag.Flag) {
			texts, _, ok, err := level.values(f)
			for _, text := range texts {
				if err == nil {
					err = setFlag(fs, f.Name, text)
				}
			}
			if ok && err == nil {
				err = outOfRange(f.Name, texts)
			}
			if ok && err != nil {
				problems = append(problems, Problem{values[f.Name].line, err})
			}
		})
	}
	try(c.values)
	for _, s := range c.files {
		try(s.values)
	}
	return problems
}

// Misplaced returns an error for each key of a section that cannot differ by file in any
// command. differs is false for such keys.
func (c *File) Misplaced(differs map[string]bool) (problems []Problem) {
	for _, s := range c.files {
		for key, e := range s.values {
			if known, ok := differs[key]; ok && !known {
				problems = append(problems, Problem{e.line, oneForAll(key)})
			}
		}
	}
	return problems
}

// Template returns the text of a condense.yaml with a commented line for each flag and its
// default. For a flag without a default, the line shows the kind of its value.
func Template(fs *pflag.FlagSet, project bool) string {
	var b strings.Builder
	b.WriteString("## Settings of condense. Keys are names of flags: see condense run --help, condense config --help.\n" +
		"## Flags on the command line, and variables such as CONDENSE_TARGET, are stronger.\n")
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Name == FlagName || f.Hidden || Annotated(f, Ignored) || project && UserOnly[f.Name] != "" {
			return
		}
		value := f.DefValue
		_, repeatable := f.Value.(interface{ GetSlice() []string })
		switch {
		case repeatable:
			value = "[]"
		case value == "" && f.Value.Type() != "string":
			value = quoted(f.Value.Type())
		case value == "" || strings.ContainsAny(value, " %|"):
			value = quoted(value)
		}
		fmt.Fprintf(&b, "\n## %s\n# %s: %s\n", f.Usage, f.Name, value)
	})
	b.WriteString("\n## Settings for some transcripts; the last glob that matches is the strongest.\n" +
		"# files:\n#   \"logs/**/*.jsonl\": {preset: aggressive}\n")
	return b.String()
}

// quoted returns a text as a double-quoted YAML string.
func quoted(text string) string {
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Value: text, Style: yaml.DoubleQuotedStyle})
	if err != nil {
		return `""`
	}
	return strings.TrimSpace(string(out))
}
