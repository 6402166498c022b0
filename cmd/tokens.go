package cmd

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui"
	"condense/cmd/ui/escape"
	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// tokensOptions holds the flags of condense tokens.
type tokensOptions struct {
	countOptions
	showing
	ids bool

	made *counting // set by ready
}

func newTokens(a *app) *cobra.Command {
	o := &tokensOptions{}
	cmd := &cobra.Command{
		Use:   "tokens [FILE…|-]",
		Short: "Count the tokens of texts",
		Long: `Count the tokens of texts and print the number; for several files, print a line for each
and a total. Every file is counted as text. For a saved conversation, standard error has
the tokens of its messages, too: those that a model sees.

Without FILE, or with "-", the text is read from standard input. Text that is compressed
with gzip or zstd is unpacked first.

With --json the output is an object with the members tokenizer, files and total. If
settings (condense config --help) count files in different ways, there is no total, and
each file has a member tokenizer of its own.`,
		Example: `  condense tokens chat.json
  condense tokens chat.json session.jsonl
  echo 'Hello world' | condense tokens --tokenizer cl100k_base
  condense tokens --ids --tokenizer gpt-4o < chat.json
  condense tokens --json --tokenizer claude-sonnet-4-5 chat.json`,
		RunE: a.onFiles(func(ctx context.Context, paths []string) error {
			return runTokens(ctx, a, o, paths)
		}),
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *tokensOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	o.countOptions.addFlags(cmd, fs)
	fs.BoolVar(&o.ids, "ids", false, "print the ids of the tokens, a line for each text")
	o.showing.addFlags(fs, &survey.Tokens{}, "print an object for programs")
	config.WholeCommand(fs, "ids")
}

// ready makes the counter.
func (o *tokensOptions) ready(ctx context.Context) (err error) {
	if err := o.countOptions.check(); err != nil {
		return err
	}
	if o.calibrate.auto {
		return &usageError{errors.New("--calibrate auto needs the usage in a conversation, and texts have none"), "give the factor that condense run --calibrate auto finds"}
	}
	o.made, err = o.counting(ctx)
	if err == nil && o.ids && o.made.base.Method() != token.Exact {
		return usage("the tokens of %s are not public: --ids needs o200k_base, cl100k_base or a model that uses one of them", o.made.base.Model())
	}
	return err
}

// perFile resolves the options of each file: how its tokens are counted.
func (o *tokensOptions) perFile(ctx context.Context, a *app) *config.PerFile[*tokensOptions] {
	fresh := func() (*tokensOptions, *pflag.FlagSet) {
		own, cmd := &tokensOptions{}, &cobra.Command{}
		own.addFlags(cmd, cmd.Flags())
		return own, cmd.Flags()
	}
	ready := func(own *tokensOptions, _ *pflag.FlagSet) error { return own.ready(ctx) }
	return &config.PerFile[*tokensOptions]{Settings: &a.settings, Whole: o, Flags: a.flags(), Fresh: fresh, Ready: ready}
}

// runTokens counts the texts at paths. A file that cannot be read does not stop the others.
// The exit code is the highest of all.
func runTokens(ctx context.Context, a *app, o *tokensOptions, paths []string) error {
	if err := o.ready(ctx); err != nil {
		return err
	}
	counts, code, options := &survey.Tokens{ShowIDs: o.ids}, exitOK, o.perFile(ctx, a)
	var ways []survey.TokenizerUse
	for _, path := range paths {
		own, err := options.Of(path)
		if err != nil {
			return err
		}
		size, err := a.count(ctx, own, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			code = max(code, a.exit(ctx, err))
			continue
		}
		counts.Files = append(counts.Files, size)
		ways = survey.AddUse(ways, *size.Tokenizer)
	}
	if len(ways) < 2 { // otherwise the numbers cannot be added, and each file has its tokenizer
		total, all := 0, report.TokenizerOf(o.made.base)
		for i := range counts.Files {
			all = *counts.Files[i].Tokenizer
			total, counts.Files[i].Tokenizer = total+counts.Files[i].Tokens, nil
		}
		counts.Total, counts.Tokenizer = &total, &all
	}
	if err := a.show(ctx, &o.showing, counts, ui.Options{}); err != nil {
		return err
	}
	if code != exitOK {
		return &printedError{code}
	}
	return nil
}

// count counts one text.
func (a *app) count(ctx context.Context, o *tokensOptions, path string) (survey.TextSize, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return survey.TextSize{}, err
	}
	text, how := string(in.Data), report.TokenizerOf(o.made.base)
	size := survey.TextSize{Input: in.Name, Bytes: len(in.Data), Tokens: o.made.base.Text(text), Tokenizer: &how}
	if o.ids {
		if size.IDs, err = o.made.base.Encode(text); err != nil {
			return size, usage("%w", err)
		}
	}
	if note := o.ofConversation(in.Data); note != "" && !o.json {
		io.WriteString(a.err, "condense: "+escape.Line(in.Name+": "+note)+"\n")
	}
	return size, nil
}

// ofConversation returns a note with the tokens of the messages if src is a saved conversation, otherwise
// "". They are fewer than those of the text, which has keys and copies, too.
func (o *tokensOptions) ofConversation(src []byte) string {
	file, err := format.Decode(src, "")
	if err != nil {
		return ""
	}
	counter, _, err := o.made.of(file.Convs)
	if err != nil {
		return ""
	}
	total := 0
	for _, c := range file.Convs {
		n, _ := breakdown.Measure(c, counter.Block)
		total += n
	}
	if total == 0 {
		return ""
	}
	how := report.TokenizerOf(counter)
	return "this is a saved conversation, whose messages have " + how.About() + transcript.Number(total) + " tokens as " +
		cmp.Or(counter.Model(), counter.Name()) + " counts: condense stats FILE"
}
