package help

import (
	"fmt"
	"io"
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

// program returns a program with commands, topics and a hidden command.
func program() *cobra.Command {
	run := func(*cobra.Command, []string) error { return nil }
	root := &cobra.Command{Use: "tool", Short: "Do things", Long: "Do things with files."}
	root.AddCommand(
		&cobra.Command{Use: "run FILE", Short: "Run a file", RunE: run}, &cobra.Command{Use: "view FILE", Short: "Look at a file", RunE: run},
		&cobra.Command{Use: "ls", Short: "List files", RunE: run}, &cobra.Command{Use: "own", Short: "Do something else", RunE: run},
		&cobra.Command{Use: "secret", Short: "Nobody sees this", Hidden: true, RunE: run},
		&cobra.Command{Use: "models", Short: "About models", Long: "What models are.", Annotations: map[string]string{GroupAnnotation: ModelGroup}},
		&cobra.Command{Use: "dark", Short: "About nothing", Long: "x", Hidden: true},
	)
	return root
}

// TestProgram checks the help of a program: its commands in groups, and then the topics.
func TestProgram(t *testing.T) {
	const head, commands, topics, end = "Do things with files.\n\nUsage:\n  tool COMMAND\n",
		"\nCondense:\n  run  Run a file\n\nLook:\n  ls    List files\n  view  Look at a file\n\nCommands:\n  own  Do something else\n",
		"\nTopics:\n  help models  About models\n",
		"\ntool COMMAND -h shows the common flags and examples of a command, --help everything.\n"
	if got := written(t, program(), Options{Width: 100}); !strings.HasPrefix(got, head+commands+topics) || !strings.HasSuffix(got, end) {
		t.Errorf("got\n%s", got)
	}
	if got := written(t, program(), Options{Brief: true, Width: 100}); !strings.HasPrefix(got, "Do things.\n\nUsage:\n  tool COMMAND\n"+commands) || strings.Contains(got, "Topics") {
		t.Errorf("in short\n%s", got)
	}
	group := &cobra.Command{Use: "config", Short: "Handle settings"}
	group.AddCommand(&cobra.Command{Use: "run", Short: "Run settings", RunE: func(*cobra.Command, []string) error { return nil }})
	root := program()
	root.AddCommand(group)
	if got := written(t, group, Options{Width: 100}); !strings.Contains(got, "  tool config COMMAND\n\nCommands:\n  run  Run settings\n") {
		t.Errorf("a command with commands\n%s", got)
	}
}

// TestTopic checks that a topic has the flags of run that belong to it, and no others.
func TestTopic(t *testing.T) {
	root := program()
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range few {
		run.Flags().Int(fmt.Sprintf("a%d", i), 0, "a number")
	}
	run.Flags().Duration("timeout", 0, "wait so long")
	run.Flags().String("llm-model", "", "ask this model")
	topic, _, err := root.Find([]string{"models"})
	if err != nil {
		t.Fatal(err)
	}
	want := "What models are.\n\n" + ModelGroup + ":\n      --llm-model MODEL  ask this model\n      --timeout TIME     wait so long\n"
	if got := written(t, topic, Options{Width: 100}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestCommand checks the help of a command with few flags, of which one takes its value only behind a sign of
// equality.
func TestCommand(t *testing.T) {
	c := command(0)
	c.Flags().StringP("backup", "b", "", "keep the old file")
	c.Flags().Lookup("backup").NoOptDefVal = ".bak"
	c.Flags().BoolP("force", "f", false, "overwrite")
	c.Flags().Int("jobs", 2, "number of jobs")
	c.Flags().Int("retries", 0, "tries again")
	c.Flags().Duration("timeout", 0, "wait so long")
	want := `Cook a file slowly.

Usage:
  cook [FILE] [flags]

Examples:
  cook 1
  cook 2
  cook 3
  cook 4

Flags:
  -b, --backup[=SUFFIX]  keep the old file (without SUFFIX: .bak)
  -f, --force            overwrite
      --jobs N           number of jobs (default 2)
      --retries N        tries again
      --timeout TIME     wait so long
`
	if got := written(t, c, Options{Width: 100}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	c.Example = ""
	if got := written(t, c, Options{Width: 100}); strings.Contains(got, "Examples") || strings.Contains(got, "Commands") {
		t.Errorf("without examples\n%s", got)
	}
}

// TestUnwritten checks that help which cannot be written is an error.
func TestUnwritten(t *testing.T) {
	in, out := io.Pipe()
	in.Close()
	if err := Write(out, command(1), Options{}); err == nil {
		t.Error("no error")
	}
}

// TestLongNames checks that a name as long as the column for names stays in its line.
func TestLongNames(t *testing.T) {
	var b strings.Builder
	table(&b, []row{{strings.Repeat("x", maxNames), "one"}, {"y", "two"}}, 100)
	if want := "  " + strings.Repeat("x", maxNames) + "  one\n  y" + strings.Repeat(" ", maxNames+1) + "two\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
