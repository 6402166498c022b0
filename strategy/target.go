package strategy

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Target is the size that a conversation is to have: a number of tokens, or a share of
// its tokens. The zero Target is none.
type Target struct {
	Tokens int     // absolute
	Share  float64 // of the tokens before the run, 0 to 1; used when Tokens is 0
}

// defaultShare is the target of strategies that aim at a budget when there is none.
const defaultShare = 0.5

// targetForm matches what parseTarget takes: digits, a fraction, a unit.
var targetForm = regexp.MustCompile(`^(\d+(?:_\d+)*)(\.\d+)?([kKmM%]?)$`)

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

// budget returns the tokens that a conversation of before tokens may have: at least
// one, because 0 means no budget.
func (t Target) budget(before int) int {
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
		return exactPercent(t.Share)
	}
	return ""
}

// exactPercent formats a share as a percentage with all its digits: 7% for 0.07.
func exactPercent(share float64) string {
	return strconv.FormatFloat(percentOf(share), 'f', -1, 64) + "%"
}

// percent100 formats a percentage: 66.5%.
func percent100(n float64) string { return exactPercent(n / 100) }

// percentOf returns a share in percent: 7 for 0.07, for which a multiplication by 100
// returns 7.000000000000001.
func percentOf(share float64) float64 { return math.Round(share*1e14) / 1e12 }
