package squeeze

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// samples are texts of every kind, for the properties and as seeds for fuzzing.
var samples = []string{
	"", "\n", "one", "a\r\nb\r\n\r\nc",
	"=== RUN   TestAdd\n--- FAIL: TestAdd (0.00s)\n    add_test.go:12: got 3, want 4\nFAIL\nFAIL\texample.com/add\t0.003s\n",
	"a.go:1:2: undefined: x\na.go:3:4: warning: y\n2 problems\n",
	"Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n  File \"/usr/lib/python3/b.py\", line 9, in f\nValueError: no\n",
	"diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,3 @@ func f() {\n a\n-b\n+c\n+d\n",
	"commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A <a@example.com>\n\n    Subject\n\n    Body\n\n a.go | 2 +-\n",
	"     1→package a\n     2→\n     3→func F() {\n     4→\treturn\n     5→}\n",
	"class A:\n    def f(self):\n        if x:\n            return 1\n\n    def g(self):\n        pass\n",
	"a/b.go:1:x\na/b.go:2:func y() {\na/c.go-3-z\n--\na/c.go\n4:w\n",
	".:\na.go\nb.go\n\n./sub:\nc.go\n", "├── a\n│   └── b.go\n└── c.go\n",
	"# Title\n\nA sentence that is long enough to be cut somewhere, because it goes on and on. And another one follows it here, which is about as long as the first. Third!\n\n```go\nfunc f() {}\n```\n- [ ] todo\n",
	"2026-01-02 10:00:00 INFO started worker 1\n2026-01-02 10:00:01 INFO started worker 2\n2026-01-02 10:00:02 INFO started worker 3\n",
	"tick\ntick\ntick\ntick\ntick\ntick\ntick\ntick\ntick\ntick\n",
	"before\n[12 lines omitted]\nafter\n[repeated 3 more times, omitted]\n[2 similar lines omitted]\n[1 line omitted]",
	"a long line that was cut [300 characters omitted] and goes on\n[7 characters omitted]\n",
	strings.Repeat("Zm9vYmFy", 200) + "\n" + strings.Repeat("é👨‍👩‍👧ก็", 100),
	strings.Repeat("文章は続く。とても長いので切られる！", 30),
	"# Title\n\nWords of a document.\n" + strings.Repeat(" ", 60) + "\n" + strings.Repeat("\u0085", 40) + "\nMore words.\n",
	"10%\r20%\r30%\r" + strings.Repeat("....... \r", 60) + "\ndone",
}

var hints = []Hint{
	{}, {Tool: "Bash", Command: "make"}, {Tool: "Bash", Command: "go test ./..."}, {Tool: "Read", Path: "a.go"}, {Tool: "Read", Path: "a.md"},
	{Tool: "Grep"}, {Tool: "Glob"}, {Tool: "Bash", Command: "git diff"}, {Tool: "Bash", Command: "git log"}, {Tool: "x", Failed: true},
	{Tool: "Read", Path: "a.yaml"}, {Tool: "Write", Arg: "content", Path: "a.py"},
}

// check checks the properties that every text has, however it is cut and whatever is left out.
func check(t *testing.T, source string, h Hint, seed uint64) {
	t.Helper()
	text := Cut(source, h)
	tile(t, text)
	clusters(t, text)
	all := make([]bool, len(text.Pieces))
	for i := range all {
		all[i] = true
	}
	if got := text.Render(all); got != source {
		t.Fatalf("everything kept: %q", got)
	}
	random := rand.New(rand.NewPCG(seed, 1))
	keep := make([]bool, len(all))
	share := random.Float64()
	for i := range keep {
		keep[i] = random.Float64() < share
	}
	before := append([]bool(nil), keep...)
	out := text.Render(keep)
	if len(out) > len(source) {
		t.Fatalf("longer: %d bytes of %d\n%q\n%q", len(out), len(source), source, out)
	}
	if again := text.Render(keep); again != out {
		t.Fatalf("not deterministic: %q, then %q", out, again)
	}
	for i := range keep {
		if keep[i] != before[i] {
			t.Fatal("Render changed keep")
		}
	}
	if utf8.ValidString(source) && !utf8.ValidString(out) {
		t.Fatalf("a character is split: %q", out)
	}
	if text.omit() != nil {
		return
	}
	lost := 0 // a last line that held only its line number is removed with it
	if n := len(text.Pieces); n > 0 && text.body(n-1) == "" {
		lost = 1
	}
	if a, b := accounted(source), accounted(out); a != b && a != b+lost {
		t.Fatalf("%d lines became %d\n%q\n%q", a, b, source, out)
	}
	inOrder(t, text, out)
	// A second run that keeps what it finds changes nothing.
	second := Cut(out, h)
	keep = make([]bool, len(second.Pieces))
	for i := range keep {
		keep[i] = true
	}
	if again := second.Render(keep); again != out {
		t.Fatalf("a second run changed %q to %q", out, again)
	}
}

func tile(t *testing.T, text *Text) {
	t.Helper()
	at := 0
	for i, p := range text.Pieces {
		if int(p.Start) != at || p.End <= p.Start || p.Cue < 0 || p.Cue > 1 {
			t.Fatalf("piece %d is %+v after %d", i, p, at)
		}
		if p.Under >= int32(i) || p.Like >= int32(i) || p.Under < None || p.Like < None {
			t.Fatalf("piece %d refers to a later one: %+v", i, p)
		}
		at = int(p.End)
	}
	if at != len(text.Source) {
		t.Fatalf("pieces end at %d of %d", at, len(text.Source))
	}
}

// clusters checks that every piece ends where a grapheme cluster ends.
func clusters(t *testing.T, text *Text) {
	t.Helper()
	if !utf8.ValidString(text.Source) {
		return
	}
	rest, state, at, i := text.Source, -1, 0, 0
	for rest != "" {
		var c string
		c, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(c)
		for i < len(text.Pieces) && int(text.Pieces[i].End) < at {
			t.Fatalf("piece %d ends within %q", i, c)
		}
		if i < len(text.Pieces) && int(text.Pieces[i].End) == at {
			i++
		}
	}
}

// accounted returns the number of lines of a text, with those that its markers
// replaced.
func accounted(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if old, form := readMark(line); old > 0 && form != charsGone {
			n += old
		} else {
			n++
		}
	}
	return n
}

// inOrder checks that everything except markers stands in the source, in the same
// order, byte for byte; a line number may be missing.
func inOrder(t *testing.T, text *Text, out string) {
	t.Helper()
	rest := text.Source
	for line := range strings.Lines(out) {
		if n, form := readMark(line); n > 0 && form != charsGone {
			continue
		}
		for line != "" {
			part := line
			start, end, n := findMark(line)
			if n > 0 {
				part, line = line[:start], line[end:]
			} else {
				line = ""
			}
			if n, _ := readMark(part); n > 0 || strings.TrimSpace(part) == "" {
				continue
			}
			i := strings.Index(rest, part)
			if i < 0 {
				t.Fatalf("%q is not in the source, or not at this place\n%q\n%q", part, text.Source, out)
			}
			rest = rest[i+len(part):]
		}
	}
}

func TestProperties(t *testing.T) {
	for _, source := range samples {
		for _, h := range hints {
			for seed := range uint64(20) {
				check(t, source, h, seed)
			}
		}
	}
}

func FuzzCut(f *testing.F) {
	for i, source := range samples {
		f.Add(source, uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, source string, hint uint8, seed uint64) {
		check(t, source, hints[int(hint)%len(hints)], seed)
	})
}

func BenchmarkCut(b *testing.B) {
	for _, bb := range []struct {
		name, unit string
		h          Hint
	}{
		{"log", "2026-01-02 10:00:00.123 INFO  [worker-7] served GET /api/items/4711 in 12ms\n", Hint{Command: "kubectl logs x"}},
		{"code", "\tfor i, part := range split(pipeline, false) {\n\t\twords := strings.Fields(part)\n\t}\n", Hint{Path: "a.go"}},
		{"diff", "diff --git a/a b/a\n@@ -1,3 +1,3 @@\n context line of some length\n-old line of some length\n+new line of some length\n", Hint{Command: "git diff"}},
		{"search", "src/some/where/file.go:123:\treturn something(that, matched)\n", Hint{Tool: "Grep"}},
		{"listing", "src/some/where/else/entirely/file_name.go\n", Hint{Tool: "Glob"}},
		{"prose", "A sentence that is about as long as sentences are in documents. And another one, which follows it, and is a bit longer than that.\n\n", Hint{Path: "a.md"}},
		{"one line", "lorem ipsum dolor sit amet ", Hint{}},
	} {
		source := strings.Repeat(bb.unit, 8<<20/len(bb.unit))
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				Cut(source, bb.h)
			}
		})
	}
}

func BenchmarkCutTrees(b *testing.B) {
	for _, bb := range []struct{ name, before, unit, after string }{
		{"JSON", "[", `{"id":4711,"name":"mill-7","state":"running","ports":[8080,8443],"owner":{"name":"mira","team":"harbour"}},` + "\n", "1]"},
		{"JSON numbers", "[", "12,345,6789,0.25,", "1]"},
		{"JSON string", `{"out":"`, `2031-01-02 10:00:00 served GET /api/items/4711 in 12ms\n`, `"}`},
		{"NDJSON", "", `{"time":"2031-01-02T10:00:00Z","level":"info","text":"served","path":"/api/items/4711","ms":12}` + "\n", ""},
		{"CSV", "id,name,state,ms\n", "4711,mill-7,running,12\n", ""},
		{"HTML", "<!DOCTYPE html>", `<div class="row"><a href="/items/4711">Item 4711</a><p>Some words about it.</p></div>` + "\n", ""},
		{"snapshot", "", "- listitem [ref=e1]:\n  - link \"Item 4711\" [ref=e2] [cursor=pointer]:\n    - /url: /items/4711\n", ""},
	} {
		source := bb.before + strings.Repeat(bb.unit, 8<<20/len(bb.unit)) + bb.after
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			pieces := 0
			for b.Loop() {
				t := Cut(source, Hint{Tool: "fetch"})
				if t.Kind < JSON {
					b.Fatalf("taken for %v", t.Kind)
				}
				pieces = len(t.Pieces)
			}
			b.ReportMetric(float64(len(source))/float64(pieces), "B/piece")
		})
	}
}
