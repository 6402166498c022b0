package ui

import (
	"fmt"
	"reflect"
	"strings"

	"condense/cmd/report"
)

// session returns the report of a usual run: one conversation, a target that was met, every kind of
// edit.
func session() *report.Report {
	return &report.Report{
		Version: report.ReportVersion, Condense: "0.1.0",
		Input: "in.jsonl", Output: "in.jsonl", Backup: "in.jsonl.bak",
		Format: "claude-code", Strategy: "hybrid", Target: "50%",
		Notes:     []string{"--fraction implies --unpin user"},
		Tokenizer: report.Tokenizer{Name: "o200k_base", Method: "exact"},
		Changed:   true,
		Bytes:     report.Change{Before: 1204112, After: 733201}, Tokens: report.Change{Before: 98120, After: 41007}, Messages: report.Change{Before: 184, After: 121},
		Conversations: []report.Conversation{{
			ID: "5c1b2f", Budget: 49060, Reached: true,
			Tokens: report.Change{Before: 98120, After: 41007}, Messages: report.Change{Before: 184, After: 121},
			Hidden: 12, UnitsRemoved: 31, FirstChanged: 14, Cache: &report.Cache{Prefix: 9120, BreakEven: 5.5},
			Kinds: []report.Kind{
				{Name: "typed by the user", Tokens: report.Change{Before: 9100, After: 9100}}, {Name: "assistant", Tokens: report.Change{Before: 14020, After: 12950}},
				{Name: "thinking", Tokens: report.Change{Before: 3000, After: 0}}, {Name: "tool calls", Tokens: report.Change{Before: 6000, After: 5957}},
				{Name: "tool results", Tokens: report.Change{Before: 66000, After: 13000}}, {Name: "images", Tokens: report.Change{}},
			},
			Stages: []report.Stage{
				{Name: "dedupe", Tokens: report.Change{Before: 98120, After: 79919}, Edits: 12},
				{Name: "smart-compress", Tokens: report.Change{Before: 79919, After: 41007}, Edits: 44, Refused: 3},
				{Name: "summarize", Tokens: report.Change{Before: 41007, After: 41007}, Skipped: "41,007 tokens are within the target of 49,060"},
				{Name: "truncate", Tokens: report.Change{Before: 41007, After: 41007}, Skipped: "41,007 tokens are within the target of 49,060"},
			},
			Retained: sessionRetained(),
			Faults:   []report.Fault{{Message: 90, Rule: "orphan-result", Text: "a tool result without its call"}},
			Edits:    sessionEdits(),
			Kept: []report.Kept{
				{Message: 2, Block: 1, What: "user text", Tokens: 410, Why: "typed by the user"}, {Message: 15, Block: 1, What: "tool result Read src/b.go", Tokens: 902, Why: "not changed by any stage"},
			},
		}},
		Retained: sessionRetained(),
		Faults:   []report.Fault{{Line: 311, Text: "not JSON: unexpected end of input"}},
	}
}

// sessionRetained lost some facts, one of three todos, and hardly any typed text.
func sessionRetained() *report.Retained {
	return &report.Retained{
		Facts: 1520, Measurable: true, Present: 0.8381, Bound: 0.7999,
		Kinds: []report.RetainedKind{{Name: "paths", Facts: 201, Present: 0.9, Bound: 0.8501}, {Name: "errors", Facts: 19, Present: 1, Bound: 1}, {Name: "identifiers", Facts: 1300, Present: 0.81, Bound: 0.29}},
		User:  0.9999, Typed: report.Change{Before: 36400, After: 36399}, Todos: report.Change{Before: 3, After: 2},
		Answered: report.Change{Before: 7, After: 7}, Closing: report.Change{Before: 7, After: 6}, Sentences: report.Change{Before: 31, After: 20},
		Last: report.Change{Before: 1, After: 1}, Paragraphs: report.Change{Before: 44, After: 41}, Gaps: 12, Records: 5,
	}
}

// sessionEdits returns edits in the order of stages, which is not the order of places.
func sessionEdits() []report.Edit {
	return []report.Edit{
		{
			Message: 14, Block: 2, Stage: "dedupe", Op: "rewrite", Left: report.LeftMarker, What: "tool result Read src/a.go",
			Tokens: report.Change{Before: 2311, After: 14}, Why: "read again later",
			Before: numbered(1, 30) + "}\n", After: "[Read src/a.go: read again later]",
		},
		{
			Message: 61, Block: 0, Stage: "truncate", Op: "drop", Left: report.LeftNothing, What: "assistant", Tokens: report.Change{Before: 120, After: 0},
			Why: "oldest first", Before: "I will look at it.\nThen I will see.",
		},
		{
			Message: 20, Block: 1, Stage: "smart-compress", Op: "rewrite", Left: report.LeftPart, Lines: &report.Change{Before: 24, After: 23}, What: "tool result Bash go test ./...",
			Tokens: report.Change{Before: 1804, After: 96}, Why: "passed lines",
			Before: "=== RUN TestA\n--- PASS\n" + numbered(1, 4) + "FAIL\tcondense/cmd\t0.1s\n" + numbered(5, 20) + "exit 1",
			After:  "=== RUN TestA\n[1 line omitted]\n" + numbered(1, 4) + "FAIL\tcondense/cmd\t0.1s\n" + numbered(5, 17) + "exit 1",
		},
		{
			Message: 62, Block: 0, Stage: "summarize", Op: "insert", Left: report.LeftNew, What: "summary", Tokens: report.Change{Before: 0, After: 41},
			Why: "stands for 31 messages", After: "Goal: make the tests pass.\nDone: a.go",
		},
		{Message: 70, Block: 1, Stage: "dedupe", Op: "drop", Left: report.LeftNothing, What: "image", Tokens: report.Change{Before: 1105, After: 0}, Why: "same image later"},
		{
			Message: 71, Block: 1, Stage: "smart-compress", Op: "rewrite", Left: report.LeftPart, What: "tool result Bash ls",
			Tokens: report.Change{Before: 5, After: 4}, Why: "clean-up", Before: "a.go\n", After: "a.go",
		},
	}
}

// numbered returns numbered lines of a file.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d of the file\n", i)
	}
	return b.String()
}

// several returns the report of a file with n conversations, of which every third missed its target.
func several(n int) *report.Report {
	r := session()
	one := r.Conversations[0]
	r.Input, r.Output, r.Backup, r.Target = "export.json", "small.json", "", "20k"
	r.Conversations, r.Faults = nil, nil
	r.Bytes, r.Tokens, r.Messages = report.Change{Before: 9000000 * n, After: 4000000 * n}, report.Change{Before: 98120 * n, After: 41007 * n}, report.Change{Before: 184 * n, After: 121 * n}
	for i := range n {
		c := one
		c.ID, c.Budget = fmt.Sprintf("session-%d", i+1), 50000
		c.Edits = one.Edits[i%3 : i%3+1]
		if i%3 == 2 {
			c.ID, c.Budget, c.Reached, c.Floor = "", 20000, false, []report.Floor{{What: "typed by the user", Tokens: 40000}, {What: "last unit", Tokens: 1007}}
			c.Stages = []report.Stage{{Name: "dedupe", Skipped: "nothing is repeated"}, one.Stages[1]}
		}
		r.Conversations = append(r.Conversations, c)
	}
	return r
}

// unchangedRun returns the report of a run that found nothing to do.
func unchangedRun() *report.Report {
	r := session()
	r.Output, r.Backup, r.Changed, r.Notes, r.Faults = "", "", false, nil, nil
	r.Retained = nil
	r.Target, r.Unchanged = "20000", "12,004 tokens are within the target of 20,000"
	r.Tokens.After, r.Bytes.After, r.Messages.After = r.Tokens.Before, r.Bytes.Before, r.Messages.Before
	r.Conversations = []report.Conversation{{
		ID: "5c1b2f", Budget: 20000, Reached: true, Tokens: report.Change{Before: 12004, After: 12004}, Messages: report.Change{Before: 31, After: 31},
		Kinds: []report.Kind{{Name: "assistant", Tokens: report.Change{Before: 12004, After: 12004}}},
	}}
	return r
}

// belowFloor returns the report of a dry run that could not reach its target.
func belowFloor() *report.Report {
	r := session()
	r.Input, r.Output, r.Backup, r.DryRun, r.Target, r.Notes = "-", "", "", true, "20000", nil
	c := &r.Conversations[0]
	c.Budget, c.Reached, c.Tokens.After = 20000, false, 31204
	r.Tokens.After = 31204
	c.Floor = []report.Floor{{What: "instructions", Tokens: 14000}, {What: "typed by the user", Tokens: 9100}, {What: "pinned", Tokens: 5100}, {What: "last unit", Tokens: 3004}}
	return r
}

// tagged returns the report of a run that hid two units and removed two orphan tags.
func tagged() *report.Report {
	r := session()
	r.Format, r.Strategy = "cline", "truncate"
	c := &r.Conversations[0]
	c.Hidden, c.NewlyHidden, c.UnitsRemoved, c.UnitsHidden = 0, 5, 0, 2
	c.Stages = []report.Stage{
		{Name: "orphan-tags", Tokens: report.Change{Before: 98120, After: 98120}, Edits: 1},
		{Name: "truncate", Tokens: report.Change{Before: 98120, After: 41007}, Edits: 2},
	}
	c.Edits = []report.Edit{
		{Message: 3, Stage: "orphan-tags", Op: "untag", Left: report.LeftAll, What: "orphan tag", Why: `condenseParent "x" names nothing in the file`},
		{Message: 14, Block: 1, Stage: "truncate", Op: "hide", Left: report.LeftNothing, What: "assistant text", Tokens: report.Change{Before: 57131, After: 0}, Why: "hidden, oldest first", Before: "I will look at it."},
		{Message: 15, Stage: "truncate", Op: "insert", Left: report.LeftNew, What: "marker", Tokens: report.Change{Before: 0, After: 18}, Why: "marker of what is hidden", After: "[5 messages hidden]"},
	}
	return r
}

// estimated returns a report whose tokens were counted without a vocabulary.
func estimated() *report.Report {
	r := session()
	r.Tokenizer = report.Tokenizer{Name: "o200k_base", Model: "grok-9", Method: "estimate", Factor: 1, Band: 25, Source: "not measured"}
	return r
}

// calibrated returns a report whose tokens were counted by another model's vocabulary, with images,
// usage and a window.
func calibrated() *report.Report {
	r := session()
	r.Tokenizer = report.Tokenizer{
		Name: "o200k_base", Model: "claude-sonnet-4-5", Method: "calibrated", Factor: 1.18, Band: 5, Source: "measured with the API",
		Flat: 3, Window: 200_000,
	}
	r.Framing = report.Change{Before: 1204, After: 310}
	r.Conversations[0].Framing = r.Framing
	r.Conversations[0].Usage = report.Usage{Measured: 120_400, Counted: 99_324}
	return r
}

const nasty = "a\x1b]0;owned\a\x1b[31m\u009b2J\u202e\u2066\x7f\r\nb\tc|`d\\|`` <img src=x> </details> @user #1 " +
	"https://evil.example **bold** \xff\x9b 日本語"

// byProgram returns the report of a run that the full window triggered. One external program failed,
// and edits of a second one were refused.
func byProgram() *report.Report {
	r := session()
	c := &r.Conversations[0]
	c.Decision = &report.Decision{
		Rule: "full", Act: true, Why: "98,120 tokens are more than the 81,808 that a window of 100,000 has room for (nine tenths of it, less 8,192 for the answer)",
		Tokens: 98120, Window: 100000, Reserve: 8192, Allowed: 81808, Threshold: 100,
	}
	c.Stages = []report.Stage{
		{Name: "exec:./broken", Tokens: report.Change{Before: 98120, After: 98120}, Skipped: "failed: exec:./broken: exit status 3: no", Failed: true, Metrics: &report.Metrics{Milliseconds: 1.5}},
		{Name: "exec:./tidy", Tokens: report.Change{Before: 98120, After: 41007}, Edits: 56, Refusals: make([]string, 12), Metrics: &report.Metrics{Milliseconds: 20, Saved: 57113}},
	}
	for i := range c.Stages[1].Refusals {
		c.Stages[1].Refusals[i] = fmt.Sprintf("drop message %d refused: a pinned block is in it", i)
	}
	return r
}

// byModel returns the report of a run with summaries of a model. One of its answers could not be used.
func byModel() *report.Report {
	r := several(2)
	usd := 0.0312
	r.Conversations[0].Stages = []report.Stage{{Name: "summarize", Tokens: report.Change{Before: 4000, After: 900}, Edits: 31, Metrics: &report.Metrics{
		Milliseconds: 20100, Saved: 3100, Cost: &usd,
		Asked: &report.Asked{Questions: 3, Cached: 1, In: 5200, Out: 611, Redacted: map[string]int{"JWT": 2}, Removed: 4, Notes: []string{"the notes lack sections: Decisions"}},
	}}}
	r.Conversations[1].Stages = []report.Stage{{Name: "summarize", Tokens: report.Change{Before: 4000, After: 1000}, Edits: 12,
		Fallback: "the model's notes cannot be used: they are empty", Metrics: &report.Metrics{Milliseconds: 90, Saved: 3000, Asked: &report.Asked{Questions: 2, In: 900}}}}
	return r
}

// leftAlone returns the report of a run on a conversation that fits the window.
func leftAlone() *report.Report {
	r := unchangedRun()
	r.Unchanged = "12 tokens are within the 81,808 that a window of 100,000 has room for (nine tenths of it, less 8,192 for the answer)"
	r.Conversations[0].Decision = &report.Decision{Rule: "fits", Why: r.Unchanged, Tokens: 12, Window: 100000, Reserve: 8192, Allowed: 81808, Threshold: 100}
	return r
}

// hostile has the string s wherever a Report has one.
func hostile(s string) *report.Report {
	r := several(2)
	r.Conversations[0].Decision = &report.Decision{Act: true}
	r.Conversations[0].Stages[0].Metrics = &report.Metrics{Asked: &report.Asked{Redacted: map[string]int{s: 1}}}
	fill(reflect.ValueOf(r).Elem(), s)
	r.Conversations[0].Decision.Rule = "full"
	r.Tokenizer.Method = "exact"
	for i := range r.Conversations {
		for j := range r.Conversations[i].Edits {
			e := &r.Conversations[i].Edits[j]
			e.Op, e.Left = "rewrite", report.LeftPart
			e.After += "\n2"
		}
	}
	return r
}

// fill sets every string below v to s, and adds an element to empty lists of structs.
func fill(v reflect.Value, s string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), s)
		}
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		if v.Len() == 0 {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		for i := range v.Len() {
			fill(v.Index(i), s)
		}
	}
}
