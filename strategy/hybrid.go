package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// Hybrid is the pipeline of the preset of that name, cheap and safe stages first. Each
// stage runs only while the conversation is over the budget.
var Hybrid = []*Strategy{
	&Dedupe,   // loses nothing that is not elsewhere in the conversation
	&digested, // for small budgets: loses the places and the order of what it quotes
	&Smart,    // loses the lines that are least likely to be needed
	&Truncate, // loses whole units, oldest first
}

// The name of the preset, and a sentence about it.
const (
	HybridName = "hybrid"
	HybridDoc  = "dedupe, then smart-compress, then truncate, each only while still over the target; where less than a third may stay, summarize before smart-compress"
)

// digested is [Summarize] as a stage of Hybrid, for small budgets. The stages that
// follow shorten what it leaves.
var digested = Strategy{
	Name: Summarize.Name,
	Doc:  Summarize.Doc, Loses: Summarize.Loses, Options: Summarize.Options,
	Aims: true, access: accessQuote,
	Run: digestFirst,
}

// severe is the share of the tokens after dedupe; below it a budget is small, and a
// summary comes first. Of the facts that agents needed later, a digest held .847, .650
// and .509 at 25, 10 and 5 percent (243 places in 40 public sessions). The same texts,
// shortened in their places, held .811, .614 and .488. At 50 percent a digest held .02
// more, too, but there is room for original calls and results, which people look for.
const severe = 1.0 / 3

// digestFirst summarises where the budget is small, or an earlier summary has to be
// merged, and there is room for a summary beside what stays word for word. It writes
// the summary once: the stages that follow shorten what is too much.
func digestFirst(ctx context.Context, in *Input) (Proposal, error) {
	if in.Budget == 0 {
		return Skip(noTarget), nil
	}
	total := in.Budget + in.Need
	again := slices.ContainsFunc(in.Conv.Messages, func(m *transcript.Message) bool { return !m.Hidden && isSummary(m) })
	if !again && float64(in.Budget) >= severe*float64(total) {
		return Proposal{Left: true, Skipped: fmt.Sprintf("%s of %s tokens may stay, a summary is for less than a third", transcript.Number(in.Budget), transcript.Number(total))}, nil
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
		return Skip(fmt.Sprintf("%s: what stays word for word leaves %s tokens for one", emptySummary, transcript.Number(max(left, 0)))), nil
	}
	c, err := summaryAndRest(ctx, in, drops, tail, math.MaxInt)
	return c.Proposal, err
}
