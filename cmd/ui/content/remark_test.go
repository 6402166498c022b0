package content

import (
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/ui/escape"
)

func TestCounting(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(r *report.Report)
		want  []string // parts of the sentences, in order
	}{
		"all of it":                {func(*report.Report) {}, []string{"times 1.18, ±5 %: measured", "unknown size: 3, at 1,000", "41,317 of the context window of 200,000", "counted 120,400 tokens"}},
		"too much for the window":  {func(r *report.Report) { r.Tokenizer.Window = 40_000; r.Tokenizer.Flat = 0 }, []string{"times 1.18", "of 40,000: too much", "counted 120,400"}},
		"the provider agrees":      {func(r *report.Report) { r.Conversations[0].Usage.Counted = 103_000; r.Tokenizer.Window = 0 }, []string{"times 1.18", "unknown size"}},
		"our count is larger":      {func(r *report.Report) { r.Conversations[0].Usage.Counted = 140_000; r.Tokenizer.Window = 0 }, []string{"times 1.18", "unknown size", "condense counts 140,000"}},
		"no count of the provider": {func(r *report.Report) { r.Conversations[0].Usage = report.Usage{}; r.Tokenizer.Window = 0 }, []string{"times 1.18", "unknown size"}},
		"several conversations":    {func(r *report.Report) { r.Conversations = append(r.Conversations, r.Conversations[0]) }, []string{"times 1.18", "unknown size"}},
		"factor without source and error": {func(r *report.Report) {
			r.Tokenizer = report.Tokenizer{Name: "u", Method: "calibrated", Factor: 1.5}
			r.Conversations[0].Usage = report.Usage{}
		}, []string{"tokens are those of u times 1.5"}},
		"exact, a model that the file names": {func(r *report.Report) {
			r.Tokenizer = report.Tokenizer{Name: "u", Model: "m", Named: true, Method: "exact", Factor: 1}
			r.Conversations[0].Usage = report.Usage{}
		}, []string{"counted as m, named in the file"}},
		"a factor for a model that the file names": {func(r *report.Report) {
			r.Tokenizer.Named, r.Tokenizer.Flat, r.Conversations[0].Usage = true, 0, report.Usage{}
			r.Tokenizer.Window = 0
		}, []string{"counted as claude-sonnet-4-5, named in the file: an estimate, ±5 %: measured"}},
		"exact, nothing to report": {func(r *report.Report) {
			r.Tokenizer = report.Tokenizer{Name: "u", Method: "exact", Factor: 1}
			r.Conversations[0].Usage = report.Usage{}
		}, nil},
	} {
		r := &report.Report{
			Tokenizer: report.Tokenizer{
				Name: "o200k_base", Model: "claude-sonnet-4-5", Method: "calibrated", Factor: 1.18, Band: 5, Source: "measured with the API",
				Flat: 3, Window: 200_000,
			},
			Tokens:        report.Change{Before: 98120, After: 41007},
			Framing:       report.Change{Before: 1204, After: 310},
			Conversations: []report.Conversation{{Usage: report.Usage{Measured: 120_400, Counted: 99_324}}},
		}
		test.spoil(r)
		remarks := append(unit(&r.Tokenizer, escape.Line), counting(r, escape.Line)...)
		if len(remarks) != len(test.want) {
			t.Errorf("%s: %v, want %d sentences", name, remarks, len(test.want))
			continue
		}
		for i, s := range remarks {
			if !strings.Contains(s.Text, test.want[i]) {
				t.Errorf("%s: %q, want %q in it", name, s.Text, test.want[i])
			}
		}
	}
}

// The rows of training sets, by what became of them.
var (
	leftRow  = report.Conversation{Tokens: report.Change{Before: 10, After: 10}}
	shortRow = report.Conversation{Tokens: report.Change{Before: 100, After: 40}, Budget: 50, Reached: true}
	longRow  = report.Conversation{Tokens: report.Change{Before: 200, After: 200}, Budget: 50}
	outRow   = report.Conversation{Tokens: report.Change{Before: 400, After: 0}, Budget: 50, Dropped: true}
)

// TestLearned checks the line about a training set: it names the rows that there are.
func TestLearned(t *testing.T) {
	const labels = "training: 4 of 5 labels unchanged"
	for want, rows := range map[string][]report.Conversation{
		labels:                          {},
		labels + " · rows: 1 shortened": {shortRow},
		labels + " · rows: 2 left alone, 1 too long and left out":                                         {outRow, leftRow, leftRow},
		labels + " · rows: 1 left alone, 1 shortened, 2 too long and left alone, 1 too long and left out": {longRow, outRow, leftRow, shortRow, longRow},
	} {
		r := &report.Report{Labels: &report.Change{Before: 5, After: 4}, Conversations: rows}
		if got := learned(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if r.Labels = nil; learned(r) != "" {
			t.Errorf("not a training set: %q", learned(r))
		}
	}
}

// TestRowTable checks the table of the rows of a training set, and the notes of its conversations.
func TestRowTable(t *testing.T) {
	r := &report.Report{Rows: &report.Rows{}, Conversations: []report.Conversation{leftRow, shortRow, longRow, outRow, shortRow}}
	want := [][]string{
		{"rows", "number", "tokens", "after", "saved"}, {"left alone", "1", "10", "10", "0.0 %"}, {"shortened", "2", "200", "80", "−60.0 %"},
		{"too long, left alone", "1", "200", "200", "0.0 %"}, {"too long, left out", "1", "400", "0", "−100.0 %"},
	}
	table := RowTable(r)
	if got := append([][]string{table.Head}, table.Rows...); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
	var notes []string
	for _, row := range ConversationTable(r, len(r.Conversations), escape.Line).Rows[:len(r.Conversations)] {
		notes = append(notes, row[len(row)-1])
	}
	if want := []string{"", "", "over target", "left out", ""}; !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
	r.Conversations = r.Conversations[:1]
	if got := RowTable(r).Rows; len(got) > 0 {
		t.Errorf("a single row: %q", got)
	}
}
