package transcript

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMarker(t *testing.T) {
	tests := []struct{ what, want string }{
		{"Read src/a.go: 214 lines", "[Read src/a.go: 214 lines omitted]"},
		{"", "[ omitted]"},
		{"Bash echo [a] > b", "[Bash echo (a) ) b omitted]"},
		{"one\ntwo\r\nthree\tfour", "[one two  three four omitted]"},
		{"a\u0085b\u2028c\u2029d\x00e\x7ff", "[a b c d e f omitted]"},
		{"日本語 é 😀", "[日本語 é 😀 omitted]"},
		{"torn \xe6\x97", "[torn \ufffd\ufffd omitted]"},
		{strings.Repeat("x", 10<<10), "[" + strings.Repeat("x", 390) + " omitted]"},
		{strings.Repeat("語", 10<<10), "[" + strings.Repeat("語", 130) + " omitted]"},
		{"x" + strings.Repeat("語", 200), "[x" + strings.Repeat("語", 129) + " omitted]"},
	}
	for _, tt := range tests {
		if got := Marker(tt.what); got != tt.want {
			t.Errorf("Marker(%.60q)\ngot  %q\nwant %q", tt.what, got, tt.want)
		}
	}
}

func TestIsMarker(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"[Read a.go: 214 lines omitted]", true},
		{"[ omitted]", true},
		{"[Bash make: failed, 80 lines omitted]\nmake: *** [all] Error 2\n", true},
		{"[a omitted]\n", true},
		{"", false},
		{"[", false},
		{"[]", false},
		{"[omitted]", false},
		{" omitted]", false},
		{"[1, 2, 3]", false},
		{"[x](y) omitted", false},
		{"[x](y) omitted]", false},
		{"[[x omitted]", false},
		{"[[x] omitted]", false},
		{"[x omitted]]", false},
		{"[x omitted] and more", false},
		{"some [x omitted]", false},
		{" [x omitted]", false},
		{"\n[x omitted]", false},
		{"[x omitted]\r\nwindows", false},
		{"[x\n omitted]", false},
		{"[x\t omitted]", false},
		{"[x\u2028 omitted]", false},
		{"[x\xff omitted]", false},
		{`["a omitted"]`, false},
		{"[" + strings.Repeat("x", 390) + " omitted]", true},
		{"[" + strings.Repeat("x", 391) + " omitted]", false},
	}
	for _, tt := range tests {
		if got := IsMarker(tt.text); got != tt.want {
			t.Errorf("IsMarker(%.60q) = %v", tt.text, got)
		}
	}
}

func FuzzMarker(f *testing.F) {
	for _, s := range []string{
		"", "Read src/a.go: 214 lines", "[", "]", "[x]", "] omitted]", "[a omitted]", "a\nb", "a\r\nb", "\u2028\u2029\u0085\v\f",
		"\xff\xfe", "torn \xf0\x9f\x98", "\xed\xa0\x80", "😀", "[1, 2, 3]", "[x](y) omitted", "[x omitted]\nmore",
		strings.Repeat("x", 10<<10), strings.Repeat("[😀]\n", 2<<10), strings.Repeat("\xff", 10<<10), "x" + strings.Repeat("語", 400),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := Marker(s)
		inner := strings.TrimSuffix(strings.TrimPrefix(m, "["), " omitted]")
		switch {
		case !IsMarker(m):
			t.Errorf("%q is not recognised", m)
		case !IsMarker(m + "\n" + s):
			t.Errorf("%q is not recognised in front of a text", m)
		case !utf8.ValidString(m):
			t.Errorf("%q is not UTF-8", m)
		case len(inner)+len("[ omitted]") != len(m), strings.ContainsAny(inner, "[]\n\v\f\r\u0085\u2028\u2029"):
			t.Errorf("%q is not one phrase", m)
		case Marker(inner) != m:
			t.Errorf("Marker(%q) is %q the second time", m, Marker(inner))
		}
		if line, _, _ := strings.Cut(s, "\n"); IsMarker(s) {
			if what := strings.TrimSuffix(strings.TrimPrefix(line, "["), " omitted]"); Marker(what) != line {
				t.Errorf("%q is taken for a marker, but Marker cannot make it", line)
			}
		}
	})
}

// TestNumber checks numbers and nouns for people.
func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1204112: "1,204,112", -5: "−5", -12345: "−12,345", 100000: "100,000"} {
		if got := Number(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2140: "2,140 lines"} {
		if got := Plural(n, "line"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
