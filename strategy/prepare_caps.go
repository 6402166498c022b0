package strategy

import (
	"fmt"
	"math"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

var applyCaps = preparation{
	Name:     "cap", // results keep the lines with the most value, up to the cap of their tool
	access:   accessLines,
	demanded: func(_ *transcript.Conversation, o *Options) bool { return len(o.Caps) > 0 },
	run:      capResults,
}

// capResults keeps, of each result over its cap, the pieces with the most value, newest
// result first: smart-compress with a budget for each result. It takes everything else
// to stay, so that facts that are also elsewhere have little value.
func capResults(in *Input) Proposal {
	over := overCap(in)
	if len(over) == 0 {
		return Skip("no result that may be changed is over its cap")
	}
	survey := fact.Of(in.Conv)
	a := newAllocation(in, factValues(survey))
	d := divider{in: in, survey: survey, a: a, age: ages(in.Conv), only: over}
	units := in.Conv.Units()
	d.cut(units)
	for _, u := range units {
		d.unit(u)
	}
	for k := range a.units {
		a.units[k].in = true
		a.values.Keep(a.units[k].facts)
	}
	var edits []transcript.Edit
	for to := len(a.excerpts); to > 0; {
		from := to - 1
		for from > 0 && *whole(a.excerpts[from-1].ref) == *whole(a.excerpts[from].ref) {
			from--
		}
		edits = append(edits, a.capBlock(from, to, over)...)
		to = from
	}
	if len(edits) == 0 {
		return Skip("results over their cap are protected, or markers already")
	}
	return Proposal{Edits: edits}
}

// overCap returns the cap of each result that may be shortened and has more tokens.
func overCap(in *Input) map[*transcript.Block]int {
	over := map[*transcript.Block]int{}
	for ref, b := range in.Conv.Blocks() {
		if b.Pin == transcript.Verbatim || b.Fixed {
			continue
		}
		if limit := in.Opts.capOf(in.Conv, ref, b); in.Tokens(b) > limit {
			over[b] = limit
		}
	}
	return over
}

// capOf returns the cap of a block: the smallest of those that match its tool, and no
// limit for blocks that are not results.
func (o *Options) capOf(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) int {
	limit := math.MaxInt
	if b.Kind != transcript.ToolResult {
		return limit
	}
	tool, _ := subject.Concerns(c, ref, b)
	for _, one := range o.Caps {
		if one.Tool.Name(tool) {
			limit = min(limit, one.Tokens)
		}
	}
	return limit
}

// capNotes returns, for people, the number of results that have more tokens than their
// cap and are not markers.
func capNotes(c *transcript.Conversation, o *Options, tokens func(*transcript.Block) int) []string {
	if len(o.Caps) == 0 {
		return nil
	}
	n := 0
	for ref, b := range c.Blocks() {
		if limit := o.capOf(c, ref, b); limit < math.MaxInt && tokens(b) > limit && !masked(b.Body()) {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 result keeps more than its cap: it is pinned, or has protected lines"}
	}
	return []string{fmt.Sprintf("%s results keep more than their cap: they are pinned, or have protected lines", transcript.Number(n))}
}

// capBlock chooses what stays of the block that the given excerpts are from.
func (a *allocation) capBlock(from, to int, over map[*transcript.Block]int) []transcript.Edit {
	ref := *whole(a.excerpts[from].ref)
	b := a.in.Conv.Block(ref)
	limit, size := over[b], 0
	var edits []transcript.Edit
	count := func() int {
		size, edits = a.in.Tokens(b), edits[:0]
		for j := from; j < to; j++ {
			p := &a.excerpts[j]
			if p.stale {
				a.write(p)
			}
			if p.wrote != nil {
				e := *p.wrote
				e.Why = fmt.Sprintf("cap of %s tokens: %s", transcript.Number(limit), e.Why)
				edits = append(edits, e)
				size += p.adds
			}
		}
		return size
	}
	a.Reset(float64(limit - count()))
	held := false
	for j := from; j < to; j++ {
		p := &a.excerpts[j]
		held = held || p.count > 0
		a.signalsOf(p.unit, p, float64(signalsShare*a.Left))
		for i := p.begin; i < p.begin+p.pieces; i++ {
			if !a.kept[i] {
				a.Push(int32(i))
			}
		}
	}
	a.Meet(limit, count)
	if size > limit && !held {
		marker, _, _ := strings.Cut(stub(a.in.Conv, ref, b), "\n")
		e := transcript.Edit{At: ref, Op: transcript.Rewrite, Text: marker, Why: fmt.Sprintf("cap of %s tokens", transcript.Number(limit))}
		if a.in.Tokens(b)+a.in.delta(&e) < size {
			return []transcript.Edit{e}
		}
	}
	return edits
}
