// Package rescue makes a session small enough to be continued by its client: it removes records
// that the client ignores, shrinks images that are over the limits of the API, and condenses the
// conversation until it fits the context window of its model.
package rescue

import (
	"context"
	"slices"
	"strings"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// room is the share of the context window that a conversation may take after it was condensed
// because it did not fit. The rest is for what the client adds, and for going on.
const room = 0.5

// Where images break a limit of the API, all large ones are scaled down until the file has at most
// roomBytes, because every request sends them again, and further images would break the limit again. An
// image of readableSide pixels still shows the text of a screenshot.
const (
	roomBytes    = 5_000_000
	readableSide = 1092
)

// Options describe a rescue.
type Options struct {
	// Options are those of package condense. Window decides whether the conversation is condensed;
	// with 0 it is not condensed. Without a Target,
	// the conversation gets half of the window. MaxBytes also lets images shrink that are within the limits of the API.
	condense.Options
	DropSnapshots bool // also remove the records that the client needs to undo changes of files
}

// An Outcome is the result of a rescue.
type Outcome struct {
	// Outcome is that of condensing what the earlier steps left. Its File is not the source.
	*condense.Outcome
	Source  *format.File
	Trimmed []format.Surplus // the records that were removed, by kind
	Shrunk  format.Surplus   // the images that were made smaller, with the bytes that this saved
	Before  []rules.Finding  // by the rules of the client, in the source
	After   []rules.Finding  // the same in the output
	Notes   []string         // why a step was left out, for people
}

// Run rescues a decoded session. It does not change f.
//
// Each step keeps the promises of package condense, and a step that cannot keep them is left out.
// Outcome.Changed reports whether the output differs from the source. The error is one of
// condense.Condenser.File.
func Run(ctx context.Context, f *format.File, o Options) (*Outcome, error) {
	out := &Outcome{Source: f, Before: f.Check(f.Dialect.Target())}
	trimmed := out.trim(f, &o)
	smaller := out.shrink(trimmed, 0, 0)
	if out.Shrunk.Count > 0 && o.MaxBytes == 0 {
		smaller = out.shrink(trimmed, roomBytes, readableSide)
	}
	engine := o.Options
	engine.MaxBytes = 0
	if o.Target == (strategy.Target{}) {
		engine.Target = strategy.Target{Share: 1}
		if o.Window > 0 {
			engine.Target = strategy.Target{Tokens: int(room * float64(o.Window))}
		}
	}
	if limits := limitsFor(f); !engine.Images.Limited && mostImages(f) > limits.Count {
		engine.Images = strategy.Images{Limited: true, Last: limits.Count}
	}
	var err error
	if out.Outcome, err = condensed(ctx, smaller, engine); err != nil {
		return nil, err
	}
	if over := len(out.Out) - o.MaxBytes; o.MaxBytes > 0 && over > 0 {
		engine.MaxBytes = o.MaxBytes
		smaller = out.shrink(trimmed, smaller.Len()-over, 0)
		if out.Outcome, err = condensed(ctx, smaller, engine); err != nil {
			return nil, err
		}
	}
	out.Changed = out.Changed || len(out.Trimmed) > 0 || out.Shrunk.Count > 0
	out.After = out.Decoded.Check(f.Dialect.Target())
	return out, nil
}

// condensed condenses a file. What the options remove whatever the size is goes also from a
// conversation that fits the window.
func condensed(ctx context.Context, f *format.File, o condense.Options) (*condense.Outcome, error) {
	c, err := condense.New(o)
	if err != nil {
		return nil, err
	}
	out, err := c.File(ctx, f)
	if err != nil || o.Window == 0 || !o.DropHidden && !o.Images.Limited || slices.ContainsFunc(out.Conversations, acted) {
		return out, err
	}
	o.Window, o.Target = 0, strategy.Target{Share: 1}
	return condensed(ctx, f, o)
}

// acted reports whether the trigger let the strategies run.
func acted(c condense.Conversation) bool { return c.Result != nil && c.Result.Decision.Act }

// trim removes the records that the client ignores.
func (out *Outcome) trim(f *format.File, o *Options) *format.File {
	smaller, removed, err := f.Trim(o.DropSnapshots)
	out.Trimmed = removed
	return out.either(smaller, f, "records that the client ignores", err)
}

// shrink makes the images smaller that are over the limits of the API, and all images while the file
// has more than maxBytes, to leastSide pixels at least.
func (out *Outcome) shrink(f *format.File, maxBytes, leastSide int) *format.File {
	smaller, shrunk, err := f.ShrinkImages(limitsFor(f), maxBytes, leastSide)
	out.Shrunk = shrunk
	return out.either(smaller, f, "images", err)
}

// either returns a smaller file, or the file before the step with a note about what stays as it is.
func (out *Outcome) either(smaller, before *format.File, what string, err error) *format.File {
	if err != nil {
		out.Notes = append(out.Notes, what+" stay as they are: "+err.Error())
		return before
	}
	return smaller
}

// limitsFor returns the limits for images of the API that reads the session: that of the client,
// or else that of the model. Those of Anthropic, the strictest, are for models that are not known.
func limitsFor(f *format.File) *rules.ImageLimits {
	if limits := f.Dialect.Target().Images(); limits != nil {
		return limits
	}
	for _, c := range f.Convs {
		if model := c.LastModel(); strings.HasPrefix(model, "gpt") || strings.HasPrefix(model, "openai/") {
			return &rules.OpenAIImages
		}
	}
	return &rules.AnthropicImages
}

// mostImages returns the number of images of the conversation that has most of them.
func mostImages(f *format.File) (most int) {
	for _, c := range f.Convs {
		n := 0
		for m := range c.Visible() {
			for _, b := range m.Blocks {
				for _, p := range b.Parts {
					if p.Media != nil && rules.IsImage(p.Media) {
						n++
					}
				}
			}
		}
		most = max(most, n)
	}
	return most
}
