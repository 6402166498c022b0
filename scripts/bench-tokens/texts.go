//go:build unix

package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// named is a text with a name.
type named struct{ name, text string }

const size = 2 << 20 // of a text, in bytes

// ordinary returns typical texts. Code and prose come from the Go standard library, prose from
// its comments. The others are generated, and the same in every run.
func ordinary() ([]named, error) {
	code, prose, err := goTree()
	if err != nil {
		return nil, err
	}
	words, err := vocabulary()
	if err != nil {
		return nil, err
	}
	cjk := writing(words, "，。、", "", unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	other := writing(words, ",.;", " ", unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew, unicode.Devanagari)
	texts := []named{{"prose", prose}, {"code", code}, {"json", toolOutput()}, {"logs", logs()}, {"cjk", cjk}}
	var mixed strings.Builder
	for i := 0; mixed.Len() < size; i += 3000 {
		for _, text := range []string{prose, code, texts[2].text, texts[3].text, cjk, other} {
			mixed.WriteString(strings.ToValidUTF8(text[i:i+3000], ""))
		}
	}
	return append(texts, named{"mixed", mixed.String()}), nil
}

// goTree returns code and prose of the standard library.
func goTree() (code, prose string, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", "", err
	}
	var c, p strings.Builder
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".go") || p.Len() >= size {
			return err
		}
		data, err := os.ReadFile(path)
		if c.Len() < size {
			c.Write(data)
		}
		for line := range strings.Lines(string(data)) {
			if text, ok := strings.CutPrefix(line, "// "); ok && !strings.HasPrefix(text, "Copyright") && !strings.Contains(text, "license") {
				p.WriteString(text)
			}
		}
		return err
	})
	return cut(c.String(), size), cut(p.String(), size), err
}

func toolOutput() string {
	r := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, `{"id":"%08x-%04x-4%03x-a%03x-%012x","sha":"%016x%016x","path":"src/%s/%s_%d.go","line":%d,"at":"2025-%02d-%02dT%02d:%02d:%02d.%03dZ","ok":%t,"score":%.4f},`+"\n",
			r.Uint32(), r.IntN(1<<16), r.IntN(1<<12), r.IntN(1<<12), r.Int64N(1<<48), r.Uint64(), r.Uint64(), pick(r, nouns), pick(r, nouns), r.IntN(100), r.IntN(2000),
			1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(2) == 0, r.Float64())
	}
	return cut(b.String(), size)
}

func logs() string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "%08x  %02x %02x %02x %02x %02x %02x %02x %02x  |........|\n", r.IntN(1<<24),
				r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256))
		case 1:
			fmt.Fprintf(&b, "[%s%s] %3d%% %d.%d MB/s eta 0:%02d\r\n", strings.Repeat("=", 1+r.IntN(30)), strings.Repeat(" ", r.IntN(30)), r.IntN(101), r.IntN(90), r.IntN(10), r.IntN(60))
		default:
			fmt.Fprintf(&b, "2025-%02d-%02d %02d:%02d:%02d,%03d %s [%s-%d] %s.%sService - %s %s failed after %dms: connection to 10.%d.%d.%d:%d refused\n",
				1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1000), pick(r, []string{"INFO ", "WARN ", "ERROR"}), pick(r, nouns), r.IntN(32),
				pick(r, nouns), pick(r, nouns), pick(r, nouns), pick(r, nouns), r.IntN(9000), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(65536))
		}
	}
	return cut(b.String(), size)
}

var nouns = strings.Fields(`server client buffer parser queue worker session token cache index router handler payload request
	response stream socket channel context config storage bucket ledger invoice customer shipment inventory scheduler metrics tracer`)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// vocabulary returns the tokens of o200k_base, the most frequent first.
func vocabulary() ([]string, error) {
	file, err := assets.Assets.ReadFile("o200k_base.tiktoken")
	if err != nil {
		return nil, err
	}
	var words []string
	for line := range strings.Lines(string(file)) {
		text, _, _ := strings.Cut(line, " ")
		word, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		words = append(words, string(word))
	}
	return words, nil
}

// writing returns paragraphs, each with words of one script. The n-th word has a frequency of
// about 1/n, as in real text. Real texts in these scripts that are large enough and free to
// copy are not on every machine.
func writing(vocabulary []string, stops, between string, scripts ...*unicode.RangeTable) string {
	words := make([][]string, len(scripts))
	for _, w := range vocabulary {
		w = strings.TrimPrefix(w, " ")
		for i, script := range scripts {
			if w != "" && strings.IndexFunc(w, func(c rune) bool { return !unicode.Is(script, c) }) < 0 {
				words[i] = append(words[i], w)
			}
		}
	}
	marks := []rune(stops)
	r := rand.New(rand.NewPCG(1, 3))
	var zipf []*rand.Zipf
	for i := range words {
		zipf = append(zipf, rand.NewZipf(r, 1.07, 8, uint64(len(words[i])-1)))
	}
	var b strings.Builder
	for b.Len() < size {
		script := r.IntN(len(scripts))
		for range 3 + r.IntN(12) {
			for range 2 + r.IntN(9) {
				b.WriteString(words[script][zipf[script].Uint64()] + between)
			}
			b.WriteRune(marks[r.IntN(len(marks))])
		}
		b.WriteByte('\n')
	}
	return cut(b.String(), size)
}

// hostile returns texts of n bytes that other tokenizers count slowly.
func hostile(n int) []named {
	r := rand.New(rand.NewPCG(1, 4))
	raw := make([]byte, 0, n)
	for len(raw) < n*3/4 {
		raw = binary.LittleEndian.AppendUint64(raw, r.Uint64())
	}
	var letters, anything strings.Builder
	for letters.Len() < n {
		letters.WriteByte('a' + byte(r.IntN(26)))
	}
	for anything.Len() < n {
		anything.WriteRune(rune(0x80 + r.IntN(0x20000)))
	}
	return []named{
		{"one letter", strings.Repeat("a", n)},
		{"random letters", letters.String()},
		{"spaces", strings.Repeat(" ", n)},
		{"line breaks", strings.Repeat("\n", n)},
		{"dashes", strings.Repeat("-", n)},
		{"base64", base64.StdEncoding.EncodeToString(raw)[:n]},
		{"random characters", cut(anything.String(), n)},
		{"one ideograph", strings.Repeat("文", n/3)},
		{"digits", strings.Repeat("7", n)},
		{"marks", strings.Repeat("\u0301A", n/3)},
	}
}
