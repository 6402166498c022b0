package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	for name, content := range map[string]string{"small": "new", "empty": "", "large": strings.Repeat("0123456789", 100_000)} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t, "a.jsonl", "old")
			must(t, os.Chmod(path, 0o640))
			backup, err := open(t, path).Replace(t.Context(), text(content), ReplaceOptions{})
			must(t, err)
			if backup != "" {
				t.Errorf("got backup %q, asked for none", backup)
			}
			wantContent(t, path, content)
			wantNames(t, filepath.Dir(path), "a.jsonl")
			wantMode(t, path, 0o640)
		})
	}
}

func TestReplaceEmpty(t *testing.T) {
	path := newFile(t, "a", "")
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{})
	must(t, err)
	wantContent(t, path, "new")
}

// TestReplaceBackup checks that the backups of two replacements do not overwrite each other.
func TestReplaceBackup(t *testing.T) {
	path := newFile(t, "a.jsonl", "0")
	for i, want := range []string{".bak", ".bak.1", ".bak.2"} {
		content := string(rune('1' + i))
		backup, err := open(t, path).Replace(t.Context(), text(content), ReplaceOptions{Backup: ".bak"})
		must(t, err)
		if backup != path+want {
			t.Errorf("backup %q, want %q", backup, path+want)
		}
		wantContent(t, path, content)
		wantContent(t, backup, string(rune('0'+i)))
	}
	in := open(t, path)
	_, err := in.Replace(t.Context(), text(""), ReplaceOptions{Backup: "/../x"})
	refused(t, err, path, exitUsage)
	wantNames(t, filepath.Dir(path), "a.jsonl", "a.jsonl.bak", "a.jsonl.bak.1", "a.jsonl.bak.2")
}

// TestReplaceRelative checks that the backup of a relative name is relative.
func TestReplaceRelative(t *testing.T) {
	path := newFile(t, "a", "old")
	t.Chdir(filepath.Dir(path))
	backup, err := open(t, "a").Replace(t.Context(), text("new"), ReplaceOptions{Backup: "~"})
	must(t, err)
	if backup != "a~" {
		t.Errorf("backup %q, want %q", backup, "a~")
	}
	wantContent(t, path, "new")
}

func TestReplaceChanged(t *testing.T) {
	other := newFile(t, "other", "old")
	changes := map[string]func(path string) error{
		"appended":  func(path string) error { return appendTo(path, "x") },
		"truncated": func(path string) error { return os.Truncate(path, 1) },
		"same size": func(path string) error { return os.WriteFile(path, []byte("OLD"), 0o644) },
		"renamed":   func(path string) error { return os.Rename(other, path) },
		"removed":   os.Remove,
		"directory": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
		"made a link": func(path string) error {
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		},
	}
	for name, change := range changes {
		for _, when := range []string{"open", "temp", "check"} {
			t.Run(name+" before "+when, func(t *testing.T) {
				must(t, os.WriteFile(other, []byte("old"), 0o644))
				path := newFile(t, "a", "old")
				in := open(t, path)
				o := ReplaceOptions{Backup: ".bak", fault: func(step string) error {
					if step == when {
						return change(path)
					}
					return nil
				}}
				_, err := in.Replace(t.Context(), text("new"), o)
				if name == "made a link" && when == "open" { // the name still leads to the file
					must(t, err)
					wantContent(t, path+".real", "new")
					return
				}
				refused(t, err, path, exitOutput)
				if !errors.Is(err, ErrChanged) {
					t.Errorf("%v does not wrap ErrChanged", err)
				}
				if data, err := os.ReadFile(path); err == nil && string(data) == "new" {
					t.Error("replaced nevertheless")
				}
				if _, err := os.Lstat(filepath.Join(filepath.Dir(path), tempName("a"))); err == nil {
					t.Error("the temporary file still exists")
				}
			})
		}
	}
}

// TestReplaceLost checks that the cause is named if the file cannot be found or read any more, and that the
// error says so if it was replaced.
func TestReplaceLost(t *testing.T) {
	path := newFile(t, "a", "old")
	in := open(t, path)
	must(t, os.Remove(path))
	must(t, os.Symlink("a", path)) // to itself
	_, err := in.Replace(t.Context(), text("new"), ReplaceOptions{})
	refused(t, err, path, exitOutput)
	if errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "could not be written: ") {
		t.Errorf("a loop of links: %v", err)
	}

	path = newFile(t, "a", "old")
	r := &replacement{in: open(t, path)}
	must(t, r.open())
	defer r.close()
	must(t, r.check())
	whole := r.file
	for name, f := range map[string]func() (*os.File, error){
		"closed":      func() (*os.File, error) { f, err := os.Open(path); return f, errors.Join(err, f.Close()) },
		"a directory": func() (*os.File, error) { return os.Open(filepath.Dir(path)) },
	} {
		r.file, err = f()
		must(t, err)
		err = r.check()
		refused(t, err, path, exitOutput)
		if errors.Is(err, ErrChanged) || errors.Unwrap(err) == nil {
			t.Errorf("%s: %v, want the cause", name, err)
		}
		r.file.Close()
	}
	r.file = whole
	must(t, r.check())
	must(t, r.dir.Close())
	err = r.settle()
	refused(t, err, path, exitOutput)
	if !strings.Contains(err.Error(), "replaced, but its directory could not be synced") || !errors.Is(err, os.ErrClosed) {
		t.Errorf("after the rename: %v", err)
	}
	must(t, appendTo(path, "late"))
	err = r.settle()
	refused(t, err, path, exitOutput)
	if !strings.Contains(err.Error(), "replaced, but lines that were written to it meanwhile are lost") {
		t.Errorf("late lines, and no folder for them: %v", err)
	}
}

// TestReplaceTouched checks that a new modification time alone is not a change.
func TestReplaceTouched(t *testing.T) {
	path := newFile(t, "a", "old")
	in := open(t, path)
	must(t, os.WriteFile(path, []byte("old"), 0o644))
	_, err := in.Replace(t.Context(), text("new"), ReplaceOptions{})
	must(t, err)
	wantContent(t, path, "new")
}

// TestReplaceLate checks that a backup has the lines that are written to the old file after the check.
func TestReplaceLate(t *testing.T) {
	for _, suffix := range []string{"", ".orig"} {
		path := newFile(t, "a", "old")
		o := ReplaceOptions{Backup: suffix, fault: func(step string) error {
			if step == "rename" {
				return appendTo(path, "+late")
			}
			return nil
		}}
		backup, err := open(t, path).Replace(t.Context(), text("new"), o)
		refused(t, err, path, exitOutput)
		if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), backup) {
			t.Errorf("got %v, want ErrChanged and the name of the backup", err)
		}
		wantContent(t, path, "new")
		wantContent(t, backup, "old+late")
	}
}

func TestReplaceSymlink(t *testing.T) {
	path := newFile(t, "real", "0")
	dir := filepath.Dir(path)
	elsewhere := filepath.Join(dir, "elsewhere")
	must(t, os.Mkdir(elsewhere, 0o755))
	links := map[string]string{"absolute": path, "relative": "real", "chain": "relative", "elsewhere/up": "../chain"}
	for link, to := range links {
		must(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	for link, to := range links {
		name := filepath.Join(dir, link)
		backup, err := open(t, name).Replace(t.Context(), text(link), ReplaceOptions{Backup: ".bak"})
		must(t, err)
		wantContent(t, path, link)
		if got, err := os.Readlink(name); err != nil || got != to {
			t.Errorf("%s leads to %q, %v; want %q as before", link, got, err, to)
		}
		if filepath.Dir(backup) != dir {
			t.Errorf("backup %s is not beside the file", backup)
		}
		must(t, os.Remove(backup))
	}
	wantNames(t, elsewhere, "up")
}

// TestReplaceSymlinkSwapped checks that a link that changes during the run does not redirect the
// write.
func TestReplaceSymlinkSwapped(t *testing.T) {
	path := newFile(t, "real", "old")
	victim, link := path+".victim", path+".link"
	must(t, os.WriteFile(victim, []byte("old"), 0o644))
	must(t, os.Symlink(path, link))
	o := ReplaceOptions{fault: func(step string) error {
		if step == "check" {
			return errors.Join(os.Remove(link), os.Symlink(victim, link))
		}
		return nil
	}}
	_, err := open(t, link).Replace(t.Context(), text("new"), o)
	refused(t, err, link, exitOutput)
	wantContent(t, path, "old")
	wantContent(t, victim, "old")
}

func TestReplaceReadOnly(t *testing.T) {
	path := newFile(t, "a", "old")
	must(t, os.Chmod(path, 0o444))
	in := open(t, path)
	refused(t, in.Replaceable(ReplaceOptions{}), path, exitOutput)
	_, err := in.Replace(t.Context(), text("new"), ReplaceOptions{Force: true})
	must(t, err)
	wantMode(t, path, 0o444)
}

func TestReplaceCallerErrors(t *testing.T) {
	path := newFile(t, "a", "old")
	mine := errors.New("mine")
	in := open(t, path)
	for name, o := range map[string]ReplaceOptions{"write": {}, "verify": {Verify: func(string) error { return mine }}} {
		write := text("new")
		if name == "write" {
			write = failing(mine)
		}
		if _, err := in.Replace(t.Context(), write, o); err != mine {
			t.Errorf("%s: got %v, want the caller's own error", name, err)
		}
		wantContent(t, path, "old")
		wantNames(t, filepath.Dir(path), "a")
	}
}

func TestReplaceVerify(t *testing.T) {
	path := newFile(t, "a", "old")
	seen := ""
	o := ReplaceOptions{Verify: func(temp string) error {
		data, err := os.ReadFile(temp)
		seen = string(data)
		return err
	}}
	_, err := open(t, path).Replace(t.Context(), text("new"), o)
	must(t, err)
	if seen != "new" {
		t.Errorf("Verify saw %q", seen)
	}
	o.Verify = func(temp string) error { return appendTo(temp, "bit rot") }
	_, err = open(t, path).Replace(t.Context(), text("newer"), o)
	refused(t, err, path, exitOutput)
	wantContent(t, path, "new")
	wantNames(t, filepath.Dir(path), "a")
}

func TestReplaceCancelled(t *testing.T) {
	path := newFile(t, "a", "old")
	for _, when := range replaceSteps {
		if when == "rename" {
			continue // the context is checked before the step, not during it
		}
		ctx, cancel := context.WithCancel(t.Context())
		o := ReplaceOptions{Backup: ".bak", fault: func(step string) error {
			if step == when {
				cancel()
			}
			return nil
		}}
		if _, err := open(t, path).Replace(ctx, text("new"), o); err != context.Canceled {
			t.Errorf("cancelled at %s: got %v", when, err)
		}
		wantContent(t, path, "old")
		wantNames(t, filepath.Dir(path), "a")
	}
}

func TestReplaceLongName(t *testing.T) {
	for _, length := range []int{99, 100, 101, 250, 255} {
		name := strings.Repeat("n", length)
		path := newFile(t, name, "old")
		_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{})
		must(t, err)
		wantContent(t, path, "new")
		wantNames(t, filepath.Dir(path), name)
		if temp := tempName(name); (temp == "."+name+tempSuffix) != (length <= 100) { // other versions must find it
			t.Errorf("the unfinished file for %d letters is %s", length, temp)
		}
	}
	path := newFile(t, strings.Repeat("n", 255), "old")
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{Backup: ".bak"})
	if exitCode(err) != exitOutput {
		t.Errorf("no room for the suffix: got %v", err)
	}
	wantContent(t, path, "old")
}

func appendTo(path, s string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(s)
	return errors.Join(err, f.Close())
}
