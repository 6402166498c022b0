//go:build !unix

package main

import "os/exec"

// inGroup does nothing where there are no process groups.
func inGroup(*exec.Cmd) (kill func()) { return func() {} }
