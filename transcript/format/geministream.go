package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var geminiStream = Dialect{
	Name:    "gemini-stream",
	Doc:     "Gemini CLI's --output-format stream-json: lines {type: init|message|tool_use|tool_result|result}",
	Where:   "what the program printed, saved by scripts and CI",
	Mirrors: true,
	sniff:   sniffGeminiStream,
	decode:  decodeGeminiStream,
	fails:   saysExit,
	render:  renderGeminiStream,
	relink:  relinkStream,
}

// sniffGeminiStream looks for a line that only these streams have.
func sniffGeminiStream(p *probe) bool {
	records := p.first
	if p.lines == nil {
		records = []rawjson.Value{p.doc.Root()}
	}
	is := func(v rawjson.Value, keys ...string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return v.Get(key).Kind() != rawjson.String })
	}
	for _, r := range records {
		switch r.Get("type").Str() {
		case "init":
			if is(r, "session_id", "model") && !r.Get("subtype").Ok() {
				return true
			}
		case "tool_use":
			if is(r, "tool_name", "tool_id") {
				return true
			}
		case "tool_result":
			if is(r, "tool_id", "status") {
				return true
			}
		case "message":
			if is(r, "role", "content") && (r.Get("delta").Ok() || is(r, "timestamp")) {
				return true
			}
		}
	}
	return false
}

// streamRun is one run of the program while it is decoded.
type streamRun struct {
	builder
	calls     *geminiCalls
	lines     []streamLine
	streaming bool     // the last line is a text of the model that the next line may continue
	texts     []string // the deltas of the last text, after the first
	id        string
}

// A streamLine is a line of the conversation. A text of the model is split into deltas on
// consecutive lines.
type streamLine struct {
	record int
	text   bool         // it is a text of the model
	begins bool         // it begins a message
	delta  rawjson.Span // the literal true that makes it continue the line before it
}

func decodeGeminiStream(f *File, p *probe) error {
	if p.lines == nil {
		p.splitLines()
	}
	starts := append(streamRuns(p), len(p.lines))
	for i, from := range starts[:len(starts)-1] {
		r := &streamRun{builder: builder{l: splice.New(p.src)}, calls: newGeminiCalls()}
		f.readRange(r.l, p, from, starts[i+1], r.line)
		r.joinTexts()
		r.l.State, r.l.Closed = r.lines, len(r.lines) > 0 // a message after the last line of a run would belong to the next run
		if r.id == "" {
			r.id = fmt.Sprint(i + 1)
		}
		f.add(r.id, &r.builder)
	}
	return nil
}

// streamRuns returns the lines at which the runs in a file begin. Each run prints an init
// line with its session. Lines between the result line of one run and the next init line
// belong to the next run.
func streamRuns(p *probe) []int {
	starts := []int{0}
	session, behind := "", 0 // behind is the line after the last result line
	var doc rawjson.Doc
	for i, line := range p.lines {
		raw := p.src[line.Start:line.End]
		head := raw[:min(len(raw), 4096)] // the type is at the beginning
		if !bytes.Contains(head, []byte(`"init"`)) && !bytes.Contains(head, []byte(`"result"`)) || doc.ScanAll(p.src, line.Start, line.End) != nil {
			continue
		}
		switch v := doc.Root(); v.Get("type").Str() {
		case "result":
			behind = i + 1
		case "init":
			id := v.Get("session_id").Str()
			if session != "" && id != session {
				at := i
				if behind > starts[len(starts)-1] {
					at = behind
				}
				starts = append(starts, at)
			}
			session = id
		}
	}
	return starts
}

// line reads one line.
func (r *streamRun) line(i int, v rawjson.Value) {
	slot := r.l.Slot(i)
	switch v.Get("type").Str() {
	case "message":
		r.message(i, slot, v)
		return
	case "tool_use":
		r.calls.startContent(transcript.Assistant)
		mb := r.begin(i, transcript.Assistant, v)
		mb.functionCall(v.Get("tool_id").Str(), v.Get("tool_name").Str(), v.Get("parameters"), slot, r.calls)
		return
	case "tool_result":
		r.calls.startContent(transcript.Tool)
		r.result(r.begin(i, transcript.Tool, v), slot, v)
		return
	case "init":
		r.id, r.model = v.Get("session_id").Str(), v.Get("model").Str()
		r.endText(i)
	case "result":
		r.endText(i)
	}
	r.l.Mirror(slot, v.Span(), false)
}

// begin begins a message that line i holds.
func (r *streamRun) begin(i int, role transcript.Role, v rawjson.Value) *messageBuilder {
	r.endText(i)
	r.lines[len(r.lines)-1].begins = true
	mb := r.builder.message(role, r.l.Slot(i))
	mb.m.SetTime(timestamp(v))
	return mb
}

// endText adds line i and ends the text before it, so that no later line continues that
// text.
func (r *streamRun) endText(i int) {
	r.joinTexts()
	r.streaming = false
	r.lines = append(r.lines, streamLine{record: i})
}

// joinTexts adds the deltas to the text of the last message.
func (r *streamRun) joinTexts() {
	if len(r.texts) == 0 {
		return
	}
	part := &r.msgs[len(r.msgs)-1].Blocks[0].Parts[0]
	part.Text += strings.Join(r.texts, "")
	r.texts = nil
}

// message reads a message, or a delta of one.
func (r *streamRun) message(i, slot int, v rawjson.Value) {
	role, known := geminiRole(v.Get("role").Str())
	content, delta := v.Get("content"), v.Get("delta")
	text := role == transcript.Assistant && content.Kind() == rawjson.String
	if text && r.streaming && delta.Bool() {
		r.lines = append(r.lines, streamLine{record: i, text: true})
		r.appendText(slot, content)
		return
	}
	r.calls.startContent(role)
	mb := r.begin(i, role, v)
	mb.m.Hidden = !known
	mb.parts(content, slot, r.calls)
	if text {
		r.streaming = true
		p := &r.lines[len(r.lines)-1]
		p.text = true
		if delta.Bool() {
			p.delta = delta.Span()
		}
	}
}

// appendText adds a delta to the text of the last message.
func (r *streamRun) appendText(slot int, content rawjson.Value) {
	last := len(r.msgs) - 1
	at := r.l.Messages[last].Blocks.At(0)
	at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: content.Span()})
	r.l.Messages[last].Records = append(r.l.Messages[last].Records, slot)
	r.texts = append(r.texts, content.Str())
}

// result reads the result of a tool. The message of an error repeats the output.
func (r *streamRun) result(mb *messageBuilder, slot int, v rawjson.Value) {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Error: v.Get("status").Is("error")}
	at := splice.BlockPlace{Slots: []int{slot}}
	output, fault := v.Get("output"), v.Get("error")
	if said := fault.Get("message"); said.Kind() == rawjson.String && len(output.Str()) == 0 {
		mb.responseLeaves(said, slot, b, &at, "")
	} else {
		mb.responseLeaves(output, slot, b, &at, "")
		if said.Kind() == rawjson.String && said.Str() == output.Str() {
			at.Copies = []splice.BlockPlace{{Slots: at.Slots, Parts: []splice.Place{{Slot: slot, Lit: said.Span()}}}}
		} else if fault.Ok() {
			r.l.Mirror(slot, fault.Span(), true, blockRefs(len(r.msgs)-1, 0, 1)...)
		}
	}
	if quotesUser(b.Text()) {
		b.Origin = transcript.Typed
	}
	r.calls.answer(b, v.Get("tool_id").Str())
	mb.add(b, at)
}

// relinkStream keeps two texts of the model apart when the lines between them are
// removed, or when a new message is inserted before the second.
func relinkStream(c *splice.Change) []rawjson.Edit {
	var edits []rawjson.Edit
	text := false // the previous line that stays is a text of the model
	inserted := c.Inserted
	for _, p := range c.State.([]streamLine) {
		for len(inserted) > 0 && inserted[0].Record <= p.record {
			text, inserted = inserted[0].Message.Role == transcript.Assistant, inserted[1:]
		}
		if c.Gone(p.record) {
			continue
		}
		if text && p.begins && p.delta.Len() > 0 {
			edits = append(edits, rawjson.Edit{Span: p.delta, New: []byte("false")})
		}
		text = p.text
	}
	return edits
}

// renderGeminiStream returns a new message as a line. Its blocks become one text.
func renderGeminiStream(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	role := "user"
	if m.Role == transcript.Assistant {
		role = "assistant"
	}
	out := appendMembers([]byte(`{"type":"message"`), recordNear(c, i), "timestamp")
	return fmt.Appendf(out, `,"role":%q,"content":%s}`, role, paragraphs(c.Style(), m))
}
