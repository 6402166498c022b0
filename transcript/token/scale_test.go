package token

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestScaled checks that the number is the rounded product, that more never becomes less, and that a
// sum of blocks is off by at most half a token for each.
func TestScaled(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		factor := minFactor + random.Float64()*(maxFactor-minFactor)
		c, err := mustNew(t, "cl100k_base").Calibrated(Scale{Method: Calibrated, Factor: factor})
		if err != nil {
			t.Fatal(err)
		}
		sum, scaled := 0, 0
		for n := range 300 {
			got := c.scaled(n)
			if math.Abs(float64(got)-float64(n)*factor) > 0.501 || got < c.scaled(max(0, n-1)) {
				t.Fatalf("%d × %v is %d", n, factor, got)
			}
			sum, scaled = sum+n, scaled+got
		}
		if off := math.Abs(float64(c.scaled(sum) - scaled)); off > 151 {
			t.Errorf("× %v: the sum of 300 numbers is off by %v", factor, off)
		}
	}
}

func TestCalibrated(t *testing.T) {
	c := forModel(t, "claude-opus-4-5")
	if s := c.Scale(); s.Method != Calibrated || s.Factor != 1.18 || s.Band != 0.1 || s.Source == "" {
		t.Errorf("%+v", s)
	}
	text := strings.Repeat("some words to count ", 30)
	if got, want := c.Text(text), int(math.Round(1.18*float64(mustNew(t, "").Text(text)))); got != want {
		t.Errorf("counts %d, want %d", got, want)
	}
	again, err := c.Calibrated(Scale{Method: Calibrated, Factor: 1, Band: 0.02, Source: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	if again.Text(text) != mustNew(t, "").Text(text) || again.Model() != "claude-opus-4-5" || again.Scale().Source != "mine" {
		t.Errorf("calibrated to 1 it counts %d, %+v", again.Text(text), again.Scale())
	}
	if window, output := again.Window(); window != 200_000 || output != 64_000 {
		t.Errorf("window %d, output %d", window, output)
	}
	for _, f := range []float64{0, -1, 0.2, 4.1, math.NaN(), math.Inf(1)} {
		if _, err := c.Calibrated(Scale{Factor: f}); err == nil {
			t.Errorf("a factor of %v is accepted", f)
		}
	}
	for _, unit := range []string{"bytes4", "chars"} {
		if _, err := mustNew(t, unit).Calibrated(Scale{Factor: 1}); err == nil {
			t.Errorf("%s is calibrated", unit)
		}
	}
}

// TestSealed checks that thinking counts its text or the estimate of its ciphertext, whichever is
// larger.
func TestSealed(t *testing.T) {
	block := func(text string, opaque int) *transcript.Block {
		return &transcript.Block{Kind: transcript.Thinking, Opaque: opaque, Parts: []transcript.Part{{Text: text}}}
	}
	c := mustNew(t, "")
	for _, tt := range []struct {
		block *transcript.Block
		want  int
	}{
		{block("Hello world", 0), 2},
		{block("Hello world", 400), 2}, // a short signature
		{block("", 400), 0},
		{block("", 866), 0},
		{block("", 872), 1},
		{block("", 4000), 588}, // (3000-650)/4, up
		{block("Hello world", 4000), 588},
		{&transcript.Block{Kind: transcript.Opaque, Opaque: 4000}, 0},   // an unknown element
		{&transcript.Block{Kind: transcript.ToolCall, Opaque: 4000}, 0}, // Gemini signs calls
	} {
		if got := c.Block(tt.block); got != tt.want {
			t.Errorf("%q, %d bytes sealed: counts %d, want %d", tt.block.Text(), tt.block.Opaque, got, tt.want)
		}
	}
	if got := mustNew(t, "bytes4").Block(block("", 4000)); got != 0 {
		t.Errorf("bytes4 counts %d", got)
	}
}

func TestEncode(t *testing.T) {
	for name, want := range map[string][]int{"o200k_base": {8930, 9697, 243, 128225, 8930, 17693, 4344, 48669}, "cl100k_base": {33334, 45918, 243, 21990, 9080, 33334, 62004, 16556, 78699}} {
		got, err := mustNew(t, name).Encode("お誕生日おめでとう")
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	if _, err := mustNew(t, "bytes4").Encode("a"); err == nil {
		t.Error("bytes4 has tokens")
	}
}
