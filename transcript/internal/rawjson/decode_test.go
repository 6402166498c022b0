package rawjson

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"
)

var literals = []struct{ raw, text string }{
	{`""`, ""},
	{`"plain"`, "plain"},
	{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
	{`"a\nb"`, "a\nb"},
	{`"\u0041\u00e9\u20AC\u0000"`, "Aé€\x00"},
	{`"\ud83d\ude00"`, "😀"},
	{`"x\uD83D\uDE00y"`, "x😀y"},
	{`"\ud800"`, "\xed\xa0\x80"},
	{`"\udfff"`, "\xed\xbf\xbf"},
	{`"\udc00\udc01"`, "\xed\xb0\x80\xed\xb0\x81"}, // two second halves
	{`"\ud83d\n"`, "\xed\xa0\xbd\n"},
	{`"\ude00\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd"},
	{`"\ud83d\ud83d\ude00"`, "\xed\xa0\xbd😀"},
	{`"\ud83d\\ude00"`, "\xed\xa0\xbd\\ude00"},
	{`"\ud83dx\ude00"`, "\xed\xa0\xbdx\xed\xb8\x80"},
	{`"\\u0041"`, `\u0041`},
	{"\"\xff\xe6\x97\\n\xed\xa0\x80\"", "\xff\xe6\x97\n\xed\xa0\x80"},
	{"\"\\ud83d\xed\xb8\x80\"", "\xed\xa0\xbd\xed\xb8\x80"},
}

func TestDecode(t *testing.T) {
	for _, test := range literals {
		if got := Decode([]byte(test.raw)); got != test.text {
			t.Errorf("%s: %q, want %q", test.raw, got, test.text)
		}
		v := scanned(t, test.raw)
		if v.Str() != test.text || !v.Is(test.text) || v.Is(test.text+"\x00") {
			t.Errorf("%s: Str %q, Is %v", test.raw, v.Str(), v.Is(test.text))
		}
	}
}

func TestCuts(t *testing.T) {
	for _, test := range []struct {
		raw           string
		decoded, want []int
	}{
		{`""`, []int{0, 0, 5}, []int{1, 1, 1}},
		{`"abc"`, []int{-1, 0, 1, 1, 3, 4}, []int{1, 1, 2, 2, 4, 4}},
		{`"a\nb"`, []int{0, 1, 2, 3}, []int{1, 2, 4, 5}},
		{`"\u00e9x"`, []int{0, 1, 2, 3}, []int{1, 1, 7, 8}},
		{`"éx"`, []int{0, 1, 2, 3}, []int{1, 1, 3, 4}},
		{`"\ud83d\ude00\n"`, []int{0, 1, 2, 3, 4, 5}, []int{1, 1, 1, 1, 13, 15}},
		{`"\ud83d\t"`, []int{0, 2, 3, 4}, []int{1, 1, 7, 9}},
		{"\"\xff\x80\xc3\\n\"", []int{0, 1, 2, 3, 4}, []int{1, 2, 3, 4, 6}},
		{`"abc"`, nil, []int{}},
	} {
		if got := Cuts([]byte(test.raw), test.decoded); !slices.Equal(got, test.want) {
			t.Errorf("%q %v: %v, want %v", test.raw, test.decoded, got, test.want)
		}
	}
}

// FuzzCuts compares Cuts with its definition. A place in a literal is fit for a cut if both sides
// are literals that together decode to the whole, and if the cut is not inside a character. Cuts
// returns the last such place that is not behind the offset.
func FuzzCuts(f *testing.F) {
	for _, test := range literals {
		f.Add([]byte(test.raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 2 || len(raw) > 200 || raw[0] != '"' || raw[len(raw)-1] != '"' || !json.Valid(raw) {
			return
		}
		text := Decode(raw)
		starts := map[int]bool{len(text): true}
		for i := 0; i < len(text); {
			starts[i] = true
			_, size := decodeRune(text[i:])
			i += size
		}
		var decoded, want []int
		last := 1
		fit := map[int]int{} // offset in the text: offset in raw
		for i := 1; i < len(raw); i++ {
			head, tail := append(slices.Clone(raw[:i]), '"'), append([]byte{'"'}, raw[i:]...)
			if json.Valid(head) && json.Valid(tail) && Decode(head)+Decode(tail) == text && starts[len(Decode(head))] {
				fit[len(Decode(head))] = i
			}
		}
		for d := range len(text) + 2 {
			if i, ok := fit[d]; ok {
				last = i
			}
			decoded, want = append(decoded, d), append(want, last)
		}
		if got := Cuts(raw, decoded); !slices.Equal(got, want) {
			t.Errorf("%q:\ngot  %v\nwant %v", raw, got, want)
		}
		for d := range decoded { // and each alone
			if got := Cuts(raw, decoded[d:d+1]); got[0] != want[d] {
				t.Errorf("%q at %d: %v, want %d", raw, d, got, want[d])
			}
		}
	})
}

func TestTexts(t *testing.T) {
	long := `"` + strings.Repeat(`a\n`, rememberFrom) + `"`
	other := strings.Replace(long, `a\n`, `b\n`, 1)
	short := `"a\n"`
	same := func(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }
	texts := new(Texts)
	pass := func(src string, passing bool) string {
		doc := Doc{Texts: texts, Passing: passing}
		if err := doc.ScanAll([]byte(src), 0, len(src)); err != nil {
			t.Fatal(err)
		}
		got := doc.Root().Str()
		if want := Decode([]byte(src)); got != want {
			t.Errorf("%.20s…: got %.20q, want %.20q", src, got, want)
		}
		return got
	}
	read := func(src string) string { return pass(src, false) }
	if pass(long, true); len(texts.known) != 0 {
		t.Error("a passing text was remembered")
	}
	if first := read(long); !same(first, read(long)) {
		t.Error("the same literal was decoded twice")
	}
	if !same(read(long), pass(long, true)) {
		t.Error("a passing text was decoded though it is known")
	}
	if same(read(long), read(other)) {
		t.Error("two literals have one text")
	}
	if read(short); len(texts.known) != 2 {
		t.Errorf("%d literals are remembered, want the two long ones", len(texts.known))
	}
}

// TestDecodeRune checks that halves of surrogate pairs are characters, and that other bytes are not.
func TestDecodeRune(t *testing.T) {
	for s, want := range map[string]rune{
		"\xed\xa0\x80": 0xd800, "\xed\xbf\xbf": 0xdfff, "\xed\xa1\x80": 0xd840, "\xed\x9f\xbf": 0xd7ff,
		"\xed\xc0\x80": utf8.RuneError, "\xed\xa0\xc0": utf8.RuneError, "\xed\xa0": utf8.RuneError, "\xee\x80\x80": 0xe000, "a": 'a',
	} {
		r, size := decodeRune(s + "x")
		if wide := map[bool]int{true: 1, false: len(s)}[want == utf8.RuneError]; r != want || size != wide {
			t.Errorf("%x: got %x and %d bytes", s, r, size)
		}
	}
}
