package strategy

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
)

// Dedupe replaces what stands later, too, by a reference to it.
var Dedupe = Strategy{
	Name:  "dedupe",
	Doc:   "tool results, lines of them, paragraphs and images that come again, and repeated reminders: the newest copy stays, older ones become a reference",
	Loses: "of results and texts, nothing that does not come again; of environment details and lists in reminders, older states",
	Run:   dedupe,
}

// dedupe walks from the newest block to the oldest, so that the first of its
// kind it meets is the one that stays. First what is repeated as a whole, then,
// in what is left, stretches of lines.
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

// deduper knows what stays of the messages after the one that it looks at.
type deduper struct {
	in      *Input
	results map[string]*passage // newest result with that text
	images  map[imageKey]picture
	notes   map[string]bool // injected texts seen
	texts   []*passage      // what may hold stretches of lines, newest first
	edits   []transcript.Edit
}

// result makes a tool result a reference when one with the same text comes later.
func (d *deduper) result(ref transcript.Ref, b *transcript.Block) {
	text := b.Text()
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

// passages takes the texts of a block down for a look at their lines.
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
		if p.Head > 0 { // a rewrite puts one line break behind the head
			for len(text) > 0 && text[0] == '\n' {
				text = text[1:]
			}
		}
		fixed := b.Pin == transcript.Verbatim || b.Fixed || prose && b.Origin != transcript.ByModel || b.Kind == transcript.Text && p.Name != ""
		d.texts = append(d.texts, &passage{ref: at, block: b, text: text, prose: prose, fixed: fixed})
	}
}

// lines replaces stretches of lines that come again later, in results and in prose.
func (d *deduper) lines() {
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
	results, prose := index{again, map[uint64]place{}}, index{again, map[uint64]place{}}
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

// shorten replaces the stretches of p that x knows, if that saves anything.
func (d *deduper) shorten(p *passage, x *index) {
	marker := func(r stretch) string {
		return d.claim(p.ref, p.block, r.kept.ref, p.amount(r))
	}
	found := x.stretches(p, func(r stretch) bool { return worthMarker(p, r, marker(r)) })
	if len(found) == 0 {
		return
	}
	e := transcript.Edit{At: p.ref, Op: transcript.Rewrite, Text: p.without(found, marker), Same: whole(found[0].kept.ref), Why: "repeated later"}
	if d.add(p.block, e) {
		p.strike(found)
	}
}

// Limits of what is worth a marker. A reader has to go and look for each, so
// that a line or two are rather said again.
const (
	fewLines    = 4   // that many lines are enough,
	manyBytes   = 400 // or that many bytes
	markerShare = 3   // and in any case that many times the marker
)

func worthMarker(p *passage, r stretch, marker string) bool {
	bytes := int(p.lines[r.to-1].end - p.lines[r.from].start)
	return bytes >= markerShare*len(marker) && (r.to-r.from >= fewLines || bytes >= manyBytes || p.prose)
}

// whole addresses the block of a part.
func whole(ref transcript.Ref) *transcript.Ref {
	ref.Part = transcript.Whole
	return &ref
}

// imageKey tells images apart: by their bytes, and by whether they stand in a result.
type imageKey struct {
	data   string
	result bool
}

// picture is the newest copy of one.
type picture struct {
	ref transcript.Ref
	pin transcript.Pin
}

// media makes images references when the same one comes later, in what is held
// as strongly.
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

// refer makes a block, or a part of it, a reference to the one that is kept, if
// it may be touched.
func (d *deduper) refer(at transcript.Ref, b *transcript.Block, kept transcript.Ref, amount string) bool {
	return d.add(b, transcript.Edit{
		At: at, Op: transcript.Rewrite, Same: whole(kept), Text: d.claim(at, b, kept, amount), Why: "repeated later",
	})
}

// claim is the marker that says where the block at ref can be read on.
func (d *deduper) claim(ref transcript.Ref, b *transcript.Block, kept transcript.Ref, amount string) string {
	own, by := sourceName(d.in.Conv, ref, b), sourceName(d.in.Conv, kept, d.in.Conv.Block(kept))
	if own == by {
		by = ""
	}
	return claimed(by, amount)
}

// add proposes an edit of a block; false when it may not be touched or nothing is saved.
func (d *deduper) add(b *transcript.Block, e transcript.Edit) bool {
	if b.Pin == transcript.Verbatim || b.Fixed || d.in.delta(&e) >= 0 || change(d.in.Conv, &e, bytes) > 0 {
		return false
	}
	d.edits = append(d.edits, e)
	return true
}

// What a client puts into user messages again and again: the state of its
// environment, reminders, mentioned files. Older ones go when a newer one says
// the same.

// events matches what tells of something that happened at its place, such as a
// command that the user gave: that it happened again later does not replace it.
var events = regexp.MustCompile(`^\s*(?:<(?:command-|local-command-std|bash-|turn_aborted|task-notification|` +
	`subagent_notification|teammate-message|user_shell_command)|` +
	`\[Request interrupted|\[TASK RESUMPTION\]|Stop hook feedback|Operation stopped by hook)`)

// note removes an injected text when newer ones say the same or have the same
// sections. Where it is the last block of its message, or pinned, a marker
// stays. It reports whether the block is gone.
func (d *deduper) note(ref transcript.Ref, b *transcript.Block, last bool) bool {
	text := b.Text()
	switch {
	case events.MatchString(text):
		return false
	case len(b.Parts) > 0 && b.Parts[0].Name != "": // a mentioned file
		if d.seen(b.Parts[0].Name + "\x00" + text) {
			d.add(b, transcript.Edit{
				At: ref, Op: transcript.Rewrite, Text: claimed("", "file "+firstLine(b.Parts[0].Name)), Why: "repeated later",
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
		superseded = d.seen(text)
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

// mark puts a marker in the place of a note.
func (d *deduper) mark(ref transcript.Ref, b *transcript.Block, kind string) {
	d.add(b, transcript.Edit{
		At: ref, Op: transcript.Rewrite, Text: transcript.Marker("older " + kind), Why: "newer " + kind + " later",
	})
}

// seen reports whether a newer note had the key, and remembers it.
func (d *deduper) seen(key string) bool {
	known := d.notes[key]
	d.notes[key] = true
	return known
}

// seenAll reports whether newer notes had all the keys, and at least one is given.
func (d *deduper) seenAll(keys []string) bool {
	all := len(keys) > 0
	for _, k := range keys {
		all = d.seen(k) && all
	}
	return all
}

// headings lists the section headings of environment details, without what
// stands in brackets or after a colon (paths, times).
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

// reminderHead is the first sentence of a reminder that is sent again and again
// with another body, such as the state of a todo list; "" for one that is about
// something of its own (a path, a number).
func reminderHead(text string) string {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), "<system-reminder>")
	if !ok {
		return ""
	}
	head := firstLine(body)
	if len(head) < 20 || strings.ContainsAny(head, "/\\0123456789") || !strings.Contains(strings.ToLower(head), "todo") {
		return ""
	}
	return "<system-reminder>" + head
}
