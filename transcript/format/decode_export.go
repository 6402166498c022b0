package format

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// The dialects of chat exports share this file. People paste transcripts and tool output
// into chats. Unlike in the files of coding agents, a text is therefore not searched for
// calls and injected texts.

// plain adds a string as one text of its message. It ignores an empty string, which
// stands for a missing text in exports.
func (mb *messageBuilder) plain(v rawjson.Value, slot int) {
	if v.Kind() != rawjson.String || v.Str() == "" {
		return
	}
	mb.addText(transcript.Part{Text: v.Str()}, mb.plainOrigin(v.Str()), splice.Place{Slot: slot, Lit: v.Span()})
}

// addText adds a text block that is removed with the slot it lies in.
func (mb *messageBuilder) addText(part transcript.Part, origin transcript.Origin, at splice.Place) {
	mb.add(&transcript.Block{Parts: []transcript.Part{part}, Origin: origin},
		splice.BlockPlace{Slots: []int{at.Slot}, Parts: []splice.Place{at}})
}

// plainOrigin returns the origin of a text that is not cut.
func (mb *messageBuilder) plainOrigin(text string) transcript.Origin {
	switch {
	case mb.m.Role == transcript.Assistant: // even when its beginning was replaced by a marker
		return transcript.ByModel
	case transcript.IsMarker(text), mb.m.Role == transcript.User && isSummary(text):
		return transcript.Generated
	case mb.m.Role == transcript.Tool:
		return transcript.ByTool
	case mb.m.Role == transcript.System:
		return transcript.Injected
	}
	return transcript.Typed
}

// thought adds reasoning that is stored as plain text.
func (mb *messageBuilder) thought(v rawjson.Value, slot int) {
	if v.Kind() != rawjson.String || v.Str() == "" {
		return
	}
	mb.add(&transcript.Block{
		Kind: transcript.Thinking, Origin: transcript.ByModel, Parts: []transcript.Part{{Text: v.Str()}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: v.Span()}}})
}

// copiedText reads a member that repeats the texts of a message, joined in one string.
// When it holds all texts, they get copies in it; otherwise it is a mirror. It becomes
// empty when all texts are removed.
func (mb *messageBuilder) copiedText(object rawjson.Value, key string, record, msg int) {
	v := object.Get(key)
	if v.Kind() != rawjson.String {
		return
	}
	slot := mb.l.Emptied(record, object, key)
	whole, at := v.Str(), 0
	var texts []int
	var found []splice.Place
	for i, b := range mb.m.Blocks {
		if !isOwnText(b) {
			continue
		}
		texts = append(texts, i)
		if from := strings.Index(whole[at:], b.Parts[0].Text); from >= 0 {
			p := splice.Place{Slot: slot, Lit: v.Span(), From: at + from, To: at + from + len(b.Parts[0].Text)}
			if p.To-p.From == len(whole) {
				p.From, p.To = 0, 0
			}
			at += from + len(b.Parts[0].Text)
			found = append(found, p)
		}
	}
	for k, i := range texts {
		block := mb.at.Blocks.At(i)
		if len(found) == len(texts) {
			block.Copies = append(block.Copies, splice.BlockPlace{Parts: []splice.Place{found[k]}})
		} else {
			block.Slots = append(block.Slots, slot)
		}
	}
	if len(found) < len(texts) {
		mb.l.Mirror(slot, v.Span(), true, mb.refs(msg)...)
	}
}

// isOwnText reports whether a block is a text of the message itself, not of an attachment.
func isOwnText(b *transcript.Block) bool { return b.Kind == transcript.Text && b.Parts[0].Name == "" }

// hasText reports whether a message has text besides its attachments.
func (mb *messageBuilder) hasText() bool { return slices.ContainsFunc(mb.m.Blocks, isOwnText) }

// refs returns the addresses of the blocks that the message has so far.
func (mb *messageBuilder) refs(msg int) []transcript.Ref {
	return blocksOf(msg, mb.m)
}

// conversationsOf returns the conversations of an export: the elements of an array, or a
// single object.
func conversationsOf(root rawjson.Value) []rawjson.Value {
	if root.Kind() == rawjson.Object {
		return []rawjson.Value{root}
	}
	var found []rawjson.Value
	for e := range root.Elems() {
		if e.Kind() == rawjson.Object {
			found = append(found, e)
		}
	}
	return found
}

// firstConversations is conversationsOf for detection: it returns only the first few.
func (p *probe) firstConversations() []rawjson.Value {
	if p.lines != nil {
		return nil
	}
	root := p.doc.Root()
	if root.Kind() == rawjson.Object {
		return []rawjson.Value{root}
	}
	var found []rawjson.Value
	for e := range root.Elems() {
		if found = append(found, e); len(found) == 4 {
			break
		}
	}
	return found
}

// notDocument returns an error when a source is JSONL, for dialects that read one JSON
// document with what; otherwise nil.
func (p *probe) notDocument(what string) error {
	if p.lines == nil {
		return nil
	}
	return &Error{Offset: -1, Reason: "JSONL, expected one JSON document with " + what}
}

// idOf returns the id of conversation i of an export: the first string under one of the
// keys, or the number i+1 when there is none.
func idOf(v rawjson.Value, i int, keys ...string) string {
	if id := firstOf(v, keys...).Str(); id != "" {
		return id
	}
	return fmt.Sprint(i + 1)
}

// madeID returns an id for a call that has none in the file. Calls at different places of
// the file must have a different of. See proseID.
func madeID(of string) string { return proseID + of }

// clock reads a time that is a number of seconds or milliseconds, or RFC 3339.
func clock(v rawjson.Value) time.Time {
	if n, ok := v.Float(); ok && n > 0 && n < 1e14 {
		if n < 1e11 { // seconds
			n *= 1000
		}
		return time.UnixMilli(int64(n)).UTC()
	}
	at, _ := time.Parse(time.RFC3339, v.Str())
	return at
}
