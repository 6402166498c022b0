package strategy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// A preparation is a stage that an option demands. It runs before the strategies and
// regardless of the budget. Caps run after a dedupe at the start.
type preparation struct {
	Name string // of its stage

	access   access
	demanded func(c *transcript.Conversation, o *Options) bool
	run      func(in *Input) Proposal
}

// PrepareOptions demand preparations. The zero value demands none.
type PrepareOptions struct {
	DropHidden  bool     // remove messages outside the effective view
	Thinking    Thinking // which thinking of the model is removed
	TargetModel string   // the model that will continue the conversation; "": the same
	Tags        Tags     // where <keep> and <drop> tags have an effect
	Images      Images   // which images are removed
	Caps        []Cap    // limits for results of tools; of several that match, the smallest holds
}

// Thinking selects the thinking of the model that is removed. A block of thinking stays
// byte for byte, or is removed whole.
type Thinking string

// The choices. With the zero value, a strategy may remove thinking together with other text.
const (
	ThinkingKeep    Thinking = "keep"     // pin all, and what it led to, so that no strategy removes any
	ThinkingDropOld Thinking = "drop-old" // remove thinking before the last typed message
	ThinkingDrop    Thinking = "drop"     // remove all
)

// UnmarshalText parses keep, drop-old or drop.
func (t *Thinking) UnmarshalText(text []byte) (err error) {
	*t, err = parseThinking(string(text))
	return err
}

func parseThinking(s string) (Thinking, error) {
	switch t := Thinking(s); t {
	case ThinkingKeep, ThinkingDropOld, ThinkingDrop:
		return t, nil
	}
	return "", fmt.Errorf("expected keep, drop-old or drop")
}

// thinking returns the choice for c. A model of another family gets no thinking: the
// signatures would be invalid.
func (o *Options) thinking(c *transcript.Conversation) Thinking {
	if last := c.LastModel(); o.TargetModel != "" && last != "" && family(o.TargetModel) != family(last) {
		return ThinkingDrop
	}
	if o.Thinking == "" {
		return ThinkingKeep
	}
	return o.Thinking
}

// families maps words in the names of models to their vendors.
var families = [...]struct {
	words  *lazyregexp.Regexp
	family string
}{
	{lazyregexp.New(`claude|opus|sonnet|haiku`), "anthropic"},
	{lazyregexp.New(`gpt|codex|\bo[134]\b`), "openai"}, // o3-mini, and not turbo3
	{lazyregexp.New(`gemini`), "google"},
}

// family returns the vendor of a model, or the name of the model if the vendor is not
// known.
func family(model string) string {
	model = strings.ToLower(model)
	for _, f := range families {
		if f.words.MatchString(model) {
			return f.family
		}
	}
	return model
}

var dropHidden = preparation{
	Name:     "drop-hidden", // removes the messages that the model does not see
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.DropHidden },
	run:      dropHiddenMessages,
}

// dropHiddenMessages proposes to drop the messages outside the effective view.
func dropHiddenMessages(in *Input) Proposal {
	var edits []transcript.Edit
	for _, m := range in.Conv.Messages {
		if m.Hidden {
			edits = append(edits, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop, Why: "hidden history"})
		}
	}
	if edits == nil {
		return Skip("nothing is hidden")
	}
	return Proposal{Edits: edits}
}

var dropThinking = preparation{
	Name:     "thinking", // removes thinking: all of it, or that before the current turn
	demanded: func(c *transcript.Conversation, o *Options) bool { return o.thinking(c) != ThinkingKeep },
	run:      dropThinkingBlocks,
}

// dropThinkingBlocks proposes to drop thinking: all of it, or that before the current turn.
func dropThinkingBlocks(in *Input) Proposal {
	var edits []transcript.Edit
	for _, m := range in.Conv.Messages[:unthought(in.Conv, in.Opts)] {
		for _, b := range m.Blocks {
			if b.Kind == transcript.Thinking && b.Pin == transcript.Unpinned && !m.Hidden {
				at := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
				edits = append(edits, transcript.Edit{At: at, Op: transcript.Drop, Why: "thinking"})
			}
		}
	}
	if edits == nil {
		return Skip("there is no such thinking")
	}
	return Proposal{Edits: edits}
}

// unthought returns the number of messages whose thinking goes: all of them, those before
// the current turn, or none.
func unthought(c *transcript.Conversation, o *Options) int {
	switch o.thinking(c) {
	case ThinkingDrop:
		return len(c.Messages)
	case ThinkingDropOld:
		return lastTyped(c)
	}
	return 0
}

// lastTyped returns the position of the last visible message with typed text; 0 if there
// is none.
func lastTyped(c *transcript.Conversation) int {
	for i, m := range slices.Backward(c.Messages) {
		if m.Role == transcript.User && !m.Hidden && slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool {
			return b.Kind == transcript.Text && b.Origin == transcript.Typed
		}) {
			return i
		}
	}
	return 0
}

// Images limits the number of images and other media. A marker takes the place of each
// that is removed. The zero value keeps all.
type Images struct {
	Limited bool
	Last    int // with Limited: the number of images that stay, newest first
}

// UnmarshalText parses keep, placeholder, or "last N".
func (i *Images) UnmarshalText(text []byte) (err error) {
	*i, err = parseImages(string(text))
	return err
}

func parseImages(s string) (Images, error) {
	switch s {
	case "keep":
		return Images{}, nil
	case "placeholder":
		return Images{Limited: true}, nil
	}
	if rest, ok := strings.CutPrefix(s, "last"); ok {
		if n, err := strconv.Atoi(strings.Trim(rest, " :=")); err == nil && n >= 0 {
			return Images{true, n}, nil
		}
	}
	return Images{}, fmt.Errorf(`expected keep, placeholder or "last N"`)
}

var limitImages = preparation{
	Name:     "images", // replaces all images except the newest by markers
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.Images.Limited },
	run:      replaceImages,
}

// replaceImages proposes a marker in the place of each image except the newest.
func replaceImages(in *Input) Proposal {
	var edits []transcript.Edit
	kept := 0
	for _, m := range slices.Backward(in.Conv.Messages) {
		if m.Hidden {
			continue
		}
		for _, b := range slices.Backward(m.Blocks) {
			for i, p := range slices.Backward(b.Parts) {
				if p.Media == nil || b.Pin == transcript.Verbatim || b.Fixed {
					continue
				}
				if kept++; kept > in.Opts.Images.Last {
					edits = append(edits, transcript.Edit{
						At: transcript.Ref{Msg: m.ID, Block: b.ID, Part: i}, Op: transcript.Rewrite,
						Text: transcript.Marker(describe(p.Media)), Why: "image",
					})
				}
			}
		}
	}
	slices.Reverse(edits)
	if edits == nil {
		return Skip("there are no more images than are kept")
	}
	return Proposal{Edits: edits}
}

// describe returns the type and the size of a medium, for a marker.
func describe(m *transcript.Medium) string {
	text := m.Type
	if text == "" {
		text = "image"
	}
	if m.Bytes > 0 {
		text += ", " + transcript.Number(m.Bytes) + " bytes"
	}
	return text
}
