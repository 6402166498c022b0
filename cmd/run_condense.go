package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"condense/cmd/report"
	"condense/cmd/session"
	"condense/cmd/source"
	"condense/strategy"
	"condense/strategy/choose"
	"condense/strategy/condense"
	"condense/strategy/external"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// condensed holds the outcome of condensing one source, and further data for the report.
type condensed struct {
	*condense.Outcome
	counter *token.Counter
	chosen  []string    // the strategies of each conversation, if --strategy-for chooses them
	notes   []string    // for the report
	millis  [][]float64 // for each conversation, the durations of its stages
}

// condenseSource decodes a source and condenses it. It writes nothing but the log.
func condenseSource(ctx context.Context, src []byte, o *runOptions, count *counting, log *events) (*condensed, error) {
	const reading = "reading"
	log.steps.Begin(reading)
	file, err := o.decode(src)
	if err != nil {
		return nil, err
	}
	log.steps.Expect(otherSteps + len(file.Convs)*len(o.stages))
	log.steps.Step(reading)
	return consumeFile(ctx, file, o, count, log)
}

// otherSteps is the number of steps that a progress line shows beside the stages: the file is read
// first, and counted at the end.
const otherSteps = 2

// condenseFile condenses a decoded source. It does not change file.
func condenseFile(ctx context.Context, file *format.File, o *runOptions, count *counting, log *events) (*condensed, error) {
	return condenseWith(ctx, file, o, count, log, (*condense.Condenser).File)
}

// consumeFile is condenseFile for a source that nobody else uses. It takes less memory.
func consumeFile(ctx context.Context, file *format.File, o *runOptions, count *counting, log *events) (*condensed, error) {
	return condenseWith(ctx, file, o, count, log, (*condense.Condenser).Consume)
}

// condenseWith condenses a decoded source by a method of a condenser.
func condenseWith(ctx context.Context, file *format.File, o *runOptions, count *counting, log *events,
	do func(*condense.Condenser, context.Context, *format.File) (*condense.Outcome, error)) (*condensed, error) {
	counter, note, err := count.of(file.Convs)
	if err != nil {
		return nil, err
	}
	c := &condensed{counter: counter}
	library := o.libraryFor(c, log)
	library.SessionID = sessionID(file, o)
	condenser, err := condense.New(library)
	if err != nil {
		return nil, explained(err)
	}
	if c.Outcome, err = do(condenser, ctx, file); err != nil {
		return nil, explained(err)
	}
	c.millis = log.timed(len(file.Convs))
	if file.Column != "" && o.column == "" {
		c.notes = append(c.notes, "the conversation is the member "+file.Column+" of each row: nothing else in a row was read or changed")
	}
	if note != "" {
		c.notes = append(c.notes, note)
	}
	return c, nil
}

// libraryFor returns the options for package condense. A run with them adds to c which strategies were
// chosen.
func (o *runOptions) libraryFor(c *condensed, log *events) condense.Options {
	library := o.library(c.counter, log)
	if len(o.choices) > 0 {
		library.Choose = func(ctx context.Context, conv *transcript.Conversation, name string) ([]*strategy.Strategy, error) {
			stages, chosen, note, err := o.choose(ctx, conv, name, c.counter)
			c.chosen = append(c.chosen, chosen)
			if note != "" && !slices.Contains(c.notes, note) {
				c.notes = append(c.notes, note)
			}
			return stages, err
		}
	}
	return library
}

// A choice is one rule of --strategy-for. It has either a condition and strategies, or a
// program that names strategies.
type choice struct {
	condition choose.Condition
	text      string // the strategies as they were written
	stages    []*strategy.Strategy
	program   *external.Program
}

// parseChoice parses a value of --strategy-for.
func (o *runOptions) parseChoice(s string) (choice, error) {
	if strings.HasPrefix(s, external.Prefix) {
		program, err := external.Parse(s)
		o.external.choosers = append(o.external.choosers, program)
		return choice{program: &program}, err
	}
	condition, list, ok := strings.Cut(s, "=>")
	if !ok {
		return choice{}, errors.New("expected CONDITIONS=>STRATEGIES, such as 'tokens>100k => summarize', or exec:PROGRAM")
	}
	c := choice{text: strings.TrimSpace(list)}
	var err error
	if c.condition, err = choose.Parse(condition); err != nil {
		return choice{}, err
	}
	var programs []external.Program
	c.stages, programs, err = o.external.readPipeline(c.text)
	o.external.choosers = append(o.external.choosers, programs...)
	return c, err
}

// pipeline returns the strategies of the run as the report names them.
func (c *condensed) pipeline(o *runOptions) string {
	switch names := slices.Compact(slices.Clone(c.chosen)); len(names) {
	case 0:
		return o.pipeline.String()
	case 1:
		return names[0]
	}
	return "several"
}

// choose returns the strategies of the first rule of --strategy-for that applies to a
// conversation, their text as it was written, and a note for the report. If no rule applies,
// it returns nil and the text of --strategy.
func (o *runOptions) choose(
	ctx context.Context, c *transcript.Conversation, format string, counter *token.Counter,
) (stages []*strategy.Strategy, text, note string, err error) {
	properties := choose.PropertiesOf(c, format, counter.Block)
	for _, rule := range o.choices {
		if rule.program == nil {
			if rule.condition.Holds(properties) {
				return rule.stages, rule.text, fmt.Sprintf("%s by --strategy-for: %s", rule.text, rule.condition), nil
			}
			continue
		}
		stages, name, err := o.askForStrategies(ctx, *rule.program, c.ID, properties)
		if err != nil || stages != nil {
			return stages, name, fmt.Sprintf("%s by --strategy-for: %s", name, rule.program.Name()), err
		}
	}
	return nil, o.pipeline.String(), "", nil
}

// askForStrategies lets a program name the strategies for a conversation. It returns nil if the
// program names none, or failed and --exec-failure is skip.
func (o *runOptions) askForStrategies(ctx context.Context, p external.Program, id string, properties choose.Properties) ([]*strategy.Strategy, string, error) {
	request, _ := json.Marshal(struct {
		ID string `json:"id"`
		choose.Properties
	}{id, properties}) // strings and numbers have no fault
	answer, err := p.Ask(ctx, request, &o.external.limits)
	name := strings.TrimSpace(string(answer))
	var stages []*strategy.Strategy
	if err == nil && name != "" {
		if stages, _, err = o.external.readPipeline(name); err != nil {
			err = &external.Error{Program: p.Name(), Err: err}
		}
	}
	var failed *external.Error
	switch {
	case !errors.As(err, &failed):
		return stages, name, err
	case o.external.limits.Skip:
		return nil, "", nil
	}
	return nil, "", &programError{what: "no strategy was chosen", err: err}
}

// results returns the result of each conversation, nil for those that are not selected.
func (c *condensed) results() []*strategy.Result {
	list := make([]*strategy.Result, len(c.Conversations))
	for i := range c.Conversations {
		list[i] = c.Conversations[i].Result
	}
	return list
}

// rowsLeftOut returns the indexes of the rows that --drop-rows left out.
func (c *condensed) rowsLeftOut() []int {
	var convs []int
	for i := range c.Conversations {
		if c.Conversations[i].Dropped {
			convs = append(convs, i)
		}
	}
	if convs == nil {
		return nil
	}
	return c.File.RowsOf(convs)
}

// library returns the options for package condense.
func (o *runOptions) library(counter *token.Counter, log *events) condense.Options {
	library := condense.Options{
		Options: o.strategy, Pipeline: o.stages, Format: o.format, Column: o.column, Select: o.sel, Strict: o.strict, DropRows: o.dropRows, MaxBytes: int(o.maxBytes),
		Counter: counter, Model: o.asked, Watch: log.watch,
	}
	if o.client != nil {
		library.Ask = o.client.Ask
	}
	if o.stash.ids != nil {
		library.IDs = o.stash.ids.Taken
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
		len(numbers), e.report.Len(), strings.Join(numbers, ", "), first)
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
	if name := strings.TrimSuffix(filepath.Base(o.output), ".jsonl"); o.sessionID == "" && !o.many && uuidName.MatchString(name) && f.Dialect.Sessions() {
		return name
	}
	return o.sessionID
}

// makesSession reports whether the output is a second session, which gets the name and place that its
// client expects.
func (o *runOptions) makesSession(path string) bool {
	if o.sessionID == "" || o.replaces || o.dryRun || path == "" || path == "-" {
		return false
	}
	info, err := os.Stat(o.output)
	return o.output == "" || err == nil && info.IsDir()
}

// placeSession sets the path of the output, if that is a second session, and checks that it is free.
func (d *destination) placeSession(c *condensed) error {
	if !d.o.named {
		return nil
	}
	d.o.output = session.NewFile(c.File, d.in.Name, d.o.output, sessionOf(c.Outcome))
	if _, err := os.Stat(filepath.Dir(d.o.output)); err != nil {
		return nil // Copilot CLI has a folder for each session
	}
	return source.Creatable(d.o.output, d.create())
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
