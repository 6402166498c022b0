package ui

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
		{"\u2029\u202f\u2065\u206a\u200d", "\u2029\u202f\u2065\u206a\u200d", "\u2029\u202f\u2065\u206a\u200d"},
		{"\x9b31m\xff\xc3(\xed\xa0\x80", `\x9b31m\xff\xc3(\xed\xa0\x80`, `\x9b31m\xff\xc3(\xed\xa0\x80`},
	} {
		if got := Escape(c.in); got != c.text {
			t.Errorf("Escape(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := EscapeLine(c.in); got != c.line {
			t.Errorf("EscapeLine(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestEscapeKeepsPlainText(t *testing.T) {
	plain := strings.Repeat("just text, äöü, 日本語\n", 100)
	if n := testing.AllocsPerRun(10, func() { Escape(plain) }); n != 0 {
		t.Errorf("%v allocations for text that needs no escape", n)
	}
}

// safe fails the test if s could act on a terminal.
func safe(t *testing.T, s, allowed string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if unsafeRune(r) && !strings.ContainsRune(allowed, r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", nasty, "\xff\x1b\u202e", "a\r\n\tb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, line := Escape(s), EscapeLine(s)
		safe(t, text, "\n\t")
		safe(t, line, "")
		if Escape(text) != text || EscapeLine(line) != line {
			t.Errorf("escaping %q twice changes it", s)
		}
		harmless := utf8.ValidString(s) && !strings.ContainsFunc(s, unsafeRune)
		if harmless && (text != s || line != s) {
			t.Errorf("%q changed", s)
		}
	})
}

// FuzzHostile puts one string wherever a report has one and renders it in every way.
func FuzzHostile(f *testing.F) {
	for _, s := range []string{"", nasty, "| a |\n| - |", "`", "``|`", "\\|", " x ", "<b>", "www.evil.example", "\x1b[0m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := hostile(s)
		for _, o := range []TextOptions{{Verbose: 1}, {Verbose: 1, Width: 60}, {Verbose: 1, Width: 3}} {
			safe(t, string(rendered(t, text(r, o))), "\n")
			safe(t, string(rendered(t, diff(r, o))), "\n\t")
		}
		safe(t, string(rendered(t, asJSON(r))), "\n")
		page := string(rendered(t, markdown(r)))
		safe(t, page, "\n")
		tableShape(t, page)
	})
}
