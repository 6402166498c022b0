package transcript

import (
	"reflect"
	"testing"
)

func TestWithPins(t *testing.T) {
	tests := []struct {
		name, conv string
		pins       map[Ref]Pin
		want       string
		copied     []int // messages that are not shared
	}{
		{"nothing to do", "U:a | A:!!b", map[Ref]Pin{{1, 0, Whole}: Verbatim}, "0U:a | 1A:!!b", nil},
		{"raised", "U:a & b | A:c", map[Ref]Pin{{0, 1, Whole}: Present}, "0U:a & !b | 1A:c", []int{0}},
		{"taken away", "U:!a | A:!!b | U:c", nil, "0U:a | 1A:b | 2U:c", []int{0, 1}},
		{"changed", "U:!a & !!b", map[Ref]Pin{{0, 0, Whole}: Verbatim, {0, 1, Whole}: Present}, "0U:!!a & !b", []int{0}},
		{"of a hidden message", "~U:a", map[Ref]Pin{{0, 0, Whole}: Present}, "0~U:!a", []int{0}},
		{"unknown addresses", "U:a", map[Ref]Pin{{0, 7, Whole}: Present, {9, 0, Whole}: Present, At(0): Present}, "0U:a", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv)
			before := deepCopy(c.Messages)
			next := c.WithPins(tt.pins)
			if got := show(next); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !reflect.DeepEqual(c.Messages, before) {
				t.Errorf("the input changed: %s", show(c))
			}
			var copied []int
			for i, m := range c.Messages {
				if next.Messages[i] != m {
					copied = append(copied, i)
				}
			}
			if !reflect.DeepEqual(copied, tt.copied) {
				t.Errorf("copied %v, want %v", copied, tt.copied)
			}
		})
	}
}

func TestWithPinsKeepsTheRest(t *testing.T) {
	c, err := conv("S:rules | U:a & b | A:+a(X) | T:-a 1").Apply(list(drop(0), dropBlock(1, 0), insert(1, "U:new")))
	if err != nil {
		t.Fatal(err)
	}
	b := Ref{1, 1, Whole}
	next := c.WithPins(map[Ref]Pin{b: Verbatim, {4, 0, Whole}: Present})
	if got, want := show(next), "4U:!new | 1U:!!b@1 | 2A:+a(X) | 3T:-a 1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if next.Message(0) != nil || next.Block(b).Pin != Verbatim || c.Block(b).Pin != Unpinned {
		t.Error("addresses do not lead to the blocks with pins")
	}
	if other, ok := next.Partner(Ref{2, 0, Whole}); !ok || other != (Ref{3, 0, Whole}) {
		t.Error("the pair is lost")
	}
	if got, want := showUnits(next.Units()), "U4 U1 R2,3"; got != want {
		t.Errorf("units %s, want %s", got, want)
	}
}
