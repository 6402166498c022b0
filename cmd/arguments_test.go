package cmd

import "testing"

func TestParseOnly(t *testing.T) {
	if g, err := parseOnly("tool:mcp__*"); err != nil || !g.Name("mcp__files") || g.Name("Bash") {
		t.Errorf("got %v, %v", g, err)
	}
	for _, bad := range []string{"", "Bash", "tool:", "tool:[", "path:a.go"} {
		if _, err := parseOnly(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for text, want := range map[string]int{"200000": 200000, "200k": 200000, "1m": 1000000} {
		if got, err := parseWindow(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "50%", "0", "-1", "k"} {
		if got, err := parseWindow(bad); err == nil {
			t.Errorf("%q: got %d", bad, got)
		}
	}
}

func TestParseThreshold(t *testing.T) {
	for text, want := range map[string]float64{"5": 0.05, "100": 1, "66.5": 0.665, "80%": 0.8} {
		if got, err := parseThreshold(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "4", "101", "0", "-1", "NaN", "Inf", "half", "%", "5%%"} {
		if got, err := parseThreshold(bad); err == nil {
			t.Errorf("%q: got %v", bad, got)
		}
	}
}
