package strategy

import (
	"math"
	"os"
	"strconv"

	"condense/transcript"
	"condense/transcript/fact"
)

func env(name string, def float64) float64 {
	if s := os.Getenv(name); s != "" {
		f, _ := strconv.ParseFloat(s, 64)
		return f
	}
	return def
}

var W = struct {
	alpha, again, cue, cueFloor, output, said, answer float64
	q                                                 [4]float64
}{
	env("ALPHA", .4), env("AGAIN", .05), env("CUE", .1), env("CUEFLOOR", 0), env("OUTPUT", .0005), env("SAID", .0025), env("ANSWER", 0),
	[4]float64{env("Q0", .06), env("Q1", .25), env("Q2", .4), env("Q3", .65)},
}

// recency is how much of its value something keeps that is that many messages
// old.
func recency(age int) float64 { return math.Pow(float64(1+age), -W.alpha) }

// worths says what each fact is worth: how rare it is, times how likely it is to
// be needed.
func worths(s *fact.Survey) []float64 {
	all := make([]float64, len(s.Facts))
	heat := make([]float64, len(s.Facts))
	if K := env("HEAT", 0); K > 0 {
		for _, p := range s.Parts {
			if p.B.Kind != transcript.ToolResult {
				continue
			}
			ms := s.Mentions(p.P)
			sum, n := 0.0, 0.0
			seen := map[fact.ID]bool{}
			for _, m := range ms {
				if seen[m.Fact] {
					continue
				}
				seen[m.Fact] = true
				f := s.Facts[m.Fact]
				w := math.Log(1 + float64(s.Visible)/float64(f.Messages))
				n += w
				if f.Said > 0 && f.NewestBy > p.At {
					sum += w * recency(s.Visible-1-f.NewestBy)
				}
			}
			h := sum / (n + env("HEATN", 10))
			for id := range seen {
				heat[id] = max(heat[id], h)
			}
		}
		for i := range heat {
			heat[i] *= K
		}
	}
	for i, f := range s.Facts {
		p := W.q[0]*recency(s.Visible-1-f.Newest) + heat[i]
		if f.Said > 0 {
			p = max(p, W.q[min(f.Said, 3)]*recency(s.Visible-1-f.NewestBy))
		}
		if f.Standing {
			p *= .1
		}
		all[i] = exact(min(p, .7) * math.Log(1+float64(s.Visible)/float64(f.Messages)))
	}
	return all
}

// exact rounds to a multiple of 2⁻³⁰, so that sums are the same in any order and
// on any machine.
func exact(v float64) float64 { return math.Round(v*(1<<30)) / (1 << 30) }
