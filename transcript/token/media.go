package token

import (
	"math"
	"slices"
	"strings"

	"condense/transcript"
)

// MediaTokens is the count of an image of unknown size, a document or a recording in
// the units of real encodings. It lies in the middle of the counts of the APIs for a
// picture of 1024×1024 pixels: 765 (GPT-4o), 1032 (Gemini 2), 1369 (Claude).
const MediaTokens = 1000

// flat is the rule that counts MediaTokens for all media.
const flat = "flat"

// rule counts an image by its size in pixels, in tokens of the model.
type rule struct {
	name  string
	count func(width, height int) int
}

// rules are those of the providers' pages on vision, as of ModelsDate. The pages have
// other multipliers for those that are marked as measured.
var rules = []rule{
	{flat, func(int, int) int { return MediaTokens }},

	{"tiles-85-170", tiles(85, 170)}, // GPT-4o, 4.1, 4.5
	{"tiles-75-150", tiles(75, 150)}, // o1, o3
	{"tiles-70-140", tiles(70, 140)}, // GPT-5
	{"tiles-2833-5667", tiles(2833, 5667)},
	{"patches-1.2", patches(1536, 120)}, // measured: GPT-5 mini, 5.2 and 5.3
	{"patches-1.5", patches(1536, 150)}, // measured
	{"patches-1.62", patches(1536, 162)},
	{"patches-1.72", patches(1536, 172)},
	{"patches-2.46", patches(1536, 246)},
	{"patches-2500-1.2", patches(2500, 120)}, // measured: GPT-5.4 and later

	{"claude-1568", claudeImage(1568, 1568)}, // to 4.6
	{"claude-2576", claudeImage(2576, 4784)},

	{"gemini-1", func(int, int) int { return 258 }},
	{"gemini-2", gemini2},
	{"gemini-3", func(int, int) int { return 1090 }}, // measured: 1,070 to 1,100 whatever the size
}

// ImageRules returns the names of the rules for images.
func ImageRules() []string {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].name
	}
	return names
}

func imageRule(name string) *rule {
	if i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name }); i >= 0 {
		return &rules[i]
	}
	return nil
}

// Flat reports whether a medium counts [MediaTokens] because its cost is unknown: an
// image of unknown size, or for a model of unknown rule, a document or a recording.
func (c *Counter) Flat(m *transcript.Medium) bool { return c.unit.real && !c.sized(m) }

// longestSide is the limit of a side in pixels: 24 bits, as in WebP. Some files record
// the size of an image in a member beside it, which may hold any number.
const longestSide = 1 << 24

// sized reports whether a medium counts by its size.
func (c *Counter) sized(m *transcript.Medium) bool {
	return c.images.name != flat && min(m.Width, m.Height) > 0 && max(m.Width, m.Height) <= longestSide && isImage(m.Type)
}

// medium counts a medium, in tokens of the model.
func (c *Counter) medium(m *transcript.Medium) int {
	switch {
	case !c.unit.real:
		return 0
	case c.sized(m):
		return c.images.count(m.Width, m.Height)
	}
	return MediaTokens
}

// isImage reports whether a media type, or a format's word for it, is not that of a
// video or document, which have a width and a height, too.
func isImage(kind string) bool {
	return !strings.HasPrefix(kind, "video") && !strings.HasPrefix(kind, "application")
}

// tiles returns OpenAI's rule of tiles: a larger image is scaled to fit 2048×2048,
// then its short side to 768, and it counts by squares of 512.
func tiles(base, each int) func(int, int) int {
	return func(width, height int) int {
		w, h := float64(width), float64(height)
		w, h = shrunk(w, h, 2048/max(w, h))
		w, h = shrunk(w, h, 768/min(w, h))
		return base + each*cells(w, h, 512)
	}
}

// patches returns OpenAI's rule of patches: squares of 32 pixels up to a limit, times
// a multiplier, which is in hundredths.
func patches(most, hundredths int) func(int, int) int {
	return func(width, height int) int {
		w, h := float64(width), float64(height)
		n := cells(w, h, 32)
		if n > most {
			// Shrunk to the limit, and then until one side is whole patches.
			r := math.Sqrt(float64(most) * 32 * 32 / (w * h))
			pw, ph := w*r/32, h*r/32
			r *= min(math.Floor(pw)/pw, math.Floor(ph)/ph)
			if n = most; r > 0 { // not a line of one pixel
				n = min(most, cells(w*r, h*r, 32))
			}
		}
		return (n*hundredths + 99) / 100
	}
}

// claudeImage returns Anthropic's rule: squares of 28 pixels, of an image that is
// scaled to a longest side and a number of tokens.
func claudeImage(side, most int) func(int, int) int {
	return func(width, height int) int {
		w, h := float64(width), float64(height)
		w, h = shrunk(w, h, float64(side)/max(w, h))
		return min(most, cells(w, h, 28))
	}
}

// gemini2 is Google's rule for Gemini 2: tiles of 768 pixels.
func gemini2(width, height int) int { return 258 * cells(float64(width), float64(height), 768) }

// shrunk scales a size down, and returns it unchanged for a factor of 1 or more.
func shrunk(w, h, by float64) (float64, float64) {
	if by >= 1 {
		return w, h
	}
	return w * by, h * by
}

// cells returns the number of squares that cover an area. It ignores a rounding error
// by which a side is longer than whole squares.
func cells(w, h, side float64) int {
	const hair = 1e-9
	n := func(length float64) int { return int(math.Ceil(length/side - hair)) }
	return n(w) * n(h)
}
