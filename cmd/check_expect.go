package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"condense/cmd/batch"
	"condense/cmd/report/gate"
	"condense/cmd/source"
	"condense/transcript/rules"
)

// expected returns the path of the expected output for the file at path. It lies below the
// --expect folder, with the path relative to the working folder, and is not compressed.
func expected(folder, path string) (string, error) {
	rel := path
	if filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		if rel, err = filepath.Rel(here, path); err != nil {
			rel = ".."
		}
	}
	if rel = filepath.Clean(rel); path == "-" || !filepath.IsLocal(rel) {
		return "", usage("--expect needs paths below the working folder: %s is elsewhere", path)
	}
	for _, packed := range []string{".gz", ".zst"} {
		rel = strings.TrimSuffix(rel, packed)
	}
	return filepath.Join(folder, rel), nil
}

// placeable refuses inputs inside the --expect folder, inputs without a place in it, and two
// inputs with the same place.
func placeable(folder string, paths []string, list []batch.Found) error {
	if folder == "" {
		return nil
	}
	for _, path := range paths {
		if isBelow(path, folder) {
			return usage("%s lies in the folder of --expect: its expected output would be the file itself", path)
		}
	}
	taken := map[string]string{}
	for _, f := range list {
		place, err := expected(folder, f.Path)
		if err != nil {
			return err
		}
		if other, ok := taken[place]; ok && other != f.Path {
			return usage("%s and %s have the same expected output, %s", other, f.Path, place)
		}
		taken[place] = f.Path
	}
	return nil
}

// expect compares the output with the expected one. With -u, it writes the expected output.
func (j *judge) expect(ctx context.Context, folder string, update bool, in *source.Input, out []byte) error {
	place, err := expected(folder, j.gated.Input)
	if err != nil {
		return err
	}
	if update {
		return keepExpected(ctx, place, in, out)
	}
	const fix = "condense check --expect DIR -u writes it; condense diff compares"
	want, err := source.Open(ctx, place, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j.breach("expect", -1, nil, place+" does not exist, so there is nothing to compare with", fix)
		return nil
	case err != nil:
		return err
	case bytes.Equal(want.Data, out):
		return nil
	}
	j.gated.Findings = append(j.gated.Findings, gate.Breach{
		Demand: "expect", Rule: "condense/expect", Severity: rules.Error.String(), Path: place, Line: firstDifferent(want.Data, out),
		Text: fmt.Sprintf("the output for %s differs, from this line on", j.gated.Input), Fix: fix,
	})
	return nil
}

// keepExpected writes the expected output, unless the file has these bytes already.
func keepExpected(ctx context.Context, place string, in *source.Input, out []byte) error {
	if old, err := os.ReadFile(place); err == nil && bytes.Equal(old, out) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return &unwritable{"--expect", err}
	}
	return source.Create(ctx, place, source.CreateOptions{From: in, Force: true}, func(w io.Writer) error {
		_, err := w.Write(out)
		return err
	})
}

// firstDifferent returns the number, from 1, of the first line in which two texts differ.
func firstDifferent(a, b []byte) int {
	line := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

// isBelow reports whether a path lies in a folder. It compares names only.
func isBelow(path, folder string) bool {
	path, errPath := filepath.Abs(path)
	folder, errFolder := filepath.Abs(folder)
	rel, err := filepath.Rel(folder, path)
	return errPath == nil && errFolder == nil && err == nil && filepath.IsLocal(rel)
}
