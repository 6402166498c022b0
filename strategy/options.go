package strategy

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Options is what a user can set about strategies. The zero value is not
// useful; start from [Defaults].
type Options struct {
	Target     Target  // how far to go; zero: half, for strategies that aim
	KeepFirst  int     // messages at the start that are not touched
	KeepLast   int     // messages at the end that are not touched
	KeepRounds int     // mask: tool rounds at the end whose results stay
	Fraction   float64 // truncate: the classic rule instead of a budget, share of the messages that goes; 0: off
	Pin        []*regexp.Regexp
	UnpinUser  bool // typed text may be removed
	Hide       bool // truncate: hide messages behind a marker instead of removing them: whole ones only

	Thinking    Thinking // what becomes of the model's thinking
	TargetModel string   // the model that will go on, when it is another
	Images      Images   // what becomes of images
	DropHidden  bool     // remove what is outside the effective view
}

// Defaults are the options of a run without flags.
func Defaults() Options { return Options{KeepRounds: 10} }

// Validate reports the first option that makes no sense.
func (o *Options) Validate() error {
	switch {
	case o.KeepFirst < 0, o.KeepLast < 0, o.KeepRounds < 0:
		return fmt.Errorf("--keep-first, --keep-last and --keep-rounds take a number from 0 up")
	case o.Fraction < 0 || o.Fraction > 1 || math.IsNaN(o.Fraction):
		return fmt.Errorf("--fraction takes a number from 0 to 1, not %v", o.Fraction)
	}
	return nil
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

func (t Target) set() bool { return t.Tokens > 0 || t.Share > 0 }

// budget is the number of tokens that a conversation of the given size may
// have: at least one, because none would mean that nothing is aimed at.
func (t Target) budget(before int) int {
	if t.Tokens > 0 {
		return t.Tokens
	}
	share := cmp.Or(t.Share, defaultShare)
	return min(before, max(1, int(share*float64(before))))
}

// String is the target as ParseTarget reads it, or "" for none.
func (t Target) String() string {
	switch {
	case t.Tokens > 0:
		return strconv.Itoa(t.Tokens)
	case t.Share > 0:
		percent := math.Round(t.Share*1e14) / 1e12 // 0.07*100 is not 7
		return strconv.FormatFloat(percent, 'f', -1, 64) + "%"
	}
	return ""
}
