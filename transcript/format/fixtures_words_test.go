package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// wordsOf returns the words in the strings of the files of a dialect, and of those that all dialects share.
func wordsOf(t *testing.T, d *Dialect) (words []string) {
	own := strings.ReplaceAll(d.Name, "-", "")
	also := map[string]string{"mini-swe-agent": "sweagent", "qwen-code": "gemini", "gemini-cli": "gemini_", "adk": "gemini_", "aistudio": "gemini_", "gemini-stream": "gemini_"}[d.Name]
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		mine := strings.HasPrefix(file, own) || also != "" && strings.HasPrefix(file, also)
		if strings.HasSuffix(file, "_test.go") || !mine && !strings.HasPrefix(file, "decode_") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([A-Za-z_$][A-Za-z0-9_$-]{1,40})"`).FindAllSubmatch(src, -1) {
			words = append(words, string(m[1]))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Parts of JSON: the beginning of an object with members, and a short string as a value.
var (
	objectBegins = regexp.MustCompile(`\{\s*"`)
	shortValue   = regexp.MustCompile(`: ?"([A-Za-z_-]{2,24})"`)
)

// withMember returns a source in which every object, or every third, has one more member.
func withMember(src []byte, word, value string, every int) []byte {
	n := 0
	return objectBegins.ReplaceAllFunc(src, func(begin []byte) []byte {
		if n++; n%every != 0 {
			return begin
		}
		return fmt.Appendf(nil, `{%q:%s,"`, word, value)
	})
}

// withValue returns a source in which a third of the short strings is a word.
func withValue(src []byte, word string, r *rand.Rand) []byte {
	return shortValue.ReplaceAllFunc(src, func(old []byte) []byte {
		if r.IntN(3) > 0 {
			return old
		}
		return fmt.Appendf(nil, `:%q`, word)
	})
}

// TestFixturesWithWords compares what is read of a small fixture of each dialect, and what an edit writes,
// with testdata/words.txt, when each word that the dialect knows is a member of every object, or the value of
// others. The members repeat a text of the conversation, which the edit shortens. -update rewrites the file.
func TestFixturesWithWords(t *testing.T) { checkWords(t, 0) }

// TestFixturesWithWordsToo does the same with the other half of the dialects: see TestFixturesDamagedFirst.
func TestFixturesWithWordsToo(t *testing.T) { checkWords(t, 1) }

func checkWords(t *testing.T, half int) {
	t.Parallel()
	const golden = "testdata/words.txt"
	if *update && half > 0 {
		t.Skip("TestFixturesWithWords writes the file")
	}
	data, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := map[string][]string{} // of each dialect: its checksum, and its words
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(line, ": ")
		known[name] = strings.Fields(rest)
	}
	var lines []string
	smallest := smallest(t)
	for i, d := range Dialects {
		words := wordsOf(t, d)
		if was := known[d.Name]; !*update {
			if len(was) == 0 {
				t.Fatalf("no line for %s", d.Name)
			}
			if words = was[1:]; i%2 != half {
				continue
			}
		}
		var sum checksum
		if src := smallest[d]; src != nil {
			addWords(&sum, src, words)
		}
		if line := fmt.Sprintf("%s: %08x %s", d.Name, sum.sum, strings.Join(words, " ")); *update {
			lines = append(lines, line)
		} else if fmt.Sprintf("%08x", sum.sum) != known[d.Name][0] {
			t.Errorf("%s: got %08x", d.Name, sum.sum)
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// smallest returns the smallest fixture of each dialect, of those with 500 bytes or more.
func smallest(t *testing.T) map[*Dialect][]byte {
	paths, err := filepath.Glob("../../testdata/sessions/*/*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[*Dialect][]byte{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Decode(src, "")
		if err != nil || f.Source() == nil || len(src) < 500 {
			continue
		}
		if was := all[f.Dialect]; was == nil || len(src) < len(was) {
			all[f.Dialect] = src
		}
	}
	return all
}

// addWords adds what is read of a source with each of the words, and what an edit of it writes.
func addWords(sum *checksum, src []byte, words []string) {
	f, err := Decode(src, "")
	if err != nil {
		sum.add(err)
		return
	}
	src, long := withLongText(src, f, transcript.Text, transcript.ToolResult)
	r := rand.New(rand.NewPCG(15, 2))
	for _, w := range words {
		addEdited(sum, withMember(src, w, long, 1), f.Dialect.Name)
		addEdited(sum, withMember(src, w, `[{"type":"text","text":`+long+`},7]`, 2), f.Dialect.Name)
		addEdited(sum, withValue(src, w, r), f.Dialect.Name)
	}
}

// withLongText returns a source in which a text of the conversation has lines that are long enough to be
// looked for in other places, and that text as JSON.
func withLongText(src []byte, f *File, kinds ...transcript.Kind) (out []byte, long string) {
	var lines []string
	for i := range 4 {
		lines = append(lines, strings.Repeat(fmt.Sprintf("line %d of a long text ", i), 5))
	}
	long = fmt.Sprintf("%q", strings.Join(lines, "\n"))
	for _, c := range f.Convs {
		for _, b := range c.Blocks() {
			old := fmt.Sprintf("%q", b.Text())
			if !slices.Contains(kinds, b.Kind) || len(old) < 12 || !bytes.Contains(src, []byte(old)) {
				continue
			}
			out := bytes.ReplaceAll(src, []byte(old), []byte(long))
			if again, err := Decode(out, ""); err == nil && again.Dialect == f.Dialect {
				return out, long
			}
		}
	}
	return src, long
}

// addEdited adds what is read of a source, and what it is when its texts are cut in half.
func addEdited(sum *checksum, src []byte, dialect string) {
	f, err := Decode(src, dialect)
	if err != nil {
		sum.add(err)
		return
	}
	final := slices.Clone(f.Convs)
	for i, c := range f.Convs {
		sum.add(strings.Join(show(c), "\n"), f.Folder())
		var cuts []transcript.Edit
		for ref, b := range c.Blocks() {
			for n, p := range b.Parts {
				if ref.Part = n; !b.Fixed && b.Kind != transcript.Thinking && p.Media == nil && !p.Number && p.Head == 0 && len(p.Text) > 8 {
					cuts = append(cuts, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: half(p.Text)})
				}
			}
		}
		if next, err := c.Apply(cuts); err == nil {
			final[i] = next
		}
	}
	out, err := f.Bytes(final)
	sum.add(out, err)
}

// TestFixturesRepeated checks what edits write of a small fixture of each dialect in which one more member repeats a
// long text of the conversation, or a result: whole or in part, in an object, a list or a string with JSON, in each
// kind of object. A row of testdata/repeated.txt has the format, and a checksum for each form. -update rewrites it.
func TestFixturesRepeated(t *testing.T) {
	t.Parallel()
	forms := []struct {
		name  string
		value func(text string) string
	}{
		{"whole", strconv.Quote},
		{"list", func(text string) string { return fmt.Sprintf(`[1,%q,{"a":2}]`, text) }},
		{"object", func(text string) string { return fmt.Sprintf(`{"a":{"b":%q}}`, text) }},
		{"within", func(text string) string { return strconv.Quote("before it " + text + " behind it") }},
		{"json", func(text string) string { return strconv.Quote(fmt.Sprintf(`{"a":%q,"b":1}`, text)) }},
		{"piece", func(text string) string { return strconv.Quote(text[len(text)/3:]) }},
	}
	rows := [][]string{{"format"}}
	for _, form := range forms {
		rows[0] = append(rows[0], form.name)
	}
	small := smallest(t)
	for _, d := range Dialects {
		for name, kind := range map[string]transcript.Kind{d.Name: transcript.Text, d.Name + "/results": transcript.ToolResult} {
			f, err := Decode(small[d], "")
			if err != nil {
				t.Fatal(err)
			}
			s := source{name, small[d], d.Name}
			var long string
			s.src, long = withLongText(s.src, f, kind)
			text, err := strconv.Unquote(long)
			if err != nil {
				t.Fatal(err)
			}
			row := []string{name}
			for _, form := range forms {
				var sum checksum
				for _, at := range s.objects() {
					addEdited(&sum, slices.Concat(s.src[:at], []byte(`"zz":`+form.value(text)+`,`), s.src[at:]), d.Name)
				}
				row = append(row, fmt.Sprintf("%06x", sum.sum>>8))
			}
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	transcripttest.Frozen(t, "testdata/repeated.txt", *update, rows)
}

// objects returns the offsets of the first members of one object of each kind.
func (s *source) objects() (starts []int) {
	seen := map[string]bool{}
	for _, m := range s.members() {
		folder := m.path[:strings.LastIndexByte(m.path, '/')]
		if !seen[folder] {
			seen[folder] = true
			starts = append(starts, m.key.Span().Start)
		}
	}
	return starts
}
