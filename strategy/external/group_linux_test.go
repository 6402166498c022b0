package external

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestSessions checks that children with a session of their own, which leave the group of the program,
// end with it, too. A child keeps a FIFO open, which has an end when no process writes to it.
func TestSessions(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid")
	}
	const holds = `exec 9>"$1"; : >"$1.ready"; sleep 3600`
	for name, script := range map[string]string{
		"child":      `setsid sh -c '` + holds + `' sh "$0" & wait`,
		"grandchild": `(setsid -f sh -c '` + holds + `' sh "$0" >/dev/null 2>&1 </dev/null); sleep 3600`,
		"failure": `setsid -f sh -c '` + holds + `' sh "$0" >/dev/null 2>&1 </dev/null
			until [ -e "$0.ready" ]; do sleep 0.01; done; exit 3`,
	} {
		t.Run(name, func(t *testing.T) {
			fifo := filepath.Join(t.TempDir(), "fifo")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := Program{[]string{"sh", "-c", script, fifo}}
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx, nil, nil, &Options{Timeout: time.Minute, Env: os.Environ()}) }()
			child, err := os.Open(fifo) // waits for a process that writes
			if err != nil {
				t.Fatal(err)
			}
			defer child.Close()
			if name != "failure" {
				cancel()
			}
			if err := <-ended; err == nil {
				t.Fatal("no error")
			}
			if err := child.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, child); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the child is still alive")
			}
		})
	}
}

// TestKillMarked checks that only processes with exactly the mark are killed, and that a group that is gone
// counts as ended.
func TestKillMarked(t *testing.T) {
	const mark = "CONDENSE_TEST_MARK=1"
	running := map[string]*exec.Cmd{}
	for _, variable := range []string{mark, "X" + mark, mark + "2"} {
		c := exec.Command("sleep", "60")
		c.Env = []string{"A=1", variable, "B=2"}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running[variable] = c
	}
	for n := 0; n == 0; n = killMarked(mark) { // the child may not be there yet
		time.Sleep(10 * time.Millisecond)
	}
	if err := running[mark].Wait(); err == nil {
		t.Error("the marked process ended by itself")
	}
	if n := killMarked(mark); n != 0 {
		t.Errorf("%d further processes were killed", n)
	}
	for variable, c := range running {
		if variable == mark {
			continue
		}
		if err := c.Process.Kill(); err != nil {
			t.Errorf("the process with %s had ended: %v", variable, err)
		}
		_ = c.Wait() // it was killed
	}
}
