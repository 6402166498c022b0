package chronicle

import (
	"slices"
	"strings"

	"condense/transcript"
)

// writer turns a choice into edits. It adds the record of removed calls to text of the model
// before or after them, or to the result of a call that stays. Where none is near, the
// record becomes a message of its own.
type writer struct {
	*choice
	names    *pathNames
	pending  []element // removed steps and old records without a place yet
	contents contents
	host     transcript.Ref    // the text that a record may follow
	hosted   bool              // host is set
	step     int               // the kept step whose result a record may follow; -1 for none
	last     map[string]int    // see lastChanges
	unedited int               // see uneditedBehind
	front    map[int][]string  // by step: records in front of its result
	behind   map[int][]string  // by step: records after its result
	inserted []transcript.Edit // messages of records
	edits    []transcript.Edit
	added    int // tokens that the edits add; negative if they save
}

// written returns the writer with the edits for the current choice. It may keep further items
// that the edits need, which the next call releases. The edits may take the place of old ones, which
// are not needed any more.
func (c *choice) written(old []transcript.Edit) *writer {
	c.release()
	clear(old)
	drops := 0 // growth would hold the edits of very many calls twice
	for i := range c.steps {
		if s := &c.steps[i]; !s.real {
			drops += len(s.calls) + len(s.results)
		}
	}
	w := &writer{choice: c, edits: slices.Grow(old[:0], drops), names: c.paths.unnamed(), last: c.lastChanges(), unedited: c.uneditedBehind(), contents: newContents(c.draft), step: -1, front: map[int][]string{}, behind: map[int][]string{}}
	for i := range c.seq {
		w.element(&c.seq[i])
	}
	w.flush(nil)
	w.blocks()
	return w
}

// element adds an element to the new content, or to the pending ones. Elements must come in
// the order of the conversation.
func (w *writer) element(e *element) {
	switch e.kind {
	case proseElement:
		t := &w.texts[e.at]
		w.contents.begin(e.ref())
		if t.count == 0 && t.inProse && w.callsIn(int(e.msg)) { // a call in prose is recognised by the words before it
			w.keepLeast(t)
		}
		if t.count == 0 {
			return
		}
		w.flush(e)
		w.contents.add(e.ref(), segment{text: w.render(t)})
		w.host, w.hosted, w.step = e.ref(), true, -1
	case stepElement:
		s := &w.steps[e.at]
		if !s.real {
			w.pending = append(w.pending, *e)
			return
		}
		w.flush(e)
		w.hosted, w.step = false, -1
		if _, ok := w.noteAt(s, true); ok {
			w.step = int(e.at)
			w.stayInside(int(e.at))
		}
	case thoughtElement:
		if w.texts[e.at].count > 0 {
			w.pending = append(w.pending, *e)
		}
	case oldElement:
		w.contents.begin(e.ref())
		w.pending = append(w.pending, *e)
	case briefElement:
		if len(w.pending) > 0 {
			w.flush(e)
		}
		w.host, w.hosted, w.step = e.ref(), true, -1
	case frameElement:
		if !w.texts[e.at].removed() && !(w.heavy && int(e.unit) == w.units-1) {
			w.flush(e)
			w.hosted, w.step = false, -1
		}
	case stayElement:
		w.flush(e)
		w.hosted, w.step = false, -1
	}
}

// stayInside writes the old records of a result into it again. A tool can write lines that look
// like a record, so these never become text of the model.
func (w *writer) stayInside(step int) {
	s := &w.steps[step]
	if s := s.also(); len(s.before) > 0 {
		w.front[step] = append(w.front[step], w.oldRecords(s.before))
	}
	if s := s.also(); len(s.after) > 0 {
		w.behind[step] = append(w.behind[step], w.oldRecords(s.after))
	}
}

// removed reports whether nothing of a text is kept.
func (t *text) removed() bool { return t.count == 0 && !t.mustOne }

// callsIn reports whether a call in the text of a message stays.
func (w *writer) callsIn(msg int) bool {
	for _, b := range w.Conv.Message(msg).Blocks {
		if at, ok := w.stepOf.of(transcript.Ref{Msg: msg, Block: b.ID, Part: transcript.Whole}); ok && w.steps[at].real && w.steps[at].prose {
			return true
		}
	}
	return false
}

// keepLeast keeps one item of a text until the next release.
func (w *writer) keepLeast(t *text) {
	if i := w.leastOf(t); !w.items.at(i).kept {
		w.choice.keep(int32(i))
		w.forced = append(w.forced, int32(i))
	}
}

// release drops the items that the last call of written had to keep.
func (c *choice) release() {
	for _, i := range c.forced {
		if x := c.item(i); x.kind == realItem {
			c.steps[x.at].real, x.kept = false, false
		} else {
			c.drop(i)
		}
	}
	c.forced = c.forced[:0]
}

// flush writes the record of the pending elements, and puts it in a place before or at next,
// which is an element that stays, or nil at the end.
func (w *writer) flush(next *element) {
	if len(w.pending) == 0 {
		return
	}
	own := func() (transcript.Ref, bool) {
		for _, p := range w.pending {
			if p.kind == oldElement && int(p.msg) != transcript.End {
				return p.ref(), true
			}
		}
		return transcript.Ref{}, false
	}
	block, old := own()
	switch {
	case w.hosted:
		w.contents.ensure(w.Conv, w.host)
		w.contents.add(w.host, segment{w.record(""), true})
	case next != nil && next.kind == briefElement:
		w.contents.begin(next.ref())
		w.contents.add(next.ref(), segment{w.record(""), true})
		w.contents.add(next.ref(), segment{text: bodyOf(w.Conv, next.ref())})
	case next != nil && next.kind == proseElement:
		w.contents.add(next.ref(), segment{w.record(""), true})
	case old:
		w.contents.add(block, segment{w.record(""), true})
	case w.step >= 0:
		w.behind[w.step] = append(w.behind[w.step], w.record(""))
	case next != nil && next.kind == stepElement && w.takesNote(int(next.at)):
		w.front[int(next.at)] = append(w.front[int(next.at)], w.record(""))
	case w.insertable(next):
		w.insert(next)
	default:
		w.force(next)
	}
	w.pending = w.pending[:0]
}

// takesNote reports whether a result of a step can hold a record.
func (w *writer) takesNote(step int) bool {
	_, ok := w.noteAt(&w.steps[step], false)
	return ok
}

// insertable reports whether a message of the model may be inserted in front of an element.
// It must not separate a call from its result, or precede a message of the model.
func (w *writer) insertable(next *element) bool {
	if next == nil { // at the end, the agent may be waiting for a result
		return w.heavy
	}
	m := w.Conv.Message(int(next.msg))
	return !next.model && !m.Joined && !w.inside[m.ID]
}

// insert makes the record of the pending elements a message in front of next, or the last message.
func (w *writer) insert(next *element) {
	turn := int(w.turns[w.pending[0].msg])
	at, opening := transcript.At(transcript.End), ""
	if next != nil {
		at = transcript.At(int(next.msg))
		if !w.worded[turn] && int(w.turns[next.msg]) > turn {
			opening = wordless
		}
	}
	w.inserted = append(w.inserted, transcript.Edit{
		At: at, Op: transcript.Insert, Group: turn + 1, Why: "what was done",
		New: &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{{
			Parts: []transcript.Part{{Text: w.record(opening)}}, Origin: transcript.Generated,
		}}},
	})
}

// withoutNote is more than the tokens of any call.
const withoutNote = 1e9

// force keeps a pending step as a call to make a place for the record of the others. It
// chooses the cheapest step whose result can hold a record, or else the cheapest step.
func (w *writer) force(next *element) {
	at, least := -1, 0.0
	for i, e := range w.pending {
		if e.kind != stepElement {
			continue
		}
		cost := float64(w.steps[e.at].args) + w.steps[e.at].rest
		if !w.takesNote(int(e.at)) {
			cost += withoutNote
		}
		if at < 0 || cost <= least {
			at, least = i, cost
		}
	}
	if at < 0 {
		return
	}
	step, behind := int(w.pending[at].at), slices.Clone(w.pending[at+1:])
	w.steps[step].real = true
	w.items.at(w.steps[step].item).kept = true
	w.forced = append(w.forced, int32(w.steps[step].item))
	w.pending = w.pending[:at]
	if len(w.pending) > 0 && w.takesNote(step) {
		w.front[step] = append(w.front[step], w.record(""))
	}
	if w.takesNote(step) {
		w.stayInside(step)
	}
	if len(behind) > 0 && w.takesNote(step) {
		w.pending = behind
		w.behind[step] = append(w.behind[step], w.record(""))
	}
}

// noteAt returns the first or the last part of the results of a step that can hold a record,
// and whether there is one.
func (w *writer) noteAt(s *step, last bool) (transcript.Ref, bool) {
	found, ok := transcript.Ref{}, false
	for _, ref := range s.results {
		b := w.Conv.Block(ref)
		if b.Fixed || b.Pin == transcript.Verbatim || w.open[ref.Msg] || b.Origin == transcript.Typed {
			continue
		}
		for i := range b.Parts {
			if b.Parts[i].Media != nil {
				continue
			}
			at := ref
			if len(b.Parts) > 1 {
				at.Part = i
			}
			found, ok = at, true
			if !last {
				return found, true
			}
		}
	}
	return found, ok
}

// blocks makes the edits of all blocks, and adds the inserted messages.
func (w *writer) blocks() {
	w.results()
	alive := make([]bool, w.units) // by unit
	for i := len(w.seq) - 1; i >= 0; i-- {
		e := &w.seq[i]
		switch e.kind {
		case proseElement:
			alive[e.unit] = alive[e.unit] || w.texts[e.at].count > 0
		case briefElement:
			alive[e.unit] = true
		case stepElement:
			alive[e.unit] = alive[e.unit] || w.steps[e.at].real
			if !w.steps[e.at].real {
				w.dropStep(&w.steps[e.at])
			}
		case frameElement:
			alive[e.unit] = alive[e.unit] || e.model && !w.texts[e.at].removed()
		case stayElement:
			alive[e.unit] = alive[e.unit] || e.model
		case wholeElement:
			w.whole(&w.wholes[e.at], e.model && !alive[e.unit] || !e.model && w.answersOnly(int(e.msg)))
		}
	}
	for _, c := range w.contents {
		w.prose(c.ref(), c.segments)
	}
	for i := range w.texts {
		if w.texts[i].form == frame {
			w.frame(&w.texts[i])
		}
	}
	for i := range w.inserted {
		w.add(w.inserted[i])
	}
}

// answersOnly reports whether a message holds results, and all their calls are removed. Text
// that a client added to the results is then removed, too.
func (w *writer) answersOnly(msg int) bool {
	answers := false
	for _, b := range w.Conv.Message(msg).Blocks {
		if at, ok := w.stepOf.of(transcript.Ref{Msg: msg, Block: b.ID, Part: transcript.Whole}); ok {
			if w.steps[at].real {
				return false
			}
			answers = true
		}
	}
	return answers
}

// add adds an edit, and counts its tokens.
func (w *writer) add(e transcript.Edit) {
	w.edits = append(w.edits, e)
	w.added += w.delta(&e)
}

// delta returns the tokens that an edit adds; negative if it saves.
func (w *writer) delta(e *transcript.Edit) int {
	if e.Op == transcript.Insert {
		return w.Tokens(e.New.Blocks[0])
	}
	b := w.Conv.Block(e.At)
	if e.Op == transcript.Drop {
		return -w.Tokens(b)
	}
	return w.Tokens(b.Rewritten(e)) - w.Tokens(b)
}

// dropStep drops a step that only a record describes.
func (w *writer) dropStep(s *step) {
	for _, refs := range [][]transcript.Ref{s.calls, s.results} {
		for _, ref := range refs {
			w.add(transcript.Edit{At: ref, Op: transcript.Drop, Group: s.turn + 1, Why: "described in a record"})
		}
	}
}

// whole drops an undivided block that is not kept, or replaces it with its marker. alone
// means that the rest of its unit, or the calls that its message answers, are removed: the
// block is then removed even if it is kept.
func (w *writer) whole(x *whole, alone bool) {
	if x.kept && !alone {
		return
	}
	e := transcript.Edit{At: x.ref, Op: transcript.Drop, Why: "least needed"}
	switch {
	case x.marker != "":
		e.Op, e.Text = transcript.Rewrite, x.marker
	case x.block.Kind == transcript.Thinking: // with the records that may quote it, which save nothing without it
		e.Group = int(w.turns[x.ref.Msg]) + 1
	}
	if e.Op == transcript.Drop || w.delta(&e) < 0 {
		w.add(e)
	}
}

// prose rewrites a text of the model with its new content, or drops it.
func (w *writer) prose(ref transcript.Ref, list []segment) {
	b := w.Conv.Block(ref)
	text := joined(list)
	source := b.Parts[0].Text[b.Parts[0].Head:]
	group, why := int(w.turns[ref.Msg])+1, "the sentences that tell most"
	if strings.TrimSpace(transcript.WithoutRecords(text)) == strings.TrimSpace(source) {
		why = "what was done beside"
	}
	switch {
	case strings.TrimSpace(text) == "":
		w.add(transcript.Edit{At: ref, Op: transcript.Drop, Group: group, Why: "least needed"})
	case text != source && strings.TrimRight(text, "\n") != strings.TrimRight(source, "\n"):
		w.add(transcript.Edit{At: ref, Op: transcript.Rewrite, Text: text, Group: group, Why: why})
	}
}

// frame shortens instructions, or drops long injected text.
func (w *writer) frame(t *text) {
	if t.removed() {
		w.add(transcript.Edit{At: t.ref(), Op: transcript.Drop, Why: "least needed"})
		return
	}
	text := w.render(t)
	if t.count == 0 && t.block.Origin == transcript.Injected {
		text = clientMarker(t.block)
	}
	w.shorten(t, text, 0)
}

// shorten adds a rewrite of a part of a block if it saves tokens.
func (w *writer) shorten(t *text, text string, group int) {
	if text == t.cut.Source || strings.TrimSpace(text) == "" {
		return
	}
	e := transcript.Edit{At: t.ref(), Op: transcript.Rewrite, Text: text, Group: group, Why: "regions that tell most"}
	if tokens := w.delta(&e); tokens < 0 {
		w.edits = append(w.edits, e)
		w.added += tokens
	}
}

// results rewrites the results of the kept steps, with the records in them.
func (w *writer) results() {
	for k := range w.steps {
		s := &w.steps[k]
		if !s.real {
			continue
		}
		for _, i := range s.also().media {
			w.whole(&w.wholes[i], false)
		}
		front, behind := w.front[k], w.behind[k]
		first, _ := w.noteAt(s, false)
		last, _ := w.noteAt(s, true)
		texts := map[transcript.Ref]*text{}
		for _, i := range s.texts {
			if t := &w.texts[i]; t.form == result {
				texts[t.ref()] = t
			}
		}
		if len(front)+len(behind) > 0 {
			for _, ref := range distinct(first, last) {
				t := texts[ref]
				body := ""
				if t != nil {
					body = w.render(t)
					delete(texts, ref)
				} else {
					b := w.Conv.Block(ref)
					i := max(0, ref.Part)
					body = b.Parts[i].Text[b.Parts[i].Head:]
				}
				var list []segment
				if ref == first {
					for _, r := range front {
						list = append(list, segment{r, true})
					}
				}
				list = append(list, segment{body, transcript.IsMarker(strings.TrimSpace(body))}) // a reader must not take the record for the result
				if ref == last {
					for _, r := range behind {
						list = append(list, segment{r, true})
					}
				}
				w.note(ref, list, s.turn+1)
			}
		}
		for _, i := range s.texts {
			if t := texts[w.texts[i].ref()]; t == &w.texts[i] {
				if has := s.also(); len(has.before)+len(has.after) > 0 && t.cut.Source != t.block.Parts[t.part].Text[t.block.Parts[t.part].Head:] {
					w.note(t.ref(), []segment{{w.render(t), false}}, s.turn+1)
					continue
				}
				w.shorten(t, w.render(t), 0)
			}
		}
	}
}

// note rewrites a part of a result with its records.
func (w *writer) note(ref transcript.Ref, list []segment, group int) {
	text := strings.TrimRight(joined(list), "\n")
	b := w.Conv.Block(ref)
	i := max(0, ref.Part)
	if text == "" || text == strings.TrimRight(b.Parts[i].Text[b.Parts[i].Head:], "\n") {
		return
	}
	w.add(transcript.Edit{At: ref, Op: transcript.Rewrite, Text: text, Group: group, Why: "regions that tell most, and what was done beside"})
}
