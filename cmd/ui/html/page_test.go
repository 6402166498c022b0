package html

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
)

// colours returns the colours of a theme in the style.
func colours(t *testing.T, theme string) map[string][3]float64 {
	t.Helper()
	_, block, ok := strings.Cut(pageStyle, theme)
	block, _, ok2 := strings.Cut(block, "}")
	if !ok || !ok2 {
		t.Fatalf("no theme %q", theme)
	}
	found := map[string][3]float64{}
	for _, m := range regexp.MustCompile(`--(\w+):#([0-9a-f]{6})`).FindAllStringSubmatch(block, -1) {
		rgb, err := strconv.ParseUint(m[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		found[m[1]] = [3]float64{float64(rgb >> 16), float64(rgb >> 8 & 255), float64(rgb & 255)}
	}
	return found
}

// contrast returns the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b [3]float64) float64 {
	luminance := func(c [3]float64) (sum float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v := c[i] / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast checks both themes for a contrast of at least 4.5 for text and 3 for graphics
// (WCAG 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	for theme, head := range map[string]string{"light": ":root{", "dark": "prefers-color-scheme:dark){:root{"} {
		c := colours(t, head)
		least := func(ratio float64, on string, names ...string) {
			for _, name := range names {
				if _, known := c[name]; !known {
					t.Errorf("%s: no colour %s", theme, name)
				} else if got := contrast(c[name], c[on]); got < ratio {
					t.Errorf("%s: %s on %s has %.2f, want %.1f", theme, name, on, got, ratio)
				}
			}
		}
		least(4.5, "paper", "ink", "soft", "accent", "good", "bad", "warn")
		least(4.5, "raised", "ink", "soft")
		least(4.5, "del", "ink")
		least(4.5, "ins", "ink")
		drawn := []string{"is"}
		for _, k := range kindClasses {
			drawn = append(drawn, strings.TrimPrefix(k.Class, "k-"))
		}
		least(3, "paper", drawn...)
		least(3, "raised", drawn...)
	}
}

// TestEveryKindHasAColour checks that the style has a rule for each class.
func TestEveryKindHasAColour(t *testing.T) {
	for _, k := range kindClasses {
		if !strings.Contains(pageStyle, "."+k.Class+"{fill:var(--") {
			t.Errorf("%s has no colour", k.Class)
		}
	}
}

// TestDistribution checks that each file is counted in one row, by the share of tokens saved.
func TestDistribution(t *testing.T) {
	for _, tt := range []struct {
		tokens report.Change
		row    string // "" if the file is not counted
	}{
		{report.Change{Before: 100, After: 100}, "nothing"}, {report.Change{Before: 100, After: 120}, "nothing"}, {report.Change{Before: 1000, After: 999}, "up to 10 %"}, {report.Change{Before: 100, After: 90}, "up to 10 %"},
		{report.Change{Before: 1000, After: 899}, "up to 20 %"}, {report.Change{Before: 100, After: 50}, "up to 50 %"}, {report.Change{Before: 100, After: 0}, "up to 100 %"}, {report.Change{Before: 0, After: 0}, ""},
	} {
		for _, row := range distribution([]survey.BatchFile{{Tokens: tt.tokens}}).Rows {
			want := "0"
			if row.Cells[0].Text == tt.row {
				want = "1"
			}
			if got := row.Cells[1].Text; got != want {
				t.Errorf("%v: %s files in %q, want %s", tt.tokens, got, row.Cells[0].Text, want)
			}
		}
	}
}
