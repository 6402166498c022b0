package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"condense/strategy"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/format"
)

// Edits lists the changed blocks and the inserted messages in the order of the conversation. A
// block is listed once, with the reason of the last stage that changed it. If explain is set, Edits
// also counts lines and lists the blocks that were kept.
func Edits(r *strategy.Result, tag, explain bool) (list []Edit, kept []Kept) {
	before := r.From
	type cause struct{ stage, why string }
	causes := map[transcript.Ref]cause{}
	inserted := map[int][]Edit{} // by message, or transcript.End
	for _, s := range r.Stages {
		for _, e := range s.Edits {
			if e.Op == transcript.Insert {
				next := following(before, &e)
				inserted[next] = append(inserted[next], insertion(r, s.Name, &e))
				continue
			}
			at := e.At
			at.Part = transcript.Whole
			causes[at] = cause{s.Name, e.Why}
		}
	}
	gone := transcript.Drop.String()
	if tag {
		gone = "hide"
	}
	list = make([]Edit, 0, len(causes))
	var reasons map[transcript.Ref]string
	if explain {
		reasons = maps.Collect(r.Reasons())
	}
	for i, m := range before.Messages {
		list = append(list, inserted[m.ID]...)
		for j, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			by, ok := causes[ref]
			if !ok {
				by, ok = causes[transcript.At(m.ID)]
			}
			if why, seen := reasons[ref]; !ok && seen {
				kept = append(kept, Kept{
					Message: i + 1, Block: j + 1, What: BlockName(before, ref, b), Tokens: r.Tokens(b), Why: cmp.Or(why, "not changed by any stage"),
				})
			}
			if !ok {
				continue
			}
			e := Edit{
				Message: i + 1, Block: j + 1, Stage: by.stage, Why: by.why, Op: gone,
				What: BlockName(before, ref, b), Before: b.Text(), Tokens: Change{Before: r.Tokens(b)},
			}
			if now := r.Conv.Block(ref); now != nil {
				e.Op, e.After, e.Tokens.After = transcript.Rewrite.String(), now.Text(), r.Tokens(now)
			}
			if e.Left = leftAfter(&e); explain && e.Left == LeftPart {
				e.Lines = LinesLeft(e.Before, e.After)
			}
			list = append(list, e)
		}
	}
	return append(list, inserted[transcript.End]...), kept
}

// following returns the message in front of which an edit inserts one, or transcript.End.
func following(c *transcript.Conversation, e *transcript.Edit) int {
	if at := c.EndPosition(); e.At.Msg == transcript.End && at < len(c.Messages) {
		return c.Messages[at].ID
	}
	return e.At.Msg
}

// leftAfter returns what an edit leaves of a block.
func leftAfter(e *Edit) Left {
	text := strings.TrimSpace(e.After)
	switch {
	case e.Op != transcript.Rewrite.String():
		return LeftNothing
	case subject.OnlyMarker(text):
		return LeftMarker
	}
	return LeftPart
}

// LinesLeft counts the lines of a text before a change, and how many of them are still there after
// it, in any order. A line break at the end starts no new line.
func LinesLeft(before, after string) *Change {
	var c Change
	there := map[string]int{}
	for line := range strings.Lines(before) {
		there[strings.TrimRight(line, "\r\n")]++
		c.Before++
	}
	for line := range strings.Lines(after) {
		if line = strings.TrimRight(line, "\r\n"); there[line] > 0 {
			there[line]--
			c.After++
		}
	}
	return &c
}

// insertion returns the entry of a new message. Its number is that of the message behind it.
func insertion(r *strategy.Result, stage string, e *transcript.Edit) Edit {
	at := r.From.Position(e.At.Msg)
	if e.At.Msg == transcript.End {
		at = r.From.EndPosition()
	}
	entry := Edit{Message: at + 1, Stage: stage, Op: e.Op.String(), What: "marker", Left: LeftNew, Why: e.Why}
	if !e.New.Hides {
		entry.What = e.New.Role.String() + " message"
	}
	var texts []string
	for _, b := range e.New.Blocks {
		texts = append(texts, b.Text())
		entry.Tokens.After += r.Tokens(b)
	}
	entry.After = strings.Join(texts, "\n")
	return entry
}

// BlockName names a block for people by its kind, its tool and the subject of the call. A text in a
// message of the user is not the user's if the client or a condenser wrote it.
func BlockName(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) string {
	name := b.Kind.String()
	switch role := c.Message(ref.Msg).Role; {
	case b.Kind != transcript.Text:
	case role == transcript.User && (b.Origin == transcript.Injected || b.Origin == transcript.Generated):
		name = b.Origin.String() + " text"
	default:
		name = role.String() + " text"
	}
	if label := subject.Label(c, ref); label != "" {
		name += " " + label
	}
	return name
}

// untag reports the orphan tags that were removed from conversation i as a stage in front of the
// strategies. Tags have no tokens.
func untag(c *Conversation, i int, cleaned []format.Mended) {
	const name = "orphan-tags"
	var edits []Edit
	for _, x := range cleaned {
		if x.Conv == i {
			edits = append(edits, Edit{Message: x.Message, Stage: name, Op: "untag", What: "orphan tag", Left: LeftAll, Why: x.Finding.Message})
		}
	}
	if len(edits) == 0 {
		return
	}
	tokens := Change{Before: c.Tokens.Before, After: c.Tokens.Before}
	c.Stages = slices.Insert(c.Stages, 0, Stage{Name: name, Tokens: tokens, Edits: len(edits)})
	c.Edits = append(edits, c.Edits...)
}

// WithKept returns the edits of a conversation and the blocks that were kept, by place.
func WithKept(c *Conversation) []Edit {
	all := ByPlace(c.Edits)
	for _, k := range c.Kept {
		all = append(all, Edit{
			Message: k.Message, Block: k.Block, What: k.What, Tokens: Change{k.Tokens, k.Tokens}, Left: LeftAll, Stage: "–", Why: k.Why,
		})
	}
	return ByPlace(all)
}

// ByPlace returns a copy of edits in the order of messages and blocks. Edits of the same place keep
// their order.
func ByPlace(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		if a.Message != b.Message {
			return a.Message - b.Message
		}
		return a.Block - b.Block
	})
	return edits
}
