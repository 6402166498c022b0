package token

import (
	"fmt"
	"math"
)

// The values of [Scale.Method]: how a count relates to that of the provider.
const (
	Exact      = "exact"      // the unit is the model's own, or there is no model
	Calibrated = "calibrated" // texts are counted in another unit, times a measured factor
	Estimate   = "estimate"   // the same, with a factor that was not measured
)

// Factors outside these limits are mistakes: the vocabularies in use differ by a
// factor of less than two.
const (
	minFactor = 0.25
	maxFactor = 4
)

const million = 1_000_000

// Scale turns a count in the unit of a [Counter] into tokens of a model.
type Scale struct {
	Method string  // [Exact], [Calibrated] or [Estimate]
	Factor float64 // tokens of the model for each of the unit
	Band   float64 // share by which counts of texts may be off, either way; 0 when exact or unknown
	Source string  // origin of the factor, for people; "" when exact
}

// CheckFactor returns an error for a factor that is out of range.
func CheckFactor(f float64) error {
	if !(f >= minFactor && f <= maxFactor) { // NaN too
		return fmt.Errorf("the factor %v is not from %v to %v", f, minFactor, float64(maxFactor))
	}
	return nil
}

// Calibrated returns a Counter like c with another scale. It returns an error for a
// factor that is out of range, and for a unit that is not a real encoding.
func (c *Counter) Calibrated(s Scale) (*Counter, error) {
	if !c.unit.real {
		return nil, fmt.Errorf("%s counts by definition and is not calibrated", c.unit.name)
	}
	if err := CheckFactor(s.Factor); err != nil {
		return nil, err
	}
	other := &Counter{
		unit: c.unit, engine: c.engine, model: c.model, named: c.named, window: c.window, output: c.output,
		images: c.images, framing: c.framing,
	}
	other.rescale(s)
	return other, nil
}

func (c *Counter) rescale(s Scale) {
	c.scale = s
	c.millionths = int(math.Round(s.Factor * million))
}

// scaled turns a count of the unit into tokens of the model, rounded. The arithmetic
// is on integers, and a larger count never becomes a smaller one.
func (c *Counter) scaled(n int) int {
	if c.millionths == million {
		return n
	}
	return (n*c.millionths + million/2) / million
}
