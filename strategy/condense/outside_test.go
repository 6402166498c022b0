package condense

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOutside builds and runs a program of another module. It shows that other modules can condense a
// file without internal packages, registration or set-up.
func TestOutside(t *testing.T) {
	const name = "claude-code/session.jsonl"
	src := read(t, name)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // the go command may write to go.mod and go.sum
	for from, to := range map[string]string{
		"testdata/outside/main.go": "main.go", "testdata/outside/go.mod": "go.mod", "go.sum": "go.sum",
	} {
		text, err := os.ReadFile(filepath.Join(root, from))
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("=> ../.."), []byte("=> "+root), 1)
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "outside.exe")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := exec.Command(program, filepath.Join(sessions, name)).Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := Condense(t.Context(), src, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Out) || len(got) >= len(src) {
		t.Errorf("%d bytes, expected %d", len(got), len(want.Out))
	}
}
