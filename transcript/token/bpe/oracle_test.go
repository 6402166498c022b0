package bpe

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

var (
	all    = flag.Bool("all", false, "test all characters and all of the corpus, not samples: minutes")
	length = flag.Int("length", 5, "length of the strings that are tested exhaustively; 6 takes minutes")
	random = flag.Int("random", 10_000, "random strings that are tested")
	seed   = flag.Uint64("seed", 1, "of the random strings")
)

// oracle encodes as tiktoken-go does.
type oracle struct{ t *tiktoken.Tiktoken }

var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

func oracleOf(tb testing.TB, name string) oracle {
	tb.Helper()
	offline()
	t, err := tiktoken.GetEncoding(name)
	if err != nil {
		tb.Fatal(err)
	}
	return oracle{t}
}

func (o oracle) tokens(s string) []uint32 {
	tokens := o.t.EncodeOrdinary(s)
	out := make([]uint32, len(tokens))
	for i, id := range tokens {
		out[i] = uint32(id)
	}
	return out
}

// knows reports whether tiktoken-go is right about s: it has the characters of Go's
// Unicode, and does not know that ſ is an s.
func (o oracle) knows(s string) bool {
	for _, r := range s {
		c := symbol
		switch {
		case r == 'ſ':
			return false
		case unicode.In(r, unicode.Lu, unicode.Lt):
			c = upper
		case unicode.Is(unicode.Ll, r):
			c = lower
		case unicode.IsLetter(r):
			c = letter
		case unicode.IsMark(r):
			c = mark
		case unicode.IsNumber(r):
			c = number
		case r == '\r', r == '\n':
			c = newline
		case unicode.IsSpace(r):
			c = space
		}
		if c != classOf(r) {
			return false
		}
	}
	return true
}

// same reports whether e has for s the tokens of the oracle, and counts as many.
func same(t *testing.T, e named, o oracle, s string) bool {
	t.Helper()
	got, want := e.AppendTokens(nil, s), o.tokens(s)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %.80q is %v, want %v", e.name, s, first(got), first(want))
		return false
	}
	if n := e.Count(s); n != len(want) {
		t.Errorf("%s counts %d in %.80q, want %d", e.name, n, s, len(want))
		return false
	}
	return true
}

// forBoth runs a test with each encoding and its oracle, both at a time.
func forBoth(t *testing.T, test func(t *testing.T, e named, o oracle)) {
	for _, e := range encodings() {
		o := oracleOf(t, e.name)
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			test(t, e, o)
		})
	}
}

// TestExhaustive compares every string up to a length of one character of each class, and those that
// the patterns name.
func TestExhaustive(t *testing.T) {
	alphabet := []string{"A", "a", "文", "\u0301", "1", " ", "\t", "\n", "/", ".", "'", "s"}
	forBoth(t, func(t *testing.T, e named, o oracle) {
		var walk func(s string, more int)
		walk = func(s string, more int) {
			if !same(t, e, o, s) || more == 0 {
				return
			}
			for _, c := range alphabet {
				walk(s+c, more-1)
			}
		}
		walk("", *length)
	})
}

// parts holds the parts of random texts: all that the patterns and the vocabularies treat
// differently.
var parts = strings.Split(`a|e|s|z|A|S|Z|0|7|'|.|/|-|_|{|"|é|É|ß|ǅ|ʰ|ª|文|字|の|カ|한|ก|अ|ै|٣|Ⅷ|½|€|…|`+
	`'s|'S|'T|'Re|'vE|'LL|'d|'m|’s| the|ing|HTTP|getName|<|endoftext|>|://|12345|():|=====|`+
	`😀|👩‍👩‍👧|🇩🇪|👍🏽|𝐀|𝟘|的是|こんにちは|안녕하세요|привет|שלום`, "|")

var odd = []string{" ", "\t", "\n", "\r\n", "\v", "  ", "    ", "\n\n", " \n", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff", "\u200b", "|",
	"\u0301", "\u20dd", "\u200d", "\ufe0f", "\x00", "\x7f", "\ufffd", "\xff", "\xc3", "\xe6\x96", "\xed\xa0\x80", "\xf0\x9f", "\x80"}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for n := 1 + r.IntN(1+r.IntN(20)); n > 0; n-- {
		switch r.IntN(8) {
		case 0:
			b.WriteRune(rune(r.IntN(0x3000)))
		case 1:
			b.WriteRune(rune(r.IntN(0x20000)))
		case 2:
			b.WriteByte(byte(r.IntN(256)))
		case 3:
			b.WriteString(strings.Repeat(parts[r.IntN(len(parts))], r.IntN(8)))
		case 4:
			n := 1
			if r.IntN(32) == 0 {
				n = r.IntN(200)
			}
			b.WriteString(strings.Repeat(odd[r.IntN(len(odd))], n))
		case 5:
			b.WriteString(odd[r.IntN(len(odd))])
		default:
			b.WriteString(parts[r.IntN(len(parts))])
		}
	}
	return b.String()
}

func TestRandomTexts(t *testing.T) {
	forBoth(t, func(t *testing.T, e named, o oracle) {
		r := rand.New(rand.NewPCG(*seed, 0))
		for done := 0; done < *random && !t.Failed(); {
			if s := randomText(r); o.knows(s) {
				same(t, e, o, s)
				done++
			}
		}
	})
}

// TestVocabulary compares every token that is text, among others.
func TestVocabulary(t *testing.T) {
	forBoth(t, func(t *testing.T, e named, o oracle) {
		var texts []string
		for id := range size(e) {
			if s := o.t.Decode([]int{id}); utf8.ValidString(s) && o.knows(s) {
				texts = append(texts, s)
			}
		}
		if len(texts) < size(e)*9/10 {
			t.Fatalf("only %d tokens of %d are text", len(texts), size(e))
		}
		for some := range slices.Chunk(texts, 40) {
			same(t, e, o, strings.Join(some, ""))
		}
	})
}

// TestCorpus compares texts of real conversations.
func TestCorpus(t *testing.T) {
	const corpus = "../../../../shared/corpus"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no ", corpus)
	}
	var files []string
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	forBoth(t, func(t *testing.T, e named, o oracle) {
		for i, file := range files {
			if i%20 != 0 && !*all {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// As JSON has it, and as the model does. The oracle takes time
			// quadratic in the length of a piece: only lines, in parts.
			text := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`).Replace(string(data))
			if !*all {
				text = text[:min(len(text), 20_000)]
			}
			for line := range strings.Lines(text) {
				for len(line) > 4000 {
					same(t, e, o, line[:4000])
					line = line[4000:]
				}
				if o.knows(line) {
					same(t, e, o, line)
				}
			}
		}
	})
}

// FuzzTokens compares texts beyond the random ones.
func FuzzTokens(f *testing.F) {
	for _, s := range append(parts, odd...) {
		f.Add("a" + s + " B" + s)
	}
	type pair struct {
		named
		oracle
	}
	var pairs []pair
	for _, e := range encodings() {
		pairs = append(pairs, pair{e, oracleOf(f, e.name)})
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s = s[:min(len(s), 1000)]; pairs[0].knows(s) {
			for _, p := range pairs {
				same(t, p.named, p.oracle, s)
			}
		}
	})
}

// size returns the number of tokens of an encoding.
func size(e named) int { return len(e.vocab.tokens) / 8 }
