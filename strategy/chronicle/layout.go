package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// Sizes up to which a text is not cut.
const (
	shortArg      = 160 // bytes of an argument; a record may quote one of more than twice this size
	shortResult   = 100 // bytes of a result that is hardly longer than its marker
	longArgs      = 100 // tokens of the arguments of a call that its results may keep
	shortGiven    = 64  // bytes of a text of the client that is hardly longer than its marker
	shortAttached = 80  // tokens of an attachment that is not shortened
	shortInjected = 600 // tokens of injected text that is kept or removed as a whole
)

// layOut makes the elements in the order of the conversation, and cuts the texts.
func (d *draft) layOut() {
	calls, texts, blocks := 0, 0, 0
	for _, b := range d.Conv.Blocks() {
		d.proseCalls = d.proseCalls || subject.InProse(b)
		blocks++
		switch {
		case b.Kind == transcript.ToolCall:
			calls++
		case b.Kind == transcript.ToolResult && !stays(b) && len(b.Parts) == 1 && len(b.Parts[0].Text) > shortResult:
			texts++
		case b.Kind == transcript.Text && b.Origin == transcript.ByModel && !stays(b):
			texts++
		}
	}
	if d.briefs >= 0 {
		texts = 0 // most of them may be brief
	}
	// Growth would hold most of these large elements twice.
	d.steps, d.texts, d.seq = make([]step, 0, calls), make([]text, 0, texts), make([]element, 0, blocks)
	d.pairUp()
	for m := range d.Conv.Visible() {
		if d.Stays[m.ID] {
			continue
		}
		inProse := false
		for _, b := range m.Blocks {
			inProse = inProse || subject.InProse(b)
		}
		for _, b := range m.Blocks {
			d.block(m, b, inProse)
		}
	}
	for i := range d.steps {
		d.finish(&d.steps[i])
	}
	d.heavy = !d.textOnly && d.endsLoose()
	d.markSuperseded()
	d.markChecks()
	d.markRetried()
	d.cutAll()
	d.calmPassed()
	d.judge()
}

// endsLoose reports whether the last message holds a result whose call need not stay.
func (d *draft) endsLoose() bool {
	for _, m := range slices.Backward(d.Conv.Messages) {
		if m.Hidden {
			continue
		}
		return slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool {
			at, ok := d.stepOf.of(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
			return ok && !d.steps[at].must
		})
	}
	return false
}

// pairUp makes the steps: one for each call with its result, and one for all unpaired calls
// and results of a unit.
func (d *draft) pairUp() {
	loose := map[int32]int{} // by unit
	for ref, b := range d.Conv.Blocks() {
		if b.Kind != transcript.ToolCall && b.Kind != transcript.ToolResult || d.Stays[ref.Msg] {
			continue
		}
		if other, ok := d.Conv.Partner(ref); ok {
			if at, known := d.stepOf.of(other); known {
				d.stepOf.set(d.Conv, ref, at)
				continue
			}
		} else if at, known := loose[d.unitOf[ref.Msg]]; known {
			d.stepOf.set(d.Conv, ref, at)
			continue
		} else {
			loose[d.unitOf[ref.Msg]] = len(d.steps)
		}
		d.stepOf.set(d.Conv, ref, len(d.steps))
		d.steps = append(d.steps, step{turn: int(d.turns[ref.Msg]), msg: ref.Msg})
	}
}

// block adds the elements of a block.
func (d *draft) block(m *transcript.Message, b *transcript.Block, inProse bool) {
	d.total += d.Tokens(b)
	e := element{msg: int32(m.ID), block: int32(b.ID), model: m.Role == transcript.Assistant, unit: d.unitOf[m.ID]}
	switch {
	case b.Kind == transcript.ToolCall || b.Kind == transcript.ToolResult:
		d.half(e, m, b)
		return
	case d.open[m.ID] || stays(b):
		e.kind = stayElement
	case b.Kind == transcript.Thinking, b.Kind == transcript.Opaque, b.Fixed:
		d.thought(e, b)
		d.undivided(e, b)
		return
	case b.Kind == transcript.Media || !plain(b):
		d.media(e, b)
		return
	case m.Role == transcript.Assistant && b.Origin != transcript.Injected:
		d.said(e, b, inProse)
		return
	case m.Role == transcript.System && !d.framing:
		e.kind = stayElement
	case d.isFreeTyped(m, b):
		d.typed(e, m, b)
		return
	default:
		d.given(e, m, b)
		return
	}
	d.stay(b)
	d.seq = append(d.seq, e)
}

// stay adds a block that stays unchanged to the base.
func (d *draft) stay(b *transcript.Block) {
	d.base += d.Tokens(b)
	d.staying = append(d.staying, b)
}

// plain reports whether a block is a single text.
func plain(b *transcript.Block) bool {
	return b.Kind == transcript.Text && len(b.Parts) == 1 && b.Parts[0].Media == nil && !b.Parts[0].Number
}

// half adds a call or a result to its step, and the step to the elements if it is new.
func (d *draft) half(e element, m *transcript.Message, b *transcript.Block) {
	at, _ := d.stepOf.of(e.ref())
	s := &d.steps[at]
	if len(s.calls)+len(s.results) == 0 {
		e.kind, e.at, e.model = stepElement, int32(at), true
		d.seq = append(d.seq, e)
	}
	s.must = s.must || d.open[m.ID] || b.Pin != transcript.Unpinned || m.Shadows
	if b.Kind == transcript.ToolCall {
		s.calls = append(s.calls, e.ref())
		s.args += d.Tokens(b)
		s.prose = s.prose || subject.InProse(b)
		return
	}
	s.results = append(s.results, e.ref())
}

// finish adds the texts of a step: its results, and the text that its calls wrote.
func (d *draft) finish(s *step) {
	at := d.indexOf(s)
	for _, ref := range s.results {
		b := d.Conv.Block(ref)
		if stays(b) {
			d.stay(b)
			continue
		}
		for i := range b.Parts {
			d.returned(s, at, ref, b, i)
		}
	}
	s.entry = d.entryOf(s)
	s.changes = s.changes || s.failed()
	s.labelTokens = float64(d.textTokens(s.entry.text(d.paths, "")) + 1)
	s.long = s.args > longArgs
	if s.must {
		s.real = true
		for _, ref := range s.calls {
			d.stay(d.Conv.Block(ref))
		}
		d.base += int(s.rest)
		return
	}
	for _, ref := range s.calls {
		b := d.Conv.Block(ref)
		for i := range b.Parts {
			if sign, ok := wrote(b, i); ok {
				d.texts = append(d.texts, text{
					form: hunks, msg: int32(ref.Msg), within: int32(ref.Part), block: b, part: int32(i), from: int32(b.Parts[i].Head), to: int32(len(b.Parts[i].Text)), step: int32(at), sign: sign, file: toFile(b, i),
					age: d.ages[ref.Msg], last: s.turn == d.lastTurn, perByte: perByte(d.Tokens(b), b),
				})
				s.texts = append(s.texts, len(d.texts)-1)
			}
		}
	}
}

// indexOf returns the index of a step in steps.
func (d *draft) indexOf(s *step) int {
	for _, list := range [][]transcript.Ref{s.calls, s.results} {
		for _, ref := range list {
			at, _ := d.stepOf.of(ref)
			return at
		}
	}
	return 0
}

// returned adds a part of a result: an image as a whole, other parts as a text.
func (d *draft) returned(s *step, at int, ref transcript.Ref, b *transcript.Block, i int) {
	p := &b.Parts[i]
	if len(b.Parts) > 1 || p.Media != nil {
		ref.Part = i
	}
	tokens := d.Tokens(b)
	if len(b.Parts) > 1 {
		tokens = d.Tokens(&transcript.Block{Parts: b.Parts[i : i+1]})
	}
	if p.Media != nil {
		w := whole{ref: ref, block: b, tokens: tokens, marker: transcript.Marker("image"), needs: at}
		s.rest += d.gap
		media := s.specials()
		media.media = append(media.media, len(d.wholes))
		d.wholes = append(d.wholes, w)
		return
	}
	from, to := int(p.Head), len(p.Text)
	if has := s.also(); has.before == nil && has.after == nil {
		from, to = d.recordsAround(s, p)
	}
	body := p.Text[from:to]
	head := transcript.StatusHead(body)
	short := b.Fixed || len(body)-head <= shortResult || subject.OnlyMarker(body)
	if short && (head == 0 && from == int(p.Head) && to == len(p.Text) || body == "") {
		s.rest += float64(tokens)
		return
	}
	s.rest += d.gap
	d.texts = append(d.texts, text{
		fixed: short, head: int32(head), form: result, msg: int32(ref.Msg), within: int32(ref.Part), block: b, part: int32(i), from: int32(from), to: int32(to), step: int32(at),
		age: d.ages[ref.Msg], last: s.turn == d.lastTurn, perByte: float64(tokens) / float64(max(1, len(p.Text))),
	})
	s.texts = append(s.texts, len(d.texts)-1)
}

// perByte returns the tokens per byte of a block of the given tokens.
func perByte(tokens int, b *transcript.Block) float64 {
	bytes := 0
	for _, p := range b.Parts {
		bytes += len(p.Text)
	}
	return float64(tokens) / float64(max(1, bytes))
}

// thought adds the text of readable thinking, which records may quote.
func (d *draft) thought(e element, b *transcript.Block) {
	if b.Kind != transcript.Thinking || len(b.Parts) != 1 || len(b.Text()) <= shortGiven {
		return
	}
	e.kind, e.at = thoughtElement, int32(len(d.texts))
	d.seq = append(d.seq, e)
	d.texts = append(d.texts, text{
		form: thought, msg: e.msg, within: transcript.Whole, block: b, from: int32(b.Parts[0].Head), to: int32(len(b.Parts[0].Text)), step: -1,
		age: d.ages[e.msg], last: int(d.turns[e.msg]) == d.lastTurn, perByte: perByte(d.Tokens(b), b),
	})
}

// undivided adds a block that is kept or removed as a whole.
func (d *draft) undivided(e element, b *transcript.Block) {
	e.kind, e.at = wholeElement, int32(len(d.wholes))
	w := whole{ref: e.ref(), block: b, tokens: d.Tokens(b), needs: -1, unit: int(e.unit)}
	d.wholes = append(d.wholes, w)
	d.seq = append(d.seq, e)
}

// media adds an image, or a text in parts, as a whole.
func (d *draft) media(e element, b *transcript.Block) {
	e.kind, e.at = wholeElement, int32(len(d.wholes))
	w := whole{ref: e.ref(), block: b, tokens: d.Tokens(b), needs: -1, unit: int(e.unit)}
	if b.Pin == transcript.Present || d.Conv.Message(int(e.msg)).Shadows {
		e.kind = stayElement
		d.stay(b)
		d.seq = append(d.seq, e)
		return
	}
	d.wholes = append(d.wholes, w)
	d.seq = append(d.seq, e)
}

// said adds the elements of a text of the model: its stretches of prose, and the records of
// an earlier run between them.
func (d *draft) said(e element, b *transcript.Block, inProse bool) {
	p := &b.Parts[0]
	pinned := b.Pin == transcript.Present
	d.split(p.Text, int(p.Head), func(from, to int, rec *oldRecord) {
		if rec != nil {
			o := e
			o.kind, o.at = oldElement, int32(len(d.olds))
			rec.ref, rec.turn = e.ref(), int(d.turns[e.msg])
			d.olds = append(d.olds, *rec)
			d.seq = append(d.seq, o)
			return
		}
		t := text{
			form: prose, msg: e.msg, within: transcript.Whole, block: b, from: int32(from), to: int32(to), step: -1, age: d.ages[e.msg],
			closing: d.closing.has(e.ref()) && !d.losesTyped, last: int(d.turns[e.msg]) == d.lastTurn,
			perByte: float64(d.Tokens(b)) / float64(max(1, len(p.Text))),
		}
		t.mustOne = t.closing && !d.freeTyped || pinned || d.Conv.Message(int(e.msg)).Shadows
		if d.briefs >= 0 && t.closing && t.mustOne && !inProse && d.isBrief(p, from, to) {
			d.addBrief(p, float64(to-from)*t.perByte)
			e.kind = briefElement
			d.seq = append(d.seq, e)
			return
		}
		t.inProse = inProse
		x := e
		x.kind, x.at = proseElement, int32(len(d.texts))
		d.texts = append(d.texts, t)
		d.seq = append(d.seq, x)
	})
}

// given adds text of a client, the system or the user. Short injected text is kept or removed
// as a whole; other text is shortened.
func (d *draft) given(e element, m *transcript.Message, b *transcript.Block) {
	tokens := d.Tokens(b)
	held := b.Pin != transcript.Unpinned || m.Shadows
	attached := attaches(b)
	if transcript.IsMarker(b.Text()) || len(b.Text()) <= shortGiven || attached && tokens <= shortAttached || d.commands.has(e.ref()) && tokens <= shortInjected || strings.Contains(b.Text(), "["+clientText) && strings.Count(b.Text(), "\n") < 3 {
		e.kind = stayElement
		d.stay(b)
		d.seq = append(d.seq, e)
		return
	}
	if b.Origin == transcript.Injected && m.Role != transcript.System && (tokens <= shortInjected || announces(b) || showsChange(b)) && !d.protects(b) {
		e.kind, e.at = wholeElement, int32(len(d.wholes))
		w := whole{ref: e.ref(), block: b, tokens: tokens, needs: -1, unit: int(e.unit)}
		if held || attached || showsChange(b) {
			w.marker = clientMarker(b)
		}
		e.model = false
		d.wholes = append(d.wholes, w)
		d.seq = append(d.seq, e)
		return
	}
	p := &b.Parts[0]
	e.kind, e.at = frameElement, int32(len(d.texts))
	d.seq = append(d.seq, e)
	d.texts = append(d.texts, text{
		form: frame, msg: e.msg, within: transcript.Whole, block: b, from: int32(p.Head), to: int32(len(p.Text)), step: -1, age: d.ages[e.msg],
		mustOne: held || attached || m.Role == transcript.System, perByte: float64(tokens) / float64(max(1, len(p.Text))),
	})
}

// attaches reports whether a block is a file or a selection that the user attached to a message, which may make
// no sense without it.
func attaches(b *transcript.Block) bool {
	return b.Origin == transcript.Injected && b.Tool == "" && len(b.Parts) == 1 && (b.Parts[0].Name != "" || attachment.MatchString(b.Text()))
}

// attachment matches the tags in which Cursor and Claude Code put a selection of the user.
var attachment = lazyregexp.New(`\A\s*<(?:attached_files|code_selection|ide_selection)>`)

// announces reports whether a block is an attachment without the content of a file: a list of tools,
// skills or tasks, of which the client sends a new one when it changes.
func announces(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Injected && b.Tool != "" && b.Parts[0].Name == ""
}

// showsChange reports whether a block is an attachment with which Claude Code shows lines of a file that
// something else changed. The client names the file in front of them, and the model can read it again.
func showsChange(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Tool == "edited_text_file" && b.Parts[0].Name != ""
}

// protects reports whether the user protects pieces of a text.
func (d *draft) protects(b *transcript.Block) bool {
	return d.Held != nil && len(d.Held(b, squeeze.Cut(b.Body(), squeeze.Hint{}))) > 0
}

// clientMarker returns the marker that replaces a text of a client that must not be dropped.
// It keeps the tags around the text, by which the client's text is recognised.
func clientMarker(b *transcript.Block) string {
	text := strings.TrimSpace(b.Text())
	if m := opens.FindStringSubmatch(text); m != nil {
		if inner, ok := strings.CutSuffix(text[len(m[0]):], "</"+m[1]+">"); ok && strings.TrimSpace(inner) != "" {
			return m[0] + "\n" + transcript.Marker(clientText+sizeOf(strings.TrimSpace(inner))) + "\n</" + m[1] + ">"
		}
	}
	return transcript.Marker(clientText + sizeOf(text))
}

// clientText is the beginning of the marker for a text of a client.
const clientText = "text of the client: "

// opens matches a tag at the start of a text.
var opens = lazyregexp.New(`\A<([A-Za-z_][\w-]*)>`)
