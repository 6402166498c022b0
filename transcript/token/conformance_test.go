package token

import (
	"math"
	"strings"
	"testing"

	"condense/transcript"
)

// TestRooCounter checks the cases of Roo Code's token counter, by their numbers. It counts
// o200k_base × 1.5, which is a scale here.
func TestRooCounter(t *testing.T) {
	plain := mustNew(t, "o200k_base")
	roo, err := plain.Calibrated(Scale{Method: Calibrated, Factor: 1.5, Source: "Roo Code"})
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *transcript.Block { return &transcript.Block{Parts: []transcript.Part{{Text: s}}} }
	image := func(bytes int) *transcript.Block {
		return &transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: &transcript.Medium{Type: "image/png", Bytes: bytes}}}}
	}
	result := func(s string) *transcript.Block {
		return &transcript.Block{Kind: transcript.ToolResult, Parts: []transcript.Part{{Text: s}}}
	}
	t.Run("TK1", func(t *testing.T) {
		for _, tt := range []struct {
			block *transcript.Block
			want  int
		}{{&transcript.Block{}, 0}, {text(""), 0}, {text("Hello world"), 3}} {
			if got := roo.Block(tt.block); got != tt.want {
				t.Errorf("%q counts %d, want %d", tt.block.Text(), got, tt.want)
			}
		}
	})
	t.Run("TK2", func(t *testing.T) {
		// A deviation: Roo takes the square root of the characters of base64, 48 for 1,000 and 450
		// without data. No API bills by bytes. Media without a size in pixels count a flat number,
		// and a factor for texts does not change it.
		for _, bytes := range []int{750, 0} {
			if got := roo.Block(image(bytes)); got != MediaTokens {
				t.Errorf("an image of %d bytes counts %d", bytes, got)
			}
		}
	})
	t.Run("TK3", func(t *testing.T) {
		if short, long := roo.Text("Hello world"), roo.Text(strings.Repeat("Hello world ", 20)); long <= short {
			t.Errorf("the longer text counts %d, the shorter %d", long, short)
		}
	})
	t.Run("TK4", func(t *testing.T) {
		if small, large := roo.Block(result("ok")), roo.Block(result(strings.Repeat("line of output\n", 100))); large <= small {
			t.Errorf("the large result counts %d, the small %d", large, small)
		}
	})
	t.Run("TK5", func(t *testing.T) {
		for _, s := range []string{"<|endoftext|>", "a <|im_start|> b <|fim_prefix|>", "<|endofprompt|><|endoftext|>"} {
			if got := roo.Text(s); got < 3 {
				t.Errorf("%q counts %d, want it counted as text", s, got)
			}
		}
	})
}

// TestCharacterEstimator checks the vectors of the estimator that chars implements.
func TestCharacterEstimator(t *testing.T) {
	c := mustNew(t, "chars")
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"Hello World", "Hello World", 4},
		{"4 ascii", "abcd", 2},
		{"5 ascii", "abcde", 3},
		{"100 ascii", strings.Repeat("a", 100), 29},
		{"1000 ascii", strings.Repeat("a", 1000), 288},
		{"4 CJK", "今日天気", 4},
		{"2 CJK + 6 ascii", "今日abcdef", 5},
		{"one accented letter", "é", 2},
		{"3 of the last of ascii", "\x7f\x7f\x7f", 2},
		{"3 of the first after ascii", "\u0080\u0080\u0080", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := c.Text(tt.text); got != tt.want {
				t.Errorf("counts %d, want %d", got, tt.want)
			}
		})
	}
	// Deviations: that estimator adds 4 to a message, 100 to a thought, 20 and the
	// name to a call and 10 to a result. Counts here never include framing, and chars
	// has none.
	b := &transcript.Block{Kind: transcript.Thinking, Opaque: 4000, Parts: []transcript.Part{{Text: "Hello World"}}}
	if got := c.Block(b); got != 4 {
		t.Errorf("a block of Hello World counts %d, want 4", got)
	}
	conv := transcript.New("", []*transcript.Message{{Role: transcript.User, Blocks: []*transcript.Block{b}}})
	if got := c.Framing(conv); got != 0 {
		t.Errorf("its framing is %d", got)
	}
}

// TestCalibrator checks the cases of a calibrator that learns while it runs (CA1 to CA3). Fit reads
// recorded usage instead, so that the cases are compared by their results, not by their steps.
func TestCalibrator(t *testing.T) {
	c := mustNew(t, "o200k_base")
	t.Run("CA1", func(t *testing.T) {
		// Ten samples of 100 estimated and 300 counted. A deviation: the calibrator averages them
		// with a first guess of 2, which results in 2.64; a median has no guess.
		fit, err := c.Fit([]*transcript.Conversation{billed(c, 10, 300, 3, 500)})
		if err != nil || math.Abs(fit.Factor-3) > 0.02 {
			t.Errorf("%+v, %v, want a factor of 3", fit, err)
		}
	})
	t.Run("CA2", func(t *testing.T) {
		double, err := c.Calibrated(Scale{Method: Calibrated, Factor: 2})
		if err != nil {
			t.Fatal(err)
		}
		if s := strings.Repeat("a ", 100); double.Text(s) != 2*c.Text(s) {
			t.Errorf("counts %d, want twice %d", double.Text(s), c.Text(s))
		}
	})
	t.Run("CA3", func(t *testing.T) {
		fit, err := c.Fit([]*transcript.Conversation{billed(c, 10, 300, 0, 0)})
		if err == nil || fit.Pairs != 0 {
			t.Errorf("%+v, %v, want no pairs of usage that is 0", fit, err)
		}
	})
}
