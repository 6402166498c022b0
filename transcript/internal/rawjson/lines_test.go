package rawjson

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	for _, test := range []struct {
		src  string
		want []string
	}{
		{"", nil},
		{"\ufeff", nil},
		{"\n", []string{""}},
		{"\r\n", []string{""}},
		{"a", []string{"a"}},
		{"a\n", []string{"a"}},
		{"a\nb", []string{"a", "b"}},
		{"\ufeffa\r\nb\r\n", []string{"a", "b"}},
		{"\ufeff\na\n\n\r\nb\n", []string{"", "a", "", "", "b"}},
		{"a\rb\r\r\nc\r", []string{"a\rb\r", "c\r"}},
		{long + "\n" + long, []string{long, long}},
	} {
		var got []string
		next := SkipBOM([]byte(test.src))
		for n, line := range Lines([]byte(test.src)) {
			if n != len(got) || line.Start != next || line.Next <= line.Start {
				t.Errorf("%.20q: line %d is %v", test.src, n, line)
			}
			got, next = append(got, test.src[line.Start:line.End]), line.Next
		}
		if next != len(test.src) || !slices.Equal(got, test.want) {
			t.Errorf("%.20q: lines %.20q, want %.20q", test.src, got, test.want)
		}
	}
	for n := range Lines([]byte("a\nb\nc")) {
		if n == 1 {
			break // the iterator must take it
		}
	}
}

// TestLinesTile checks that only a line break stands between the contents of two lines.
func TestLinesTile(t *testing.T) {
	src := []byte("\ufeff{}\r\n\n[1]\r\nlast")
	out := slices.Clone(src[:SkipBOM(src)])
	for _, line := range Lines(src) {
		if rest := src[line.End:line.Next]; len(bytes.Trim(rest, "\r\n")) != 0 {
			t.Errorf("%q between lines", rest)
		}
		out = append(out, src[line.Start:line.Next]...)
	}
	if !bytes.Equal(out, src) {
		t.Errorf("%q", out)
	}
}

func TestSkip(t *testing.T) {
	if got := SkipSpace([]byte(" \t\r\n x"), 0); got != 5 {
		t.Error(got)
	}
	if got := SkipSpace([]byte("x \v"), 1); got != 2 {
		t.Error(got)
	}
	if got := SkipSpace([]byte("  "), 0); got != 2 {
		t.Error(got)
	}
	if SkipBOM([]byte("\xef\xbb")) != 0 || SkipBOM([]byte("\xef\xbb\xbf")) != 3 {
		t.Error("SkipBOM")
	}
}
