package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Level is one source of settings: the environment, a preset, or the part of a condense.yaml
// that is for all files or for those of one section.
type Level struct {
	name   string
	preset bool // the level also yields to other flags, as listed in yields
	// values returns the texts to which a flag must be set, and their place for errors. ok is
	// false if the level does not set the flag.
	values func(f *pflag.Flag) (texts []string, where string, ok bool, err error)
}

// Levels returns the settings for the file at path, the strongest first. For "" and "-" it
// leaves out sections. If several sections of a file match, the last is the strongest.
func (s *Settings) Levels(path string) []Level {
	var list []Level
	if s.Env != nil {
		list = append(list, environmentLevel(s.Env))
	}
	for _, c := range s.Files {
		for _, section := range slices.Backward(c.files) {
			if c.matches(section, path) {
				list = append(list, c.level(section.line, section.values))
			}
		}
		list = append(list, c.level(0, c.values))
	}
	return list
}

// level returns the level for one part of the file. line is the first line of a section, or 0
// for the settings for all files.
func (c *File) level(line int, values map[string]entry) Level {
	return Level{
		name: c.Path + ":" + strconv.Itoa(line),
		values: func(f *pflag.Flag) ([]string, string, bool, error) {
			e, ok := values[f.Name]
			if !ok || Annotated(f, Ignored) {
				return nil, "", false, nil
			}
			where := c.Path + ":" + strconv.Itoa(e.line)
			if line > 0 && Annotated(f, Whole) {
				return nil, where, true, oneForAll(f.Name)
			}
			texts, err := e.arguments(f)
			if err != nil {
				return nil, where, true, err
			}
			texts = slices.Clone(texts)
			for i := range texts {
				if isPath(f.Name, texts[i]) {
					texts[i] = c.resolve(texts[i])
				}
			}
			return texts, where, true, nil
		},
	}
}

// oneForAll returns the error for a key that a section must not set.
func oneForAll(key string) error {
	return fmt.Errorf("%s holds for all files of a command: move it out of files", key)
}

// matches reports whether the glob of a section matches the file at path. In a project file,
// globs begin at its folder; in other files, ~/ is the user's home.
func (c *File) matches(s fileSection, path string) bool {
	if path == "" || path == "-" {
		return false
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if !c.Project {
		home, err := os.UserHomeDir()
		rel, below := within(home, full)
		return s.glob.Path(filepath.ToSlash(full)) || err == nil && below && s.glob.Name("~/"+filepath.ToSlash(rel))
	}
	rel, below := within(c.Dir, full)
	if !below { // one of the paths may contain a link
		dir, dirErr := filepath.EvalSymlinks(c.Dir)
		real, err := filepath.EvalSymlinks(full)
		if dirErr != nil || err != nil {
			return false
		}
		rel, below = within(dir, real)
	}
	return below && s.glob.Path("/"+filepath.ToSlash(rel))
}

// presetLevel returns the settings of a preset.
func presetLevel(p *Preset) Level {
	return Level{
		name: "preset " + p.Name, preset: true,
		values: func(f *pflag.Flag) ([]string, string, bool, error) {
			for _, s := range p.Sets {
				if s.Flag == f.Name && !Annotated(f, Ignored) {
					return []string{s.value}, "preset " + p.Name, true, nil
				}
			}
			return nil, "", false, nil
		},
	}
}

// withPreset adds the preset that a flag or a level names to levels: after the level that names
// it, and after the environment.
func withPreset(fs *pflag.FlagSet, levels []Level) []Level {
	f := fs.Lookup("preset")
	if f == nil {
		return levels
	}
	name, at := f.Value.String(), 0
	if !f.Changed {
		for i, l := range levels {
			if texts, _, ok, err := l.values(f); ok && err == nil && len(texts) > 0 {
				name, at = texts[0], i
				break
			}
		}
	}
	p, err := ParsePreset(name)
	if err != nil { // no preset is named; a wrong name is reported when the flag is set
		return levels
	}
	return slices.Insert(slices.Clone(levels), min(at+1, len(levels)), presetLevel(p))
}

// environmentPrefix begins the names of variables that set flags: CONDENSE_KEEP_LAST=4 sets
// --keep-last 4.
const environmentPrefix = "CONDENSE_"

// Variable returns the name of the variable that sets a flag.
func Variable(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environmentLevel returns the settings of the environment. An empty variable sets nothing.
func environmentLevel(env func(string) string) Level {
	return Level{name: "environment", values: func(f *pflag.Flag) ([]string, string, bool, error) {
		value := env(Variable(f.Name))
		return []string{value}, Variable(f.Name), value != "", nil
	}}
}

// Misspelt returns an error for each variable that sets no flag but resembles one that does.
// keys lists the flags. Other variables with the prefix may be for other programs.
func Misspelt(env func(string) string, keys []string) (list []error) {
	known := append([]string{FlagName}, keys...)
	isVariable := func(name string) bool {
		return slices.ContainsFunc(known, func(key string) bool { return Variable(key) == name })
	}
	environment := os.Environ()
	slices.Sort(environment)
	for _, e := range environment {
		name, _, _ := strings.Cut(e, "=")
		rest, ours := strings.CutPrefix(name, environmentPrefix)
		if !ours || strings.HasPrefix(rest, "EXEC_") || env(name) == "" || isVariable(name) {
			continue
		}
		if near := resembling(plainName(rest), known, misspelt); len(near) > 0 {
			list = append(list, fmt.Errorf("the variable %s sets no flag: did you mean %s?", name, Variable(near[0])))
		}
	}
	return list
}
