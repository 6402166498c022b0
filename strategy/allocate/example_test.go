package allocate_test

import (
	"fmt"

	"condense/strategy/allocate"
)

// This example keeps lines for the names that they mention. A second mention of a name has little
// value, so the second line about main.go loses to the one about go.mod.
func ExampleChooser() {
	lines := []struct {
		text   string
		tokens float64
		names  []int32
	}{
		{"main.go calls run", 5, []int32{0, 1}},
		{"main.go has 40 lines", 6, []int32{0}},
		{"go.mod requires cobra", 5, []int32{2}},
	}
	names := allocate.NewMarginal[int32]([]float64{3, 1, 2}, 0.2) // main.go, run, go.mod
	kept := make([]bool, len(lines))
	c := allocate.Chooser{
		Offer: func(i int32) (density, cost float64, ok bool) {
			value := names.Add(0, lines[i].names)
			return allocate.Density(value, lines[i].tokens), lines[i].tokens, !kept[i]
		},
		Keep: func(i int32) {
			kept[i] = true
			names.Keep(lines[i].names)
		},
		Drop: func(i int32) float64 {
			kept[i] = false
			names.Drop(lines[i].names)
			return lines[i].tokens
		},
		Left: 12,
	}
	for i := range lines {
		c.Push(int32(i))
	}
	c.Fill()
	for i, l := range lines {
		if kept[i] {
			fmt.Println(l.text)
		}
	}
	// Output:
	// main.go calls run
	// go.mod requires cobra
}
