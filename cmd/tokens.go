package cmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"condense/cmd/ui"
	"condense/transcript/token"
)

// tokensOptions are the flags of condense tokens.
type tokensOptions struct {
	countOptions
	ids  bool
	json bool
}

func newTokens(a *app) *cobra.Command {
	o := &tokensOptions{}
	cmd := &cobra.Command{
		Use:   "tokens [FILE…|-]",
		Short: "Count the tokens of texts",
		Long: `Count the tokens of texts and print the number; for several files a line for each,
and a total. A file is a text, whatever is in it: of a conversation, condense run -n
tells the tokens that a model sees.

Without FILE, or with "-", the text is read from standard input. Text that is
compressed with gzip or zstd is counted as it was before.

With --json the output is an object with the members tokenizer, files and total.`,
		Example: `  condense tokens chat.json
  condense tokens chat.json session.jsonl
  echo 'Hello world' | condense tokens --tokenizer cl100k_base
  condense tokens --ids --tokenizer gpt-4o < chat.json
  condense tokens --json --tokenizer claude-sonnet-4-5 chat.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := a.orInput(cmd, args)
			if err != nil {
				return err
			}
			return runTokens(cmd.Context(), a, o, args)
		},
	}
	fs := cmd.Flags()
	o.countOptions.addFlags(cmd, fs)
	fs.BoolVar(&o.ids, "ids", false, "print the tokens themselves, a line for each text")
	fs.BoolVar(&o.json, "json", false, "print an object for programs")
	return cmd
}

// runTokens counts the texts at paths. One that cannot be read does not keep the
// others from being counted; the highest exit code wins.
func runTokens(ctx context.Context, a *app, o *tokensOptions, paths []string) error {
	counter, err := o.counter(ctx)
	if err != nil {
		return err
	}
	counts, code := &ui.Tokens{Files: []ui.TextSize{}}, exitOK
	for _, path := range paths {
		size, err := a.count(ctx, o, counter, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			code = max(code, a.exit(ctx, err))
			continue
		}
		counts.Files = append(counts.Files, size)
		counts.Total += size.Tokens
	}
	counts.Tokenizer = tokenizerOf(counter)
	if o.json {
		err = ui.TokensJSON(a.out, counts)
	} else {
		err = ui.WriteTokens(a.out, counts, o.ids)
	}
	if err != nil {
		return &outputError{err}
	}
	if code != exitOK {
		return &saidError{code}
	}
	return nil
}

func (o *tokensOptions) counter(ctx context.Context) (*token.Counter, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.calibrate.auto {
		return nil, &usageError{errors.New("--calibrate auto reads the usage in a conversation, and texts have none"), "give the factor that condense run --calibrate auto finds"}
	}
	c, err := o.countOptions.counter(ctx)
	if err == nil && o.ids && c.Method() != token.Exact {
		return nil, usage("the tokens of %s are not public: --ids takes o200k_base, cl100k_base or a model that has one of them", c.Model())
	}
	return c, err
}

// count counts one text.
func (a *app) count(ctx context.Context, o *tokensOptions, counter *token.Counter, path string) (ui.TextSize, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return ui.TextSize{}, err
	}
	text := string(in.Data)
	size := ui.TextSize{Input: in.Name, Bytes: len(in.Data), Tokens: counter.Text(text)}
	if o.ids {
		if size.IDs, err = counter.Encode(text); err != nil {
			return size, usage("%w", err)
		}
	}
	return size, nil
}

// tokenizerOf tells how a Counter counted so far.
func tokenizerOf(c *token.Counter) ui.Tokenizer {
	scale := c.Scale()
	window, _ := c.Window()
	return ui.Tokenizer{
		Name: c.Name(), Model: c.Model(), Method: scale.Method, Factor: scale.Factor, Band: scale.Band, Source: scale.Source,
		Window: window,
	}
}
