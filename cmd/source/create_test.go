package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCreate(t *testing.T) {
	path := filepath.Join(scratch(t), "out.json")
	must(t, Create(t.Context(), path, CreateOptions{}, text("one")))
	wantContent(t, path, "one")

	err := Create(t.Context(), path, CreateOptions{}, text("two"))
	refused(t, err, path, exitOutput)
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("got %v, want fs.ErrExist and a mention of --force", err)
	}
	wantContent(t, path, "one")

	must(t, os.Chmod(path, 0o600))
	must(t, Create(t.Context(), path, CreateOptions{Force: true}, text("three")))
	wantContent(t, path, "three")
	wantMode(t, path, 0o600)
	wantNames(t, filepath.Dir(path), "out.json")
}

func TestCreateRelative(t *testing.T) {
	t.Chdir(scratch(t))
	must(t, Create(t.Context(), "out", CreateOptions{}, text("")))
	wantContent(t, "out", "")
}

func TestCreateRefuses(t *testing.T) {
	dir := scratch(t)
	input := newFile(t, "in.json", "old")
	for name, to := range map[string]string{"to-input": input, "dangling": "nowhere", "file": ""} {
		if to == "" {
			must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
		} else {
			must(t, os.Symlink(to, filepath.Join(dir, name)))
		}
	}
	o := CreateOptions{From: open(t, input), Force: true}
	for path, exit := range map[string]int{
		input:                               exitUsage,
		filepath.Join(dir, "to-input"):      exitUsage,
		dir:                                 exitOutput,
		filepath.Join(dir, "dangling"):      exitOutput,
		filepath.Join(dir, "missing/out"):   exitOutput,
		filepath.Join(dir, "missing") + "/": exitOutput,
		filepath.Join(dir, "file/out"):      exitOutput,
	} {
		refused(t, Creatable(path, o), path, exit)
		refused(t, Create(t.Context(), path, o, text("new")), path, exit)
	}
	wantContent(t, input, "old")
	wantNames(t, dir, "dangling", "file", "to-input")
}

func TestCreateThroughSymlink(t *testing.T) {
	path := newFile(t, "real", "old")
	link := path + ".link"
	must(t, os.Symlink("real", link))
	refused(t, Create(t.Context(), link, CreateOptions{}, text("new")), link, exitOutput)
	must(t, Create(t.Context(), link, CreateOptions{Force: true}, text("new")))
	wantContent(t, path, "new")
	if to, _ := os.Readlink(link); to != "real" {
		t.Errorf("the link leads to %q", to)
	}
}

// TestCreateMeanwhile checks that a file that appears during the write is not overwritten.
func TestCreateMeanwhile(t *testing.T) {
	path := filepath.Join(scratch(t), "out")
	o := CreateOptions{fault: func(step string) error {
		if step == "rename" {
			return os.WriteFile(path, []byte("theirs"), 0o644)
		}
		return nil
	}}
	err := Create(t.Context(), path, o, text("ours"))
	refused(t, err, path, exitOutput)
	wantContent(t, path, "theirs")
	wantNames(t, filepath.Dir(path), "out")
}

// TestClaim tests claim, which is used on file systems without hard links.
func TestClaim(t *testing.T) {
	path := filepath.Join(scratch(t), "out")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	for _, want := range []error{nil, fs.ErrExist} {
		tmp, err := newTemp(dir, path, "out", 0o644)
		must(t, err)
		must(t, tmp.fill(t.Context(), text("new")))
		if err := tmp.claim("out"); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		tmp.discard()
		wantContent(t, path, "new")
		wantNames(t, filepath.Dir(path), "out")
	}
}

func TestCreateCancelled(t *testing.T) {
	for _, when := range createSteps[:len(createSteps)-1] {
		path := filepath.Join(scratch(t), "out")
		ctx, cancel := context.WithCancel(t.Context())
		o := CreateOptions{fault: func(step string) error {
			if step == when {
				cancel()
			}
			return nil
		}}
		if err := Create(ctx, path, o, text("new")); err != context.Canceled {
			t.Errorf("cancelled at %s: got %v", when, err)
		}
		wantNames(t, filepath.Dir(path))
	}
}
