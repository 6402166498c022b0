package format

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var openCode = Dialect{
	Name:   "opencode",
	Doc:    "OpenCode session exports",
	Where:  "opencode export SESSION > FILE",
	Hidden: true, Mirrors: true,
	folder: []string{"info.directory"},
	sniff:  sniffOpenCode,
	decode: decodeOpenCode,
	render: renderOpenCode,
	relink: relinkOpenCode, rename: renameOpenCode,
}

// sniffOpenCode looks for messages that have an info and parts, or for the info of a
// session without messages.
func sniffOpenCode(p *probe) bool {
	if p.lines != nil {
		return false
	}
	root := p.doc.Root()
	info, messages := root.Get("info"), root.Get("messages")
	if info.Kind() != rawjson.Object || messages.Kind() != rawjson.Array {
		return false
	}
	for m := range messages.Elems() {
		return m.Get("info").Kind() == rawjson.Object && m.Get("parts").Kind() == rawjson.Array
	}
	return strings.HasPrefix(info.Get("id").Str(), "ses") && info.Get("time").Ok()
}

// openCodeExport is an OpenCode document while it is decoded. Every element of messages
// that has an info becomes a message, even without blocks.
type openCodeExport struct {
	builder
	ids      []string          // by message
	records  []int             // by message
	pivot    string            // id of the last user message that asked for a compaction and got a summary
	tail     map[string]string // by id of a message that asks for a compaction, the first message that is kept
	summary  int               // the last summary in the form of old versions, or None
	reverted string            // id of the first message that was reverted, or ""
	part     string            // id of its first part that was reverted; "" for all
	hiding   bool              // the current part was reverted
}

func decodeOpenCode(f *File, p *probe) error {
	root := p.doc.Root()
	messages := root.Get("messages")
	if p.lines != nil || messages.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "not an OpenCode export, expected {info, messages: […]}"}
	}
	info := root.Get("info")
	s := &openCodeExport{
		builder: builder{l: splice.New(p.src)},
		tail:    map[string]string{}, summary: splice.None,
		reverted: info.Get("revert").Get("messageID").Str(), part: info.Get("revert").Get("partID").Str(),
	}
	s.l.TextElement = openCodeText
	readArray(s.l, messages, s.record)
	s.l.Chain.Reach(messages.Len())
	s.hide()
	s.l.Mirror(splice.None, info.Span(), false)
	f.add(info.Get("id").Str(), &s.builder)
	return nil
}

// record reads one message.
func (s *openCodeExport) record(i int, v rawjson.Value) {
	info := v.Get("info")
	if info.Kind() != rawjson.Object {
		s.l.Mirror(s.l.Slot(i), v.Span(), false)
		return
	}
	slot, role := s.l.Slot(i), transcript.User
	summary := false
	id, parent := info.Get("id").Str(), info.Get("parentID")
	if info.Get("role").Is("assistant") {
		role, summary = transcript.Assistant, info.Get("summary").Bool()
	}
	mb := s.message(role, slot)
	s.ids, s.records = append(s.ids, id), append(s.records, i)
	mb.m.SetUsage(openCodeUsage(info.Get("tokens")))
	mb.m.SetModel(info.Get("modelID").Str())
	if ms, ok := info.Get("time").Get("created").Int(); ok {
		mb.m.SetTime(time.UnixMilli(ms).UTC())
	}
	s.l.Chain.Note(i, info, "id", "parentID")
	s.l.Chain.Nodes[i].Typed = role == transcript.User
	if _, asked := s.tail[parent.Str()]; summary && !asked {
		s.summary, s.pivot = len(s.msgs)-1, ""
	} else if summary && info.Get("finish").Ok() { // an unfinished one has no effect
		s.pivot = parent.Str()
	}
	parts := v.Get("parts")
	first, k := s.l.Elems(slot, parts), 0
	s.hiding = false
	for e := range parts.Elems() {
		if s.part != "" && id == s.reverted && e.Get("id").Is(s.part) {
			s.hiding = true
		}
		if s.hiding {
			s.l.Mirror(first+k, e.Span(), false)
		} else {
			s.partOf(mb, e, first+k, id)
		}
		k++
	}
	if _, asks := s.tail[id]; asks || summary { // it hides earlier messages, so its record stays when its texts are removed
		mb.at.Records = nil
		for i := range mb.at.Blocks.Len() {
			mb.at.Records = append(mb.at.Records, mb.at.Blocks.Get(i).Slots...)
		}
	}
	if summary {
		for _, b := range mb.m.Blocks {
			if b.Kind == transcript.Text {
				b.Origin = transcript.Generated
			}
		}
	}
	s.l.MirrorMembers(slot, info, false, nil)
	s.l.MirrorMembers(slot, v, false, nil, "info", "parts")
}

// partOf reads one part of a message.
func (s *openCodeExport) partOf(mb *messageBuilder, e rawjson.Value, slot int, id string) {
	text := e.Get("text")
	switch kind := e.Get("type").Str(); {
	case kind == "text" && text.Kind() == rawjson.String && !e.Get("ignored").Bool():
		switch {
		case mb.m.Role == transcript.Assistant:
			mb.textBy(text, slot, transcript.ByModel)
		case e.Get("synthetic").Bool():
			mb.textBy(text, slot, transcript.Injected)
		default:
			mb.userText(text, slot)
		}
		s.l.MirrorMembers(slot, e, false, nil, "text")
	case kind == "reasoning":
		b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel, Opaque: sealedBytes(e.Get("metadata"))}
		b.Fixed = b.Opaque > 0
		at := splice.BlockPlace{Slots: []int{slot}}
		if text.Kind() == rawjson.String {
			b.Parts, at.Parts = []transcript.Part{{Text: text.Str()}}, []splice.Place{{Slot: slot, Lit: text.Span()}}
		}
		mb.add(b, at)
	case kind == "tool" && e.Get("state").Kind() == rawjson.Object:
		s.tool(mb, e, slot)
	case kind == "file" && !strings.HasPrefix(e.Get("mime").Str(), "text/") && !e.Get("mime").Is("application/x-directory"):
		mb.add(&transcript.Block{Kind: transcript.Media, Origin: mb.mediaOrigin(), Parts: []transcript.Part{{Media: openCodeMedium(e)}}},
			splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: e.Span(), Media: true}}})
	case kind == "subtask" && e.Get("prompt").Kind() == rawjson.String: // the prompt for a sub-agent
		mb.textBy(e.Get("prompt"), slot, transcript.Typed)
		s.l.MirrorMembers(slot, e, false, nil, "prompt")
	default:
		if kind == "compaction" {
			s.tail[id] = e.Get("tail_start_id").Str()
		}
		s.l.Mirror(slot, e.Span(), false)
	}
}

// tool reads a call and its result, which are one part. For a pruned result, the model
// sees a fixed phrase, so the text in the file is only a mirror.
func (s *openCodeExport) tool(mb *messageBuilder, e rawjson.Value, slot int) {
	state, tool := e.Get("state"), e.Get("tool").Str()
	id := e.Get("callID").Str()
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	where := splice.BlockPlace{Slots: []int{slot}}
	call.Parts, where.Parts = arguments(state.Get("input"), slot)
	mb.add(call, where) // not addCall: redacted ids may be equal for different calls
	blocks := []transcript.Ref{s.ref()}
	status, body := state.Get("status").Str(), state.Get("output")
	if status == "error" {
		body = state.Get("error")
	}
	pruned := state.Get("time").Get("compacted").Ok()
	if status == "completed" || status == "error" {
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: tool, Error: status == "error" || exitedBadly(state)}
		at := splice.BlockPlace{Slots: []int{slot}}
		if !pruned {
			mb.leaves(body, slot, b, &at)
			s.attached(state.Get("attachments"), slot, b, &at)
		}
		if quotesUser(b.Text()) {
			b.Origin = transcript.Typed
		}
		mb.add(b, at)
		blocks = append(blocks, s.ref())
	}
	texts := []string{"input", "output", "error"}
	if pruned || len(blocks) == 1 {
		texts = texts[:1]
	} else {
		texts = append(texts, "attachments")
	}
	s.l.MirrorMembers(slot, state, !pruned, blocks, texts...)
	s.l.MirrorMembers(slot, e, false, nil, "state")
}

// exitedBadly reports whether a call ran a command that returned an exit code other than
// 0. The status of such a call is "completed".
func exitedBadly(state rawjson.Value) bool {
	code, ok := state.Get("metadata").Get("exit").Int()
	return ok && code != 0
}

// attached reads the files that a tool returned besides its text.
func (s *openCodeExport) attached(files rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	if files.Kind() != rawjson.Array {
		return
	}
	first, k := s.l.Elems(slot, files), 0
	for e := range files.Elems() {
		if text := e.Get("text"); e.Get("type").Is("text") && text.Kind() == rawjson.String { // it replaced a file
			b.Parts = append(b.Parts, transcript.Part{Text: text.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: first + k, Lit: text.Span()})
		} else if e.Kind() == rawjson.Object {
			b.Parts = append(b.Parts, transcript.Part{Media: openCodeMedium(e)})
			at.Parts = append(at.Parts, splice.Place{Slot: first + k, Lit: e.Span(), Media: true})
		}
		k++
	}
}

// hide finds the effective view: from the last compaction on, up to the message to which
// the user reverted.
func (s *openCodeExport) hide() {
	start := 0
	if s.summary != splice.None {
		start = s.summary // old versions
	}
	for k := range s.msgs {
		if id := s.ids[k]; s.pivot != "" && id != "" && (id == s.pivot || id == s.tail[s.pivot]) {
			start = k // the request for the compaction, or the first message that it kept
			break
		}
	}
	reverted := false
	for k, m := range s.msgs {
		m.Undone = reverted || s.reverted != "" && s.ids[k] == s.reverted
		if s.reverted != "" && s.ids[k] == s.reverted {
			reverted = true
			m.Hidden = k < start || s.part == ""
			continue
		}
		m.Hidden = k < start || reverted
	}
}

// sealedBytes returns the size of the signatures and ciphertexts in the metadata of
// reasoning.
func sealedBytes(metadata rawjson.Value) (n int) {
	for k, v := range metadata.Members() {
		switch name := strings.ToLower(k.Str()); v.Kind() {
		case rawjson.Object:
			n += sealedBytes(v)
		case rawjson.String:
			if strings.Contains(name, "signature") || strings.Contains(name, "encrypted") || strings.Contains(name, "redacted") {
				n += len(v.Str())
			}
		}
	}
	return n
}

// openCodeMedium reads the type and data of a file part.
func openCodeMedium(e rawjson.Value) *transcript.Medium {
	m := &transcript.Medium{Type: e.Get("mime").Str()}
	if url := e.Get("url"); strings.HasPrefix(string(url.Raw()), `"data:`) {
		measure(m, url)
	}
	return m
}

// openCodeText returns the text part that replaces a file, with the ids of the file part.
func openCodeText(src []byte, file rawjson.Span, quoted []byte) []byte {
	out := append([]byte(`{"type":"text","text":`), quoted...)
	var doc rawjson.Doc
	if _, err := doc.Scan(src, file.Start, file.End); err == nil {
		out = appendMembers(out, doc.Root(), "id", "sessionID", "messageID")
	}
	return append(out, '}')
}

// openCodeUsage reads the token counts of the provider for an answer.
func openCodeUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(v rawjson.Value) int {
		n, _ := v.Int()
		return int(n)
	}
	cache := v.Get("cache")
	return &transcript.Usage{
		Input: count(v.Get("input")), Output: count(v.Get("output")) + count(v.Get("reasoning")),
		CacheRead: count(cache.Get("read")), CacheWrite: count(cache.Get("write")),
	}
}

// relinkOpenCode makes answers whose question is removed name the last user message
// before them as their parent.
func relinkOpenCode(c *splice.Change) (edits []rawjson.Edit) {
	stays := map[string]bool{} // by id
	for i, n := range c.Chain.Nodes {
		stays[n.ID] = stays[n.ID] || !c.Gone(i)
	}
	question := map[int]string{} // by record, the id of the new user message in front of it
	for i, in := range c.Inserted {
		if in.Message.Role == transcript.User {
			question[in.Record] = openCodeID(c, i)
		}
	}
	last, links := "", c.Chain.Links // last is the id of the last user message
	for i, n := range c.Chain.Nodes {
		if id, ok := question[i]; ok {
			last = id
		}
		if !c.Gone(i) && n.Typed {
			last = n.ID
		}
		for ; len(links) > 0 && links[0].Record <= i; links = links[1:] {
			k := links[0]
			parentStays, inFile := stays[k.To]
			if k.Record == i && !c.Gone(i) && inFile && !parentStays && last != "" && k.To != "" {
				edits = append(edits, rawjson.Edit{Span: k.Value, New: rawjson.Style{}.Quote(last)})
			}
		}
	}
	return edits
}

// openCodeID returns the id of new message i. OpenCode sorts messages by id: six bytes of
// time and a counter, then letters. The first number of the new id is therefore one less
// than that of the next message, or one more than that of the last.
func openCodeID(c *splice.Change, i int) string {
	record, step := c.Inserted[i].Record, int64(-1)
	if record >= len(c.Chain.Nodes) {
		record, step = len(c.Chain.Nodes)-1, 1
	}
	if record >= 0 {
		if id, ok := strings.CutPrefix(c.Chain.Nodes[record].ID, "msg_"); ok && len(id) > 12 {
			if n, err := strconv.ParseInt(id[:12], 16, 64); err == nil && n > 0 {
				return fmt.Sprintf("msg_%012x%02d%s", n+step, i%100, c.ShortID(i, 12))
			}
		}
	}
	return "msg_" + c.ShortID(i, 26)
}

// renderOpenCode returns a new message with the info of its neighbour.
func renderOpenCode(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	role := "user"
	if in.Message.Role == transcript.Assistant {
		role = "assistant"
	}
	near := c.Nearest(i, func(v rawjson.Value) bool { return v.Get("info").Get("role").Is(role) }).Get("info")
	id, quote := openCodeID(c, i), c.Style().Quote
	out := append([]byte(`{"info":{"id":`), quote(id)...)
	out = fmt.Appendf(out, `,"role":%q`, role)
	out = appendMembers(out, near, "sessionID", "time", "agent", "model", "variant", "tools")
	if role == "assistant" {
		out = appendMembers(out, near, "parentID", "modelID", "providerID", "mode", "path")
		out = append(out, `,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"finish":"stop"`...)
	}
	out = append(out, `},"parts":[`...)
	for k, b := range in.Message.Blocks {
		if k > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"id":"prt_%s%02d"`, c.ShortID(i, 24), k)
		out = appendMembers(out, near, "sessionID")
		out = append(append(out, `,"messageID":`...), quote(id)...)
		out = append(append(out, `,"type":"text","text":`...), quote(b.Text())...)
		out = append(out, '}')
	}
	return append(out, "]}"...)
}

// Parts of the ids of OpenCode. Behind the prefix is a time with a counter, by which OpenCode sorts,
// and then letters and digits.
const (
	openCodeSession = "ses_"
	openCodeTime    = 12
)

// openCodeCopy returns an id with the prefix and the time of old. The rest is from sum.
func openCodeCopy(old string, sum []byte) string {
	begin := min(strings.IndexByte(old, '_')+1+openCodeTime, len(old))
	letters := fmt.Sprintf("%040s", new(big.Int).SetBytes(sum).Text(62))
	return old[:begin] + letters[:min(len(old)-begin, len(letters))]
}

// openCodeIDs are the members with ids of sessions, messages and parts. The ids of calls, models and
// providers are others.
var openCodeIDs = []string{"id", "sessionID", "parentID", "messageID", "partID", "tail_start_id"}

// renameOpenCode changes the id of the session and the ids of its messages and parts. OpenCode's
// database has each of these ids only once, and an import skips those that it has.
func renameOpenCode(f *File, old, id string) (edits []rawjson.Edit) {
	var doc rawjson.Doc
	if doc.ScanAll(f.src, 0, len(f.src)) != nil {
		return nil
	}
	ids := map[string]string{old: id}
	holders := []rawjson.Value{doc.Root().Get("info"), doc.Root().Get("info").Get("revert")}
	own := func(v rawjson.Value) {
		holders = append(holders, v)
		if name := v.Get("id").Str(); name != "" {
			sum := sha256.Sum256([]byte(id + name))
			ids[name] = openCodeCopy(name, sum[:])
		}
	}
	for m := range doc.Root().Get("messages").Elems() {
		own(m.Get("info"))
		for p := range m.Get("parts").Elems() {
			own(p)
			for file := range p.Get("state").Get("attachments").Elems() {
				own(file)
			}
		}
	}
	for _, v := range holders {
		for k, e := range v.Members() {
			if to, known := ids[e.Str()]; known && isOneOf(k, openCodeIDs) {
				edits = append(edits, renamed(e, e.Str(), to)...)
			}
		}
	}
	return edits
}
