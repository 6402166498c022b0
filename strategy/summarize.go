package strategy

import (
	"cmp"
	"context"
	"fmt"

	"condense/strategy/digest"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// Summarize puts one summary in the place of older messages.
var Summarize = Strategy{
	Name: "summarize",
	Doc:  "older messages become one summary: what is to be done, files, commands and what was said, quoted word for word",
	Aims: true, Pieces: true,
	Run: summarize,
}

// defaultTail is how many messages at the end summarize leaves alone when nothing
// is said (SYSTEMS §1.4).
const defaultTail = 3

// summarize proposes the drops that the layout names and one summary for them, as
// one group. What is left is shortened as smart-compress does it when it takes
// more than its part of the budget.
func summarize(ctx context.Context, in *Input) ([]transcript.Edit, error) {
	tail := tailOf(in.Conv, cmp.Or(in.Opts.KeepLast, defaultTail))
	drops, err := olderMessages(in, tail)
	if err != nil {
		return nil, err
	}
	edits, err := summarized(in, drops, tail)
	if err != nil {
		return nil, err
	}
	return withRest(ctx, in, edits, tail)
}

// tailOf are the last messages with the units that they belong to: no call loses
// its result, however far back it was made.
func tailOf(c *transcript.Conversation, n int) map[int]bool {
	last := map[int]bool{}
	visible := 0
	for m := range c.Visible() {
		if m.Role != transcript.System {
			visible++
		}
	}
	for m := range c.Visible() {
		if m.Role == transcript.System {
			continue
		}
		if visible <= n {
			last[m.ID] = true
		}
		visible--
	}
	tail := map[int]bool{}
	for _, u := range c.Units() {
		for _, id := range u.Msgs {
			if last[id] || u.Open {
				for _, id := range u.Msgs {
					tail[id] = true
				}
				break
			}
		}
	}
	return tail
}

// olderMessages proposes to drop what is between the first unit and the tail and
// not pinned. Too little of it is a *NoSummary.
func olderMessages(in *Input, tail map[int]bool) ([]transcript.Edit, error) {
	var drops []transcript.Edit
	fresh, visible, recent := 0, 0, false
	for m := range in.Conv.Visible() {
		if m.Role != transcript.System {
			visible++
		}
		recent = recent || tail[m.ID] && isSummary(m)
	}
	for _, u := range in.Conv.Units() {
		if u.Kind == transcript.SystemUnit || tail[u.Msgs[0]] {
			continue
		}
		gone := dropUnit(in, u, 1)
		drops = append(drops, gone...)
		last := -1
		for _, d := range gone {
			if m := in.Conv.Message(d.At.Msg); m.ID != last && !isSummary(m) {
				fresh, last = fresh+1, m.ID
			}
		}
	}
	switch {
	case recent, fresh < 2 && visible > defaultTail+1:
		return nil, &NoSummary{CondensedRecently, fmt.Sprintf("%d new messages in front of the last %d", fresh, len(tail))}
	case fresh < 2:
		return nil, &NoSummary{NotEnough, fmt.Sprintf("%d messages", visible)}
	}
	return drops, nil
}

// isSummary tells whether a message is a summary that a run of ours left.
func isSummary(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if b.Kind == transcript.Text && digest.Is(b.Text()) {
			return true
		}
	}
	return false
}

// summarized adds to drops the summary that takes their place.
func summarized(in *Input, drops []transcript.Edit, tail map[int]bool) ([]transcript.Edit, error) {
	gone := map[transcript.Ref]bool{}
	was := 0
	for i := range drops {
		drops[i].Why = "summarised"
		gone[drops[i].At] = true
		was -= in.delta(&drops[i])
	}
	text := summaryText(in, gone, room(in, gone, tail))
	if text == "" {
		return nil, &NoSummary{EmptySummary, "nothing that is worth its tokens fits into the target"}
	}
	block := &transcript.Block{Parts: []transcript.Part{{Text: text}}, Origin: transcript.Generated, Pin: transcript.Present}
	if is := in.Tokens(block); is >= was {
		return nil, &NoSummary{ContextGrew, fmt.Sprintf("%s tokens in place of %s", thousands(is), thousands(was))}
	}
	return append(drops, transcript.Edit{
		At: transcript.At(summaryPlace(in.Conv, gone)), Op: transcript.Insert, Group: 1, Why: "summary",
		New: &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{block}},
	}), nil
}

// summaryPlace is the message in front of which a summary of the gone blocks goes:
// the first that stays behind the first of them. Where the file cannot hold a message
// there, the next place where it can, or else the last one before.
func summaryPlace(c *transcript.Conversation, gone map[transcript.Ref]bool) int {
	place, begun := transcript.End, false
	for m := range c.Visible() {
		stays := false
		for _, b := range m.Blocks {
			if gone[transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}] {
				begun = true
			} else {
				stays = true
			}
		}
		switch {
		case m.Joined || !stays:
		case begun:
			return m.ID
		case m.Role != transcript.System:
			place = m.ID
		}
	}
	return place
}

// summaryShare is the part of the budget, after what stays word for word, that the
// summary has at least; what else stays has to do with the rest.
const summaryShare = 0.6

// leastRoom is how many tokens a summary has where what stays is over the budget
// already: enough for a few lines.
const leastRoom = 200

// room is how many tokens a summary may have.
func room(in *Input, gone map[transcript.Ref]bool, tail map[int]bool) int {
	verbatim, rest := 0, 0
	for ref, b := range in.Conv.Blocks() {
		switch {
		case gone[ref]:
		case b.Pin == transcript.Verbatim, b.Pin == transcript.Present && undivided(b):
			verbatim += in.Tokens(b)
		default:
			rest += in.Tokens(b)
		}
	}
	left := in.Budget - verbatim
	return max(left-rest, int(float64(left)*summaryShare), leastRoom)
}

// summaryText is the text that stands for the blocks in gone, at most so many
// tokens of it; "" when there is none. A model's words would take the place of the
// digest here: whoever asks one needs nothing else of this file.
func summaryText(in *Input, gone map[transcript.Ref]bool, tokens int) string {
	survey := fact.Of(in.Conv)
	s := digest.Source{
		Conv: in.Conv, Gone: gone, Survey: survey, Worth: worths(survey), Again: again, Line: lineWorth(in.Conv), Subject: subject,
		Tokens: in.textTokens, Budget: tokens,
		PerByte: func(b *transcript.Block) float64 { return float64(in.Tokens(b)) / float64(max(1, bytes(b)-b.Opaque)) },
	}
	return s.Write()
}

func (in *Input) textTokens(text string) int {
	return in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// lineWorth says what a line is worth besides its facts, as smart-compress has it.
func lineWorth(c *transcript.Conversation) func(transcript.Ref, string, float64) float64 {
	age := ages(c)
	return func(ref transcript.Ref, line string, tokens float64) float64 {
		worth, cue := worthOutput, 0.0
		switch b := c.Block(ref); {
		case b.Origin == transcript.ByModel, b.Origin == transcript.Generated:
			worth = worthSaid
		default:
			cue = float64(worthCue * squeeze.Cue(line))
		}
		return exact((float64(worth*tokens) + cue) * recency(age[ref.Msg]))
	}
}

// withRest shortens what a summary leaves while that is over the budget.
func withRest(ctx context.Context, in *Input, edits []transcript.Edit, tail map[int]bool) ([]transcript.Edit, error) {
	next, err := in.Conv.Apply(edits)
	if err != nil {
		return nil, err
	}
	pins := map[transcript.Ref]transcript.Pin{}
	total := 0
	for ref, b := range next.Blocks() {
		pins[ref] = b.Pin
		if tail[ref.Msg] && b.Pin == transcript.Unpinned && b.Kind != transcript.Thinking {
			pins[ref] = transcript.Present
		}
		total += in.Tokens(b)
	}
	if total <= in.Budget {
		return edits, nil
	}
	rest := *in
	rest.Conv, rest.Need = next.WithPins(pins), total-in.Budget
	more, err := smart(ctx, &rest)
	if err != nil {
		return edits, nil // what is left cannot be shortened
	}
	for _, e := range more {
		if e.Group != 0 {
			e.Group++ // 1 is the summary
		}
		edits = append(edits, e)
	}
	return edits, nil
}
