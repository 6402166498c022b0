// Inspector lets the official inspector of the Model Context Protocol list and call the tools of condense
// mcp.
//
//	go run ./scripts/inspector [-version 0.15.0]
//
// It condenses a fixture with a stash, and starts the server through npx for each request. npx fetches
// the inspector from npm, so this is no part of CI. Without npx, the script says so and ends. The exit
// code is 1 if a result is not the expected one.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	version := flag.String("version", "0.15.0", "version of @modelcontextprotocol/inspector")
	flag.Parse()
	if _, err := exec.LookPath("npx"); err != nil {
		fmt.Println("skipped: npx is not installed")
		return
	}
	if err := inspect(*version); err != nil {
		fmt.Fprintln(os.Stderr, "inspector:", err)
		os.Exit(1)
	}
}

// inspect makes a session with a stash, and checks what the inspector gets.
func inspect(version string) error {
	dir, err := os.MkdirTemp("", "inspector")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, session, stash := filepath.Join(dir, "condense"), filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "stash")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	run := exec.Command(bin, "run", "-q", "--target", "40%", "--stash", stash, "-o", session, "testdata/sessions/claude-code/session.jsonl")
	if out, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	condensed, err := os.ReadFile(session)
	if err != nil {
		return err
	}
	id := regexp.MustCompile(`#(\d{6,9})(?: omitted)?\]`).FindSubmatch(condensed)
	if id == nil {
		return fmt.Errorf("no marker has an id")
	}
	for _, step := range []struct {
		args    []string
		holds   string
		refused bool
	}{
		{[]string{"--method", "tools/list"}, `"expand"`, false},
		{[]string{"--method", "tools/list"}, `"search"`, false},
		{[]string{"--method", "tools/call", "--tool-name", "expand", "--tool-arg", "id=" + string(id[1])}, "message ", false},
		{[]string{"--method", "tools/call", "--tool-name", "search", "--tool-arg", "pattern=func|line"}, "of this session", false},
		{[]string{"--method", "tools/call", "--tool-name", "expand", "--tool-arg", "id=../../etc/passwd"}, "is no id", true},
		{[]string{"--method", "tools/call", "--tool-name", "search", "--tool-arg", `pattern=(a)\1`}, "is not RE2", true},
	} {
		if err := request(version, []string{bin, "mcp", session, "--stash", stash}, step.args, step.holds, step.refused); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(step.args, " "), err)
		}
		fmt.Println("ok", strings.Join(step.args, " "))
	}
	return nil
}

// request sends one request, and checks that the answer holds a text, and whether it is an error.
func request(version string, server, args []string, holds string, refused bool) error {
	c := exec.Command("npx", append(append([]string{"--yes", "@modelcontextprotocol/inspector@" + version, "--cli"}, server...), args...)...)
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, problems.String())
	}
	var answer struct {
		IsError bool `json:"isError"`
	}
	switch err := json.Unmarshal(out.Bytes(), &answer); {
	case err != nil:
		return fmt.Errorf("%w: %s", err, out.String())
	case !strings.Contains(out.String(), holds):
		return fmt.Errorf("the answer does not hold %q: %s", holds, out.String())
	case answer.IsError != refused:
		return fmt.Errorf("isError is %t: %s", answer.IsError, out.String())
	}
	return nil
}
