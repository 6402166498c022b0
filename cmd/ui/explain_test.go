package ui

import "testing"

func TestLeft(t *testing.T) {
	tests := []struct{ op, after, want string }{
		{"drop", "", "nothing"},
		{"hide", "", "nothing"},
		{"insert", "[3 messages omitted]", "new"},
		{"untag", "", "all"},
		{"rewrite", "[Read a.go: ok, 20 lines omitted]", "a marker"},
		{"rewrite", "[20 lines omitted]\n", "a marker"},
		{"rewrite", "[20 lines omitted]\nfunc main() {", "a part"},
		{"rewrite", "func main() {", "a part"},
	}
	for _, tt := range tests {
		if got := (&Edit{Op: tt.op, After: tt.after}).left(); got != tt.want {
			t.Errorf("%s to %q: got %q, want %q", tt.op, tt.after, got, tt.want)
		}
	}
}
