//go:build unix

package external

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// inGroup puts a command into a process group of its own, and returns a function that
// kills the whole group. The function also kills the children that left the group, as
// far as the system shows the variables of processes: they have inherited mark, which
// is NAME=VALUE.
func inGroup(c *exec.Cmd, mark string) (kill func() error) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Env = append(c.Env, mark)
	return func() error {
		err := syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		for range maxGenerations {
			if killMarked(mark) == 0 {
				break
			}
		}
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// maxGenerations limits how often the list of processes is read: a process may start
// another before it is killed.
const maxGenerations = 10

// killMarked kills the processes whose variables have mark, and returns their number. It
// is 0 where there is no /proc.
func killMarked(mark string) (n int) {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return 0
	}
	for _, file := range files {
		variables, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, variables...), []byte("\x00"+mark+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}
