package format

import (
	"slices"
	"testing"

	"condense/transcript/internal/rawjson"
)

func TestSpanSet(t *testing.T) {
	var taken spanSet
	for _, s := range []rawjson.Span{{Start: 10, End: 20}, {Start: 2, End: 2}, {Start: 30, End: 31}, {Start: 24, End: 26}} {
		taken.add(s)
	}
	if !slices.IsSortedFunc(taken, func(a, b rawjson.Span) int { return a.Start - b.Start }) {
		t.Errorf("not in order: %v", taken)
	}
	for _, tt := range []struct {
		from, to int
		want     bool
	}{
		{0, 1, false}, {0, 2, true}, {2, 3, true}, {3, 9, false}, {3, 10, true}, {12, 13, true}, {0, 40, true},
		{20, 20, true}, {21, 23, false}, {21, 24, true}, {26, 27, true}, {27, 29, false}, {31, 40, true}, {32, 40, false},
	} {
		if got := taken.touch(rawjson.Edit{Span: rawjson.Span{Start: tt.from, End: tt.to}}); got != tt.want {
			t.Errorf("[%d,%d) touches: %v", tt.from, tt.to, got)
		}
	}
}
