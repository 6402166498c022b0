package breakdown_test

import (
	"flag"
	"fmt"
	"testing"

	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks the counts of each fixture, in tokens of four bytes and of blocks: the sum, and a checksum
// of all counts, also of those of all fixtures together. A change of a rule shows in testdata/outcomes.txt, and
// -update rewrites it.
func TestOutcomes(t *testing.T) {
	rows := [][]string{{"fixture", "tokens", "blocks", "dear", "together"}}
	var together *breakdown.Breakdown
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		f, err := format.Decode(src, "")
		if err != nil {
			continue
		}
		row := []string{name}
		for _, tokens := range []func(*transcript.Block) int{
			func(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 },
			func(b *transcript.Block) int { return min(1, len(b.Text())) },
			func(b *transcript.Block) int { return 3 + len(b.Text()) },
		} {
			sum, all := 0, ""
			for _, c := range f.Convs {
				total, shares := breakdown.Measure(c, tokens)
				sum += total
				own := breakdown.Of(c, tokens)
				all += fmt.Sprintf("%v %+v\n", shares, *own)
				for _, m := range c.Messages {
					all += breakdown.KindOf(m, tokens) + "\n"
				}
				if together == nil {
					together = own
				} else {
					together.Add(own)
				}
			}
			row = append(row, fmt.Sprintf("%d:%s", sum, transcripttest.Sum(all)))
		}
		rows = append(rows, append(row, transcripttest.Sum(fmt.Sprintf("%+v", *together))))
	}
	transcripttest.Frozen(t, "testdata/outcomes.txt", *update, rows)
}

// TestCountOfAny checks counts of as many blocks as one goroutine counts at once, of one more, and of twice as many.
func TestCountOfAny(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 640} {
		blocks := make([]*transcript.Block, n)
		for i := range blocks {
			blocks[i] = &transcript.Block{Opaque: i + 1}
		}
		counts := breakdown.Count(blocks, func(b *transcript.Block) int { return b.Opaque })
		for i, got := range counts {
			if got != i+1 {
				t.Fatalf("%d blocks: %d is counted as %d", n, i+1, got)
			}
		}
		if len(counts) != n {
			t.Errorf("%d counts of %d blocks", len(counts), n)
		}
	}
}
