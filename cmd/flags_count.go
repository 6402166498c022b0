package cmd

import (
	"context"
	"errors"
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
	model     string // autoModel for the one that each file names
	models    string // file with rows for the table of models
	calibrate calibration
}

// autoModel is the value of --model for the model that a file names.
const autoModel = "auto"

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
	fs.StringVar(&o.tokenizer, "tokenizer", "", "count tokens by o200k_base (default), cl100k_base, bytes4, chars, an older encoding of OpenAI, the tokenizer.json at this path, or as a model does")
	fs.StringVarP(&o.model, "model", "m", autoModel,
		"count as this model does, and compare with its context window (condense models); auto: as the model that the file names, else by o200k_base")
	addModelsFlag(fs, &o.models)
	fs.Var(&parsed[calibration]{to: &o.calibrate, parse: parseCalibration, kind: "FACTOR|auto"},
		"calibrate", "tokens of the model for each token of the tokenizer; auto: find the factor from the usage in the file")
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

// readTokenizer reads a tokenizer.json.
func readTokenizer(ctx context.Context, path string) (*token.Counter, error) {
	in, err := source.Open(ctx, path, 0)
	if err != nil {
		return nil, err
	}
	c, err := token.FromFile(path, in.Data)
	if err != nil {
		return nil, &usageError{&namedError{in.Name, err}, "it reads the tokenizer.json of models with byte pair encoding, such as Llama 3, Qwen, DeepSeek and Mistral"}
	}
	return c, nil
}

// check refuses combinations that contradict each other.
func (o *countOptions) check() error {
	if o.tokenizer != "" && o.model != "" && o.model != autoModel {
		return usage("--tokenizer and --model both say how to count")
	}
	return nil
}

// A counting decides how the tokens of each file are counted.
type counting struct {
	base      *token.Counter // for files that name no model
	table     token.Models   // of the models that files name; nil if base counts all files
	calibrate calibration
}

// counting returns what the flags ask for.
func (o *countOptions) counting(ctx context.Context) (*counting, error) {
	table, err := readModels(ctx, o.models)
	if err != nil {
		return nil, err
	}
	w := &counting{calibrate: o.calibrate}
	if config.IsTokenizerFile(o.tokenizer) {
		w.base, err = readTokenizer(ctx, o.tokenizer)
	} else if o.model == autoModel || o.model == "" {
		w.base, err = table.Named(o.tokenizer)
	} else if w.base, err = table.Counter(o.model); err != nil {
		err = config.Unknown(err, o.model, modelNames(table))
	}
	var unreadable *source.Error
	switch {
	case errors.As(err, &unreadable):
		return nil, err
	case err != nil:
		return nil, &usageError{err: err, hint: "condense models lists the models"}
	}
	if o.model == autoModel && o.tokenizer == "" {
		w.table = table
	}
	w.base, err = w.scaled(w.base)
	return w, err
}

// scaled returns c with the factor of --calibrate. With auto it returns c, if that can be calibrated.
func (w *counting) scaled(c *token.Counter) (*token.Counter, error) {
	if w.calibrate == (calibration{}) {
		return c, nil
	}
	scale := c.Scale()
	if !w.calibrate.auto {
		scale = token.Scale{Method: token.Calibrated, Factor: w.calibrate.factor, Source: "--calibrate"}
	}
	c, err := c.Calibrated(scale)
	if err != nil {
		return nil, usage("%w", err)
	}
	return c, nil
}

// of returns the counter for the conversations of a file. With --model auto it is that of the model
// that they name, with --calibrate auto it is calibrated by the usage that they record. The note
// states what could not be done, and why.
func (w *counting) of(convs []*transcript.Conversation) (c *token.Counter, note string, err error) {
	c = w.base
	if w.table != nil {
		named, name, err := w.table.Of(convs)
		if err == nil && named != nil {
			c, err = w.scaled(named)
		}
		if err != nil {
			return nil, "", err
		}
		if named == nil && name != "" {
			note = "the file names the model " + name + ", which is not in the table of models: tokens are counted by " + c.Name()
		}
	}
	if !w.calibrate.auto {
		return c, note, nil
	}
	fit, err := c.Fit(convs)
	if err != nil {
		return c, "--calibrate auto found no factor: " + err.Error(), nil
	}
	c, err = c.Calibrated(fit.Scale())
	return c, note, err
}
