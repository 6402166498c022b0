package report

import "testing"

// TestRowsAdd checks that each count of rows is added.
func TestRowsAdd(t *testing.T) {
	sum := Rows{Fit: 1, Left: 2, Dropped: 3}
	sum.Add(&Rows{Fit: 10, Left: 20, Dropped: 30})
	if sum != (Rows{Fit: 11, Left: 22, Dropped: 33}) {
		t.Errorf("got %+v", sum)
	}
}

// TestMeasures checks that a measure counts from one occurrence on.
func TestMeasures(t *testing.T) {
	one := Change{Before: 1, After: 1}
	for name, r := range map[string]*Retained{
		"answered": {Answered: one}, "closing": {Closing: one}, "last": {Last: one}, "prose": {Paragraphs: one}, "user": {Typed: one, User: 1}, "todos": {Todos: one}, "facts": {Measurable: true, Bound: 1},
	} {
		if list := r.measures(); len(list) != 1 || list[0].Name != name || list[0].Value != 1 {
			t.Errorf("%s: %+v", name, list)
		}
	}
	for least, want := range map[string]bool{"0": false, "last=0": false, "last=0.1": true, "0.1": true, "last=0,facts=0": false} {
		var l Least
		if err := l.UnmarshalText([]byte(least)); err != nil || l.Demanded() != want {
			t.Errorf("%s demands something: %v, %v", least, l.Demanded(), err)
		}
	}
}
