package chronicle

import (
	"slices"
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
		"mise run test 2>&1":                       "mise run test ;",
		"just lint":                                "just lint ;",
		"task list":                                "",
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

// TestPasses checks which outputs of a check state that it passed. Where an output counts tests, the errors that
// they print are none of the check.
func TestPasses(t *testing.T) {
	for output, want := range map[string]bool{
		"all 12 sails are set": true,
		"error: the rope is frayed\n 1309 pass\n 0 fail\nRan 1309 tests across 58 files.": true,
		"[Limiter] Task 2 failed: 84\n 9 pass\n 0 fail":                                   true,
		"error: the rope is frayed\n 1308 pass\n 1 fail":                                  false,
		"(fail) hoists the sails\n 9 pass\n 0 fail":                                       false,
		"--- FAIL: TestSails (0.00s)\n3 passed":                                           false,
		"not ok 3 - ropes\n# pass 2":                                                      false,
		"Test Suites: 1 failed, 2 passed\nTests: 12 passed, 12 total":                     false,
		"ERROR in the hold\nTests run: 5, Failures: 1, Errors: 0":                         false,
		"error: expected\ntest result: FAILED. 2 passed; 1 failed":                        false,
		"error: expected\ntest result: ok. 2 passed; 0 failed":                            true,
		"error: the rope is frayed":                                                       false,
		"error: rope v1.0 failed to hold":                                                 false,
		"12:30:00 error: the rope is frayed":                                              false,
		"0 errors, 3 warnings":                                                            true,
		"3 passed\nERRORS: 2":                                                             false,
		"E   assert sails == 3\n==== 1 failed, 3 passed in 0.12s ====":                    false,
		"ERROR the log of a test\n==== 4 passed in 0.12s ====":                            true,
		"  ✗ hoists the sails\n  failed: see above\n 3 passing":                           false,
	} {
		c := choiceOf(1000, transcripttest.Conversation(transcripttest.User("start"), transcripttest.Model("", transcripttest.Call("1", "Bash", "command=npm test")), transcripttest.Tool("1", output)))
		if got := c.passes(&c.steps[0]); got != want {
			t.Errorf("%q: got %v, want %v", output, got, want)
		}
	}
}

// TestErrorsOfPassedTests checks that the errors that tests print are signals only where a test failed.
func TestErrorsOfPassedTests(t *testing.T) {
	errors := strings.Repeat("[15:44:50.552] the crew says little\n", 20) + "[15:44:50.553] error: Database connection failed\n"
	for counts, want := range map[string]bool{" 1309 pass\n 0 fail\n": false, " 1308 pass\n 1 fail\n": true} {
		c := choiceOf(30, transcripttest.Conversation(transcripttest.User("start"),
			transcripttest.Model("", transcripttest.Call("1", "Bash", "command=npm test")), transcripttest.Tool("1", errors+counts),
			transcripttest.Model("The sails are set."), transcripttest.User("go on")))
		signals := false
		for _, p := range c.texts[c.steps[0].texts[0]].cut.Pieces {
			signals = signals || p.Cue >= 1 && strings.Contains(errors[min(int(p.Start), len(errors)):min(int(p.End), len(errors))], "error: ")
		}
		if signals != want {
			t.Errorf("%q: the error is a signal: %v, want %v", counts, signals, want)
		}
	}
}

// TestErrorsOf checks that the last error of a result comes first, that other errors follow in their order, and that
// a command that tries again counts once.
func TestErrorsOf(t *testing.T) {
	const output = "fetching the tides\nERROR: no answer. Retrying (1/3)\nwaiting\nERROR: no answer. Retrying (2/3)\nwaiting\n" +
		"ERROR: pool 7 is dry\nwaiting\nERROR: pool 9 is dry\nwaiting\nERROR: the tides are not available\nbye\n"
	c := choiceOf(1000, transcripttest.Conversation(round("1", output, "Bash", "command=fetch")...))
	x := &c.texts[len(c.texts)-1]
	var got []string
	for _, i := range c.errorsOf(x) {
		n := int(c.items.at(i).n)
		got = append(got, strings.TrimSpace(x.source(n, n+1)))
	}
	want := []string{"ERROR: the tides are not available", "ERROR: no answer. Retrying (1/3)", "ERROR: pool 7 is dry", "ERROR: pool 9 is dry"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
