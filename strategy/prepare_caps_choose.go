package strategy

import (
	"fmt"
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// capped is a result over its cap. It offers its images and the pieces of its texts to an
// [allocate.Chooser]. An item of the chooser is an index in pieces.
type capped struct {
	allocate.Chooser
	in     *Input
	survey *fact.Survey
	values *allocate.Marginal[fact.ID]
	ref    transcript.Ref
	block  *transcript.Block
	limit  int     // tokens
	gap    float64 // tokens of the marker of an omission
	parts  []cappedPart
	pieces []cappedPiece
	kept   []bool // by piece
}

// cappedPart is a text or an image of a result.
type cappedPart struct {
	ref    transcript.Ref
	begin  int           // index of the first piece
	end    int           // index after the last piece
	count  int           // number of pieces that are kept
	cut    *squeeze.Text // nil for an image
	tokens int
	marker string // the marker that replaces an image
}

// cappedPiece is a piece of a text, or an image.
type cappedPiece struct {
	part  int     // index in parts
	under int32   // the piece that it needs, or squeeze.None
	size  float64 // tokens, estimated by its share of the bytes of the text
	extra float64 // value apart from facts
	facts []fact.ID
}

func newCapped(in *Input, s *fact.Survey, values *allocate.Marginal[fact.ID], ref transcript.Ref, limit int) *capped {
	c := &capped{in: in, survey: s, values: values, ref: ref, block: in.Conv.Block(ref), limit: limit}
	c.Chooser = allocate.Chooser{Offer: c.offer, Needs: c.needs, Keep: c.keep, Drop: c.drop}
	c.gap = float64(in.textTokens("[12 lines omitted]\n"))
	for i := range c.block.Parts {
		p := &c.block.Parts[i]
		at := ref
		if len(c.block.Parts) > 1 || p.Media != nil {
			at.Part = i
		}
		part := cappedPart{ref: at, begin: len(c.pieces), tokens: in.Tokens(&transcript.Block{Parts: c.block.Parts[i : i+1]})}
		switch {
		case p.Media != nil && c.block.Pin == transcript.Unpinned && part.tokens > 0:
			c.addImage(part, p)
		case divisible(c.block, p):
			c.addText(part, i)
		default:
			values.Keep(factsOf(s.Mentions(p)))
		}
	}
	return c
}

// factsOf returns the facts of mentions, each once.
func factsOf(mentions []fact.Mention) []fact.ID {
	ids := make([]fact.ID, len(mentions))
	for i, m := range mentions {
		ids[i] = m.Fact
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// The largest sizes in bytes of texts that are not cut.
const (
	shortArg    = 160 // an argument of a call, which describes the call
	shortResult = 24  // a result: its marker would be no shorter
	shortText   = 64  // a pinned text, such as [Request interrupted by user]
)

// divisible reports whether a part is a text that may be cut, and is long enough for that.
func divisible(b *transcript.Block, p *transcript.Part) bool {
	text := p.Text[p.Head:]
	switch {
	case p.Media != nil, p.Number, text == "", subject.OnlyMarker(text):
		return false
	case b.Kind == transcript.ToolCall:
		return len(text) > shortArg
	case b.Kind == transcript.ToolResult:
		return len(text) > shortResult
	case b.Kind == transcript.Text && b.Pin == transcript.Present:
		return len(text) > shortText
	}
	return true
}

// addImage offers an image, which stays or becomes a marker.
func (c *capped) addImage(part cappedPart, p *transcript.Part) {
	part.marker, part.end = transcript.Marker(describe(p.Media)), part.begin+1
	size := float64(part.tokens)
	c.pieces = append(c.pieces, cappedPiece{part: len(c.parts), under: squeeze.None, size: size, extra: allocate.Exact(valueOfOutput * size)})
	c.parts, c.kept = append(c.parts, part), append(c.kept, false)
}

// addText offers a text piece by piece. Protected pieces and records stay.
func (c *capped) addText(part cappedPart, i int) {
	p := &c.block.Parts[i]
	part.cut = squeeze.Cut(p.Text[p.Head:], hint(c.in.Conv, c.ref, c.block, i))
	part.cut.Gutter = false // a line without neighbours needs its line number, which shows where it was
	part.end = part.begin + len(part.cut.Pieces)
	perByte := float64(part.tokens) / float64(len(p.Text))
	mentions := c.survey.Mentions(p)
	for _, pc := range part.cut.Pieces {
		n := 0
		for n < len(mentions) && int(mentions[n].At) < int(p.Head)+int(pc.End) {
			n++
		}
		x := cappedPiece{part: len(c.parts), under: pc.Under, size: float64(float64(pc.End-pc.Start) * perByte), facts: factsOf(mentions[:n])}
		if x.under != squeeze.None {
			x.under += int32(part.begin)
		}
		x.extra = float64(valueOfOutput * x.size)
		if pc.Like == squeeze.None {
			x.extra += float64(valueOfCue * float64(pc.Cue))
		}
		x.extra = allocate.Exact(x.extra)
		c.pieces, c.kept = append(c.pieces, x), append(c.kept, false)
		mentions = mentions[n:]
	}
	c.parts = append(c.parts, part)
	fixed := c.in.held(c.block, part.cut)
	for from, to := range transcript.Records(part.cut.Source) {
		fixed = append(fixed, piecesIn(part.cut, from, to)...)
	}
	for _, n := range fixed {
		c.hold(part, n)
	}
}

// hold keeps a piece of a part at any cost. In JSON it also keeps the pieces that it needs,
// without which the text would be invalid. In other texts it does not: a later run would
// not know why a declaration above the line stays, and would remove it.
func (c *capped) hold(part cappedPart, n int) {
	item := int32(part.begin + n)
	if part.cut.Kind != squeeze.JSON && part.cut.Kind != squeeze.NDJSON {
		c.pieces[item].under, part.cut.Pieces[n].Under = squeeze.None, squeeze.None
	}
	for ; item != squeeze.None; item = c.pieces[item].under {
		if !c.kept[item] {
			c.keep(item)
		}
	}
}

// Failures are taken first.
const (
	signalsShare = 0.25 // the share of the free tokens that all of them may have
	signalLimit  = 200  // the tokens that one may have, with the pieces that it needs
)

// edits chooses the pieces that stay, and returns the edits that remove the others.
func (c *capped) edits() []transcript.Edit {
	protected := slices.Contains(c.kept, true)
	edits, size := c.write()
	c.Reset(float64(c.limit - size))
	c.takeSignals(float64(signalsShare * c.Left))
	c.PushAll(len(c.pieces))
	c.Meet(c.limit, func() int {
		edits, size = c.write()
		return size
	})
	if subject.OnlyMarker(c.block.Body()) {
		return edits // the result is only a marker, perhaps with parts that are empty now
	}
	if size > c.limit && !protected {
		marker, _, _ := strings.Cut(stub(c.in.Conv, c.ref, c.block, nil), "\n")
		e := transcript.Edit{At: c.ref, Op: transcript.Rewrite, Text: marker, Why: c.reason()}
		if c.in.Tokens(c.block)+c.in.delta(&e) < size {
			return []transcript.Edit{e}
		}
	}
	return edits
}

// takeSignals takes pieces that report failures and cost no more than left together.
func (c *capped) takeSignals(left float64) {
	for _, p := range c.parts {
		for i := p.begin; p.cut != nil && i < p.end; i++ {
			pc := &p.cut.Pieces[i-p.begin]
			if pc.Cue < 1 || pc.Like != squeeze.None || c.kept[i] {
				continue
			}
			if _, cost := c.gain(int32(i)); cost <= min(left, signalLimit) {
				c.Take(int32(i), cost)
				left -= cost
			}
		}
	}
}

// offer is the Offer of the Chooser.
func (c *capped) offer(item int32) (density, cost float64, ok bool) {
	if c.kept[item] {
		return 0, 0, false
	}
	value, cost := c.gain(item)
	return allocate.Density(value, cost), cost, true
}

// needs is the Needs of the Chooser.
func (c *capped) needs(item int32) (up int32, ok bool) {
	up = c.pieces[item].under
	return up, up != squeeze.None && !c.kept[up]
}

// keep is the Keep of the Chooser. It offers the neighbours of a piece again, because they
// cost less now.
func (c *capped) keep(item int32) {
	x := &c.pieces[item]
	p := &c.parts[x.part]
	c.kept[item] = true
	p.count++
	c.values.Keep(x.facts)
	for _, i := range []int{int(item) - 1, int(item) + 1} {
		if i >= p.begin && i < p.end {
			c.Push(int32(i))
		}
	}
}

// drop is the Drop of the Chooser.
func (c *capped) drop(item int32) (freed float64) {
	x := &c.pieces[item]
	c.kept[item] = false
	c.parts[x.part].count--
	c.values.Drop(x.facts)
	return c.cost(item)
}

// gain returns the value and the cost of a piece, together with the pieces that it needs.
func (c *capped) gain(item int32) (value, cost float64) {
	value, cost = c.values.Add(c.pieces[item].extra, c.pieces[item].facts), c.cost(item)
	for up, ok := c.needs(item); ok; up, ok = c.needs(up) {
		value += c.values.Add(c.pieces[up].extra, c.pieces[up].facts)
		cost += c.pieces[up].size + c.gap
	}
	return value, cost
}

// cost returns the tokens that keeping a piece adds, less those of the marker that it
// replaces, and with those of markers that become necessary beside it.
func (c *capped) cost(item int32) float64 {
	i, p := int(item), &c.parts[c.pieces[item].part]
	gaps := -1 // the marker that the piece replaces
	if i > p.begin && !c.kept[i-1] {
		gaps++
	}
	if i+1 < p.end && !c.kept[i+1] {
		gaps++
	}
	return c.pieces[item].size + float64(float64(gaps)*c.gap)
}

// write returns the edits that remove all pieces that are not kept, and the tokens of the
// result after them.
func (c *capped) write() (edits []transcript.Edit, size int) {
	size = c.in.Tokens(c.block)
	for i := range c.parts {
		p := &c.parts[i]
		if p.count == p.end-p.begin {
			continue
		}
		e := transcript.Edit{At: p.ref, Op: transcript.Rewrite, Text: p.marker, Why: c.reason() + ": least needed"}
		if p.cut != nil {
			e.Text = p.cut.Render(c.kept[p.begin:p.end])
			if e.Text == p.cut.Source || strings.TrimSpace(e.Text) == "" {
				continue
			}
		}
		if p.count > 0 {
			e.Why = fmt.Sprintf("%s: %s of %s pieces kept", c.reason(), transcript.Number(p.count), transcript.Number(p.end-p.begin))
		}
		if adds := c.in.delta(&e); adds < 0 {
			edits = append(edits, e)
			size += adds
		}
	}
	return edits, size
}

// reason returns the reason for the edits, for people.
func (c *capped) reason() string {
	return fmt.Sprintf("cap of %s tokens", transcript.Number(c.limit))
}

// Values of a token and of a cue of 1 in a result, apart from the facts in it. They decide
// between pieces without facts. Cues do not help agents to find facts again: they are for
// people who read the result.
const (
	valueOfOutput = 0.0005
	valueOfCue    = 0.03
)
