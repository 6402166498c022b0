package cmd_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// offline runs the program in a network namespace of its own, and returns the counters of the network
// that it used: connections, packets and lookups without a route. It skips the test where there are no
// such namespaces.
func offline(t *testing.T, args ...string) (used []string) {
	t.Helper()
	c := program(t, args...)
	// The shell writes the counters of the namespace after the program has ended.
	counters := filepath.Join(t.TempDir(), "snmp")
	shell := exec.Command("sh", append([]string{"-c", `out=$1; shift; "$@" >/dev/null 2>&1; cat /proc/net/snmp /proc/net/snmp6 >"$out"`, "sh", counters, c.Path}, c.Args[1:]...)...)
	shell.Env, shell.Dir = c.Env, c.Dir
	shell.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if err := shell.Run(); err != nil {
		t.Skipf("no network namespace can be made: %v", err)
	}
	data, err := os.ReadFile(counters)
	if err != nil {
		t.Fatal(err)
	}
	return countedIn(data)
}

// countedIn returns the counters above 0 of outgoing packets and connections in /proc/net/snmp and
// snmp6.
func countedIn(data []byte) (used []string) {
	var names []string
	for line := range bytes.Lines(data) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 2 && strings.HasPrefix(fields[0], "Ip6Out"), len(fields) == 2 && strings.HasPrefix(fields[0], "Udp6Out"):
			names = []string{"", fields[0]}
			fields = []string{"", fields[1]}
		case len(names) == 0 || names[0] != fields[0]: // the line with the names
			names = fields
			continue
		}
		for i, n := range fields[1:] {
			if name := names[i+1]; n != "0" && (strings.Contains(name, "Out") || name == "ActiveOpens" || name == "AttemptFails") {
				used = append(used, names[0]+name+"="+n)
			}
		}
		names = nil
	}
	return used
}

// TestOffline checks that nothing connects to a network, or tries to, unless --llm is given.
func TestOffline(t *testing.T) {
	session, err := filepath.Abs("../testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if used := offline(t, "run", "-n", "-s", "summarize", "--llm", "--llm-model", "m", "--base-url", "https://192.0.2.1/v1", "--retries", "0", session); len(used) > 0 {
		t.Errorf("a dry run used the network: %v", used)
	}
	if used := offline(t, "run", "-o", filepath.Join(dir, "asked"), "-s", "summarize", "--llm", "--llm-model", "m", "--base-url", "https://192.0.2.1/v1", "--retries", "0", session); len(used) == 0 {
		t.Fatal("with --llm, no counter of the network shows that a model was asked: the test proves nothing")
	}
	for _, args := range [][]string{
		{"run", "-o", filepath.Join(dir, "hybrid"), session},
		{"run", "-o", filepath.Join(dir, "summarize"), "-s", "summarize", session},
		{"run", "-o", filepath.Join(dir, "model"), "--model", "claude-sonnet-4-5", session},
		{"batch", "--out-dir", filepath.Join(dir, "many"), session},
		{"filter", session},
		{"validate", session},
		{"tokens", session},
		{"stats", session},
		{"compare", session},
		{"diff", session, filepath.Join(dir, "hybrid")},
		{"models"},
		{"version"},
	} {
		if used := offline(t, args...); len(used) > 0 {
			t.Errorf("condense %s used the network: %v", strings.Join(args, " "), used)
		}
	}
}
