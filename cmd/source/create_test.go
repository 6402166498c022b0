package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCreate(t *testing.T) {
	path := filepath.Join(scratch(t), "out.json")
	must(t, Create(t.Context(), path, CreateOptions{}, text("one")))
	wantContent(t, path, "one")

	refused(t, Creatable(path, CreateOptions{}), path, exitOutput)
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

	must(t, Create(t.Context(), path+".own", CreateOptions{Private: true}, text("mine")))
	wantMode(t, path+".own", 0o600)
}

// TestCreateCallerErrors checks that an error of the caller's function is returned as it is, and that no file
// is left.
func TestCreateCallerErrors(t *testing.T) {
	path := newFile(t, "a", "old")
	mine := errors.New("mine")
	for _, name := range []string{path, path + ".out"} {
		if err := Create(t.Context(), name, CreateOptions{Force: true}, failing(mine)); err != mine {
			t.Errorf("got %v, want the caller's own error", err)
		}
	}
	wantContent(t, path, "old")
	wantNames(t, filepath.Dir(path), "a")
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
		"":                                  exitOutput,
	} {
		refused(t, Creatable(path, o), path, exit)
		refused(t, Create(t.Context(), path, o, text("new")), path, exit)
	}
	if err := Creatable(dir, o); !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
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

// TestLink checks both ways to give a file its name without overwriting another: in one step, and by a
// hard link on file systems that cannot.
func TestLink(t *testing.T) {
	for way, link := range map[string]func(*temp, string) error{"rename": (*temp).link, "hard link": (*temp).hardLink} {
		path := filepath.Join(scratch(t), "out")
		dir, err := os.OpenRoot(filepath.Dir(path))
		must(t, err)
		defer dir.Close()
		for _, content := range []string{"first", "second"} {
			tmp, err := newTemp(dir, path, "out", 0o644)
			must(t, err)
			must(t, tmp.fill(t.Context(), text(content)))
			err = link(tmp, "out")
			if content == "first" {
				must(t, err)
				wantNames(t, dir.Name(), "out")
			} else if refused(t, err, path, exitOutput); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: a name that is taken: %v", way, err)
			}
			tmp.discard()
			wantContent(t, path, "first")
			wantNames(t, dir.Name(), "out")
		}
		tmp, err := newTemp(dir, path, "out", 0o644)
		must(t, err)
		defer tmp.discard()
		tmp.name = "none"
		refused(t, link(tmp, "new"), path, exitOutput)
		wantNames(t, dir.Name(), tempName("out"), "out")
	}
}

// TestPublishUnsynced checks that a file whose folder cannot be flushed to the disk is there with an error, unless it
// need not be flushed.
func TestPublishUnsynced(t *testing.T) {
	for _, replace := range []bool{false, true} {
		path := filepath.Join(scratch(t), "out")
		dir, err := os.OpenRoot(filepath.Dir(path))
		must(t, err)
		defer dir.Close()
		closed, err := os.OpenRoot(filepath.Dir(path))
		must(t, err)
		must(t, closed.Close())
		for base, loose := range map[string]bool{"out": false, "loose": true} {
			tmp, err := newTemp(dir, path, base, 0o644)
			must(t, err)
			must(t, tmp.fill(t.Context(), text("new")))
			err = product{target: path, dir: closed, base: base, replace: replace, loose: loose}.publish(tmp)
			if loose {
				must(t, err)
			} else if refused(t, err, path, exitOutput); !errors.Is(err, os.ErrClosed) {
				t.Errorf("%v does not wrap its cause", err)
			}
			tmp.discard()
			wantContent(t, filepath.Join(dir.Name(), base), "new")
		}
		wantNames(t, dir.Name(), "loose", "out")
	}
}

// TestClosedTemp checks that an error of the operating system in any step of a file has the name of the
// target and the cause.
func TestClosedTemp(t *testing.T) {
	path := filepath.Join(scratch(t), "out")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	tmp, err := newTemp(dir, path, "out", 0o644)
	must(t, err)
	info, err := tmp.file.Stat()
	must(t, err)
	must(t, tmp.file.Close())
	for name, step := range map[string]func() error{
		"write":  func() error { return tmp.fill(t.Context(), text("new")) },
		"mode":   func() error { return product{like: info}.setMode(tmp) },
		"sync":   tmp.sync,
		"verify": tmp.verify,
	} {
		err := step()
		refused(t, err, path, exitOutput)
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v does not wrap its cause", name, err)
		}
	}
	must(t, dir.Close())
	_, err = newTemp(dir, path, "out", 0o644)
	refused(t, err, path, exitOutput)
	refused(t, tmp.link("out"), path, exitOutput)
	refused(t, tmp.rename("out"), path, exitOutput)
	refused(t, tmp.claim("out"), path, exitOutput)
}

// TestRenameDone checks that an error of a rename counts only if the file does not have its name, because a network
// drive may return one for a rename that it has done.
func TestRenameDone(t *testing.T) {
	path := filepath.Join(scratch(t), "out")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	tmp, err := newTemp(dir, path, "out", 0o644)
	must(t, err)
	must(t, tmp.rename("out"))
	must(t, tmp.rename("out")) // there is nothing to rename
	refused(t, tmp.rename("other"), path, exitOutput)
	must(t, os.WriteFile(filepath.Join(dir.Name(), "other"), nil, 0o600))
	refused(t, tmp.rename("other"), path, exitOutput)
	tmp.discard()
	wantNames(t, dir.Name(), "other", "out")
}

// TestDiscard checks that the end of a run does not remove the unfinished file of the next run.
func TestDiscard(t *testing.T) {
	path := filepath.Join(scratch(t), "out")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	first, err := newTemp(dir, path, "out", 0o644)
	must(t, err)
	must(t, first.rename("out"))
	second, err := newTemp(dir, path, "out", 0o644)
	must(t, err)
	first.discard()
	wantNames(t, dir.Name(), tempName("out"), "out")
	second.discard()
	wantNames(t, dir.Name(), "out")
}

// TestIsNamed checks that only the file itself has a name, not another file, and not a link to it.
func TestIsNamed(t *testing.T) {
	path := newFile(t, "a", "same")
	must(t, os.WriteFile(path+".other", []byte("same"), 0o644))
	must(t, os.Symlink("a", path+".link"))
	must(t, os.Link(path, path+".twin"))
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	f, err := os.Open(path)
	must(t, err)
	for name, want := range map[string]bool{"a": true, "a.twin": true, "a.other": false, "a.link": false, "a.missing": false} {
		if got := isNamed(dir, name, f); got != want {
			t.Errorf("%s is the file: %v, want %v", name, got, want)
		}
	}
	must(t, f.Close())
	if isNamed(dir, "a", f) {
		t.Error("a closed file has a name")
	}
}

// TestAbandoned checks that only unfinished files without a living writer are found and removed.
func TestAbandoned(t *testing.T) {
	path := newFile(t, "a", "old")
	parent := filepath.Dir(path)
	dead, alive := tempName("dead"), tempName("alive")
	for _, name := range []string{dead, alive, ".b", "c" + tempSuffix, tempSuffix + ".d"} {
		must(t, os.WriteFile(filepath.Join(parent, name), nil, 0o600))
	}
	f, err := os.Open(filepath.Join(parent, alive))
	must(t, err)
	defer f.Close()
	if err := lock(f); err != nil {
		t.Skip("no locks: ", err)
	}
	must(t, os.Mkdir(filepath.Join(parent, "below"), 0o700))
	all := names(t, parent)
	for _, remove := range []bool{false, true} {
		found, err := Abandoned(parent, remove)
		must(t, err)
		if !slices.Equal(found, []string{dead}) {
			t.Errorf("found %q, want %q", found, dead)
		}
		if remove {
			all = slices.DeleteFunc(all, func(name string) bool { return name == dead })
		}
		wantNames(t, parent, all...)
	}
	if found, err := Abandoned(parent, true); err != nil || found != nil {
		t.Errorf("found %q again, %v", found, err)
	}
	if _, err := Abandoned(path+".missing", false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
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
