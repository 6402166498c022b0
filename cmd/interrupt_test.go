//go:build unix

package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program returns a command that runs this test binary as condense. TestMain decides by
// the name of the program.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "condense")
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "CONDENSE_TOKENIZER=bytes4")
	return c
}

// fixture returns a session to condense.
func fixture(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestKill kills runs that replace a file in place. The file must be the complete old or
// new one, and later runs must work.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills fifty processes")
	}
	old := fixture(t)
	path := filepath.Join(t.TempDir(), "session.jsonl")
	write := func() {
		if err := os.WriteFile(path, old, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	whole := time.Hour // duration of the shortest of a few undisturbed runs
	for range 5 {
		write()
		c := program(t, "run", "-q", "--in-place=", path)
		start := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		whole = min(whole, time.Since(start))
	}
	condensed, err := os.ReadFile(path)
	if err != nil || bytes.Equal(condensed, old) {
		t.Fatal("nothing was condensed", err)
	}
	const kills = 50
	killed := 0
	for i := range kills {
		write()
		c := program(t, "run", "-q", "--in-place=", path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(i) / kills)
		_ = c.Process.Kill() // it may have ended already
		if c.Wait() != nil {
			killed++
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, old) && !bytes.Equal(got, condensed) {
			t.Fatalf("kill %d left a file of %d bytes, neither the old nor the new one", i, len(got))
		}
	}
	t.Logf("%d of %d runs were killed before they ended", killed, kills)
	write()
	if out, err := program(t, "run", "-q", "--in-place=", path).CombinedOutput(); err != nil {
		t.Fatalf("after the kills: %v\n%s", err, out)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestInterrupt interrupts a run that waits for input. It must exit with 130, print one
// line and leave no file behind.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	c := program(t, "run", "-o", filepath.Join(dir, "out.json"), "-")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, `[{"role":"user",`); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // until it reads
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err = c.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("ended with %v, want exit code 130", err)
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "interrupted") {
		t.Errorf("printed %q, want one line", got)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestInterruptProgram interrupts a run that waits for another program. It must exit with
// 130, kill that program and leave the file unchanged.
func TestInterruptProgram(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	dir := t.TempDir()
	path, alive := filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "alive")
	if err := os.WriteFile(path, fixture(t), 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "wait.sh")
	if err := os.WriteFile(script, []byte("echo $$ > '"+alive+"'; sleep 1000; true"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := program(t, "run", "-q", "--in-place=", "-s", "exec:sh '"+script+"'", path)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for pid == 0 { // the test's own timeout ends this
		text, _ := os.ReadFile(alive)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("ended with %v, want exit code 130", err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, fixture(t)) {
		t.Errorf("the file has changed: %v", err)
	}
	if err := syscall.Kill(-pid, 0); !errors.Is(err, syscall.ESRCH) {
		// Killed children of a killed shell may be zombies until another process inherits them.
		if state, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); len(state) > 0 && !strings.Contains(string(state), ") Z ") {
			t.Errorf("the program still runs: %v", err)
		}
	}
}

// TestFullDisk writes to a device that is always full, with every kind of output.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	c := program(t, "run", "-q", "../testdata/sessions/openai/array.json")
	c.Stdout = full
	var stderr bytes.Buffer
	c.Stderr = &stderr
	err = c.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 5 || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("ended with %v and %q, want exit code 5 and the reason", err, stderr.String())
	}
}
