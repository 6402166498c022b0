package squeeze

import "testing"

func TestJudge(t *testing.T) {
	tests := []struct {
		line string
		want role
		cue  float32
	}{
		{"--- FAIL: TestX (0.00s)", failLine, message},
		{"\x1b[31m--- FAIL: TestX\x1b[0m\n", failLine, message},
		{"not ok 3 - adds", failLine, message},
		{"ok 3 - adds", passLine, none},
		{"test tide::at ... ok", passLine, none},
		{"test tide::at ... FAILED", failLine, message},
		{"tests/test_a.py::test_b PASSED [ 50%]", passLine, none},
		{"tests/test_a.py::test_b FAILED [ 50%]", failLine, message},
		{"  ✓ adds (3 ms)", passLine, none},
		{"  ● Tide › rises", failLine, message},
		{"Tests:       1 failed, 4 passed, 5 total", sumLine, message},
		{"Tests run: 12, Failures: 0, Errors: 0", sumLine, outline},
		{"===== 12 passed in 0.3s =====", sumLine, outline},
		{"===== short test summary info =====", sumLine, context},
		{"a.go:12:3: undefined: x", diagLine, message},
		{"a.c:12:3: warning: unused", diagLine, context},
		{"src/a.ts(12,3): error TS2322: no", diagLine, message},
		{"  12:5  error  'x' is not defined  no-undef", diagLine, message},
		{"  12:5  warning  Unexpected console  no-console", diagLine, outline},
		{"    at f (/app/a.js:1:2)", frameLine, context},
		{"    at f (/app/node_modules/x/a.js:1:2)", farLine, none},
		{"2026-01-02 10:00:00 ok 3 things", plainLine, none},
		{"Server listens at 8080", plainLine, none},
		{"", plainLine, none},
	}
	for _, tt := range tests {
		if got, cue := judge(tt.line, false, false); got != tt.want || cue != tt.cue {
			t.Errorf("%q: role %d, cue %v; want %d, %v", tt.line, got, cue, tt.want, tt.cue)
		}
	}
}
