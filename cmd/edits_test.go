package cmd

import (
	"testing"

	"condense/cmd/ui"
)

func TestLeft(t *testing.T) {
	tests := []struct {
		op, after string
		want      ui.Left
	}{
		{"drop", "", ui.LeftNothing},
		{"hide", "", ui.LeftNothing},
		{"rewrite", "[Read a.go: ok, 20 lines omitted]", ui.LeftMarker},
		{"rewrite", "[20 lines omitted]\n", ui.LeftMarker},
		{"rewrite", "[20 lines omitted]\nfunc main() {", ui.LeftPart},
		{"rewrite", "func main() {", ui.LeftPart},
	}
	for _, tt := range tests {
		if got := left(&ui.Edit{Op: tt.op, After: tt.after}); got != tt.want {
			t.Errorf("%s to %q: got %q, want %q", tt.op, tt.after, got, tt.want)
		}
	}
}

func TestLinesLeft(t *testing.T) {
	tests := []struct {
		before, after string
		want          ui.Change
	}{
		{"", "", ui.Change{}},
		{"a\nb\nc\n", "a\n[1 line omitted]\nc\n", ui.Change{Before: 3, After: 2}},
		{"a\na\nb", "a\n[2 lines omitted]", ui.Change{Before: 3, After: 1}},
		{"a\r\nb\r\n", "b", ui.Change{Before: 2, After: 1}},
		{"a", "a\na", ui.Change{Before: 1, After: 1}},
	}
	for _, tt := range tests {
		if got := linesLeft(tt.before, tt.after); *got != tt.want {
			t.Errorf("%q to %q: got %+v, want %+v", tt.before, tt.after, *got, tt.want)
		}
	}
}
