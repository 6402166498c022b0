package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"condense/transcript"
)

// Summarize puts one summary in the place of older messages.
var Summarize = Strategy{
	Name:    "summarize",
	Doc:     "older messages become one summary: each request, word for word, then its outcome; or, where a model is asked, its notes",
	Loses:   "calls and results that the summary does not quote",
	Options: slices.Concat(summaryOptions, []string{"Hide"}),
	Aims:    true, access: accessQuote,
	Run: summarize,
}

// summaryOptions are the options of a summary, whichever strategy writes it.
var summaryOptions = []string{"Layout", "Ask", "Model.Name", "Model.Substitute", "Model.MaxNotes", "Model.Fallback", "Model.Focus", "Model.Prompt"}

// summarize proposes the drops that the layout allows and one summary for them, as one
// group. When the rest takes more than its share of the budget, it is shortened as
// smart-compress does. When this is not enough, the summary is written again with fewer
// tokens. A model is not asked twice.
func summarize(ctx context.Context, in *Input) (Proposal, error) {
	tail := in.tail()
	drops, skip := olderMessages(in, tail)
	if skip != "" {
		return Skip(skip), nil
	}
	first, err := summaryAndRest(ctx, in, drops, tail, math.MaxInt)
	if err != nil || first.Skipped != "" || first.over <= 0 || first.over >= first.size || in.Ask != nil {
		return first.Proposal, err
	}
	second, err := summaryAndRest(ctx, in, drops, tail, first.size-first.over)
	if err != nil || second.Skipped != "" { // a summary of that size is not possible
		return first.Proposal, ctx.Err()
	}
	return second.Proposal, nil
}

// outcome is a conversation's state with a summary in it.
type outcome struct {
	Proposal
	size int // tokens of the summary
	over int // tokens over the budget; less than 0 when below it
}

// summaryAndRest replaces drops by one summary of at most most tokens, and shortens the
// rest.
func summaryAndRest(ctx context.Context, in *Input, drops []transcript.Edit, tail map[int]bool, most int) (outcome, error) {
	made, err := summarized(ctx, in, drops, tail, most)
	if err != nil || made.Skipped != "" {
		return outcome{Proposal: made}, err
	}
	var c outcome
	for _, e := range made.Edits {
		if e.Op == transcript.Insert && c.size == 0 {
			c.size = in.generated(e.New)
		}
	}
	c.Edits, c.over, err = withRest(ctx, in, made.Edits, tail)
	if err != nil {
		return c, err
	}
	return in.filled(ctx, c, made.Edits, tail)
}

// severe is the share of the tokens below which layer 3 of [Progressive] writes a
// summary. Of the facts that agents needed later, a digest held .847, .650 and .509 at
// 25, 10 and 5 percent (243 places in 40 public sessions). At 50 percent there is room
// for original calls and results.
const severe = 1.0 / 3

// digestFirst proposes a summary where the budget is small or the conversation holds an
// earlier summary, if there is room for one beside the text that stays word for word. It
// writes the summary once. The stages after it shorten the rest.
func digestFirst(ctx context.Context, in *Input) (Proposal, error) {
	if in.Budget == 0 {
		return Skip(noTarget), nil
	}
	total := in.Budget + in.Need
	again := slices.ContainsFunc(in.Conv.Messages, func(m *transcript.Message) bool { return !m.Hidden && isSummary(m) })
	if !again && float64(in.Budget) >= severe*float64(total) {
		return Proposal{Left: true, Skipped: fmt.Sprintf("%s of %s tokens may stay, a summary is for less than a third", transcript.Number(in.Budget), transcript.Number(total))}, nil
	}
	tail := in.tail()
	drops, skip := olderMessages(in, tail)
	if skip != "" {
		return Skip(skip), nil
	}
	gone := map[transcript.Ref]bool{}
	for _, d := range drops {
		gone[d.At] = true
	}
	if left, _ := spare(in, gone, 0); left < leastRoom {
		return Skip(fmt.Sprintf("%s: what stays word for word leaves %s tokens for one", emptySummary, transcript.Number(max(left, 0)))), nil
	}
	c, err := summaryAndRest(ctx, in, drops, tail, math.MaxInt)
	return c.Proposal, err
}

// Reasons for having no summary, as in Roo Code 3.41.
const (
	notEnough         = "not enough messages"
	condensedRecently = "condensed recently"
	contextGrew       = "context grew"
	emptySummary      = "empty summary"
)

// olderMessages proposes to drop the blocks in front of the tail that are not pinned. skip
// is the reason when these are too few.
func olderMessages(in *Input, tail map[int]bool) (drops []transcript.Edit, skip string) {
	var fresh, visible, kept int
	var condensed, recent bool
	for m := range in.Conv.Visible() {
		if m.Role != transcript.System {
			visible++
		}
		condensed = condensed || isSummary(m)
		recent = recent || isSummary(m) && tail[m.ID]
	}
	for _, u := range in.Conv.Units() {
		if u.Kind == transcript.SystemUnit || tail[u.Msgs[0]] {
			continue
		}
		gone := dropUnit(in, u, 1)
		drops = append(drops, gone...)
		if len(gone) == 0 {
			kept++
		}
		fresh += newMessages(in, gone)
	}
	switch {
	case recent, fresh < 2 && condensed:
		return nil, fmt.Sprintf("%s: %s since", condensedRecently, transcript.Plural(fresh, "message"))
	case fresh < 2:
		return nil, fmt.Sprintf("%s: %d of %s", notEnough, fresh, transcript.Plural(visible, "message"))
	case in.Opts.Hide && kept > 0:
		return nil, fmt.Sprintf("a summary would hide %s that must stay", transcript.Plural(kept, "unit"))
	}
	slices.SortStableFunc(drops, func(a, b transcript.Edit) int { return in.Conv.Position(a.At.Msg) - in.Conv.Position(b.At.Msg) })
	return drops, ""
}

// newMessages returns the number of messages that lose content. Summaries do not count, nor
// does typed text, which a summary must quote.
func newMessages(in *Input, drops []transcript.Edit) (n int) {
	last := -1
	for _, d := range drops {
		m := in.Conv.Message(d.At.Msg)
		if m.ID != last && !isSummary(m) && !isTyped(in, m.Block(d.At.Block)) {
			n++
			last = m.ID
		}
	}
	return n
}

// isSummary reports whether a message is a summary of an earlier run.
func isSummary(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if isEarlier(b) || b.Kind == transcript.Text && b.Text() == acknowledgement {
			return true
		}
	}
	return false
}

// generated returns the tokens of the generated blocks of a message.
func (in *Input) generated(m *transcript.Message) (n int) {
	for _, b := range m.Blocks {
		if b.Origin == transcript.Generated {
			n += in.Tokens(b)
		}
	}
	return n
}

// summarized adds to drops the messages that replace them: a summary, its acknowledgement
// in a fork, and the last answer, word for word. The summary has at most most tokens,
// typed text not counted. Typed text is part of a summary without a model, and follows
// one with notes.
func summarized(ctx context.Context, in *Input, drops []transcript.Edit, tail map[int]bool, most int) (Proposal, error) {
	if in.Ask != nil {
		made, err := in.withNotes(ctx, drops, tail, most)
		if err != nil || made.Skipped != "" || made.Edits != nil {
			return made, err
		}
	}
	gone, behind := in.replaced(drops)
	typed := 0
	for _, d := range drops {
		if b := in.Conv.Block(d.At); isTyped(in, b) {
			typed += in.Tokens(b)
		}
	}
	blocks := in.story(gone, room(in, gone, typed+in.messageTokens(behind), most)+typed)
	if blocks == nil {
		return Skip(emptySummary + ": nothing that is worth its tokens fits into the target"), nil
	}
	summary := &transcript.Message{Role: transcript.User, Blocks: blocks, Marked: true}
	return in.inserted(drops, gone, append([]*transcript.Message{summary}, behind...)), nil
}

// withNotes returns the proposal of summarized with the notes of a model. It has no edits
// when there are no notes.
func (in *Input) withNotes(ctx context.Context, drops []transcript.Edit, tail map[int]bool, most int) (Proposal, error) {
	if in.Opts.Layout.keeps() { // typed text stays in its place
		drops = slices.DeleteFunc(slices.Clone(drops), func(d transcript.Edit) bool { return isTyped(in, in.Conv.Block(d.At)) })
	}
	gone, behind := in.replaced(drops)
	if texts := quotable(in, drops); texts != nil {
		said := written(transcript.User, strings.Join(texts, "\n\n"), transcript.Typed, transcript.Verbatim)
		at := 0
		if in.Opts.Layout == LayoutFork {
			at = 1
		}
		behind = slices.Insert(behind, at, said)
	}
	quoted := in.messageTokens(behind)
	tokens, err := in.besideRest(ctx, drops, gone, tail, behind, room(in, gone, quoted, most))
	if err != nil {
		return Proposal{}, err
	}
	text, skip, err := notedText(ctx, in, gone, tokens, -in.deltas(drops)-quoted)
	if text == "" {
		return Skip(skip), err
	}
	summary := written(transcript.User, text, transcript.Generated, transcript.Present)
	return in.inserted(drops, gone, append([]*transcript.Message{summary}, behind...)), nil
}

// besideRest returns the part of the given tokens that a summary may have when the messages around it
// are as short as they can be. A model is asked only once, so this is tried out beforehand.
func (in *Input) besideRest(ctx context.Context, drops []transcript.Edit, gone map[transcript.Ref]bool, tail map[int]bool, behind []*transcript.Message, tokens int) (int, error) {
	if in.Budget == 0 || tokens <= leastRoom {
		return tokens, nil
	}
	filler := written(transcript.User, strings.Repeat("word ", tokens), transcript.Generated, transcript.Present)
	trial := in.inserted(slices.Clone(drops), gone, append([]*transcript.Message{filler}, behind...))
	if trial.Edits == nil {
		return tokens, nil
	}
	_, over, err := withRest(ctx, in, trial.Edits, tail)
	if err != nil || over <= 0 {
		return tokens, err
	}
	left := in.generated(filler) - over
	return max(min(tokens, left-left/11), leastRoom), nil // notes may be a tenth longer than their room
}

// replaced returns the blocks that drops remove, and the messages that follow every
// summary of them: its acknowledgement in a fork, and the last answer. It also sets the
// reason of the drops.
func (in *Input) replaced(drops []transcript.Edit) (gone map[transcript.Ref]bool, behind []*transcript.Message) {
	gone = map[transcript.Ref]bool{}
	for i := range drops {
		drops[i].Why = "summarised"
		gone[drops[i].At] = true
	}
	if in.Opts.Layout == LayoutFork {
		behind = append(behind, written(transcript.Assistant, acknowledgement, transcript.Generated, transcript.Present))
	}
	if last, ok := lastAnswer(in.Conv); ok && gone[last] && !in.Opts.UnpinLast {
		behind = append(behind, written(transcript.Assistant, in.Conv.Block(last).Text(), transcript.ByModel, transcript.Verbatim))
	}
	return gone, behind
}

// messageTokens returns the tokens of messages of one block.
func (in *Input) messageTokens(messages []*transcript.Message) (n int) {
	for _, m := range messages {
		n += in.Tokens(m.Blocks[0])
	}
	return n
}

// inserted returns drops and the messages that replace the gone blocks, as one group.
func (in *Input) inserted(drops []transcript.Edit, gone map[transcript.Ref]bool, messages []*transcript.Message) Proposal {
	place := transcript.At(summaryPlace(in.Conv, gone))
	edits := slices.Clip(drops)
	for _, m := range messages {
		at := place
		if m.Role == transcript.Assistant && m.Blocks[0].Pin == transcript.Verbatim { // the last answer
			at = transcript.At(in.answerPlace(place.Msg))
		}
		edits = append(edits, transcript.Edit{At: at, Op: transcript.Insert, Group: 1, Why: "summary", New: m})
	}
	was, is := -in.deltas(drops), in.deltas(edits[len(drops):])
	switch {
	case is >= was:
		return Skip(fmt.Sprintf("%s: %s tokens in place of %s", contextGrew, transcript.Number(is), transcript.Number(was)))
	case !in.saves(edits) || !in.holdsBlocks(edits, len(messages[0].Blocks)):
		return Skip(contextGrew + ": a summary would take more bytes than what it stands for")
	}
	return Proposal{Edits: edits}
}

// Bytes that files need around a block of text, and around a message.
const (
	blockFrame   = 96 // at most, in most files
	messageFrame = 64 // at least
)

// holdsBlocks reports whether edits save bytes even if a file needs more of them around the
// blocks of a summary.
func (in *Input) holdsBlocks(edits []transcript.Edit, blocks int) bool {
	var sum cost
	gone := map[int]bool{}
	for i := range edits {
		sum = sum.plus(in.cost(&edits[i]))
		if edits[i].Op == transcript.Drop {
			gone[edits[i].At.Msg] = true
		}
	}
	return blocks == 1 || sum.bytes+blocks*blockFrame-len(gone)*messageFrame <= 0
}

// written returns a new message of one text.
func written(role transcript.Role, text string, by transcript.Origin, pin transcript.Pin) *transcript.Message {
	return &transcript.Message{Role: role, Marked: true, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: text}}, Origin: by, Pin: pin}}}
}

// summaryShare is the least share of a summary in the budget that is left beside text kept
// word for word. The other messages have the rest.
const summaryShare = 0.6

// When the messages that stay take all or nearly all of the budget, a summary still has
// leastPart of the tokens that it replaces, but at most leastRoom tokens: a few lines.
const (
	leastPart = 0.25
	leastRoom = 200
)

// room returns the tokens that a summary may have: those that the budget leaves, and at
// most most. quoted are the tokens of typed text that is quoted with it.
func room(in *Input, gone map[transcript.Ref]bool, quoted, most int) int {
	left, summarised := spare(in, gone, quoted)
	return min(most, max(left, min(leastRoom, int(float64(summarised)*leastPart))))
}

// spare returns the tokens that the budget leaves for a summary of the gone blocks,
// which may be less than 0, and the tokens of these blocks.
func spare(in *Input, gone map[transcript.Ref]bool, quoted int) (left, summarised int) {
	verbatim, rest := quoted, 0
	shortens := shortensInstructions(in)
	for ref, b := range in.Conv.Blocks() {
		switch {
		case gone[ref]:
			summarised += in.Tokens(b)
		case staysWhole(b), in.Conv.Message(ref.Msg).Role == transcript.System && !shortens:
			verbatim += in.Tokens(b)
		default:
			rest += in.Tokens(b)
		}
	}
	left = in.Budget - verbatim
	return max(left-rest, int(float64(left)*summaryShare)), summarised
}

// withRest shortens the messages around a summary while the budget is exceeded, and
// returns the tokens over it. Hidden messages are not shortened.
func withRest(ctx context.Context, in *Input, edits []transcript.Edit, tail map[int]bool) (all []transcript.Edit, over int, err error) {
	next, err := in.Conv.Apply(edits)
	if err != nil {
		return nil, 0, err
	}
	pins := pinsOf(in.Conv, in.Opts, transcript.Present)
	over = -in.Budget
	for ref, b := range next.Blocks() {
		if in.Conv.Message(ref.Msg) == nil {
			pins.set(ref, b.Pin)
		} else {
			pins.raise(ref, b.Pin)
		}
		if tail[ref.Msg] && b.Kind != transcript.Thinking {
			pins.raise(ref, transcript.Present)
		}
		over += in.Tokens(b)
	}
	if over <= 0 || in.Opts.Hide {
		return edits, over, nil
	}
	rest := *in
	rest.Conv, rest.Need = next.WithPins(pins.of), over
	shorter, err := smart(ctx, &rest)
	if err != nil {
		return nil, 0, err
	}
	over += rest.deltas(shorter.Edits)
	place := edits[slices.IndexFunc(edits, func(e transcript.Edit) bool { return e.Op == transcript.Insert })].At
	var front []transcript.Edit
	for _, e := range shorter.Edits {
		if e.Group != 0 {
			e.Group++ // group 1 is the summary
		}
		if in.Conv.Message(e.At.Msg) == nil && e.At != transcript.At(transcript.End) { // a record in front of the summary
			e.At = place
			front = append(front, e)
		} else {
			edits = append(edits, e)
		}
	}
	return append(front, edits...), over, nil
}

// instructionShare is the share of instructions in the budget that is left beside text kept
// word for word. Above it, they are shortened, too.
const instructionShare = 0.5

// shortensInstructions reports whether instructions are shortened, too. They are not when
// this cannot help, because text kept word for word exceeds the budget without them.
func shortensInstructions(in *Input) bool {
	instructions, rest := 0, in.Budget
	for _, u := range in.Conv.Units() {
		for _, id := range u.Msgs {
			m := in.Conv.Message(id)
			for _, b := range m.Blocks {
				switch {
				case staysWhole(b), u.Open:
					rest -= in.Tokens(b)
				case m.Role == transcript.System:
					instructions += in.Tokens(b)
				}
			}
		}
	}
	return rest > 0 && float64(instructions) > instructionShare*float64(rest)
}

// undivided reports whether a block is kept or dropped as one.
func undivided(b *transcript.Block) bool { return b.Kind == transcript.Thinking || b.Fixed }

// staysWhole reports whether a block stays whole at any budget: pinned text, pinned
// thinking, and a summary that any program wrote.
func staysWhole(b *transcript.Block) bool {
	return b.Pin == transcript.Verbatim || b.Pin == transcript.Present && (undivided(b) || b.Origin == transcript.Generated)
}
