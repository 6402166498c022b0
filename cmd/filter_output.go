package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"condense/cmd/batch"
	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui"
	"condense/cmd/ui/escape"
)

// condense sets the output of one record, or its error. An empty record is copied.
func (f *filter) condense(ctx context.Context, r *record) {
	if r.out = r.in; len(bytes.TrimSpace(r.in)) == 0 {
		return
	}
	if f.a.memory.Largest() > 0 {
		need := batch.Need(r.in)
		if r.err = f.a.memory.Fits(need); r.err != nil {
			return
		}
		defer f.a.memory.Take(ctx, need)()
	}
	c, err := condenseSource(ctx, r.in, f.o.run, f.count, noEvents())
	if err == nil && bytes.IndexByte(c.Out, f.end) >= 0 {
		err = &refusedError{err: errors.New("the output holds the byte that ends a conversation of the stream")}
	}
	if err == nil && f.table != nil && c.Changed {
		if check := f.table.Check(c.Out); check != nil {
			err = &refusedError{err: check}
		}
	}
	if err == nil {
		err = leastRetained(&f.o.run.minRetention, c)
	}
	if err == nil {
		err = f.o.run.external.askValidators(ctx, c, "-", "-")
	}
	if err != nil {
		r.err = err
		return
	}
	r.out = c.Out
	r.sum = survey.Summary{Conversations: len(c.Conversations), Bytes: report.Change{Before: len(r.in), After: len(r.out)}, Rows: f.o.run.rows(c.Outcome)}
	for _, conv := range c.Conversations {
		after, _ := conv.Result.Measure(conv.Final)
		r.sum.Tokens.Before += conv.Result.Before
		r.sum.Tokens.After += after
	}
}

// put writes the output of a record. If the record failed, it does what --on-error says.
func (f *filter) put(out *bufio.Writer, r *record) error {
	if errors.Is(r.err, context.Canceled) {
		return r.err
	}
	if len(bytes.TrimSpace(r.in)) > 0 {
		f.records++
	}
	f.sum.Add(&r.sum)
	var unfit *unfitError
	if errors.As(r.err, &unfit) { // --drop-rows
		f.sum.Add(&survey.Summary{Rows: &report.Rows{Dropped: unfit.Rows}})
		return f.leaveOut(out)
	}
	if r.err != nil {
		named := &namedError{fmt.Sprintf("input %d", r.number), r.err}
		if f.failed++; f.first == nil {
			f.first = named
		}
		switch f.o.onError {
		case errorFail:
			return named
		case errorSkip:
			return f.leaveOut(out)
		case errorEnvelope:
			r.out = envelope(r)
		}
	}
	_, err := out.Write(r.out)
	if err == nil && r.ended {
		err = out.WriteByte(f.end)
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// leaveOut writes nothing, except for a table: an empty line there stands for a row that is left out.
func (f *filter) leaveOut(out *bufio.Writer) error {
	if f.table == nil {
		return nil
	}
	if err := out.WriteByte(f.end); err != nil {
		return &outputError{err}
	}
	return nil
}

// envelope returns the JSON object for a record that could not be condensed: the error, its
// exit code and the record itself.
func envelope(r *record) []byte {
	e := struct {
		Error string `json:"condense_error"`
		Exit  int    `json:"exit"`
		Text  string `json:"input,omitempty"`
		Bytes []byte `json:"input_base64,omitempty"`
	}{Error: r.err.Error(), Exit: exitCode(context.Background(), r.err)}
	if utf8.Valid(r.in) {
		e.Text = string(r.in)
	} else {
		e.Bytes = r.in
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		panic(err) // strings and a number: it cannot fail
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// printCounts prints the number of records and tokens, and the first error, on standard error.
func (f *filter) printCounts() {
	done := map[string]string{
		errorPass: "passed on as they were", errorSkip: "left out", errorFail: "the first of which ended it", errorEnvelope: "in envelopes",
	}
	text := ui.ItemLine("filter:", fmt.Sprintf("%d read", f.records), f.sum.Tokens, "")
	if f.failed > 0 {
		text += fmt.Sprintf("; %d not condensed, %s: %s", f.failed, done[f.o.onError], f.first)
	}
	if f.copied > 0 {
		text += fmt.Sprintf("; %d of the shortened rows were copied as they were, since their row groups would have become larger", f.copied)
	}
	if rows := rowText(f.sum.Rows); rows != "" {
		text += "; " + rows
	}
	if f.failed > 0 && strings.Contains(fmt.Sprint(f.first), "not a transcript in a known format") {
		text += "; if the input is one session with a record in each line, condense run condenses it"
	}
	for _, line := range append([]string{text}, f.o.run.llmOptions.spent()...) {
		fmt.Fprintln(f.a.err, escape.Line(line))
	}
}
