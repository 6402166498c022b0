package cmd

import (
	"github.com/spf13/pflag"

	"condense/cmd/ui"
)

// outputOptions are the flags of every command that writes a file in the form of
// its input: where the output goes, and how it is reported.
type outputOptions struct {
	many bool // the output is one of many: its name was not chosen, and a write that began comes to its end

	output   string
	inPlace  string // suffix of the backup
	replaces bool   // --in-place was given
	force    bool
	dryRun   bool

	reportOptions
	json    bool
	quiet   bool
	verbose int
	color   ui.ColorMode
}

// defaultBackup is the suffix of the backup that -w keeps when none is named.
const defaultBackup = ".bak"

// addFlags adds the flags; verbose is what --verbose does.
func (o *outputOptions) addFlags(fs *pflag.FlagSet, verbose string) {
	fs.StringVarP(&o.output, "output", "o", "", "write to this file instead of standard output; compressed where the name ends in .gz or .zst")
	o.addPlaceFlags(fs, "replace the file; the old one is kept under its name with this suffix")
	fs.BoolVar(&o.json, "json", false, "print the report as JSON to standard output (with -o, -w or -n)")
	o.addTellingFlags(fs, "no report, only errors", verbose)
}

// addPlaceFlags adds the flags that say whether files are replaced; inPlace is what
// --in-place does.
func (o *outputOptions) addPlaceFlags(fs *pflag.FlagSet, inPlace string) {
	fs.StringVarP(&o.inPlace, "in-place", "w", "", inPlace+" (-w=.orig; --in-place= keeps none)")
	fs.Lookup("in-place").NoOptDefVal = defaultBackup
	fs.BoolVarP(&o.force, "force", "f", false, "overwrite what exists")
	fs.BoolVarP(&o.dryRun, "dry-run", "n", false, "do everything but write")
}

// addTellingFlags adds the flags that say how much is told to a person.
func (o *outputOptions) addTellingFlags(fs *pflag.FlagSet, quiet, verbose string) {
	fs.BoolVarP(&o.quiet, "quiet", "q", false, quiet)
	fs.CountVarP(&o.verbose, "verbose", "v", verbose)
	fs.Var(&o.color, "color", "colour")
}

// check refuses combinations that contradict each other.
func (o *outputOptions) check(path string) error {
	switch {
	case o.replaces && o.output != "":
		return usage("-w and -o name two places for one output")
	case o.replaces && path == "-":
		return usage("-w needs a FILE: standard input cannot be replaced")
	case o.json && !o.elsewhere():
		return usage("--json needs standard output for itself: add -o FILE, -w or -n")
	}
	return nil
}

// toFile reports whether the output goes to a file of its own.
func (o *outputOptions) toFile() bool { return o.output != "" && o.output != "-" }

// elsewhere reports whether standard output is free for something else.
func (o *outputOptions) elsewhere() bool { return o.toFile() || o.replaces || o.dryRun }
