package strategy

import (
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// divider divides a conversation into what stays with its unit and what an [allocation]
// is offered.
type divider struct {
	in      *Input
	survey  *fact.Survey
	a       *allocation
	age     map[int]int                        // by message: visible messages after it
	answers map[int]bool                       // messages that close a turn
	framing bool                               // instructions are offered, too
	only    map[*transcript.Block]int          // only these blocks are offered; nil: all
	ruled   map[string]bool                    // constraints found so far
	cuts    map[*transcript.Part]*squeeze.Text // of the texts that are offered piece by piece
	prose   bool                               // the present message holds a call in prose
}

// The sizes in bytes above which a text is cut.
const (
	shortArg    = 160 // an argument of this size says what was done, rather than with what
	shortResult = 24  // a result of this size is no longer than its marker
	shortText   = 64  // a text that has to leave something, such as [Request interrupted by user]
)

// Values of a token, whatever it mentions, and of a cue of 1, in the newest message.
// They decide between pieces that mention no facts. Cues do not help agents to find
// facts again: they are for people who read the result.
const (
	valueOfOutput = 0.0005 // in results, and in texts of clients
	valueOfProse  = 0.0025 // in texts, thinking and calls of the model
	valueOfCue    = 0.03
)

// unit offers what can be removed from a unit.
func (d *divider) unit(u transcript.Unit) {
	stays := u.Open || u.Kind == transcript.SystemUnit
	for _, id := range u.Msgs {
		m := d.in.Conv.Message(id)
		stays = stays || m.Shadows
		for _, b := range m.Blocks {
			stays = stays || b.Pin != transcript.Unpinned
		}
	}
	d.a.begin(u, stays)
	for _, id := range u.Msgs {
		m := d.in.Conv.Message(id)
		d.prose = slices.ContainsFunc(m.Blocks, inProse)
		for _, b := range m.Blocks {
			d.block(m, b, u.Open)
		}
	}
	d.a.end()
}

func (d *divider) block(m *transcript.Message, b *transcript.Block, open bool) {
	ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
	switch {
	case open || d.untouchable(m, b):
		for i := range b.Parts {
			d.fixed(b, i)
		}
	case undivided(b):
		d.whole(ref, b)
	default:
		for i := range b.Parts {
			d.part(ref, b, i)
		}
	}
}

// undivided reports whether a block is kept or dropped as one.
func undivided(b *transcript.Block) bool { return b.Kind == transcript.Thinking || b.Fixed }

// untouchable reports whether a block is fixed while its unit stays.
func (d *divider) untouchable(m *transcript.Message, b *transcript.Block) bool {
	if _, ok := d.only[b]; !ok && d.only != nil {
		return true
	}
	switch {
	case staysWhole(b), b.Kind == transcript.Opaque:
		return true
	case undivided(b):
		return b.Kind != transcript.Thinking && b.Kind != transcript.Text
	}
	return m.Role == transcript.System && !d.framing
}

// staysWhole reports whether a block stays whole at any budget: pinned text, pinned
// thinking, and a summary, of any program, of what is gone.
func staysWhole(b *transcript.Block) bool {
	return b.Pin == transcript.Verbatim || b.Pin == transcript.Present && (undivided(b) || b.Origin == transcript.Generated)
}

// fixed makes a part a fixed part of its unit.
func (d *divider) fixed(b *transcript.Block, part int) {
	d.a.fixed(d.tokens(b, part), d.survey.Mentions(&b.Parts[part]))
}

// whole offers a block that is kept or dropped as one.
func (d *divider) whole(ref transcript.Ref, b *transcript.Block) {
	p := d.excerpt(ref, b)
	p.tokens, p.drops, p.whole = d.in.Tokens(b), true, true
	var said []fact.Mention
	for i := range b.Parts {
		said = append(said, d.survey.Mentions(&b.Parts[i])...)
	}
	d.a.piece(said, p.tokenValue*float64(p.tokens))
	d.a.offer(p)
}

// part offers a part of a block, or makes it fixed.
func (d *divider) part(ref transcript.Ref, b *transcript.Block, i int) {
	p := &b.Parts[i]
	if len(b.Parts) > 1 || p.Media != nil {
		ref.Part = i
	}
	switch {
	case p.Media != nil && b.Pin == transcript.Unpinned && d.tokens(b, i) > 0:
		d.image(ref, b, i)
	case divisible(b, p):
		d.lines(ref, b, i)
	default:
		d.fixed(b, i)
	}
}

// divisible reports whether a part is a text that is worth cutting.
func divisible(b *transcript.Block, p *transcript.Part) bool {
	text := p.Text[p.Head:]
	switch {
	case p.Media != nil, p.Number, transcript.IsMarker(text) && !strings.Contains(text, "\n"),
		b.Kind == transcript.ToolCall && len(text) <= shortArg,
		b.Kind == transcript.ToolResult && len(text) <= shortResult,
		b.Kind == transcript.Text && b.Pin == transcript.Present && len(text) <= shortText, text == "":
		return false
	}
	return true
}

// image offers a picture, which stays or becomes a marker.
func (d *divider) image(ref transcript.Ref, b *transcript.Block, part int) {
	p := d.excerpt(ref, b)
	p.tokens, p.whole, p.marker = d.tokens(b, part), true, transcript.Marker(describe(b.Parts[part].Media))
	d.a.piece(nil, p.tokenValue*float64(p.tokens))
	d.a.offer(p)
}

// lines offers a text piece by piece.
func (d *divider) lines(ref transcript.Ref, b *transcript.Block, part int) {
	p := d.excerpt(ref, b)
	p.tokens, p.head = d.tokens(b, part), b.Parts[part].Head
	p.drops = b.Kind == transcript.Text && b.Pin == transcript.Unpinned && len(b.Parts) == 1 &&
		!d.prose // the words before a call in prose mark it as one
	p.cut = d.cuts[&b.Parts[part]]
	if lasting(d.in.Conv.Message(ref.Msg), b) {
		p.constraints = d.constraints(p.cut)
	}
	if b.Origin == transcript.Injected && d.in.Conv.Message(ref.Msg).Role == transcript.User {
		stand(p.cut)
	}
	p.cut.Gutter = false // without its neighbours, only the number of a line says where it was
	perByte := float64(p.tokens) / float64(len(b.Parts[part].Text))
	mentions := d.survey.Mentions(&b.Parts[part])
	for i := range p.cut.Pieces {
		pc := &p.cut.Pieces[i]
		n := 0
		for n < len(mentions) && int(mentions[n].At) < p.head+pc.End {
			n++
		}
		extra := float64(p.tokenValue * float64(float64(pc.End-pc.Start)*perByte))
		if pc.Like == squeeze.None {
			extra += float64(p.cue * float64(pc.Cue))
		}
		d.a.piece(mentions[:n], extra)
		mentions = mentions[n:]
	}
	d.a.offer(p)
	for _, i := range protected(p.cut, d.in.Opts.Protect) {
		d.protect(p.cut, i)
	}
	for _, m := range d.in.Opts.Tags.kept(b, p.cut.Source) {
		for _, i := range piecesIn(p.cut, m.from, m.to) {
			d.protect(p.cut, i)
		}
	}
	for from, to := range transcript.Records(p.cut.Source) {
		for _, i := range piecesIn(p.cut, from, to) {
			d.protect(p.cut, i)
		}
	}
	if inProse(b) {
		for i, pc := range p.cut.Pieces { // the elements of a call in prose mark it as one
			if element.MatchString(p.cut.Source[pc.Start:pc.End]) {
				p.cut.Pieces[i].Under = squeeze.None
				d.a.hold(i)
			}
		}
	}
}

// stand makes all pieces of a text need its first. The first words show that a client
// wrote the text. Without them, a reader would take the rest for typed text.
func stand(text *squeeze.Text) {
	for i := 1; i < len(text.Pieces); i++ {
		if p := &text.Pieces[i]; p.Under == squeeze.None {
			p.Under = 0
		}
	}
}

// lasting reports whether a text holds for all that follows: instructions, and texts of
// clients.
func lasting(m *transcript.Message, b *transcript.Block) bool {
	return b.Kind == transcript.Text && (m.Role == transcript.System || b.Origin == transcript.Injected)
}

// constraints returns the pieces of a text with a constraint that no earlier text had.
func (d *divider) constraints(text *squeeze.Text) (pieces []int32) {
	fact.Constraints(text.Source, func(at int, sentence string) {
		if d.ruled[sentence] {
			return
		}
		d.ruled[sentence] = true
		for _, i := range piecesIn(text, at, at+len(sentence)) {
			pieces = append(pieces, int32(i))
		}
	})
	return pieces
}

// protect makes a piece of the last excerpt fixed. The pieces that it needs become
// fixed, too, only where they make the text valid JSON. Elsewhere a later run would not
// see why a declaration above the line stays, and remove it.
func (d *divider) protect(cut *squeeze.Text, i int) {
	if cut.Kind != squeeze.JSON && cut.Kind != squeeze.NDJSON {
		cut.Pieces[i].Under = squeeze.None
	}
	for up := int32(i); up != squeeze.None; up = cut.Pieces[up].Under {
		d.a.hold(int(up))
	}
}

// inProse reports whether a block is a call that is written in the text of its message.
func inProse(b *transcript.Block) bool {
	return b.Kind == transcript.ToolCall && len(b.Parts) == 1 && b.Parts[0].Name == ""
}

// element matches the start or the end of an argument in a call that is written as XML
// elements.
var element = regexp.MustCompile(`</?[a-zA-Z_]+>`)

// excerpt returns a new excerpt with the values that follow from its place in the
// conversation.
func (d *divider) excerpt(ref transcript.Ref, b *transcript.Block) excerpt {
	p := excerpt{
		ref: ref, tokenValue: valueOfOutput, cue: valueOfCue,
		frames: d.in.Conv.Message(ref.Msg).Role == transcript.System, signals: b.Kind == transcript.ToolResult,
	}
	if b.Origin == transcript.ByModel {
		p.tokenValue = valueOfProse
		p.answer = b.Kind == transcript.Text && d.answers[ref.Msg]
	}
	fade := recency(d.age[ref.Msg])
	p.tokenValue *= fade
	p.cue *= fade
	return p
}

// tokens returns the tokens of a part.
func (d *divider) tokens(b *transcript.Block, part int) int {
	if len(b.Parts) == 1 {
		return d.in.Tokens(b)
	}
	return d.in.Tokens(&transcript.Block{Parts: b.Parts[part : part+1]})
}

// cut cuts the texts that are to be offered piece by piece. It uses all cores.
func (d *divider) cut(units []transcript.Unit) {
	type place struct {
		ref  transcript.Ref
		b    *transcript.Block
		part int
	}
	var places []place
	for _, u := range units {
		for _, id := range u.Msgs {
			m := d.in.Conv.Message(id)
			for _, b := range m.Blocks {
				if u.Open || d.untouchable(m, b) || undivided(b) {
					continue
				}
				for i := range b.Parts {
					if divisible(b, &b.Parts[i]) {
						places = append(places, place{transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}, b, i})
					}
				}
			}
		}
	}
	cuts := make([]*squeeze.Text, len(places))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() { // each goroutine owns the elements whose numbers it draws
			for i := next.Add(1) - 1; i < int64(len(places)); i = next.Add(1) - 1 {
				at := places[i]
				p := &at.b.Parts[at.part]
				cuts[i] = squeeze.Cut(p.Text[p.Head:], d.hint(at.ref, at.b, at.part))
			}
		})
	}
	wg.Wait()
	d.cuts = make(map[*transcript.Part]*squeeze.Text, len(places))
	pieces, mentions := 0, 0
	for i, at := range places {
		p := &at.b.Parts[at.part]
		d.cuts[p] = cuts[i]
		pieces += len(cuts[i].Pieces)
		mentions += len(d.survey.Mentions(p))
	}
	d.a.expect(len(units), len(places), pieces, mentions)
}

// hint returns what is known of a text from its call.
func (d *divider) hint(ref transcript.Ref, b *transcript.Block, part int) squeeze.Hint {
	h, call := squeeze.Hint{Failed: b.Error}, b
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
		h.Command, h.Path = subject.Command(call), subject.Path(call)
	}
	return h
}

// protected returns the pieces of a text with a match of one of the expressions, in any
// order. An expression sees one line at a time, without its end; an empty match means
// the line.
func protected(text *squeeze.Text, list []*regexp.Regexp) (pieces []int) {
	if len(list) == 0 {
		return nil
	}
	at := 0
	for line := range strings.Lines(text.Source) {
		bare := strings.TrimRight(line, "\r\n")
		for _, re := range list {
			for _, m := range re.FindAllStringIndex(bare, -1) {
				from, to := at+m[0], at+m[1]
				if from == to {
					from, to = at, at+len(line)
				}
				pieces = append(pieces, piecesIn(text, from, to)...)
			}
		}
		at += len(line)
	}
	return pieces
}

// piecesIn returns the pieces that have any of the bytes from (inclusive) to
// (exclusive).
func piecesIn(text *squeeze.Text, from, to int) (pieces []int) {
	i := sort.Search(len(text.Pieces), func(i int) bool { return text.Pieces[i].End > from })
	for ; i < len(text.Pieces) && text.Pieces[i].Start < to; i++ {
		pieces = append(pieces, i)
	}
	return pieces
}
