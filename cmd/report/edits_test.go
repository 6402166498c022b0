package report

import "testing"

func TestLeft(t *testing.T) {
	tests := []struct {
		op, after string
		want      Left
	}{
		{"drop", "", LeftNothing},
		{"hide", "", LeftNothing},
		{"rewrite", "[Read a.go: ok, 20 lines omitted]", LeftMarker},
		{"rewrite", "[20 lines omitted]\n", LeftMarker},
		{"rewrite", "[20 lines omitted]\nfunc main() {", LeftPart},
		{"rewrite", "func main() {", LeftPart},
	}
	for _, tt := range tests {
		if got := leftAfter(&Edit{Op: tt.op, After: tt.after}); got != tt.want {
			t.Errorf("%s to %q: got %q, want %q", tt.op, tt.after, got, tt.want)
		}
	}
}

func TestLinesLeft(t *testing.T) {
	tests := []struct {
		before, after string
		want          Change
	}{
		{"", "", Change{}},
		{"a\nb\nc\n", "a\n[1 line omitted]\nc\n", Change{Before: 3, After: 2}},
		{"a\na\nb", "a\n[2 lines omitted]", Change{Before: 3, After: 1}},
		{"a\r\nb\r\n", "b", Change{Before: 2, After: 1}},
		{"a", "a\na", Change{Before: 1, After: 1}},
	}
	for _, tt := range tests {
		if got := LinesLeft(tt.before, tt.after); *got != tt.want {
			t.Errorf("%q to %q: got %+v, want %+v", tt.before, tt.after, *got, tt.want)
		}
	}
}
