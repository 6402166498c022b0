package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestPlacesOf checks how the hits of a search are named.
func TestPlacesOf(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "keel/gate%d.go:%d: open()\n", i, i+1)
	}
	var tests strings.Builder // as many hits as are read
	for i := range mostHits {
		fmt.Fprintf(&tests, "gate_test.go:%d: open()\n", i+1000)
	}
	const fromTests = "gate_test.go:1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, …"
	for output, want := range map[string]string{
		"keel/gate.go:7:open()\nkeel/gate.go:31:\topen()\nmast/tide.go:4:open()\n":   "gate.go:7, 31; tide.go:4",
		"keel/gate_test.go:7:open()\ntide.go:4:open()\ntest_a.py:3:x\nb.spec.ts:1:y": "tide.go:4; gate_test.go:7; test_a.py:3; b.spec.ts:1",
		"keel/gate.go:7:open()\nkeel/gate.go-8-shut()\n--\ntide.go:4:open()":         "gate.go:7; tide.go:4",
		"C:\\keel\\gate.go:7:open()": "gate.go:7",
		"keel/index.ts:7:open()\nmast/index.ts:9:open()\nindex.ts:9:open()\na/tide.ts:4:x": "keel/index.ts:7; mast/index.ts:9; index.ts:9; tide.ts:4",
		"7:open()\n9:open()":          "", // of one file
		"keel/gate.go\nmast/tide.go":  "", // names of files
		"at 12:30:11 the tide rose":   "",
		"12:30:11 the tide rose":      "",
		"gate.go:x:open()\n  a.go:1:": "",
		"":                            "",
		strings.Join(strings.Fields("a.go:1: a.go:22: a.go:333: a.go:4444: a.go:55555: a.go:66666: a.go:77777: a.go:88888: a.go:99999: a.go:10001: a.go:10002: a.go:10003: a.go:10004:"), "\n"): "a.go:1, 22, 333, 4444, 55555, 66666, 77777, 88888, 99999, 10001, 10002, 10003, 10004",
		many.String(): "gate0.go:1; gate1.go:2; gate2.go:3; gate3.go:4; gate4.go:5; gate5.go:6; gate6.go:7, …",
		tests.String() + "gate.go:7: open()\ntide.go:4: open()\n": fromTests,
		strings.Repeat("a.go:1: x\n", 200):                        "a.go:1",
		strings.Repeat("text without\n", 200):                     "",
	} {
		if got := placesOf(output); got != want {
			t.Errorf("%.60q: %q, want %q", output, got, want)
		}
	}
}

// TestPlacesInRecords checks that records of searches, and of no other calls, name the places of the hits.
func TestPlacesInRecords(t *testing.T) {
	output := strings.Repeat("keel/gate.go:7: open(valve, tide, harbour, captain)\n", 8)
	for command, want := range map[string]bool{"rg -n open": true, "grep -rn open . | head": true, "go vet ./...": false} {
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Find it.")},
			round("1", output, "Bash", "command="+command), round("2", "ok", "Bash", "command=make"))...))
		if got := strings.Contains(c.steps[0].entry.outcome, "gate.go:7"); got != want {
			t.Errorf("%s: the outcome is %q", command, c.steps[0].entry.outcome)
		}
	}
}

// TestHitsTest checks which lines are hits in files with tests.
func TestHitsTest(t *testing.T) {
	source := "keel/gate.go:7: open()\nkeel/gate_test.go:9: open()\nkeel/tests/gate.go:9: open()\n"
	x := text{form: result, cut: squeeze.Cut(source, squeeze.Hint{Tool: "Grep"})}
	if x.cut.Kind != squeeze.Search || x.hitsTest(0) || !x.hitsTest(1) || x.hitsTest(2) {
		t.Errorf("%v: %v %v %v", x.cut.Kind, x.hitsTest(0), x.hitsTest(1), x.hitsTest(2))
	}
}
