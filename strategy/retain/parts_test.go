package retain

import (
	"reflect"
	"slices"
	"testing"

	"condense/transcript"
)

// TestAddEverything checks that every count of a retention is added.
func TestAddEverything(t *testing.T) {
	var one, sum Retention
	v := reflect.ValueOf(&one).Elem()
	counts := 0
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Type() == reflect.TypeFor[Count]():
			f.Set(reflect.ValueOf(Count{Of: 10 + i, Kept: 5 + i}))
			counts++
		case f.Kind() == reflect.Int && f.CanSet():
			f.SetInt(int64(100 + i))
			counts++
		}
	}
	if counts < 9 {
		t.Fatalf("%d counts", counts)
	}
	sum.Add(&one)
	sum.Add(&one)
	w := reflect.ValueOf(sum)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch f := w.Field(i); {
		case f.Type() == reflect.TypeFor[Count]():
			if got := f.Interface(); got != any(Count{Of: 2 * (10 + i), Kept: 2 * (5 + i)}) {
				t.Errorf("%s is %+v", name, got)
			}
		case f.Kind() == reflect.Int:
			if f.Int() != int64(2*(100+i)) {
				t.Errorf("%s is %d", name, f.Int())
			}
		}
	}
}

// TestProseTwice checks that a text that stood twice and is left once counts once.
func TestProseTwice(t *testing.T) {
	const text = "The loop ends one row too early, and the last row is lost."
	before := msgs(user(fix), model(text), model("I will look again now."), model(text))
	for n, want := range map[int]Count{0: {}, 1: {1, 1}, 2: {2, 2}} {
		after := msgs(user(fix))
		for range n {
			after = append(after, model(text))
		}
		var got Retention
		got.answers(conv(before...), conv(after...))
		if got.Paragraphs != want {
			t.Errorf("left %d times: %+v, want %+v", n, got.Paragraphs, want)
		}
	}
}

// TestIsMarkerLine checks which lines of a passage are markers.
func TestIsMarkerLine(t *testing.T) {
	for line, want := range map[string]bool{
		"[3 lines omitted]": true, "  [3 lines omitted]\t": true, "[3 lines": false, "[x]": false, "": false, "a [3 lines omitted]": false,
	} {
		if got := isMarker(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestLongLine checks the length from which on the parts of a line are unrelated.
func TestLongLine(t *testing.T) {
	for size, want := range map[int]bool{longLine: false, longLine + 1: true} {
		if got := (&line{lo: 7, hi: 7 + size}).long(); got != want {
			t.Errorf("%d bytes: %v", size, got)
		}
	}
}

// TestFinder checks that typed text counts as new as often as it is not left elsewhere.
func TestFinder(t *testing.T) {
	after := conv(user("go on"), user("go on"), summary("he said stop now"))
	for _, tt := range []struct {
		left int
		text string
		want bool
	}{
		{0, "go on", false}, {1, "go on", true}, {1, "go on go on", false}, {2, "go on go on", true}, {0, "stop now", true}, {0, "top now", false}, {0, "stop no", false},
	} {
		if got := finder(after, map[string]int{"go on": tt.left})(tt.text); got != tt.want {
			t.Errorf("%q with %d new: %v", tt.text, tt.left, got)
		}
	}
}

// TestWordsOf checks that words end at every other sign of ASCII.
func TestWordsOf(t *testing.T) {
	got := wordsOf("loops{inside}brackets @signs`quoted [Listed] größer Added azure Zero zones")
	for _, word := range []string{"loops", "inside", "brackets", "signs", "quoted", "listed", "größer", "added", "azure", "zero", "zones"} {
		if !got[word] {
			t.Errorf("%s is no word of %v", word, got)
		}
	}
	if len(got) != 11 {
		t.Errorf("%d words: %v", len(got), got)
	}
}

// TestUseOfWholes checks that a call is the same only with the same tool and argument, and a
// result with the same text.
func TestUseOfWholes(t *testing.T) {
	of := func(m *transcript.Message) whole {
		b := m.Blocks[0]
		return (&passage{b: b, p: &b.Parts[0]}).whole()
	}
	if of(call("1", "Read", "a=x")) == of(call("1", "Grep", "a=x")) || of(call("1", "Read", "a=x")) == of(call("1", "Read", "b=x")) {
		t.Error("calls of two tools, or with two arguments, are the same")
	}
	one, other := result("1", "x"), result("2", "x")
	one.Blocks[0].Tool = "Read"
	if of(one) != of(other) || of(one) == of(model("x")) || of(one) == of(result("1", "y")) {
		t.Error("results are compared by more than their text")
	}
}

// TestRequestsOf checks that missing requests are listed as often as they are left, the
// longest first.
func TestRequestsOf(t *testing.T) {
	for range 10 { // the order of a map changes
		got := requestsOf(map[string]int{"bb": 2, "a": 1, "dddd": 1, "aa": 1, "ccc": 1, "d": 0})
		if want := []string{"dddd", "ccc", "aa", "bb", "bb", "a"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
