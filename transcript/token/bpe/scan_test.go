package bpe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestContraction compares with the published expression: every pair of bytes after an apostrophe,
// and ſ, which is an s in lower case.
func TestContraction(t *testing.T) {
	published := regexp.MustCompile(`^(?i:'s|'t|'re|'ve|'m|'ll|'d)`)
	texts := []string{"", "'", "s", "'ſ", "'ſ.", "'\xc5", "'Ŀ", "it's"}
	for a := range 256 {
		texts = append(texts, "'"+string([]byte{byte(a)}))
		for b := range 256 {
			texts = append(texts, "'"+string([]byte{byte(a), byte(b)}))
		}
	}
	for _, s := range texts {
		if got, want := contraction(s, 0), len(published.FindString(s)); got != want {
			t.Errorf("%q begins with a contraction of %d bytes, want %d", s, got, want)
		}
	}
	if got := contraction("it's", 2); got != 2 {
		t.Errorf("the contraction of it's has %d bytes", got)
	}
}

// TestNotUTF8 checks that every byte of what only looks like a character is U+FFFD: forms that are
// too long, halves of surrogates, numbers beyond the last character, and parts.
func TestNotUTF8(t *testing.T) {
	for _, broken := range []string{
		"\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
		"\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\x80", "\xbf",
		"\xe6\x96", "\xe6\x96a", "\xe6a\x87", "\xe6\xc6\x87", "\xe6\x96\xc7", "\xf0\x9f\x98", "\xc3", "\xc3\xc3",
	} {
		for _, form := range []string{"%s", "a%s", "%sa", " %s ", "1%s1", "文%s文", "'%s", "%s's", "\n%s\n", "%[1]s%[1]s"} {
			s := fmt.Sprintf(form, broken)
			valid := string([]rune(s))
			if strings.Count(valid, "\ufffd") < strings.Count(form, "%") || utf8.ValidString(s) {
				t.Fatalf("%q is UTF-8", s)
			}
			for _, e := range encodings() {
				got, want := e.AppendTokens(nil, s), e.AppendTokens(nil, valid)
				if !slices.Equal(got, want) {
					t.Errorf("%s: %q is %v, want the tokens of %q, %v", e.name, s, got, valid, want)
				}
				if n := e.Count(s); n != len(want) {
					t.Errorf("%s counts %d in %q, want %d", e.name, n, s, len(want))
				}
			}
		}
	}
}

// TestKey checks that the key of a piece depends on its bytes alone, not on what stands around it,
// and that keys spread over the whole cache.
func TestKey(t *testing.T) {
	const piece = "abcdefghijklmno"
	seen := map[key]string{}
	for from := range len(piece) {
		for to := from + 1; to <= len(piece) && to-from <= cached; to++ {
			want := keyOf(piece[from:to], 0, to-from)
			for _, s := range []string{piece, piece + " ", piece + strings.Repeat("\xff", 40)} {
				if got := keyOf(s, from, to); got != want {
					t.Fatalf("%q in %q has the key %x, alone %x", piece[from:to], s, got, want)
				}
			}
			if other, taken := seen[want]; taken || want == (key{}) || want.high&countMask != 0 {
				t.Errorf("%q has the key %x, %q too", piece[from:to], want, other)
			}
			seen[want] = piece[from:to]
		}
	}
	slots := map[uint64]bool{}
	for i := range 4 << slotBits {
		word := fmt.Sprintf(" word%d", i)
		slots[keyOf(word, 0, len(word)).slot()] = true
	}
	// Random slots would leave out one in 55.
	if len(slots) < 1<<slotBits*9/10 {
		t.Errorf("the keys of %d words use %d slots of %d", 4<<slotBits, len(slots), 1<<slotBits)
	}
}
