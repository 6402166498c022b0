package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// form is the kind of a text.
type form uint8

const (
	prose   form = iota // text of the model
	result              // output of a tool
	hunks               // text that a call wrote or edited
	frame               // instructions, and long injected text
	thought             // readable thinking, which records quote
)

// text is a text that can be shortened. A conversation can have one for every few bytes, so it is small.
type text struct {
	form    form
	dirty   bool   // short is out of date
	closing bool   // it is the closing answer of a turn
	last    bool   // it belongs to the last turn
	mustOne bool   // one group or piece of it always stays
	inProse bool   // a call is written in the same text
	fixed   bool   // it is too short for cutting
	file    bool   // the call writes it to a file
	typed   bool   // a person typed it, and it may be removed
	sign    string // in front of quoted lines: + for the new side of an edit, - for what it removed
	helps   bool   // it is the help text of a command
	config  bool   // the call writes it to a file of settings
	edited  bool   // it is the result of a call that changes a file
	due     bool   // it is the result of a call that findDue returns

	msg, within int32 // Ref.Msg and Ref.Part of the block, or of one part of it
	part        int32
	from, to    int32   // byte range in the text of the part
	step        int32   // index in steps of the step that it belongs to; -1 for none
	age         int32   // visible messages after its message
	head        int32   // bytes of the client's header in front of an output
	turn        int32   // of a result
	count       int32   // kept groups and pieces
	taken       float32 // their tokens
	begin, end  int     // indices of its items: one for each group, then those of single pieces
	block       *transcript.Block
	cut         *squeeze.Text
	starts      []int     // by group: the index of its first piece
	kept        []bool    // by piece
	tones       []float64 // by piece: its tone, 0 while it is not known
	perByte     float64   // tokens
	short       string    // the text with its kept pieces
	seldom      *seldom   // nil where no field of it is set
}

// seldom is what only few texts have.
type seldom struct {
	drafts  []bool    // by piece of a thought: whether it is code; see markDrafts
	pending bool      // the code is newer than each change of a file
	old     bool      // it is a checklist, and a newer one stands in the conversation
	held    []int     // pieces that the user protects
	shown   []bool    // by piece: whether calls or results have it, too; see markShown and markOwn; nil for none
	noise   []bool    // by piece: whether it is a marker, or an addition of the client; nil for none
	repeats []bool    // by piece: see repeated; nil for none
	demands []int     // pieces that hold a constraint
	stale   []bool    // by piece of a typed text: whether a later statement replaces it
	hits    []hit     // words of requests
	named   []float32 // by piece: the value of a line that a request or the open plan names, or 0; nil for none
	turns   []bool    // by piece: see isTurn; nil for none
	asked   []bool    // by piece: whether it belongs to what the last request is about; see askedRegions
	tiny    bool      // it is a side of an edit, or a patch, that adds and removes no more than mostTiny bytes
	dead    []bool    // by piece of a result: whether the line is no longer in its file; nil for none
}

// seldoms returns the seldom data of a text, to be set.
func (t *text) seldoms() *seldom {
	if t.seldom == nil {
		t.seldom = &seldom{}
	}
	return t.seldom
}

// ref returns the address of the block, or of one part of it.
func (t *text) ref() transcript.Ref {
	return transcript.Ref{Msg: int(t.msg), Block: t.block.ID, Part: int(t.within)}
}

func (t *text) held() []int {
	if t.seldom == nil {
		return nil
	}
	return t.seldom.held
}

func (t *text) demands() []int {
	if t.seldom == nil {
		return nil
	}
	return t.seldom.demands
}

func (t *text) hits() []hit {
	if t.seldom == nil {
		return nil
	}
	return t.seldom.hits
}

// step is the smallest run of calls and results that is kept or recorded as a whole: a
// call with its result, or all unpaired calls and results of a unit.
type step struct {
	calls, results []transcript.Ref
	texts          []int // indices in texts: results, then hunks
	must           bool  // its call always stays
	real           bool  // its call is kept
	entry          entry // describes it in a record
	kind           fact.ToolKind
	label          bool    // its line of a record is kept
	writes         bool    // it is of the last turn, and may have written to files
	changes        bool    // it changed something, reports the state of the work, or failed
	complete       bool    // its line of a record holds its whole output
	superseded     bool    // a later step sets the same state
	retried        bool    // a later command repeats its command with changes
	adds           bool    // it added that task
	open           bool    // that task is not closed
	checks         string  // what it tests, builds or examines; see checksIn
	passes         bool    // it is a check that passed
	passed         *step   // the later run of its checks, which passed; nil for none
	long           bool    // its arguments exceed longArgs: kept lines of its result do not keep the call
	args           int     // tokens of the calls
	rest           float64 // tokens of its results that cannot be shortened, and of markers
	labelTokens    float64 // tokens of its line of a record
	quotes         int     // number of kept quotes
	turn           int
	msg            int          // ID of the message of its first call
	prose          bool         // a call is written in the text of its message
	special        *specialStep // nil where no field of it is set
	item           int          // index of its two items: the call, then the line of a record
}

// specialStep is what only few steps have.
type specialStep struct {
	media         []int   // indices in wholes: images in its results
	before, after []int   // indices in olds: records of an earlier run in its result
	failed        []*step // earlier runs of its checks, if it passed
	task          string  // the number of the task that it added to a list, or whose state it sets; "" for none
}

// failed reports whether the outcome of a step is a failure.
func (s *step) failed() bool { return strings.HasPrefix(s.entry.outcome, " failed") }

// refused reports whether the user did not allow a call: that is a decision.
func (s *step) refused() bool { return s.failed() && strings.Contains(s.entry.outcome, rejected) }

// specials returns the special data of a step, to be set.
func (s *step) specials() *specialStep {
	if s.special == nil {
		s.special = &specialStep{}
	}
	return s.special
}

// also returns a copy of the special data of a step.
func (s *step) also() specialStep {
	if s.special == nil {
		return specialStep{}
	}
	return *s.special
}

// whole is a block, or an image in a result, that is kept or removed as a whole.
type whole struct {
	ref    transcript.Ref
	block  *transcript.Block
	tokens int
	item   int
	kept   bool
	needs  int    // index in steps of the step whose call it needs; -1 for none
	marker string // replaces it when it is not kept; "" to drop it
	unit   int
}

// elementKind is the kind of an element.
type elementKind uint8

const (
	proseElement elementKind = iota
	stepElement
	oldElement
	wholeElement
	thoughtElement
	frameElement // instructions, and long injected text
	stayElement  // a block that stays unchanged; a record is not moved past it
	briefElement // a short closing answer that stays whole; see isBrief
)

// element is a text, a step, a record or a block, in the order of the conversation.
type element struct {
	kind  elementKind
	model bool  // its message is the model's
	at    int32 // index in texts, steps, olds or wholes
	msg   int32 // ID of the message
	block int32 // ID of the block
	unit  int32
}

// ref returns the address of the block.
func (e *element) ref() transcript.Ref {
	return transcript.Ref{Msg: int(e.msg), Block: int(e.block), Part: transcript.Whole}
}

// draft is the conversation as a list of elements, with the data that the choice needs.
type draft struct {
	*Source
	seq        []element
	texts      []text
	steps      []step
	wholes     []whole
	olds       []oldRecord
	inside     []bool              // by message ID: whether it lies between a call and its result
	base       int                 // tokens of everything that cannot be shortened
	staying    []*transcript.Block // blocks that stay unchanged
	total      int                 // tokens of the effective view
	gap        float64             // tokens of a marker for omitted lines
	framing    bool                // instructions may be shortened
	ruled      map[string]bool     // constraints that an earlier text held
	lastTurn   int
	stepOf     perBlock
	unitOf     []int32        // by message ID
	units      int            // number of units
	open       []bool         // by message ID: whether its unit is open
	visible    int            // number of visible messages
	ages       []int32        // by message ID: the number of visible messages after it
	turns      []int32        // by message ID
	worded     []bool         // by turn: whether it has text of the model
	closing    perMessage     // the closing answers of turns
	disputed   perMessage     // those to which the user did not agree
	replied    perMessage     // those to which the user replied with a text that is understood alone
	chosen     map[int]string // by message ID: numbers of options that the reply to a closing answer names
	commands   fewBlocks      // names of commands that the model answered
	orders     fewBlocks      // what the client made of such a command of the last turn
	paths      *pathNames
	firstRead  []int32                        // see findFirstRead; nil until it is needed
	tasks      map[string]string              // by number: how records name the tasks that the conversation added
	dead       map[*transcript.Part]deadLines // see deadOf
	reads      map[*transcript.Block]string   // see ChangedLater
	changed    map[transcript.Ref][]string
	due        map[*transcript.Block]bool        // see findDue
	dueLines   map[*transcript.Block][]lineRange // see linesDue
	plan       openPlan                          // see planNames
	about      map[uint64]bool                   // see subjects
	asked      requests
	freeTyped  bool // some typed text may be removed, and so may the answers to it
	losesTyped bool // the budget cannot hold that text
	statements []statement
	proseCalls bool    // some calls are written in the text of their message
	textOnly   bool    // the result is a text: no call stays a call
	heavy      bool    // the conversation ends with results whose calls need not stay, because they are too long
	rooted     bool    // the caller named the root of the paths in records
	briefs     int     // number of brief answers; -1 if texts are never brief
	briefSize  float64 // tokens of these
	telling    []brief // those with facts
}

// newDraft returns a draft without elements.
func newDraft(s *Source) *draft {
	ids := 0
	for _, m := range s.Conv.Messages {
		ids = max(ids, m.ID+1)
	}
	d := &draft{
		Source: s, ruled: map[string]bool{}, chosen: map[int]string{}, tasks: map[string]string{}, commands: fewBlocks{}, orders: fewBlocks{},
		briefs: -1, unitOf: make([]int32, ids), open: make([]bool, ids), inside: make([]bool, ids),
	}
	d.gap = float64(s.textTokens("[12 lines omitted]\n"))
	d.survey()
	d.framing = d.shortensFrame()
	d.freeTyped, d.losesTyped = d.judgeTyped()
	d.paths = namePaths(s.Conv)
	d.dead = deadOf(s.Conv)
	d.reads, d.changed = ChangedLater(s.Conv)
	d.asked = d.requested()
	d.due = d.findDue()
	d.dueLines = d.linesDue()
	d.plan, d.about = d.planNames(), d.subjects()
	return d
}

// forget releases the data that only newChoice needs. Together they are as large as the items.
func (d *draft) forget() {
	d.Survey, d.dead, d.firstRead, d.asked = nil, nil, nil, requests{}
}

// textTokens returns the tokens of a block of that text.
func (s *Source) textTokens(text string) int {
	return s.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// survey finds the units, the turns and their closing answers.
func (d *draft) survey() {
	d.surveyUnits()
	d.surveyTurns()
	for m := range d.Conv.Visible() {
		d.ages[m.ID] = int32(d.visible-1) - d.ages[m.ID]
	}
	d.findCommands()
}

// surveyUnits finds the unit of each message, and the messages between a call and its result.
func (d *draft) surveyUnits() {
	end := 0 // of the messages in earlier rounds: parallel calls overlap
	for i, u := range d.Conv.Units() {
		d.units = i + 1
		for _, id := range u.Msgs {
			d.unitOf[id] = int32(i)
			d.open[id] = u.Open
		}
		if u.Kind == transcript.ToolRound {
			first, last := d.Conv.Position(u.Msgs[0]), d.Conv.Position(u.Msgs[len(u.Msgs)-1])
			for _, m := range d.Conv.Messages[max(first+1, end):max(last+1, end)] {
				d.inside[m.ID] = true
			}
			end = max(end, last+1)
		}
	}
}

// surveyTurns finds the turn of each message, and the closing answers: the last text of the model in front of what
// the user typed, in front of a command that the model answered, and in front of the summary of a client.
func (d *draft) surveyTurns() {
	n, turn, ids := 0, 0, len(d.unitOf)
	d.ages, d.turns, d.closing, d.replied = make([]int32, ids), make([]int32, ids), make(perMessage, ids), make(perMessage, ids)
	d.disputed = make(perMessage, ids)
	d.worded = append(d.worded, false)
	var closing, before *transcript.Ref // the last text of the model, and that in front of a command
	ends := func(at *transcript.Ref) {
		if at != nil {
			d.closing.add(*at)
		}
	}
	for m := range d.Conv.Visible() {
		d.ages[m.ID] = int32(n)
		n++
		if m.Role == transcript.Assistant { // it answers the command
			ends(before)
			before = nil
		}
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			isText := b.Kind == transcript.Text && strings.TrimSpace(b.Text()) != ""
			switch {
			case isText && b.Origin == transcript.Typed && m.Role == transcript.User:
				ends(closing)
				if closing != nil {
					chosen := chosenIn(b.Text())
					if chosen != "" {
						d.chosen[closing.Msg] = chosen
					}
					if standsAlone(b.Text()) && chosen != everyOption {
						d.replied.add(*closing)
					}
					if disputes.MatchString(b.Text()) {
						d.disputed.add(*closing)
					}
				}
				closing = nil
				turn++
				d.worded = append(d.worded, false)
			case isText && m.Role == transcript.User && b.Origin == transcript.Generated: // a client's summary
				ends(closing)
				closing = nil
			case isText && m.Role == transcript.User && b.Origin == transcript.Injected && fact.NamesCommand(b):
				before = closing
			case isText && m.Role == transcript.Assistant && (saysMore(b.Text()) || closing == nil && subject.OnlyMarker(b.Text())):
				closing = &ref // the marker is of a text that stands elsewhere, too
				d.worded[turn] = true
			}
		}
		d.turns[m.ID] = int32(turn)
	}
	ends(closing)
	d.visible, d.lastTurn = n, turn
}

// option matches the number or the letter of an option at the beginning of a reply: "2", "B, but without the cache".
var option = lazyregexp.New(`(?i)\A\s*(?:options? |#)?([1-9a-e])(?:(?:,| and| \+)\s*([1-9a-e]))?(?:\z|[\s.,:;)!])`)

// disputes matches the beginning of a reply that does not agree to the answer before it.
var disputes = lazyregexp.New(`(?i)\A\s*(?:but\b|no(?:pe)?[,.! ]|why (?:not\b|(?:are|do|did|is|does|was|would)(?:n'?t| not)\b)|instead\b|actually\b|wait\b|don'?t\b|that'?s (?:not|wrong)|i (?:don'?t|didn'?t) (?:\w+ ){0,2}(?:want|like|think|ask)|revert|undo)`)

// everyOption stands for all options of an answer.
const everyOption = "*"

// longConsent is the number of words from which on a reply says more than that it agrees to an answer.
const longConsent = 20

// consents matches words by which a reply agrees to all that an answer proposes.
var consents = lazyregexp.New(`(?i)\ball (?:of )?(?:these|those|them|it|the above|this|that|two|three|four|five|six|seven|\d+)\b|\b(?:do|fix|implement|add|apply) (?:them|these|those|both|all|everything)\b|` +
	`\A\s*(?:yes|yep|yeah|sure|ok(?:ay)?|go(?: ahead| for it)?|do it|please do|sounds good|lgtm|proceed|approved|let's (?:do it|go))\s*(?:[.,!]|\z)`)

// chosenIn returns the options that a reply names at its beginning, everyOption if it agrees to all, or "".
func chosenIn(reply string) string {
	if m := option.FindStringSubmatch(reply); m != nil {
		return strings.ToUpper(m[1] + m[2])
	}
	if len(strings.Fields(reply)) < longConsent && consents.MatchString(reply) {
		return everyOption
	}
	return ""
}

// findCommands finds the commands of the client that the model answered: they are requests. A command that the
// client carries out by itself is followed by the output.
func (d *draft) findCommands() {
	var command *transcript.Ref
	for m := range d.Conv.Visible() {
		if m.Role == transcript.Assistant && command != nil {
			d.commands.add(*command)
			command = nil
		}
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			switch {
			case m.Role != transcript.User || b.Kind != transcript.Text || b.Origin != transcript.Injected:
			case fact.NamesCommand(b):
				command = &ref
			case command != nil && strings.HasPrefix(strings.TrimSpace(b.Text()), "<local-command"):
				command = nil
			case command != nil && int(d.turns[m.ID]) == d.lastTurn && !fact.Instructs(m.Role, b):
				d.orders.add(ref)
			}
		}
	}
}

// shortReply is the largest number of words of a reply that makes no sense without the
// question before it, such as "yes, the second one".
const shortReply = 6

// standsAlone reports whether a reply is understood without the question before it: it is long,
// or asks something itself.
func standsAlone(reply string) bool {
	words := strings.Fields(strings.ToLower(reply))
	return len(words) > shortReply || len(words) > 1 && interrogatives[words[0]]
}

// interrogatives are words with which a question begins, and no order such as "do it".
var interrogatives = map[string]bool{
	"what": true, "what's": true, "how": true, "why": true, "where": true, "when": true, "who": true, "which": true, "is": true, "are": true, "does": true, "did": true,
	"was": true, "wo": true, "wie": true, "warum": true, "qué": true, "cómo": true, "pourquoi": true,
}

// saysMore reports whether a text of the model holds anything but records and markers.
func saysMore(text string) bool {
	for line := range strings.Lines(transcript.WithoutRecords(text)) {
		if line = strings.TrimSpace(line); line != "" && !transcript.IsMarker(line) {
			return true
		}
	}
	return false
}

// framingShare limits unshortened instructions: they stay whole up to this share of the
// budget that remains after the tokens of all blocks that stay unchanged.
const framingShare = 0.5

// leastRest is the least remaining share of the budget that framingShare counts with, so that short instructions
// stay whole where typed text alone exceeds the budget.
const leastRest = 0.1

// shortensFrame reports whether the instructions exceed framingShare. If they do, they exceed it with every
// smaller budget as well.
func (d *draft) shortensFrame() bool {
	instructions, rest := 0, d.Budget
	for ref, b := range d.Conv.Blocks() {
		m := d.Conv.Message(ref.Msg)
		switch {
		case stays(b), d.open[m.ID] && b.Kind != transcript.ToolResult:
			rest -= d.Tokens(b)
		case m.Role == transcript.System:
			instructions += d.Tokens(b)
		}
	}
	return float64(instructions) > framingShare*max(float64(rest), leastRest*float64(d.Budget))
}

// stays reports whether a block stays unchanged, whatever the budget.
func stays(b *transcript.Block) bool {
	undivided := b.Kind == transcript.Thinking || b.Fixed
	return b.Pin == transcript.Verbatim || b.Pin == transcript.Present && (undivided || b.Origin == transcript.Generated)
}
