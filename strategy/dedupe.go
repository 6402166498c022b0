package strategy

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// Dedupe replaces content that comes again later by a reference to it.
var Dedupe = Strategy{
	Name:  "dedupe",
	Doc:   "repeated tool results, lines of results, paragraphs, images and reminders: the newest copy stays, older ones become references to it",
	Loses: "only older states of environment details and of todo lists in reminders",
	Run:   dedupe,
}

// dedupe visits blocks from the newest to the oldest, so that the newest copy stays. It
// compares whole blocks first, then runs of lines in the others.
func dedupe(_ context.Context, in *Input) (Proposal, error) {
	d := deduper{in: in, results: map[string]*passage{}, images: map[imageKey]picture{}, notes: map[string]bool{}}
	for _, m := range slices.Backward(in.Conv.Messages) {
		if m.Hidden {
			continue
		}
		left := len(m.Blocks)
		for _, b := range slices.Backward(m.Blocks) {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			d.media(ref, b)
			switch {
			case b.Kind == transcript.ToolResult:
				d.result(ref, b)
			case b.Kind != transcript.Text:
			case b.Origin == transcript.Injected && m.Role == transcript.User:
				if d.note(ref, b, left == 1) {
					left--
				}
			case m.Role == transcript.Assistant || b.Origin == transcript.Typed:
				d.passages(ref, b, true)
			}
		}
	}
	d.lines()
	slices.SortFunc(d.edits, func(a, b transcript.Edit) int {
		return cmp.Or(cmp.Compare(in.Conv.Position(a.At.Msg), in.Conv.Position(b.At.Msg)),
			cmp.Compare(a.At.Block, b.At.Block), cmp.Compare(a.At.Part, b.At.Part))
	})
	if len(d.edits) == 0 {
		return Skip("nothing is repeated"), nil
	}
	return Proposal{Edits: d.edits}, nil
}

// deduper holds the content that was visited, all of which is newer than the current
// block.
type deduper struct {
	in      *Input
	results map[string]*passage // by text: the newest result
	images  map[imageKey]picture
	notes   map[string]bool // keys of injected texts
	texts   []*passage      // texts whose lines are compared, newest first
	edits   []transcript.Edit
}

// result replaces a tool result by a reference if a newer one has the same text. What [Mask] kept of a
// failed result stays: in a run after this one, the same lines would have come together elsewhere, too.
func (d *deduper) result(ref transcript.Ref, b *transcript.Block) {
	text := b.Text()
	if isFailedStub(b.Body()) {
		return
	}
	if mediaParts(b) > 0 || holdsMarker(text) {
		d.passages(ref, b, false)
		return
	}
	kept, again := d.results[text]
	if again && d.refer(ref, b, kept.ref, size(b.Body())) {
		return
	}
	if !again {
		d.results[text] = &passage{ref: ref, block: b}
	}
	d.passages(ref, b, false)
}

// passages adds the texts of a block to those whose lines are compared. prose reports
// that they are texts of the model or of a person.
func (d *deduper) passages(ref transcript.Ref, b *transcript.Block, prose bool) {
	for i, p := range b.Parts {
		text := p.Text[p.Head:]
		if p.Media != nil || len(text) < windowBytes {
			continue
		}
		at := ref
		if len(b.Parts) > 1 {
			at.Part = i
		}
		if p.Head > 0 { // a rewrite puts one line break after the head
			for len(text) > 0 && text[0] == '\n' {
				text = text[1:]
			}
		}
		fixed := b.Pin == transcript.Verbatim || b.Fixed || prose && b.Origin != transcript.ByModel || b.Kind == transcript.Text && p.Name != ""
		d.texts = append(d.texts, &passage{ref: at, block: b, text: text, prose: prose, fixed: fixed})
	}
}

// lines replaces runs of lines that a newer text repeats. Results are compared with
// results, and prose with prose.
func (d *deduper) lines() {
	d.texts = compared(d.texts)
	n := 0
	for _, p := range d.texts {
		p.lines = split(p.text, p.prose)
		n += len(p.lines)
	}
	again := newSeenTwice(n)
	for _, p := range d.texts {
		for _, l := range p.lines {
			again.add(l.hash)
		}
	}
	results, prose := index{again: again, at: map[uint64]place{}}, index{again, map[uint64]place{}, map[uint64]place{}}
	for _, p := range d.texts {
		x := &results
		if p.prose {
			x = &prose
		}
		if !p.fixed {
			d.shorten(p, x)
		}
		x.add(p)
	}
}

// compared returns the texts without those that there is nothing to compare with: the only
// result, and the only prose.
func compared(texts []*passage) []*passage {
	prose := 0
	for _, p := range texts {
		if p.prose {
			prose++
		}
	}
	results := len(texts) - prose
	return slices.DeleteFunc(texts, func(p *passage) bool { return p.prose && prose == 1 || !p.prose && results == 1 })
}

// shorten replaces the runs of lines of p that are in x, if that saves anything.
func (d *deduper) shorten(p *passage, x *index) {
	marker := func(r stretch) string {
		return d.reference(p.ref, p.block, r.kept.ref, p.amount(r))
	}
	found := x.stretches(p, func(r stretch) bool { return savesMarker(p, r, marker(r)) })
	if len(found) == 0 {
		return
	}
	e := transcript.Edit{At: p.ref, Op: transcript.Rewrite, Text: p.without(found, marker), Same: whole(found[0].kept.ref), Why: "repeated later"}
	if d.add(p.block, e) {
		p.strike(found)
	}
}

// Limits for the replacement of a run of lines. Readers have to look up every marker, so
// short runs stay. In prose every whole paragraph is long enough.
const (
	minRunLines = 4   // the run has at least this number of lines,
	minRunBytes = 400 // or at least this number of bytes
	minMarkers  = 3   // and it is at least this many times as long as its marker
)

// savesMarker reports whether a run of p is long enough to be replaced by a marker.
func savesMarker(p *passage, r stretch, marker string) bool {
	bytes := int(p.end(r.to-1) - p.lines[r.from].start)
	return bytes >= minMarkers*len(marker) && (r.to-r.from >= minRunLines || bytes >= minRunBytes || p.prose)
}

// whole returns the address of the whole block that ref points into.
func whole(ref transcript.Ref) *transcript.Ref {
	ref.Part = transcript.Whole
	return &ref
}

// imageKey identifies an image: its bytes, and whether it is in a tool result.
type imageKey struct {
	data   string
	result bool
}

// picture is the newest copy of an image.
type picture struct {
	ref transcript.Ref
	pin transcript.Pin
}

// media replaces images by references if a newer block has the same image, with an equal
// or stronger pin.
func (d *deduper) media(ref transcript.Ref, b *transcript.Block) {
	for i, p := range slices.Backward(b.Parts) {
		if p.Media == nil || p.Media.Data == "" {
			continue
		}
		key := imageKey{p.Media.Data, b.Kind == transcript.ToolResult}
		at := ref
		at.Part = i
		if kept, again := d.images[key]; again && kept.pin >= b.Pin && d.refer(at, b, kept.ref, mediumName(p.Media)) {
			continue
		}
		if kept, again := d.images[key]; !again || kept.pin < b.Pin {
			d.images[key] = picture{ref, b.Pin}
		}
	}
}

func mediumName(m *transcript.Medium) string {
	if strings.Contains(m.Type, "image") {
		return "image"
	}
	return "attachment"
}

// refer replaces a block, or a part of it, by a reference to kept. Like add, it reports
// false if it does not.
func (d *deduper) refer(at transcript.Ref, b *transcript.Block, kept transcript.Ref, amount string) bool {
	return d.add(b, transcript.Edit{
		At: at, Op: transcript.Rewrite, Same: whole(kept), Text: d.reference(at, b, kept, amount), Why: "repeated later",
	})
}

// reference returns the marker for content of the block b at ref that the block at kept
// repeats.
func (d *deduper) reference(ref transcript.Ref, b *transcript.Block, kept transcript.Ref, amount string) string {
	own, by := sourceName(d.in.Conv, ref, b), sourceName(d.in.Conv, kept, d.in.Conv.Block(kept))
	if own == by {
		by = ""
	}
	return reference(by, amount)
}

// add adds an edit of a block. It reports false, and adds nothing, if the block must not
// be changed or the edit saves nothing.
func (d *deduper) add(b *transcript.Block, e transcript.Edit) bool {
	if b.Pin == transcript.Verbatim || b.Fixed || d.in.delta(&e) >= 0 || change(d.in.Conv, &e, bytes) > 0 {
		return false
	}
	d.edits = append(d.edits, e)
	return true
}

// Clients insert the same texts into user messages again and again: the state of the
// environment, reminders, mentioned files. An older one is removed if a newer one says
// the same.

// events matches texts that report an event, such as a command of the user. They stay: an
// event with the same text is another event.
var events = lazyregexp.New(`^\s*(?:<(?:command-|local-command-std|bash-|turn_aborted|task-notification|` +
	`subagent_notification|teammate-message|user_shell_command)|` +
	`\[Request interrupted|\[TASK RESUMPTION\]|Stop hook feedback|Operation stopped by hook)`)

// note removes an injected text if newer ones have the same text, or the same sections.
// If last is set, no other block of the message is left: a marker takes the place of the
// text then, and also if the block is pinned. note reports whether the block is removed.
func (d *deduper) note(ref transcript.Ref, b *transcript.Block, last bool) bool {
	text := b.Text()
	switch {
	case events.MatchString(text):
		return false
	case len(b.Parts) > 0 && b.Parts[0].Name != "": // a mentioned file
		if d.seen(b.Parts[0].Name + "\x00" + text) {
			d.add(b, transcript.Edit{
				At: ref, Op: transcript.Rewrite, Text: reference("", "file "+subject.FirstLine(b.Parts[0].Name)), Why: "repeated later",
			})
			return false
		}
		d.passages(ref, b, false)
		return false
	}
	kind := "reminder"
	var superseded bool
	if strings.HasPrefix(strings.TrimSpace(text), "<environment_details>") {
		kind, superseded = "environment details", d.seenAll(headings(text))
	} else {
		superseded = !holdsMarker(text) && d.seen(text)
		if head := reminderHead(text); head != "" {
			superseded = d.seen(head) || superseded
		}
	}
	switch {
	case !superseded:
		return false
	case last || b.Pin == transcript.Present:
		d.mark(ref, b, kind)
		return false
	}
	return d.add(b, transcript.Edit{At: ref, Op: transcript.Drop, Why: "newer " + kind + " later"})
}

// mark replaces a note by a marker.
func (d *deduper) mark(ref transcript.Ref, b *transcript.Block, kind string) {
	d.add(b, transcript.Edit{
		At: ref, Op: transcript.Rewrite, Text: transcript.Marker("older " + kind), Why: "newer " + kind + " later",
	})
}

// seen reports whether a newer note has the key, and adds it.
func (d *deduper) seen(key string) bool {
	known := d.notes[key]
	d.notes[key] = true
	return known
}

// seenAll reports whether newer notes have all the keys, and adds them. Without keys it
// reports false.
func (d *deduper) seenAll(keys []string) bool {
	all := len(keys) > 0
	for _, k := range keys {
		all = d.seen(k) && all
	}
	return all
}

// headings returns the section headings of environment details, without text in brackets
// or after a colon, where paths and times stand.
func headings(text string) []string {
	var heads []string
	for line := range strings.Lines(text) {
		head, ok := strings.CutPrefix(line, "# ")
		if !ok {
			continue
		}
		if i := strings.IndexByte(head, '('); i >= 0 {
			head = head[:i] + head[i+strings.LastIndexByte(head[i:], ')')+1:]
		}
		head, _, _ = strings.Cut(head, ":")
		heads = append(heads, "# "+strings.TrimSpace(head))
	}
	return heads
}

// reminderHead returns the first line of a reminder about a todo list, which clients send
// again with every state of the list. It returns "" for other texts, and if the line has a
// path or a number and so may be about something else than the list.
func reminderHead(text string) string {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), "<system-reminder>")
	if !ok {
		return ""
	}
	head := subject.FirstLine(body)
	if len(head) < 20 || strings.ContainsAny(head, "/\\0123456789") || !strings.Contains(strings.ToLower(head), "todo") {
		return ""
	}
	return "<system-reminder>" + head
}
