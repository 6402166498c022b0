//go:build unix

package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// roleVariable is the environment variable with the name of a role and its arguments.
const roleVariable = "CONDENSE_SOURCE_ROLE"

// TestMain runs a role instead of the tests if the environment names one. Some tests need another
// process, to kill it or to remove its rights: they start the test binary in a role.
func TestMain(m *testing.M) {
	role, args, _ := strings.Cut(os.Getenv(roleVariable), "\x1f")
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles()[role](strings.Split(args, "\x1f")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitCode(err))
	}
}

// child returns a command that runs this test binary in a role.
func child(role string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", roleVariable+"="+role+"\x1f"+strings.Join(args, "\x1f"))
	return cmd
}

// version returns one of the two contents with which the killed processes replace each other.
func version(i int) string { return strings.Repeat("AB"[i%2:i%2+1], 200_000) }

// roles returns the functions of child processes by role.
func roles() map[string]func(args []string) error {
	return map[string]func(args []string) error{
		"loop":    replaceForever,
		"replace": func(args []string) error { return replaceOnce(args[0], killAt(args[1])) },
		"create": func(args []string) error {
			return Create(context.Background(), args[0], CreateOptions{fault: killAt(args[1])}, text(version(1)))
		},
		"interrupted": replaceSlowly,
		"limited":     replaceLimited,
		"nobody":      replaceAsNobody,
		"stream":      streamAsNobody,
		"flush":       flushAsNobody,
	}
}

func replaceOnce(path string, fault func(string) error) error {
	in, err := Open(context.Background(), path, 0)
	if err != nil {
		return err
	}
	next := version(0)
	if string(in.Data) == next {
		next = version(1)
	}
	_, err = in.Replace(context.Background(), text(next), ReplaceOptions{Backup: ".bak", fault: fault})
	return err
}

// killAt returns a fault function that kills the process at a step.
func killAt(when string) func(string) error {
	return func(step string) error {
		if step == when {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
}

func replaceForever(args []string) error {
	for i := 0; ; i++ {
		if err := replaceOnce(args[0], nil); err != nil {
			return err
		}
		os.Remove(args[0] + ".bak")
		if i == 0 {
			fmt.Println("ready")
		}
	}
}

// replaceSlowly writes until it is interrupted, for at most two seconds.
func replaceSlowly(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	in, err := Open(ctx, args[0], 0)
	if err != nil {
		return err
	}
	_, err = in.Replace(ctx, func(w io.Writer) error {
		fmt.Println("ready")
		for range 1000 {
			if err := text(version(1))(w); err != nil {
				return err
			}
			time.Sleep(time.Millisecond)
		}
		return errors.New("not interrupted")
	}, ReplaceOptions{})
	return err
}

// replaceLimited replaces a file in a process that may not write files of more than 100,000 bytes.
func replaceLimited(args []string) error {
	limit := syscall.Rlimit{Cur: 100_000, Max: 100_000}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	return replaceOnce(args[0], nil)
}

// second is a group of the user as which replaceAsNobody runs, beside nobody.
const second = 65533

// becomeNobody drops all rights of root.
func becomeNobody() error {
	const nobody = 65534
	return errors.Join(syscall.Setgroups([]int{second}), syscall.Setgid(nobody), syscall.Setuid(nobody))
}

// streamAsNobody opens a file that is read incrementally, without the rights of root.
func streamAsNobody(args []string) error {
	if err := becomeNobody(); err != nil {
		return err
	}
	_, stream, err := OpenStream(args[0], nil)
	if err == nil {
		err = stream.Close()
	}
	return err
}

// flushAsNobody flushes files to the disk, without the rights of root.
func flushAsNobody(args []string) error {
	if err := becomeNobody(); err != nil {
		return err
	}
	return flush(args)
}

// replaceAsNobody drops all rights of root, and then opens and replaces a file. With the argument
// late, it appends to the file through an inherited descriptor just before the rename.
func replaceAsNobody(args []string) error {
	if err := becomeNobody(); err != nil {
		return err
	}
	ctx := context.Background()
	in, err := Open(ctx, args[0], 0)
	if err != nil {
		return err
	}
	_, err = in.Replace(ctx, text("new"), ReplaceOptions{Backup: ".bak", fault: func(step string) error {
		if step == "rename" && args[1] == "late" {
			_, err := os.NewFile(3, "the original").WriteString("+late")
			return err
		}
		return nil
	}})
	return err
}
