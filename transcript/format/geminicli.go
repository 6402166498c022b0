package format

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

var geminiCLI = Dialect{
	Name:   "gemini-cli",
	Doc:    "Gemini CLI sessions: {sessionId, projectHash, messages}, or a log of them as JSONL",
	Where:  "~/.gemini/tmp/*/chats/session-*.json and .jsonl",
	Hidden: true, Mirrors: true,
	sniff:   sniffGeminiCLI,
	decode:  decodeGeminiCLI,
	render:  renderGeminiCLI,
	relink:  relinkRewinds,
	element: `{"text":`,
}

// sniffGeminiCLI looks for the head of a session: a whole one, or the first line
// of a log.
func sniffGeminiCLI(p *probe) bool {
	head := p.doc.Root()
	if p.lines != nil {
		head = p.first[0]
	}
	return head.Get("sessionId").Kind() == rawjson.String && head.Get("projectHash").Kind() == rawjson.String &&
		(head.Get("messages").Kind() == rawjson.Array || head.Get("startTime").Ok())
}

// cliSession is a session while it is decoded. Its messages are known before
// they are read, because a log can replace what it said of them.
type cliSession struct {
	builder
	calls   *geminiCalls
	results map[string]transcript.Ref // what a call gave, by the id of the call
	foreign []foreignResult
	stale   []staleCopy
}

// foreignResult is the answer to another call that is stored with a call: all
// answers of a turn can stand in the record of each.
type foreignResult struct {
	m  mirror
	id string
}

func decodeGeminiCLI(f *File, p *probe) error {
	s := &cliSession{
		builder: builder{l: &layout{src: p.src}},
		calls:   newGeminiCalls(), results: map[string]transcript.Ref{},
	}
	root := p.doc.Root()
	messages := root.Get("messages")
	if p.lines != nil || messages.Kind() != rawjson.Array {
		id := s.log(f, p)
		s.finish()
		f.add(id, &s.builder)
		return nil
	}
	s.l.setRecords(messages.Items())
	s.l.array = messages.Span()
	i := 0
	for e := range messages.Elems() {
		if spoken(e) {
			s.grow()
			s.read(len(s.msgs)-1, s.l.first+i, e)
		} else {
			s.l.mirrors = append(s.l.mirrors, mirror{slot: s.l.first + i, value: e.Span()})
		}
		i++
	}
	s.l.mirrorMembers(none, root, "messages")
	s.finish()
	f.add(conversationID(root, 0), &s.builder)
	return nil
}

// spoken tells whether a message is part of the conversation. The others are what
// the program told its user: info, warning, error.
func spoken(v rawjson.Value) bool {
	kind := v.Get("type")
	return kind.Is("user") || kind.Is("gemini")
}

// grow makes room for one more message.
func (s *cliSession) grow() {
	s.msgs = append(s.msgs, &transcript.Message{})
	s.l.msgs = append(s.l.msgs, &msgPlace{})
}

// read reads message msg, which lies in slot.
func (s *cliSession) read(msg, slot int, v rawjson.Value) {
	mb := &message{l: s.l, m: s.msgs[msg], at: s.l.msgs[msg]}
	mb.m.Role, mb.m.Time = transcript.User, timestamp(v)
	mb.at.records = append(mb.at.records, slot)
	if v.Get("type").Is("gemini") {
		mb.m.Role = transcript.Assistant
		mb.m.Usage = cliUsage(v.Get("tokens"))
		if model := v.Get("model").Str(); model != "" {
			s.model = model
		}
		mb.thoughts(v, slot)
	}
	s.calls.speaks(mb.m.Role)
	content := v.Get("content")
	if content.Kind() == rawjson.Array || content.Kind() == rawjson.Object || len(content.Str()) > 0 {
		body := s.l.member(slot, v, "content")
		s.l.slots[body].blank = content.Span()
		mb.parts(content, body, s.calls)
	}
	s.storedTwice(mb, msg)
	said := blockRefs(msg, 0, len(mb.m.Blocks))
	if calls := v.Get("toolCalls"); calls.Kind() == rawjson.Array {
		first := s.l.elems(s.l.member(slot, v, "toolCalls"), calls)
		i := 0
		for c := range calls.Elems() {
			if c.Kind() == rawjson.Object {
				s.toolCall(mb, msg, first+i, c)
			}
			i++
		}
	}
	for k, e := range v.Members() {
		if repeats(k, e, "content", "thoughts", "toolCalls") {
			s.l.mirrors = append(s.l.mirrors, mirror{slot: slot, value: e.Span(), blocks: said, strict: k.Is("displayContent")})
		}
	}
}

func blockRefs(msg, from, to int) (refs []transcript.Ref) {
	for k := from; k < to; k++ {
		refs = append(refs, transcript.Ref{Msg: msg, Block: k, Part: transcript.Whole})
	}
	return refs
}

// thoughts reads the summaries of what the model thought, each a subject and a
// description.
func (mb *message) thoughts(v rawjson.Value, slot int) {
	thoughts := v.Get("thoughts")
	if thoughts.Len() == 0 || thoughts.Kind() != rawjson.Array {
		return
	}
	first := mb.l.elems(mb.l.member(slot, v, "thoughts"), thoughts)
	i := 0
	for e := range thoughts.Elems() {
		b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel}
		at := blockPlace{slots: []int{first + i}}
		for _, text := range []rawjson.Value{e, e.Get("subject"), e.Get("description")} {
			mb.responseLeaves(onlyString(text), first+i, b, &at, "")
		}
		mb.add(b, at)
		i++
	}
}

func onlyString(v rawjson.Value) rawjson.Value {
	if v.Kind() != rawjson.String {
		return rawjson.Value{}
	}
	return v
}

// toolCall reads a call and what it gave, which lie in one object.
func (s *cliSession) toolCall(mb *message, msg, slot int, v rawjson.Value) {
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Tool: v.Get("name").Str()}
	at := blockPlace{slots: []int{slot}}
	call.Parts, at.parts = arguments(v.Get("args"), slot)
	id := v.Get("id").Str()
	known := s.calls.inMessage(id, mb.m)
	if known != nil && !known.answered && known.b.Tool == call.Tool && slices.Equal(known.b.Parts, call.Parts) {
		stored := &mb.at.blocks[known.b.ID] // the content has it, too
		stored.copies = append(stored.copies, at)
	} else {
		known = s.calls.call(call, id)
		mb.add(call, at)
	}
	about := blockRefs(msg, known.b.ID, known.b.ID+1)
	if result := v.Get("result"); result.Len() > 0 || len(result.Str()) > 0 {
		about = append(about, blockRefs(msg, len(mb.m.Blocks), len(mb.m.Blocks)+1)...)
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Tool: call.Tool, Call: known.b.Call}
		known.answered = true
		at := blockPlace{slots: []int{slot}}
		s.result(mb, id, slot, v, b, &at, about)
		b.Error = v.Get("status").Is("error") || v.Get("status").Is("cancelled")
		if quotesUser(b.Text()) {
			b.Origin = transcript.Typed
		}
		mb.add(b, at)
		if id != "" {
			s.results[id] = about[1]
		}
	}
	for k, e := range v.Members() {
		if repeats(k, e, "args", "result") {
			s.l.mirrors = append(s.l.mirrors, mirror{slot: slot, value: e.Span(), blocks: about, strict: k.Is("resultDisplay")})
		}
	}
}

// result reads the result of call v: a list of parts, mostly one functionResponse.
func (s *cliSession) result(mb *message, id string, slot int, v rawjson.Value, b *transcript.Block, at *blockPlace, about []transcript.Ref) {
	result := v.Get("result")
	if result.Kind() != rawjson.Array {
		mb.responseLeaves(onlyString(result), slot, b, at, "")
		if result.Kind() == rawjson.Object {
			s.resultPart(mb, id, slot, result, b, at, about)
		}
		return
	}
	first := s.l.elems(s.l.member(slot, v, "result"), result)
	i := 0
	for e := range result.Elems() {
		s.resultPart(mb, id, first+i, e, b, at, about)
		i++
	}
}

func (s *cliSession) resultPart(mb *message, id string, slot int, e rawjson.Value, b *transcript.Block, at *blockPlace, about []transcript.Ref) {
	answer := firstOf(e, "functionResponse", "function_response")
	switch to := answer.Get("id").Str(); {
	case e.Kind() == rawjson.String:
		mb.responseLeaves(e, slot, b, at, "")
	case answer.Kind() != rawjson.Object:
		mb.responsePart(e, slot, b, at)
	case to != "" && id != "" && to != id:
		s.foreign = append(s.foreign, foreignResult{mirror{slot: slot, value: e.Span(), blocks: about, strict: true}, to})
	default:
		mb.response(answer, slot, b, at)
	}
}

// storedTwice takes the answers out of a message that are stored with their
// calls before it, and notes them as copies.
func (s *cliSession) storedTwice(mb *message, msg int) {
	blocks, places := mb.m.Blocks, mb.at.blocks
	mb.m.Blocks, mb.at.blocks = nil, nil
	for i, b := range blocks {
		ref, known := s.results[b.Call]
		if b.Kind != transcript.ToolResult || !known || ref.Msg >= msg || s.msgs[ref.Msg].Hidden != mb.m.Hidden {
			mb.add(b, places[i])
			continue
		}
		copied := places[i]
		if !slices.EqualFunc(s.msgs[ref.Msg].Blocks[ref.Block].Parts, b.Parts, samePart) {
			for _, p := range copied.parts {
				s.l.mirrors = append(s.l.mirrors, mirror{slot: p.slot, value: p.lit, blocks: []transcript.Ref{ref}, strict: true})
			}
			copied.parts = nil // it goes with the result, but is no exact copy
		}
		stored := &s.l.msgs[ref.Msg].blocks[ref.Block]
		stored.copies = append(stored.copies, copied)
	}
	if len(blocks) > 0 && len(mb.m.Blocks) == 0 {
		mb.at.records = nil // nothing of its own
	}
}

func samePart(a, b transcript.Part) bool {
	return a.Text == b.Text && (a.Media == nil) == (b.Media == nil)
}

// finish adds the mirrors of answers that are stored with other calls, and of
// what messages were before they changed.
func (s *cliSession) finish() {
	for _, r := range s.foreign {
		if ref, known := s.results[r.id]; known {
			r.m.blocks = append(slices.Clone(r.m.blocks), ref)
		}
		s.l.mirrors = append(s.l.mirrors, r.m)
	}
	for _, c := range s.stale {
		c.m.blocks = blockRefs(c.msg, 0, len(s.msgs[c.msg].Blocks))
		s.l.mirrors = append(s.l.mirrors, c.m)
	}
}

// cliUsage reads the tokens of a message. The input includes what was cached.
func cliUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(key string) int {
		n, _ := v.Get(key).Int()
		return int(n)
	}
	return &transcript.Usage{
		Input: count("input") - count("cached"), CacheRead: count("cached"), Output: count("output") + count("thoughts"),
	}
}
