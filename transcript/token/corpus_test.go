package token_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript/format"
	"condense/transcript/token"
)

// TestFitCorpus fits real sessions. Codex runs models whose tokenizer is o200k_base,
// so their factor is 1. Public measurements have the factors of Claude's two
// tokenizers. Single sessions differ, because the files do not hold whole requests.
func TestFitCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads tens of megabytes")
	}
	for _, tt := range []struct {
		files        string
		models       []string // nil: any
		low, high    float64  // of the median
		lowest, most float64  // of any
	}{
		{"codex-rollout/*.jsonl", nil, 0.98, 1.06, 0.95, 1.2},
		{"claude-code-jsonl/*.jsonl", []string{"claude-opus-4-5", "claude-opus-4-6", "claude-haiku-4-5", "claude-sonnet-4-6"}, 1.15, 1.4, 1, 1.8},
		{"claude-code-jsonl/*.jsonl", []string{"claude-opus-4-8", "claude-fable-5"}, 1.4, 1.76, 1.3, 1.9},
	} {
		paths, err := filepath.Glob(filepath.Join("../../../shared/corpus", tt.files))
		if err != nil {
			t.Fatal(err)
		}
		if len(paths) == 0 {
			t.Skip("no corpus")
		}
		var factors []float64
		for _, path := range paths {
			if f := fitted(t, path, tt.models); f != 0 {
				factors = append(factors, f)
			}
		}
		slices.Sort(factors)
		n := len(factors)
		if n == 0 || factors[n/2] < tt.low || factors[n/2] > tt.high || factors[0] < tt.lowest || factors[n-1] > tt.most {
			t.Errorf("%s, %v: %v", tt.files, tt.models, factors)
		}
	}
}

// fitted returns the factor of a file, or 0 when it has none or is not of one of the
// models.
func fitted(t *testing.T, path string, models []string) float64 {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := format.Decode(src, "")
	if err != nil || len(f.Convs) == 0 {
		return 0
	}
	model := f.Convs[0].LastModel()
	if models == nil {
		model = "gpt-5"
	} else if !slices.ContainsFunc(models, func(m string) bool { return strings.HasPrefix(model, m) }) {
		return 0
	}
	c, err := token.ForModel(model)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := c.Fit(f.Convs)
	if err != nil {
		return 0
	}
	if fit.Residual > 0.15 {
		t.Errorf("%s: %+v", path, fit)
	}
	return fit.Factor
}
