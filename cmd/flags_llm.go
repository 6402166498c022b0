package cmd

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/help"
	"condense/cmd/source"
	"condense/strategy"
	"condense/strategy/llm"
	"condense/transcript/token"
)

// llmOptions holds the flags about the model that strategies may ask. Without --llm the flags
// have no effect, and no connection is opened.
type llmOptions struct {
	use         bool   // --llm
	name        string // of the model
	substitute  string // name of the model that is asked when the first one fails
	base        string // URL of the server
	keyEnv      string
	keyFile     string
	retries     int
	timeout     time.Duration
	rpm, tpm    int
	maxCost     float64 // USD for the whole run, 0 for no limit
	prices      string  // file
	cache       string  // directory
	stream      bool
	temperature float64
	maxTokens   int // of the notes
	noRedact    bool
	fallback    string
	focus       string
	promptFile  string

	client *llm.Client    // set by connect, unless it is already set
	second *llm.Client    // of the substitute; nil for none; set with client
	asked  strategy.Model // set by connect
}

func newLLMOptions() llmOptions {
	return llmOptions{retries: llm.DefaultRetries, timeout: llm.DefaultTimeout, fallback: string(strategy.FallbackDigest)}
}

func (o *llmOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.BoolVar(&o.use, "llm", false, "let strategies ask a model for summaries; this sends the conversation over the network")
	fs.StringVar(&o.name, "llm-model", "", "name of the model on its server")
	fs.StringVar(&o.substitute, "llm-fallback-model", "", "model of the same server that is asked if the first one fails or its answer cannot be used")
	fs.Float64Var(&o.temperature, "llm-temperature", 0, "temperature of the answers, 0 to 2")
	fs.IntVar(&o.maxTokens, "llm-max-tokens", 0, "limit of the tokens of a summary's notes (default 4,000, and an eighth of the model's window)")
	fs.StringVar(&o.base, "base-url", "", "URL of a server with OpenAI's chat completions API, including the version (default "+llm.DefaultBaseURL+")")
	fs.StringVar(&o.keyEnv, "api-key-env", "", "environment variable that holds the key (default: that of the provider, such as OPENAI_API_KEY)")
	fs.StringVar(&o.keyFile, "api-key-file", "", "file that holds only the key")
	fs.IntVar(&o.retries, "retries", o.retries, "attempts after the first if the server is busy or the network fails")
	fs.DurationVar(&o.timeout, "timeout", o.timeout, "timeout of one attempt")
	fs.IntVar(&o.rpm, "rpm", 0, "limit of requests per minute")
	fs.IntVar(&o.tpm, "tpm", 0, "limit of tokens per minute, as condense counts them")
	fs.Float64Var(&o.maxCost, "max-cost", 0, "limit in USD for the run; a question whose estimate exceeds it is not asked")
	fs.StringVar(&o.prices, "prices", "", "file with prices: LiteLLM's model_prices_and_context_window.json, models.dev's api.json, or OpenRouter's list of models")
	fs.StringVar(&o.cache, "llm-cache", "", "directory for answers, so that the same question is asked only once")
	fs.BoolVar(&o.stream, "llm-stream", false, "stream answers, for servers and proxies that drop silent connections")
	fs.BoolVar(&o.noRedact, "no-redact", false, "do not replace secrets in questions and answers")
	fs.Var(oneOf(&o.fallback, []string{string(strategy.FallbackDigest), string(strategy.FallbackTruncate), string(strategy.FallbackFail)}), "fallback", "if the model fails: a summary without one, no summary, or exit code 4")
	fs.StringVar(&o.focus, "focus", "", "subject that the model's summary must keep above all")
	fs.StringVar(&o.promptFile, "prompt-file", "", "file with instructions for the model's summary, in place of the built-in sections")
}

// check refuses combinations that contradict each other.
func (o *llmOptions) check() error {
	switch {
	case !o.use:
		return nil
	case o.name == "":
		return usage("--llm needs --llm-model, the name of the model")
	case o.keyEnv != "" && o.keyFile != "":
		return usage("--api-key-env and --api-key-file both name the place of the key: give one of them")
	case o.substitute != "" && o.substitute == o.name:
		return usage("--llm-fallback-model names the same model as --llm-model")
	case o.maxTokens < 0:
		return usage("--llm-max-tokens takes a number of tokens above 0")
	case o.timeout <= 0:
		return usage("--timeout takes a duration above 0, such as 90s")
	}
	return nil
}

// connect sets the client and the model that --llm asks for. It keeps a client that is already
// set, and it sends nothing.
func (o *llmOptions) connect(ctx context.Context, env func(string) string, counting *countOptions, dryRun bool) error {
	if !o.use {
		return nil
	}
	table, err := readModels(ctx, counting.models)
	if err != nil {
		return err
	}
	counter, err := counterFor(table, o.name)
	if err != nil {
		return err
	}
	other, err := counterFor(table, o.substitute)
	if err != nil {
		return err
	}
	if o.client == nil {
		if err := o.newClients(ctx, env, counter, other); err != nil {
			return err
		}
	}
	window, _ := counter.Window()
	o.asked = strategy.Model{
		Name: o.name, Window: window, Tokens: counter.Text, Price: o.client.Estimate, Afford: o.client.Afford, NoRedact: o.noRedact,
		MaxNotes: o.maxTokens, Focus: o.focus, Fallback: strategy.Fallback(o.fallback), DryRun: dryRun,
	}
	if dryRun {
		o.asked.Afford = o.client.Reserve
	}
	if o.second != nil {
		window, _ := other.Window()
		o.asked.Substitute = &strategy.Env{Ask: o.second.Ask, Model: strategy.Model{
			Name: o.substitute, Window: window, Tokens: other.Text, Price: o.second.Estimate, Afford: o.second.Afford,
		}}
	}
	if o.promptFile != "" {
		in, err := source.Open(ctx, o.promptFile, 0)
		if err != nil {
			return err
		}
		o.asked.Prompt = string(in.Data)
	}
	return nil
}

// counterFor returns the counter of a model, or the default one for a model that the table does
// not have.
func counterFor(table token.Models, model string) (*token.Counter, error) {
	if counter, err := table.Counter(model); err == nil {
		return counter, nil
	}
	return table.Named("")
}

// newClients sets the clients of the model and of its substitute. The counters count tokens as
// the models do.
func (o *llmOptions) newClients(ctx context.Context, env func(string) string, counter, other *token.Counter) error {
	prices, err := o.priceTable(ctx)
	if err != nil {
		return err
	}
	key, err := llm.KeySource{BaseURL: o.base, BaseGiven: o.base != "", Variable: o.keyEnv, File: o.keyFile, Env: env}.Find()
	if err != nil {
		return usage("%w", err)
	}
	o.client, err = llm.New(llm.Config{
		Model: o.name, BaseURL: o.base, Key: key, Retries: o.retries, Timeout: o.timeout, Stream: o.stream, Temperature: o.temperature,
		RPM: o.rpm, TPM: o.tpm, MaxCost: o.maxCost, Price: priceOf(prices, o.name), Cache: o.cache, NoRedact: o.noRedact, Tokens: counter.Text,
	})
	if err == nil && o.substitute != "" {
		o.second, err = o.client.Other(o.substitute, priceOf(prices, o.substitute), other.Text)
	}
	if err != nil {
		return usage("%w", err)
	}
	return nil
}

// priceTable returns the prices of the --prices file in front of the built-in ones.
func (o *llmOptions) priceTable(ctx context.Context) (token.Prices, error) {
	table := token.BuiltInPrices()
	if o.prices == "" {
		return table, nil
	}
	in, err := source.Open(ctx, o.prices, 0)
	if err != nil {
		return nil, err
	}
	rows, err := token.ReadPrices(in.Data)
	if err != nil {
		return nil, usage("%w", &namedError{in.Name, err})
	}
	return table.With(rows), nil
}

// priceOf returns the price of a model; nil if the table does not have it.
func priceOf(table token.Prices, model string) *llm.Price {
	p, ok := table.Find(model)
	if !ok {
		return nil
	}
	return &llm.Price{Input: p.Input, Output: p.Output}
}

// spent returns notes for the report about the questions that were asked and their cost.
func (o *llmOptions) spent() (notes []string) {
	if o.client == nil {
		return nil
	}
	s := o.client.Spent()
	who := o.name
	switch {
	case s.Calls+s.Cached == 0:
		return []string{o.name + " was not asked"}
	case o.second == nil || !o.second.Answered():
	case o.client.Answered():
		who += " and " + o.substitute
	default:
		who = o.substitute
	}
	cost := "at a price that is not known"
	if s.Cost != nil {
		prices := "prices of " + token.PricesDate
		if o.prices != "" {
			prices = "prices of --prices"
		}
		cost = fmt.Sprintf("for $%.4f by %s", *s.Cost, prices)
	}
	notes = append(notes, fmt.Sprintf("%s answered %d questions, %d more from the cache: %d tokens in, %d out, %s", who, s.Calls, s.Cached, s.In, s.Out, cost))
	if n := s.Redacted.Total(); n > 0 {
		notes = append(notes, fmt.Sprintf("secrets replaced in prompts and answers: %s", s.Redacted))
	}
	return notes
}

// llmFlags returns the names of the flags of llmOptions.
func llmFlags() (names []string) {
	o, cmd := newLLMOptions(), &cobra.Command{}
	o.addFlags(cmd, cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// newLLMHelp returns the help topic about summaries by a model: condense help llm.
func newLLMHelp() *cobra.Command {
	return &cobra.Command{
		Use:         "llm",
		Short:       "How a model writes summaries",
		Annotations: map[string]string{help.GroupAnnotation: help.ModelGroup},
		Long: `With --llm, the strategies summarize and progressive ask a model for the notes of a
summary. Without it, no connection is opened. The model gets the messages that the summary
replaces, and up to 1,500 tokens of those that stay behind it; secrets in them are replaced
first, unless --no-redact is given. Typed requests stand in the summary word for word in
any case.

  condense run --llm --llm-model gpt-5-mini --strategy summarize session.jsonl

The server is one with OpenAI's chat completions API. The key is in the variable of the
provider, such as OPENAI_API_KEY, or where --api-key-env or --api-key-file say. With -n,
nothing is sent: the report lists what would be sent, and what it would cost.

If the model fails, or its answer cannot be used, the summary is written without it;
--fallback chooses something else. The flags of condense run about the model:`,
	}
}
