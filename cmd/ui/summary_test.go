package ui

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
)

// shard returns the summary of n files.
func shard(n int) *survey.Summary {
	s := &survey.Summary{Version: survey.SummaryVersion, Files: 3 * n, Conversations: 2 * n, Tokens: report.Change{Before: 1000 * n, After: 400 * n}, Bytes: report.Change{Before: 9000 * n, After: 5000 * n}}
	s.Count("unchanged", n)
	s.Count("condensed", 2*n)
	return s
}

// TestSummariesAddUp checks that the sum of shards does not depend on the order of merging.
func TestSummariesAddUp(t *testing.T) {
	want := shard(1 + 2 + 3 + 4)
	for range 20 {
		order := rand.Perm(4)
		sum := &survey.Summary{}
		for _, i := range order {
			sum.Add(shard(i + 1))
		}
		if !reflect.DeepEqual(sum, want) {
			t.Fatalf("merged as %v: %+v, want %+v", order, sum, want)
		}
	}
}

func TestSummaryReadsBack(t *testing.T) {
	for _, s := range []*survey.Summary{shard(1), shard(7), {Version: survey.SummaryVersion, Statuses: []survey.Status{}}} {
		got, err := survey.ReadSummary(rendered(t, func(w io.Writer) error { return report.JSON(w, s) }))
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v and %v, want %+v", got, err, s)
		}
	}
}

func TestReadSummaryRefuses(t *testing.T) {
	whole := string(rendered(t, func(w io.Writer) error { return report.JSON(w, shard(1)) }))
	for name, text := range map[string]string{
		"nothing":         "",
		"another object":  `{"messages": []}`,
		"another version": strings.Replace(whole, `"version": 1`, `"version": 2`, 1),
		"no version":      `{"files": 1}`,
		"two":             whole + whole,
		"torn":            whole[:len(whole)/2],
		"an array":        "[" + whole + "]",
	} {
		if s, err := survey.ReadSummary([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "not a summary") {
			t.Errorf("%s: %+v and %v", name, s, err)
		}
	}
}

func FuzzReadSummary(f *testing.F) {
	f.Add([]byte(`{"version": 1, "files": 2, "statuses": [{"name": "condensed", "files": 2}]}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := survey.ReadSummary(data)
		if err != nil {
			return
		}
		sum := &survey.Summary{}
		sum.Add(s)
		var b bytes.Buffer
		if err := report.JSON(&b, sum); err != nil {
			t.Fatal(err)
		}
		if _, err := survey.ReadSummary(b.Bytes()); err != nil {
			t.Errorf("the sum of %q does not read back: %v", data, err)
		}
	})
}
