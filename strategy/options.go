package strategy

import (
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

// ParseTarget reads "20000", "20k", "1.5m" or "50%".
func ParseTarget(s string) (Target, error) {
	bad := fmt.Errorf("malformed target %q, expected tokens (20000, 20k) or a share (50%%)", s)
	if share, ok := strings.CutSuffix(s, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || !(p > 0 && p <= 100) {
			return Target{}, bad
		}
		return Target{Share: p / 100}, nil
	}
	factor := 1.0
	switch digits := strings.ToLower(s); {
	case strings.HasSuffix(digits, "k"):
		factor, s = 1e3, s[:len(s)-1]
	case strings.HasSuffix(digits, "m"):
		factor, s = 1e6, s[:len(s)-1]
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil || !(n > 0) || n*factor > math.MaxInt32 || strings.ContainsAny(s, "eExXpP+") || n*factor < 1 {
		return Target{}, bad
	}
	return Target{Tokens: int(n * factor)}, nil
}

func (t Target) set() bool { return t.Tokens > 0 || t.Share > 0 }

// budget is the number of tokens that a conversation of the given size may have.
func (t Target) budget(before int) int {
	switch {
	case t.Tokens > 0:
		return t.Tokens
	case t.Share > 0:
		return int(t.Share * float64(before))
	}
	return int(defaultShare * float64(before))
}

// String is the target as ParseTarget reads it, or "" for none.
func (t Target) String() string {
	switch {
	case t.Tokens > 0:
		return strconv.Itoa(t.Tokens)
	case t.Share > 0:
		return strconv.FormatFloat(t.Share*100, 'f', -1, 64) + "%"
	}
	return ""
}
