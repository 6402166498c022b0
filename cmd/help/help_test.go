package help

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// command returns a command with a number of flags: a1, a2 and so on.
func command(flags int) *cobra.Command {
	c := &cobra.Command{
		Use: "cook [FILE]", Short: "Cook a file", Long: "Cook a file slowly.", RunE: func(*cobra.Command, []string) error { return nil },
		Example: "  cook 1\n  cook 2\n  cook 3\n  cook 4",
	}
	for i := range flags {
		c.Flags().Int(fmt.Sprintf("a%d", i+1), 0, "a number")
	}
	return c
}

func written(t *testing.T, c *cobra.Command, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, c, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBrief checks that short help has the common flags and three examples, and that long help has
// everything.
func TestBrief(t *testing.T) {
	c := command(40)
	c.Flags().String("output", "", "write to this file")
	short, long := written(t, c, Options{Brief: true}), written(t, c, Options{})
	if n := strings.Count(short, "\n      --"); n != few {
		t.Errorf("short help has %d flags", n)
	}
	for _, want := range []string{"Cook a file.\n", "Common flags:\n", "--output FILE  write to this file", "  cook 3\n", "cook --help shows all 41 flags, and explains them."} {
		if !strings.Contains(short, want) {
			t.Errorf("short help lacks %q:\n%s", want, short)
		}
	}
	if strings.Contains(short, "cook 4") || strings.Contains(short, "slowly") {
		t.Errorf("short help:\n%s", short)
	}
	for _, want := range []string{"Cook a file slowly.\n", "Output:\n      --output", "Other flags:\n", "--a40 N", "  cook 4\n"} {
		if !strings.Contains(long, want) {
			t.Errorf("long help lacks %q:\n%s", want, long)
		}
	}
	if small := written(t, command(3), Options{Brief: true}); !strings.Contains(small, "\nFlags:\n") || !strings.Contains(small, "cook --help explains more.") {
		t.Errorf("a command with few flags:\n%s", small)
	}
}

// TestTable checks that texts begin in one column, counted as a terminal shows them, and that long
// names stand above their texts.
func TestTable(t *testing.T) {
	rows := []row{
		{"a", "one two three"}, {"日本…", "four five six"}, {"éé", "seven"}, {strings.Repeat("x", maxNames+1), "eight"},
	}
	var b strings.Builder
	table(&b, rows, 34)
	want := `  a      one two three
  日本…  four five six
  éé     seven
  ` + strings.Repeat("x", maxNames+1) + `
         eight
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	table(&b, []row{{strings.Repeat("n", 20), strings.Repeat("word ", 8)}}, 30)
	for line := range strings.Lines(b.String()) {
		if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > 30 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

// TestReflow checks that paragraphs and columns are wrapped, and that other indented lines stay
// as they are.
func TestReflow(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		width      int
		want       string
	}{
		{"paragraph", "one two\nthree four\n\nfive", 13, "one two three\nfour\n\nfive\n"},
		{"long word", "a " + strings.Repeat("b", 30) + " c", 26, "a\n" + strings.Repeat("b", 30) + "\nc\n"},
		{"columns", "  ab  one two three four five six\n      seven", 30, "  ab  one two three four five\n      six seven\n"},
		{"narrow columns", "  a name  one two three four five", 28, "  a name\n      one two three four\n      five\n"},
		{"columns at the margin", "ab  one two three four five six\n    seven\ncd  x", 30, "ab  one two three four five\n    six seven\ncd  x\n"},
		{"code", "Like this:\n  a: 1\n  b: 2\n\nand so on", 60, "Like this:\n  a: 1\n  b: 2\n\nand so on\n"},
		{"long code", "  aaa bbb ccc ddd eee fff ggg hhh", 28, "  aaa bbb ccc ddd eee fff\n  ggg hhh\n"},
		{"hyphens", "word word word --keep-last", 24, "word word word\n--keep-last\n"},
	} {
		if got := reflow(tt.text, tt.width); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestGroups checks that no name is in two groups, or twice among the common flags of a command.
func TestGroups(t *testing.T) {
	for what, rows := range map[string][]group{"flags": groups, "commands": commandGroups} {
		seen := map[string]bool{}
		for _, g := range rows {
			for name := range strings.FieldsSeq(g.names) {
				if seen[name] {
					t.Errorf("%s: %s stands twice", what, name)
				}
				seen[name] = true
			}
		}
	}
	for name, list := range common {
		if n := len(strings.Fields(list)); n > few {
			t.Errorf("%s has %d common flags", name, n)
		}
	}
}
