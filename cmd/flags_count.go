package cmd

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/source"
	"condense/transcript"
	"condense/transcript/token"
)

// countOptions are the flags of every command that counts tokens.
type countOptions struct {
	tokenizer string
	model     string
	models    string // file with more models
	calibrate calibration
}

// calibration is what --calibrate asks for; zero: nothing.
type calibration struct {
	factor float64
	auto   bool // by what the file records
}

func parseCalibration(s string) (calibration, error) {
	if s == "auto" {
		return calibration{auto: true}, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return calibration{}, fmt.Errorf("expected a factor (1.18) or auto")
	}
	return calibration{factor: f}, token.CheckFactor(f)
}

func (o *countOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.StringVar(&o.tokenizer, "tokenizer", "", "how tokens are counted: o200k_base (default), cl100k_base, bytes4, chars, or as a model counts")
	fs.StringVarP(&o.model, "model", "m", "", "count as this model does, and compare with its context window (condense models)")
	addModelsFlag(fs, &o.models)
	fs.Var(&parsed[calibration]{to: &o.calibrate, parse: parseCalibration, kind: "FACTOR|auto"},
		"calibrate", "tokens of the model for each that the tokenizer counts; auto: as the usage in the file shows")
	complete(cmd, "tokenizer", token.Names()...)
}

func addModelsFlag(fs *pflag.FlagSet, file *string) {
	fs.StringVar(file, "models", "", "file with models in place of those built in, in the form of condense models --json")
}

// readModels is the table of models: the one built in, with what the file at path
// says instead; "" for none.
func readModels(ctx context.Context, path string) (token.Models, error) {
	table := token.BuiltIn()
	if path == "" {
		return table, nil
	}
	in, err := source.Open(ctx, path, 0)
	if err != nil {
		return nil, err
	}
	rows, err := token.ReadModels(in.Data)
	if err != nil {
		return nil, &usageError{&namedError{in.Name, err}, "condense models --json shows the form"}
	}
	return table.With(rows), nil
}

// check refuses combinations that contradict each other.
func (o *countOptions) check() error {
	if o.tokenizer != "" && o.model != "" {
		return usage("--tokenizer and --model both say how to count")
	}
	return nil
}

// counter makes the Counter that the flags ask for. What --calibrate auto asks for
// is for fitted, once there is a file.
func (o *countOptions) counter(ctx context.Context) (*token.Counter, error) {
	table, err := readModels(ctx, o.models)
	if err != nil {
		return nil, err
	}
	c, err := table.Named(o.tokenizer)
	if o.model != "" {
		c, err = table.Counter(o.model)
	}
	if err != nil {
		return nil, &usageError{err: err, hint: "condense models lists the models"}
	}
	if o.calibrate != (calibration{}) {
		scale := c.Scale() // for auto: to see now whether it can be calibrated at all
		if !o.calibrate.auto {
			scale = token.Scale{Method: token.Calibrated, Factor: o.calibrate.factor, Source: "--calibrate"}
		}
		c, err = c.Calibrated(scale)
	}
	if err != nil {
		return nil, usage("%w", err)
	}
	return c, nil
}

// fitted is c with the factor that the file shows, when --calibrate auto asks for
// it. Where the file shows none, c stays, and the note says why.
func (o *countOptions) fitted(c *token.Counter, convs []*transcript.Conversation) (counter *token.Counter, note string, err error) {
	if !o.calibrate.auto {
		return c, "", nil
	}
	fit, err := c.Fit(convs)
	if err != nil {
		return c, "--calibrate auto found no factor: " + err.Error(), nil
	}
	counter, err = c.Calibrated(fit.Scale())
	return counter, "", err
}
