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
