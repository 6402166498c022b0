package strategy

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"condense/transcript/lazyregexp"
)

// Target is the size that the user asks for: a number of tokens, or a share of the tokens
// of the conversation. With the zero Target the user asks for none.
type Target struct {
	Tokens int     // absolute
	Share  float64 // of the tokens before the run, 0 to 1; used when Tokens is 0
}

// defaultShare is the share to keep when a strategy works towards a budget, and the user
// set neither a target nor a window.
const defaultShare = 0.5

// targetForm matches the text of a target: digits, a fraction, a unit.
var targetForm = lazyregexp.New(`^(\d+(?:_\d+)*)(\.\d+)?([kKmM%]?)$`)

// UnmarshalText parses "20000", "20_000", "20k", "1.5m" or "50%".
func (t *Target) UnmarshalText(text []byte) (err error) {
	*t, err = parseTarget(string(text))
	return err
}

func parseTarget(s string) (Target, error) {
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
		if m[2] != "" { // tokens are not divisible
			return Target{}, bad
		}
	}
	if n = math.Round(n); n < 1 || n > math.MaxInt32 {
		return Target{}, bad
	}
	return Target{Tokens: int(n)}, nil
}

func (t Target) set() bool { return t.Tokens > 0 || t.Share > 0 }

// Budget returns the tokens that a conversation of before tokens may have: at least
// one, because 0 means no budget.
func (t Target) Budget(before int) int {
	if t.Tokens > 0 {
		return t.Tokens
	}
	share := cmp.Or(t.Share, defaultShare)
	return max(1, int(share*float64(before)))
}

// String returns the target in a form that UnmarshalText takes, or "" for none.
func (t Target) String() string {
	switch {
	case t.Tokens > 0:
		return strconv.Itoa(t.Tokens)
	case t.Share > 0:
		return formatShare(t.Share)
	}
	return ""
}

// formatShare formats a share as a percentage with all its digits: 7% for 0.07.
func formatShare(share float64) string {
	return strconv.FormatFloat(percentOf(share), 'f', -1, 64) + "%"
}

// formatPercent formats a percentage: 66.5% for 66.5.
func formatPercent(percent float64) string { return formatShare(percent / 100) }

// percentOf converts a share to percent, and rounds off the error of the multiplication:
// it returns 7 for 0.07, and not 7.000000000000001.
func percentOf(share float64) float64 { return math.Round(share*1e14) / 1e12 }
