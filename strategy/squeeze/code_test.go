package squeeze

import (
	"strings"
	"testing"
)

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

// TestDeclarationWords checks the words with which declarations begin, in languages with words for them, alone, after
// modifiers, and in a body.
func TestDeclarationWords(t *testing.T) {
	for _, w := range strings.Fields("func def class interface struct enum impl trait fn module namespace function protocol extension object record union " +
		"macro_rules describe contract defmodule defp sub proc CREATE create resource message service type") {
		for line, want := range map[string]float32{w + " Tide": outline, "export " + w + " Tide": outline, "private " + w + " Tide": context} {
			if cue, holds := declaration(line, 0); !holds || cue != want {
				t.Errorf("%s: %v, %v, want %v", line, cue, holds, want)
			}
			if cue, holds := declaration(line, 1); !holds || cue != context {
				t.Errorf("%s in a body: %v, %v", line, cue, holds)
			}
		}
		if cue, holds := declaration(w, 0); holds || cue != none {
			t.Errorf("%s alone: %v, %v", w, cue, holds)
		}
		if cue, holds := declaration(w+"s = 5", 0); holds || cue != none {
			t.Errorf("%ss = 5: %v, %v", w, cue, holds)
		}
	}
	for _, w := range strings.Fields("export default pub public protected internal static abstract final async unsafe open override extern inline virtual " +
		"sealed partial declare readonly suspend data constexpr template private fileprivate") {
		want := float32(outline)
		if strings.HasSuffix(w, "private") {
			want = context
		}
		if cue, holds := declaration(w+" class Tide", 0); !holds || cue != want {
			t.Errorf("%s class: %v, %v, want %v", w, cue, holds, want)
		}
	}
	for _, w := range strings.Fields("package import from use using return if for while switch else try catch with elif await throw new case do require include") {
		if cue, holds := declaration(w+" (tide) {", 0); holds || cue != none {
			t.Errorf("%s declares: %v, %v", w, cue, holds)
		}
	}
	for _, tt := range []struct {
		line  string
		cue   float32
		holds bool
	}{
		{"const tide = (x) => x", outline, true}, {"const tide = function() {", outline, true}, {"const (", outline, true}, {"const tide = {", outline / 2, true},
		{"const tide = [", outline / 2, true}, {"const tide = 5", outline / 2, false}, {"let tide = x => x", outline, true}, {"var tide = function() {", outline, true},
		{"let tide = 5", none, false}, {"def _hidden():", context, true}, {"def __init__(self):", context, true}, {"func (t *Tide) Rise() {", outline, true},
		{"func *gen() {", outline, true}, {"macro_rules! tide {", outline, true}, {"type = 5", outline, true}, {"type: tide", none, false},
		{"export default async function tide() {", outline, true}, {"export default 5", none, false},
		{"} else {", none, false}, {"(x) {", none, false}, {"* func x", none, false}, {"\"func x", none, false}, {"'func x", none, false}, {"<class x", none, false}, {"- class x", none, false}, {"{ class x", none, false},
		{") class x", none, false}, {"# Title", context, false}, {"## Title", context, false}, {"##### Title", none, false}, {"#define X 1", context, false}, {"#include <x>", none, false},
		{"// TODO: x", context, false}, {"// FIXME x", context, false}, {"// note", none, false}, {"x = most(1) {", none, false}, {"most) {", none, false},
		{"public x = f()", none, false}, {"func " + strings.Repeat("x", scanned), none, false},
	} {
		if cue, holds := declaration(tt.line, 0); cue != tt.cue || holds != tt.holds {
			t.Errorf("%.40s: %v, %v, want %v, %v", tt.line, cue, holds, tt.cue, tt.holds)
		}
	}
	if cue, _ := declaration("# note", 4); cue != none {
		t.Errorf("a comment in a body: %v", cue)
	}
}

// TestClosing checks which lines end the declaration at their indentation.
func TestClosing(t *testing.T) {
	for want, lines := range map[bool][]string{true: {"", "}", "})", ");", "]", "{", "end", "</div>"}, false: {"x", "ends", "endif", "<div>", "|", "(x)", "[x]", "// }"}} {
		for _, line := range lines {
			if got := closing(line); got != want {
				t.Errorf("%q closes: %v", line, got)
			}
		}
	}
	for line, want := range map[string]int{"": 0, "x": 0, "  x": 2, "\tx": 4, "\t  x y": 6, "   ": 3} {
		if got := indentation(line); got != want {
			t.Errorf("the indentation of %q is %d", line, got)
		}
	}
}

// TestGutterOf checks which lines have numbers that a tool added: most of them, each higher than the one before, with one
// sign behind.
func TestGutterOf(t *testing.T) {
	for source, want := range map[string]string{
		"1→a\n2→b\n3→c\n": "→", "1\ta\n2\tb\n3\tc\n": "\t", " 1 | a\n 2 | b\n10 | c\n": " | ", "1| a\n2| b\n3| c\n": "| ", "1|a\n2|b\n3|c\n": "|", "1: a\n2: b\n3: c\n": ": ",
		"L1: a\nL2: b\nL3: c\n": ": ", "1→a\n": "→", "1→a\n2→b\n": "→", "1→a\n2→b\nc\n": "", "1→a\n2→b\n3→c\nd\ne\n": "→", "1→a\n2→b\n3→c\nd\ne\nf\n": "",
		"3→a\n2→b\n1→c\n": "", "1 a\n2 b\n3 c\n": "", "a\nb\nc\n": "", "": "", "1234567890→a\n": "", "123456789→a\n": "→", "1 |\n2 | b\n3 | c\n": " | ",
	} {
		if got := gutterOf(source); got != want {
			t.Errorf("%q has the gutter %q, want %q", source, got, want)
		}
	}
	for line, want := range map[string]int{"  12→x": 7, "12→": 5, "12x": 0, "x": 0, "": 0} {
		if got := gutterLen(line, "→"); got != want {
			t.Errorf("the gutter of %q has %d bytes, want %d", line, got, want)
		}
	}
	for command, want := range map[string]bool{"nl a.go": true, "cat -n a.go": true, "cat a.go": false, "cat a.go | nl": true, "cd x && cat -n a.go": true, "bash -lc 'nl -ba a.go'": true, "grep -n x": false, "": false, "echo nl": false} {
		if got := numbering(command); got != want {
			t.Errorf("%s numbers lines: %v", command, got)
		}
	}
}

// TestHeads checks which lines at the margin have lines under them, whatever the language.
func TestHeads(t *testing.T) {
	for source, want := range map[string]bool{
		"rule all:\n  input\n": true, "target\n\n\n\tdo\n": true, "_x\n y\n": true, "a\nb\n": false, "a\n": false, "\n x\n": false, "9\n x\n": false,
		"return\n  x\n": false, "import (\n  x\n": false, "1→target\n2→  x\n3→y\n": true, "1→target\n2→x\n3→  y\n": false,
	} {
		line, _, _ := strings.Cut(source, "\n")
		text := &Text{Source: source, special: &special{gutter: gutterOf(source)}}
		if got := text.heads(line[gutterLen(line, text.gutter()):], len(line)+1); got != want {
			t.Errorf("the first line of %q heads others: %v", source, got)
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
	if got := ranges.gutter(); got != "→" {
		t.Errorf("two ranges, the later lines first: the gutter is %q", got)
	}
	if text := Cut("1\tAda\n2\tBob\n3\tEve\n", Hint{Tool: "Bash", Command: "psql -At"}); text.Gutter {
		t.Error("numbers of a table are taken for line numbers")
	}
}
