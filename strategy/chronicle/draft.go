package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// form is what a text is.
type form uint8

const (
	prose  form = iota // of the model
	result             // what a tool returned
	hunks              // what a call wrote or edited
	frame              // instructions, and long injected text
)

// text is a text that may be shortened.
type text struct {
	form     form
	ref      transcript.Ref // the block, or one part of it
	block    *transcript.Block
	part     int
	from, to int // bytes of the part
	cut      *squeeze.Text
	starts   []int // first pieces of the groups
	step     int   // whose result or argument it is; -1 without
	closing  bool  // it ends a turn
	last     bool  // of the turn that is open
	mustOne  bool  // one group or piece of it always stays
	inProse  bool  // a call is written in the same text
	fixed    bool  // too short to be shortened
	signed   bool  // quoted lines are the new side of an edit
	age      int
	held     []int  // pieces that the user protects
	head     int    // bytes that the client put in front of an output
	noise    []bool // by piece: markers, and what the client adds to the result; nil for none
	perByte  float64
	demands  []int // pieces that say what must be or must not be

	hits []hit // words of requests
	turn int

	begin int // first item: one for each group, then one for each piece
	kept  []bool
	count int    // groups and pieces kept
	dirty bool   // short has to be written again
	short string // the text as it is kept
}

// step is what is kept or recorded together: a call with its result, or all calls and
// results of a unit that the file does not pair.
type step struct {
	calls, results []transcript.Ref
	texts          []int // results, then hunks
	media          []int // images in its results: indices in wholes
	must           bool  // it stays as it is
	real           bool
	entry          entry
	kind           fact.ToolKind
	label          bool // its line is kept
	changes        bool // it changed something, says how the work stands, or failed
	complete       bool // its line holds all that it returned
	superseded     bool // a later step sets the same again
	long           bool // its arguments take more than a few lines: its result is quoted without it
	args           int  // tokens of the calls
	rest           float64
	labelTokens    float64
	quotes         int // kept quotes
	turn           int
	msg            int   // of the first call
	prose          bool  // a call is written in the text of its message
	item           int   // its two items: the real call, then the label
	before, after  []int // records in its result, from an earlier run: indices in olds
}

// whole is a block that stays or goes as one.
type whole struct {
	ref    transcript.Ref
	block  *transcript.Block
	tokens int
	item   int
	kept   bool
	needs  int    // index in draft.seq behind which something of the model has to stay; -1 for nothing
	marker string // what stands in its place; "" for nothing
	unit   int
}

type elementKind uint8

const (
	proseElement elementKind = iota
	stepElement
	oldElement
	wholeElement
	frameElement // instructions, and long injected text
	stayElement  // something that stays: a border where it is not the model's
)

// element is one thing in the order of the conversation.
type element struct {
	kind  elementKind
	at    int // index in texts, steps, olds or wholes
	msg   int
	block transcript.Ref
	model bool // of the model
	unit  int
}

// draft is the conversation laid out in elements.
type draft struct {
	*Source
	seq        []element
	texts      []text
	steps      []step
	wholes     []whole
	olds       []oldRecord
	inside     map[int]bool // messages in front of which a call waits for its result
	base       int          // tokens of what cannot be shortened
	total      int          // tokens of all
	gap        float64
	framing    bool
	ruled      map[string]bool
	lastTurn   int
	stepOf     map[transcript.Ref]int
	unitOf     map[int]int
	open       map[int]bool // by message: of an open unit
	ages       map[int]int
	turns      map[int]int // by message
	closing    map[transcript.Ref]bool
	paths      *pathNames
	dead       map[*transcript.Part]deadLines
	asked      requests
	proseCalls bool // some calls are written in the text of their message
}

func newDraft(s *Source) *draft {
	d := &draft{
		Source: s, inside: map[int]bool{}, stepOf: map[transcript.Ref]int{}, unitOf: map[int]int{}, ruled: map[string]bool{},
		open: map[int]bool{}, ages: map[int]int{}, turns: map[int]int{}, closing: map[transcript.Ref]bool{},
	}
	d.gap = float64(s.textTokens("[12 lines omitted]\n"))
	d.survey()
	d.framing = d.shortensFrame()
	d.paths = namePaths(s.Conv)
	d.dead = deadOf(s.Conv)
	d.asked = d.requested()
	return d
}

func (s *Source) textTokens(text string) int {
	return s.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// survey notes where units, turns and answers are.
func (d *draft) survey() {
	for i, u := range d.Conv.Units() {
		for _, id := range u.Msgs {
			d.unitOf[id] = i
			d.open[id] = u.Open
		}
		if u.Kind == transcript.ToolRound {
			first, last := d.Conv.Position(u.Msgs[0]), d.Conv.Position(u.Msgs[len(u.Msgs)-1])
			for _, m := range d.Conv.Messages[first+1 : last+1] {
				d.inside[m.ID] = true
			}
		}
	}
	n, turn := 0, 0
	var closing *transcript.Ref
	for m := range d.Conv.Visible() {
		d.ages[m.ID] = n
		n++
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			switch {
			case b.Kind == transcript.Text && b.Origin == transcript.Typed && m.Role == transcript.User && strings.TrimSpace(b.Text()) != "":
				if closing != nil {
					d.closing[*closing] = true
					closing = nil
				}
				turn++
			case m.Role == transcript.Assistant && b.Kind == transcript.Text && saysMore(b.Text()):
				closing = &ref
			}
		}
		d.turns[m.ID] = turn
	}
	if closing != nil {
		d.closing[*closing] = true
	}
	for id, at := range d.ages {
		d.ages[id] = n - 1 - at
	}
	d.lastTurn = turn
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

// framingShare is how much of the budget, after what stays word for word, instructions
// may have before they are shortened like everything else.
const framingShare = 0.5

func (d *draft) shortensFrame() bool {
	instructions, rest := 0, d.Budget
	for ref, b := range d.Conv.Blocks() {
		m := d.Conv.Message(ref.Msg)
		switch {
		case stays(b), d.open[m.ID]:
			rest -= d.Tokens(b)
		case m.Role == transcript.System:
			instructions += d.Tokens(b)
		}
	}
	return rest > 0 && float64(instructions) > framingShare*float64(rest)
}

// stays reports whether a block stays as it is, whatever the budget.
func stays(b *transcript.Block) bool {
	undivided := b.Kind == transcript.Thinking || b.Fixed
	return b.Pin == transcript.Verbatim || b.Pin == transcript.Present && (undivided || b.Origin == transcript.Generated)
}
