//go:build !unix

package external

import "os/exec"

// inGroup gives how to kill a command. What it started itself is not killed along:
// this system has no process groups.
func inGroup(c *exec.Cmd) (kill func() error) {
	return func() error { return c.Process.Kill() }
}
