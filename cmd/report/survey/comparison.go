package survey

import (
	"cmp"
	"slices"

	"condense/cmd/report"
)

// ComparisonVersion is the version of the JSON of compare. It rises when a member
// changes its meaning or goes away.
const ComparisonVersion = 1

// Comparison compares the results of several strategies on one file.
type Comparison struct {
	Version   int              `json:"version"`          // version of this format
	Condense  string           `json:"condense"`         // version of the program
	Input     string           `json:"input"`            // as the user wrote it; "-" for standard input
	Format    string           `json:"format"`           // dialect of the file
	Tokenizer report.Tokenizer `json:"tokenizer"`        // how tokens were counted
	Tokens    int              `json:"tokens"`           // of the effective views, as they are
	Bytes     int              `json:"bytes"`            // of the file, as it is
	Price     float64          `json:"price"`            // dollars for a million tokens of input, as given or of the model; 0 for none
	Recall    *Recall          `json:"recall,omitempty"` // how recall was asked for; absent when it was not
	Notes     []string         `json:"notes"`            // what else there is to know
	Trials    []Trial          `json:"trials"`           // by target, the largest first, and the best first in each
}

// Recall describes how recall was measured: the file is cut in two, the first part is
// condensed, and the second shows what of it was needed.
type Recall struct {
	Cuts   int    `json:"cuts"`          // places at which the conversations were cut
	Needed int    `json:"needed"`        // facts that were needed after them, over all cuts
	Why    string `json:"why,omitempty"` // why there is none, when there are no cuts
}

// Trial holds the result of one strategy on the file.
type Trial struct {
	Strategy  string           `json:"strategy"`           // one, or several separated by commas
	Target    string           `json:"target"`             // as asked for; "" for all that the strategy can do
	Best      bool             `json:"best"`               // of this target: see best_by
	BestBy    string           `json:"best_by,omitempty"`  // what the best is the best by: recall or bound; absent when it is not the best
	Tokens    int              `json:"tokens"`             // of the output, as decoded again
	Bytes     int              `json:"bytes"`              // of the output
	Reached   bool             `json:"reached"`            // the target is met in every conversation, or there is none
	Valid     bool             `json:"valid"`              // the output breaks no rule that the input kept, and was not refused
	Refused   string           `json:"refused,omitempty"`  // why there is no output; absent when there is one
	Present   float64          `json:"present"`            // share of the facts, by weight, that is still there
	Bound     float64          `json:"bound"`              // share that still stands where it belongs
	User      float64          `json:"user_text"`          // share of the bytes that the user typed, in texts that are there word for word
	Retained  *report.Retained `json:"retained,omitempty"` // the whole retention; absent when there is no output
	Recalled  *Recalls         `json:"recalled,omitempty"` // what of the needed is left; absent when it was not asked for
	Cached    int              `json:"cached_tokens"`      // tokens in front of the first message that changed, which stay cached
	BreakEven float64          `json:"break_even_turns"`   // turns after which a cached prompt, written again, has paid; 0 for at once, or when no tokens are saved
	Cost      float64          `json:"cost"`               // dollars to send the output once, uncached; 0 without a price
	Millis    float64          `json:"milliseconds"`       // that condensing took, checking included, reading not
}

// Recalls is what a strategy keeps of the facts that were needed later: means over
// cuts of shares by weight, 0 to 1.
type Recalls struct {
	Bound   float64 `json:"bound"`   // share that stands where it belongs
	Far     float64 `json:"far"`     // the same for facts that the newest quarter of the first part does not name
	Present float64 `json:"present"` // share that is there at all
	Over    int     `json:"over"`    // cuts at which the first part stayed over the target: there it had more room than others
	Within  float64 `json:"within"`  // bound, with those cuts counted as 0: by this the best is chosen
}

// Score returns the figure by which trials are ranked.
func (t *Trial) Score() float64 {
	if t.Recalled != nil {
		return t.Recalled.Within
	}
	return t.Bound
}

// Rank puts the trials of a comparison in order, by target and then by what they
// keep, and marks the best of each target: of those that met it with a valid
// output, the one that keeps most, by recall where that was asked for; of equals,
// the one with the fewest tokens, then the first. What aims at no target is not
// compared: it saves what it saves.
func (c *Comparison) Rank(targets []string) {
	slices.SortStableFunc(c.Trials, func(a, b Trial) int {
		return cmp.Or(
			cmp.Compare(slices.Index(targets, a.Target), slices.Index(targets, b.Target)),
			cmp.Compare(rank(&a), rank(&b)),
			cmp.Compare(b.Score(), a.Score()),
			cmp.Compare(a.Tokens, b.Tokens),
		)
	})
	for i := range c.Trials {
		t := &c.Trials[i]
		first := t.Target != "" && (i == 0 || c.Trials[i-1].Target != t.Target)
		if t.Best = first && rank(t) == 0 && t.Tokens < c.Tokens; t.Best {
			t.BestBy = "bound"
			if t.Recalled != nil {
				t.BestBy = "recall"
			}
		}
	}
}

// rank is 0 for what met its target with a valid output, 1 for what did not meet
// it, 2 for what has no output.
func rank(t *Trial) int {
	switch {
	case !t.Valid:
		return 2
	case !t.Reached:
		return 1
	}
	return 0
}
