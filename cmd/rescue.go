package cmd

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/report/gate"
	"condense/cmd/report/survey"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/rescue"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// rescueOptions holds the flags of condense rescue.
type rescueOptions struct {
	runOptions
	snapshots bool
}

func newRescue(a *app) *cobra.Command {
	o := &rescueOptions{runOptions: *newRunOptions()}
	cmd := &cobra.Command{
		Use:   "rescue [FILE]",
		Short: "Make a session that is too long fit again",
		Long: `Make a session fit again that its client cannot continue: "Prompt is too long",
"image dimensions exceed max allowed size", or a file so large that the client hangs. FILE
is a file or the id of a session, as condense ls lists it; --last is the newest session.

The report first says what is wrong: tokens against the context window of the model, what
the bytes are, and what the client would refuse. These steps follow, each only as needed:

  - Records are removed that the client does not need to continue. Each kind
    was tried: the client was resumed without such records, and sent the same
    request. Snapshots of files stay, because rewinding needs them, unless
    --drop-snapshots is given.
  - Images over the limits of the API are scaled down: longest side, bytes,
    all together. Then all large images are, until the file has 5 MB, but
    not below 1,092 pixels. If there are too many, the oldest become a line
    of text.
  - If the conversation does not fit, it is condensed to half of the window,
    or to --target. The rest is for the system prompt and for going on.
  - With --drop-hidden, messages that the model no longer sees are removed.
  - With --max-bytes, images and the conversation become smaller until the
    file fits.

The file is replaced, and the old one is kept under its name with .bak. With -o the result
goes to another file. Typed text and the last answer stay word for word. At the end the
report has the command that undoes the rescue. It also has the one that resumes the session,
if the file is the one that the client reads, and not a copy.`,
		Example: `  condense rescue -n session.jsonl
  condense rescue session.jsonl
  condense rescue --max-bytes 5M --drop-hidden -o smaller.jsonl session.jsonl`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		paths, err := a.orInput(cmd, args)
		if err != nil {
			return err
		}
		return runRescue(cmd.Context(), a, o, paths[0])
	}
	o.addRescueFlags(cmd, cmd.Flags())
	return cmd
}

func (o *rescueOptions) addRescueFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	s := &o.strategy
	fs.Var(&parsed[int]{to: &s.Window, parse: parseWindow, kind: "TOKENS"},
		"window", "context window of the model (200000, 200k), instead of that of the model in the file")
	fs.VarP(&parsed[strategy.Target]{to: &s.Target, parse: unmarshal[strategy.Target], kind: "TOKENS|PERCENT"},
		"target", "t", "tokens that may be left if the conversation does not fit: a number (20000, 20k) or a share of the input (50%)")
	fs.Var(&parsed[int64]{to: &o.maxBytes, parse: batch.ParseBytes, kind: "SIZE"}, "max-bytes", "bytes that the file may have (5M)")
	fs.BoolVar(&s.DropHidden, "drop-hidden", false, "remove messages outside the effective view")
	fs.BoolVar(&o.snapshots, "drop-snapshots", false, "also remove the snapshots of files, with which the client can rewind changes")
	o.countOptions.addFlags(cmd, fs)
	fs.StringVar(&o.format, "format", "", "format of the input, instead of detecting it")
	fs.StringVarP(&o.output, "output", "o", "", "write to this file instead of replacing the input")
	fs.StringVar(&o.inPlace, "backup", defaultBackup, "suffix of the file that keeps the original; empty to keep none")
	fs.BoolVarP(&o.force, "force", "f", false, "overwrite existing files")
	fs.BoolVarP(&o.dryRun, "dry-run", "n", false, "do everything except writing")
	o.addVerbosityFlags(fs, "print no report, only errors", "print all findings")
	o.stash.addFlags(fs)
	o.addStrictFlag(fs)
}

// runRescue rescues the session at path.
func runRescue(ctx context.Context, a *app, o *rescueOptions, path string) error {
	if path == "-" {
		return usage("rescue needs a FILE, the id of a session, or --last: standard input cannot be replaced")
	}
	o.replaces = !o.toFile()
	if err := o.check(path); err != nil {
		return err
	}
	in, dest, file, err := a.decodeFor(ctx, path, &o.outputOptions, &o.reading)
	if err != nil {
		return err
	}
	count, err := o.counting(ctx)
	if err != nil {
		return err
	}
	counter, note, err := count.of(file.Convs)
	if err != nil {
		return &namedError{in.Name, err}
	}
	log := noEvents()
	beside, doubted := survey.Beside(file.Convs, counter, o.windowOf(counter))
	out, err := rescue.Run(ctx, file, o.rescue(file, counter, log, beside))
	if err != nil {
		return &namedError{in.Name, explained(err)}
	}
	c := &condensed{Outcome: out.Outcome, counter: counter, millis: log.timed(len(file.Convs))}
	if note != "" {
		c.notes = append(c.notes, note)
	}
	run := newReport(in, &o.runOptions, c)
	keep := o.stash.keepRun(in, c, run)
	dest.keep = func(ctx context.Context, packed []byte) error {
		err := keep(ctx, packed)
		if err == nil && out.Changed {
			undo, notes := a.keepUndo(ctx, &o.outputOptions, &o.stash, in, "rescue", packed)
			run.Undo, run.Notes = undo, append(run.Notes, notes...)
		}
		return err
	}
	if run.Output, run.Backup, err = dest.write(ctx, out.Out, out.Changed); err != nil {
		return err
	}
	addUndo(run)
	s := gate.NewRescue(out, run)
	s.Window, s.Beside = o.windowOf(counter), beside
	s.Notes = slices.Concat(s.Notes, besideNotes(s, doubted), o.unused(out, s))
	s.Undo, s.Half = run.Undo, o.strategy.Target == (strategy.Target{}) && s.Window > 0
	o.next(s, out)
	if !o.quiet {
		if err := ui.Rescue(a.err, s, a.textOptions(&o.outputOptions, a.err)); err != nil {
			return err
		}
	}
	if o.strict && (s.Missed || o.maxBytes > 0 && s.Bytes.After > int(o.maxBytes)) {
		return &policyError{"the target was not reached"}
	}
	return nil
}

// rescue returns the options for package rescue.
func (o *rescueOptions) rescue(f *format.File, counter *token.Counter, log *events, beside int) rescue.Options {
	library := o.library(counter, log)
	library.SessionID = sessionID(f, &o.runOptions)
	if window := o.windowOf(counter); window > 0 {
		library.Window = max(window-beside, window/leastRoom)
	}
	return rescue.Options{Options: library, DropSnapshots: o.snapshots}
}

// next adds to the report how the session goes on, if the file that was written is the one that the client
// reads. A note says why it is not.
func (o *rescueOptions) next(s *gate.Rescue, out *rescue.Outcome) {
	found := byID(out.File.Dialect.Resumption())
	switch {
	case o.dryRun && s.Changed:
	case !o.toFile() || !found:
		s.Resume = resumption(out.Outcome, cmp.Or(s.Output, s.Input))
	}
	if found && s.Resume == "" && !o.dryRun && sessionOf(out.Outcome) != "" {
		s.Notes = append(s.Notes, "the client reads a session in its own folder, not this file: condense rescue with the id of the session replaces that one")
	}
}

// leastRoom is the part of the window that the conversation gets although what the provider counted
// beside the file needs it.
const leastRoom = 4

// besideNotes returns notes on what the provider counted for the last request. doubted is a count that is
// larger than the window.
func besideNotes(s *gate.Rescue, doubted int) (notes []string) {
	if s.Window > 0 && s.Beside > s.Window-s.Window/leastRoom {
		notes = append(notes, "the system text and the tools take most of the window: condense cannot make them smaller; "+
			"switch off tools in the client, or use a model with a larger window")
	}
	if doubted > 0 {
		notes = append(notes, "the file says that its last request had "+transcript.Number(doubted)+" tokens, more than the window, so this was not counted; "+
			"--window names a larger window")
	}
	return notes
}

// unused returns notes on what a person may have expected, if the conversation fits.
func (o *rescueOptions) unused(out *rescue.Outcome, s *gate.Rescue) (notes []string) {
	condensed := slices.ContainsFunc(out.Conversations, func(c condense.Conversation) bool { return c.Result != nil && c.Result.Decision.Act })
	if condensed || s.Window == 0 {
		return nil
	}
	if o.strategy.Target != (strategy.Target{}) {
		notes = append(notes, "--target was not used, because the conversation fits the window; condense run reaches a target in any case")
	}
	if o.strategy.Window == 0 && !out.Changed {
		notes = append(notes, "if the client has a smaller window than "+transcript.Number(s.Window)+" tokens, --window names it")
	}
	return notes
}

// windowOf returns the context window: that of --window, or that of the model; 0 for none.
func (o *rescueOptions) windowOf(counter *token.Counter) int {
	if o.strategy.Window > 0 {
		return o.strategy.Window
	}
	window, _ := counter.Window()
	return window
}
