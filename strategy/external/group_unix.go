//go:build unix

package external

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// inGroup gives a command a process group of its own, and how to kill all of it.
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
