package strategy

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Options is what a user can set about strategies. The zero value is not useful;
// start from [Defaults].
type Options struct {
	Target Target // how far to go; zero: half, for strategies that aim at a budget
	// Window is the context window of the model in tokens; 0: not known. Trigger
	// decides by it whether a conversation is condensed at all, and the layers of
	// [Progressive] run from shares of it.
	Window  int
	Trigger Trigger

	// KeepRounds is how many tool rounds at the end keep their results in [Mask], and
	// stay whole in layer 1 of [Progressive].
	KeepRounds int
	// Hide has [Truncate] and [Summarize] hide whole messages instead of removing them.
	Hide bool

	PinOptions
	PreparationOptions
	ProgressiveOptions
	SummarizeOptions
	TruncateOptions
}

// Defaults returns the options of a run for which nothing is set.
func Defaults() Options {
	return Options{KeepRounds: 10, ProgressiveOptions: defaultLayers}
}

// OptionError is an option that makes no sense.
type OptionError struct {
	Field   string // of [Options], [Trigger], or a struct embedded in one of them: "KeepFirst"
	Problem string // what it takes: "takes a number from 0 up, not -1"
}

func (e *OptionError) Error() string { return e.Field + " " + e.Problem }

// Validate returns an *[OptionError] for the first option that makes no sense.
func (o *Options) Validate() error {
	for _, n := range []struct {
		field string
		value int
	}{
		{"FreezePrefix", o.FreezePrefix}, {"KeepFirst", o.KeepFirst}, {"KeepLast", o.KeepLast}, {"KeepRounds", o.KeepRounds},
	} {
		if n.value < 0 {
			return notNegative(n.field, n.value)
		}
	}
	for _, l := range []struct {
		field string
		share float64
	}{{"L1", o.L1}, {"L2", o.L2}, {"L3", o.L3}} {
		if !(l.share >= 0) || math.IsInf(l.share, 1) { // NaN is not even that
			return &OptionError{l.field, "takes a share of the window from 0 up, such as 0.4"}
		}
	}
	switch {
	case o.Fraction < 0 || o.Fraction > 1 || math.IsNaN(o.Fraction):
		return &OptionError{"Fraction", fmt.Sprintf("takes a number from 0 to 1, not %v", o.Fraction)}
	case o.Window < 0:
		return &OptionError{"Window", "takes a number of tokens from 0 up"}
	case o.Aggression != 0 && !(o.Aggression >= 0.1 && o.Aggression <= 1):
		return &OptionError{"Aggression", fmt.Sprintf("takes a number from 0.1 to 1, or 0, not %v", o.Aggression)}
	}
	return o.Trigger.validate()
}

func notNegative(field string, value int) error {
	return &OptionError{field, fmt.Sprintf("takes a number from 0 up, not %d", value)}
}

// Target is how small a conversation is to become: a number of tokens, or a
// share of what it has. The zero Target is none.
type Target struct {
	Tokens int     // absolute
	Share  float64 // of the tokens before, 0 to 1; used when Tokens is 0
}

// defaultShare is the target of strategies that aim at a budget when none is given.
const defaultShare = 0.5

// targetForm is what ParseTarget takes: digits, a fraction, a unit.
var targetForm = regexp.MustCompile(`^(\d+(?:_\d+)*)(\.\d+)?([kKmM%]?)$`)

// ParseTarget reads "20000", "20_000", "20k", "1.5m" or "50%".
func ParseTarget(s string) (Target, error) {
	bad := fmt.Errorf("malformed target %q, expected tokens (20000, 20k) or a share (50%%)", s)
	m := targetForm.FindStringSubmatch(s)
	if m == nil {
		return Target{}, bad
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", "")+m[2], 64)
	if err != nil {
		return Target{}, bad
	}
	switch m[3] {
	case "%":
		if n <= 0 || n > 100 {
			return Target{}, bad
		}
		return Target{Share: n / 100}, nil
	case "k", "K":
		n *= 1e3
	case "m", "M":
		n *= 1e6
	case "":
		if m[2] != "" { // there is no half a token
			return Target{}, bad
		}
	}
	if n = math.Round(n); n < 1 || n > math.MaxInt32 {
		return Target{}, bad
	}
	return Target{Tokens: int(n)}, nil
}

// ParseWindow reads a number of tokens as ParseTarget does: "200000", "200k".
func ParseWindow(s string) (int, error) {
	t, err := ParseTarget(s)
	if err != nil || t.Tokens == 0 {
		return 0, fmt.Errorf("malformed window %q, expected tokens (200000, 200k)", s)
	}
	return t.Tokens, nil
}

func (t Target) set() bool { return t.Tokens > 0 || t.Share > 0 }

// budget is the number of tokens that a conversation of the given size may
// have: at least one, because none would mean that nothing is aimed at.
func (t Target) budget(before int) int {
	if t.Tokens > 0 {
		return t.Tokens
	}
	share := cmp.Or(t.Share, defaultShare)
	return max(1, int(share*float64(before)))
}

// String is the target as ParseTarget reads it, or "" for none.
func (t Target) String() string {
	switch {
	case t.Tokens > 0:
		return strconv.Itoa(t.Tokens)
	case t.Share > 0:
		return percent(t.Share)
	}
	return ""
}

// percent writes a share: 7% for 0.07.
func percent(share float64) string { return strconv.FormatFloat(percentOf(share), 'f', -1, 64) + "%" }
