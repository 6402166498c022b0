package source

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// The steps of Replace and Create, as doc.go lists them. TestSteps compares them with the code.
var (
	replaceSteps = []string{"open", "temp", "write", "mode", "sync", "verify", "backup", "check", "rename"}
	createSteps  = []string{"temp", "write", "mode", "sync", "verify", "rename"}
)

func TestSteps(t *testing.T) {
	var steps []string
	record := func(step string) error {
		steps = append(steps, step)
		return nil
	}
	path := newFile(t, "a", "old")
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{fault: record})
	must(t, err)
	if !slices.Equal(steps, replaceSteps) {
		t.Errorf("Replace takes the steps %q, want %q", steps, replaceSteps)
	}
	steps = nil
	must(t, Create(t.Context(), path+".out", CreateOptions{fault: record}, text("new")))
	if !slices.Equal(steps, createSteps) {
		t.Errorf("Create takes the steps %q, want %q", steps, createSteps)
	}
}

// TestFaultAtEveryStep checks that an error at any step leaves the old file and no other.
func TestFaultAtEveryStep(t *testing.T) {
	broken := errors.New("broken")
	failAt := func(when string) func(string) error {
		return func(step string) error {
			if step == when {
				return broken
			}
			return nil
		}
	}
	for _, step := range replaceSteps {
		path := newFile(t, "a", "old")
		o := ReplaceOptions{Backup: ".bak", fault: failAt(step)}
		if backup, err := open(t, path).Replace(t.Context(), text("new"), o); err != broken || backup != "" {
			t.Errorf("replace, %s: got %q, %v", step, backup, err)
		}
		wantContent(t, path, "old")
		wantNames(t, filepath.Dir(path), "a")
	}
	for _, step := range createSteps {
		path := newFile(t, "a", "old")
		if err := Create(t.Context(), path, CreateOptions{Force: true, fault: failAt(step)}, text("new")); err != broken {
			t.Errorf("create over a file, %s: got %v", step, err)
		}
		if err := Create(t.Context(), path+".out", CreateOptions{fault: failAt(step)}, text("new")); err != broken {
			t.Errorf("create, %s: got %v", step, err)
		}
		wantContent(t, path, "old")
		wantNames(t, filepath.Dir(path), "a")
	}
}
