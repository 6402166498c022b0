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

// Level is one place that says what flags are: the environment, the part of a file
// that holds for a transcript, a preset.
type Level struct {
	name   string
	preset bool // weaker than flags that take its place
	// values returns the texts to set a flag to, and where they stand; ok is false when
	// nothing stands there.
	values func(f *pflag.Flag) (texts []string, where string, ok bool, err error)
}

// Levels are those that hold for the file at path, the strongest first; "" and "-": for
// no file in particular. Of sections that match, the last is the strongest.
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

// level is one part of the file, by the line it begins at: 0 is what holds for all files.
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
			if slices.Contains(PathKeys, f.Name) {
				texts = slices.Clone(texts)
				for i := range texts {
					texts[i] = c.placed(texts[i])
				}
			}
			return texts, where, true, nil
		},
	}
}

// oneForAll refuses a key of a section.
func oneForAll(key string) error {
	return fmt.Errorf("%s is the same for all files of a command: it cannot stand below files", key)
}

// matches reports whether a section is about the file at path. In a project file, globs
// begin at its folder; in other files, ~/ is the user's home.
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
	if !below { // one of them may have been named by a link
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

// withPreset puts the preset that a flag or a level names in its place: behind the
// level that names it, and behind the environment.
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
	if err != nil { // none; or setting the flag says what is wrong with its name
		return levels
	}
	return slices.Insert(slices.Clone(levels), min(at+1, len(levels)), presetLevel(p))
}

// environmentPrefix begins the variables that stand for flags:
// CONDENSE_KEEP_LAST=4 is --keep-last 4.
const environmentPrefix = "CONDENSE_"

// Variable is the name of the variable that stands for a flag.
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

// Misspelt lists the variables that no flag has and that resemble one that some flag has, each
// with that one. Others that begin alike may be of other programs.
func Misspelt(env func(string) string, keys []string) (list []error) {
	known := []string{environmentPrefix + "CONFIG"}
	for _, key := range keys {
		known = append(known, Variable(key))
	}
	environment := os.Environ()
	slices.Sort(environment)
	for _, e := range environment {
		name, _, _ := strings.Cut(e, "=")
		rest, ours := strings.CutPrefix(name, environmentPrefix)
		if !ours || strings.HasPrefix(rest, "EXEC_") || env(name) == "" || slices.Contains(known, name) {
			continue
		}
		for _, k := range known {
			if distance(name, k) <= maxTypos {
				list = append(list, fmt.Errorf("no flag has the variable %s: did you mean %s?", name, k))
				break
			}
		}
	}
	return list
}

// maxTypos is how many letters of a variable may differ from another's that was meant.
const maxTypos = 2
