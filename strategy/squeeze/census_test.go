package squeeze

import (
	"strconv"
	"testing"
)

// TestOddNumbers checks that a number far from the others is odd, however large all of
// them are.
func TestOddNumbers(t *testing.T) {
	for _, base := range []int{0, 1_000_000, 1_767_225_600_000, 900_000_000_000_000} {
		for _, far := range []int{0, 40} { // the first number is that from which the others are counted
			c := census{}
			value := func(i int) string {
				if i == far {
					return strconv.Itoa(base + 5_000)
				}
				return strconv.Itoa(base + i)
			}
			for i := range 60 {
				c.rows++
				c.add("at", value(i))
			}
			for i := range 60 {
				if got, want := c.odd("at", value(i)), i == far; got != want {
					t.Errorf("%s is odd: %v, want %v", value(i), got, want)
				}
			}
		}
	}
}

// TestManyColumns checks that a value in a column that was not counted is not odd.
func TestManyColumns(t *testing.T) {
	c := census{}
	name := func(i int) string { return "c" + strconv.Itoa(i) }
	for range 20 {
		c.rows++
		for i := range maxColumns + 20 {
			c.add(name(i), `"open"`)
		}
	}
	for i := range maxColumns + 20 {
		if c.odd(name(i), `"open"`) {
			t.Fatalf("%s is odd", name(i))
		}
	}
	few := census{rows: 20}
	if !few.odd("only here", `"open"`) {
		t.Error("a column that no counted row has is not odd")
	}
}
