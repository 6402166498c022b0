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
	Target       Target  // how far to go; zero: half, for strategies that aim
	KeepFirst    int     // messages at the start that are not touched
	FreezePrefix int     // messages at the start, instructions counted, that a provider may have cached
	KeepLast     int     // messages at the end that are not touched
	KeepRounds   int     // mask: tool rounds at the end whose results stay; progressive: that stay whole in layer 1
	Fraction     float64 // truncate: the classic rule instead of a budget, share of the messages that goes; 0: off
	Pin          []*regexp.Regexp
	Protect      []*regexp.Regexp // lines that stay: alone in smart-compress, else with their block
	UnpinUser    bool             // typed text may be removed
	Hide         bool             // truncate, summarize: hide whole messages instead of removing them

	// ProtectTools and ProtectPaths name calls that stay word for word, with their
	// results: by the tool, by a path among the arguments.
	ProtectTools, ProtectPaths []Glob

	Caps []Cap // the most that is kept of the results of tools; the smallest that matches holds

	Only     []Glob // tools whose calls and results alone may be changed; none: everything may
	Messages Range  // messages that alone may be changed

	// Window is the context window of the model in tokens; 0: not known. Trigger
	// decides by it whether a conversation is condensed at all. L1, L2 and L3 are the
	// shares of it over which the layers of progressive run; 0: always. For them the
	// budget stands in for a window that is not known.
	Trigger    Trigger
	Window     int
	L1, L2, L3 float64
	// Aggression is how much harder progressive compacts the results of older
	// rounds, 0 (no harder) to 1.
	Aggression float64

	Layout Layout // summarize: what stays beside the summary

	Thinking    Thinking // what becomes of the model's thinking
	TargetModel string   // the model that will go on, when it is another
	Images      Images   // what becomes of images
	Tags        Tags     // where <keep> and <drop> tags count
	DropHidden  bool     // remove what is outside the effective view
}

// Defaults are the options of a run without flags.
func Defaults() Options {
	return Options{KeepRounds: 10, L1: 0.4, L2: 0.55, L3: 0.7} // the shares are those of SYSTEMS §3.2
}

// Validate reports the first option that makes no sense.
func (o *Options) Validate() error {
	switch {
	case o.FreezePrefix < 0:
		return fmt.Errorf("--freeze-prefix takes a number from 0 up")
	case o.KeepFirst < 0:
		return fmt.Errorf("--keep-first takes a number from 0 up, not %d", o.KeepFirst)
	case o.KeepLast < 0:
		return fmt.Errorf("--keep-last takes a number from 0 up, not %d", o.KeepLast)
	case o.KeepRounds < 0:
		return fmt.Errorf("--keep-rounds takes a number from 0 up, not %d", o.KeepRounds)
	case o.Fraction < 0 || o.Fraction > 1 || math.IsNaN(o.Fraction):
		return fmt.Errorf("--fraction takes a number from 0 to 1, not %v", o.Fraction)
	case o.Window < 0:
		return fmt.Errorf("--window takes a number of tokens from 0 up")
	case !(o.L1 >= 0 && o.L2 >= 0 && o.L3 >= 0) || math.IsInf(o.L1+o.L2+o.L3, 1): // not a number is not even that
		return fmt.Errorf("--l1, --l2 and --l3 take a share of the window from 0 up, such as 0.4")
	case o.Aggression != 0 && !(o.Aggression >= 0.1 && o.Aggression <= 1):
		return fmt.Errorf("--aggression takes a number from 0.1 to 1, or 0, not %v", o.Aggression)
	}
	return o.Trigger.validate()
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

// percent writes a share: 7% for 0.07, which is not 7 when multiplied by 100.
func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e14)/1e12, 'f', -1, 64) + "%"
}
