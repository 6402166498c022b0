package strategy

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
)

// Dedupe replaces content that comes again later by a reference to it.
var Dedupe = Strategy{
	Name:  "dedupe",
	Doc:   "tool results, lines of them, paragraphs and images that come again, and repeated reminders: the newest copy stays, older ones become a reference",
	Loses: "of results and texts, nothing that does not come again; of environment details and lists in reminders, older states",
	Run:   dedupe,
}

// dedupe goes from the newest block to the oldest, so that the newest copy stays. It
// compares whole blocks first, then runs of lines in what is left.
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

// deduper holds what stays of the messages that come later than the one at hand.
type deduper struct {
	in      *Input
	results map[string]*passage // newest result with that text
	images  map[imageKey]picture
	notes   map[string]bool // injected texts that come later
	texts   []*passage      // texts whose lines are compared, newest first
	edits   []transcript.Edit
}

// result replaces a tool result by a reference when one with the same text comes later.
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

// passages collects the texts of a block, whose lines are to be compared.
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

// lines replaces runs of lines that come again later, in results and in prose.
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

// shorten replaces the runs of lines of p that x holds, if that saves anything.
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

// Limits for a run of lines to be replaced. A reader has to look up every marker, so
// one or two lines stay.
const (
	fewLines    = 4   // this number of lines is enough,
	manyBytes   = 400 // or this number of bytes,
	markerShare = 3   // and it has to be this many times as long as its marker
)

func savesMarker(p *passage, r stretch, marker string) bool {
	bytes := int(p.lines[r.to-1].end - p.lines[r.from].start)
	return bytes >= markerShare*len(marker) && (r.to-r.from >= fewLines || bytes >= manyBytes || p.prose)
}

// whole returns the address of the block of a part.
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

// media replaces images by references when the same image comes later, with an equal or
// stronger pin.
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

// refer replaces a block, or a part of it, by a reference to kept. It reports whether
// the block may be changed and this saves anything.
func (d *deduper) refer(at transcript.Ref, b *transcript.Block, kept transcript.Ref, amount string) bool {
	return d.add(b, transcript.Edit{
		At: at, Op: transcript.Rewrite, Same: whole(kept), Text: d.reference(at, b, kept, amount), Why: "repeated later",
	})
}

// reference returns the marker that says where the content of the block at ref comes
// again.
func (d *deduper) reference(ref transcript.Ref, b *transcript.Block, kept transcript.Ref, amount string) string {
	own, by := sourceName(d.in.Conv, ref, b), sourceName(d.in.Conv, kept, d.in.Conv.Block(kept))
	if own == by {
		by = ""
	}
	return reference(by, amount)
}

// add adds an edit of a block. It reports false when the block may not be changed or
// nothing is saved.
func (d *deduper) add(b *transcript.Block, e transcript.Edit) bool {
	if b.Pin == transcript.Verbatim || b.Fixed || d.in.delta(&e) >= 0 || change(d.in.Conv, &e, bytes) > 0 {
		return false
	}
	d.edits = append(d.edits, e)
	return true
}

// Clients insert the same things into user messages again and again: the state of the
// environment, reminders, mentioned files. Older ones go when a newer one says the
// same.

// events matches texts about something that happened at their place, such as a command
// of the user. A later event with the same text does not replace them.
var events = regexp.MustCompile(`^\s*(?:<(?:command-|local-command-std|bash-|turn_aborted|task-notification|` +
	`subagent_notification|teammate-message|user_shell_command)|` +
	`\[Request interrupted|\[TASK RESUMPTION\]|Stop hook feedback|Operation stopped by hook)`)

// note removes an injected text when newer ones say the same or have the same sections.
// A marker stays when it is the last block of its message, or pinned. note reports
// whether the block is gone.
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

// mark replaces a note by a marker.
func (d *deduper) mark(ref transcript.Ref, b *transcript.Block, kind string) {
	d.add(b, transcript.Edit{
		At: ref, Op: transcript.Rewrite, Text: transcript.Marker("older " + kind), Why: "newer " + kind + " later",
	})
}

// seen reports whether a newer note had the key, and adds it.
func (d *deduper) seen(key string) bool {
	known := d.notes[key]
	d.notes[key] = true
	return known
}

// seenAll reports whether newer notes had all the keys, and there is at least one.
func (d *deduper) seenAll(keys []string) bool {
	all := len(keys) > 0
	for _, k := range keys {
		all = d.seen(k) && all
	}
	return all
}

// headings returns the section headings of environment details, without what is in
// brackets or after a colon (paths, times).
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

// reminderHead returns the first sentence of a reminder that is sent again and again
// with another body, such as the state of a todo list; "" for a reminder about a thing
// of its own (a path, a number).
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
