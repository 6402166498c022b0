package tokenizerjson

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// file returns a tokenizer.json of all bytes and some merges, with changes of its members.
func file(t *testing.T, change func(root, model map[string]any)) []byte {
	t.Helper()
	vocab := map[string]int{}
	decode := fromByteLevel()
	for r := rune(0); r < 0x200; r++ {
		if b, err := decode(string(r)); err == nil {
			vocab[string(r)] = int(b[0])
		}
	}
	merges := []string{"a b", "ab c", "b c", "Ġ a", "Ġa b", "c c", "cc cc", "c ab"}
	for i, m := range merges {
		vocab[strings.ReplaceAll(m, " ", "")] = 256 + i
	}
	model := map[string]any{"type": "BPE", "vocab": vocab, "merges": merges}
	root := map[string]any{
		"model": model, "normalizer": nil, "pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
		"added_tokens": []any{map[string]any{"id": 300, "content": "<x>"}, map[string]any{"id": 301, "content": "<x>y"}},
	}
	if change != nil {
		change(root, model)
	}
	data, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t *testing.T, change func(root, model map[string]any)) *Tokenizer {
	t.Helper()
	tokenizer, err := Read(file(t, change))
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

// TestTokens checks merges, their ranks, added tokens, normalizers and bytes.
func TestTokens(t *testing.T) {
	split := func(pattern string) func(root, model map[string]any) {
		return func(root, _ map[string]any) {
			root["pre_tokenizer"] = map[string]any{"type": "Sequence", "pretokenizers": []any{
				map[string]any{"type": "Split", "pattern": map[string]any{"Regex": pattern}, "behavior": "Isolated", "invert": false},
				map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": false},
			}}
		}
	}
	digits := func(alone bool) func(root, model map[string]any) { // 11 is a token, unless each digit is alone
		return func(root, model map[string]any) {
			model["vocab"].(map[string]int)["11"], model["merges"] = 290, []string{"1 1"}
			root["pre_tokenizer"] = map[string]any{"type": "Sequence", "pretokenizers": []any{
				map[string]any{"type": "Digits", "individual_digits": alone}, map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": false},
			}}
		}
	}
	const end = `|\s*[\r\n]+|\s+(?!\S)|\s+`
	for _, tt := range []struct {
		text   string
		change func(root, model map[string]any)
		want   []uint32
	}{
		{"", nil, nil},
		{"abc", nil, []uint32{257}},
		{"bcab", nil, []uint32{258, 256}},
		{"abc a", nil, []uint32{257, 259}},
		{"ab<x>ab", nil, []uint32{256, 300, 256}},
		{"<x>yab<x", nil, []uint32{301, 256, '<', 'x'}},
		{"cccccc", nil, []uint32{262, 261}},
		{"\xffa", nil, []uint32{0xef, 0xbf, 0xbd, 'a'}},
		{"\u00e9", nil, []uint32{0xc3, 0xa9}},
		{"e\u0301", func(root, _ map[string]any) { root["normalizer"] = map[string]any{"type": "NFC"} }, []uint32{0xc3, 0xa9}},
		{"xbc", func(root, _ map[string]any) {
			root["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{map[string]any{"type": "Replace", "pattern": map[string]any{"String": "x"}, "content": "a"}}}
		}, []uint32{257}},
		{"a  ab", split(`\p{L}+` + end), []uint32{'a', ' ', ' ', 256}},
		{"a  a", split(`.?\p{L}+` + end), []uint32{'a', ' ', 259}},
		{"a\u00a0\u00a0b", split(`\S+` + end), []uint32{'a', 0xc2, 0xa0, 0xc2, 0xa0, 'b'}},
		{"abc", func(_, model map[string]any) { model["merges"] = []string{} }, []uint32{'a', 'b', 'c'}},
		{"abc", func(_, model map[string]any) { model["ignore_merges"] = true; model["merges"] = []string{} }, []uint32{257}},
		{"a1b", func(root, _ map[string]any) {
			root["pre_tokenizer"] = map[string]any{"type": "Sequence", "pretokenizers": []any{
				map[string]any{"type": "Digits", "individual_digits": true}, map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": false},
			}}
		}, []uint32{'a', '1', 'b'}},
		{"a11b", digits(true), []uint32{'a', '1', '1', 'b'}},
		{"a11b", digits(false), []uint32{'a', 290, 'b'}},
		{"ab", func(_, model map[string]any) { model["merges"] = [][]string{{"a", "b"}} }, []uint32{256}},
		{"abc", func(_, model map[string]any) { model["merges"] = []string{"a b", "b c", "a b"} }, []uint32{256, 'c'}}, // the first of equal merges counts
		{"aaaa", func(root, _ map[string]any) {
			root["added_tokens"] = []any{map[string]any{"id": 300, "content": "aa"}, map[string]any{"id": 301, "content": "aaa"}}
		}, []uint32{301, 'a'}},
		{"a b", func(root, model map[string]any) { // without the pattern, a space belongs to what is in front of it, too
			model["vocab"].(map[string]int)["aĠ"], model["merges"] = 290, []string{"a Ġ"}
			root["pre_tokenizer"].(map[string]any)["use_regex"] = false
		}, []uint32{290, 'b'}},
		{"a b", func(_, model map[string]any) {
			model["vocab"].(map[string]int)["aĠ"], model["merges"] = 290, []string{"a Ġ"}
		}, []uint32{'a', ' ', 'b'}},
		{"<x><z><x>y<zz", func(root, _ map[string]any) {
			root["added_tokens"] = []any{map[string]any{"id": 300, "content": "<x>"}, map[string]any{"id": 301, "content": "<x>y"}, map[string]any{"id": 302, "content": "<z>"}, map[string]any{"id": 303, "content": "<zz"}}
		}, []uint32{300, 302, 301, 303}},
		{"a.ab", func(root, model map[string]any) { // a text, and no expression
			model["vocab"].(map[string]int)["a."], model["merges"] = 290, []string{"a .", "a b"}
			root["pre_tokenizer"] = map[string]any{"type": "Sequence", "pretokenizers": []any{
				map[string]any{"type": "Split", "pattern": map[string]any{"String": "."}, "behavior": "Isolated", "invert": false},
				map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": false},
			}}
		}, []uint32{'a', '.', 256}},
	} {
		tokenizer := read(t, tt.change)
		if got := tokenizer.AppendTokens(nil, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
		if n := tokenizer.Count(tt.text); n != len(tt.want) {
			t.Errorf("%q: counted %d, want %d", tt.text, n, len(tt.want))
		}
	}
}

// TestByteFallback checks a vocabulary of characters, as those of Llama 2 and Mistral 7B are.
func TestByteFallback(t *testing.T) {
	byBytes := func(root, model map[string]any) {
		vocab := map[string]int{"▁": 256, "a": 257, "b": 258, "▁a": 259, "ab": 260, "▁ab": 261}
		for b := range 256 {
			vocab[fmt.Sprintf("<0x%02X>", b)] = b
		}
		model["vocab"], model["merges"], model["byte_fallback"] = vocab, []string{"a b", "▁ ab", "▁ a"}, true
		root["pre_tokenizer"] = nil
		root["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{
			map[string]any{"type": "Prepend", "prepend": "▁"}, map[string]any{"type": "Replace", "pattern": map[string]any{"String": " "}, "content": "▁"},
		}}
	}
	metaspace := func(root, model map[string]any) {
		byBytes(root, model)
		root["normalizer"] = nil
		root["pre_tokenizer"] = map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}
	}
	never := func(root, model map[string]any) {
		metaspace(root, model)
		root["pre_tokenizer"].(map[string]any)["prepend_scheme"] = "never"
	}
	if got, want := read(t, never).AppendTokens(nil, "ab ab"), []uint32{260, 261}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	other := func(root, model map[string]any) {
		metaspace(root, model)
		root["pre_tokenizer"].(map[string]any)["prepend_scheme"] = "sometimes"
	}
	if _, err := Read(file(t, other)); err == nil || !strings.Contains(err.Error(), `prepend_scheme "sometimes"`) {
		t.Errorf("another scheme: %v", err)
	}
	for _, change := range []func(root, model map[string]any){byBytes, metaspace} {
		tokenizer := read(t, change)
		if got, want := tokenizer.AppendTokens(nil, "ab ab é"), []uint32{261, 261, 256, 0xc3, 0xa9}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	for text, want := range map[string][]uint32{"<x>a": {300, 257}, "a<x>a<x>": {259, 300, 257, 300}} {
		if got := read(t, metaspace).AppendTokens(nil, text); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestMergeLong checks that both ways to merge find the same tokens.
func TestMergeLong(t *testing.T) {
	tokenizer := read(t, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		piece := make([]byte, 1+rng.IntN(3*longPiece))
		for i := range piece {
			piece[i] = "abc"[rng.IntN(3)]
		}
		ids := make([]uint32, len(piece))
		for i, b := range piece {
			ids[i] = tokenizer.bytes[b]
		}
		long := slices.Clone(tokenizer.mergeLong(slices.Clone(ids)))
		short := tokenizer.mergeShort(ids)
		if !slices.Equal(long, short) {
			t.Fatalf("%s: %v and %v", piece, long, short)
		}
		if all := tokenizer.AppendTokens(nil, string(piece)); !slices.Equal(all, short) || tokenizer.Count(string(piece)) != len(short) {
			t.Fatalf("%s: %v and %v", piece, all, short)
		}
	}
}

// TestRefused checks that a file with an unsupported feature is refused by its name.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(root, model map[string]any){
		"of type \"Unigram\"":      func(_, model map[string]any) { model["type"] = "Unigram" },
		"dropout 0.1":              func(_, model map[string]any) { model["dropout"] = 0.1 },
		"end_of_word_suffix":       func(_, model map[string]any) { model["end_of_word_suffix"] = "</w>" },
		"normalizer \"Lowercase\"": func(root, _ map[string]any) { root["normalizer"] = map[string]any{"type": "Lowercase"} },
		"\"Whitespace\"":           func(root, _ map[string]any) { root["pre_tokenizer"] = map[string]any{"type": "Whitespace"} },
		"add_prefix_space": func(root, _ map[string]any) {
			root["pre_tokenizer"] = map[string]any{"type": "ByteLevel", "add_prefix_space": true}
		},
		"behavior \"Removed\"": func(root, _ map[string]any) {
			root["pre_tokenizer"] = map[string]any{"type": "Split", "behavior": "Removed", "pattern": map[string]any{"Regex": "a"}}
		},
		"cannot be read": func(root, _ map[string]any) {
			root["pre_tokenizer"] = map[string]any{"type": "Split", "behavior": "Isolated", "pattern": map[string]any{"Regex": "a(?=b)"}}
		},
		"neither ByteLevel nor byte_fallback": func(root, _ map[string]any) { root["pre_tokenizer"] = nil },
		"no token for the byte": func(_, model map[string]any) {
			delete(model["vocab"].(map[string]int), "a")
			model["merges"] = []string{}
		},
		"merge 1 is of tokens": func(_, model map[string]any) { model["merges"] = []string{"x y"} },
		"merge 1 is no pair":   func(_, model map[string]any) { model["merges"] = []string{"xy"} },
		"which is not supported: the count would not be exact": func(_, model map[string]any) { model["dropout"] = 0.2 },
		"not a tokenizer.json: merge 1 is no":                  func(_, model map[string]any) { model["merges"] = [][]string{{"a", "b", "c"}} },
		"has lstrip": func(root, _ map[string]any) {
			root["added_tokens"] = []any{map[string]any{"id": 1, "content": "<m>", "lstrip": true}}
		},
		"has rstrip": func(root, _ map[string]any) {
			root["added_tokens"] = []any{map[string]any{"id": 1, "content": "<m>", "rstrip": true}}
		},
		"has single_word": func(root, _ map[string]any) {
			root["added_tokens"] = []any{map[string]any{"id": 1, "content": "<m>", "single_word": true}}
		},
		"a pre-tokenizer follows ByteLevel": func(root, _ map[string]any) {
			root["pre_tokenizer"] = map[string]any{"type": "Sequence", "pretokenizers": []any{map[string]any{"type": "ByteLevel", "add_prefix_space": false}, map[string]any{"type": "Digits"}}}
		},
		"normalizer \"Strip\"": func(root, _ map[string]any) {
			root["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{map[string]any{"type": "Strip"}, map[string]any{"type": "NFC"}}}
		},
		"the token \"a\" has no number":  func(_, model map[string]any) { model["vocab"].(map[string]int)["a"] = -1 },
		"the token \"ab\" has no number": func(_, model map[string]any) { model["vocab"].(map[string]int)["ab"] = 1 << 31 },
		"no model with a vocab":          func(root, _ map[string]any) { delete(root, "model") },
	} {
		if _, err := Read(file(t, change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Read(file(t, func(_, model map[string]any) { model["vocab"].(map[string]int)["zz"] = maxID })); err != nil {
		t.Errorf("the largest number of a token: %v", err)
	}
	for _, added := range []struct {
		id      any
		content string
		refused bool
	}{{0, "<m>", false}, {maxID, "<m>", false}, {maxID + 1, "<m>", true}, {-1, "<m>", true}, {"1", "<m>", true}, {1, "", true}} {
		_, err := Read(file(t, func(root, _ map[string]any) {
			root["added_tokens"] = []any{map[string]any{"id": added.id, "content": added.content}}
		}))
		if (err != nil) != added.refused || err != nil && err.Error() != "not a tokenizer.json: an added token has no number or no content" {
			t.Errorf("%+v: %v", added, err)
		}
	}
	if _, err := Read([]byte("{")); err == nil || !strings.HasPrefix(err.Error(), "not a tokenizer.json: ") {
		t.Errorf("broken JSON: %v", err)
	}
	for _, metaspace := range []map[string]any{
		{"type": "Metaspace", "replacement": "", "prepend_scheme": "first", "split": false}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": true},
		{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
	} {
		if _, err := Read(file(t, func(root, _ map[string]any) { root["pre_tokenizer"] = metaspace })); err == nil || !strings.Contains(err.Error(), "Metaspace splits at spaces") {
			t.Errorf("%v: %v", metaspace, err)
		}
	}
}

// TestSplitters checks the pieces of texts, and that the code for the patterns of many models finds the same
// pieces as the patterns.
func TestSplitters(t *testing.T) {
	const cl100k = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	pieces := func(p *splitter, text string) (list []string) {
		p.each(text, func(piece string) { list = append(list, piece) })
		return list
	}
	for _, tt := range []struct {
		pattern, text string
		want          []string
	}{
		{`\s+`, "a  b c", []string{"a", "  ", "b", " ", "c"}},
		{`\s+`, " a\u3000", []string{" ", "a", "\u3000"}},
		{`\p{N}`, "a12", []string{"a", "1", "2"}},
		{`x`, "abc", []string{"abc"}},
		{`\S+|\s+(?!\S)|\s+`, "a   b  ", []string{"a", "  ", " ", "b", "  "}},
		{cl100k, "It's 12345 words,  isn't it?\n\n x ", []string{"It", "'s", " ", "123", "45", " words", ",", " ", " isn", "'t", " it", "?\n\n", " x", " "}},
		{cl100k, "", nil},
	} {
		var tokenizer Tokenizer
		if err := tokenizer.addSplit(tt.pattern); err != nil {
			t.Fatal(err)
		}
		p := tokenizer.splitters[0]
		if p.next == nil != (tt.pattern != cl100k) {
			t.Errorf("%s: there is code for it: %v", tt.pattern, p.next != nil)
		}
		if got := pieces(&p, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.pattern, got, tt.want)
		}
		p.next = nil
		if got := pieces(&p, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s, by the pattern: %q, want %q", tt.pattern, got, tt.want)
		}
	}
}

// TestTranslated checks how white space in patterns is written out.
func TestTranslated(t *testing.T) {
	for pattern, want := range map[string]string{
		`a\s+b`:      `a[` + spaces + `]+b`,
		`[\s\d]\s`:   `[` + spaces + `\d][` + spaces + `]`,
		`\S`:         `[^` + spaces + `]`,
		`[^\s\p{L}]`: `[^` + spaces + `\p{L}]`,
		`\\s[a\]]\.`: `\\s[a\]]\.`,
		`a\`:         `a\`,
	} {
		if got := translated(pattern); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}

// TestFromByteLevel checks the bytes of characters in vocabularies of GPT-2 and its successors.
func TestFromByteLevel(t *testing.T) {
	decode := fromByteLevel()
	for token, want := range map[string]string{
		"Ġa": " a", "Ċ": "\n", "ĉ": "\t", "Ā": "\x00", "ł": "\xa0", "Ń": "\xad", "¡": "\xa1", "¬": "\xac", "®": "\xae", "ÿ": "\xff", "~": "~", "!": "!", "ġ": "\x7f",
	} {
		if got, err := decode(token); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", token, got, err, want)
		}
	}
	seen, chars := map[string]bool{}, 0
	for r := range rune(0x200) {
		if b, err := decode(string(r)); err == nil {
			seen[b] = true
			chars++
		}
	}
	if len(seen) != 256 || chars != 256 {
		t.Errorf("there are %d characters for %d bytes", chars, len(seen))
	}
}

// TestManyPieces checks that counts stay right when more pieces occur than are cached, and in texts whose
// pieces are long.
func TestManyPieces(t *testing.T) {
	tokenizer := read(t, nil)
	var b strings.Builder
	for i := range cachedPieces + 100 {
		fmt.Fprintf(&b, " x%dab", i)
	}
	b.WriteString(strings.Repeat("abc", longPiece))
	text := b.String()
	for range 2 {
		if got, want := tokenizer.Count(text), len(tokenizer.AppendTokens(nil, text)); got != want {
			t.Errorf("counted %d, want %d", got, want)
		}
	}
	if n := len(tokenizer.workers.Get().(*worker).counts); n > cachedPieces {
		t.Errorf("%d pieces are cached", n)
	}
}

// TestMergeOfOddTokens checks that a merge of tokens that cannot be read names its place.
func TestMergeOfOddTokens(t *testing.T) {
	for _, merge := range []string{"\u00ad \u4e00", "a \u4e00", "a zz", "zz a"} {
		_, err := Read(file(t, func(_, model map[string]any) {
			model["vocab"].(map[string]int)["zza"], model["merges"] = 290, []string{"a b", merge}
		}))
		if err == nil || !strings.Contains(err.Error(), "merge 2") {
			t.Errorf("%q: %v", merge, err)
		}
	}
}
