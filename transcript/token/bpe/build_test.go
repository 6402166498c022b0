package bpe

import (
	"encoding/base64"
	"os"
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
		"300000 tokens, more than":            make([]string, 300_000),
		"token 258: joining its bytes does n": append(bytes[:256:256], "bc", "ab", "ab c", "abc"),
	} {
		if _, err := Build(tokens); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := BuildClasses("0041 005A capital\n"); err == nil {
		t.Error("accepts an unknown class")
	}
	if _, err := BuildClasses("nonsense\n"); err == nil {
		t.Error("accepts an invalid list")
	}
}
