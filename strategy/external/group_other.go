//go:build !unix

package external

import "os/exec"

// inGroup returns a function that kills a command. Its children are not killed,
// because this system has no process groups.
func inGroup(c *exec.Cmd, _ string) (kill func() error) {
	return func() error { return c.Process.Kill() }
}
