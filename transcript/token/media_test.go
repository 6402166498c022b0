package token

import (
	"testing"

	"condense/transcript"
)

// TestImageRules checks the examples of the providers' pages, and of the public measurements that
// are the sources of the rules.
func TestImageRules(t *testing.T) {
	for _, tt := range []struct {
		rule          string
		width, height int
		want          int
	}{
		{"flat", 10, 10, MediaTokens},
		{"tiles-85-170", 1024, 1024, 765},  // OpenAI's first example
		{"tiles-85-170", 2048, 4096, 1105}, // and its second
		{"tiles-85-170", 4096, 2048, 1105},
		{"tiles-85-170", 512, 512, 255},
		{"tiles-85-170", 1, 1, 255},
		{"tiles-75-150", 1024, 1024, 675},
		{"tiles-70-140", 1024, 1024, 630},
		{"tiles-2833-5667", 1024, 1024, 25501},
		{"patches-1.72", 1024, 1024, 1762},     // 1,024 patches
		{"patches-1.62", 1800, 2400, 2353},     // 1,452 patches, OpenAI's example
		{"patches-2.46", 20000, 1, 1538},       // 625 patches
		{"patches-1.2", 1_000_000, 1, 1844},    // no square can be whole: the limit
		{"patches-2500-1.2", 1024, 1024, 1229}, // measured
		{"patches-2500-1.2", 1920, 1080, 2448}, // measured
		{"patches-1.5", 32, 32, 2},
		{"claude-1568", 1280, 720, 1196}, // measured
		{"claude-1568", 1024, 1024, 1369},
		{"claude-1568", 28, 28, 1},
		{"claude-1568", 8000, 8000, 1568},
		{"claude-1568", 3136, 280, 280}, // scaled to 1568 × 140
		{"claude-2576", 1920, 1080, 2691},
		{"claude-2576", 8000, 8000, 4784},
		{"gemini-1", 4000, 4000, 258},
		{"gemini-2", 384, 384, 258},
		{"gemini-2", 385, 10, 258},
		{"gemini-2", 768, 768, 258},
		{"gemini-2", 769, 10, 516},
		{"gemini-2", 1024, 1024, 1032},
		{"gemini-3", 5, 5, 1090},
	} {
		if got := imageRule(tt.rule).count(tt.width, tt.height); got != tt.want {
			t.Errorf("%s: %d×%d counts %d, want %d", tt.rule, tt.width, tt.height, got, tt.want)
		}
	}
}

// TestImageRulesHold checks that a larger image never counts less, and that none counts 0, not even
// a line as long as a side may be.
func TestImageRulesHold(t *testing.T) {
	for _, r := range rules {
		for _, line := range [][2]int{{longestSide, 1}, {1, longestSide}} {
			if n := r.count(line[0], line[1]); n <= 0 || n != r.count(line[1], line[0]) {
				t.Errorf("%s: a line of %d×%d counts %d", r.name, line[0], line[1], n)
			}
		}
		for _, side := range []int{1, 31, 500, 5000, 8192} {
			last := 0
			for height := 1; height < 3000; height = height*3/2 + 1 {
				n := r.count(side, height)
				if n <= 0 || n > 60_000 {
					t.Fatalf("%s: %d×%d counts %d", r.name, side, height, n)
				}
				if n < last && r.name[0] != 't' && r.name[0] != 'p' && r.name[0] != 'c' { // these shrink to whole squares
					t.Fatalf("%s: %d×%d counts %d, a lower one %d", r.name, side, height, n, last)
				}
				last = n
			}
		}
	}
}

func TestMedia(t *testing.T) {
	sized := &transcript.Medium{Type: "image/png", Width: 1024, Height: 1024}
	for _, tt := range []struct {
		counter string
		medium  *transcript.Medium
		want    int
		flat    bool
	}{
		{"", sized, 765, false},
		{"cl100k_base", sized, 765, false},
		{"bytes4", sized, 0, false},
		{"chars", sized, 0, false},
		{"gpt-4o-mini", sized, 25501, false},
		{"gpt-5.5", sized, 1229, false},
		{"claude-sonnet-4-5", sized, 1369, false},
		{"gemini-2.5-flash", sized, 1032, false},
		{"qwen3", sized, MediaTokens, true},
		{"gemini-2.5-flash", &transcript.Medium{Type: "image", Width: 1 << 62, Height: 1 << 62}, MediaTokens, true},
		{"", &transcript.Medium{Type: "image"}, MediaTokens, true},
		{"", &transcript.Medium{Type: "application/pdf", Width: 100, Height: 100}, MediaTokens, true},
		{"", &transcript.Medium{Type: "audio/wav", Bytes: 1 << 20}, MediaTokens, true},
		{"", &transcript.Medium{Type: "video/mp4", Width: 100, Height: 100}, MediaTokens, true},
	} {
		c, err := BuiltIn().Named(tt.counter)
		if err != nil {
			t.Fatal(err)
		}
		b := &transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: tt.medium}}}
		if got := c.Block(b); got != tt.want || c.Flat(tt.medium) != tt.flat {
			t.Errorf("%s: %+v counts %d, flat %v, want %d, %v", tt.counter, *tt.medium, got, c.Flat(tt.medium), tt.want, tt.flat)
		}
	}
}
