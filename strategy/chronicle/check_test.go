package chronicle

import (
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

func TestChecksIn(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...":                            "go test ./... ;",
		"cd ship && go test -race ./... | tail":    "go test ./... ;",
		"bun run lint 2>&1 | grep -A3 error":       "bun run lint ;",
		"bun run lint; echo \"Exit: $?\"":          "bun run lint ;",
		"time npx jest --ci sail.test.ts":          "jest sail.test.ts ;",
		"CI=1 timeout 60 npm test":                 "npm test ;",
		"node_modules/.bin/tsc --noEmit":           "tsc ;",
		"npm run build && npm test":                "npm run build ; npm test ;",
		"git commit -m \"make the sails smaller\"": "",
		"cat Makefile":                             "",
		"go run .":                                 "",
		"go mod tidy":                              "",
	} {
		if got := checksIn(command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// TestPassedChecks checks that a record names the last run of a check rather than earlier runs that
// failed, if it passed.
func TestPassedChecks(t *testing.T) {
	var msgs []*transcript.Message
	call := func(id, command, result string) {
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Bash", "command="+command)), transcripttest.Tool(id, result))
	}
	call("1", "npm run lint | grep rope", strings.Repeat("the rope is frayed\n", 20)+"2 errors\n")
	call("2", "npm run lint", "Checked 286 ropes of the ship in 99 milliseconds. None is frayed.")
	call("3", "git commit -m ropes", strings.Repeat("a hook says little\n", 20)+"3 files changed\n")
	for _, id := range []string{"4", "5", "6"} {
		call(id, "cat log"+id+".txt", strings.Repeat("a line of the log that says little\n", 60))
	}
	msgs = append(msgs, transcripttest.Model("The sails are set."), transcripttest.User("go on"))
	alone := false
	for target := 40; target < 90; target++ {
		got := left(t, target, msgs...)
		first, last := strings.Contains(got, "2 errors"), strings.Contains(got, "None is frayed")
		if first && !last {
			t.Errorf("%d tokens: only the run that failed is named:\n%s", target, got)
		}
		alone = alone || last && !first
	}
	if !alone {
		t.Error("the run that passed is never named alone")
	}
}
