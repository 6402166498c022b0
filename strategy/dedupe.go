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
		left := len(m.Blocks)
		for _, b := range slices.Backward(m.Blocks) {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			switch {
			case b.Kind == transcript.ToolResult:
				d.result(ref, b)
			case b.Kind == transcript.Text && b.Origin == transcript.Injected && m.Role == transcript.User:
				if d.note(ref, b, left == 1) {
					left--
				}
			}
		}
	}
	slices.Reverse(d.edits)
	if len(d.edits) == 0 {
		return nil, &SkipError{"nothing is repeated"}
	}
	return d.edits, nil
}

// deduper knows what stays of the messages after the one that it looks at.
type deduper struct {
	in      *Input
	results map[string]transcript.Ref // newest result with that text
	reads   map[string]transcript.Ref // newest reading of that file and range
	notes   map[string]bool           // injected texts seen
	edits   []transcript.Edit
}

// result replaces a tool result by a reference when a result with the same text
// or a newer reading of the same file stays.
func (d *deduper) result(ref transcript.Ref, b *transcript.Block) {
	if mediaParts(b) > 0 || transcript.IsMarker(b.Body()) {
		return
	}
	call, text := partner(d.in.Conv, ref), b.Text()
	key := readKey(call)
	if b.Error {
		key = ""
	}
	newest, read := d.reads[key]
	read = read && d.holds(newest, b)
	kept, again := d.results[text]
	why := "repeated later"
	if !again {
		kept, again, why = newest, read, "read again later"
	}
	stays := ref
	if again && d.refer(ref, b, kept, fmt.Sprintf("%s: %s %s,", label(call, b), size(b.Body()), why), why) {
		stays = kept
	}
	if _, known := d.results[text]; !known && stays == ref {
		d.results[text] = ref
	}
	if key != "" && !read {
		d.reads[key] = stays
	}
}

// holds tells whether a newer reading may stand for an older one. One that is
// much shorter may be a note that nothing has changed, or a refusal.
func (d *deduper) holds(newer transcript.Ref, older *transcript.Block) bool {
	return 2*len(d.in.Conv.Block(newer).Body()) >= len(older.Body())
}

// refer makes a block a reference to the one that is kept, if it may be touched.
func (d *deduper) refer(ref transcript.Ref, b *transcript.Block, kept transcript.Ref, what, why string) bool {
	return d.add(b, transcript.Edit{At: ref, Op: transcript.Rewrite, Same: &kept, Text: transcript.Marker(what), Why: why})
}

// add proposes an edit of a block; false when it may not be touched or nothing is saved.
func (d *deduper) add(b *transcript.Block, e transcript.Edit) bool {
	if b.Pin == transcript.Verbatim || b.Fixed || d.in.delta(&e) >= 0 {
		return false
	}
	d.edits = append(d.edits, e)
	return true
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
