package chronicle

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// Story is a conversation as text, for a summary.
type Story struct {
	Passages []Passage // in the order of the conversation; no two Told or Instructing ones are adjacent
	Root     string    // the folder of the relative paths in records, with a slash at its end; "" if no path is relative to it
}

// Passage is a text that a person typed, a text that instructs the model, or the text for
// everything else up to the next one.
type Passage struct {
	By   Voice
	Text string // of a typed passage: the whole text of a block
}

// Voice is the author of a passage.
type Voice uint8

// The voices.
const (
	Told        Voice = iota // the model, its tools, and a client that does not instruct it
	Typed                    // a person
	Instructing              // a client, with instructions of the user, the project or the system
)

// Fence is the shortest line around a Told passage in a summary.
const Fence = "~~~"

// Lines of summaries. In a Told passage, ClientLine is above text of a client, and ModelLine
// above text of the model that follows it. The others are for the caller. A line of the
// conversation that equals one of them, or begins with Heading or an element of a state, is
// indented. So is a line of an Instructing passage that begins with Fence.
const (
	UserLine   = "User:"
	ClientLine = "Client:"
	ModelLine  = "Assistant:"
	TasksLine  = "### Open tasks"
	RulesLine  = "### Rules"
	Heading    = "## Conversation Summary"
)

// Story returns the conversation as text of at most the tokens of the budget, or as few as the
// rules of this package allow. No call stays a call: records describe all of them. Media and
// thinking are left out. The function count returns the tokens of a story as the caller
// writes it. root is the root of an earlier story whose records the conversation holds,
// or "".
func (s *Source) Story(root string, count func(Story) int) Story {
	d := newDraft(s)
	d.textOnly = true
	clear(d.open)
	if root != "" {
		d.paths.root, d.rooted = root, true
	}
	d.paths.bare = d.rooted || !d.paths.relative
	d.layOut()
	c := newChoice(d)
	c.keepStaying()
	var story Story
	c.meet(func() int {
		story = c.story()
		return count(story)
	})
	return story
}

// keepStaying counts the facts of the messages that stay beside the story as kept.
func (c *choice) keepStaying() {
	for ref, b := range c.Conv.Blocks() {
		if !c.Stays[ref.Msg] {
			continue
		}
		for i := range b.Parts {
			var facts []fact.ID
			for _, m := range c.Survey.Mentions(&b.Parts[i]) {
				facts = append(facts, m.Fact)
			}
			slices.Sort(facts)
			c.marginal.Keep(slices.Compact(facts))
		}
	}
}

// clientRules keeps short instructions of clients that hold constraints, unless earlier ones
// hold them, too.
func (c *choice) clientRules(left float64) {
	ruled := map[string]bool{}
	for k := range c.wholes {
		w := &c.wholes[k]
		if !c.instructs(w.ref.Msg, w.block) {
			continue
		}
		demands := false
		fact.Constraints(w.block.Text(), func(_ int, sentence string) {
			demands = demands || !ruled[sentence]
			ruled[sentence] = true
		})
		if demands {
			spent, _ := c.takeItem(w.item, left)
			left -= spent
		}
	}
}

// teller writes the passages of a choice.
type teller struct {
	*writer
	story    Story
	segments []segment
	client   bool // the last segment is text of a client
}

// story writes the current choice.
func (c *choice) story() Story {
	w := &writer{choice: c, names: c.paths.unnamed(), last: c.lastChanges(), unedited: c.uneditedBehind()}
	t := teller{writer: w}
	for i := range c.seq {
		t.element(&c.seq[i])
	}
	t.close()
	if w.names.bare && (w.names.used || c.rooted) {
		t.story.Root = w.names.root
	}
	return t.story
}

// element adds an element to the current passage, or a passage for a typed text.
func (t *teller) element(e *element) {
	switch e.kind {
	case proseElement:
		if x := &t.texts[e.at]; x.count > 0 {
			t.say(false, t.render(x))
		}
	case thoughtElement:
		if t.texts[e.at].count > 0 {
			t.pending = append(t.pending, *e)
		}
	case stepElement, oldElement:
		t.pending = append(t.pending, *e)
	case wholeElement:
		if w := &t.wholes[e.at]; w.kept {
			t.quote(int(e.msg), w.block, w.block.Text())
		}
	case frameElement:
		switch x := &t.texts[e.at]; {
		case x.removed() || x.count == 0:
		case x.block.Origin == transcript.Typed:
			t.typed(t.render(x))
		default:
			t.quote(int(e.msg), x.block, t.render(x))
		}
	case stayElement:
		if b := t.Conv.Block(e.ref()); b.Origin == transcript.Typed {
			t.typed(b.Text())
		} else {
			t.quote(int(e.msg), b, b.Text())
		}
	}
}

// quote adds a text of a client: to the current passage, or to one that instructs.
func (t *teller) quote(msg int, b *transcript.Block, text string) {
	if !t.instructs(msg, b) {
		t.say(true, text)
		return
	}
	t.close()
	if strings.TrimSpace(text) == "" {
		return
	}
	text = ofInstructions.ReplaceAllString(indented(text), " $0")
	if last := len(t.story.Passages) - 1; last >= 0 && t.story.Passages[last].By == Instructing {
		t.story.Passages[last].Text += "\n\n" + text
		return
	}
	t.story.Passages = append(t.story.Passages, Passage{Instructing, strings.Trim(text, "\n")})
}

// ofInstructions matches the start of a line that looks like a fence.
var ofInstructions = lazyregexp.New(`(?m)^` + Fence)

// instructs reports whether a text of a client instructs the model.
func (d *draft) instructs(msg int, b *transcript.Block) bool {
	return d.Instructs[b] || fact.Instructs(d.Conv.Message(msg).Role, b)
}

// say adds text of the model or of a client to the current passage.
func (t *teller) say(client bool, text string) {
	t.note()
	text = indented(text)
	if client != t.client {
		t.client = client
		text = speakerLine(client) + "\n" + strings.TrimLeft(text, "\n")
	}
	t.segments = append(t.segments, segment{text: text})
}

// indented returns a text in which no line looks like a line of a summary.
func indented(text string) string { return ofSummary.ReplaceAllString(text, " $0") }

// ofSummary matches a line that looks like a label or a heading of a summary, or the start of
// one that looks like an element of a state in XML.
var ofSummary = lazyregexp.New(`(?m)^(?:(?:User(?:, [\d,]+ lines?)?:|Client:|Assistant:|### Open tasks|### Rules)\s*$|## Conversation Summary|</?(?:state_snapshot|notice|history|answer|instructions|paths|notes|current_plan|constraints)>)`)

func speakerLine(client bool) string {
	if client {
		return ClientLine
	}
	return ModelLine
}

// note adds the record of the pending elements to the current passage.
func (t *teller) note() {
	if len(t.pending) > 0 {
		t.segments = append(t.segments, segment{t.record(""), true})
		t.pending = t.pending[:0]
	}
}

// typed ends the current passage, and adds one for a typed text.
func (t *teller) typed(text string) {
	t.close()
	if strings.TrimSpace(text) != "" {
		t.story.Passages = append(t.story.Passages, Passage{Typed, text})
	}
}

// close ends the current passage.
func (t *teller) close() {
	t.note()
	if text := joined(t.segments); strings.TrimSpace(text) != "" {
		t.story.Passages = append(t.story.Passages, Passage{Told, strings.Trim(text, "\n")})
	}
	t.segments, t.client = t.segments[:0], false
}
