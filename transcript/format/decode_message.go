package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// builder collects the messages of one conversation while it is decoded.
type builder struct {
	l     *splice.Layout
	msgs  []*transcript.Message
	model string          // of answers that do not name theirs
	loss  transcript.Loss // the weight of the whole conversation

	framing []*transcript.Block // instructions that the client writes again at resume
	seals   bool                // no code holds the place of a message when the next one begins
	notes   bool                // values are kept
	values  []rawjson.Value     // of each message
}

// sealedTogether is the number of messages whose places become small together.
const sealedTogether = 512

// frame sets the instructions that the client sends with every request and writes again at
// resume. They replace earlier ones. A change of them in the file would save nothing.
func (c *builder) frame(texts ...rawjson.Value) {
	c.framing = nil
	for _, text := range texts {
		if text.Kind() == rawjson.String && text.Str() != "" {
			c.framing = append(c.framing, &transcript.Block{Origin: transcript.Injected, Parts: []transcript.Part{{Text: text.Str()}}})
		}
	}
}

// message begins a message that lies in the given records. Its blocks are added through
// the result.
func (c *builder) message(role transcript.Role, records ...int) *messageBuilder {
	if n := len(c.l.Messages); c.seals && n > 0 && n%sealedTogether == 0 {
		c.l.Seal()
	}
	m := &transcript.Message{Role: role}
	at := &splice.MessagePlace{Records: records}
	c.msgs = append(c.msgs, m)
	c.l.Messages = append(c.l.Messages, at)
	return &messageBuilder{l: c.l, m: m, at: at}
}

// dropEmpty removes the last message again when it has no blocks.
func (c *builder) dropEmpty() {
	last := len(c.msgs) - 1
	if last >= 0 && len(c.msgs[last].Blocks) == 0 {
		c.msgs, c.l.Messages = c.msgs[:last], c.l.Messages[:last]
	}
}

// add makes the collected messages a conversation of the file.
func (f *File) add(id string, c *builder) {
	if f.Dialect.fails != nil {
		c.readFailures(f.Dialect.fails)
	}
	c.l.Finish(f.sample, c.msgs)
	conv := transcript.New(id, c.msgs)
	conv.Model, conv.Framing = c.model, c.framing
	f.Convs = append(f.Convs, conv)
	f.layouts = append(f.layouts, c.l)
}

// textBy adds a string as one text of the given origin, regardless of its words.
func (mb *messageBuilder) textBy(v rawjson.Value, slot int, origin transcript.Origin) {
	mb.add(&transcript.Block{Origin: origin, Parts: []transcript.Part{{Text: v.Str()}}},
		splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: v.Span()}}})
}

// userText adds a string of a user message, cut into typed and injected texts. Unlike
// text, it does not look for results of tools.
func (mb *messageBuilder) userText(v rawjson.Value, slot int) {
	text := v.Str()
	mb.segments(v, text, slot, userSegments(text, mb.meta))
}

// summary adds a summary as a message. The summary is a member of a record that hides
// earlier records, so the record stays when the summary is removed. An empty summary is
// no message.
func (c *builder) summary(slot int, in rawjson.Value, key string) {
	text := in.Get(key)
	if text.Kind() != rawjson.String || text.Str() == "" {
		return
	}
	c.l.Keep(slot)
	at := c.l.Emptied(slot, in, key)
	c.message(transcript.User, at).textBy(text, at, transcript.Generated)
}

// ref returns the address of the last block of the last message.
func (c *builder) ref() transcript.Ref {
	last := len(c.msgs) - 1
	return blockRef(last, len(c.msgs[last].Blocks)-1)
}

// blockRef returns the address of a block.
func blockRef(msg, block int) transcript.Ref {
	return transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}
}

// blockRefs returns the addresses of the blocks [from, to) of a message.
func blockRefs(msg, from, to int) (refs []transcript.Ref) {
	for k := from; k < to; k++ {
		refs = append(refs, blockRef(msg, k))
	}
	return refs
}

// blocksOf returns the addresses of the blocks that a message has so far.
func blocksOf(msg int, m *transcript.Message) []transcript.Ref {
	return blockRefs(msg, 0, len(m.Blocks))
}

// anthropicUsage reads the token counts of the provider for an answer.
func anthropicUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := wholeNumbers(v)
	return &transcript.Usage{
		Input: count("input_tokens"), Output: count("output_tokens"),
		CacheRead: count("cache_read_input_tokens"), CacheWrite: count("cache_creation_input_tokens"),
	}
}

// uncached returns the tokens of a prompt that were not read from a cache, for files
// whose count of the prompt includes the cached tokens. It is never below 0.
func uncached(prompt, cached int) int { return max(0, prompt-cached) }

// wholeNumbers returns a function that reads whole numbers among the members of an
// object. It returns 0 for any other value.
func wholeNumbers(v rawjson.Value) func(key string) int {
	return func(key string) int {
		n, _ := v.Get(key).Int()
		return int(n)
	}
}

// generated marks the texts of a message as generated.
func generated(m *transcript.Message) {
	for _, b := range m.Blocks {
		if b.Kind == transcript.Text {
			b.Origin = transcript.Generated
		}
	}
}

// cutBlocks moves the blocks for which out returns true into a new message of the same
// record.
func cutBlocks(m *transcript.Message, at *splice.MessagePlace, out func(*transcript.Block) bool) (*transcript.Message, *splice.MessagePlace) {
	other := &transcript.Message{Role: m.Role}
	other.SetTime(m.Time())
	place := &splice.MessagePlace{Records: at.Records}
	blocks, places := m.Blocks, at.Blocks
	m.Blocks, at.Blocks = nil, splice.Places{}
	for i, b := range blocks {
		if out(b) {
			other.Blocks = append(other.Blocks, b)
			place.Blocks.Add(places.Get(i))
		} else {
			m.Blocks = append(m.Blocks, b)
			at.Blocks.Add(places.Get(i))
		}
	}
	return other, place
}
