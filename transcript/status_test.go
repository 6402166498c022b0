package transcript

import "testing"

func TestStatusLine(t *testing.T) {
	for line, want := range map[string]string{
		"Process exited with code 1": "1", "Exit code: 0": "0", "Exit code: -1": "-1", "Wall time: 0.1 seconds": "", "Chunk ID: 4f2a": "",
	} {
		if code, ok := StatusLine(line); !ok || code != want {
			t.Errorf("%q: %q, %t", line, code, ok)
		}
	}
	for _, line := range []string{"", "Output:", "Exit code: one", "a Chunk ID: 4f2a"} {
		if code, ok := StatusLine(line); ok {
			t.Errorf("%q is a status line with code %q", line, code)
		}
	}
}

// TestIsExitCode checks the numbers that can be exit codes, of at most 11 digits.
func TestIsExitCode(t *testing.T) {
	for s, want := range map[string]bool{
		"0": true, "-1": true, "130": true, "12345678901": true, "-12345678901": true,
		"": false, "-": false, "123456789012": false, "1x": false, "+1": false, " 1": false,
	} {
		if got := IsExitCode(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestStatusHead(t *testing.T) {
	const head = "Chunk ID: 4f2a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"
	for text, want := range map[string]int{
		head: len(head), head + "a\n": len(head), "Command: cat <<E\na\nE\n" + head + "a": 21 + len(head),
		"Wall time: 1 seconds\nOutput:": 28, "Wall time: 1 seconds\nOutput: a": 0, "a\n" + head: 0, "": 0,
	} {
		if got := StatusHead(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
