package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var geminiCLI = Dialect{
	Name:   "gemini-cli",
	Doc:    "Gemini CLI sessions: {sessionId, projectHash, messages}, or a log of them as JSONL",
	Where:  "~/.gemini/tmp/*/chats/session-*.json and .jsonl",
	Hidden: true, Mirrors: true,
	sniff:  sniffGeminiCLI,
	decode: decodeGeminiCLI,
	fails:  saysExit,
	render: renderGeminiCLI,
	relink: relinkRewinds, rename: renameAt("sessionId", "$set.sessionId"),
	target: &rules.GeminiCLI, kinds: &geminiCLIKinds,
}

// geminiCLIKinds has the types of messages, and the members of lines that change the log.
var geminiCLIKinds = vocabulary{
	from: "Gemini CLI 0.61.0",
	name: func(v rawjson.Value) string {
		for k := range v.Members() {
			if strings.HasPrefix(k.Str(), "$") {
				return k.Str()
			}
		}
		return v.Get("type").Str()
	},
	known: "user, gemini, info, warning, error, $set, $rewindTo",
}

// sniffGeminiCLI looks for the head of a session: the members of a document, or the first
// line of a log.
func sniffGeminiCLI(p *probe) bool {
	head := p.doc.Root()
	if p.lines != nil {
		head = p.first[0]
	}
	return head.Get("sessionId").Kind() == rawjson.String && head.Get("projectHash").Kind() == rawjson.String &&
		(head.Get("messages").Kind() == rawjson.Array || head.Get("startTime").Ok())
}

// cliSession is a session while it is decoded. All messages of a log are created before
// they are read, because a later line can replace one.
type cliSession struct {
	builder
	calls   *geminiCalls
	results map[string]transcript.Ref // by id of a call, the address of its result
	foreign []foreignResult
	stale   []staleCopy
	empty   []int // messages that hold only copies of results
}

// foreignResult is a result that is stored with another call: the record of a call can
// hold all results of a round.
type foreignResult struct {
	m  splice.Mirror
	id string // of the call that it answers
}

func decodeGeminiCLI(f *File, p *probe) error {
	s := &cliSession{
		builder: builder{l: splice.New(p.src)},
		calls:   newGeminiCalls(), results: map[string]transcript.Ref{},
	}
	s.l.TextElement = geminiText
	root := p.doc.Root()
	messages := root.Get("messages")
	if p.lines != nil || messages.Kind() != rawjson.Array {
		id := s.log(f, p)
		s.finish()
		f.add(id, &s.builder)
		return nil
	}
	s.l.SetRecords(messages)
	i := 0
	for e := range messages.Elems() {
		if isMessage(e) {
			s.grow()
			s.read(len(s.msgs)-1, s.l.Slot(i), e)
		} else {
			s.l.Mirror(s.l.Slot(i), e.Span(), false)
		}
		i++
	}
	mirrorMembers(s.l, splice.None, root, "messages")
	s.finish()
	f.add(conversationID(root, 0), &s.builder)
	return nil
}

// isMessage reports whether an element belongs to the conversation. The others are
// notices for the user: info, warning, error.
func isMessage(v rawjson.Value) bool {
	kind := v.Get("type")
	return kind.Is("user") || kind.Is("gemini")
}

// grow adds an empty message.
func (s *cliSession) grow() {
	s.msgs = append(s.msgs, &transcript.Message{})
	s.l.Messages = append(s.l.Messages, &splice.MessagePlace{})
}

// read reads message msg, which lies in slot.
func (s *cliSession) read(msg, slot int, v rawjson.Value) {
	mb := &messageBuilder{l: s.l, m: s.msgs[msg], at: s.l.Messages[msg]}
	mb.m.Role = transcript.User
	mb.m.SetTime(timestamp(v))
	mb.at.Records = append(mb.at.Records, slot)
	if v.Get("type").Is("gemini") {
		mb.m.Role = transcript.Assistant
		mb.m.SetUsage(cliUsage(v.Get("tokens")))
		mb.m.SetModel(v.Get("model").Str())
		mb.thoughts(v, slot)
	}
	s.calls.startContent(mb.m.Role)
	content := v.Get("content")
	if content.Kind() == rawjson.Array || content.Kind() == rawjson.Object || len(content.Str()) > 0 {
		body := s.l.Emptied(slot, v, "content")
		mb.parts(content, body, s.calls)
	}
	s.storedTwice(mb, msg)
	said := blockRefs(msg, 0, len(mb.m.Blocks))
	if calls := v.Get("toolCalls"); calls.Kind() == rawjson.Array {
		first := s.l.Elems(s.l.Member(slot, v, "toolCalls"), calls)
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
			s.l.Mirror(slot, e.Span(), k.Is("displayContent"), said...)
		}
	}
}

// thoughts reads the summaries of the model's thinking, each with a subject and a
// description.
func (mb *messageBuilder) thoughts(v rawjson.Value, slot int) {
	thoughts := v.Get("thoughts")
	if thoughts.Len() == 0 || thoughts.Kind() != rawjson.Array {
		return
	}
	first := mb.l.Elems(mb.l.Member(slot, v, "thoughts"), thoughts)
	i := 0
	for e := range thoughts.Elems() {
		b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel}
		at := splice.BlockPlace{Slots: []int{first + i}}
		for _, text := range []rawjson.Value{e, e.Get("subject"), e.Get("description")} {
			mb.responseLeaves(onlyString(text), first+i, b, &at, "")
		}
		mb.add(b, at)
		i++
	}
}

// onlyString returns v if it is a string, and an absent value otherwise.
func onlyString(v rawjson.Value) rawjson.Value {
	if v.Kind() != rawjson.String {
		return rawjson.Value{}
	}
	return v
}

// cliUsage reads the tokens of a message. The input includes the cached tokens.
func cliUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := wholeNumbers(v)
	return &transcript.Usage{
		Input: uncached(count("input"), count("cached")), CacheRead: count("cached"), Output: count("output") + count("thoughts"),
	}
}
