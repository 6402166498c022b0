package squeeze

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestCutJSON(t *testing.T) {
	src, err := os.ReadFile("testdata/builds.json")
	if err != nil {
		t.Fatal(err)
	}
	text := &Text{Source: string(src)}
	if !cutJSON(text) {
		t.Fatal("not JSON")
	}
	want := `{
  "total": 24,
  "next": null,
  "builds": [
    "[13 elements omitted]",
    {
      "id…":"[2 keys omitted]",
      "status": "failed",
      "branch…":"[4 keys omitted]",
      "error": {
        "step": "unit",
        "message": "store_test.py::test_reopen: assert 3 == 4"
      },
      "log…":"[1 key omitted]"
    },
    "[3 elements omitted]",
    {
      "id…":"[3 keys omitted]",
      "branch": "hotfix-9",
      "duration_ms…":"[3 keys omitted]"
    },
    "[6 elements omitted]"
  ]
}`
	if got := rendered(text, oddCue); got != want {
		t.Errorf("odd and failed entries: %s", got)
	}
	if got, want := rendered(text, 2), "{\n  \"total…\":\"[3 keys omitted]\"\n}"; got != want {
		t.Errorf("no entries: %s", got)
	}
}

// TestJSONAgain checks that the omissions of two runs are merged.
func TestJSONAgain(t *testing.T) {
	long := strings.Repeat("word ", 20)
	for _, tt := range []struct{ name, source, want string }{
		{"elements", `["[12 elements omitted]","` + long + `","` + long + `"]`, `["[14 elements omitted]"]`},
		{"keys", `{"a":"` + long + `","a…":"[7 keys omitted]","b":"` + long + `"}`, `{"a…":"[9 keys omitted]"}`},
		{"lines", `{"out":"` + long + `\n[30 lines omitted]\n` + strings.Repeat(long+`\n`, 9) + `"}`, `{"out":"[40 lines omitted]\n"}`},
		{"characters", `["` + strings.Repeat(`\u00e9`, 50) + `[100 characters omitted]"]`, `["[150 characters omitted]"]`},
		{"a backslash and an n", `["` + strings.Repeat(`a\\n`, 80) + `\\nb\\n"]`, `["[245 characters omitted]"]`},
		{"text before", "one\ntwo\n[5 lines omitted]\nthree and more\n" + `["` + long + `","` + long + `"]` + "\n", "[8 lines omitted]\n" + `["[2 elements omitted]"]` + "\n"},
		{"a stream", `{"a":"` + long + "\"}\n\"[4 elements omitted]\"\n{\"b\":1}\n", "\"[6 elements omitted]\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := &Text{Source: tt.source, marked: true}
			if !cutJSON(text) && !cutNDJSON(text) {
				t.Fatal("not JSON")
			}
			keep := make([]bool, len(text.Pieces))
			for i, p := range text.Pieces { // the brackets of what is inside
				keep[i] = tt.name == "lines" && int(p.End-p.Start) == len(`"out":"`) || strings.HasSuffix(tt.want, " characters omitted]\"]") && p.End-p.Start == 1
			}
			if got := text.Render(keep); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCutNDJSON(t *testing.T) {
	unit := `{"time":"2031-01-02T10:00:00Z","level":"info","text":"read row #"}` + "\n"
	source := rowsOf(1, 20, unit) + `{"time":"2031-01-02T10:00:07Z","level":"error","text":"row 21 has no key"}` + "\n" + rowsOf(22, 30, unit) + `{"time":"20`
	text := &Text{Source: source}
	if !cutNDJSON(text) {
		t.Fatal("no stream")
	}
	checkMasks(t, text, 1, func(out string) {
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) && line != `{"time":"20` {
				t.Fatalf("%q is not JSON", line)
			}
		}
	})
	want := "\"[20 elements omitted]\"\n" + `{"time":"2031-01-02T10:00:07Z","level":"error","text":"row 21 has no key"}` + "\n\"[9 elements omitted]\"\n" + `{"time":"20`
	if got := rendered(text, oddCue); got != want {
		t.Errorf("got %s", got)
	}
}

func TestNoJSON(t *testing.T) {
	for _, source := range []string{
		"", "{", "[]", "[INFO] started\n[INFO] stopped\n", "{CurrentBranch:main}", `{"a":1,}`, `{,"a":1}`, `["a" "b"]`, "[01]", `["\x"]`, "[\"\n\"]",
		`{"a":1} and then a sentence that is longer than it`, strings.Repeat("[", 600) + strings.Repeat("]", 600),
		"[" + strings.Repeat(" ", 5000) + "1]", `"a short string"`, "func f() {\n\treturn\n}\n",
	} {
		text := &Text{Source: source}
		if (cutJSON(text) || cutNDJSON(text)) && source != "[]" || len(text.Pieces) > 2 {
			t.Errorf("taken for JSON: %q", source)
		}
	}
}

// checkMasks renders a text with some masks of pieces, checks what holds for every
// kind, and passes the results to check.
func checkMasks(t *testing.T, text *Text, seed uint64, check func(out string)) {
	t.Helper()
	tile(t, text)
	clusters(t, text)
	random := rand.New(rand.NewPCG(seed, 1))
	keep := make([]bool, len(text.Pieces))
	for _, share := range []float64{0, .05, .3, .7, 1} {
		for i := range keep {
			keep[i] = random.Float64() < share
		}
		out := text.Render(keep)
		if len(out) > len(text.Source) {
			t.Fatalf("%d bytes became %d", len(text.Source), len(out))
		}
		if share == 1 && out != text.Source {
			t.Fatalf("with every piece kept: %q", out)
		}
		for i, p := range text.Pieces {
			if keep[i] && len(strings.TrimSpace(text.Source[p.Start:p.End])) > 40 && !strings.Contains(out, text.Source[p.Start:p.End]) && !isMark(text, i) {
				t.Fatalf("kept piece %q is not in %q", text.Source[p.Start:p.End], out)
			}
		}
		check(out)
	}
}

func isMark(text *Text, i int) bool {
	for _, m := range text.marks() {
		if int(m) == i {
			return true
		}
	}
	return false
}

func FuzzCutJSON(f *testing.F) {
	for seed := range uint64(20) {
		g := &jsonMaker{Rand: rand.New(rand.NewPCG(seed, 7)), pretty: seed%2 == 0}
		g.value(1)
		f.Add(g.String(), seed)
		f.Add(strings.Repeat(`{"level":"info","text":"line\n"}`+"\n", int(seed)), seed)
	}
	f.Add("HTTP/1.1 200 OK\n\n"+`{"error":null,"list":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}`+"\n3 rows\n", uint64(1))
	f.Fuzz(func(t *testing.T, src string, seed uint64) {
		if text := (&Text{Source: src}); cutNDJSON(text) {
			checkMasks(t, text, seed, func(out string) {
				if a, b := streamEnd(src), streamEnd(out); a == len(src) && b != len(out) {
					t.Fatalf("%q became %q", src, out)
				}
			})
		}
		text := &Text{Source: src}
		if !cutJSON(text) {
			return
		}
		whole := json.Valid([]byte(src))
		checkMasks(t, text, seed, func(out string) {
			if whole && !json.Valid([]byte(out)) {
				t.Fatalf("%q became %q", src, out)
			}
		})
	})
}

// streamEnd returns the length of the part of a text that is a stream of JSON values, each ending
// with its line.
func streamEnd(s string) int {
	at := skipSpace(s, 0)
	for at < len(s) {
		_, end, ok := scanValue(s, at, nil)
		if !ok {
			break
		}
		next := skipSpace(s, end)
		if next < len(s) && !strings.Contains(s[end:next], "\n") {
			break // this line has more than one
		}
		at = next
	}
	return at
}

func TestRandomJSON(t *testing.T) {
	for seed := range uint64(120) {
		g := &jsonMaker{Rand: rand.New(rand.NewPCG(seed, 7)), pretty: seed%2 == 0}
		g.value(0)
		src := g.String()
		if !json.Valid([]byte(src)) {
			t.Fatal(src)
		}
		text := &Text{Source: src}
		if !cutJSON(text) {
			if len(src) > cutAfter && strings.ContainsAny(src[:1], `[{"`) {
				t.Fatalf("not taken for JSON: %q", src)
			}
			continue
		}
		checkMasks(t, text, seed, func(out string) {
			if !json.Valid([]byte(out)) {
				t.Fatalf("%q became %q", src, out)
			}
			again := &Text{Source: out}
			if !cutJSON(again) {
				return
			}
			all := make([]bool, len(again.Pieces))
			for i := range all {
				all[i] = true
			}
			if twice := again.Render(all); twice != out {
				t.Fatalf("%q became %q", out, twice)
			}
		})
	}
}

// jsonMaker writes JSON at random.
type jsonMaker struct {
	strings.Builder
	*rand.Rand
	pretty bool
}

func (g *jsonMaker) value(depth int) {
	n := g.IntN(10)
	if depth > 3 {
		n = 4 + g.IntN(6)
	} else if depth == 0 {
		n = g.IntN(5)
	}
	switch {
	case n < 2:
		g.list(depth, '[', ']', func(int) { g.value(depth + 1) })
	case n < 4:
		g.list(depth, '{', '}', func(i int) {
			g.WriteString(strconv.Quote("key" + strconv.Itoa(i)))
			g.WriteByte(':')
			g.value(depth + 1)
		})
	case n < 7:
		g.text()
	case n < 8:
		g.WriteString(strconv.Itoa(g.IntN(1e9)))
	default:
		g.WriteString([]string{"true", "false", "null", "-1.5e3"}[g.IntN(4)])
	}
}

func (g *jsonMaker) list(depth int, open, end byte, item func(i int)) {
	g.WriteByte(open)
	n := g.IntN(24/(depth+1)) + 1
	for i := range n {
		if i > 0 {
			g.WriteByte(',')
		}
		if g.pretty {
			g.WriteByte('\n')
			g.WriteString(strings.Repeat("  ", depth+1))
		}
		item(i)
	}
	if g.pretty && n > 0 {
		g.WriteByte('\n')
		g.WriteString(strings.Repeat("  ", depth))
	}
	g.WriteByte(end)
}

func (g *jsonMaker) text() {
	words := []string{"a", "word ", `\n`, `\\`, `\"`, `\u00e9`, `e\u0301`, "é", "日本語", `\ud83d\ude00`, "👩‍👩‍👧", "]", "}", "[12 lines omitted]", `\nerror: no`, "longer words here, ", `\t`}
	g.WriteByte('"')
	n := g.IntN(6)
	if g.IntN(5) == 0 {
		n = g.IntN(400)
	}
	for range n {
		g.WriteString(words[g.IntN(len(words))])
	}
	g.WriteByte('"')
}

// TestEarlierMarks checks which strings in JSON are markers of an earlier run.
func TestEarlierMarks(t *testing.T) {
	for s, want := range map[string]int{
		"[5 elements omitted]": 5, "[1 element omitted]": 1, "[5 elements]": 0, "[5 keys omitted]": 0, "5 elements omitted]": 0, "[0 elements omitted]": 0, "[-1 elements omitted]": 0,
		"[x elements omitted]": 0, "[elements omitted]": 0, "": 0, "[1000000000 elements omitted]": 0, "[999999999 elements omitted]": 999999999,
	} {
		if n, ok := earlier(s, "element"); ok != (want > 0) || ok && n != want {
			t.Errorf("%q stands for %d elements, %v, want %d", s, n, ok, want)
		}
	}
	for n, want := range map[int]string{1: "[1 key omitted]", 2: "[2 keys omitted]", 0: "[0 keys omitted]"} {
		if got := marker(n, "key"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for gone, want := range map[string]string{
		`abcdef`: "[6 characters omitted]", `a\nb`: "[2 lines omitted]", `a\nb\n`: `[2 lines omitted]\n`, `a\n`: `[1 line omitted]\n`, `\u00e9\t\\é`: "[4 characters omitted]",
		`[7 lines omitted]\na\n`: `[8 lines omitted]\n`, `ab[7 characters omitted]`: "[9 characters omitted]", `[7 characters omitted][2 characters omitted]`: "[9 characters omitted]",
	} {
		if got := gapEscaped(gone); got != want {
			t.Errorf("%s becomes %s, want %s", gone, got, want)
		}
	}
}

// TestParts checks between which characters a text may be cut.
func TestParts(t *testing.T) {
	for _, tt := range []struct {
		s    string
		at   int
		want bool
	}{{"ab", 0, true}, {"ab", 1, true}, {"ab", 2, true}, {"e\u0301", 1, false}, {"e\u0301", 3, true}, {"aé", 1, true}, {"éa", 2, true}, {"\u0600a", 2, false}, {"\"\u0301", 1, false}, {"", 0, true}} {
		if got := parts(tt.s, tt.at); got != tt.want {
			t.Errorf("%q is cut at %d: %v", tt.s, tt.at, got)
		}
	}
}

// TestScanString checks where strings of JSON end, and what is none.
func TestScanString(t *testing.T) {
	for text, want := range map[string]int{
		`""`: 2, `"a"b`: 3, `"\"" `: 4, `"\\"]`: 4, `"\/"`: 4, `"\b\f\n\r\t"`: 12, `"\u00e9"`: 8, `"\u00EF"`: 8, `"é"`: 4,
		`"`: -1, `"a`: -1, `"\`: -1, `"\"`: -1, `"\x"`: -1, `"\0"`: -1, `"\u00g9"`: -1, `"\u00"`: -1, "\"\n\"": -1,
	} {
		end, ok := scanString(text, 0)
		if !ok {
			end = -1
		}
		if end != want {
			t.Errorf("%q ends at %d, want %d", text, end, want)
		}
	}
}

// TestScanNumber checks where numbers of JSON end, and what is none.
func TestScanNumber(t *testing.T) {
	for text, want := range map[string]int{
		"0": 1, "-0,": 2, "12.50]": 5, "1e5": 3, "1E+5 ": 4, "3.1e-05}": 7, "-7e-2": 5, "01": 1, // the next digit is another value
		"1.": -1, "-": -1, "1e": -1, "1e+": -1, "1.e5": -1, "-x": -1, ".5": -1,
	} {
		end, ok := scanNumber(text, 0)
		if !ok {
			end = -1
		}
		if end != want {
			t.Errorf("%q ends at %d, want %d", text, end, want)
		}
	}
}

// TestUnicodeEscape checks characters that JSON writes as one or two escapes.
func TestUnicodeEscape(t *testing.T) {
	for text, want := range map[string]struct {
		r    rune
		size int
	}{
		`\u00e9`: {'é', 6}, `\u00e9 and more text`: {'é', 6}, `\ud83d\ude00`: {'😀', 12}, `\ud83d\ude00 more`: {'😀', 12},
		`\ud83d and more text`: {'\ufffd', 6}, `\ud83d\u0041 more`: {'\ufffd', 6}, `\ud83dxy`: {'\ufffd', 6}, `\u00`: {0, 0}, `\ud83d`: {0, 0}, `\ud83d\ude`: {0, 0},
	} {
		if r, size := unicodeEscape(text); r != want.r || size != want.size {
			t.Errorf("%s: %q, %d bytes, want %q, %d", text, r, size, want.r, want.size)
		}
	}
}

// TestTimed checks which texts begin with a time or a date.
func TestTimed(t *testing.T) {
	for text, want := range map[string]bool{
		"12:30:01": true, "[12:30:01] x": true, "2026-03-02 x": true, "(2026/03/02)": true, "2026-03-": true, "12:30:0": false, "12.30.01 x": false, "x12:30:01": false, "": false, "[": false, "12345678": false,
	} {
		if got := timed(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
