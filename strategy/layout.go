package strategy

import (
	"fmt"

	"condense/transcript"
)

// Layout is what stays beside the summary that [Summarize] writes. The zero value
// is LayoutKeep.
type Layout string

// The layouts.
const (
	LayoutKeep  Layout = "keep"  // the first message, the last ones, and what was typed, in its place
	LayoutFresh Layout = "fresh" // nothing: everything is behind the summary
	LayoutFork  Layout = "fork"  // what follows the last message of the user's, behind a state and its acknowledgement
)

// SummarizeOptions are the options of a summary, whichever strategy writes it. Those
// about a model are in [Model].
type SummarizeOptions struct {
	Layout Layout // what stays beside the summary
}

// ParseLayout reads keep, fresh or fork.
func ParseLayout(s string) (Layout, error) {
	switch l := Layout(s); l {
	case LayoutKeep, LayoutFresh, LayoutFork:
		return l, nil
	}
	return "", fmt.Errorf("expected keep, fresh or fork")
}

func (l Layout) keeps() bool { return l == "" || l == LayoutKeep }

// acknowledgement is what stands for the model's answer to a state. It is the same
// always, says that it is not the model's, and claims nothing.
const acknowledgement = "[condense: this stands for an answer to the summary above]"

// tail are the messages that a layout leaves alone at the end, with the units that
// they belong to: no call loses its result, however far back it was made.
func (in *Input) tail() map[int]bool {
	last := map[int]bool{}
	switch {
	case in.Opts.Layout == LayoutFork:
		last = lastOfUser(in.Conv)
	case in.Opts.Layout.keeps():
		last = lastMessages(in.Conv, in.Opts.KeepLast)
	}
	tail := map[int]bool{}
	for _, u := range in.Conv.Units() {
		stays := u.Open
		for _, id := range u.Msgs {
			stays = stays || last[id]
		}
		for _, id := range u.Msgs {
			tail[id] = tail[id] || stays
		}
	}
	return tail
}

// defaultTail is how many messages at the end stay when nothing is said (SYSTEMS §1.4).
const defaultTail = 3

func lastMessages(c *transcript.Conversation, n int) map[int]bool {
	if n == 0 {
		n = defaultTail
	}
	last := map[int]bool{}
	for i := len(c.Messages) - 1; i >= 0 && len(last) < n; i-- {
		if m := c.Messages[i]; !m.Hidden && m.Role != transcript.System {
			last[m.ID] = true
		}
	}
	return last
}

// lastOfUser are the last message that is not the model's, and those behind it.
func lastOfUser(c *transcript.Conversation) map[int]bool {
	last := map[int]bool{}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		if m.Hidden {
			continue
		}
		if m.Role == transcript.System || isSummary(m) {
			break
		}
		last[m.ID] = true
		if m.Role != transcript.Assistant {
			break
		}
	}
	return last
}
