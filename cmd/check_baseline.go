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
)

// baseline is the content of the --baseline file: the tokens that files had when it was
// written. Paths are relative to its folder and have slashes, so that it can be committed.
type baseline struct {
	Version   int            `json:"version"`   // of the file format
	Tokenizer string         `json:"tokenizer"` // as returned by unit
	Files     map[string]int `json:"files"`     // tokens by path

	dir string // of the file, absolute
}

const baselineVersion = 1

// unit returns the name of the tokenizer, and its factor unless that is 1.
func unit(count *counting) string {
	if count.table != nil {
		return autoModel
	}
	name := count.base.Name()
	if f := count.base.Scale().Factor; f != 1 {
		name += fmt.Sprintf(" × %g", f)
	}
	return name
}

// readBaseline reads the --baseline file. It returns nil if no file is named. With
// --update-baseline the file need not exist, and it is started again if its tokens were
// counted in another way.
func readBaseline(ctx context.Context, path string, update bool, count *counting) (*baseline, error) {
	if path == "" {
		return nil, nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	b := &baseline{Version: baselineVersion, Tokenizer: unit(count), Files: map[string]int{}, dir: filepath.Dir(abs)}
	in, err := source.Open(ctx, path, 0)
	if update && errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, &usageError{err, "write it with: condense check --baseline " + shellWord(path) + " --update-baseline"}
	}
	old := baseline{dir: b.dir}
	if err := json.Unmarshal(in.Data, &old); err != nil || old.Version != baselineVersion {
		return nil, &usageError{fmt.Errorf("%s: not a baseline that this version of condense wrote", path), "remove it, and write it with --update-baseline"}
	}
	switch {
	case old.Tokenizer == b.Tokenizer:
		maps.Copy(b.Files, old.Files)
	case !update:
		return nil, &usageError{
			fmt.Errorf("%s: the baseline counts tokens by %s, but this check by %s", path, old.Tokenizer, b.Tokenizer),
			"count in the same way, or write the baseline again with --update-baseline",
		}
	}
	return b, nil
}

// key returns the path of a file as the baseline spells it.
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

// tokens returns the tokens that a file had, and whether the baseline lists it.
func (b *baseline) tokens(path string) (int, bool) {
	n, ok := b.Files[b.key(path)]
	return n, ok
}

// write writes the current tokens of the checked files. Other files stay in the
// baseline.
func (b *baseline) write(ctx context.Context, path string, g *gate.Gate) error {
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
	return source.Create(ctx, path, source.CreateOptions{Force: true}, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}
