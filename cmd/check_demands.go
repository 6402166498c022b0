package cmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"condense/cmd/report"
	"condense/strategy"
)

// demands holds the conditions that condense check sets for one file. The zero value sets none.
type demands struct {
	maxTokens    int          // of each conversation; 0: any number
	maxGrowth    *float64     // share by which its tokens may have grown since the baseline; nil: any
	valid        string       // rules to follow: ofFormat, or the name of a profile; "": none
	minSavings   *float64     // share of the tokens that condensing must save, 0 to 1; nil: none
	minRetention report.Least // least retention after condensing
	expect       bool         // the output must equal the file in --expect
}

// names lists the demands that are set, in the order in which they are judged.
func (d *demands) names() (list []string) {
	for _, x := range []struct {
		name  string
		asked bool
	}{
		{"max-tokens", d.maxTokens > 0}, {"max-growth", d.maxGrowth != nil}, {"valid", d.valid != ""},
		{"min-savings", d.minSavings != nil}, {"min-retention", d.minRetention.Demanded()}, {"expect", d.expect},
	} {
		if x.asked {
			list = append(list, x.name)
		}
	}
	return list
}

func (d *demands) any() bool { return len(d.names()) > 0 }

// condenses reports whether the demands are about the condensed file.
func (d *demands) condenses() bool {
	return d.minSavings != nil || d.minRetention.Demanded() || d.expect
}

// parseTokens parses a number of tokens: "200000" or "200k".
func parseTokens(s string) (int, error) {
	t, err := unmarshal[strategy.Target](s)
	if err != nil || t.Tokens == 0 {
		return 0, fmt.Errorf("malformed number %q, expected tokens (200000, 200k)", s)
	}
	return t.Tokens, nil
}

// parseShare parses a share: "5%" or "0.05".
func parseShare(s string) (*float64, error) {
	digits, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !(n >= 0) || math.IsInf(n, 0) {
		return nil, fmt.Errorf("malformed share %q, expected 5%% or 0.05", s)
	}
	if percent {
		n /= 100
	}
	return &n, nil
}
