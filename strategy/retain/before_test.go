package retain

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
)

// TestRepeatedTexts checks that a copy of a text counts like a text with the same
// words in other bytes: here, with other white space at the end.
func TestRepeatedTexts(t *testing.T) {
	partly := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		var texts []string
		for range 6 {
			var s strings.Builder
			for s.Len() < rememberFrom+r.IntN(400) {
				fmt.Fprintf(&s, "the value of setting_%d in src/part%d.go is %d now\n", r.IntN(9), r.IntN(5), 100+r.IntN(40))
				if r.IntN(4) == 0 {
					fmt.Fprintf(&s, "  only_%d\n[12 lines of src/part%d.go omitted]\n", r.IntN(5), r.IntN(9))
				}
			}
			texts = append(texts, s.String())
		}
		var same, padded, sameAfter, paddedAfter []*transcript.Message
		for i := range 20 {
			id, text := fmt.Sprint(i), texts[r.IntN(len(texts))]
			pad := text + strings.Repeat(" ", i)
			same, padded = append(same, result(id, text)), append(padded, result(id, pad))
			switch r.IntN(6) {
			case 0:
				sameAfter, paddedAfter = append(sameAfter, result(id, text)), append(paddedAfter, result(id, pad))
			case 1: // not the whole text, so that a fact of it may be there unbound
				from := r.IntN(len(text))
				sameAfter, paddedAfter = append(sameAfter, result(id, text[from:])), append(paddedAfter, result(id, pad[from:]))
			}
		}
		got, want := Of(conv(same...), conv(sameAfter...)), Of(conv(padded...), conv(paddedAfter...))
		got.Typed, want.Typed = Count{}, Count{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: %+v, want %+v", seed, got, want)
		}
		if s := got.Facts; 0 < s.Bound() && s.Bound() < s.Present() && s.Present() < 1 {
			partly++
		}
	}
	if partly == 0 {
		t.Error("nothing was lost in part: little was tested")
	}
}

// TestFarOnAllCores checks that the last mention of a fact does not depend on the
// number of runs that are read at the same time.
func TestFarOnAllCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	far := func() (list []bool) {
		cuts, err := Cuts(working(80), bytesOf)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cuts {
			for _, n := range c.needed {
				list = append(list, n.far)
			}
		}
		return list
	}
	want := far()
	for _, n := range []int{2, 5} {
		runtime.GOMAXPROCS(n)
		if got := far(); !reflect.DeepEqual(got, want) {
			t.Errorf("on %d cores: %v, want %v", n, got, want)
		}
	}
}

// TestRewordedOnAllCores checks that a fact is bound by the words around any of its first places,
// whatever the number of runs that are read at the same time.
func TestRewordedOnAllCores(t *testing.T) {
	var list []*transcript.Message
	list = append(list, model("Nobody knows whether tab_width matters."))
	for i := range 40 {
		list = append(list, model(fmt.Sprintf("Somebody else looked at other_%d for a while.", i)))
	}
	list = append(list, model("The parser reads tab_width twice before printing."), model("The writer skips row_height once after sorting."))
	before, after := conv(list...), conv(summary("In short: parser trouble, tab_width is used before printing happens"), summary("In short: writer trouble, row_height is missing after sorting happens"))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(n)
		a := readBefore(before, readAfter(before, after))
		for _, key := range []string{"tab_width", "row_height"} {
			id := a.id(key)
			if f := &a.facts[id]; !f.present || f.bound || !a.reworded(id, a.after) {
				t.Errorf("on %d cores: %s is present: %t, bound by its line: %t, bound by other words: %t", n, key, f.present, f.bound, a.reworded(id, a.after))
			}
		}
	}
}

// TestShares checks that messages are cut into runs of the same size, and never into empty ones.
func TestShares(t *testing.T) {
	of := func(sizes ...int) (list []*transcript.Message) {
		for _, n := range sizes {
			list = append(list, model(strings.Repeat("x", n)))
		}
		return list
	}
	for _, tt := range []struct {
		msgs []*transcript.Message
		n    int
		want []int
	}{
		{of(5, 5, 5, 5), 1, []int{0, 4}}, {of(5, 5, 5, 5), 2, []int{0, 2, 4}}, {of(5, 5, 5, 5), 4, []int{0, 1, 2, 3, 4}},
		{of(90, 1, 1, 1), 2, []int{0, 1, 4}}, {of(1, 1, 1, 90), 2, []int{0, 4}}, {of(10, 10, 20), 2, []int{0, 2, 3}}, {of(5), 4, []int{0, 1}}, {nil, 4, []int{0, 0}},
	} {
		if got := shares(tt.msgs, tt.n); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%d messages in %d runs: %v, want %v", len(tt.msgs), tt.n, got, tt.want)
		}
	}
}

// TestCore checks the text around a fact of a long line by which the fact is found again. It must
// have words besides facts.
func TestCore(t *testing.T) {
	names := "first_name second_name third_name fourth_name fifth_name sixth_name seventh_name eighth_name ninth_name"
	for text, want := range map[string]bool{
		"the colour of it is row_77 and the weight of it is small": true,
		names[:44] + " row_77 " + names[45:]:                       false,
		"the colour of it is what we want row_77 " + names:         true,
		names + " row_77 the colour of it is what we want":         true,
		"row_77": false,
	} {
		c := conv(result("", text))
		found := false
		passages(c, visible(c), 0, func(_ int, s *passage) {
			s.lines(func(l *line) {
				for i, w := range l.words {
					if w.key != "row_77" {
						continue
					}
					found = true
					if core := l.core(i); (core != "") != want || want && (!strings.Contains(core, "row_77") || !strings.Contains(text, core)) {
						t.Errorf("%q: the core is %q", text, core)
					}
				}
			})
		})
		if !found {
			t.Errorf("%q has no fact row_77", text)
		}
	}
}

// TestCopiesOfAListing checks that the facts of a listing are bound to the call that it
// answers, so that a second copy, in answer to another call, is read too.
func TestCopiesOfAListing(t *testing.T) {
	var listing strings.Builder
	for i := range 40 {
		fmt.Fprintf(&listing, "file_%d.go\n", i)
	}
	ls := func(id, folder, text string) []*transcript.Message {
		return []*transcript.Message{call(id, "Bash", "command=ls "+folder), result(id, text)}
	}
	before := conv(append(ls("1", "a", listing.String()), ls("2", "b", listing.String())...)...)
	after := conv(ls("2", "b", listing.String()[11:])...)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	got := Of(before, after)
	if s := got.Kind(fact.Path); s.Facts != 40 || s.Absent == 0 || s.Unbound != s.Absent {
		t.Errorf("%+v: expected 40 paths, one lost and the others bound", s)
	}
}
