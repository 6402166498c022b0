package rawjson

import (
	"strings"
	"testing"
	"unsafe"
)

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
