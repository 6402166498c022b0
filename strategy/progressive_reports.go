package strategy

import (
	"fmt"
	"strings"

	"condense/transcript"
)

// dropAccounted returns the edits that propose returns for a number of tokens to save, with markers for the
// calls that they remove in front of a text of the model: a report of work without any trace of it invites a
// model to invent results. It asks for more edits to make up for the markers.
func dropAccounted(in *Input, need int, propose func(need int) []transcript.Edit) []transcript.Edit {
	for cost := 0; ; {
		edits := propose(need + cost)
		saved := in.deltas(edits)
		edits = accountFor(in, edits)
		added := in.deltas(edits) - saved
		if added <= cost {
			return edits
		}
		cost = added
	}
}

// accountFor adds a marker to edits for each run of removed calls that a text of the model follows. It takes
// the place of the first text of the model that goes with them, or else stands in front of the one that
// follows. Where that one is kept word for word, and no text goes, there is none.
func accountFor(in *Input, edits []transcript.Edit) []transcript.Edit {
	at := map[transcript.Ref]int{}
	for i, e := range edits {
		at[e.At] = i
	}
	var lost []int // edits since what stays, if there is a call among them
	calls := false
	for m := range in.Conv.Visible() {
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			i, edited := at[ref]
			if edited && edits[i].Op == transcript.Drop {
				lost, calls = append(lost, i), calls || b.Kind == transcript.ToolCall || markerAt(b) != ""
				continue
			}
			if calls && !edited && b.Kind == transcript.Text && m.Role == transcript.Assistant {
				edits = account(in, edits, lost, ref, b)
			}
			if b.Kind == transcript.Text || b.Kind == transcript.ToolCall {
				lost, calls = nil, false
			}
		}
	}
	return edits
}

// account adds the marker for the calls that the lost edits remove, in front of the text b at ref.
func account(in *Input, edits []transcript.Edit, lost []int, ref transcript.Ref, b *transcript.Block) []transcript.Edit {
	var drops []transcript.Edit
	for _, i := range lost {
		drops = append(drops, edits[i])
	}
	marker := transcript.Marker(countCalls(in.Conv, drops))
	for k, i := range lost {
		at := edits[i].At
		if !ownText(in.Conv.Block(at)) || in.Conv.Message(at.Msg).Role != transcript.Assistant {
			continue
		}
		own := transcript.Edit{At: at, Op: transcript.Rewrite, Text: marker, Group: edits[i].Group, Why: edits[i].Why}
		drops[k] = own
		if in.saves(groupOf(drops, own.Group)) {
			edits[i] = own
			return edits
		}
		drops[k] = edits[i]
		break
	}
	if !ownText(b) || b.Pin == transcript.Verbatim || transcript.IsMarker(b.Text()) {
		return edits
	}
	last := drops[len(drops)-1]
	own := transcript.Edit{At: ref, Op: transcript.Rewrite, Text: marker + "\n\n" + strings.TrimLeft(b.Body(), "\n"), Group: last.Group, Why: "what was done before"}
	if in.saves(append(groupOf(drops, own.Group), own)) {
		edits = append(edits, own)
	}
	return edits
}

// countCalls describes the calls that drops remove by their number, because their names would take the room
// of answers. It includes the calls of earlier markers.
func countCalls(c *transcript.Conversation, drops []transcript.Edit) string {
	calls, earlier := 0, ""
	for _, d := range drops {
		b, n := c.Block(d.At), 0
		words := markerAt(b)
		switch _, err := fmt.Sscanf(words, "%d call", &n); {
		case b.Kind == transcript.ToolCall:
			calls++
		case err == nil:
			calls += n
		case words != "":
			earlier = words + ", "
		}
	}
	return strings.TrimSuffix(earlier+transcript.Plural(calls, "call"), ", 0 calls")
}

// groupOf returns the edits of a group.
func groupOf(edits []transcript.Edit, group int) (list []transcript.Edit) {
	for _, e := range edits {
		if e.Group == group {
			list = append(list, e)
		}
	}
	return list
}
