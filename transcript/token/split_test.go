package token

import (
	"encoding/base64"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
)

// reference gives the library itself, without our splitting.
func reference(tb testing.TB, name string) *tiktoken.Tiktoken {
	tb.Helper()
	mustNew(tb, name) // sets the loader
	t, err := tiktoken.GetEncoding(name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

var encodings = []string{"o200k_base", "cl100k_base"}

func randomText(r *rand.Rand, alphabet string, chars int) string {
	letters := []rune(alphabet)
	out := make([]rune, chars)
	for i := range out {
		out[i] = letters[r.IntN(len(letters))]
	}
	return string(out)
}

// TestSplitIsExact: texts without long runs count as the library counts them,
// even where they are long enough to be split.
func TestSplitIsExact(t *testing.T) {
	for _, name := range encodings {
		c, ref := mustNew(t, name), reference(t, name)
		for kind, text := range samples() {
			text = text[:2*enough]
			if ends, cut := split(text); len(ends) < 2 || cut != 0 {
				t.Errorf("%s: %d pieces, %d bytes cut", kind, len(ends), cut)
			}
			if got, want := c.Text(text), len(ref.EncodeOrdinary(text)); got != want {
				t.Errorf("%s counts %d in %s, want %d", name, got, kind, want)
			}
		}
		if c.Approximate() != 0 {
			t.Errorf("%s: %v of it approximate", name, c.Approximate())
		}
	}
}

// TestApart: wherever apart allows a split, it changes no count.
func TestApart(t *testing.T) {
	const alphabet = "abzASDé文ǅʰ\u0301\u0e4912٣½ \t\n\r\u00a0\u0085'’/.-_\"{\U0001F600"
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range encodings {
		ref := reference(t, name)
		for range 400 {
			text := randomText(r, alphabet, 12) + " don't"
			whole := len(ref.EncodeOrdinary(text))
			last := symbol
			for i, c := range text {
				k := classOf(c)
				if apart(last, k, c) {
					if got := len(ref.EncodeOrdinary(text[:i])) + len(ref.EncodeOrdinary(text[i:])); got != whole {
						t.Errorf("%s counts %d in %q, %d when split at %d", name, whole, text, got, i)
					}
				}
				last = k
			}
		}
	}
}

// TestSplitError bounds what cutting costs, on the texts that need it. They are
// short because the reference is quadratic.
func TestSplitError(t *testing.T) {
	const size = 6 << 10
	r := rand.New(rand.NewPCG(5, 6))
	raw := make([]byte, size*3/4)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	texts := map[string]string{
		"one letter":     strings.Repeat("a", size),
		"random letters": randomText(r, "abcdefghijklmnopqrstuvwxyz", size),
		"base64":         base64.StdEncoding.EncodeToString(raw),
		"spaces":         strings.Repeat(" ", size),
		"line breaks":    strings.Repeat("\n", size),
		"dashes":         strings.Repeat("-", size),
		"one ideograph":  strings.Repeat("文", size/3),
		"ideographs":     randomText(r, "的一是不了在人有我他这个们中来上大为和国", size/3),
		"mixed":          "x := 1" + strings.Repeat(" ", 2000) + "// " + strings.Repeat("=", 2000) + "\nend",
	}
	for _, name := range encodings {
		ref := reference(t, name)
		for kind, text := range texts {
			got, want := mustNew(t, name).Text(text), len(ref.EncodeOrdinary(text))
			if off := math.Abs(float64(got - want)); off > max(1, 0.003*float64(want)) {
				t.Errorf("%s counts %d in %s, want %d", name, got, kind, want)
			}
		}
	}
}

// TestSplitBoundsWords is why split exists: whatever the text, no piece has a
// long word in it, so the time to count it grows with its length and no faster.
func TestSplitBoundsWords(t *testing.T) {
	const limit = 4 * maxRun // two runs of symbols and what follows, each of which may begin in another
	// The words of both encodings, or more than them, in the syntax of Go.
	words := regexp.MustCompile(`[^\r\n\pL\pN]?[\pL\pM]+|\pN{1,3}| ?[^\s\p{Z}\x{85}\pL\pN]+[\r\n/]*|[\s\p{Z}\x{85}]+`)
	r := rand.New(rand.NewPCG(7, 8))
	for _, alphabet := range []string{"a", "aé文", "a\u0301", "-", "-\u0301", "-/", "/", "/\n", "-\n", "\n", " ", " \n\u00a0", "\U0001F600"} {
		text := randomText(r, alphabet, 6*maxRun)
		text += randomText(r, "-", maxRun) + randomText(r, "\n", maxRun-1) + randomText(r, "/\n", 3*maxRun)
		ends, cut := split(text)
		start := 0
		for _, end := range ends {
			for _, word := range words.FindAllString(text[start:end], -1) {
				if n := utf8.RuneCountInString(word); n > limit {
					t.Errorf("a word of %d characters of %q", n, alphabet)
				}
			}
			start = end
		}
		if start != len(text) || cut <= 3*maxRun || cut > len(text) {
			t.Errorf("%q: ends at %d of %d, %d bytes cut", alphabet, start, len(text), cut)
		}
	}
}

// TestSplitPieces shows where a long run is cut.
func TestSplitPieces(t *testing.T) {
	run := strings.Repeat("é", maxRun) // as long as a run may be
	if ends, cut := split("in " + run + " on"); len(ends) != 1 || cut != 0 {
		t.Errorf("cut at %v, %d bytes", ends, cut)
	}
	ends, cut := split("in " + strings.Repeat(run, 2) + "é on")
	var want []int
	for chars := cutRun; chars <= 3*cutRun; chars += cutRun { // the rest, 257 characters, stays whole
		want = append(want, len("in ")+chars*len("é"))
	}
	if want = append(want, len("in é on")+2*len(run)); !slices.Equal(ends, want) || cut != 2*len(run)+len("é") {
		t.Errorf("cut at %v, want %v; %d bytes", ends, want, cut)
	}
}
