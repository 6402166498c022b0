package cmd

import (
	"testing"

	"condense/cmd/report"
)

func TestLeft(t *testing.T) {
	tests := []struct {
		op, after string
		want      report.Left
	}{
		{"drop", "", report.LeftNothing},
		{"hide", "", report.LeftNothing},
		{"rewrite", "[Read a.go: ok, 20 lines omitted]", report.LeftMarker},
		{"rewrite", "[20 lines omitted]\n", report.LeftMarker},
		{"rewrite", "[20 lines omitted]\nfunc main() {", report.LeftPart},
		{"rewrite", "func main() {", report.LeftPart},
	}
	for _, tt := range tests {
		if got := leftAfter(&report.Edit{Op: tt.op, After: tt.after}); got != tt.want {
			t.Errorf("%s to %q: got %q, want %q", tt.op, tt.after, got, tt.want)
		}
	}
}

func TestLinesLeft(t *testing.T) {
	tests := []struct {
		before, after string
		want          report.Change
	}{
		{"", "", report.Change{}},
		{"a\nb\nc\n", "a\n[1 line omitted]\nc\n", report.Change{Before: 3, After: 2}},
		{"a\na\nb", "a\n[2 lines omitted]", report.Change{Before: 3, After: 1}},
		{"a\r\nb\r\n", "b", report.Change{Before: 2, After: 1}},
		{"a", "a\na", report.Change{Before: 1, After: 1}},
	}
	for _, tt := range tests {
		if got := linesLeft(tt.before, tt.after); *got != tt.want {
			t.Errorf("%q to %q: got %+v, want %+v", tt.before, tt.after, *got, tt.want)
		}
	}
}
