package main

import (
	"fmt"
	"strings"
	"testing"
)

// line returns an event as go test -json prints it.
func line(action, test, output string) string {
	return fmt.Sprintf(`{"Action":%q,"Package":"p","Test":%q,"Output":%q}`+"\n", action, test, output)
}

// skipping returns the events of a test that is skipped for a reason.
func skipping(test, reason string) string {
	return line("output", test, "    a_test.go:12: "+reason+"\n") + line("skip", test, "")
}

func TestReport(t *testing.T) {
	for name, tt := range map[string]struct {
		in     string
		passes bool
		want   string
	}{
		"passed":           {line("output", "TestA", "noise\n") + line("pass", "TestA", "") + line("output", "", "ok  \tp\t0.1s\n") + line("pass", "", ""), true, "ok  \tp\t0.1s\n0 tests were skipped\n"},
		"failed":           {line("output", "TestA", "want 1\n") + line("fail", "TestA", ""), false, "want 1\n0 tests were skipped\n"},
		"does not build":   {`{"Action":"build-output","ImportPath":"p","Output":"no package\n"}` + "\n" + `{"Action":"build-fail","ImportPath":"p"}` + "\n", false, "no package\n0 tests were skipped\n"},
		"cannot run":       {skipping("TestA", "no condense-needs-this here"), true, "1 tests were skipped\n  1: no condense-needs-this here (p.TestA)\n"},
		"could run":        {skipping("TestA", "no go here"), false, "; this machine could run them"},
		"several seconds":  {skipping("TestA", "several seconds"), false, "; this machine could run them"},
		"found by trying":  {skipping("TestA", "needs root, to change the owner of a file"), true, "(p.TestA)\n"},
		"no reason":        {line("skip", "TestA", ""), false, "; this machine could run them"},
		"input of a fuzz":  {line("skip", "FuzzA/seed", ""), true, "(p.FuzzA/seed)\n"},
		"package is empty": {line("skip", "", ""), true, "0 tests were skipped\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			sum, err := read(strings.NewReader(tt.in), &out)
			if err != nil {
				t.Fatal(err)
			}
			if passes := sum.report(&out); passes != tt.passes || !strings.Contains(out.String(), tt.want) {
				t.Errorf("passes: %t, want %t; printed:\n%s\nwant:\n%s", passes, tt.passes, out.String(), tt.want)
			}
		})
	}
	if _, err := read(strings.NewReader("ok p 0.1s\n"), &strings.Builder{}); err == nil {
		t.Error("a line that is no event is accepted")
	}
}
