package strategy

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// What a user demands by flag, whatever the budget: it comes before the
// strategies, as stages of its own.

// Thinking says what becomes of the model's thinking. A block is kept byte for
// byte or dropped whole.
type Thinking string

// The choices. The zero value keeps it but in layer 2 of [Progressive], where
// ThinkingKeep holds too.
const (
	ThinkingKeep    Thinking = "keep"
	ThinkingDropOld Thinking = "drop-old" // all but that of the current turn: since the last typed message
	ThinkingDrop    Thinking = "drop"
)

// ParseThinking reads keep, drop-old or drop.
func ParseThinking(s string) (Thinking, error) {
	switch t := Thinking(s); t {
	case ThinkingKeep, ThinkingDropOld, ThinkingDrop:
		return t, nil
	}
	return "", fmt.Errorf("expected keep, drop-old or drop")
}

// Images says how many images and other media stay; others become a line each.
// The zero value keeps all.
type Images struct {
	Limited bool
	Last    int // with Limited: the newest that stay
}

// ParseImages reads keep, placeholder, or "last N".
func ParseImages(s string) (Images, error) {
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

// preparations are the stages that the options demand.
func preparations(c *transcript.Conversation, o *Options) []*Strategy {
	var stages []*Strategy
	if o.DropHidden {
		stages = append(stages, &Strategy{Name: "drop-hidden", Demanded: true, Run: dropHidden})
	}
	if mode := o.thinking(c); mode != ThinkingKeep {
		stages = append(stages, &Strategy{Name: "thinking", Demanded: true, Run: func(_ context.Context, in *Input) ([]transcript.Edit, error) {
			return dropThinking(in.Conv, mode)
		}})
	}
	if o.Tags != "" {
		stages = append(stages, &Strategy{Name: TagsStage, Demanded: true, Pieces: true, Typed: true, Run: dropMarked})
	}
	if o.Images.Limited {
		stages = append(stages, &Strategy{Name: "images", Demanded: true, Run: replaceImages})
	}
	return stages
}

// thinking is what becomes of the thinking of c: a model of another family than
// the one that thought cannot take it, because its signature would not be valid.
func (o *Options) thinking(c *transcript.Conversation) Thinking {
	if o.TargetModel != "" && c.Model != "" && family(o.TargetModel) != family(c.Model) {
		return ThinkingDrop
	}
	if o.Thinking == "" {
		return ThinkingKeep
	}
	return o.Thinking
}

// families are words in the names of models, by who makes them.
var families = [...]struct {
	words  *regexp.Regexp
	family string
}{
	{regexp.MustCompile(`claude|opus|sonnet|haiku`), "anthropic"},
	{regexp.MustCompile(`gpt|codex|\bo[134]\b`), "openai"}, // o3-mini, and not turbo3
	{regexp.MustCompile(`gemini`), "google"},
}

// family is who makes a model; for one that is not known, its name.
func family(model string) string {
	model = strings.ToLower(model)
	for _, f := range families {
		if f.words.MatchString(model) {
			return f.family
		}
	}
	return model
}

// dropHidden removes what is outside the effective view.
func dropHidden(_ context.Context, in *Input) ([]transcript.Edit, error) {
	var edits []transcript.Edit
	for _, m := range in.Conv.Messages {
		if m.Hidden {
			edits = append(edits, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop, Why: "hidden history"})
		}
	}
	if edits == nil {
		return nil, &SkipError{"nothing is hidden"}
	}
	return edits, nil
}

// dropThinking removes thinking: all, or what came before the current turn.
func dropThinking(c *transcript.Conversation, mode Thinking) ([]transcript.Edit, error) {
	current := len(c.Messages)
	if mode == ThinkingDropOld {
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
		return nil, &SkipError{"there is no such thinking"}
	}
	return edits, nil
}

// lastTyped is the position of the last visible message in which a person typed something.
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

// replaceImages puts a line in the place of each image but the newest.
func replaceImages(_ context.Context, in *Input) ([]transcript.Edit, error) {
	var edits []transcript.Edit
	kept := 0
	for _, m := range slices.Backward(in.Conv.Messages) {
		if m.Hidden {
			continue
		}
		for _, b := range slices.Backward(m.Blocks) {
			for i, p := range slices.Backward(b.Parts) {
				if p.Media == nil || b.Pin == transcript.Verbatim {
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
		return nil, &SkipError{"there are no more images than are kept"}
	}
	return edits, nil
}

func describe(m *transcript.Medium) string {
	what := m.Type
	if what == "" {
		what = "image"
	}
	if m.Bytes > 0 {
		what += ", " + thousands(m.Bytes) + " bytes"
	}
	return what
}
