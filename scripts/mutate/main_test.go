package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMutate measures two packages: the tests of one notice every mutant, those
// of the other call a function without looking at its result.
func TestMutate(t *testing.T) {
	const half = "package half\n\nfunc Half(x int) int {\n\treturn x / 2\n}\n\nfunc Never() string { return \"x\" }\n"
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":                        "module tiny\n\ngo 1.26\n",
		"full/full.go":                  "package full\n\nfunc Both(a, b bool) bool { return a && b }\n\nfunc Forever(n int) {\n\tfor i := 0; i < n; i++ {\n\t}\n}\n",
		"full/full_test.go":             "package full\n\nimport \"testing\"\n\nfunc TestBoth(t *testing.T) {\n\tif !Both(true, true) || Both(true, false) || Both(false, true) {\n\t\tt.Fail()\n\t}\n}\n\nfunc TestSlow(t *testing.T) { Forever(1 << 50) }\n",
		"half/half.go":                  half,
		"half/half_test.go":             "package half\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(0) != 0 {\n\t\tt.Fail()\n\t}\n}\n",
		"scripts/mutate/equivalent.txt": "# comment\nhalf/half.go Half: return x / 2 -> zero for x / 2 | a test\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	o := options{seed: 1, n: 60, jobs: 2, floor: 90, slow: 300 * time.Millisecond}
	good, err := mutate(context.Background(), &out, o, nil)
	if err != nil || good {
		t.Errorf("mutate returned %v, %v", good, err)
	}
	for _, want := range []string{
		"left out: TestSlow in full takes more than 300ms of processor time\n",
		"full: 4 mutants, 2 killed, 2 survived",
		"survived: full/full.go:6: Forever: ",
		"equivalent: half/half.go:4: Half: return x / 2 -> zero for x / 2 (a test)\n",
		"survived: half/half.go:7: Never: return \"x\" -> zero for \"x\" (no test reaches it)\n",
		"half: 4 mutants, 1 killed, 2 survived, 1 equivalent, 33 %",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if text, err := os.ReadFile("half/half.go"); err != nil || string(text) != half {
		t.Errorf("the source has changed: %v\n%s", err, text)
	}
	if good, err := mutate(context.Background(), &out, options{seed: 1, n: 60, jobs: 2, floor: 20, slow: 300 * time.Millisecond}, []string{"./half/"}); good || err != nil {
		t.Errorf("two survivors of four and an accepted one: mutate returned %v, %v", good, err)
	}
}

// TestLeaves checks that the parts of a test are its innermost subtests.
func TestLeaves(t *testing.T) {
	out := "=== RUN   TestAll\n=== RUN   TestAll/one\n=== PAUSE TestAll/one\n=== RUN   TestAll/two\n=== RUN   TestAll/two/deep\n=== RUN   TestAll/two/deeper\nPASS\n"
	if got, want := leaves([]byte(out)), []string{"TestAll/one", "TestAll/two/deep", "TestAll/two/deeper"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := leaves([]byte("=== RUN   TestAll\nPASS\n")); got != nil {
		t.Errorf("a test without subtests has the parts %q", got)
	}
	if got, want := (&test{name: "TestAll/a+b"}).pattern(), `^TestAll$/^a\+b$`; got != want {
		t.Errorf("pattern %s, want %s", got, want)
	}
}

// TestFind checks the mutants of each operator.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		text string // the body of a function with results int and bool
		want []string
	}{
		{"if a < 1 && c {}; return 0, c", []string{
			"a < 1 && c -> a < 1 || c", "if a < 1 && c -> true", "if a < 1 && c -> false",
			"a < 1 -> a <= 1", "a < 1 -> a >= 1", "a < 1 with 1 -> 1+1", "a < 1 with 1 -> 0", "0 -> 0+1", "return c -> negated"}},
		{"a += b - 1; return 0, c", []string{
			"a += b - 1 -> a -= b - 1", "a += b - 1 -> removed", "b - 1 -> b + 1", "b - 1 with 1 -> 1+1", "b - 1 with 1 -> 0", "0 -> 0+1", "return c -> negated"}},
		{`for { if c { break }; a++ }; return a, c`, []string{
			"if c -> true", "if c -> false", "break -> continue", "a++ -> removed", "return a, c -> zero for a", "return c -> negated"}},
		{`s = "x"; g(s); return 0, s == "" || c`, []string{
			`s = "x" -> removed`, "0 -> 0+1", `"x" -> ""`, "g(s) -> removed",
			`s == "" || c -> s == "" && c`, `s == "" -> s != ""`, `return s == "" || c -> negated`}},
		{"const none = 0; if c { return none, c }; return a, c", []string{
			"if c -> true", "if c -> false", "return c -> negated", "return c -> negated #2", "return a, c -> zero for a"}},
		{`l := []int{a}; l = Grow(l, b); return len(l), c`, []string{"return len(l), c -> zero for len(l)", "return c -> negated"}},
		{`switch { case c: g("") }; const k = 3; var l [3]int; panic("x" + s)`, []string{
			"if c -> true", "if c -> false", `g("") -> removed`}},
	} {
		text := "package p\n\nvar Grow func([]int, int) []int\n\nvar s string\n\nfunc g(string) {}\n\nfunc f(a, b int, c bool) (int, bool) {" + c.text + "}\n"
		p := &listed{Dir: t.TempDir(), ImportPath: "p", Name: "p", GoFiles: []string{"p.go"}}
		report := func(file string, line int, message string) {
			if !strings.Contains(message, "declared and not used") {
				t.Errorf("%s: %s:%d: %s", c.text, file, line, message)
			}
		}
		m := &module{}
		checked, err := m.check(p, map[string][]byte{"p.go": []byte(text)}, report)
		if err != nil {
			t.Fatal(err)
		}
		mutants := checked.find()
		var got []string
		for i, x := range mutants {
			got = append(got, x.change)
			x.id = i + 1
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.text, got, c.want)
		}
		b := &batch{listed: p, mutants: mutants, texts: make(map[string][]byte)}
		b.write(checked)
		delete(b.texts, helperName)
		b.texts["p.go"] = append(b.texts["p.go"], stubs...)
		if _, err := m.check(p, b.texts, report); err != nil {
			t.Errorf("all mutants of %s: %v\n%s", c.text, err, b.texts["p.go"])
		}
	}
}

// stubs has the functions of helper, without imports.
const stubs = `
func mutantOn(int) bool                        { return false }
func mutantAnd(int, bool, func() bool) bool    { return false }
func mutantOr(int, bool, func() bool) bool     { return false }
func mutantLess(int, int, int) bool            { return false }
func mutantNot[T ~bool](int, T) T              { return false }
func mutantNegate[T any](int, T) T             { panic(0) }
func mutantValue[T any](int, T, T) T           { panic(0) }
func mutantZero[T any](int, T) T               { panic(0) }
`

// TestEndlessLoop checks that a change that lets an endless loop end, after which the function lacks a
// return, is left out, and no others are.
func TestEndlessLoop(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module tiny\n\ngo 1.26\n",
		"a/a.go": "package a\n\nfunc Down(n int) int {\n\tfor {\n\t\tif n > 1 {\n\t\t\tn--\n\t\t\tcontinue\n\t\t}\n\t\treturn n\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	drawn := ""
	for seed := range 20 {
		var out strings.Builder
		if _, err := mutate(context.Background(), &out, options{seed: seed, n: 60, jobs: 1, list: true}, nil); err != nil {
			t.Fatal(err)
		}
		drawn += out.String()
	}
	if strings.Contains(drawn, "continue -> break") || !strings.Contains(drawn, "n-- -> removed") || !strings.Contains(drawn, "n > 1 -> n >= 1") {
		t.Error(drawn)
	}
}
