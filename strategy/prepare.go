package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// A preparation is a stage that an option demands. It runs whatever the budget is, in
// front of the strategies; caps run after a dedupe at the start.
type preparation struct {
	Name string // of its stage

	access   access
	demanded func(c *transcript.Conversation, o *Options) bool
	run      func(in *Input) Proposal
}

// PrepareOptions demand preparations. The zero value demands none.
type PrepareOptions struct {
	DropHidden  bool     // remove what is outside the effective view
	Thinking    Thinking // what becomes of the model's thinking
	TargetModel string   // the model that will continue the conversation, if it is another
	Tags        Tags     // where <keep> and <drop> tags have an effect
	Images      Images   // what becomes of images
	Caps        []Cap    // limits for results of tools; of several that match, the smallest counts
}

// Thinking says what becomes of the model's thinking. A block of it stays byte for byte
// or goes whole.
type Thinking string

// The choices. The zero value is ThinkingKeep, but allows layer 2 of [Progressive] to
// drop thinking.
const (
	ThinkingKeep    Thinking = "keep"
	ThinkingDropOld Thinking = "drop-old" // all but that of the current turn: since the last typed message
	ThinkingDrop    Thinking = "drop"
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

// thinking returns what becomes of the thinking of c. A model of another family cannot
// take it: the signature would not be valid.
func (o *Options) thinking(c *transcript.Conversation) Thinking {
	if o.TargetModel != "" && c.Model != "" && family(o.TargetModel) != family(c.Model) {
		return ThinkingDrop
	}
	if o.Thinking == "" {
		return ThinkingKeep
	}
	return o.Thinking
}

// families holds words in the names of models, by their vendor.
var families = [...]struct {
	words  *regexp.Regexp
	family string
}{
	{regexp.MustCompile(`claude|opus|sonnet|haiku`), "anthropic"},
	{regexp.MustCompile(`gpt|codex|\bo[134]\b`), "openai"}, // o3-mini, and not turbo3
	{regexp.MustCompile(`gemini`), "google"},
}

// family returns the vendor of a model, or the name of a model without a known one.
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
	Name:     "drop-hidden", // messages that the model does not see go
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.DropHidden },
	run:      hiddenDropped,
}

// hiddenDropped proposes to drop what is outside the effective view.
func hiddenDropped(in *Input) Proposal {
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
	Name:     "thinking", // the model's thinking goes, or what is older than the current turn
	demanded: func(c *transcript.Conversation, o *Options) bool { return o.thinking(c) != ThinkingKeep },
	run:      thinkingDropped,
}

// thinkingDropped proposes to drop thinking: all, or what is older than the current
// turn.
func thinkingDropped(in *Input) Proposal {
	c := in.Conv
	current := len(c.Messages)
	if in.Opts.thinking(c) == ThinkingDropOld {
		current = lastTyped(c)
	}
	var edits []transcript.Edit
	for _, m := range c.Messages[:current] {
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

// lastTyped returns the position of the last visible message with text that a person
// typed.
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

// Images says which images and other media stay; a line takes the place of each other
// one. The zero value keeps all.
type Images struct {
	Limited bool
	Last    int // with Limited: the newest that stay
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
	Name:     "images", // images except the newest become a line each
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.Images.Limited },
	run:      imagesReplaced,
}

// imagesReplaced proposes a line in the place of each image except the newest.
func imagesReplaced(in *Input) Proposal {
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

func describe(m *transcript.Medium) string {
	what := m.Type
	if what == "" {
		what = "image"
	}
	if m.Bytes > 0 {
		what += ", " + transcript.Number(m.Bytes) + " bytes"
	}
	return what
}
