package report_test

import (
	"fmt"
	"testing"

	"condense/cmd/report"
	"condense/cmd/ui/content"
)

// half lost a part of everything.
func half() *report.Retained {
	return &report.Retained{
		Facts: 900, Measurable: true, Present: 0.9, Bound: 0.8, User: 1,
		Typed: report.Change{Before: 10, After: 10}, Answered: report.Change{Before: 4, After: 3}, Closing: report.Change{Before: 3, After: 1},
		Last: report.Change{Before: 1, After: 1}, Paragraphs: report.Change{Before: 9, After: 9},
	}
}

func TestLeast(t *testing.T) {
	tests := []struct {
		text   string
		of     []*report.Retained
		missed string
	}{
		{"0", []*report.Retained{half()}, "[]"},
		{"0.3", []*report.Retained{half()}, "[]"},
		{"0.75", []*report.Retained{half()}, "[closing 0.3333 of 0.75]"},
		{"0.9", []*report.Retained{half()}, "[answered 0.75 of 0.9 closing 0.3333 of 0.9 facts 0.8 of 0.9]"},
		{"0.9, closing=0.3,answered=0", []*report.Retained{half()}, "[facts 0.8 of 0.9]"},
		{"last=1,prose=1,user=1,todos=1", []*report.Retained{half()}, "[]"},
		{"facts=0.81", []*report.Retained{half()}, "[facts 0.8 of facts=0.81]"},
		{"facts=1", []*report.Retained{{Facts: 19, Bound: 0.2}}, "[]"},
		{"1", []*report.Retained{{}}, "[]"},
		{"1", nil, "[]"},
		{"last=1", []*report.Retained{half(), {Last: report.Change{Before: 1}}}, "[last 0 of last=1]"},
		{"answered=1", []*report.Retained{{Answered: report.Change{Before: 9, After: 8}}, {Answered: report.Change{Before: 4, After: 1}}}, "[answered 0.25 of answered=1]"},
	}
	for _, tt := range tests {
		var least report.Least
		if err := least.UnmarshalText([]byte(tt.text)); err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		var got []string
		for _, m := range least.Missed(tt.of...) {
			got = append(got, fmt.Sprintf("%s %v of %s", m.Name, m.Value, m.Demand))
		}
		if fmt.Sprint(got) != tt.missed {
			t.Errorf("%q: missed %v, want %s", tt.text, got, tt.missed)
		}
		if least.Demanded() != (tt.text != "0") {
			t.Errorf("%q: demanded is %t", tt.text, least.Demanded())
		}
	}
	for _, text := range []string{"", "x", "1.1", "-0.1", "NaN", "last", "last=", "=1", "gaps=1", "0.5,", "50%"} {
		var least report.Least
		if err := least.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestWorst(t *testing.T) {
	if w := half().Worst(); w.Name != "closing" || w.Value != 0.3333 {
		t.Errorf("%+v", w)
	}
	if w := (&report.Retained{Bound: 0.1, Facts: 3}).Worst(); w.Name != "" || w.Value != 1 {
		t.Errorf("of nothing that can be measured: %+v", w)
	}
}

// TestDown tests that shares that are whole hundredths do not lose one when they are rounded, and
// that all others are rounded down.
func TestDown(t *testing.T) {
	for n := range 101 {
		want := fmt.Sprintf("%d.%02d", n/100, n%100)
		share := report.Change{Before: 100, After: n}.Left()
		if got := fmt.Sprintf("%.4f", share); got != want+"00" {
			t.Errorf("%d of 100 is %s", n, got)
		}
		if got := content.Hundredths(share); got != want {
			t.Errorf("%d of 100 is %s in hundredths", n, got)
		}
		if got := (report.Miss{Measure: report.Measure{Name: "facts", Value: share}}).Reached(); got != "facts="+want {
			t.Errorf("%d of 100 reaches %s", n, got)
		}
		var least report.Least
		if err := least.UnmarshalText([]byte("facts=" + want)); err != nil {
			t.Fatal(err)
		}
		if missed := least.Missed(&report.Retained{Facts: 100, Measurable: true, Bound: share}); missed != nil {
			t.Errorf("%d of 100: %v", n, missed)
		}
	}
	for share, want := range map[float64]float64{1.0 / 3: 0.3333, 0.99999: 0.9999, 1 - 1e-9: 0.9999, 1: 1} {
		if got := report.Down(share, 4); got != want {
			t.Errorf("%v becomes %v, want %v", share, got, want)
		}
	}
}
