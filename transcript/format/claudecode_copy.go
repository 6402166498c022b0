package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// Claude Code logs the messages of its requests word for word, in records of the type
// "api-request-blob", and prompts that wait in records "queue-operation". Nothing reads
// them at resume. A copy of a message that changes is removed: it has a hash of its text.

// claudeCodeCopy is a record that repeats blocks. It names those with an id by the id, and
// texts by their words.
type claudeCodeCopy struct {
	record         int
	calls, results []string // ids
	texts          []string
}

// copyIn returns the copy that a record is, if it is one.
func copyIn(i int, kind string, v rawjson.Value) (c claudeCodeCopy, ok bool) {
	c.record = i
	switch kind {
	case "queue-operation":
		c.text(v.Get("content"))
	case "api-request-blob":
		c.message(v.Get("message").Get("content"))
	default:
		return c, false
	}
	return c, true
}

// text notes a text.
func (c *claudeCodeCopy) text(v rawjson.Value) {
	if text := strings.TrimSpace(v.Str()); text != "" {
		c.texts = append(c.texts, text)
	}
}

// message notes the content of a message of a request.
func (c *claudeCodeCopy) message(content rawjson.Value) {
	if content.Kind() == rawjson.String {
		c.text(content)
		return
	}
	for e := range content.Elems() {
		switch e.Get("type").Str() {
		case "tool_use":
			c.calls = append(c.calls, e.Get("id").Str())
		case "tool_result":
			c.results = append(c.results, e.Get("tool_use_id").Str())
		case "thinking":
			c.text(e.Get("thinking"))
		default:
			c.text(e.Get("text"))
		}
	}
}

// addCopies finds the blocks that each copy repeats, once all messages are known.
func (s *claudeCodeSession) addCopies() {
	if len(s.copies) == 0 {
		return
	}
	texts := map[string][]transcript.Ref{}
	for msg, m := range s.msgs {
		for k, b := range m.Blocks {
			if b.Kind != transcript.Text && b.Kind != transcript.Thinking {
				continue
			}
			for _, p := range b.Parts {
				if text := strings.TrimSpace(p.Text); text != "" {
					texts[text] = append(texts[text], blockRef(msg, k))
				}
			}
		}
	}
	for _, c := range s.copies {
		mark := func(of transcript.Ref, known bool) {
			if known {
				s.l.Chain.AddCopy(c.record, of)
			}
		}
		for _, id := range c.calls {
			of, known := s.calls[id]
			mark(of, known)
		}
		for _, id := range c.results {
			of, known := s.results[id]
			mark(of, known)
		}
		for _, text := range c.texts {
			for _, of := range texts[text] {
				mark(of, true)
			}
		}
	}
}
