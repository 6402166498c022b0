package format

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// Claude Code writes what it adds to a prompt or to a result as records of their own, of
// the type "attachment": its environment, skills, reminders, mentioned files, and prompts
// that were typed while the model worked. It sends their texts at every resume, with the
// user message that they follow. Since 2.1.300 or so a record holds them as they are sent,
// in "rendered"; without this member, the client writes the text again around the member
// of the attachment that textOfAttachment returns.

// attachment reads an attachment. Its texts join the user message that it follows.
func (s *claudeCodeSession) attachment(i int, v rawjson.Value) {
	a := v.Get("attachment")
	kind := a.Get("type").Str()
	if kind == "prompt_snapshot" {
		s.snapshot(i, v, a)
		return
	}
	typed := kind == "queued_command" && queuedByPerson(a)
	msg, joins := s.attachedTo(i)
	joins = joins && !typed
	if !joins {
		msg = len(s.msgs)
		s.begin(transcript.User, i, v)
	}
	m, at := s.msgs[msg], s.l.Messages[msg]
	before := len(m.Blocks)
	mb := &messageBuilder{l: s.l, m: m, at: at}
	s.attached(mb, a, v.Get("rendered"), i, typed)
	if len(m.Blocks) == before && !joins {
		s.dropEmpty()
		s.pending = append(s.pending, pendingMirror{record: i, value: v.Span()})
		return
	}
	if joins {
		at.Records = append(at.Records, s.l.Slot(i))
	}
	s.msgOf[i], s.lastUser = msg, msg
	s.l.Chain.Nodes[i].Typed = typed
	mirror := pendingMirror{record: i, value: a.Span(), blocks: blockRefs(msg, before, len(m.Blocks))}
	if typed && len(m.Blocks) > before {
		return // the prompt is a copy of the block
	}
	if v.Get("rendered").Kind() != rawjson.Array && len(m.Blocks) > before {
		return // the blocks lie in the attachment itself; one without may repeat others, such as tasks of a call
	}
	s.pending = append(s.pending, mirror)
}

// attachedTo returns the user message that record i continues: the last message, if the
// parent of the record belongs to it, on the same chain. A record that repeats another joins none, because
// it is hidden.
func (s *claudeCodeSession) attachedTo(i int) (msg int, ok bool) {
	if first, known := s.l.Chain.ByID[s.l.Chain.Nodes[i].ID]; known && first != i && s.msgOf[first] != splice.None {
		return splice.None, false
	}
	parent, known := s.l.Chain.ByID[s.l.Chain.Nodes[i].Parent]
	if !known || s.lastUser == splice.None || parent >= i {
		return splice.None, false
	}
	nodes := s.l.Chain.Nodes
	return s.lastUser, s.msgOf[parent] == s.lastUser && nodes[parent].Aside == nodes[i].Aside
}

// attached adds the blocks of an attachment: its rendered texts, or those in the
// attachment itself.
func (s *claudeCodeSession) attached(mb *messageBuilder, a, rendered rawjson.Value, i int, typed bool) {
	slot := s.l.Slot(i)
	path := firstOf(a, "filename", "path").Str()
	kind := a.Get("type").Str()
	add := func(text rawjson.Value, slot int) {
		if text.Kind() != rawjson.String || text.Str() == "" {
			return
		}
		before := len(mb.m.Blocks)
		if typed {
			mb.queued(text, a.Get("prompt"), slot, s.l.Slot(i))
		} else {
			mb.textBy(text, slot, transcript.Injected)
		}
		for _, b := range mb.m.Blocks[before:] {
			b.Tool, b.Parts[0].Name = kind, path
		}
	}
	if rendered.Kind() != rawjson.Array {
		if list := a.Get("addedLines"); list.Kind() == rawjson.Array {
			mb.names(list, slot, kind)
		}
		for _, text := range textsOfAttachment(a) {
			add(text, slot)
		}
		return
	}
	at := s.l.Elems(slot, rendered)
	for e := range rendered.Elems() {
		switch c := e.Get("content"); c.Kind() {
		case rawjson.String:
			add(c, at)
		case rawjson.Array:
			first := s.l.Elems(at, c)
			for b := range c.Elems() {
				if text := b.Get("text"); text.Kind() == rawjson.String {
					add(text, first)
				} else {
					mb.element(b, first)
				}
				first++
			}
		}
		at++
	}
}

// names adds a list of lines, such as the tools that were added, as one block. The client
// compares the list with the one of today, so it is never rewritten.
func (mb *messageBuilder) names(list rawjson.Value, slot int, kind string) {
	b := &transcript.Block{Origin: transcript.Injected, Tool: kind, Fixed: true}
	at := splice.BlockPlace{Slots: []int{slot}}
	for line := range list.Elems() {
		if line.Kind() == rawjson.String {
			b.Parts = append(b.Parts, transcript.Part{Text: line.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: line.Span()})
		}
	}
	if len(b.Parts) > 0 {
		mb.add(b, at)
	}
}

// queuedByPerson reports whether a person typed a queued command. Others are notes of the
// client about its background tasks.
func queuedByPerson(a rawjson.Value) bool {
	if origin := a.Get("origin").Get("kind"); origin.Ok() && !origin.Is("human") {
		return false
	}
	return !a.Get("commandMode").Is("task-notification") && !a.Get("isMeta").Bool()
}

// queued adds the prompt of a queued command as one typed block. The words that the client
// puts around it are no content: without the prompt they would say nothing, and go with it.
// The attachment repeats the prompt.
func (mb *messageBuilder) queued(text, prompt rawjson.Value, slot, record int) {
	by := transcript.Typed
	if transcript.IsMarker(text.Str()) {
		by = transcript.Generated
	}
	said := segment{0, len(text.Str()), transcript.Text, by, ""}
	if at := strings.Index(text.Str(), prompt.Str()); at > 0 && prompt.Str() != "" {
		said.from, said.to = at, at+len(prompt.Str())
	}
	mb.segments(text, text.Str(), slot, []segment{said})
	if prompt.Kind() == rawjson.String && prompt.Span() != text.Span() {
		last := mb.at.Blocks.At(mb.at.Blocks.Len() - 1)
		last.Copies = append(last.Copies, splice.BlockPlace{Parts: []splice.Place{{Slot: record, Lit: prompt.Span()}}})
	}
}

// textsOfAttachment returns the strings that the client sends of an attachment without
// rendered texts; none for a kind that it does not send, and for one that is not known.
func textsOfAttachment(a rawjson.Value) []rawjson.Value {
	switch a.Get("type").Str() {
	case "file":
		return []rawjson.Value{a.Get("content").Get("file").Get("content")}
	case "nested_memory":
		return []rawjson.Value{a.Get("content").Get("content")}
	case "queued_command":
		return stringsOf(a.Get("prompt"))
	case "edited_text_file":
		return []rawjson.Value{a.Get("snippet")}
	case "plan_file_reference":
		return []rawjson.Value{a.Get("planContent")}
	case "skill_listing", "selected_lines_in_ide", "hook_success", "hook_additional_context":
		return stringsOf(a.Get("content"))
	case "total_tokens_reminder", "model":
		return []rawjson.Value{a.Get("text")}
	case "session_context":
		return stringsOf(a.Get("context"))
	case "invoked_skills":
		var texts []rawjson.Value
		for skill := range a.Get("skills").Elems() {
			texts = append(texts, skill.Get("content"))
		}
		return texts
	}
	return nil
}

// stringsOf returns a string, or the strings and texts in a list or object.
func stringsOf(v rawjson.Value) (texts []rawjson.Value) {
	switch v.Kind() {
	case rawjson.String:
		return []rawjson.Value{v}
	case rawjson.Array:
		for e := range v.Elems() {
			if text := e.Get("text"); text.Kind() == rawjson.String {
				e = text
			}
			texts = append(texts, e)
		}
	case rawjson.Object:
		for _, m := range v.Members() {
			texts = append(texts, m)
		}
	}
	return texts
}

// snapshot reads the system prompt as the client sent it. At resume the client sends the
// last one again, and writes another when there is none.
func (s *claudeCodeSession) snapshot(i int, v, a rawjson.Value) {
	prompt := a.Get("systemPrompt")
	if prompt.Kind() != rawjson.Array || s.l.Chain.Nodes[i].Aside {
		s.pending = append(s.pending, pendingMirror{record: i, value: v.Span()})
		return
	}
	s.frame(slices.Collect(prompt.Elems())...)
}

// begin begins a message that lies in one record.
func (s *claudeCodeSession) begin(role transcript.Role, i int, v rawjson.Value) *messageBuilder {
	mb := s.message(role, s.l.Slot(i))
	mb.m.SetTime(timestamp(v))
	return mb
}
