package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"

	"condense/cmd/report/gate"
	"condense/cmd/source"
	"condense/transcript/token"
)

// baseline is the file of --baseline: the tokens that files had when it was written. Its paths are relative to
// the folder that it is in, with slashes, so that it can be committed.
type baseline struct {
	Version   int            `json:"version"`   // of this form
	Tokenizer string         `json:"tokenizer"` // how tokens were counted
	Files     map[string]int `json:"files"`     // tokens by path

	dir string // of the file, absolute
}

const baselineVersion = 1

// unit names how tokens are counted: the tokenizer, and the factor if there is one.
func unit(c *token.Counter) string {
	name := c.Name()
	if f := c.Scale().Factor; f != 1 {
		name += fmt.Sprintf(" × %g", f)
	}
	return name
}

// readBaseline reads the file of --baseline; nil when none is named. One that is to be
// updated need not exist, and starts again when tokens are counted in another way.
func (o *checkOptions) readBaseline(ctx context.Context, counter *token.Counter) (*baseline, error) {
	if o.baseline == "" {
		return nil, nil
	}
	abs, err := filepath.Abs(o.baseline)
	if err != nil {
		return nil, err
	}
	b := &baseline{Version: baselineVersion, Tokenizer: unit(counter), Files: map[string]int{}, dir: filepath.Dir(abs)}
	in, err := source.Open(ctx, o.baseline, 0)
	if o.updateBaseline && errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, &usageError{err, "condense check --baseline " + shellWord(o.baseline) + " --update-baseline writes it"}
	}
	old := baseline{dir: b.dir}
	if err := json.Unmarshal(in.Data, &old); err != nil || old.Version != baselineVersion {
		return nil, &usageError{fmt.Errorf("%s: not a baseline that this version of condense wrote", o.baseline), "remove it, and write it with --update-baseline"}
	}
	switch {
	case old.Tokenizer == b.Tokenizer:
		maps.Copy(b.Files, old.Files)
	case !o.updateBaseline:
		return nil, &usageError{
			fmt.Errorf("%s: its tokens were counted by %s, but these by %s", o.baseline, old.Tokenizer, b.Tokenizer),
			"count in the same way, or write it again with --update-baseline",
		}
	}
	return b, nil
}

// key is how the baseline names a file.
func (b *baseline) key(path string) string {
	if path == "-" {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
		if rel, err := filepath.Rel(b.dir, abs); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// tokens returns what a file had.
func (b *baseline) tokens(path string) (int, bool) {
	n, ok := b.Files[b.key(path)]
	return n, ok
}

// writeBaseline writes what the files have now. Files that were not checked stay in it.
func (o *checkOptions) writeBaseline(ctx context.Context, b *baseline, g *gate.Gate) error {
	for _, f := range g.Files {
		if f.Format != "" {
			b.Files[b.key(f.Input)] = f.Tokens
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(b); err != nil {
		return err
	}
	return source.Create(ctx, o.baseline, source.CreateOptions{Force: true}, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}
