package cmd

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/source"
	"condense/transcript"
	"condense/transcript/token"
)

// countOptions holds the flags of every command that counts tokens.
type countOptions struct {
	tokenizer string
	model     string
	models    string // file with rows for the table of models
	calibrate calibration
}

// calibration is the value of --calibrate. The zero value does not calibrate.
type calibration struct {
	factor float64
	auto   bool // find the factor from the usage that the file records
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
	fs.StringVar(&o.tokenizer, "tokenizer", "", "count tokens by o200k_base (default), cl100k_base, bytes4, chars, or as a model does")
	fs.StringVarP(&o.model, "model", "m", "", "count as this model does, and compare with its context window (condense models)")
	addModelsFlag(fs, &o.models)
	fs.Var(&parsed[calibration]{to: &o.calibrate, parse: parseCalibration, kind: "FACTOR|auto"},
		"calibrate", "tokens of the model for each token of the tokenizer; auto: find the factor from the usage in the file")
	complete(cmd, "tokenizer", token.Names()...)
}

func addModelsFlag(fs *pflag.FlagSet, file *string) {
	fs.StringVar(file, "models", "", "file with models that replace or extend the built-in ones, in the form of condense models --json")
}

// readModels returns the built-in table of models, with the rows of the file at path in place
// of rows of the same name. An empty path names no file.
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

// counter returns the counter that the flags ask for. [countOptions.fitted] applies
// --calibrate auto, because that needs a file.
func (o *countOptions) counter(ctx context.Context) (*token.Counter, error) {
	table, err := readModels(ctx, o.models)
	if err != nil {
		return nil, err
	}
	c, err := table.Named(o.tokenizer)
	if o.model != "" {
		if c, err = table.Counter(o.model); err != nil {
			err = config.Unknown(err, o.model, modelNames(table))
		}
	}
	if err != nil {
		return nil, &usageError{err: err, hint: "condense models lists the models"}
	}
	if o.calibrate != (calibration{}) {
		scale := c.Scale() // with auto, this call only checks that c can be calibrated
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

// fitted returns c, with --calibrate auto calibrated by the usage in the file. If the file
// shows no factor, fitted returns c unchanged and a note with the reason.
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
