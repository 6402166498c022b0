package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"condense/cmd/report"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// condensed holds the outcome of condensing one source, with what the report needs besides.
type condensed struct {
	*condense.Outcome
	counter *token.Counter
	notes   []string    // for the report
	millis  [][]float64 // for each conversation, the durations of its stages
}

// condenseSource decodes a source and condenses it. It writes nothing but the log.
func condenseSource(ctx context.Context, src []byte, o *runOptions, counter *token.Counter, log *events) (*condensed, error) {
	file, err := format.Decode(src, o.format)
	if err != nil {
		return nil, err
	}
	return condenseFile(ctx, file, o, counter, log)
}

// condenseFile condenses a decoded source. It does not change file.
func condenseFile(ctx context.Context, file *format.File, o *runOptions, counter *token.Counter, log *events) (*condensed, error) {
	counter, note, err := o.fitted(counter, file.Convs)
	if err != nil {
		return nil, err
	}
	library := o.library(counter, log)
	library.SessionID = sessionID(file, o)
	condenser, err := condense.New(library)
	if err != nil {
		return nil, explained(err)
	}
	out, err := condenser.File(ctx, file)
	if err != nil {
		return nil, explained(err)
	}
	c := &condensed{Outcome: out, counter: counter, millis: log.timed(len(file.Convs))}
	if note != "" {
		c.notes = append(c.notes, note)
	}
	return c, nil
}

// results returns the result of each conversation, nil for those that are not selected.
func (c *condensed) results() []*strategy.Result {
	list := make([]*strategy.Result, len(c.Conversations))
	for i := range c.Conversations {
		list[i] = c.Conversations[i].Result
	}
	return list
}

// library returns the options for package condense.
func (o *runOptions) library(counter *token.Counter, log *events) condense.Options {
	library := condense.Options{
		Options: o.strategy, Pipeline: o.stages, Format: o.format, Select: o.sel, Strict: o.strict, DropRows: o.dropRows,
		Counter: counter, Model: o.asked, Watch: log.watch,
	}
	if o.client != nil {
		library.Ask = o.client.Ask
	}
	return library
}

// implied returns the options of the strategies, completed as the library does it.
func (o *runOptions) implied(counter *token.Counter) strategy.Options {
	library := o.library(counter, noEvents())
	return library.Implied()
}

// leftNotes returns a note for each conversation that failed, and so was left unchanged.
func leftNotes(out *condense.Outcome) (notes []string) {
	for _, i := range out.Left() {
		notes = append(notes, leftNote(out.File.Convs[i].ID, i+1, report.WhyLeft(out.Conversations[i].Err)))
	}
	return notes
}

func leftNote(id string, number int, why string) string {
	name := fmt.Sprintf("conversation %d", number)
	if id != "" && id != fmt.Sprint(number) {
		name += " (" + id + ")"
	}
	return name + " was left as it is: " + why
}

// leftError names the conversations of a report that failed, and so were left unchanged. The
// others are condensed.
type leftError struct{ report *report.Report }

func (e *leftError) Error() string {
	var numbers []string
	var first string
	for _, c := range e.report.Conversations {
		if c.Failed == "" {
			continue
		}
		if numbers = append(numbers, fmt.Sprint(c.Number)); len(numbers) == 1 {
			first = leftNote(c.ID, c.Number, c.Failed)
		}
	}
	if len(numbers) == 1 {
		return first
	}
	return fmt.Sprintf("%d of %d conversations were left as they are, %s; %s",
		len(numbers), len(e.report.Conversations), strings.Join(numbers, ", "), first)
}
func (e *leftError) ExitCode() int { return exitPolicy }
func (e *leftError) Hint() string {
	return "this is a bug in condense, please report it with the file if you can; --strict refuses such a file as a whole"
}

// pick reports for each conversation whether --select selects it. An empty name selects all.
func pick(convs []*transcript.Conversation, name string) ([]bool, error) {
	picked, err := condense.Pick(convs, name)
	return picked, explained(err)
}

// sessionID returns the new id of the session: that of --session-id, or that in the name of
// the output. It returns "" if the id stays.
func sessionID(f *format.File, o *runOptions) string {
	id := o.sessionID
	if name := strings.TrimSuffix(filepath.Base(o.output), ".jsonl"); id == "" && !o.many && uuidName.MatchString(name) && f.Dialect.Sessions() {
		id = name
	}
	old := ""
	if len(f.Convs) > 0 {
		old = f.Convs[0].ID
	}
	if id == "new" {
		return format.DerivedID(old, o.pipeline.String(), o.strategy.Target.String())
	}
	return id
}

// uuidName matches the names of session files of Claude Code, without the extension.
var uuidName = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// unfitError reports a training set without a row that fits.
type unfitError struct{ *condense.UnfitError }

func (e *unfitError) Unwrap() error { return e.UnfitError }
func (e *unfitError) ExitCode() int { return exitPolicy }
func (e *unfitError) Hint() string {
	return "nothing was written; raise --target, or copy such rows: leave --drop-rows out"
}
