package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/inventory"
	"condense/cmd/source"
	"condense/cmd/stash"
	"condense/cmd/ui"
)

func newStash(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stash",
		Short: "List and remove the entries of a stash",
		Long: `A stash has a compressed entry for each run, from which its input is restored.
--stash DIR names its directory, which has the text that each run removed. Without the flag
it is the user's own, in which runs with -w keep the old content of files for condense undo.`,
		Example: "  condense run -q --stash undo session.jsonl > smaller.jsonl && condense stash list --stash undo",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newStashList(a), newStashGC(a), newStashPurge(a))
	return cmd
}

func newStashList(a *app) *cobra.Command {
	var dir string
	o, quiet := &showing{}, false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs whose input can be restored",
		Long: `List the entries of a stash, the last used first: id, day, run, file, bytes of the file
before and after, and the size of the entry.`,
		Example: `  condense run -q --stash undo session.jsonl > smaller.jsonl && condense stash list --stash undo
  condense run -q --stash undo chat.json > smaller.json && condense stash list --json --stash undo`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := a.stashEntries(dir)
			if err != nil {
				return err
			}
			if quiet && !o.json {
				if err := ui.StashIDs(a.out, list); err != nil {
					return &outputError{err}
				}
				return nil
			}
			return a.show(cmd.Context(), o, list, a.screen(ui.ColorAuto, 0))
		},
	}
	fs := cmd.Flags()
	addStashFlag(fs, &dir, "directory of the stash (default: that of condense undo)")
	o.addFlags(fs, []inventory.StashEntry{}, "print an array for programs")
	fs.BoolVarP(&quiet, "quiet", "q", false, "print only ids")
	return cmd
}

func (a *app) stashEntries(dir string) ([]inventory.StashEntry, error) {
	store, err := a.anyStash(dir)
	if err != nil {
		return nil, err
	}
	entries, err := store.Entries()
	list := make([]inventory.StashEntry, len(entries))
	for i, e := range entries {
		list[i] = stashEntry(e)
	}
	return list, err
}

// gcOptions holds the flags of condense stash gc.
type gcOptions struct {
	dir    string
	keep   time.Duration
	force  bool
	dryRun bool
}

func newStashGC(a *app) *cobra.Command {
	o := &gcOptions{keep: 90 * 24 * time.Hour}
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove old entries of a stash",
		Long: `Remove the files that killed runs left in a stash, and the entries that are older than
--keep and that no newer entry needs.

Without its entry, an input cannot be restored from its output, and the stash does not know
whether that output still exists. So without --force, only entries that no restore needs
are removed: those of runs that changed nothing, if another entry has the file. The others
are counted. -n prints what would be removed and removes nothing.`,
		Example: `  condense run -q --stash undo session.jsonl > smaller.jsonl && condense stash gc -n --force --keep 30d --stash undo`,
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runStashGC(a, o) },
	}
	fs := cmd.Flags()
	addStashFlag(fs, &o.dir, "directory of the stash (default: that of condense undo)")
	fs.Var(&parsed[time.Duration]{to: &o.keep, parse: parseAge, text: "90d", kind: "AGE"}, "keep", "keep entries that were used within this time: 36h, 90d, 12w")
	fs.BoolVarP(&o.force, "force", "f", false, "remove older entries even if nothing else can restore their input")
	fs.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would be removed")
	return cmd
}

func runStashGC(a *app, o *gcOptions) error {
	store, err := a.anyStash(o.dir)
	if err != nil {
		return err
	}
	c, err := store.Collect(stash.CollectOptions{Before: a.now().Add(-o.keep), Force: o.force, DryRun: o.dryRun})
	if err != nil {
		return err
	}
	out := &inventory.Collected{DryRun: o.dryRun, Kept: len(c.Kept), Files: c.Files}
	for _, e := range c.Entries {
		out.Entries = append(out.Entries, stashEntry(e))
	}
	if err := ui.Write(a.err, defaultForm, out, ui.Options{Color: ui.UseColor(ui.ColorAuto, a.err, a.env), Width: ui.Width(a.err)}); err != nil {
		return &outputError{err}
	}
	return nil
}

// newStashPurge returns the command that removes what is kept of one file.
func newStashPurge(a *app) *cobra.Command {
	dir, dryRun := "", false
	cmd := &cobra.Command{
		Use:   "purge FILE",
		Short: "Remove all earlier content of a file",
		Long: `Remove every entry that has an earlier content of the file, and the backups beside the file
(FILE.bak) with such a content. Afterwards, text that runs removed from the file is gone:
condense undo and condense restore cannot put it back. -n only prints what would be removed.`,
		Example: `  condense run -q -w session.jsonl && condense stash purge session.jsonl`,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runStashPurge(cmd.Context(), a, dir, args[0], dryRun)
		},
	}
	fs := cmd.Flags()
	addStashFlag(fs, &dir, "directory of the stash (default: that of condense undo)")
	fs.BoolVarP(&dryRun, "dry-run", "n", false, "only print what would be removed")
	return cmd
}

func runStashPurge(ctx context.Context, a *app, dir, path string, dryRun bool) error {
	store, err := a.anyStash(dir)
	if err != nil {
		return err
	}
	in, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	list, err := store.Purge(stash.PurgeOptions{Path: absolute(path), File: in.Raw, DryRun: dryRun})
	if err != nil {
		return err
	}
	out := &inventory.Purged{DryRun: dryRun, File: in.Name}
	suffixes, inputs := map[string]bool{defaultBackup: true}, map[string]bool{}
	for _, e := range list {
		out.Entries = append(out.Entries, stashEntry(e))
		inputs[e.Input] = true
		if e.Backup != "" {
			suffixes[e.Backup] = true
		}
	}
	for _, suffix := range slices.Sorted(maps.Keys(suffixes)) {
		for _, name := range backups(path, suffix) {
			data, err := os.ReadFile(name)
			if err != nil || !inputs[hashOf(data)] {
				continue
			}
			if !dryRun {
				err = os.Remove(name)
			}
			if err != nil {
				return err
			}
			out.Backups = append(out.Backups, name)
		}
	}
	return ui.Write(a.err, defaultForm, out, ui.Options{Color: ui.UseColor(ui.ColorAuto, a.err, a.env), Width: ui.Width(a.err)})
}

// parseAge parses a duration, also in days ("90d") and weeks ("12w").
func parseAge(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		name   string
		length time.Duration
	}{{"d", day}, {"w", 7 * day}} {
		if digits, ok := strings.CutSuffix(text, unit.name); ok {
			n, err := strconv.ParseUint(digits, 10, 63)
			if err != nil {
				return 0, errors.New("expected a number of days or weeks, such as 90d")
			}
			if most := uint64(math.MaxInt64 / unit.length); n > most {
				return 0, fmt.Errorf("expected an age of at most %d%s", most, unit.name)
			}
			return time.Duration(n) * unit.length, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, errors.New("expected an age such as 36h, 90d or 12w")
	}
	return d, nil
}

// stashOptions holds the flags of commands whose input can be restored.
type stashOptions struct {
	dir    string // "" for no stash
	verify bool
	noUndo bool // --no-stash

	ids *stash.IDs // of the removed texts in dir; nil without a stash
}

func (o *stashOptions) addFlags(fs *pflag.FlagSet) {
	addStashFlag(fs, &o.dir, "directory in which to keep what condense restore needs to restore the original")
	fs.BoolVar(&o.noUndo, "no-stash", false, "keep nothing for condense undo when a file is replaced")
	fs.BoolVar(&o.verify, "verify-restore", false, "restore the original from --stash and compare it before the output is written")
}

func addStashFlag(fs *pflag.FlagSet, dir *string, doc string) { fs.StringVar(dir, "stash", "", doc) }

// openStash opens the stash at dir, the value of --stash.
func openStash(dir string) (*stash.Store, error) {
	if dir == "" {
		return nil, noStash()
	}
	return stash.Open(dir)
}

// anyStash opens the stash at dir or, if dir is "", that of condense undo.
func (a *app) anyStash(dir string) (*stash.Store, error) {
	if dir == "" {
		return a.undoStore()
	}
	return stash.Open(dir)
}

func noStash() error {
	return &usageError{errors.New("no stash is named: give --stash DIR or set CONDENSE_STASH"),
		"runs with -w alone keep the old file as a whole: condense view --side-by-side FILE shows what they removed, and condense undo FILE puts it back"}
}

// keep adds an entry for a run to the stash and returns its id. Without --stash it does
// nothing.
func (o *stashOptions) keep(ctx context.Context, run stash.Run) (id string, err error) {
	if o.dir == "" {
		return "", nil
	}
	store := &stash.Store{Dir: o.dir}
	if id, err = store.Put(ctx, run); err != nil || !o.verify {
		return id, err
	}
	return id, store.Verify(run)
}

// check refuses --verify-restore without --stash, and prepares ids for markers.
func (o *stashOptions) check() error {
	if o.verify && o.dir == "" {
		return usage("--verify-restore needs --stash DIR, from which it restores")
	}
	if o.dir != "" {
		o.ids = (&stash.Store{Dir: o.dir}).IDs()
	}
	return nil
}

// keepRepair returns a function that adds the entry of a repair to the stash. It is called
// with the output before that is written.
func (o *stashOptions) keepRepair(in *source.Input, m *gate.Mending) func(context.Context, []byte) error {
	return func(ctx context.Context, out []byte) error {
		var list []stash.Edit
		for _, x := range m.Mended {
			list = append(list, stash.Edit{Conversation: x.Conversation, Message: x.Message, What: x.Rule, Op: "mend", Why: x.Done})
		}
		_, err := o.keep(ctx, stash.Run{File: in.Name, Format: m.Format, How: "repair, by the rules of " + m.API, In: in.Raw, Out: out, Edits: list})
		return err
	}
}

// stashEntry converts an entry for reports.
func stashEntry(e stash.Entry) inventory.StashEntry {
	return inventory.StashEntry{
		ID: e.ID, File: e.File, Format: e.Format, How: e.How, Bytes: report.Change{Before: e.InputBytes, After: e.OutputBytes},
		Edits: e.Edits, Stored: int(e.Bytes), Used: e.Used, Damaged: e.Damaged,
	}
}
