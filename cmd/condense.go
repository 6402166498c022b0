package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
)

// condensed is what a run made of one source.
type condensed struct {
	file    *format.File
	cleaned []format.Mended            // orphan tags that were removed first
	results []*strategy.Result         // one for each conversation; nil for those not selected
	final   []*transcript.Conversation // what the output holds, as decoded again from it
	out     []byte                     // the output; the source itself when nothing changed
	changed bool
	session string         // the new session id, "" when it stays
	counter *token.Counter // by which all of it was counted
	notes   []string       // about the counting, for people
	millis  [][]float64    // how long the stages of each conversation took
}

// condense takes a source through the whole way: decode, run, encode, and
// decode again to see that the output is what was decided, breaks no rule that
// the input kept, and is not larger. Tags of Roo Code that hide nothing go first.
// Nothing is written here but the log.
func condense(ctx context.Context, src []byte, o *runOptions, counter *token.Counter, log *events) (*condensed, error) {
	file, err := format.Decode(src, o.format)
	if err != nil {
		return nil, err
	}
	return condenseFile(ctx, file, src, o, counter, log)
}

// condenseFile is condense of a source that was decoded already, which it leaves as it is.
func condenseFile(ctx context.Context, file *format.File, src []byte, o *runOptions, counter *token.Counter, log *events) (*condensed, error) {
	picked, err := pick(file.Convs, o.sel)
	if err != nil {
		return nil, err
	}
	counter, note, err := o.fitted(counter, file.Convs)
	if err != nil {
		return nil, err
	}
	file, cleaned, err := file.Prepare(picked)
	if err != nil {
		return nil, &refusedError{err}
	}
	session := sessionID(file, o)
	if o.tag || session != "" {
		if file, err = file.With(format.Options{Tag: o.tag, SessionID: session}); err != nil {
			return nil, err
		}
	}
	c := &condensed{
		file: file, cleaned: cleaned, session: session, changed: session != "" || len(cleaned) > 0,
		results: make([]*strategy.Result, len(file.Convs)), out: src, counter: counter,
	}
	if note != "" {
		c.notes = append(c.notes, note)
	}
	decided := make([]*transcript.Conversation, len(file.Convs))
	for i, conv := range file.Convs {
		decided[i] = conv
		if !picked[i] {
			continue
		}
		env := o.env(counter)
		env.Watch = log.watch(i, conv)
		r, err := strategy.Run(ctx, conv, o.stages, &o.strategy, env)
		if err != nil {
			return nil, err
		}
		c.results[i] = r
		for _, s := range r.Stages {
			c.changed = c.changed || len(s.Edits) > 0
		}
		decided[i] = r.Conv
	}
	c.final, c.millis = file.Convs, log.millis
	if !c.changed {
		return c, nil
	}
	return c, c.encode(src, decided, o)
}

// sessionID is the new id of the session: the one that was asked for, or the one
// that the output's name says; "" when it stays.
func sessionID(f *format.File, o *runOptions) string {
	id := o.sessionID
	if name := strings.TrimSuffix(filepath.Base(o.output), ".jsonl"); id == "" && !o.many && uuidName.MatchString(name) && f.Dialect.Sessions() {
		id = name
	}
	old := ""
	if len(f.Convs) > 0 {
		old = f.Convs[0].ID
	}
	switch id {
	case "new":
		return format.DerivedID(old, o.pipeline.String(), o.strategy.Target.String())
	case old:
		return ""
	}
	return id
}

// uuidName matches the names of session files.
var uuidName = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// encode writes the decided state to memory and checks the promises on it.
func (c *condensed) encode(src []byte, decided []*transcript.Conversation, o *runOptions) error {
	out, err := c.file.Bytes(decided)
	if err != nil {
		return &refusedError{err}
	}
	again, err := c.file.Verify(decided, out)
	if err != nil {
		return &refusedError{err}
	}
	if len(out) > len(src) && !o.tag && c.session == "" {
		return &refusedError{fmt.Errorf("it is larger than the input: %d bytes, not %d", len(out), len(src))}
	}
	for i, r := range c.results {
		if r == nil {
			continue
		}
		if added := rules.New(r.Faults, rules.Check(again.Convs[i])); len(added) > 0 {
			return &refusedError{fmt.Errorf("it would be invalid: %s", added[0])}
		}
		if after, _ := r.Measure(again.Convs[i]); after > r.Before {
			return &refusedError{fmt.Errorf("it has more tokens than the input: %d, not %d", after, r.Before)}
		}
	}
	c.out, c.final = out, again.Convs
	return nil
}

// pick finds the conversation that --select names, by id or by number from 1;
// all when it names none.
func pick(convs []*transcript.Conversation, name string) ([]bool, error) {
	picked := make([]bool, len(convs))
	found := false
	for i, c := range convs {
		picked[i] = name == "" || c.ID == name
		found = found || picked[i]
	}
	if n, err := strconv.Atoi(name); err == nil && !found && 1 <= n && n <= len(convs) {
		picked[n-1], found = true, true
	}
	if !found && name != "" {
		return nil, &usageError{
			fmt.Errorf("no conversation %q among %d", name, len(convs)),
			"--select takes an id or a number from 1; condense run -n FILE lists them",
		}
	}
	return picked, nil
}
