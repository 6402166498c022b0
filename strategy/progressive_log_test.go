package strategy

import (
	"fmt"
	"strings"
	"testing"
)

// TestLogCases tests the RT cases of .github/CONFORMANCE.md. There, repeated lines are
// removed without a marker. Here a marker has their number, and they stay if the marker
// is no shorter.
func TestLogCases(t *testing.T) {
	warning := "warning: this feature is deprecated and will be removed"
	info := func(n int) string { return strings.Repeat("Info: all is as it should be with this part\n", n) }
	tests := []struct {
		name, text, want string
		max              int
	}{
		{"RT1", "\x1b[31mred\x1b[0m \x1b]0;title\x07text\x1b[2K", "red text", 48},
		{"RT2", warning + "\n" + warning + "\nother\n" + warning, warning + "\n[the same line 1 more time omitted]\nother\n" + warning, 48},
		{"RT2, short lines stay", "a\na\nb", "a\na\nb", 48},
		{"RT2, braces and rules stay", "}\n}\n" + strings.Repeat("=", 80) + "\n" + strings.Repeat("=", 80), "}\n}\n" + strings.Repeat("=", 80) + "\n" + strings.Repeat("=", 80), 48},
		{"RT2, other indentation is another line", "  " + warning + "\n" + warning, "  " + warning + "\n" + warning, 48},
		{"RT3", progress(1, 4) + "done", "progress: 1 of 100 files were read\n[2 similar lines omitted]\nprogress: 4 of 100 files were read\ndone", 48},
		{"RT3, blank lines between", strings.ReplaceAll(progress(1, 3), "\n", "\n\n") + "x", "progress: 1 of 100 files were read\n[1 similar line omitted]\nprogress: 3 of 100 files were read\n\nx", 48},
		{"RT3, two lines stay", progress(1, 2) + "done", progress(1, 2) + "done", 48},
		{"RT3, equal lines without numbers stay", "one word here\none word here\nanother", "one word here\none word here\nanother", 48},
		{"RT4", "first\nsecond\n" + info(1) + "FAIL: TestA\n" + "Info: it goes on\nError: no such file\n" + "Info: nearly there\nlast but one\nlast",
			"first\nsecond\n[3 lines between omitted]\nFAIL: TestA\nError: no such file\nlast but one\nlast", 4},
		{"RT4, words of failure", "first\nsecond\n" + info(1) + "Traceback (most recent call last):\nmake: go: command not found\nexit code 127\n✖ 1 problem\n" + info(1) + "last but one\nlast",
			"first\nsecond\n[2 lines between omitted]\nTraceback (most recent call last):\nmake: go: command not found\nexit code 127\n✖ 1 problem\nlast but one\nlast", 4},
		{"RT4, names and counts of zero are no failures", "first\nsecond\nok src/errors.go\n0 errors, 0 failures\ntests/test_fail.py::test_a PASSED\nlast but one\nlast",
			"first\nsecond\n[3 lines between omitted]\nlast but one\nlast", 4},
		{"RT4, a marker would be longer", "a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\nf", 4},
		{"exactly max lines", "a\nb\nc\nd", "a\nb\nc\nd", 4},
		{"JSON is no log", "{\n" + warning + "\n" + warning + "\n}", "{\n" + warning + "\n" + warning + "\n}", 48},
		{"empty", "", "", 48},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := cleanLog(tt.text, tt.max)
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if again := cleanLog(got, tt.max); again != got {
				t.Errorf("a second call changes the text:\n%s", again)
			}
		})
	}
}

// progress returns the lines of a progress report, from one number to another.
func progress(from, to int) string {
	var s strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&s, "progress: %d of 100 files were read\n", i)
	}
	return s.String()
}

// TestFilesStay checks that similar lines of files are not collapsed, whichever tool
// prints the file.
func TestFilesStay(t *testing.T) {
	source := progress(1, 147) + strings.Repeat("\t\treturn errNotFound // as everywhere\n", 3)
	for _, c := range [][2]string{{"Read", "path=a.go"}, {"Bash", "command=cat a.go"}} {
		in := inputFor(conv(round("1", c[0], c[1], source)...), Options{Window: 1, ProgressiveOptions: ProgressiveOptions{L1: 0.4}}, 0)
		if edits := propose(t, Progressive.Layers[0], in); edits != nil {
			t.Errorf("%s: %q", c, showEdits(edits))
		}
	}
	in := inputFor(conv(round("1", "Bash", "command=make", source)...), Options{Window: 1, ProgressiveOptions: ProgressiveOptions{L1: 0.4}}, 0)
	wantEdits(t, propose(t, Progressive.Layers[0], in),
		"1.0 progress: 1 of 100 files were read\n[145 similar lines omitted]\nprogress: 147 of 100 files were read\n"+
			"\t\treturn errNotFound // as everywhere\n[the same line 2 more times omitted]\n")
}
