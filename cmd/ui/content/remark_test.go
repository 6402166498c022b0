package content

import (
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
