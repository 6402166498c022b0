package squeeze

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestArgumentKind checks the kinds of the arguments of calls, by their names.
func TestArgumentKind(t *testing.T) {
	for want, names := range map[Kind]string{
		Code:  "command cmd keystrokes script code old_string new_string oldString newString old_str new_str oldText newText",
		Diff:  "patch diff",
		Prose: "prompt description message plan thought body question result summary",
		Plain: "content file_text contents file_content text limit",
	} {
		for name := range strings.FieldsSeq(names) {
			for _, arg := range []string{name, "edits[1]." + name} {
				if got := argumentKind(Hint{Arg: arg}); got != want {
					t.Errorf("%s: %s, want %s", arg, got, want)
				}
			}
		}
	}
	for name := range strings.FieldsSeq("content file_text contents file_content text old_string command") {
		if got := argumentKind(Hint{Arg: name, Path: "a.csv"}); got != Table {
			t.Errorf("%s of a CSV file: %s", name, got)
		}
		if got, want := argumentKind(Hint{Arg: name, Path: "LICENSE"}), argumentKind(Hint{Arg: name}); got != want {
			t.Errorf("%s of a file whose name says nothing: %s, want %s", name, got, want)
		}
	}
}

// TestFileKind checks the kinds of files, by their names.
func TestFileKind(t *testing.T) {
	for want, names := range map[Kind]string{
		Code:   "a.go A.PY b/Makefile c/Dockerfile Rakefile Gemfile justfile x.7z C:\\src\\a.rs",
		Prose:  "a.md a.mdx a.markdown a.txt a.rst a.adoc a.org a.tex",
		Log:    "a.log nohup.out",
		Table:  "a.csv a.tsv",
		JSON:   "a.json a.geojson a.ipynb",
		NDJSON: "a.jsonl a.ndjson",
		HTML:   "a.html a.htm a.xhtml a.xml a.svg",
		Diff:   "a.diff a.patch",
		Plain:  "LICENSE a.png a.jpg a.jpeg a.gif a.pdf a.zip a.gz a.bin a.so a.exe a.woff a.woff2 core.1234 a.abcdefghijklm a.c~ a.",
	} {
		for name := range strings.FieldsSeq(names) {
			if got := fileKind(name); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

// TestEncoded checks which long runs of letters and digits are data.
func TestEncoded(t *testing.T) {
	run := func(n, digits, slashes int) string {
		return strings.Repeat("7", digits) + strings.Repeat("/", slashes) + strings.Repeat("q", n-digits-slashes)
	}
	for _, tt := range []struct {
		run  string
		want bool
	}{
		{run(64, 4, 4), true},
		{run(64, 3, 0), false},  // words
		{run(64, 12, 5), false}, // a path
		{run(60, 12, 0), true},
		{run(59, 12, 0), false}, // too short
		{run(64, 8, 4), true},
		{strings.Replace(run(64, 8, 4), "q", "-", 1), false},
		{strings.Replace(run(64, 8, 4), "q", "_", 1), false},
	} {
		if got := encoded(tt.run); got != tt.want {
			t.Errorf("%s: %v", tt.run, got)
		}
	}
}

// TestSurvey checks the forms of single lines.
func TestSurvey(t *testing.T) {
	for _, tt := range []struct {
		text string
		want votes
	}{
		{"", votes{}},
		{" \n\t\n", votes{}},
		{"Some words of text.", votes{sentences: 1, words: 1}},
		{"Some words of text", votes{words: 1}},
		{"return 1;", votes{codeEnds: 1}},
		{"// note", votes{codeEnds: 1}},
		{"-rw-r--r--", votes{changed: 1, paths: 1}},
		{"drwxr-xr-x  2 root root 40 Jan  2 src", votes{paths: 1, words: 0}},
		{"drwxr-xr-", votes{}},
		{"├── cmd", votes{paths: 1}},
		{"1\tone\n2\ttwo\n3\tthree", votes{numbered: 3}},
		{"10:11:12 up", votes{stamps: 1, search: 1}},
		{"[2026-01-02 up", votes{stamps: 1}},
		{"2026/01/02", votes{stamps: 1, paths: 1}},
		{"[INFO up", votes{stamps: 1}},
		{"INFO", votes{}},
		{"a/b.go:12:x", votes{search: 1, paths: 1}},
		{"12:x", votes{search: 1}},
		{"      12:x", votes{}},
		{"+new", votes{changed: 1}},
		{"- item", votes{markup: 1}},
		{"-old", votes{changed: 1}},
		{"@@ -1 +1 @@", votes{diff: 1, codeEnds: 1}},
		{"~~~", votes{fences: 1}},
		{"# Title", votes{markup: 1}},
		{"12. item", votes{markup: 1}},
		{"--- PASS: TestX", votes{changed: 1, tests: 1}},
	} {
		if text := strings.TrimSpace(tt.text); text != "" {
			tt.want.lines = 1 + strings.Count(text, "\n")
		}
		if got := survey(tt.text); got != tt.want {
			t.Errorf("%q: %+v\nwant %+v", tt.text, got, tt.want)
		}
	}
	for n := range 24 { // the middle is at any byte of a line
		long := strings.Repeat("x", n) + strings.Repeat("word\n", 2*surveyed) + strings.Repeat("@@ -1 +1 @@\n", 3*surveyed)
		if v := survey(long); v.lines != 2*surveyed || v.diff != surveyed {
			t.Errorf("of a long text, %d lines were sampled, %d from its middle", v.lines, v.diff)
		}
	}
	if v := survey(strings.Repeat("word\n", surveyed-2) + "@@ -1 +1 @@\n"); v.lines != surveyed-1 || v.diff != 1 {
		t.Errorf("of a text that is read whole, %d lines were sampled, %d of them the last", v.lines, v.diff)
	}
}

// TestVotes checks the kinds that numbers of lines lead to: each at its limit and below.
func TestVotes(t *testing.T) {
	for _, tt := range []struct {
		v            votes
		strong, weak Kind
	}{
		{votes{}, Plain, Plain},
		{votes{lines: 20, diff: 2, changed: 2}, Diff, Plain},
		{votes{lines: 21, diff: 2, changed: 2}, Plain, Plain},
		{votes{lines: 8, diff: 2}, Diff, Plain},
		{votes{lines: 2, diff: 1, changed: 1}, Plain, Plain},
		{votes{lines: 9, frames: 3}, Trace, Trace},
		{votes{lines: 10, frames: 3}, Plain, Trace},
		{votes{lines: 4, frames: 2}, Plain, Trace},
		{votes{lines: 11, frames: 2}, Plain, Plain},
		{votes{lines: 1, frames: 1}, Plain, Plain},
		{votes{lines: 9, numbered: 9, codeEnds: 2, sentences: 2}, Code, Plain},
		{votes{lines: 9, numbered: 9, codeEnds: 2, sentences: 2, markup: 1}, Prose, Prose},
		{votes{lines: 1, search: 1}, Plain, Plain},
		{votes{lines: 3, search: 2}, Search, Plain},
		{votes{lines: 4, search: 2}, Plain, Plain},
		{votes{lines: 10, search: 6, stamps: 4}, Search, Log},
		{votes{lines: 10, search: 6, stamps: 5}, Plain, Log},
		{votes{lines: 10, search: 6, diags: 1}, Search, Plain},
		{votes{lines: 10, search: 6, diags: 2}, Plain, Compiler},
		{votes{lines: 5, commits: 3}, History, History},
		{votes{lines: 6, commits: 3}, Plain, History},
		{votes{lines: 100, commits: 1, changed: 5}, Plain, Plain},
		{votes{lines: 8, commits: 1}, Plain, Plain},
		{votes{lines: 8, commits: 1, changed: 1}, Plain, History},
		{votes{lines: 16, tests: 2}, Plain, Test},
		{votes{lines: 17, tests: 2}, Plain, Plain},
		{votes{lines: 4, tests: 2, markup: 2}, Plain, Prose},
		{votes{lines: 8, diags: 1}, Plain, Compiler},
		{votes{lines: 9, diags: 1}, Plain, Plain},
		{votes{lines: 3, stamps: 1}, Plain, Log},
		{votes{lines: 2, paths: 1}, Plain, Listing},
		{votes{lines: 1, paths: 1}, Plain, Plain},
		{votes{lines: 4, codeEnds: 2}, Plain, Code},
		{votes{lines: 4, codeEnds: 1, declares: 1}, Plain, Code},
		{votes{lines: 4, codeEnds: 1, sentences: 1, declares: 3}, Plain, Plain},
		{votes{lines: 2, codeEnds: 2}, Plain, Plain},
		{votes{lines: 3, sentences: 1}, Plain, Prose},
		{votes{lines: 6, words: 3, sentences: 1}, Plain, Prose},
		{votes{lines: 6, words: 3}, Plain, Plain},
	} {
		if strong, weak := tt.v.strong(), tt.v.weak(); strong != tt.strong || weak != tt.weak {
			t.Errorf("%+v: %s, %s, want %s, %s", tt.v, strong, weak, tt.strong, tt.weak)
		}
	}
}

// TestTags checks which elements of a page begin a block, a heading, or are not read.
func TestTags(t *testing.T) {
	for _, tt := range []struct {
		names string
		want  htmlPart
	}{
		{"p div li tr section article main nav header footer aside table ul ol dl dd form pre blockquote figure option button details summary body head item entry P", htmlPart{opens: true}},
		{"h1 h2 h3 h4 h5 h6 title caption legend dt", htmlPart{opens: true, cue: headingCue}},
		{"meta link base source track path", htmlPart{noise: true}},
		{"script style svg noscript template iframe object canvas", htmlPart{noise: true}},
		{"b a span td th em", htmlPart{}},
	} {
		for name := range strings.FieldsSeq(tt.names) {
			text := "<" + name + " id='x'>"
			want := tt.want
			want.end = len(text)
			if tt.want.noise && len(name) > 2 && !slices.Contains([]string{"meta", "link", "base", "source", "track", "path"}, name) {
				text += "a<b></" + name + ">"
				want.end = len(text)
			}
			if got := htmlToken(text+"rest", 0, true); got != want {
				t.Errorf("%s: %+v, want %+v", text, got, want)
			}
		}
	}
	for _, text := range []string{"<script>a", "<script>a</", "<script>a</scrip", "<script>a</script", "<script>a</scripts>"} { // not closed
		if got, want := htmlToken(text, 0, true), (htmlPart{end: len(text), noise: true}); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	if got, want := htmlToken("<footer>x", 0, false), (htmlPart{end: 8, opens: true}); got != want {
		t.Errorf("outside of a page: %+v", got)
	}
}

// TestEscapedLine checks the ends of lines inside JSON strings.
func TestEscapedLine(t *testing.T) {
	for _, tt := range []struct {
		s    string
		at   int
		end  int
		line bool
	}{
		{`\nab`, 0, 2, true},
		{`ab\ncd\n`, 0, 4, true},
		{`ab\ncd\n`, 4, 8, true},
		{`a\\nb`, 0, 5, false}, // a backslash and the letter n
		{`a\tb`, 0, 4, false},
		{`ab`, 0, 2, false},
		{`ab`, 2, 2, false},
	} {
		if end, line := escapedLine(tt.s, tt.at); end != tt.end || line != tt.line {
			t.Errorf("%s from %d: %d, %v", tt.s, tt.at, end, line)
		}
	}
}

// TestFrame checks the frames of stack traces of each language.
func TestFrame(t *testing.T) {
	for want, lines := range map[role][]string{
		frameLine: {
			"at f (/app/a.js:1:2)", "at Sales.Total() in Sales.cs", "at a.js:1:2", `File "/app/a.py", line 3, in f`,
			"from /app/a.rb:3:in 'f'", "/app/a.go:12 +0x1f", "#0 f() called at a.php", "#12 main (argc=1)",
		},
		farLine: {
			"at f (/app/node_modules/x/a.js:1:2)", "at node:internal/main:1:2", `File "/usr/lib/python3/a.py", line 3, in f`,
			"at java.util.List.get(List.java:1)", "from /gems/x/a.rb:3:in 'f'", "/root/go/pkg/mod/x/a.go:12 +0x1f", "... 12 more",
		},
		plainLine: {"at the end", `File "a.py"`, "from a to b", "main.go:12", "#1", "#1 f", "#x (y)", "#1(f)", "... and more of it"},
	} {
		for _, line := range lines {
			if got := frame(line, 4); got != want {
				t.Errorf("%s: role %d, want %d", line, got, want)
			}
			first := plainLine
			if line[0] == '#' {
				first = want
			}
			if got := frame(line, 0); got != first {
				t.Errorf("%s at the beginning of a line: role %d, want %d", line, got, first)
			}
		}
	}
}

// TestSentence checks where the first sentence ends, of text that is long enough.
func TestSentence(t *testing.T) {
	lead := strings.Repeat("x", cutFrom)
	for _, tt := range []struct {
		text, want string
	}{
		{"Stop. Then go on", "Stop. "},
		{"Stop! Then", "Stop! "},
		{"Stop? Then", "Stop? "},
		{"stop; 2 more", "stop; "},
		{"Version 1. of it", ""},
		{"Stop, Then", ""},
		{"它停了。然后", "它停了。"},
		{"它停了！然后", "它停了！"},
		{"它停了？然后", "它停了？"},
		{"它停了，然后", ""},
		{"no end", ""},
	} {
		want := 0
		if tt.want != "" {
			want = len(lead) + len(tt.want)
		}
		if got := sentence(lead + tt.text); got != want {
			t.Errorf("%s: %d, want %d", tt.text, got-len(lead), want-len(lead))
		}
	}
}

// TestRegions checks where regions begin: at something new once there are five lines, or
// 320 bytes in a line, and after 14 lines wherever it is. Less at the end belongs to the
// region before.
func TestRegions(t *testing.T) {
	block := func(lines int) string { return "func f() {\n" + strings.Repeat("\tg()\n", lines-3) + "}\n\n" }
	for _, tt := range []struct {
		source string
		want   []int // lines at which regions begin
	}{
		{"", nil},
		{"one\n", []int{0}},
		{block(6) + block(6), []int{0, 6}},
		{block(4) + block(4) + block(4), []int{0}},
		{block(4) + block(4) + block(4) + block(4), []int{0, 8}},
		{strings.Repeat("line\n", 30), []int{0, 14}},
		{strings.Repeat("line\n", 33), []int{0, 14, 28}},
	} {
		text := &Text{Source: tt.source}
		text.each(func(start, end int) { text.piece(start, end, none, None) })
		var got []int
		for _, i := range text.Regions() {
			got = append(got, strings.Count(tt.source[:text.Pieces[i].Start], "\n"))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: lines %v, want %v", tt.source, got, tt.want)
		}
	}
	for size, want := range map[int][]int{regionLeast - 1: {0, 2}, regionLeast: {0, 1, 2, 3}} {
		text := &Text{Source: strings.Repeat("x", 4*size)}
		for i := range 4 {
			text.piece(i*size, (i+1)*size, outline, None)
		}
		if got := text.Regions(); !slices.Equal(got, want) {
			t.Errorf("headings of %d bytes in one line: %v, want %v", size, got, want)
		}
	}
}

// TestMatch checks how lines of search results are read.
func TestMatch(t *testing.T) {
	type result struct {
		path, text string
		ok         bool
	}
	for _, tt := range []struct {
		line string
		want result
	}{
		{"a.go:12:x = 1", result{"a.go", "x = 1", true}},
		{"a.go:x = 1", result{"a.go", "x = 1", true}},
		{"a.go-12-x", result{"a.go", "x", true}},
		{"a.go(12): x", result{"a.go", ": x", true}},
		{"12:x", result{"", "x", true}},
		{"  12-x", result{"", "x", true}},
		{"12", result{}},
		{"Line 12: x", result{"", " x", true}},
		{"line 3: x", result{"", " x", true}},
		{"Line : x", result{}},
		{"C:\\a\\b.go:12:x", result{"C:\\a\\b.go", "x", true}},
		{"dir/with space/a.go:12:x", result{"dir/with space/a.go", "x", true}},
		{"plain words: x", result{}},
		{"words:x", result{"words", "x", false}},
		{"", result{}},
	} {
		path, text, ok := match(tt.line)
		if got := (result{path, text, ok}); got != tt.want && (ok || tt.want.ok) {
			t.Errorf("%q: %+v", tt.line, got)
		}
	}
}

// TestPathLike checks what counts as the path of a file.
func TestPathLike(t *testing.T) {
	for want, list := range map[bool][]string{
		true:  {"a/b", "a\\b", "a.go", "a.webpage", "x.y.z", "src/", ".env"},
		false: {"", "word", "a b.go", "a\tb.go", "a.", "a.9", "a.extensions", "https://a/b", `"a/b"`, "f(a/b)", "a/b,", "a/b=c", "a|b/c", "{a/b}", "a/b;", "<a/b>", "'a/b'", strings.Repeat("a/", longest)},
	} {
		for _, s := range list {
			if got := pathLike(s); got != want {
				t.Errorf("%q: %v", s, got)
			}
		}
	}
}

// TestFewNodes checks that a text with a few nodes among other lines is no snapshot.
func TestFewNodes(t *testing.T) {
	node := "- button \"Go\" [ref=e1]\n"
	for _, tt := range []struct {
		nodes, others int
		want          bool
	}{{5, 0, true}, {4, 0, false}, {6, 4, true}, {6, 5, false}} {
		if got := isSnapshot(strings.Repeat(node, tt.nodes) + strings.Repeat("other words\n\n", tt.others)); got != tt.want {
			t.Errorf("%d nodes and %d other lines: %v", tt.nodes, tt.others, got)
		}
	}
	if isSnapshot(strings.Repeat("- button Go\n", 7) + node) {
		t.Error("one handle in eight nodes is enough")
	}
}

// TestCells checks how rows are split.
func TestCells(t *testing.T) {
	for _, tt := range []struct {
		f    tableForm
		row  string
		want []string
	}{
		{tableForm{sep: "|"}, "| a | b |", []string{"a", "b"}},
		{tableForm{sep: "│"}, "│ a │ b │", []string{"a", "b"}},
		{tableForm{sep: "|"}, "a|b", []string{"a", "b"}},
		{tableForm{sep: ","}, ",a,", []string{"", "a", ""}},
		{tableForm{sep: ",", quoted: true}, `"a,b",c`, []string{"a,b", "c"}},
		{tableForm{sep: ",", quoted: true}, `"a ""b"", c",d`, []string{`a ""b"", c`, "d"}},
		{tableForm{sep: ",", quoted: true}, `"a,b`, []string{"a,b"}},
		{tableForm{sep: ",", quoted: true}, `a"b,c"d`, []string{`a"b`, `c"d`}},
		{tableForm{sep: ","}, `"a,b"`, []string{"a", "b"}},
		{tableForm{offsets: []int{0, 5}}, "ab   cd", []string{"ab", "cd"}},
		{tableForm{offsets: []int{0, 5}}, "ab", []string{"ab"}},
	} {
		if got := tt.f.cells(nil, tt.row); !slices.Equal(got, tt.want) {
			t.Errorf("%s with %+v: %q, want %q", tt.row, tt.f, got, tt.want)
		}
	}
}

// TestRows checks that borders and blank lines are not rows.
func TestRows(t *testing.T) {
	source := "| a | b |\n|---|---|\n| 1 | 2 |\n|---|---|\n+===+===+\n\n| 3 | - |\n(2 rows)\n"
	f := tableForm{sep: "|", body: 20}
	var got []string
	f.each(source, func(_, _ int, cells []string) { got = append(got, strings.Join(cells, " ")) })
	if want := []string{"1 2", "", "", "", "3 -", ""}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRule checks the borders of tables in every drawing.
func TestRule(t *testing.T) {
	for want, lines := range map[bool][]string{
		true: {"---", "--", "|---|:--:|", "+---+---+", "=== ===", "┌──┬──┐", "├──┼──┤", "└──┴──┘", "╒══╤══╕", "╞══╪══╡", "╘══╧══╛",
			"╔══╦══╗", "╠══╬══╣", "╚══╩══╝", "┏━━┳━━┓", "┡━━╇━━┩", "╭──╮", "╰──╯", "  ---  \n"},
		false: {"", "-", "|", "| a |", "--x--", "│  │"},
	} {
		for _, line := range lines {
			if got := rule(line); got != want {
				t.Errorf("%s: %v", line, got)
			}
		}
	}
}

// TestFailCell checks which cells report a failure.
func TestFailCell(t *testing.T) {
	for cell, want := range map[string]bool{
		"FAILED": true, "Exited (1) 2 days ago": true, "Exited (0) 2 days ago": false, "Up 3 hours": false, "": false,
		"Exited (1) " + strings.Repeat("x", longest): false,
	} {
		if got := failCell(cell); got != want {
			t.Errorf("%s: %v", cell, got)
		}
	}
}

// TestTally checks the lines that count outcomes.
func TestTally(t *testing.T) {
	for want, lines := range map[bool][]string{
		true: {"12 passed", "3 passing (2s)", "1 failing", "Tests: 5", "Failures: 0", "errors: 2 errors", "Test Suites: 1", "Failed=3",
			"# pass 3", "PASS", "FAIL", "OK", "test result: ok.", "1,024 tests", "2 files changed", "found 0 vulnerabilities", "Tests run: 12",
			"12:30:11 3 errors", "3/10 passed", "failed:3 passed", "mast.go:12: 3 errors"},
		false: {"", "12", "12 apples", "passed", "Failed3", "OK then", "12 passed" + strings.Repeat(" ", 160), "version 2 of it", "Details: 4", "12:30:01 error in keel", "12:30:11 error in keel",
			"2030-12-24 failed to sail", "12/24/2030 error in keel", "go1.12 errors", "utf8 errors", "Errors: 12:30:11", "Errors: 12/24/2030"},
	} {
		for _, line := range lines {
			if got := tally(line); got != want {
				t.Errorf("%s: %v", fmt.Sprintf("%.30q", line), got)
			}
		}
	}
}
