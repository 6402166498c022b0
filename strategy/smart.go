package strategy

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// Smart shortens inside messages.
var Smart = Strategy{
	Name: "smart-compress",
	Doc:  "each text keeps the lines that what follows is most likely to need, as many as the target allows; what holds none goes whole",
	Aims: true,
	Run:  smart,
}

// smart cuts every text into pieces, weighs them, and keeps the most valuable
// that fit the budget.
func smart(_ context.Context, in *Input) ([]transcript.Edit, error) {
	survey := fact.Of(in.Conv)
	a := newAllocation(worths(survey))
	d := draft{in: in, survey: survey, a: a, age: ages(in.Conv), answers: answers(in.Conv)}
	d.framing = d.squeezesFraming()
	for _, u := range in.Conv.Units() {
		d.unit(u)
	}
	edits := a.land(in)
	if len(edits) == 0 {
		return nil, &SkipError{allKept}
	}
	return edits, nil
}

// Sizes, in bytes of text, from which something is worth cutting.
const (
	shortArg    = 160 // an argument that says what was done, rather than with what
	shortResult = 24  // less than its marker
)

// draft lays a conversation out for the allocation.
type draft struct {
	in      *Input
	survey  *fact.Survey
	a       *allocation
	age     map[int]int  // by message: visible messages after it
	answers map[int]bool // messages that close a turn
	framing bool         // instructions are shortened too
}

// framingShare is how much of the budget, after typed text, instructions may
// have before they are shortened like everything else.
const framingShare = 0.5

func (d *draft) squeezesFraming() bool {
	framing, verbatim := 0, 0
	for ref, b := range d.in.Conv.Blocks() {
		switch {
		case b.Pin == transcript.Verbatim:
			verbatim += d.in.Tokens(b)
		case d.in.Conv.Message(ref.Msg).Role == transcript.System:
			framing += d.in.Tokens(b)
		}
	}
	return float64(framing) > framingShare*float64(d.in.Budget-verbatim)
}

// unit offers what a unit can do without.
func (d *draft) unit(u transcript.Unit) {
	stays := u.Open || u.Kind == transcript.SystemUnit
	for _, id := range u.Msgs {
		for _, b := range d.in.Conv.Message(id).Blocks {
			stays = stays || b.Pin != transcript.Unpinned
		}
	}
	d.a.begin(u, stays)
	for _, id := range u.Msgs {
		m := d.in.Conv.Message(id)
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
			switch {
			case u.Open || d.untouchable(m, b):
				for i := range b.Parts {
					d.fixed(b, i)
				}
			case b.Kind == transcript.Thinking || b.Fixed:
				d.whole(ref, b)
			default:
				d.parts(ref, b)
			}
		}
	}
	d.a.end()
}

// untouchable tells whether a block stays as it is while its unit stays.
func (d *draft) untouchable(m *transcript.Message, b *transcript.Block) bool {
	switch {
	case b.Pin == transcript.Verbatim, b.Kind == transcript.Opaque, len(b.Parts) == 0:
		return true
	case b.Kind == transcript.Thinking || b.Fixed && b.Kind == transcript.Text:
		return b.Pin != transcript.Unpinned
	case b.Fixed:
		return true
	}
	summary := b.Pin == transcript.Present && b.Origin == transcript.Generated
	return summary || m.Role == transcript.System && !d.framing
}

// fixed counts a part as there while its unit is.
func (d *draft) fixed(b *transcript.Block, part int) {
	d.a.fixed(d.tokens(b, part), d.survey.Mentions(&b.Parts[part]))
}

// whole offers a block that is kept or dropped as one.
func (d *draft) whole(ref transcript.Ref, b *transcript.Block) {
	p := d.passage(ref, b)
	p.tokens, p.drops, p.whole = d.in.Tokens(b), true, true
	p.begin = d.a.pieces()
	var said []fact.Mention
	bytes := 0
	for i := range b.Parts {
		said = append(said, d.survey.Mentions(&b.Parts[i])...)
		bytes += len(b.Parts[i].Text)
	}
	d.a.piece(said, p.generic*float64(p.tokens))
	d.a.pass(p)
}

// parts offers the texts of a block line by line.
func (d *draft) parts(ref transcript.Ref, b *transcript.Block) {
	for i := range b.Parts {
		p := &b.Parts[i]
		at := ref
		if len(b.Parts) > 1 {
			at.Part = i
		}
		text := p.Text[p.Head:]
		switch {
		case p.Media != nil && b.Pin == transcript.Unpinned:
			at.Part = i
			d.image(at, b, i)
		case p.Media != nil, p.Number, transcript.IsMarker(text) && !strings.Contains(text, "\n"),
			b.Kind == transcript.ToolCall && len(text) <= shortArg,
			len(text) <= shortResult && b.Kind == transcript.ToolResult:
			d.fixed(b, i)
		default:
			d.lines(at, b, i, text)
		}
	}
}

// image offers a picture, which is there or not.
func (d *draft) image(ref transcript.Ref, b *transcript.Block, part int) {
	p := d.passage(ref, b)
	p.marker = transcript.Marker(describe(b.Parts[part].Media))
	p.tokens, p.whole = d.tokens(b, part), true
	if p.tokens == 0 { // not counted in this unit
		d.fixed(b, part)
		return
	}
	p.begin = d.a.pieces()
	d.a.piece(nil, p.generic*float64(p.tokens))
	d.a.pass(p)
}

// lines offers a text piece by piece.
func (d *draft) lines(ref transcript.Ref, b *transcript.Block, part int, text string) {
	p := d.passage(ref, b)
	p.tokens = d.tokens(b, part)
	p.drops = b.Kind == transcript.Text && b.Pin == transcript.Unpinned && len(b.Parts) == 1
	p.cut = squeeze.Cut(text, d.hint(ref, b, part))
	p.head = b.Parts[part].Head
	if env("NOUNDER", 0) > 0 {
		for i := range p.cut.Pieces {
			p.cut.Pieces[i].Under = squeeze.None
		}
	}
	if env("GUTTER", 0) == 0 {
		p.cut.Gutter = false
	}
	if env("NOLIKE", 0) > 0 {
		for i := range p.cut.Pieces {
			p.cut.Pieces[i].Like = squeeze.None
		}
	}
	p.begin = d.a.pieces()
	perByte := float64(p.tokens) / float64(max(1, len(b.Parts[part].Text)))
	mentions := d.survey.Mentions(&b.Parts[part])
	for i := range p.cut.Pieces {
		pc := &p.cut.Pieces[i]
		n := 0
		for n < len(mentions) && int(mentions[n].At) < p.head+pc.End {
			n++
		}
		tokens := float64(pc.End-pc.Start) * perByte
		extra := p.generic * tokens
		if pc.Like == squeeze.None {
			extra += p.cue * float64(pc.Cue)
		}
		d.a.piece(mentions[:n], extra)
		mentions = mentions[n:]
	}
	d.a.pass(p)
	if b.Kind == transcript.ToolCall && b.Parts[part].Name == "" {
		for i, pc := range p.cut.Pieces { // a call in prose: its elements make it one
			if element.MatchString(text[pc.Start:pc.End]) {
				d.a.hold(p.begin + i)
			}
		}
	}
}

// element matches the start or the end of an argument in a call that is written
// as XML elements.
var element = regexp.MustCompile(`</?[a-zA-Z_]+>`)

// passage starts a passage with what its place in the conversation says of it.
func (d *draft) passage(ref transcript.Ref, b *transcript.Block) passage {
	p := passage{ref: ref, result: b.Kind == transcript.ToolResult}
	fade := recency(d.age[ref.Msg])
	switch {
	case b.Kind == transcript.Text && d.answers[ref.Msg] && b.Origin == transcript.ByModel:
		p.generic, p.cue = W.answer+W.said*fade, W.cue
	case b.Origin == transcript.ByModel:
		p.generic, p.cue = W.said*fade, W.cue*fade
	default:
		p.generic, p.cue = W.output*fade, W.cue*fade+W.cueFloor
	}
	return p
}

// hint says what squeeze can know of a text.
func (d *draft) hint(ref transcript.Ref, b *transcript.Block, part int) squeeze.Hint {
	call := b
	h := squeeze.Hint{Failed: b.Error}
	switch b.Kind {
	case transcript.ToolResult:
		call = partner(d.in.Conv, ref)
	case transcript.ToolCall:
		h.Arg = b.Parts[part].Name
	default:
		return h
	}
	h.Tool = b.Tool
	if call != nil {
		if call.Tool != "" {
			h.Tool = call.Tool
		}
		h.Command = callArg(call, commandArgs)
		h.Path = callArg(call, pathArgs)
	}
	return h
}

// The names under which agents give a shell command, and a file.
var (
	commandArgs = []string{"command", "cmd", "script", "code"}
	pathArgs    = []string{"file_path", "filePath", "path", "filename", "target_file", "notebook_path", "file"}
)

// callArg gives an argument of a call, as a part or as an XML element in text.
func callArg(call *transcript.Block, names []string) string {
	if text := proseArg(call, names...); text != "" {
		return text
	}
	return call.Arg(names...)
}

func (d *draft) tokens(b *transcript.Block, part int) int {
	if len(b.Parts) == 1 {
		return d.in.Tokens(b)
	}
	return d.in.Tokens(&transcript.Block{Parts: b.Parts[part : part+1]})
}

// ages gives for each visible message how many come after it.
func ages(c *transcript.Conversation) map[int]int {
	of := map[int]int{}
	for m := range c.Visible() {
		of[m.ID] = len(of)
	}
	last := len(of) - 1
	for id, at := range of {
		of[id] = last - at
	}
	return of
}

// answers are the messages of the model that close a turn: the last with text
// before a person speaks again, and the last of all.
func answers(c *transcript.Conversation) map[int]bool {
	of := map[int]bool{}
	last := -1
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			switch {
			case b.Kind == transcript.Text && b.Origin == transcript.ByModel:
				last = m.ID
			case b.Kind == transcript.Text && b.Origin == transcript.Typed && last >= 0:
				of[last] = true
				last = -1
			}
		}
	}
	if last >= 0 {
		of[last] = true
	}
	return of
}

// kept says how much of a text stays, for people.
func keptOf(kept, all int) string {
	if kept == 0 {
		return "least needed"
	}
	return fmt.Sprintf("%s of %s pieces needed", thousands(kept), thousands(all))
}
