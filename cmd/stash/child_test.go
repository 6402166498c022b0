//go:build unix

package stash

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// roleVariable is the environment variable with the name of a role and its arguments.
const roleVariable = "CONDENSE_STASH_ROLE"

// TestMain runs a role instead of the tests if the environment names one. Some tests need other
// processes: they start the test binary in a role.
func TestMain(m *testing.M) {
	role, args, _ := strings.Cut(os.Getenv(roleVariable), "\x1f")
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles()[role](strings.Split(args, "\x1f")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(role string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", roleVariable+"="+role+"\x1f"+strings.Join(args, "\x1f"))
	return cmd
}

// roles returns the functions of child processes by role. Their first argument is the directory.
func roles() map[string]func(args []string) error {
	return map[string]func(args []string) error{
		"put":  func(args []string) error { return putKilled(args[0], args[1]) },
		"fill": func(args []string) error { return fill(args[0]) },
		"loop": putForever,
	}
}

// putKilled puts the first run, and kills the process at a step.
func putKilled(dir, when string) error {
	s := &Store{Dir: dir, fault: func(step string) error {
		if step == when {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}}
	_, err := s.Put(context.Background(), chain(0))
	return err
}

// runs is the number of runs from the first file of the chain to the last.
const runs = 12

// version returns file i of the chain. Each file is a part of the one before.
func version(i int) []byte {
	var b strings.Builder
	for line := range 400 {
		if line%(runs+1) >= i {
			fmt.Fprintf(&b, "line %d of a session, %d bytes into the file, and some digits of it: %x\n", line, b.Len(), line*line*7919)
		}
	}
	return []byte(b.String())
}

// chain returns the run with version i as input and version i+1 as output.
func chain(i int) Run {
	return Run{
		File: "session.jsonl", Format: "test", How: "a run", In: version(i), Out: version(i + 1),
		Edits: []Edit{{Conversation: 1, Message: 1, Op: "rewrite", Text: fmt.Sprint("line ", i)}},
	}
}

// fill puts all runs of the chain.
func fill(dir string) error {
	s := &Store{Dir: dir}
	for i := range runs {
		if _, err := s.Put(context.Background(), chain(i)); err != nil {
			return err
		}
	}
	return nil
}

// putForever puts the chain, removes entries, and puts it again.
func putForever(args []string) error {
	for first := true; ; first = false {
		if err := fill(args[0]); err != nil {
			return err
		}
		if first {
			fmt.Println("ready")
		}
		names, err := filepath.Glob(filepath.Join(args[0], "*"+suffix))
		if err != nil {
			return err
		}
		for _, name := range names {
			os.Remove(name)
		}
	}
}
