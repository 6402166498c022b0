//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inGroup puts a command into a process group of its own. The function that it returns
// kills the rest of the group after the command has ended: tests start processes, and
// a mutant may keep these from ending.
func inGroup(c *exec.Cmd) (kill func()) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {
		if c.Process != nil {
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // mostly there is none left
		}
	}
}
