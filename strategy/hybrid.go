package strategy

import (
	"context"
	"fmt"
	"slices"

	"condense/transcript"
)

// digested is Summarize where hybrid runs it: for a severe target only, and with
// stages behind it that shorten what it leaves.
var digested = Strategy{
	Name: Summarize.Name,
	Doc:  Summarize.Doc,
	Aims: true, Pieces: true, Retells: true,
	Run: digestFirst,
}

// severe is the share of what there is below which a target is severe.
const severe = 1.0 / 3

func digestFirst(ctx context.Context, in *Input) ([]transcript.Edit, error) {
	total := in.Budget + in.Need
	earlier := slices.ContainsFunc(in.Conv.Messages, func(m *transcript.Message) bool { return !m.Hidden && isSummary(m) })
	if !earlier && float64(in.Budget) >= severe*float64(total) {
		return nil, &SkipError{fmt.Sprintf("%s of %s tokens may stay: enough to shorten them in their places", thousands(in.Budget), thousands(total))}
	}
	drops, err := olderMessages(in, in.tail())
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
	return summarize(ctx, in)
}
