package squeeze

import "testing"

func TestWordCue(t *testing.T) {
	tests := []struct {
		line string
		want float32
	}{
		{"error: no rule to make target", message},
		{"fatal: not a git repository", message},
		{"2026-01-01 ERROR db: gone", message},
		{"ValueError: x", message},
		{"src/a.ts(1,2): error TS2345: no", message},
		{"hall.asm(3): error A2008: syntax", message},
		{"b.sql(3): error Z12: syntax", message},
		{"make: *** [all] Error 2", message},
		{"the error Axel saw", outline},
		{"bash: foo: command not found", outline},
		{"cat: a: No such file or directory", outline},
		{"Process exited with code 127", outline},
		{"Process exited with code 0", none},
		{"0 errors, 0 warnings", none},
		{"Failures: 0", none},
		{"errors=0", none},
		{"no errors", none},
		{"compiled errors.go", none},
		{"--fail-fast", none},
		{"wrote /var/err/out", none},
		{"handle_error(x)", none},
		{"this talks about an error in passing", outline},
		{"warning: unused", context},
		{"  ✗ adds", message},
		{"\x1b[31merror\x1b[0m: gone", message},
		{"\x1b[0K\x1b[1mFAILED\x1b[0m", message},
		{"Fehler: Datei fehlt", message},
		{"致命的なエラー", message},
		{"all is well", none},
		{"", none},
	}
	for _, tt := range tests {
		if got := wordCue(tt.line); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.line, got, tt.want)
		}
	}
}
