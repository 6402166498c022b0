package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// Hybrid is the pipeline of the preset of that name, cheap and safe first. Each
// stage runs only while the conversation is still over the budget.
var Hybrid = []*Strategy{
	&Dedupe, // loses nothing that is not elsewhere in the conversation
	&Smart,  // loses the detail that is least likely to be needed
}

// HybridName is the name of the preset.
const HybridName = "hybrid"

// HybridDoc is a sentence about it.
const HybridDoc = "dedupe, then smart-compress, each only while still over the target"

// digested is [Summarize] as a stage of Hybrid: for severe targets, with stages
// behind it that shorten what it leaves.
var digested = Strategy{
	Name: Summarize.Name,
	Doc:  Summarize.Doc, Loses: Summarize.Loses, Flags: Summarize.Flags,
	Aims: true, Pieces: true, Retells: true,
	Run: digestFirst,
}

// severe is the part of what there is behind dedupe; a budget below it is severe. Of
// the facts that agents needed later, a digest held .847, .650 and .509 at 25, 10 and
// 5 percent (243 places in 40 public sessions), and the same texts shortened in their
// places .811, .614 and .488. At 50 percent it held .02 more, too, but there is room
// for calls and results as they were, and people look for them.
const severe = 1.0 / 3

// leftError is the [SkipError] of a stage that leaves the work to those behind it.
type leftError struct{ reason string }

func (e *leftError) Error() string { return e.reason }
func (e *leftError) Unwrap() error { return &SkipError{e.reason} }

// digestFirst summarises where the budget is severe, or an earlier summary has to be
// merged, and there is room for a summary beside what stays word for word. It is
// written once: the stages behind shorten what is still too much.
func digestFirst(ctx context.Context, in *Input) ([]transcript.Edit, error) {
	if in.Budget == 0 {
		return nil, errNoTarget
	}
	total := in.Budget + in.Need
	again := slices.ContainsFunc(in.Conv.Messages, func(m *transcript.Message) bool { return !m.Hidden && isSummary(m) })
	if !again && float64(in.Budget) >= severe*float64(total) {
		return nil, &leftError{fmt.Sprintf("%s of %s tokens may stay, a summary is for less than a third", thousands(in.Budget), thousands(total))}
	}
	tail := in.tail()
	drops, err := olderMessages(in, tail)
	if err != nil {
		return nil, err
	}
	gone := map[transcript.Ref]bool{}
	for _, d := range drops {
		gone[d.At] = true
	}
	if left, _ := spare(in, gone, 0); left < leastRoom {
		return nil, &NoSummary{EmptySummary, fmt.Sprintf("what stays word for word leaves %s tokens for one", thousands(max(left, 0)))}
	}
	c, err := summaryAndRest(ctx, in, drops, tail, math.MaxInt)
	return c.edits, err
}
