package bpe

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// vocabulary returns the tokens of an encoding in the order of their numbers.
func vocabulary(tb testing.TB, name string) []string {
	tb.Helper()
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		tb.Fatal(err)
	}
	var tokens []string
	for line := range strings.Lines(string(file)) {
		text, _, _ := strings.Cut(line, " ")
		token, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			tb.Fatal(err)
		}
		tokens = append(tokens, string(token))
	}
	return tokens
}

// TestTables checks that the tables in the program are the output of Build.
func TestTables(t *testing.T) {
	for name, have := range map[string]string{"o200k_base": o200kTables, "cl100k_base": cl100kTables} {
		made, err := Build(vocabulary(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(made) != have {
			t.Errorf("%s: the tables differ from those of the vocabulary: go run ./scripts/gen-vocab", name)
		}
	}
	list, err := os.ReadFile("../../../scripts/gen-vocab/classes.txt")
	if err != nil {
		t.Fatal(err)
	}
	made, err := BuildClasses(string(list))
	if err != nil {
		t.Fatal(err)
	}
	if string(made) != classTable {
		t.Error("classes.bin differs from that of classes.txt: go run ./scripts/gen-vocab")
	}
}

// TestBuild checks that the tables of small invented vocabularies merge as the definition says.
// Their tokens begin with each other, end with each other and cross each other, and not every
// beginning of a token is a token.
func TestBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		tokens := invented(r, 1+r.IntN(300))
		tables, err := Build(tokens)
		if err != nil {
			t.Fatal(err)
		}
		ids := numbers(tokens)
		v := open(string(tables))
		var m merger
		for range 200 {
			var piece string
			for range 1 + r.IntN(4) {
				piece += tokens[len(tokens)-1-r.IntN(min(len(tokens), 150))]
			}
			if got, want := m.merge(&v, piece), slowMerge(ids, piece); !slices.Equal(got, want) {
				t.Fatalf("%q is merged to %v, want %v, with %q", piece, got, want, tokens[256:])
			}
		}
	}
}

// TestLongestToken checks that a token may have 255 bytes, and that it is found and merged.
func TestLongestToken(t *testing.T) {
	var tokens []string
	for b := range 256 {
		tokens = append(tokens, string([]byte{byte(b)}))
	}
	all := strings.Join(tokens, "")
	for n := 2; n <= 255; n++ {
		tokens = append(tokens, all[:n])
	}
	tables, err := Build(tokens)
	if err != nil {
		t.Fatal(err)
	}
	v := open(string(tables))
	var m merger
	for piece, want := range map[string][]uint32{
		all[:254]: {uint32(len(tokens) - 2)},
		all[:255]: {uint32(len(tokens) - 1)},
		all:       {uint32(len(tokens) - 1), 255},
	} {
		if got := m.merge(&v, piece); !slices.Equal(got, want) {
			t.Errorf("a piece of %d bytes is merged to %v, want %v", len(piece), got, want)
		}
	}
}

// invented returns the bytes, a first and the others in any order, and n tokens of the letters a, b
// and c.
func invented(r *rand.Rand, n int) []string {
	tokens := make([]string, 256)
	for i, b := range r.Perm(256) {
		tokens[i] = string([]byte{byte(b)})
	}
	a := slices.Index(tokens, "a")
	tokens[0], tokens[a] = "a", tokens[0]
	parts := []string{"a", "b", "c"}
	for ids := numbers(tokens); len(tokens) < 256+n; {
		left, right := parts[r.IntN(len(parts))], parts[r.IntN(len(parts))]
		// Only the last join of a token may be a new one.
		if joined := left + right; len(joined) < 40 && slices.Equal(slowMerge(ids, joined), []uint32{ids[left], ids[right]}) {
			ids[joined] = uint32(len(tokens))
			tokens, parts = append(tokens, joined), append(parts, joined)
		}
	}
	return tokens
}

// numbers returns the numbers of the tokens.
func numbers(tokens []string) map[string]uint32 {
	ids := make(map[string]uint32, len(tokens))
	for id, token := range tokens {
		ids[token] = uint32(id)
	}
	return ids
}

func TestBuildClasses(t *testing.T) {
	const list = `# first, last, class
0041 0043 upper
0061 0061 lower
05D0 05EA letter
0300 036F mark
0030 0039 number
0020 0020 space
000A 000A break
10FFFF 10FFFF mark
`
	table, err := BuildClasses(list)
	if err != nil {
		t.Fatal(err)
	}
	defer func(before string) { classTable = before }(classTable)
	classTable = string(table)
	for char, want := range map[rune]class{
		'@': symbol, 'A': upper, 'B': upper, 'C': upper, 'D': symbol, 'a': lower, 'b': symbol, 'א': letter, 'ת': letter,
		0x2ff: symbol, 0x300: mark, 0x36f: mark, 0x370: symbol, '9': number, ' ': space, '\n': newline, '\r': symbol,
		0: symbol, 0x10fffe: symbol, 0x10ffff: mark,
	} {
		if got := classOf(char); got != want {
			t.Errorf("%U has class %d, want %d", char, got, want)
		}
	}
}

func TestASCII(t *testing.T) {
	for c := range 0x80 {
		if ascii[c] != classOf(rune(c)) {
			t.Errorf("%q has class %d, in ascii %d", rune(c), classOf(rune(c)), ascii[c])
		}
	}
}

func TestBuildErrors(t *testing.T) {
	var bytes []string
	for b := range 256 {
		bytes = append(bytes, string([]byte{byte(b)}))
	}
	for want, tokens := range map[string][]string{
		"no token is the byte 0xff":           bytes[:255],
		"token 256 has 0 bytes":               append(bytes[:256:256], ""),
		"token 256 has 256 bytes":             append(bytes[:256:256], strings.Repeat("a", 256)),
		"tokens 97 and 256 are the same":      append(bytes[:256:256], "a"),
		"token 256: joining its bytes does":   append(bytes[:256:256], "abc"),
		"token 257: joining its bytes does":   append(bytes[:256:256], "ab", "abcd"),
		"262144 tokens, more than 262143":     make([]string, 1<<18),
		"token 0 has 0 bytes":                 make([]string, 1<<18-1),
		"token 258: joining its bytes does n": append(bytes[:256:256], "bc", "ab", "ab c", "abc"),
	} {
		if _, err := Build(tokens); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, list := range []string{
		"0041 005A capital\n", "nonsense\n", "005A 0041 upper\n", "0041 upper\n", "10FFFF 110000 mark\n",
		"# a comment\n0041 005A capital\n",
	} {
		if _, err := BuildClasses(list); err == nil {
			t.Errorf("accepts %q", list)
		}
	}
}
