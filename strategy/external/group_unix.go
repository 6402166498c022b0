//go:build unix

package external

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// inGroup puts a command into a process group of its own, and returns a function that
// kills the whole group.
func inGroup(c *exec.Cmd) (kill func() error) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() error {
		err := syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
