package strategy

import (
	"slices"
	"strings"

	"condense/strategy/chronicle"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// history is the part of a conversation that a summary stands for.
type history struct {
	messages  []*transcript.Message
	stays     map[int]bool               // by index in messages: those that stay beside the summary
	seen      map[string]bool            // texts so far, of which a client's repetition is left out
	instructs map[*transcript.Block]bool // texts that an earlier summary quotes as instructions
	finale                               // of the earlier summaries
	root      string                     // of the paths in records of a summary
}

// historyOf returns the conversation with the gone blocks apart from those that stay. Of the
// gone blocks, thinking and media are left out. Earlier summaries of this program are taken
// apart into the messages that they quote. A text that only looks like one is a single text.
func historyOf(in *Input, gone map[transcript.Ref]bool) *history {
	h := &history{stays: map[int]bool{}, seen: map[string]bool{}, instructs: map[*transcript.Block]bool{}}
	last, answered := lastAnswer(in.Conv)
	for m := range in.Conv.Visible() {
		kept := messageAt(m)
		quoting := m.Marked && isSummary(m)
		flush := func() {
			if len(kept.Blocks) > 0 {
				h.messages = append(h.messages, kept)
			}
			kept = messageAt(m)
		}
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			switch {
			case !gone[ref], answered && ref == last && !in.Opts.UnpinLast:
				flush()
				h.stays[len(h.messages)] = true
				h.messages = append(h.messages, messageAt(m, pinnedAs(b, transcript.Verbatim)))
			case b.Text() == acknowledgement:
			case isEarlier(b) && m.Marked:
				flush()
				h.summary(b.Text(), in.Opts.UnpinUser)
			case isEarlier(b):
				flush()
				h.said(byModel, unframed(b.Text()))
			case quoting && b.Kind == transcript.Text && b.Origin == transcript.Generated:
				flush() // some formats decode all blocks of a summary as generated
				h.add(transcript.User, transcript.Typed, b.Text(), in.Opts.UnpinUser)
			case b.Kind == transcript.Text && strings.TrimSpace(b.Text()) != "" && !h.repeats(b.Origin, b.Text()):
				kept.Blocks = append(kept.Blocks, plainText(b.Text(), b.Origin, in.Opts.UnpinUser))
			case b.Kind == transcript.ToolCall, b.Kind == transcript.ToolResult:
				kept.Blocks = append(kept.Blocks, pinnedAs(b, transcript.Unpinned))
			}
		}
		flush()
	}
	return h
}

// pinnedAs returns a copy of a block with another pin.
func pinnedAs(b *transcript.Block, pin transcript.Pin) *transcript.Block {
	copied := *b
	copied.Pin = pin
	return &copied
}

// isEarlier reports whether a block looks like one of a summary of an earlier run. Typed text,
// and text of a tool, a client or the model, never does. Only in a marked message is it taken
// apart, so that nobody else can plant requests, tasks and rules.
func isEarlier(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Generated && isSummaryText(b.Text())
}

// mayReplace reports whether a summary may take the place of a block of an earlier one. It may
// not where the earlier message is not marked and holds typed text in generated blocks, which
// nobody can tell from planted text.
func mayReplace(m *transcript.Message, b *transcript.Block) bool {
	return isEarlier(b) && (m.Marked || !slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool {
		return b.Kind == transcript.Text && b.Origin == transcript.Generated && (!isEarlier(b) || holdsTyped(b.Text()))
	}))
}

// plainText returns a block of a text. Typed text stays whole unless it is free.
func plainText(text string, by transcript.Origin, free bool) *transcript.Block {
	b := &transcript.Block{Parts: []transcript.Part{{Text: text}}, Origin: by}
	if by == transcript.Typed && !free {
		b.Pin = transcript.Verbatim
	}
	return b
}

// repeats reports whether a text of the client equals an earlier text, and remembers it.
func (h *history) repeats(by transcript.Origin, text string) bool {
	text = strings.TrimSpace(text)
	again := by == transcript.Injected && h.seen[text]
	h.seen[text] = true
	return again
}

// add adds a message of one text, unless a client repeats it, and returns the block.
func (h *history) add(role transcript.Role, by transcript.Origin, text string, free bool) *transcript.Block {
	b := plainText(text, by, free)
	if !h.repeats(by, text) {
		h.messages = append(h.messages, &transcript.Message{Role: role, Blocks: []*transcript.Block{b}})
	}
	return b
}

// summary adds the messages that a block of an earlier summary quotes. Typed text stays whole
// unless it is free.
func (h *history) summary(text string, free bool) {
	s := readSummary(text)
	for _, p := range s.spoken {
		if p.by == byUser {
			h.add(transcript.User, transcript.Typed, p.text, free)
			continue
		}
		at := 0
		for from, to := range transcript.Records(p.text) {
			h.said(p.by, p.text[at:from])
			h.said(byModel, p.text[from:to])
			at = to
		}
		h.said(p.by, p.text[at:])
	}
	if s.root != "" {
		h.root = s.root
	}
	h.tasks = append(h.tasks, s.tasks...)
	h.rules = append(h.rules, s.rules...)
}

// said adds a text of the model or of a client, unless it is blank.
func (h *history) said(by speaker, text string) {
	switch text = strings.Trim(text, "\n"); {
	case strings.TrimSpace(text) == "":
	case by == byClient:
		h.add(transcript.User, transcript.Injected, text, false)
	case by == byInstructor:
		h.instructs[h.add(transcript.User, transcript.Injected, text, false)] = true
	default:
		h.add(transcript.Assistant, transcript.ByModel, text, false)
	}
}

// openTasks returns the open items of the newest todo list, if the call that set it is gone,
// and those of an earlier summary if there is no newer list.
func (h *history) openTasks(in *Input, gone map[transcript.Ref]bool) []string {
	tasks, goes := h.tasks, false
	for ref, b := range in.Conv.Blocks() {
		if fact.IsTodoList(b) {
			tasks, goes = nil, gone[ref]
		}
	}
	if goes {
		return fact.OpenTodos(in.Conv)
	}
	return tasks
}

// story returns the blocks of a summary without a model. Together they have at most tokens
// tokens, or as few as the typed text and its answers need. The result is nil when the
// summary would have no generated text.
func (in *Input) story(gone map[transcript.Ref]bool, tokens int) []*transcript.Block {
	h := historyOf(in, gone)
	c := transcript.New(in.Conv.ID, h.messages)
	survey := fact.Of(c)
	end, state := finale{h.openTasks(in, gone), h.rules}, in.Opts.Layout == LayoutFork
	s := chronicle.Source{
		Conv: c, Stays: h.stays, Instructs: h.instructs, Unpinned: in.Opts.UnpinUser, Tags: in.Opts.actingTags(), Budget: tokens, Tokens: in.Tokens, Survey: survey, Value: factValues(survey),
		Hint: func(ref transcript.Ref, b *transcript.Block, part int) squeeze.Hint { return hint(c, ref, b, part) },
		Held: func(b *transcript.Block, text *squeeze.Text) []int { return held(in.Opts, b, text) },
	}
	best := s.Story(h.root, func(try chronicle.Story) (n int) {
		for _, b := range storyBlocks(try, end, state) {
			n += in.Tokens(b)
		}
		return n
	})
	return storyBlocks(best, end, state)
}

func (in *Input) textTokens(text string) int {
	return in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// messageAt returns a message of the role and the time of another one.
func messageAt(m *transcript.Message, blocks ...*transcript.Block) *transcript.Message {
	other := &transcript.Message{Role: m.Role, Blocks: blocks}
	other.SetTime(m.Time())
	return other
}
