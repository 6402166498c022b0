package strategy

import (
	"context"
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
)

// foldTurns proposes to drop turns, one unit after the other, until enough is saved. A
// marker takes the place of the first text of the model in a turn that is over and is
// removed whole, so that the user messages around it do not become adjacent. A turn of
// which something stays needs no marker.
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

// turn is a run of units that may be dropped, between two that stay.
type turn struct {
	units [][]transcript.Edit // the drops of each unit
	over  bool                // the next message is not of the model
}

// turns returns the units that may be dropped, by turn, oldest first. A unit of which
// something stays is a turn of its own. Markers of earlier runs stay.
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
		case len(drops) == 0 || onlyMarkers(in.Conv, drops):
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

// blocksOf returns the number of blocks in a unit.
func blocksOf(c *transcript.Conversation, u transcript.Unit) (n int) {
	for _, id := range u.Msgs {
		n += len(c.Message(id).Blocks)
	}
	return n
}

// onlyMarkers reports whether drops remove only markers of earlier runs.
func onlyMarkers(c *transcript.Conversation, drops []transcript.Edit) bool {
	return !slices.ContainsFunc(drops, func(d transcript.Edit) bool {
		return c.Message(d.At.Msg).Role != transcript.Assistant || !transcript.IsMarker(c.Block(d.At).Text())
	})
}

// fold makes the drops of a turn one group, and replaces the drop of its first text of the
// model by a marker if the group still saves tokens.
func fold(in *Input, drops []transcript.Edit) []transcript.Edit {
	for i := range drops {
		drops[i].Group, drops[i].Why = drops[0].Group, "old turn"
	}
	for i, d := range drops {
		if b := in.Conv.Block(d.At); !ownText(b) || in.Conv.Message(d.At.Msg).Role != transcript.Assistant {
			continue
		}
		folded := slices.Clone(drops)
		folded[i] = transcript.Edit{
			At: d.At, Op: transcript.Rewrite, Text: transcript.Marker(dropped(in.Conv, drops)), Group: d.Group, Why: "what was done in an old turn",
		}
		if in.saves(folded) {
			return folded
		}
		break
	}
	return drops
}

// ownText reports whether a block is a text of the model that may be rewritten.
func ownText(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.ByModel && !b.Fixed && len(b.Parts) > 0
}

// maxNamed is the largest size, in bytes, of the names of calls in a marker. The numbers
// after them have room in the marker, too.
const maxNamed = 280

// dropped describes the content that drops remove: the calls by name, each once and with
// failures marked, and the number of texts and images.
func dropped(c *transcript.Conversation, drops []transcript.Edit) string {
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
