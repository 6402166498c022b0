package endtoend

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"condense/cmd"
	"condense/cmd/source"
)

// update is the flag of all tests that compare with golden files.
var update = flag.Bool("update", false, "rewrite the golden files in the scripts")

func TestMain(m *testing.M) {
	own := &withState{M: m}
	if filepath.Base(os.Args[0]) != "condense" {
		own.make()
	}
	testscript.Main(own, map[string]func(){
		"condense": func() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)) },
	})
}

// withState runs the tests with directories of their own for the state, in which runs with -w keep old content, and for
// the user's settings.
type withState struct {
	*testing.M
	dir string
}

// make creates the directories.
func (w *withState) make() {
	var err error
	if w.dir, err = os.MkdirTemp("", "state"); err == nil {
		err = errors.Join(os.Setenv("XDG_STATE_HOME", w.dir), os.Setenv("XDG_CONFIG_HOME", filepath.Join(w.dir, "settings")))
	}
	if err != nil {
		panic(err)
	}
}

// Run runs the tests and removes the directories.
func (w *withState) Run() int {
	defer os.RemoveAll(w.dir)
	return w.M.Run()
}

// TestScripts runs testdata/script/*.txtar, which specify the command line.
// The functions below implement the commands exits, cp-w, unpack, append and damage.
func TestScripts(t *testing.T) {
	sessions, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TESTDATA", sessions)
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, ".state")) // runs with -w keep old content there
			for _, name := range []string{"MUTATE", "MUTATE_RECORD"} {     // scripts/mutate also changes the programs that scripts start
				if value := os.Getenv(name); value != "" {
					e.Setenv(name, value)
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"cp-w":   copyWritable,
			"unpack": unpack,
			"append": appendTo,
			"damage": damage,
		},
	})
}

// exits runs a command and compares its exit code: exits 3 condense run x.json.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("exits: %v", err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// copyWritable copies a fixture to the work folder, where it can be written to:
// cp-w SOURCE TARGET.
func copyWritable(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: cp-w SOURCE TARGET")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// unpack writes the content of a compressed file, and fails if it is not compressed
// by this encoding: unpack gzip SOURCE TARGET.
func unpack(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: unpack ENCODING SOURCE TARGET")
	}
	in, err := source.Open(context.Background(), ts.MkAbs(args[1]), 0)
	ts.Check(err)
	if in.Encoding == nil || in.Encoding.Name != args[0] {
		ts.Fatalf("%s is not compressed with %s", args[1], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), in.Data, 0o644))
}

// appendTo appends one file to another: append TARGET SOURCE.
func appendTo(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: append TARGET SOURCE")
	}
	target := ts.ReadFile(args[0]) + ts.ReadFile(args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(target), 0o644))
}

// damage changes the last byte of every file in a folder: damage FOLDER.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: damage FOLDER")
	}
	names, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*"))
	ts.Check(err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		ts.Check(err)
		data[len(data)-1] ^= 1
		ts.Check(os.WriteFile(name, data, 0o600))
	}
}
