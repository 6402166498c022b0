package cmd_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"condense/cmd/terminaltest"
)

// onTerminal starts condense on a pseudo-terminal, with a home folder that has sessions, and writes
// standard output to a file. env has more variables.
func onTerminal(t *testing.T, home string, env []string, args ...string) (tty *terminaltest.Terminal, c *exec.Cmd, out string) {
	t.Helper()
	tty = terminaltest.New(t, 100, 24)
	out = filepath.Join(t.TempDir(), "out")
	stdout, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	self := filepath.Join(t.TempDir(), "condense")
	exe, err := os.Executable()
	if err == nil {
		err = os.Symlink(exe, self)
	}
	if err != nil {
		t.Fatal(err)
	}
	c = exec.Command(self, args...)
	c.Dir = home
	c.Env = append([]string{"HOME=" + home, "TERM=xterm", "PATH=" + os.Getenv("PATH")}, env...)
	for _, name := range []string{"MUTATE", "MUTATE_RECORD"} { // so that a fault of scripts/mutate is in this process, too
		if value := os.Getenv(name); value != "" {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	c.Stdin, c.Stdout, c.Stderr = tty.Program, stdout, tty.Program
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return tty, c, out
}

// pickHome returns a home folder with two sessions: the fixture of Claude Code, and a newer, short one
// whose texts could act on a terminal.
func pickHome(t *testing.T) (home, fixture string) {
	t.Helper()
	home = t.TempDir()
	dir := filepath.Join(home, ".claude/projects/p")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	fixture = filepath.Join(dir, "cb8c670b-8787-451e-b35f-93b46456f252.jsonl")
	newer := filepath.Join(dir, "aaaabbbb.jsonl")
	hostile := `{"type":"user","cwd":"/w","sessionId":"aaaabbbb","uuid":"u","parentUuid":null,"message":{"role":"user","content":"\u001b]0;evil\u0007 wipe"}}` + "\n"
	for path, content := range map[string][]byte{fixture: data, newer: []byte(hostile)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(fixture, old, old); err != nil {
		t.Fatal(err)
	}
	return home, fixture
}

// TestPick picks a session by arrow keys and by words, sees what a run would leave, and takes it.
func TestPick(t *testing.T) {
	home, fixture := pickHome(t)
	for _, keys := range []string{"\x1b[B", "cb8c"} {
		tty, c, out := onTerminal(t, home, nil, "run", "--tool", "claude-code")
		tty.Await(t, "Session: ▏ 2 of 2")
		tty.Await(t, `\x1b]0;evil\x07 wipe`)
		tty.Await(t, "esc: leave")
		tty.Type(t, keys)
		tty.Await(t, "hybrid: ")
		tty.Type(t, "\r")
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, tty.Text())
		}
		tty.Await(t, fixture)
		before, _ := os.Stat(fixture)
		if after, err := os.Stat(out); err != nil || after.Size() == 0 || after.Size() > before.Size()*3/4 {
			t.Errorf("%q: the output has %v", keys, after.Size())
		}
		if text := tty.Text(); strings.Contains(text, "\x1b]0;") {
			t.Errorf("the terminal got %q", text)
		}
	}
}

// TestPickSettings checks that settings for the picked file affect the command.
func TestPickSettings(t *testing.T) {
	home, _ := pickHome(t)
	settings := "files:\n  \"**/cb8c*.jsonl\":\n    format: nonsense\n"
	if err := os.WriteFile(filepath.Join(home, "condense.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	tty, c, _ := onTerminal(t, home, nil, "run", "--tool", "claude-code")
	tty.Await(t, "2 of 2")
	tty.Type(t, "cb8c")
	tty.Await(t, "no preview: condense.yaml")
	tty.Type(t, "\r")
	tty.Await(t, "nonsense")
	if c.Wait(); c.ProcessState.ExitCode() == 0 {
		t.Error("the settings have no effect")
	}
}

// TestPickUndo picks the file that is put back from those that runs have replaced.
func TestPickUndo(t *testing.T) {
	home, fixture := pickHome(t)
	before, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	_, c, _ := onTerminal(t, home, nil, "run", "-q", "-w", "cb8c670b")
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	tty, c, _ := onTerminal(t, home, nil, "undo")
	tty.Await(t, "Undo: ▏ 1 of 1")
	tty.Await(t, "93b46456f252.jsonl")
	tty.Await(t, ".claude/projects/p/cb8c670b")
	tty.Type(t, "\r")
	tty.Await(t, "as before hybrid")
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(fixture); err != nil || !bytes.Equal(after, before) {
		t.Errorf("%v: the file has %d bytes, before the run %d", err, len(after), len(before))
	}
}

// TestPickLeaves leaves the picker, and is asked nothing where no person can answer.
func TestPickLeaves(t *testing.T) {
	home, _ := pickHome(t)
	for _, keys := range []string{"\x1b", "\x03"} {
		tty, c, _ := onTerminal(t, home, nil, "stats")
		tty.Await(t, "2 of 2")
		tty.Await(t, "esc: leave")
		tty.Type(t, keys)
		tty.Await(t, "no PATH is named")
		if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != 2 {
			t.Errorf("%q: %v", keys, err)
		}
	}
	_, c, _ := onTerminal(t, home, nil, "run", "-q", "-w", "cb8c670b")
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	tty, c, _ := onTerminal(t, home, nil, "undo")
	tty.Await(t, "Undo: ▏ 1 of 1")
	tty.Type(t, "\x1b")
	tty.Await(t, "undo takes [FILE…], and was given nothing")
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != 2 {
		t.Errorf("undo: %v", err)
	}
	for _, env := range []string{"CI=true", "TERM=dumb", "HOME=/nowhere"} {
		tty, c, _ := onTerminal(t, home, []string{env}, "run")
		tty.Await(t, "no FILE is named, and standard input is a terminal")
		if c.Wait(); c.ProcessState.ExitCode() != 2 {
			t.Errorf("%s: exit code %d", env, c.ProcessState.ExitCode())
		}
	}
}

// TestCompressedToTerminal checks that compressed bytes are not written to a terminal, and that the message
// says what to do instead.
func TestCompressedToTerminal(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(`{"messages": [{"role": "user", "content": "Say hello."}]}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.jsonl.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"run", "filter", "repair"} {
		tty := terminaltest.New(t, 100, 24)
		c := program(t, command, path)
		var printed bytes.Buffer
		c.Stdout, c.Stderr = tty.Program, &printed
		if err := c.Run(); err == nil || c.ProcessState.ExitCode() != 2 ||
			!strings.Contains(printed.String(), "compressed") || !strings.Contains(printed.String(), "and standard output is a terminal\n") || !strings.Contains(printed.String(), "-o FILE") {
			t.Errorf("%s: %v: %s", command, err, printed.String())
		}
		if c = program(t, command, "-q", path); c.Run() != nil {
			t.Errorf("%s: to a pipe, exit code %d", command, c.ProcessState.ExitCode())
		}
	}
}
