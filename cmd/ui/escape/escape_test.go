package escape

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"", "", ""},
		{`a\b "c" ä 日本 👩‍👩‍👧 e` + "\u0301 \ufffd", `a\b "c" ä 日本 👩‍👩‍👧 e` + "\u0301 \ufffd", `a\b "c" ä 日本 👩‍👩‍👧 e` + "\u0301 \ufffd"},
		{"a\n\tb", "a\n\tb", `a\n\tb`},
		{"a\r\nb", "a\\r\nb", `a\r\nb`},
		{"\x1b[31mred\x00", `\x1b[31mred\x00`, `\x1b[31mred\x00`},
		{"\x7f\u0080\u009b2J\u009f\u00a0", `\x7f\u0080\u009b2J\u009f` + "\u00a0", `\x7f\u0080\u009b2J\u009f` + "\u00a0"},
		{"\u202a\u202e\u2066\u2069\u200e\u200f\u061c", `\u202a\u202e\u2066\u2069\u200e\u200f\u061c`, `\u202a\u202e\u2066\u2069\u200e\u200f\u061c`},
		{"one\u2028two\u2029three", `one\u2028two\u2029three`, `one\u2028two\u2029three`},
		{"\u2027\u202f\u2065\u206a\u200d", "\u2027\u202f\u2065\u206a\u200d", "\u2027\u202f\u2065\u206a\u200d"},
		{"\x9b31m\xff\xc3(\xed\xa0\x80", `\x9b31m\xff\xc3(\xed\xa0\x80`, `\x9b31m\xff\xc3(\xed\xa0\x80`},
	} {
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestEscapeKeepsPlainText(t *testing.T) {
	plain := strings.Repeat("just text, äöü, 日本語\n", 100)
	if n := testing.AllocsPerRun(10, func() { Text(plain) }); n != 0 {
		t.Errorf("%v allocations for text that needs no escape", n)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b]0;x\a\u202e|`<b>\x9b2J", "\xff\x1b\u202e", "a\r\n\tb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, line := Text(s), Line(s)
		for _, r := range line {
			if unsafeRune(r) {
				t.Fatalf("%U in %q", r, line)
			}
		}
		if strings.Trim(text, "\n\t") == text && text != line && !strings.ContainsAny(text, "\n\t") {
			t.Errorf("%q and %q differ", text, line)
		}
		if Text(text) != text || Line(line) != line {
			t.Errorf("escaping %q twice changes it", s)
		}
		harmless := utf8.ValidString(s) && !strings.ContainsFunc(s, unsafeRune)
		if harmless && (text != s || line != s) {
			t.Errorf("%q changed", s)
		}
	})
}
