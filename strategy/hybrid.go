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
	&Dedupe,   // loses nothing that is not elsewhere in the conversation
	&digested, // for severe targets: loses the places and the order of what it quotes
	&Smart,    // loses the lines that are least likely to be needed
	&Truncate, // loses whole units, oldest first
}

// HybridName is the name of the preset.
const HybridName = "hybrid"

// HybridDoc is a sentence about it.
const HybridDoc = "dedupe, then smart-compress, then truncate, each only while still over the target; where less than a third may stay, summarize before smart-compress"

// digested is [Summarize] as a stage of Hybrid: for severe targets, with stages
// behind it that shorten what it leaves.
var digested = Strategy{
	Name: Summarize.Name,
	Doc:  Summarize.Doc, Loses: Summarize.Loses, Options: Summarize.Options,
	Aims: true, Access: AccessQuote,
	Run: digestFirst,
}

// severe is the part of what there is behind dedupe; a budget below it is severe. Of
// the facts that agents needed later, a digest held .847, .650 and .509 at 25, 10 and
// 5 percent (243 places in 40 public sessions), and the same texts shortened in their
// places .811, .614 and .488. At 50 percent it held .02 more, too, but there is room
// for calls and results as they were, and people look for them.
const severe = 1.0 / 3

// digestFirst summarises where the budget is severe, or an earlier summary has to be
// merged, and there is room for a summary beside what stays word for word. It is
// written once: the stages behind shorten what is still too much.
func digestFirst(ctx context.Context, in *Input) (Proposal, error) {
	if in.Budget == 0 {
		return Skip(noTarget), nil
	}
	total := in.Budget + in.Need
	again := slices.ContainsFunc(in.Conv.Messages, func(m *transcript.Message) bool { return !m.Hidden && isSummary(m) })
	if !again && float64(in.Budget) >= severe*float64(total) {
		return Proposal{Left: true, Skipped: fmt.Sprintf("%s of %s tokens may stay, a summary is for less than a third", thousands(in.Budget), thousands(total))}, nil
	}
	tail := in.tail()
	drops, skip := olderMessages(in, tail)
	if skip != "" {
		return Skip(skip), nil
	}
	gone := map[transcript.Ref]bool{}
	for _, d := range drops {
		gone[d.At] = true
	}
	if left, _ := spare(in, gone, 0); left < leastRoom {
		return Skip(fmt.Sprintf("%s: what stays word for word leaves %s tokens for one", emptySummary, thousands(max(left, 0)))), nil
	}
	c, err := summaryAndRest(ctx, in, drops, tail, math.MaxInt)
	return c.Proposal, err
}
