package digest

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
)

// section is a part of a digest. They stand in this order.
type section int

const (
	tasks    section = iota // items of the todo list that are not done
	rules                   // what instructions and earlier summaries demand
	files                   // calls about a file, by file
	commands                // calls of a shell, by command
	calls                   // other calls
	said                    // what the model said and thought
	context                 // what clients put in, what earlier summaries said
	sections
)

// heading is the line that opens a section, and closing the one behind it; "" for
// none. In a state, quotations are character data: XML as it is wherever it is read.
func (s section) heading(state bool) string {
	if state {
		return "<" + s.element() + "><![CDATA["
	}
	return [...]string{"### Open tasks", "### Rules", "### Files", "### Commands", "### Other calls", "### Said by the assistant", "### Context"}[s]
}

func (s section) closing(state bool) string {
	if state {
		return "]]></" + s.element() + ">"
	}
	return ""
}

func (s section) element() string {
	return [...]string{"current_plan", "constraints", "file_system_state", "commands_run", "other_calls", "said_by_assistant", "context"}[s]
}

// entry is the part of a digest about one thing: a head, and lines under it.
type entry struct {
	section section
	about   string   // the path, the command; "" for an entry without a head
	did     []string // the tools that were used on it and how that ended, in order
	size    int      // bytes of the head, once all of it is known
	pieces  []int32
	in      bool // the head is there
}

// head is the line that an entry begins with; "" without. It says that the names of
// tools are such, and where a path or a command was cut short, stands apart from that.
func (e *entry) head() string {
	if !e.headed() {
		return ""
	}
	head := "-"
	if cut, short := strings.CutSuffix(e.about, ellipsis); short {
		head += " " + cut + " " + ellipsis
	} else if e.about != "" {
		head += " " + e.about
	}
	if len(e.did) > 0 {
		head += " (" + e.section.does() + strings.Join(e.did, ", ") + ")"
	}
	return head
}

func (e *entry) headed() bool { return e.about != "" || e.section == calls && len(e.did) > 0 }

// does is the text in front of the calls about something.
func (s section) does() string {
	if s == files || s == calls {
		return "calls: "
	}
	return ""
}

// ellipsis ends what is cut short.
const ellipsis = "…"

// piece is a line that may be quoted.
type piece struct {
	entry int32
	text  string
	facts []fact.ID // each once
	extra float64   // value besides them
	cost  float64   // tokens, its line break and indentation included
	close bool      // of a text that closes a turn
	fault bool      // of a result: what went wrong
	kept  bool

	// In a long line: it goes on where the piece before ended, behind such a gap.
	joins bool
	gap   string
}

// collection is all that may be quoted.
type collection struct {
	s       *Source
	entries []*entry
	of      map[string]*entry // by section and what it is about
	number  map[*entry]int32
	pieces  []piece
	facts   []fact.ID // of all pieces
	held    []int8    // by fact: how often it is kept elsewhere, as far as that matters
	closing map[int]bool
	open    []string // items of the todo list
	opened  []string // the same of an earlier digest
	perByte float64  // tokens for each byte of the block at hand
}

func newCollection(s *Source) *collection {
	return &collection{
		s: s, of: map[string]*entry{}, number: map[*entry]int32{},
		held: make([]int8, len(s.Values)), closing: closings(s.Conv),
	}
}

// closings are the messages of the model that close a turn: the last with text
// before a person speaks again, and the last of all.
func closings(c *transcript.Conversation) map[int]bool {
	const none = -1
	of, last := map[int]bool{}, none
	for ref, b := range c.Blocks() {
		switch {
		case b.Kind != transcript.Text:
		case b.Origin == transcript.ByModel:
			last = ref.Msg
		case b.Origin == transcript.Typed && last != none:
			of[last], last = true, none
		}
	}
	if last != none {
		of[last] = true
	}
	return of
}

// stays counts what a block that is kept mentions.
func (c *collection) stays(b *transcript.Block) {
	for i := range b.Parts {
		for _, m := range c.s.Survey.Mentions(&b.Parts[i]) {
			c.held[m.Fact] = min(c.held[m.Fact]+1, 2)
		}
	}
}

// add offers the lines of a block.
func (c *collection) add(ref transcript.Ref, b *transcript.Block) {
	c.perByte = c.s.PerByte(b)
	switch {
	case isEarlier(b):
		c.earlier(ref, b)
	case b.Kind == transcript.ToolCall:
		c.lines(c.call(b), ref, b)
	case b.Kind == transcript.ToolResult:
		c.result(ref, b)
	case b.Kind == transcript.Text && b.Origin == transcript.ByModel, b.Kind == transcript.Thinking:
		c.lines(c.entry(said, fmt.Sprintf("\x00%d", ref.Msg)), ref, b)
	case b.Kind == transcript.Text && b.Origin == transcript.Injected:
		c.demands(b) // what else a client said was of that moment
	case b.Kind == transcript.Text:
		c.demands(b)
		c.lines(c.entry(context, fmt.Sprintf("\x00%d", ref.Msg)), ref, b)
	}
}

// entry returns the entry about something; what begins with a zero byte has no head.
func (c *collection) entry(s section, about string) *entry {
	key := fmt.Sprintf("%d%s", s, about)
	e := c.of[key]
	if e == nil {
		e = &entry{section: s, about: about}
		if strings.HasPrefix(about, "\x00") {
			e.about = ""
		}
		c.of[key] = e
		c.number[e] = int32(len(c.entries))
		c.entries = append(c.entries, e)
	}
	return e
}

// call returns the entry of a call.
func (c *collection) call(b *transcript.Block) *entry {
	about := clean(c.s.Subject(b))
	tool := clean(b.Tool)
	switch {
	case isCommand(b) && about != "":
		return c.entry(commands, about)
	case isPath(about):
		e := c.entry(files, about)
		e.outcome(tool)
		return e
	}
	return c.other(tool, about)
}

// other returns the entry of a call of a tool about something that is no file.
func (c *collection) other(tool, about string) *entry {
	e := c.entry(calls, tool+"\x00"+about)
	e.about = about
	e.outcome(tool)
	return e
}

func isCommand(b *transcript.Block) (is bool) {
	for i := range b.Parts {
		fact.Commands(b, &b.Parts[i], func(int, string, string) { is = true })
	}
	return is
}

// isPath reports whether a text is one word, and a path.
func isPath(text string) bool {
	if strings.ContainsAny(text, " \t") {
		return false
	}
	path := false
	fact.Each(text, func(at int, key string) { path = path || at <= 1 && fact.KindOf(text, at, key) == fact.Path })
	return path
}

// result offers the lines of a result under its call, with how it ended.
func (c *collection) result(ref transcript.Ref, b *transcript.Block) {
	e := c.other(clean(b.Tool), "")
	if p, ok := c.s.Conv.Partner(ref); ok {
		e = c.call(c.s.Conv.Block(p))
	}
	switch {
	case b.Error:
		e.outcome(failed)
	case e.last() == failed:
		e.outcome(passed)
	}
	c.lines(e, ref, b)
}

// demands offers the sentences that say what must be, each once.
func (c *collection) demands(b *transcript.Block) {
	e := c.entry(rules, "\x00")
	fact.Constraints(b.Text(), func(_ int, sentence string) {
		if sentence = clean(sentence); sentence != "" {
			c.pieces = append(c.pieces, piece{entry: c.number[e], text: sentence, cost: c.cost(sentence)})
			e.pieces = append(e.pieces, int32(len(c.pieces)-1))
		}
	})
}

// tasks notes the items of the newest todo list that are not done, when the call
// that set it goes; those of an earlier digest when there is no newer list.
func (c *collection) tasks() {
	c.open = c.opened
	goes := false
	for ref, b := range c.s.Conv.Blocks() {
		if fact.IsTodoList(b) {
			c.open, goes = nil, c.s.Gone[ref]
		}
	}
	if goes {
		c.open = fact.OpenTodos(c.s.Conv)
	}
}

// cost estimates the tokens of a line, its indentation and break included.
func (c *collection) cost(line string) float64 { return float64(float64(len(line)+2) * c.perByte) }

// The outcomes of a call. passed is listed only for a command that failed before; another
// call that succeeds has the name of its tool.
const (
	failed = "failed"
	passed = "then it passed"
)

// maxDid is the number of tools and outcomes in a head.
const maxDid = 4

// outcome adds the tool or the outcome of a call, once in a row. It drops the oldest
// beyond the limit: the last has to be right.
func (e *entry) outcome(did string) {
	if did == "" || e.last() == did {
		return
	}
	if len(e.did) == maxDid {
		e.forget()
	}
	e.did = append(e.did, did)
}

// forget takes out the oldest tool and its failure; of a command, the oldest failure
// and what resolved it.
func (e *entry) forget() {
	to := 2
	if e.section != commands && e.did[1] != failed {
		to = 1
	}
	e.did = slices.Delete(e.did, 0, to)
}

// last is the newest outcome, "" without.
func (e *entry) last() string {
	if len(e.did) == 0 {
		return ""
	}
	return e.did[len(e.did)-1]
}
