package format

import (
	"fmt"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var aiStudio = Dialect{
	Name:    "aistudio",
	Doc:     "Google AI Studio prompts: {runSettings, systemInstruction, chunkedPrompt: {chunks}}",
	Where:   "the folder \"Google AI Studio\" in Google Drive",
	Mirrors: true,
	sniff: func(p *probe) bool {
		return p.lines == nil && p.doc.Root().Get("chunkedPrompt").Kind() == rawjson.Object
	},
	decode: decodeAIStudio,
	fails:  saysFailed,
	render: renderAIStudio,
}

func decodeAIStudio(f *File, p *probe) error {
	root := p.doc.Root()
	chunks := root.Get("chunkedPrompt").Get("chunks")
	if p.lines != nil || !root.Get("chunkedPrompt").Ok() {
		return &Error{Offset: -1, Reason: "no chunkedPrompt found, " + p.looks()}
	}
	b := &builder{l: splice.New(p.src)}
	b.model = root.Get("runSettings").Get("model").Str()
	calls := newGeminiCalls()
	b.l.SetRecords(chunks)
	b.systemInstruction(root, calls)
	i := 0
	for e := range chunks.Elems() {
		if e.Kind() == rawjson.Object {
			b.chunk(e, b.l.Slot(i), calls)
		}
		i++
	}
	for k, v := range root.Members() { // unsent text and other members
		if repeats(k, v, "chunkedPrompt", "systemInstruction", "system_instruction") {
			b.l.Mirror(splice.None, v.Span(), false)
		}
	}
	f.add(conversationID(root, 0), b)
	return nil
}

// chunkMedia are the members of a chunk that hold files.
var chunkMedia = []string{
	"driveImage", "driveDocument", "driveVideo", "driveAudio", "youtubeVideo",
	"inlineImage", "inlineFile", "inlineAudio", "inlineData", "fileData",
}

// chunk reads one chunk: a text, a thought, a file or a call.
func (c *builder) chunk(v rawjson.Value, slot int, calls *geminiCalls) {
	role, known := geminiRole(v.Get("role").Str())
	calls.startContent(role)
	mb := c.message(role, slot)
	mb.m.Hidden = !known
	at, _ := time.Parse(time.RFC3339, v.Get("createTime").Str())
	mb.m.SetTime(at)
	if n, ok := v.Get("tokenCount").Int(); ok { // of this chunk, in either direction
		mb.m.SetUsage(&transcript.Usage{Output: int(n)})
	}
	text := v.Get("text")
	signature := 0
	for e := range v.Get("thoughtSignatures").Elems() {
		signature += len(e.Str())
	}
	for e := range v.Get("parts").Elems() {
		signature += len(firstOf(e, "thoughtSignature", "thought_signature").Str())
	}
	if text.Kind() == rawjson.String && (len(text.Raw()) > 2 || v.Len() <= 3) {
		mb.partText(text, slot, firstOf(v, "isThought", "thought").Bool(), 0)
	}
	if call := firstOf(v, "functionCall", "function_call"); call.Kind() == rawjson.Object {
		mb.functionCall(call.Get("id").Str(), call.Get("name").Str(), call.Get("args"), slot, calls)
	}
	if answer := firstOf(v, "functionResponse", "function_response"); answer.Kind() == rawjson.Object {
		mb.functionResponse(answer, slot, calls)
	}
	if code := v.Get("executableCode"); code.Kind() == rawjson.Object {
		mb.functionCall(code.Get("id").Str(), codeTool, code, slot, calls)
	}
	if output := v.Get("codeExecutionResult"); output.Kind() == rawjson.Object {
		mb.codeOutput(output, slot, calls)
	}
	for _, key := range chunkMedia {
		if media := v.Get(key); media.Kind() == rawjson.Object {
			mb.add(&transcript.Block{ // it is a member, so no text can replace it
				Kind: transcript.Media, Origin: mb.mediaOrigin(), Fixed: true, Parts: []transcript.Part{{Media: geminiMedium(media)}},
			}, splice.BlockPlace{Slots: []int{c.l.Member(slot, v, key)}})
		}
	}
	if signature > 0 && len(mb.m.Blocks) > 0 {
		mb.m.Blocks[0].Fixed, mb.m.Blocks[0].Opaque = true, signature
	}
	c.chunkParts(mb, v, text, slot)
}

// chunkParts reads the parts of a chunk, which repeat its text. Parts that hold the whole
// text in order become a copy; others are a mirror.
func (c *builder) chunkParts(mb *messageBuilder, v, text rawjson.Value, slot int) {
	parts := v.Get("parts")
	if parts.Kind() != rawjson.Array || len(mb.m.Blocks) == 0 {
		return
	}
	var copied splice.BlockPlace
	rest, inOrder := text.Str(), true
	for e := range parts.Elems() {
		piece := e.Get("text")
		if piece.Kind() != rawjson.String {
			continue
		}
		var found bool
		_, rest, found = strings.Cut(rest, piece.Str())
		inOrder = inOrder && found
		copied.Parts = append(copied.Parts, splice.Place{Slot: slot, Lit: piece.Span()})
	}
	b := mb.m.Blocks[0]
	if inOrder && len(mb.m.Blocks) == 1 && len(b.Parts) == 1 && len(copied.Parts) > 0 && b.Parts[0].Text == text.Str() {
		copied.Slots = []int{slot}
		mb.at.Blocks.Copy(0, copied)
		return
	}
	c.l.Mirror(slot, parts.Span(), true, blocksOf(len(c.msgs)-1, mb.m)...)
}

// renderAIStudio returns a new message as a chunk. Its blocks become one text.
func renderAIStudio(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	role := "user"
	if m.Role == transcript.Assistant {
		role = "model"
	}
	return fmt.Appendf(nil, `{"text":%s,"role":%q}`, paragraphs(c.Style(), m), role)
}
