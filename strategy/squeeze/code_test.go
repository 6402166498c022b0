package squeeze

import "testing"

func TestDeclaration(t *testing.T) {
	tests := []struct {
		line  string
		cue   float32
		holds bool
	}{
		{"func Run(ctx context.Context) error {", outline, true},
		{"pub fn run() -> Result<()> {", outline, true},
		{"pub(crate) fn run() -> Result<()> {", outline, true},
		{"pub(crate) struct Valve {", outline, true},
		{"pub(in crate::valve) struct Valve;", outline, true},
		{"pub(crate) const LIMIT: u32 = 12;", outline / 2, false},
		{"pub(crate) static OPEN: bool = false;", none, false},
		{"pub(crate) use valve::Valve;", none, false},
		{"pub(crate) limit: u32,", none, false},
		{"public void run() {", outline, true},
		{"public void run()", outline, true},
		{"public int limit = most(1, 2);", none, false},
		{"static int most(int a, int b)", outline, true},
		{"int most(int a, int b) {", outline, true},
		{"most(1, 2);", none, false},
		{"private String name;", none, false},
		{"public", none, false},
		{"", none, false},
	}
	for _, tt := range tests {
		if cue, holds := declaration(tt.line, 0); cue != tt.cue || holds != tt.holds {
			t.Errorf("%s: %v, %v, want %v, %v", tt.line, cue, holds, tt.cue, tt.holds)
		}
	}
}

// TestGutter checks that line numbers go with the first omission, unless the caller
// keeps them.
func TestGutter(t *testing.T) {
	source := "  1\tpackage a\n  2\t\n  3\tfunc F() {\n  4\t\treturn somewhere(else, entirely)\n  5\t}\n"
	text := Cut(source, Hint{Tool: "Bash", Command: "cat -n a.go"})
	keep := []bool{true, true, true, false, true}
	if got, want := text.Render(keep), "package a\n\nfunc F() {\n[1 line omitted]\n}\n"; got != want {
		t.Errorf("got %q", got)
	}
	text.Gutter = false
	if got, want := text.Render(keep), "  1\tpackage a\n  2\t\n  3\tfunc F() {\n[1 line omitted]\n  5\t}\n"; got != want {
		t.Errorf("got %q", got)
	}
	ranges := Cut("91→// A is a.\n92→func A() {\n93→\treturn\n10→// B is b.\n11→func B() {\n12→\treturn\n", Hint{Tool: "Bash", Command: "show a.go"})
	if got := ranges.gutter; got != "→" {
		t.Errorf("two ranges, the later lines first: the gutter is %q", got)
	}
	if text := Cut("1\tAda\n2\tBob\n3\tEve\n", Hint{Tool: "Bash", Command: "psql -At"}); text.Gutter {
		t.Error("numbers of a table are taken for line numbers")
	}
}
