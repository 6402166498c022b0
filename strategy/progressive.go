package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// Progressive has the three layers of Antigravity Manager: it removes old tool rounds, old
// thinking and old history. Each layer runs above a share of the context window. Without a
// window, the target takes its place.
//
// It differs from Antigravity Manager in these points:
//
//   - A layer stops when it has saved enough. The conversation is counted again after
//     each layer, so any of them may run alone.
//   - The last 10 rounds stay, not 5, because KeepRounds has one default for [Mask] and
//     Progressive.
//   - Typed text beside the results of a round stays when the round is removed.
//   - Results are compacted before rounds are removed. Logs are cleaned only if a shell
//     printed them, and never if it printed a file.
//   - Thinking is removed whole or stays, because a signature covers the text. The
//     current turn keeps its thinking.
//   - History is summarised only if less than a third of its tokens may stay. Otherwise a
//     line with its calls takes the place of each turn that is removed. So two user
//     messages never become adjacent, and the layer can stop at any unit.
//   - The window is an option, and is not derived from the name of a model.
//
// Some options of Antigravity Manager do not exist here. Typed text is always pinned, and
// ThinkingKeep keeps thinking. No layer edits code blocks; a pin that matches "```" also
// keeps their messages.
var Progressive = Strategy{
	Name:    "progressive",
	Doc:     "three layers, each while over its share of the window: results are compacted and old rounds go, then old thinking, then a summary or old turns",
	Loses:   "by layer: markup and noise, rounds, thinking, turns",
	Options: slices.Concat([]string{"Window", "L1", "L2", "L3", "KeepRounds", "Thinking", "Aggression"}, summaryOptions),
	Aims:    true, Windowed: true,
	Layers: []*Strategy{
		{Name: "progressive/results", Windowed: true, Doc: "layer 1: tool results are compacted, oldest first", Run: compactResults},
		{Name: "progressive/rounds", Windowed: true, Doc: "layer 1: tool rounds older than the newest go, oldest first", Run: dropRounds},
		{Name: "progressive/thinking", Windowed: true, Doc: "layer 2: thinking older than the current turn goes, oldest first", Run: dropOldThinking},
		{Name: "progressive/state", Windowed: true, access: accessQuote, Doc: "layer 3: where less than a third may stay, a summary takes the place of what is in front of the last turn", Run: summarizeState},
		{Name: "progressive/turns", Windowed: true, Doc: "layer 3: turns go, oldest first; those that go whole leave a line", Run: foldTurns},
	},
}

// ProgressiveOptions are the options of [Progressive] alone.
type ProgressiveOptions struct {
	// L1, L2 and L3 are the shares of Options.Window above which the layers run; 0:
	// always. They may be larger than 1. If the window is not known, the shares are those
	// of the budget.
	L1, L2, L3 float64
	// Aggression is the degree to which results of older rounds are compacted more than
	// others, 0.1 to 1; 0: all alike.
	Aggression float64
}

// defaultLayers returns the shares of Antigravity Manager.
func defaultLayers() ProgressiveOptions {
	return ProgressiveOptions{L1: 0.4, L2: 0.55, L3: 0.7}
}

func (o *ProgressiveOptions) validate() error {
	for _, l := range []struct {
		field string
		share float64
	}{{"L1", o.L1}, {"L2", o.L2}, {"L3", o.L3}} {
		if !(l.share >= 0) || math.IsInf(l.share, 1) { // also for NaN
			return &OptionError{l.field, "takes a share of the window from 0 up, such as 0.4"}
		}
	}
	if o.Aggression != 0 && !(o.Aggression >= 0.1 && o.Aggression <= 1) {
		return &OptionError{"Aggression", fmt.Sprintf("takes a number from 0.1 to 1, or 0, not %v", o.Aggression)}
	}
	return nil
}

// dropRounds proposes to drop rounds before the last ones, oldest first, until enough is
// saved. Pinned blocks stay.
func dropRounds(_ context.Context, in *Input) (Proposal, error) {
	need, skip := in.over(in.Opts.L1)
	if skip != "" {
		return Skip(skip), nil
	}
	rounds := toolRounds(in.Conv)
	if len(rounds) <= in.Opts.KeepRounds {
		return Skip(fmt.Sprintf("%d tool rounds, the last %d are kept", len(rounds), in.Opts.KeepRounds)), nil
	}
	var edits []transcript.Edit
	for i, u := range rounds[:len(rounds)-in.Opts.KeepRounds] {
		if need <= 0 {
			break
		}
		drops := dropUnit(in, u, i+1)
		need += in.deltas(drops)
		edits = append(edits, drops...)
	}
	if edits == nil {
		return Skip(allKept), nil
	}
	return Proposal{Edits: edits}, nil
}

// freshMessages is the number of messages at the end that keep their thinking, whatever
// their turn.
const freshMessages = 4

// dropOldThinking proposes to drop thinking, oldest first, until enough is saved. The
// current turn keeps its thinking: APIs require it while tools are called.
func dropOldThinking(_ context.Context, in *Input) (Proposal, error) {
	if in.Opts.Thinking == ThinkingKeep {
		return Skip("all thinking is to be kept"), nil
	}
	need, skip := in.over(in.Opts.L2)
	if skip != "" {
		return Skip(skip), nil
	}
	fresh := 0 // position of the first message whose thinking stays
	if visible := slices.Collect(in.Conv.Visible()); len(visible) > freshMessages {
		fresh = in.Conv.Position(visible[len(visible)-freshMessages].ID)
	}
	fresh = min(fresh, lastTyped(in.Conv))
	var edits []transcript.Edit
	for ref, b := range in.Conv.Blocks() {
		if need <= 0 || in.Conv.Position(ref.Msg) >= fresh {
			break
		}
		if b.Kind == transcript.Thinking && b.Pin == transcript.Unpinned {
			e := transcript.Edit{At: ref, Op: transcript.Drop, Why: "old thinking"}
			need += in.delta(&e)
			edits = append(edits, e)
		}
	}
	if edits == nil {
		return Skip(fmt.Sprintf("there is no thinking before the current turn and the last %d messages", freshMessages)), nil
	}
	return Proposal{Edits: edits}, nil
}

// summarizeState puts a summary in the place of all turns but the last where dropping
// turns would leave little but lines: see digestFirst.
func summarizeState(ctx context.Context, in *Input) (Proposal, error) {
	need, skip := in.over(in.Opts.L3)
	if skip != "" {
		return Skip(skip), nil
	}
	state := *in
	state.Need = need
	if state.Budget == 0 {
		state.Budget = int(in.Opts.L3 * float64(in.Opts.Window))
	}
	return digestFirst(ctx, &state)
}
