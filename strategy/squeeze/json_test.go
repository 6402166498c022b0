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
	for i, p := range text.Pieces {
		t.Logf("%d under %d like %d cue %g %q", i, p.Under, p.Like, p.Cue, text.Source[p.Start:p.End])
	}
	keep := make([]bool, len(text.Pieces))
	t.Log(text.Render(keep))
	for i := range keep {
		keep[i] = text.Pieces[i].Cue > 0
	}
	t.Log(text.Render(keep))
}

// checkMasks renders a text with some masks of pieces, holds the results against
// what is promised of every kind, and gives them to check.
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
	for _, m := range text.marks {
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
			checkMasks(t, text, seed, func(out string) {})
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
