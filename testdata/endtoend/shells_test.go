package endtoend

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// shell describes a shell with completion.
type shell struct {
	name string
	args []string // arguments; they keep the shell from reading the user's files
	load string   // commands that enable completion
}

// completing lists the shells to test.
var completing = []shell{
	{"bash", []string{"--noprofile", "--norc", "-i"}, "source /usr/share/bash-completion/bash_completion; source <(condense completion bash)"},
	{"zsh", []string{"-f", "-i"}, "condense completion zsh > ~/_condense; fpath=(~ $fpath); autoload -U compinit; compinit -D -u"},
	{"fish", []string{"--no-config", "-i"}, "condense completion fish | source"},
}

// TestShellsComplete types the beginning of a command, a tab and a return into each shell on a
// terminal, and compares the arguments that the command gets.
func TestShellsComplete(t *testing.T) {
	cases := []struct{ typed, want string }{
		{"strateg", "strategies"},
		{"completion power", "completion powershell"},
		{"run --keep-ro", "run --keep-rounds"},
		{"run --strategy sm", "run --strategy smart-compress"},
		{"run --strategy=sm", "run --strategy=smart-compress"},
		{"run -s dedupe,trun", "run -s dedupe,truncate"},
		{"run --format claude-c", "run --format claude-code"},
		{"tokens --model gpt-4o-", "tokens --model gpt-4o-mini"},
		{"run --thinking drop-", "run --thinking drop-old"},
		{"check --valid=anthro", "check --valid=anthropic"},
		{"run --output sessions/lo", "run --output sessions/long.json"},
		{"run --stash sess", "run --stash sessions"}, // zsh removes the slash
		{"run sessions/lo", "run sessions/long.json"},
		{"run -w sessions/wit", "run -w sessions/with a space.json"},
	}
	for _, s := range completing {
		t.Run(s.name, func(t *testing.T) {
			if _, err := exec.LookPath(s.name); err != nil {
				t.Skip("no " + s.name + " here")
			}
			if _, err := os.Stat("/usr/share/bash-completion/bash_completion"); err != nil && s.name == "bash" {
				t.Skip("no bash-completion here")
			}
			at := startShell(t, s)
			for _, c := range cases {
				if got := strings.TrimSuffix(at.given(c.typed), "/"); got != c.want {
					t.Errorf("%s and a tab: the command gets %q, want %q", c.typed, got, c.want)
				}
			}
		})
	}
}

// terminal is a terminal with a shell, in a folder of sessions. Its condense writes its arguments
// to a file.
type terminal struct {
	t      *testing.T
	keys   *os.File         // for typing
	answer string           // file for the arguments of condense
	shown  *strings.Builder // all that the terminal shows
}

// startShell starts a shell and enables completion in it.
func startShell(t *testing.T, s shell) *terminal {
	t.Helper()
	program, err := exec.LookPath("condense")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	at := &terminal{t: t, answer: filepath.Join(t.TempDir(), "answer")}
	script := "#!/bin/sh\n" +
		"case \"$1 $2\" in __complete*|'completion " + s.name + "') exec " + program + " \"$@\";; esac\n" +
		"echo \"$*\" > " + at.answer + ".new && mv " + at.answer + ".new " + at.answer + "\n"
	if err := os.WriteFile(filepath.Join(bin, "condense"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(s.name, s.args...)
	c.Dir = folder(t, map[string]string{"sessions/long.json": longChat, "sessions/with a space.json": shortChat, "package.json": "{}"})
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "TERM=xterm", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "PS1=> ")
	if at.keys, err = pty.StartWithSize(c, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	at.shown = new(strings.Builder)
	read := make(chan struct{})
	go func() {
		io.Copy(at.shown, at.keys) // ends with an error when the shell ends
		close(read)
	}()
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		at.keys.Close()
		<-read
		if t.Failed() {
			t.Logf("on the terminal: %q", at.shown)
		}
	})
	if got := at.typed(s.load + "\rcondense ready\r"); got != "ready" {
		t.Fatalf("the shell does not start: %q", got)
	}
	return at
}

// given returns the arguments of condense after a line is completed at its end.
func (at *terminal) given(line string) string { return at.typed("condense " + line + "\t\r") }

// typed types keys and returns the arguments of condense, "" if it is not run within a minute.
func (at *terminal) typed(keys string) string {
	at.t.Helper()
	os.Remove(at.answer)
	if _, err := at.keys.WriteString(keys); err != nil {
		at.t.Fatal(err)
	}
	for range 1200 {
		if text, err := os.ReadFile(at.answer); err == nil {
			return strings.TrimSpace(string(text))
		}
		time.Sleep(50 * time.Millisecond)
	}
	return ""
}
