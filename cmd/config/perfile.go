package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// PerFile are the options of a command that takes several files, as they hold for each of
// them: O points to the options. They are resolved again only where other sections of the files
// of settings match. Files with the same settings share options and what Ready made of them.
// It is not safe for concurrent use.
type PerFile[O any] struct {
	Settings *Settings
	Whole    O                          // those of the command
	Flags    *pflag.FlagSet             // that were set from them
	Fresh    func() (O, *pflag.FlagSet) // new ones, with their defaults, and their flags
	// Ready checks options and prepares what the command needs. Its error is about the settings of
	// the first file that has them.
	Ready func(own O, fs *pflag.FlagSet) error

	byLevels, byValues map[string]O
}

// Of returns the options that hold for the file at path.
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

// ForFile sets the flags of fs, which are to have their defaults, as they hold for the
// file at path: from the command line, then from what the environment and the files say.
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

// FlagValues returns the values of the flags of fs, except those in leave and --config. It is the
// same text for the same settings.
func FlagValues(fs *pflag.FlagSet, leave map[string]bool) string {
	var text strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != FlagName && !leave[f.Name] {
			fmt.Fprintf(&text, "%s=%q\n", f.Name, Given(f))
		}
	})
	return text.String()
}
