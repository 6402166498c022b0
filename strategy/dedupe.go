package strategy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
)

// Dedupe replaces what is repeated later by a reference to it.
var Dedupe = Strategy{
	Name: "dedupe",
	Doc:  "identical tool results, re-reads of the same file and repeated reminders: the newest copy stays, older ones become a reference",
	Run:  dedupe,
}

// dedupe walks from the newest block to the oldest, so that the first of its
// kind it meets is the one that stays.
func dedupe(_ context.Context, in *Input) ([]transcript.Edit, error) {
	d := deduper{in: in, results: map[string]transcript.Ref{}, reads: map[string]transcript.Ref{}, notes: map[string]bool{}}
	for _, m := range slices.Backward(in.Conv.Messages) {
		if m.Hidden {
			continue
		}
		for _, b := range slices.Backward(m.Blocks) {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			switch {
			case b.Kind == transcript.ToolResult:
				d.result(ref, b)
			case b.Kind == transcript.Text && b.Origin == transcript.Injected && m.Role == transcript.User:
				d.note(ref, b, len(m.Blocks) > 1)
			}
		}
	}
	slices.Reverse(d.edits)
	if len(d.edits) == 0 {
		return nil, &SkipError{"nothing is repeated"}
	}
	return d.edits, nil
}

type deduper struct {
	in      *Input
	results map[string]transcript.Ref // newest result with that text
	reads   map[string]transcript.Ref // newest reading of that file and range
	notes   map[string]bool           // injected texts seen
	edits   []transcript.Edit
}

func (d *deduper) result(ref transcript.Ref, b *transcript.Block) {
	text := b.Text()
	if mediaParts(b) > 0 || transcript.IsMarker(b.Body()) {
		return
	}
	call := partner(d.in.Conv, ref)
	kept, again := d.results[text]
	why := "repeated later"
	if !again {
		d.results[text] = ref
		if key := readKey(call); key != "" && !b.Error {
			if kept, again = d.reads[key]; !again {
				d.reads[key] = ref
			}
			why = "read again later"
		}
	}
	if !again || b.Pin == transcript.Verbatim || b.Fixed {
		return
	}
	d.add(transcript.Edit{
		At: ref, Op: transcript.Rewrite, Same: &kept, Why: why,
		Text: transcript.Marker(fmt.Sprintf("%s: %s %s,", label(call, b), size(b.Body()), why)),
	})
}

// note handles what a client put in: environment details and reminders. Older
// ones go when a newer one says the same or has the same sections.
func (d *deduper) note(ref transcript.Ref, b *transcript.Block, company bool) {
	text := b.Text()
	kind := "reminder"
	keys := []string{text}
	if strings.HasPrefix(strings.TrimSpace(text), "<environment_details>") {
		kind, keys = "environment details", headings(text)
	} else if head := reminderHead(text); head != "" {
		keys = append(keys, head)
	}
	superseded := true
	for _, k := range keys {
		superseded = superseded && d.notes[k]
	}
	if len(keys) > 1 && kind == "reminder" { // one reason is enough
		superseded = d.notes[keys[0]] || d.notes[keys[1]]
	}
	for _, k := range keys {
		d.notes[k] = true
	}
	if !superseded || len(keys) == 0 || b.Pin == transcript.Verbatim {
		return
	}
	e := transcript.Edit{At: ref, Op: transcript.Drop, Why: "newer " + kind + " later"}
	if !company || b.Pin == transcript.Present {
		e.Op, e.Text = transcript.Rewrite, transcript.Marker(kind+" repeated later,")
	}
	d.add(e)
}

func (d *deduper) add(e transcript.Edit) {
	if d.in.delta(&e) < 0 {
		d.edits = append(d.edits, e)
	}
}

// headings lists the section headings of environment details, without what
// stands in brackets or after a colon (paths, times).
func headings(text string) []string {
	var heads []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			if i := strings.IndexAny(rest, "(:"); i >= 0 {
				rest = rest[:i] + rest[strings.LastIndexByte(rest, ')')+1:]
			}
			heads = append(heads, "# "+strings.TrimSpace(rest))
		}
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

// readTools read a file and change nothing.
var readTools = []string{"read", "read_file", "readfile", "view", "view_file", "open_file", "cat", "notebookread"}

// readKey tells what a call reads: the tool with all its arguments, so that only
// the same path and range are the same. "" for calls that do not read a file.
func readKey(call *transcript.Block) string {
	if call == nil || !slices.Contains(readTools, strings.ToLower(call.Tool)) {
		return ""
	}
	if path := proseArg(call, "path"); path != "" {
		return call.Tool + "\x00" + call.Parts[0].Text
	}
	if subject(call) == "" {
		return ""
	}
	key := call.Tool
	for _, p := range call.Parts {
		if p.Name != "task_progress" { // Cline: a todo list that travels with any call
			key += "\x00" + p.Name + "\x00" + p.Text
		}
	}
	return key
}
