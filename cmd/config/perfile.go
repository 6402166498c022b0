package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// PerFile resolves the options of a command for each of its files. O is a pointer to the
// options. Files with the same settings share one O, for which Ready is called once. PerFile is
// not safe for concurrent use.
type PerFile[O any] struct {
	Settings *Settings
	Whole    O                          // options of the whole command
	Flags    *pflag.FlagSet             // flags that set Whole
	Fresh    func() (O, *pflag.FlagSet) // returns options with their defaults, and flags that set them
	// Ready checks new options and completes them.
	Ready func(own O, fs *pflag.FlagSet) error

	byLevels, byValues map[string]O
}

// Of returns the options for the file at path.
func (p *PerFile[O]) Of(path string) (own O, err error) {
	if !p.Settings.Sectioned() {
		return p.Whole, nil
	}
	var names strings.Builder
	for _, l := range p.Settings.Levels(path) {
		names.WriteString(l.name + "\n")
	}
	if own, known := p.byLevels[names.String()]; known {
		return own, nil
	}
	own, flags := p.Fresh()
	if err := p.Settings.ForFile(flags, path); err != nil {
		return own, err
	}
	if p.byLevels == nil {
		p.byLevels = map[string]O{}
		p.byValues = map[string]O{FlagValues(p.Flags, nil): p.Whole}
	}
	values := FlagValues(flags, nil)
	same, known := p.byValues[values]
	if known {
		own = same
	} else if err := p.Ready(own, flags); err != nil {
		return own, fmt.Errorf("%s: %w", path, err)
	}
	p.byLevels[names.String()], p.byValues[values] = own, own
	return own, nil
}

// ForFile sets the flags of fs for the file at path, from the command line, the environment and
// the files of settings. The flags must have their defaults.
func (s *Settings) ForFile(fs *pflag.FlagSet, path string) error {
	for name, texts := range s.Given {
		if fs.Lookup(name) == nil {
			continue
		}
		for _, text := range texts {
			if err := fs.Set(name, text); err != nil {
				return err
			}
		}
	}
	_, err := Resolve(fs, s.Levels(path))
	return err
}

// FlagValues returns a text with the values of the flags of fs, except --config and those in
// leave. The same values have the same text.
func FlagValues(fs *pflag.FlagSet, leave map[string]bool) string {
	var text strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != FlagName && !leave[f.Name] {
			fmt.Fprintf(&text, "%s=%q\n", f.Name, Given(f))
		}
	})
	return text.String()
}
