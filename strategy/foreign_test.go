package strategy

import (
	"slices"
	"testing"

	"condense/transcript"
)

// foreign is another program that proposes edits.
func foreign(edits ...transcript.Edit) *Strategy {
	s := *proposing(edits...)
	s.Foreign = true
	return &s
}

// What another program proposes is no fault of ours: what cannot be done is left
// out and named, also when it is --min-tokens that keeps one half of a pair.
func TestForeign(t *testing.T) {
	pair := conv(user("q"), model(call("1", "T", "x=a b c")), tool("1", "one two three four five"), model("so be it"), user("r"))
	tests := []struct {
		name     string
		least    int
		edits    []transcript.Edit
		kept     []string
		refusals []string
	}{
		{"both halves", 0, msgsOf(drop(1, 0), drop(2, 0)), []string{"drop 1.0", "drop 2.0"}, nil},
		{"one half", 0, msgsOf(drop(2, 0)), nil, []string{"drop message 2 block 0 refused: its other half at message 1 block 0 would stay alone"}},
		{"one half is too much", 8, msgsOf(drop(1, 0), drop(2, 0)), nil,
			[]string{"drop message 1 block 0 refused: its other half at message 2 block 0 would stay alone"}},
		{"what saves nothing", 0, msgsOf(rewrite(3, 0, "so let it be"), drop(1, 0), drop(2, 0)), []string{"drop 1.0", "drop 2.0"},
			[]string{"rewrite message 3 block 0 refused: it saves nothing"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, pair, Options{Target: Target{Tokens: 1}, Trigger: Trigger{MinTokens: tt.least}}, foreign(tt.edits...))
			s := r.Stages[0]
			wantEdits(t, s.Edits, tt.kept...)
			if !slices.Equal(s.Refusals, tt.refusals) || s.Refused != 0 {
				t.Errorf("refused %q and %d more, want %q", s.Refusals, s.Refused, tt.refusals)
			}
		})
	}
}
