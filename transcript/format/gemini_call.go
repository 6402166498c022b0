package format

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// geminiCalls pairs the calls and results of one conversation. Many files have no ids. A
// result without an id then belongs to the first open call of the same name, in the
// latest round that has one.
type geminiCalls struct {
	round int                        // number of the current round
	model bool                       // the last content is from the model
	n     int                        // ids made so far
	ids   map[string]*geminiCall     // the calls with an id in the file
	names map[string][]geminiWaiting // by name of the tool, the calls of each round
}

// geminiCall is a call, which may have no result yet.
type geminiCall struct {
	b        *transcript.Block
	answered bool
}

// geminiWaiting holds the calls of one name in one round.
type geminiWaiting struct {
	round int
	calls []*geminiCall
}

func newGeminiCalls() *geminiCalls {
	return &geminiCalls{ids: map[string]*geminiCall{}, names: map[string][]geminiWaiting{}}
}

// startContent notes the role of the next content. Consecutive contents of the model are
// one round.
func (g *geminiCalls) startContent(role transcript.Role) {
	if role == transcript.Assistant && !g.model {
		g.round++
	}
	g.model = role == transcript.Assistant
}

// call adds a call. A call without an id in the file gets an id that no file has.
func (g *geminiCalls) call(b *transcript.Block, id string) *geminiCall {
	c := &geminiCall{b: b}
	if b.Call = id; id == "" {
		b.Call = g.newID()
	} else {
		g.ids[id] = c
	}
	rounds := g.names[b.Tool]
	if last := len(rounds) - 1; last >= 0 && rounds[last].round == g.round {
		rounds[last].calls = append(rounds[last].calls, c)
		return c
	}
	g.names[b.Tool] = append(rounds, geminiWaiting{g.round, []*geminiCall{c}})
	return c
}

// inMessage returns the call with an id when it is in message m, and nil otherwise.
func (g *geminiCalls) inMessage(id string, m *transcript.Message) *geminiCall {
	c := g.ids[id]
	if c == nil || c.b.ID >= len(m.Blocks) || m.Blocks[c.b.ID] != c.b {
		return nil
	}
	return c
}

// answer sets the id of the call that a result answers. A result without an id answers
// the open call of its tool. Both then get an id that no file has, because after an edit
// another call may be the open one.
func (g *geminiCalls) answer(b *transcript.Block, id string) {
	c := g.ids[id]
	if b.Call = id; id == "" {
		if c = g.next(b.Tool); c != nil {
			if !strings.HasPrefix(c.b.Call, proseID) {
				c.b.Call = g.newID()
			}
			b.Call = c.b.Call
		}
	}
	if c == nil {
		return
	}
	if b.Tool == "" && !c.answered {
		b.Tool = c.b.Tool
	}
	c.answered = true
}

// next returns the open call of a tool that the next result without an id answers, or
// nil.
func (g *geminiCalls) next(tool string) *geminiCall {
	rounds := g.names[tool]
	for len(rounds) > 0 {
		last := &rounds[len(rounds)-1]
		for len(last.calls) > 0 && last.calls[0].answered {
			last.calls = last.calls[1:]
		}
		if len(last.calls) > 0 {
			break
		}
		rounds = rounds[:len(rounds)-1]
	}
	g.names[tool] = rounds
	if len(rounds) == 0 {
		return nil
	}
	return rounds[len(rounds)-1].calls[0]
}

func (g *geminiCalls) newID() string {
	g.n++
	return proseID + strconv.Itoa(g.n)
}

// All dialects of Gemini use the functions below: usage, mirrors and new records.

// geminiUsage reads the token counts of the provider for an answer. Its prompt tokens
// include the cached ones.
func geminiUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(keys ...string) int {
		n, _ := firstOf(v, keys...).Int()
		return int(n)
	}
	cached := count("cached_content_token_count", "cachedContentTokenCount")
	return &transcript.Usage{
		Input: uncached(count("prompt_token_count", "promptTokenCount"), cached), CacheRead: cached,
		Output: count("candidates_token_count", "candidatesTokenCount") + count("thoughts_token_count", "thoughtsTokenCount"),
	}
}

// mirrorMembers makes mirrors of the members of an object, except the one that holds the
// blocks.
func mirrorMembers(l *splice.Layout, slot int, object rawjson.Value, except string, blocks ...transcript.Ref) {
	for k, v := range object.Members() {
		if repeats(k, v, except) {
			l.Mirror(slot, v.Span(), false, blocks...)
		}
	}
}

// repeats reports whether a member may repeat blocks: it is not among the exceptions and
// does not identify its object.
func repeats(key, v rawjson.Value, except ...string) bool {
	k := key.Str()
	switch k {
	case "id", "name", "type", "role", "status", "author", "invocation_id", "invocationId", "sessionId", "projectHash":
		return v.Kind() != rawjson.String
	}
	return !slices.Contains(except, k)
}

// recordNear returns the last object at or before the place of new message i.
func recordNear(c *splice.Change, i int) rawjson.Value {
	return c.Before(i, func(v rawjson.Value) bool { return v.Kind() == rawjson.Object })
}

// newRecordID returns a hash of new record i, of the new records before it, and of the
// record in front of it.
func newRecordID(c *splice.Change, i int) []byte {
	h := sha256.New()
	for _, in := range c.Inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.Record, in.Message.Role)
		for _, b := range in.Message.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	h.Write(recordNear(c, i).Raw())
	return h.Sum(nil)
}

// geminiText returns the text part that replaces media.
func geminiText(_ []byte, _ rawjson.Span, quoted []byte) []byte {
	return append(append([]byte(`{"text":`), quoted...), '}')
}
