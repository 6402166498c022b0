package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestStyleOf(t *testing.T) {
	for _, test := range []struct {
		raw     string
		yes, no choice
	}{
		{``, 0, 0},
		{`"plain \n \t \u0001"`, 0, 0},
		{`"\u00e9"`, escapeNonASCII, upperHex},
		{`"\u00E9"`, escapeNonASCII | upperHex, 0},
		{`"\u0101"`, escapeNonASCII, 0},
		{`"é"`, 0, escapeNonASCII},
		{`"é\u00e9"`, 0, escapeNonASCII | upperHex},
		{`"\ud83d\ude00"`, escapeNonASCII, upperHex},
		{`"\ud83d"`, 0, upperHex}, // has no other form
		{`"\ufffd"`, 0, upperHex}, // Go, for bytes that are no UTF-8
		{`"\u2028"`, escapeLineSeparators, 0},
		{"\"\u2028\"", 0, escapeNonASCII | escapeLineSeparators},
		{`"a\/b"`, escapeSlash, 0},
		{`"a/b"`, 0, escapeSlash},
		{`"<\/script> and/or"`, 0, escapeSlash | escapeHTML},
		{`"a\\/b"`, 0, escapeSlash},
		{`"\u003cb\u003e"`, escapeHTML, upperHex},
		{`"\u0026"`, escapeHTML, 0},
		{`"a & b"`, 0, escapeHTML},
		{`"\u007f"`, escapeDEL, upperHex},
		{"\"\x7f\"", 0, escapeDEL},
		{"\"\xff\"", 0, escapeNonASCII},
		{`{"url":"https:\/\/x","name":"\u65e5"}`, escapeSlash | escapeNonASCII, upperHex},
		{`"\u003Fabc"`, upperHex, 0}, // the letters behind the digits say nothing
		{`"\u0031a"`, 0, 0},
		{`cut \`, 0, 0},
		{`cut \u00e`, 0, 0},
		{`cut \ud83d\ud`, 0, upperHex},
	} {
		if got := StyleOf([]byte(test.raw)); got != (Style{test.yes, test.no}) {
			t.Errorf("%q: yes %06b, no %06b; want %06b, %06b", test.raw, got.yes, got.no, test.yes, test.no)
		}
	}
}

func TestStyleOr(t *testing.T) {
	mine := StyleOf([]byte(`"\u00E9 a/b"`))
	file := StyleOf([]byte(`"\u00e9 \/ \u003c"`))
	if got := string(mine.Or(file).Quote("é/<")); got != `"\u00E9/\u003C"` {
		t.Error(got)
	}
	if mine.Or(Style{}) != mine || (Style{}).Or(mine) != mine {
		t.Error("the zero Style has a choice")
	}
}

const everyKind = "q\" b\\ /s <h> & \x00\x1f\b\f\n\r\t \x7f é € 😀 \u2028\u2029 \xff \xed\xa0\x80."

func TestQuote(t *testing.T) {
	for _, test := range []struct {
		like string // the style is that of this source
		want string
	}{
		{``, "q\\\" b\\\\ /s <h> & \\u0000\\u001f\\b\\f\\n\\r\\t \x7f é € 😀 \u2028\u2029 \xff \\ud800."},
		{`"\u00e9"`, `q\" b\\ /s <h> & \u0000\u001f\b\f\n\r\t ` + "\x7f" + ` \u00e9 \u20ac \ud83d\ude00 \u2028\u2029 \ufffd \ud800.`},
		{`"\u00E9"`, `q\" b\\ /s <h> & \u0000\u001F\b\f\n\r\t ` + "\x7f" + ` \u00E9 \u20AC \uD83D\uDE00 \u2028\u2029 \uFFFD \uD800.`},
		{`"é \u003c \u2028 \/ \u007f"`, "q\\\" b\\\\ \\/s \\u003ch\\u003e \\u0026 \\u0000\\u001f\\b\\f\\n\\r\\t \\u007f é € 😀 \\u2028\\u2029 \xff \\ud800."},
	} {
		style := StyleOf([]byte(test.like))
		if got := string(style.Quote(everyKind)); got != `"`+test.want+`"` {
			t.Errorf("like %s:\ngot  %q\nwant %q", test.like, got, test.want)
		}
		if got := string(style.Append([]byte("before "), everyKind)); got != "before "+test.want {
			t.Errorf("like %s: Append: %q", test.like, got)
		}
	}
}

// TestQuoteLikeJSON checks that the zero Style is that of encoding/json without EscapeHTML.
func TestQuoteLikeJSON(t *testing.T) {
	for r := range rune(0x3000) {
		if r == '\u2028' || r == '\u2029' {
			continue
		}
		var want strings.Builder
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(string(r)); err != nil {
			t.Fatal(err)
		}
		if got := string(Style{}.Quote(string(r))); got+"\n" != want.String() {
			t.Errorf("%U: %s, want %s", r, got, want.String())
		}
	}
}

// TestQuoteJoinsSurrogates checks that half characters of two texts become one character when the
// texts are joined.
func TestQuoteJoinsSurrogates(t *testing.T) {
	text := Decode([]byte(`"\ud83d"`)) + Decode([]byte(`"\ude00"`))
	if got := string(Style{}.Quote(text)); got != `"\ud83d\ude00"` {
		t.Error(got)
	}
}

func TestStyleFor(t *testing.T) {
	sources := []string{
		``, `"a/b"`, `"a\/b"`, `"é"`, `"\u00e9"`, `"\u00E9"`, `"\u003cb\u003e"`, `"a & b"`, `"\u007f"`, `"\u2028"`, "\"\u2028\"",
		`"\u001F"`, `"\u001f é"`, `"\u00E9 é \/ /"`, `"cut \u00e`,
	}
	for _, text := range []string{"", "plain\n", "a/b", "<b>", "é", "\x7f", "\u2028", "\x0e", "\x1f", "\xed\xa0\xbd", "/é\x1f", everyKind} {
		for _, near := range sources {
			for _, far := range sources {
				want := string(StyleOf([]byte(near)).Or(StyleOf([]byte(far))).Quote(text))
				sample := NewSample([]byte(far))
				for range 2 { // what a Sample has seen makes no difference
					if got := string(StyleFor(text, NewSample([]byte(near)), sample).Quote(text)); got != want {
						t.Errorf("%q near %s, far %s: got %s, want %s", text, near, far, got, want)
					}
				}
			}
		}
	}
}

// TestStyleForLooksNoFurther checks that StyleFor reads no further than the text requires.
func TestStyleForLooksNoFurther(t *testing.T) {
	far := NewSample([]byte(`"/ é ` + strings.Repeat("a", 100)))
	StyleFor("a/b", NewSample([]byte(`"c/d"`)), far)
	if far.seen != 0 {
		t.Errorf("looked at %d bytes", far.seen)
	}
	StyleFor("a/b", NewSample(nil), far)
	if far.seen == 0 || far.seen > 4 {
		t.Errorf("looked at %d bytes", far.seen)
	}
}

func FuzzStyle(f *testing.F) {
	for _, test := range literals {
		f.Add(test.text, []byte(test.raw))
		f.Add(everyKind, []byte(test.raw))
	}
	f.Add(everyKind, []byte(`"\u00E9 \/ \u003c \u007f \u2028"`))
	f.Add("\xed\xa0\x80\xed\xa0\xbd\xed\xb8\x80\xed\xb8\x80", []byte(`"\u00e9"`))
	f.Fuzz(func(t *testing.T, text string, like []byte) {
		style := StyleOf(like)
		lit := style.Quote(text)
		for _, half := range []int{0, len(like) / 2, len(like)} {
			near, far := like[:half], like[half:]
			want := StyleOf(near).Or(StyleOf(far)).Quote(text)
			if got := StyleFor(text, NewSample(near), NewSample(far)).Quote(text); !bytes.Equal(got, want) {
				t.Fatalf("StyleFor writes %q, want %q", got, want)
			}
		}
		if !json.Valid(lit) {
			t.Fatalf("%q is no JSON", lit)
		}
		ascii := style.yes&escapeNonASCII != 0
		if got, want := Decode(lit), joined(text, ascii); got != want {
			t.Errorf("%q decodes to %q, want %q", lit, got, want)
		}
		if ascii && strings.ContainsFunc(string(lit), func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Errorf("%q is not ASCII", lit)
		}
		may := style.yes
		if ascii {
			may |= escapeLineSeparators // they are beyond ASCII
		}
		if joined(text, false) != text {
			may |= escapeNonASCII // two halves, two escapes
		}
		if seen := StyleOf(lit); seen.no&style.yes != 0 || seen.yes&^may != 0 {
			t.Errorf("%q has style %06b/%06b, meant was %06b", lit, seen.yes, seen.no, style.yes)
		}
	})
}

// joined returns text with surrogates joined to characters and, in an ASCII
// style, with U+FFFD for bytes that are nothing.
func joined(text string, ascii bool) string {
	var units []uint16
	var out []byte
	flush := func() {
		for i := 0; i < len(units); i++ {
			r := rune(units[i])
			if i+1 < len(units) && utf16.DecodeRune(r, rune(units[i+1])) != utf8.RuneError {
				r = utf16.DecodeRune(r, rune(units[i+1]))
				i++
			}
			if r >= 0xd800 && r < 0xe000 {
				out = append(out, 0xed, byte(0x80|r>>6&0x3f), byte(0x80|r&0x3f))
			} else {
				out = utf8.AppendRune(out, r)
			}
		}
		units = units[:0]
	}
	for i := 0; i < len(text); {
		b := text[i:]
		if len(b) >= 3 && b[0] == 0xed && b[1] >= 0xa0 && b[1] <= 0xbf && b[2] >= 0x80 && b[2] <= 0xbf {
			units = append(units, 0xd000|uint16(b[1]&0x3f)<<6|uint16(b[2]&0x3f))
			i += 3
			continue
		}
		flush()
		r, size := utf8.DecodeRuneInString(b)
		if r == utf8.RuneError && size == 1 && ascii {
			out = append(out, "\ufffd"...)
		} else {
			out = append(out, b[:size]...)
		}
		i += size
	}
	flush()
	return string(out)
}

func TestOrdinary(t *testing.T) {
	for c := range 256 {
		want := c >= ' ' && c < 0x7f && !strings.ContainsRune(`"&/<>\`, rune(c))
		if ordinary(byte(c)) != want {
			t.Errorf("ordinary(0x%02x) is %v", c, !want)
		}
		stop := c < ' ' || c == '"' || c == '\\'
		for n := range 8 {
			for _, fill := range []string{"abcdefgh", "ABCDEFGH", "!#!#!#!#", "        ", "~~~~~~~~"} {
				b := []byte(fill)
				b[n] = byte(c)
				if got := skipOrdinary(string(b), 0); want && got != 8 || !want && got != n {
					t.Errorf("skipOrdinary(%q) is %d", b, got)
				}
				if got := stops(word(b)); stop && got&-got != 0x80<<(8*n) || !stop && got != 0 {
					t.Errorf("stops(%q) is %x", b, got)
				}
			}
		}
	}
}
