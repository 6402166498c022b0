package strategy

import (
	"context"
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
)

// foldTurns proposes to drop turns, unit after unit, until enough is saved. A turn that
// is over and goes whole leaves a line in its first text of the model, so that the
// user's turns before and after it do not meet. A turn of which something stays leaves
// no line: the model continues with its own thinking and calls.
func foldTurns(_ context.Context, in *Input) (Proposal, error) {
	need, skip := in.over(in.Opts.L3)
	if skip != "" {
		return Skip(skip), nil
	}
	var edits []transcript.Edit
	for _, t := range turns(in) {
		var gone []transcript.Edit
		left := len(t.units)
		for _, drops := range t.units {
			if need <= 0 {
				break
			}
			need += in.deltas(drops)
			gone = append(gone, drops...)
			left--
		}
		if t.over && left == 0 {
			folded := fold(in, gone)
			need += in.deltas(folded) - in.deltas(gone)
			gone = folded
		}
		edits = append(edits, gone...)
	}
	if edits == nil {
		return Skip(allKept), nil
	}
	return Proposal{Edits: edits}, nil
}

// turn is a run of units that may go, between two that stay.
type turn struct {
	units [][]transcript.Edit // the drops of each unit
	over  bool                // the next message is not the model's
}

// turns returns what may go, by turn, oldest first. A unit of which something stays is
// a turn of its own. Lines of earlier runs stay.
func turns(in *Input) []turn {
	var list []turn
	var t turn
	end := func(next transcript.Role) {
		if len(t.units) > 0 {
			t.over = next != transcript.Assistant
			list = append(list, t)
		}
		t = turn{}
	}
	for i, u := range in.Conv.Units() {
		role := in.Conv.Message(u.Msgs[0]).Role
		drops := dropUnit(in, u, i+1)
		switch {
		case len(drops) == 0 || onlyLines(in.Conv, drops):
			end(role)
		case len(drops) < blocksOf(in.Conv, u):
			end(role)
			t.units = [][]transcript.Edit{drops}
			end(transcript.Assistant)
		default:
			t.units = append(t.units, drops)
		}
	}
	end(transcript.Assistant)
	return list
}

func blocksOf(c *transcript.Conversation, u transcript.Unit) (n int) {
	for _, id := range u.Msgs {
		n += len(c.Message(id).Blocks)
	}
	return n
}

// onlyLines reports whether drops would remove nothing but lines of earlier runs.
func onlyLines(c *transcript.Conversation, drops []transcript.Edit) bool {
	return !slices.ContainsFunc(drops, func(d transcript.Edit) bool {
		return c.Message(d.At.Msg).Role != transcript.Assistant || !transcript.IsMarker(c.Block(d.At).Text())
	})
}

// fold makes the drops of a turn one group, with a line in place of its first text when
// that saves tokens.
func fold(in *Input, drops []transcript.Edit) []transcript.Edit {
	for i := range drops {
		drops[i].Group, drops[i].Why = drops[0].Group, "old turn"
	}
	for i, d := range drops {
		if b := in.Conv.Block(d.At); !ownText(b) || in.Conv.Message(d.At.Msg).Role != transcript.Assistant {
			continue
		}
		line := transcript.Edit{
			At: d.At, Op: transcript.Rewrite, Text: transcript.Marker(went(in.Conv, drops)), Group: d.Group, Why: "what was done in an old turn",
		}
		folded := slices.Clone(drops)
		folded[i] = line
		if in.saves(folded) {
			return folded
		}
		break
	}
	return drops
}

// ownText reports whether a block is text of the model that may be rewritten.
func ownText(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.ByModel && !b.Fixed && len(b.Parts) > 0
}

// maxNamed is the limit, in bytes, of the calls that a line names. A marker has room
// for them and for what follows.
const maxNamed = 280

// went describes what drops remove: the calls by name, each once, failed ones marked,
// and the number of texts and images.
func went(c *transcript.Conversation, drops []transcript.Edit) string {
	var named []string
	known := map[string]bool{}
	size, more, texts, images := 0, 0, 0, 0
	for _, d := range drops {
		b := c.Block(d.At)
		images += mediaParts(b)
		switch b.Kind {
		case transcript.Text:
			texts++
		case transcript.ToolCall:
			name := subject.Name(b, b)
			if answer := partner(c, d.At); answer != nil && answer.Error {
				name += " (failed)"
			}
			switch {
			case known[name]:
			case size+len(name) > maxNamed:
				more++
			default:
				known[name] = true
				size += len(name) + len(", ")
				named = append(named, name)
			}
		}
	}
	for _, n := range []struct {
		count int
		one   string
	}{{more, "other call"}, {texts, "text"}, {images, "image"}} {
		if n.count > 0 {
			named = append(named, transcript.Plural(n.count, n.one))
		}
	}
	return strings.Join(named, ", ")
}
