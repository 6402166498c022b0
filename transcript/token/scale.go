package token

import (
	"fmt"
	"math"
)

// The answers of [Scale.Method]: how a count relates to what a provider bills.
const (
	Exact      = "exact"      // the unit is the model's own, or no model was named
	Calibrated = "calibrated" // texts are counted in another unit, times a factor that somebody measured
	Estimate   = "estimate"   // the same, but nobody has measured the factor
)

// Factors outside of these are taken for mistakes: the vocabularies in use differ
// by less than two.
const (
	minFactor = 0.25
	maxFactor = 4
)

const million = 1_000_000

// Scale is what a [Counter] makes of a count of its unit.
type Scale struct {
	Method string
	Factor float64 // tokens of the model for each of the unit
	Band   float64 // percent by which the count of texts is known to be off, either way; 0 when exact or not known
	Source string  // who says so, for people; "" when exact
}

// CheckFactor tells what is wrong with a factor that somebody gives.
func CheckFactor(f float64) error {
	if !(f >= minFactor && f <= maxFactor) { // NaN too
		return fmt.Errorf("the factor %v is not from %v to %v", f, minFactor, float64(maxFactor))
	}
	return nil
}

// Calibrated makes a Counter that counts as c does, but by another scale. Only a
// Counter of a real encoding can be calibrated: the others count by definition.
func (c *Counter) Calibrated(s Scale) (*Counter, error) {
	if !c.unit.real {
		return nil, fmt.Errorf("%s counts by definition and is not calibrated", c.unit.name)
	}
	if err := CheckFactor(s.Factor); err != nil {
		return nil, err
	}
	other := &Counter{
		unit: c.unit, engine: c.engine, model: c.model, window: c.window, output: c.output,
		images: c.images, framing: c.framing,
	}
	other.rescale(s)
	return other, nil
}

func (c *Counter) rescale(s Scale) {
	c.scale = s
	c.millionths = int(math.Round(s.Factor * million))
}

// scaled turns a count of the unit into tokens of the model, rounded. It is
// arithmetic on integers, and a larger count never gives a smaller one.
func (c *Counter) scaled(n int) int {
	if c.millionths == million {
		return n
	}
	return (n*c.millionths + million/2) / million
}
