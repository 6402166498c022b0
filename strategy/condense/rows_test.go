package condense

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
)

// row returns a line of a training set: a call, its result of n lines, and a label.
func row(n int) string {
	return `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"b\"}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"` + strings.Repeat(`a line of the result\n`, n) + `"},{"role":"assistant","content":"` + strings.Repeat("done ", 40) + `"}]}`
}

// TestColumn checks that a conversation in a column is condensed as it is alone, and that rows that do
// not fit are left out.
func TestColumn(t *testing.T) {
	o := Defaults()
	o.Training, o.Tokens = true, func(b *transcript.Block) int { return len(strings.Fields(b.Text())) }
	alone, err := Condense(t.Context(), []byte(row(100)), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Column = "a[].b.messages"
	quoted := func(s string) string { return strconv.Quote(s) } // the rows are ASCII
	in := func(text string) string { return `{"x": 1.0,"a":[{"b":` + text + `}]}` + "\n" }
	out, err := Condense(t.Context(), []byte(in(row(100))+in(row(1))+in(quoted(row(100)))), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := in(string(alone.Out)) + in(row(1)) + in(quoted(string(alone.Out))); string(out.Out) != want || out.Rows() != (Rows{2, 1, 0}) {
		t.Errorf("%+v %s\nwant %s", out.Rows(), out.Out, want)
	}
	o.DropRows = true
	if out, err = Condense(t.Context(), []byte(in(row(1))+in(quoted(row(100)))), o); err != nil || string(out.Out) != in(quoted(string(alone.Out))) {
		t.Errorf("%s (%v)", out.Out, err)
	}
	o.Column = "c"
	var unread *format.Error
	if _, err := Condense(t.Context(), []byte(in(row(1))), o); !errors.As(err, &unread) {
		t.Error(err)
	}
}

// TestDropRows checks which rows are left out, and how the outcome counts them.
func TestDropRows(t *testing.T) {
	o := Defaults()
	o.Training, o.Tokens = true, func(b *transcript.Block) int { return len(strings.Fields(b.Text())) }
	for _, tt := range []struct {
		name, src string
		drop      bool
		rows      Rows
		left      int // rows of the output
		unfit     int // number of the error
	}{
		{"kept", row(100) + "\n" + row(1) + "\n", false, Rows{1, 1, 0}, 2, 0},
		{"lines", row(100) + "\n" + row(1) + "\n" + row(90) + "\n" + row(2) + "\n", true, Rows{2, 0, 2}, 2, 0},
		{"one line is another format", row(100) + "\n" + row(1) + "\n" + row(2) + "\n", true, Rows{1, 1, 1}, 2, 0},
		{"one line without messages", row(1) + "\n" + `{"messages":[]}` + "\n" + row(2) + "\n", true, Rows{1, 1, 1}, 2, 0},
		{"one line of a named format", row(100) + "\n" + row(1) + "\n" + row(2) + "\n", true, Rows{1, 0, 2}, 1, 0},
		{"one element without messages", "[" + row(1) + ",\n" + `{"messages":[]}` + ",\n" + row(2) + "]", true, Rows{1, 1, 1}, 2, 0},
		{"elements", "[" + row(1) + ",\n" + row(100) + "," + row(90) + "]", true, Rows{2, 0, 1}, 2, 0},
		{"all", row(1) + "\n" + row(2) + "\n", true, Rows{}, 0, 2},
		{"all fit", row(100) + "\n" + row(90) + "\n", true, Rows{2, 0, 0}, 2, 0},
	} {
		o.DropRows, o.Format = tt.drop, ""
		if strings.HasSuffix(tt.name, "named format") {
			o.Format = "openai-ft"
		}
		out, err := Condense(t.Context(), []byte(tt.src), o)
		if tt.unfit > 0 {
			var unfit *UnfitError
			if !errors.As(err, &unfit) || unfit.Rows != tt.unfit {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := out.Rows(); got != tt.rows || strings.Count(string(out.Out), `{"messages"`) != tt.left || !out.Changed {
			t.Errorf("%s: %+v, want %+v:\n%.300s", tt.name, got, tt.rows, out.Out)
		}
		if again, err := format.Decode(out.Out, o.Format); err != nil || again.Dialect != out.File.Dialect {
			t.Errorf("%s: the output is not read as %s: %v", tt.name, out.File.Dialect.Name, err)
		}
		for i, c := range out.Conversations {
			if c.Dropped && len(c.Final.Messages) > 0 || c.Result.Unfit() && !c.Dropped && c.Result.After != c.Result.Before {
				t.Errorf("%s: row %d: %+v", tt.name, i, c)
			}
		}
	}
}

// TestTrainingConflicts checks the options that a run for training refuses.
func TestTrainingConflicts(t *testing.T) {
	for field, set := range map[string]func(*Options){
		"Unpin":       func(o *Options) { o.UnpinLast = true },
		"Fraction":    func(o *Options) { o.Fraction = 0.5 },
		"Thinking":    func(o *Options) { o.Thinking = strategy.ThinkingDrop },
		"TargetModel": func(o *Options) { o.TargetModel = "gpt-5" },
		"DropHidden":  func(o *Options) { o.DropHidden = true },
		"Tags":        func(o *Options) { o.Tags = strategy.TagsAll },
	} {
		o := Defaults()
		o.Training = true
		set(&o)
		var conflict *ConflictError
		if err := o.Validate(); !errors.As(err, &conflict) || conflict.Field != "Training" || conflict.With != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, o := range []Options{{Options: strategy.Options{Training: true}, Pipeline: []*strategy.Strategy{&strategy.Summarize}}, {DropRows: true}} {
		var option *strategy.OptionError
		if err := o.Validate(); !errors.As(err, &option) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
