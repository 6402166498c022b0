package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/format"
	tokens "condense/transcript/token"
	"condense/transcript/transcripttest"
)

// TestOutcomes checks the reports of runs on all fixtures by strategies of its own: tokens, and a checksum of
// the report. A change of a report shows in testdata/outcomes.txt by the fixtures that it concerns, and
// -update rewrites it.
func TestOutcomes(t *testing.T) {
	counter, err := tokens.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	halves := edits("halves", func(c *transcript.Conversation) (list []transcript.Edit) {
		for ref, b := range c.Blocks() {
			for i, p := range b.Parts {
				if text := p.Text[p.Head:]; len(text) > 60 && b.Origin != transcript.Typed && !b.Fixed && b.Kind != transcript.Thinking && !p.Number {
					ref.Part = i
					list = append(list, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: strings.ToValidUTF8(text[:len(text)/2], "") + "\n[9 lines omitted]", Why: "long"})
				}
			}
		}
		return list
	})
	stub := edits("stub", func(c *transcript.Conversation) (list []transcript.Edit) {
		for ref, b := range c.Blocks() {
			if b.Kind == transcript.ToolResult && len(b.Text()) > 60 && !b.Fixed {
				list = append(list, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: "[all of it omitted]", Why: "old"})
			}
		}
		return list
	})
	settings := []struct {
		name   string
		stages []*strategy.Strategy
		set    func(*condense.Options, *report.Builder)
	}{
		{"halves", []*strategy.Strategy{halves, stub}, func(_ *condense.Options, b *report.Builder) { b.Explain, b.Turns = true, true }},
		{"measure", []*strategy.Strategy{stub, halves}, func(_ *condense.Options, b *report.Builder) { b.Measure, b.Labels = true, true }},
		{"hide", []*strategy.Strategy{&strategy.Truncate}, func(o *condense.Options, b *report.Builder) {
			o.Hide, o.Target, b.Tag = true, strategy.Target{Share: .3}, true
		}},
		{"drop", []*strategy.Strategy{&strategy.Truncate, stub}, func(o *condense.Options, b *report.Builder) {
			o.Target, o.DropHidden, b.Explain = strategy.Target{Share: .2}, true, true
		}},
		{"window", []*strategy.Strategy{halves}, func(o *condense.Options, b *report.Builder) {
			o.Window, o.Target, b.Explain = 800, strategy.Target{}, true
		}},
		{"training", []*strategy.Strategy{&strategy.Dedupe, &strategy.Mask}, func(o *condense.Options, b *report.Builder) {
			o.UnpinLast, o.KeepRounds, o.Training, b.Labels, b.Measure = false, 0, true, true, true
		}},
		{"nothing", []*strategy.Strategy{edits("none", func(*transcript.Conversation) []transcript.Edit { return nil })}, func(*condense.Options, *report.Builder) {}},
	}
	rows := [][]string{{"fixture"}}
	for _, s := range settings {
		rows[0] = append(rows[0], s.name)
	}
	rows[0] = append(rows[0], "bloat")
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		f, err := format.Decode(src, "")
		if err != nil || len(src) > 60_000 {
			continue
		}
		row := []string{name}
		for _, s := range settings {
			o := condense.Defaults()
			o.Pipeline, o.Counter, o.UnpinLast, o.Target = s.stages, counter, true, strategy.Target{Tokens: 90}
			b := &report.Builder{Counter: counter}
			s.set(&o, b)
			if b.Outcome, err = condense.Condense(t.Context(), src, o); err != nil {
				row = append(row, "refused:"+transcripttest.Sum(err.Error()))
				continue
			}
			for i, one := range b.Outcome.Conversations {
				var millis []float64
				for k := range 9 {
					millis = append(millis, float64(i)+float64(k)/8)
				}
				if one.Result != nil {
					millis = millis[:len(one.Result.Stages)]
				}
				b.Millis = append(b.Millis, millis)
			}
			row = append(row, reported(t, b))
		}
		bloat := report.NewBloat(f)
		rows = append(rows, append(row, transcripttest.Sum(fmt.Sprint(bloat, bloat.Bytes(), bloat.Parts(true), report.UnknownKinds(f)))))
	}
	transcripttest.Frozen(t, "testdata/outcomes.txt", *update, rows)
}

// reported returns the tokens of a report, and a checksum of it, of its messages and of the brief report.
func reported(t *testing.T, b *report.Builder) string {
	t.Helper()
	var all bytes.Buffer
	brief := &report.Brief{}
	brief.Add(b.Outcome)
	brief.Add(b.Outcome)
	r := b.Report()
	for _, r := range []*report.Report{r, brief.Report(b.Counter)} {
		r.Condense = ""
		if err := report.JSON(&all, r); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, r.Len())
		for i := range r.Conversations {
			c := &r.Conversations[i]
			fmt.Fprintln(&all, c.Planned(), c.LeftAlone(), c.Missed())
			for _, result := range []any{c.Turns, report.WithKept(c)} {
				if err := report.JSON(&all, result); err != nil {
					t.Fatal(err)
				}
			}
			if c.Retained != nil {
				fmt.Fprintf(&all, "%+v\n", c.Retained.Worst())
			}
		}
	}
	return fmt.Sprintf("%d:%s", r.Tokens.After, transcripttest.Sum(all.String()))
}

// TestUnknownKinds checks the messages about records of unknown kinds.
func TestUnknownKinds(t *testing.T) {
	var said []string
	for _, src := range transcripttest.Fixtures(t, "../../testdata") {
		if f, err := format.Decode(src, ""); err == nil {
			for _, kind := range report.UnknownKinds(f) {
				said = append(said, kind.String())
			}
		}
	}
	want := []string{"is not known: ", " record", " bytes, kept; the known kinds are those of "}
	if len(said) == 0 {
		t.Fatal("no fixture has such records")
	}
	for _, part := range want {
		if !strings.Contains(said[0], part) {
			t.Errorf("%q lacks %q", said[0], part)
		}
	}
}

// TestLeastRetention checks which demands are accepted, and the messages about those that are not met.
func TestLeastRetention(t *testing.T) {
	low := &report.Retained{
		Facts: 30, Bound: .51239, Measurable: true, User: .25, Typed: report.Change{Before: 8, After: 2}, Todos: report.Change{Before: 3, After: 3},
		Answered: report.Change{Before: 3, After: 2}, Closing: report.Change{Before: 4, After: 1}, Last: report.Change{Before: 1}, Paragraphs: report.Change{Before: 9, After: 8},
	}
	high := &report.Retained{Facts: 3, Bound: .1, Answered: report.Change{Before: 2, After: 2}, Last: report.Change{Before: 1, After: 1}}
	for text, want := range map[string]string{
		"":                           `malformed "", expected a share such as 0.9, or measures such as last=1,facts=0.8`,
		"x":                          `malformed "x", expected a share such as 0.9, or measures such as last=1,facts=0.8`,
		"1.1":                        "1.1 is not a share from 0 to 1",
		"-0.1":                       "-0.1 is not a share from 0 to 1",
		"NaN":                        "NaN is not a share from 0 to 1",
		"first=1":                    `there is no measure "first", only answered, closing, last, prose, facts, user, todos`,
		"0":                          "demanded false",
		"last=0":                     "demanded false",
		"last=0, todos=1, facts=0.5": "demanded true",
		"0.3": "demanded true" +
			"; the share of closing answers that keep a sentence at their place is 0.2500, --min-retention demands 0.3 closing=0.25" +
			"; the share of last answers that are there word for word is 0.0000, --min-retention demands 0.3 last=0.00" +
			"; the share of typed text that is there word for word is 0.2500, --min-retention demands 0.3 user=0.25",
		"prose=0.9,facts=1, answered=0.7,0.2": "demanded true" +
			"; the share of requests that still have an answer is 0.6666, --min-retention demands answered=0.7 answered=0.66" +
			"; the share of last answers that are there word for word is 0.0000, --min-retention demands 0.2 last=0.00" +
			"; the share of paragraphs of the model that are whole, of those that are left is 0.8888, --min-retention demands prose=0.9 prose=0.88" +
			"; the share of facts that are at their place is 0.5124, --min-retention demands facts=1 facts=0.51",
	} {
		var least report.Least
		got := ""
		if err := least.UnmarshalText([]byte(text)); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint("demanded ", least.Demanded())
			for _, miss := range least.Missed(high, low, high) {
				got += "; " + miss.String() + " " + miss.Reached()
			}
		}
		if got != want {
			t.Errorf("%q: got\n%s, want\n%s", text, got, want)
		}
	}
	if got := (&report.Retained{}).Worst(); got != (report.Measure{Value: 1}) {
		t.Errorf("the worst of nothing is %+v", got)
	}
	if got := report.WhyLeft(errors.New("gone")); got == "" {
		t.Error("an error has no message")
	}
}

// TestBreakEvenTurns checks after how many turns a shorter prompt pays: one is written at once, and each turn
// saves a tenth of what was removed.
func TestBreakEvenTurns(t *testing.T) {
	for _, tt := range []struct {
		before, after, prefix int
		want                  float64
	}{
		{1000, 1000, 0, 0}, {1000, 1100, 0, 0}, {1000, 500, 500, 0}, {1000, 80, 0, 0}, {1000, 81, 0, .1}, {1000, 500, 0, 10.5}, {1000, 500, 100, 8.2},
		{1000, 900, 0, 102.5}, {1000, 999, 0, 11487.5}, {1001, 81, 1, 0}, {1000, 80, 1, 0}, {1250, 100, 0, 0},
	} {
		if got := report.BreakEven(report.Change{Before: tt.before, After: tt.after}, tt.prefix); got != tt.want {
			t.Errorf("%d to %d tokens, %d of them the same: %v, want %v", tt.before, tt.after, tt.prefix, got, tt.want)
		}
	}
}
