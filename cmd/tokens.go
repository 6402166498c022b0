package cmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui"
	"condense/transcript/token"
)

// tokensOptions holds the flags of condense tokens.
type tokensOptions struct {
	countOptions
	showing
	ids bool

	made *token.Counter // set by ready
}

func newTokens(a *app) *cobra.Command {
	o := &tokensOptions{}
	cmd := &cobra.Command{
		Use:   "tokens [FILE…|-]",
		Short: "Count the tokens of texts",
		Long: `Count the tokens of texts and print the number; for several files, print a line for each
and a total. Every file is counted as text; condense run -n prints the tokens of a
conversation as a model sees it.

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
	o.made, err = o.counter(ctx)
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
		total, all := 0, report.TokenizerOf(o.made)
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

func (o *tokensOptions) counter(ctx context.Context) (*token.Counter, error) {
	if err := o.countOptions.check(); err != nil {
		return nil, err
	}
	if o.calibrate.auto {
		return nil, &usageError{errors.New("--calibrate auto needs the usage in a conversation, and texts have none"), "give the factor that condense run --calibrate auto finds"}
	}
	c, err := o.countOptions.counter(ctx)
	if err == nil && o.ids && c.Method() != token.Exact {
		return nil, usage("the tokens of %s are not public: --ids needs o200k_base, cl100k_base or a model that uses one of them", c.Model())
	}
	return c, err
}

// count counts one text.
func (a *app) count(ctx context.Context, o *tokensOptions, path string) (survey.TextSize, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return survey.TextSize{}, err
	}
	text, how := string(in.Data), report.TokenizerOf(o.made)
	size := survey.TextSize{Input: in.Name, Bytes: len(in.Data), Tokens: o.made.Text(text), Tokenizer: &how}
	if o.ids {
		if size.IDs, err = o.made.Encode(text); err != nil {
			return size, usage("%w", err)
		}
	}
	return size, nil
}
