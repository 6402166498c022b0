package cmd

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/transcript"
	"condense/transcript/diff"
	"condense/transcript/format"
	"condense/transcript/token"
)

// diffOptions are the flags of condense diff.
type diffOptions struct {
	countOptions
	format string
	stat   bool
	showing
	quiet bool
	color ui.ColorMode
}

func newDiff(a *app) *cobra.Command {
	o := &diffOptions{color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Tell what is different in two conversations",
		Long: `Compare two saved conversations by message and block: what was dropped, shortened
(lines kept and omitted), changed, inserted or hidden, each with a unified diff of the
text. Messages are paired by what they say, by their calls and times, and where both
differ by what they have in common; how the files spell them does not matter. Files of
two formats can be compared.

On a terminal long stretches are shortened, and words that differ stand out; in a pipe
every line is whole. --stat lists the differences without the texts. One of A and B may
be "-", standard input. A condense.yaml can say of each file how it is read; tokens of
both are counted as it says for A.

The exit code is 1 when there are differences; 0 when there are none, even where the
files differ in bytes that are no part of the conversation.`,
		Example: `  condense run -q session.jsonl > smaller.jsonl && condense diff --stat session.jsonl smaller.jsonl || true
  condense diff chat.json chat.json
  condense run -q chat.json | condense diff --json chat.json - | jq .different`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDiff(cmd.Context(), a, o, args[0], args[1])
		},
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *diffOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	o.countOptions.addFlags(cmd, fs)
	fs.StringVar(&o.format, "format", "", "format of both files, instead of detecting it")
	fs.BoolVar(&o.stat, "stat", false, "a line for each difference, without the texts")
	o.showing.addFlags(fs, &report.Difference{}, "print an object for programs")
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "no summary, only differences")
	fs.Var(&o.color, "color", "colour")
	config.WholeCommand(fs, "stat", "quiet", "color")
	complete(cmd, "format", formatNames()...)
}

// perFile are the options that hold for each of the two files: how it is read. Tokens are
// counted as those of the first say, or sizes could not be compared.
func (o *diffOptions) perFile(a *app) *config.PerFile[*diffOptions] {
	fresh := func() (*diffOptions, *pflag.FlagSet) {
		own, cmd := &diffOptions{color: ui.ColorAuto}, &cobra.Command{}
		own.addFlags(cmd, cmd.Flags())
		return own, cmd.Flags()
	}
	ready := func(own *diffOptions, _ *pflag.FlagSet) error { return own.check() }
	return &config.PerFile[*diffOptions]{Settings: &a.settings, Whole: o, Flags: a.flags(), Fresh: fresh, Ready: ready}
}

// check refuses combinations that contradict each other.
func (o *diffOptions) check() error {
	switch {
	case o.json && o.stat:
		return usage("--json and --stat both want standard output")
	case o.calibrate.auto:
		return usage("--calibrate auto would count the two files in different units")
	}
	return o.countOptions.check()
}

// runDiff compares the files at two paths.
func runDiff(ctx context.Context, a *app, o *diffOptions, pathA, pathB string) error {
	if pathA == "-" && pathB == "-" {
		return usage("only one of two files can be standard input")
	}
	if err := o.check(); err != nil {
		return err
	}
	options := o.perFile(a)
	ofA, err := options.Of(pathA)
	if err != nil {
		return err
	}
	ofB, err := options.Of(pathB)
	if err != nil {
		return err
	}
	counter, err := ofA.counter(ctx)
	if err != nil {
		return err
	}
	inA, fileA, err := a.decode(ctx, pathA, ofA.format)
	if err != nil {
		return err
	}
	inB, fileB, err := a.decode(ctx, pathB, ofB.format)
	if err != nil {
		return err
	}
	d := difference(fileA, fileB, counter)
	d.A, d.B = inA.Name, inB.Name
	d.Bytes = report.Change{Before: len(inA.Data), After: len(inB.Data)}
	d.SameBytes = bytes.Equal(inA.Data, inB.Data)
	if err := a.showDifference(ctx, o, d); err != nil {
		return err
	}
	if d.Different {
		return &policyError{}
	}
	return nil
}

// decode reads the file at path.
func (a *app) decode(ctx context.Context, path, dialect string) (*source.Input, *format.File, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	file, err := format.Decode(in.Data, dialect)
	if err != nil {
		return nil, nil, &namedError{in.Name, err}
	}
	return in, file, nil
}

func (a *app) showDifference(ctx context.Context, o *diffOptions, d *report.Difference) error {
	screen := a.screen(o.color, 0)
	screen.Brief = o.stat
	if err := a.show(ctx, &o.showing, d, screen); err != nil || o.quiet {
		return err
	}
	return ui.DifferenceSummary(a.err, d, ui.Options{Color: ui.UseColor(o.color, a.err, a.env), Width: ui.Width(a.err)})
}

// difference compares two files, conversation by conversation.
func difference(a, b *format.File, counter *token.Counter) *report.Difference {
	d := &report.Difference{
		Version: report.DifferenceVersion, Condense: version(), FormatA: a.Dialect.Name, FormatB: b.Dialect.Name,
		Conversations: []report.Differs{},
	}
	for _, p := range sameConversations(a.Convs, b.Convs) {
		c := differs(p[0], p[1], counter)
		d.Different = d.Different || c.Only != "" || len(c.Changes) > 0
		d.Tokens.Before += c.Tokens.Before
		d.Tokens.After += c.Tokens.After
		d.Messages.Before += c.Messages.Before
		d.Messages.After += c.Messages.After
		d.Conversations = append(d.Conversations, c)
	}
	d.Tokenizer = tokenizerOf(counter)
	return d
}

// sameConversations pairs conversations by their ids, and those that are left in
// order. nil stands for one that the other file does not have.
func sameConversations(a, b []*transcript.Conversation) [][2]*transcript.Conversation {
	byID := map[string]*transcript.Conversation{}
	for _, c := range b {
		if c.ID != "" && byID[c.ID] == nil {
			byID[c.ID] = c
		}
	}
	with := map[*transcript.Conversation]*transcript.Conversation{}
	taken := map[*transcript.Conversation]bool{}
	for _, c := range a {
		if other := byID[c.ID]; other != nil && !taken[other] {
			with[c], taken[other] = other, true
		}
	}
	var rest []*transcript.Conversation
	for _, c := range b {
		if !taken[c] {
			rest = append(rest, c)
		}
	}
	var list [][2]*transcript.Conversation
	for _, c := range a {
		other := with[c]
		if other == nil && len(rest) > 0 {
			other, rest = rest[0], rest[1:]
		}
		list = append(list, [2]*transcript.Conversation{c, other})
	}
	for _, c := range rest {
		list = append(list, [2]*transcript.Conversation{nil, c})
	}
	return list
}

// differs compares two conversations, of which one may be nil.
func differs(a, b *transcript.Conversation, counter *token.Counter) report.Differs {
	var d report.Differs
	switch {
	case a == nil:
		d.Only, d.ID, a = "b", b.ID, &transcript.Conversation{}
	case b == nil:
		d.Only, d.ID, b = "a", a.ID, &transcript.Conversation{}
	default:
		d.ID = a.ID
	}
	d.Tokens.Before, _ = strategy.Measure(a, counter.Block)
	d.Tokens.After, _ = strategy.Measure(b, counter.Block)
	d.Messages = report.Change{Before: visible(a), After: visible(b)}
	for _, c := range diff.Conversations(a, b) {
		d.Changes = append(d.Changes, newDiffer(a, b, &c, counter))
	}
	return d
}

// newDiffer is one difference for people and programs. Tokens are counted as the model
// sees them: of what is hidden there are none.
func newDiffer(a, b *transcript.Conversation, c *diff.Change, counter *token.Counter) report.Differ {
	out := report.Differ{Message: c.From + 1, Other: c.To + 1, Block: c.Block + 1, Note: c.What}
	conv, at := a, c.From
	if c.Op == diff.Inserted {
		conv, at = b, c.To
	}
	m := conv.Messages[at]
	count := func(conv *transcript.Conversation, at int, blocks ...*transcript.Block) (n int) {
		for _, x := range blocks {
			if x != nil && !conv.Messages[at].Hidden {
				n += counter.Block(x)
			}
		}
		return n
	}
	if c.A == nil && c.B == nil {
		out.Block, out.What = 0, m.Role.String()+" message"
		if c.Op == diff.Hidden {
			out.Op, out.Tokens.Before = "hide", count(a, c.From, m.Blocks...)
		} else if c.Op == diff.Shown {
			out.Op, out.Tokens.After = "show", count(b, c.To, b.Messages[c.To].Blocks...)
		}
	}
	if c.A != nil {
		out.Before, out.Tokens.Before = c.A.Text(), count(a, c.From, c.A)
		out.What = what(a, transcript.Ref{Msg: m.ID, Block: c.A.ID, Part: transcript.Whole}, c.A)
	}
	if c.B != nil {
		out.After, out.Tokens.After = c.B.Text(), count(b, c.To, c.B)
		if c.A == nil {
			out.What = what(b, transcript.Ref{Msg: b.Messages[c.To].ID, Block: c.B.ID, Part: transcript.Whole}, c.B)
		}
	}
	switch c.Op {
	case diff.Dropped:
		out.Op = "drop"
	case diff.Inserted:
		out.Op = "insert"
	case diff.Changed:
		out.Op = "rewrite"
		if out.Tokens.After < out.Tokens.Before && out.Note == "" {
			out.Op = "shorten"
		}
		if out.Note == "" {
			out.Lines = lineCounts(out.Before, out.After)
		}
	}
	if m.Hidden && out.What != "" {
		out.What = "hidden " + out.What
	}
	return out
}

// lineCounts compares the lines of two texts.
func lineCounts(before, after string) *report.LineCounts {
	there, back := linesLeft(before, after), linesLeft(after, before)
	return &report.LineCounts{Kept: there.After, Omitted: there.Before - there.After, Added: back.Before - back.After}
}
