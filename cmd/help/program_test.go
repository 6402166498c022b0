package help_test

import (
	"bytes"
	"flag"
	"regexp"
	"strings"
	"testing"

	"condense/cmd"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// titled matches the title of a group, and flagged the names of a flag with the placeholder for its value.
var (
	titled  = regexp.MustCompile(`^(\w.*):$`)
	flagged = regexp.MustCompile(`^  (?:-\w, |    )--(.+?)(?:  .*)?$`)
)

// flagsOf returns the flags that the help of a command lists, a line for each group, and its closing line.
func flagsOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cmd.Main(args, strings.NewReader(""), &out, &errs, func(string) string { return "" }); code != 0 {
		t.Fatalf("%v: exit code %d, %s", args, code, errs.String())
	}
	var b strings.Builder
	text, title := out.String(), ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := titled.FindStringSubmatch(line); m != nil {
			title = m[1]
		} else if m := flagged.FindStringSubmatch(line); m != nil {
			if title != "" {
				b.WriteString("\n  " + title + ":")
				title = ""
			}
			b.WriteString(" " + m[1] + ";")
		}
	}
	if closing := text[strings.LastIndex(text, "\n\n")+2:]; !strings.Contains(closing, "\n  ") {
		b.WriteString("\n  " + strings.Join(strings.Fields(closing), " "))
	}
	return b.String() + "\n"
}

// TestFlags compares the flags that the help of each command with many flags lists, in short and in full, with
// testdata/flags.txt: their groups, their order and the names of their values.
func TestFlags(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"run", "batch", "filter", "check", "compare", "view", "rescue", "explain", "stats", "repair"} {
		for _, form := range []string{"-h", "--help"} {
			b.WriteString(name + " " + form + flagsOf(t, name, form) + "\n")
		}
	}
	transcripttest.FrozenText(t, "testdata/flags.txt", *update, b.String())
}
