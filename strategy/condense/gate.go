package condense

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// encode encodes the decided changes. It leaves a conversation alone if its changes would break a
// guarantee.
func (r *run) encode(ctx context.Context) error {
	s := search{try: r.try}
	s.fail = func(i int, err error) error {
		var unfit *unfitOutput
		fits := !errors.As(err, &unfit)
		if (fits || unfit.whole) && r.whole(ctx, i, s.good, err) {
			s.good = append(slices.Clip(s.good), i)
			return nil
		}
		if fits {
			return r.fail(ctx, i, &RefusedError{err, r.damage(i)})
		}
		if unfit.anchor && r.anchored(ctx, i) {
			if !edited(r.convs[i].Result) {
				return nil
			}
			list := append(slices.Clip(s.good), i)
			if _, err := r.try(list); err == nil {
				s.good = list
				return nil
			}
		}
		r.convs[i].Result.Undo(unfit.why)
		return nil
	}
	if len(r.changed) > 0 {
		if err := s.add(ctx, r.changed); err != nil {
			return err
		}
	}
	r.good, r.tries = s.good, s.tries
	if len(r.good) == 0 && r.elsewhere() {
		if _, err := r.try(nil); err != nil {
			return &RefusedError{Err: err}
		}
	}
	return nil
}

// try encodes the changes of the listed conversations. If the output keeps the guarantees, it becomes
// the output of the run. Otherwise the error states the reason, and broken holds the conversations at
// fault as far as they are known.
func (r *run) try(list []int) (broken map[int]error, err error) {
	final := slices.Clone(r.file.Convs)
	for _, i := range list {
		final[i] = r.convs[i].Result.Conv
	}
	out, err := r.file.Bytes(final)
	if err != nil {
		return nil, err
	}
	again, differs, err := r.file.Compare(final, out)
	if err != nil && !slices.ContainsFunc(final, hasBlocks) {
		return nil, &unfitOutput{why: fmt.Sprintf("an output without content would not be read as %s", r.file.Dialect.Name), anchor: true}
	}
	if unknown := new(format.Error); errors.As(err, &unknown) && unknown.Offset < 0 { // it is JSON, but has no conversation
		return nil, &unfitOutput{why: fmt.Sprintf("the output would not be read as %s: %s", r.file.Dialect.Name, unknown.Reason), anchor: true}
	}
	if err != nil {
		return nil, err
	}
	broken = map[int]error{}
	note := func(i int, wrong error) {
		if wrong == nil {
			return
		}
		if broken[i] = wrong; err == nil {
			err = wrong
		}
	}
	for i, wrong := range differs {
		note(i, wrong)
	}
	if err != nil {
		return broken, err
	}
	if len(out) > len(r.src) && !r.o.Hide {
		return nil, &unfitOutput{why: fmt.Sprintf("the output would have %s bytes, more than the %s of the input", transcript.Number(len(out)), transcript.Number(len(r.src)))}
	}
	if err := r.misread(again); err != nil && len(list) > 0 {
		return nil, err
	}
	for _, i := range list {
		if wrong := r.misplaced(i, again); wrong != nil {
			note(i, wrong)
			continue
		}
		note(i, r.worse(i, again))
	}
	found := again.New(r.file.Dialect.Target(), r.file)
	for _, f := range found {
		if f.Severity == rules.Error {
			note(f.Conv, invalid(f))
		}
	}
	if err != nil {
		return broken, err
	}
	r.use(out, again, found)
	return nil, nil
}

// use makes an output, as it is decoded, that of the run. warnings are new ones about it.
func (r *run) use(out []byte, again *format.File, warnings []rules.Finding) {
	r.out, r.decoded, r.warnings = out, again, warnings
	for i := range r.convs {
		r.convs[i].Final = again.Convs[i]
	}
}

// An unfitOutput is the error for an output that keeps the guarantees about the
// conversations, but not those about the file. The run undoes the edits that lead to it.
type unfitOutput struct {
	why    string
	anchor bool // to keep one more unit may help
	whole  bool // to keep all messages may help
}

func (e *unfitOutput) Error() string { return e.why }

// damage describes the first fault of conversation i in the source, hidden messages included. It
// returns "" if the source has none.
func (r *run) damage(i int) string {
	for _, p := range []*rules.Profile{r.file.Dialect.Target(), &rules.Any} {
		for _, f := range r.file.Check(p) {
			if f.Conv == i && (f.Severity == rules.Error || unlinked(f)) {
				return f.String()
			}
		}
	}
	if len(r.file.Faults) > 0 {
		return r.file.Faults[0].Text
	}
	var all []*transcript.Message
	for _, m := range r.file.Convs[i].Messages {
		shown := *m
		shown.Hidden, shown.Blocks = false, nil
		for _, b := range m.Blocks {
			own := *b
			shown.Blocks = append(shown.Blocks, &own)
		}
		all = append(all, &shown)
	}
	if found := rules.Check(transcript.New("", all)); len(found) > 0 {
		return found[0].String()
	}
	return r.file.Unlinked(i)
}

// unlinked reports whether a finding says that the records of a session are not linked as its client
// links them. It is a warning, because clients read such a session, each in its own manner.
func unlinked(f rules.Finding) bool {
	return slices.Contains([]string{rules.UUIDUnique.ID, rules.SplitMessage.ID, rules.QwenChain.ID}, f.Rule)
}

// misread returns an error if detection finds another dialect in an output than in the
// source. The output of a source without content need not be detected.
func (r *run) misread(out *format.File) error {
	if r.readable(out) || !slices.ContainsFunc(out.Convs, hasBlocks) && !slices.ContainsFunc(r.file.Convs, hasBlocks) {
		return nil
	}
	as := "no known format"
	if out.Detected != nil {
		as = out.Detected.Name
	}
	return &unfitOutput{why: fmt.Sprintf("the output would be read as %s, not as %s", as, r.file.Dialect.Name), anchor: true}
}

// readable reports whether detection finds in an output the dialect that it found in the source. It need
// not if the caller names the format.
func (r *run) readable(out *format.File) bool {
	return r.o.Format != "" || r.file.Detected != r.file.Dialect || out.Detected == r.file.Dialect
}

func hasBlocks(c *transcript.Conversation) bool {
	return slices.ContainsFunc(c.Messages, func(m *transcript.Message) bool { return len(m.Blocks) > 0 })
}

// callsIn returns the number of calls in messages. A format may spread the blocks of a message over several, so
// messages are not compared one by one.
func callsIn(messages []*transcript.Message) (n int) {
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == transcript.ToolCall {
				n++
			}
		}
	}
	return n
}

// misplaced returns an error if a reader would take a new message of conversation i for the output of a
// call, a text of the model for a call, or a typed text for that of a tool or of the client.
func (r *run) misplaced(i int, out *format.File) error {
	want, got := shown(r.convs[i].Result.Conv), shown(out.Convs[i])
	for k := range min(len(want), len(got)) {
		if r.file.Convs[i].Message(want[k].ID) == nil && !hasResult(want[k]) && hasResult(got[k]) {
			return &unfitOutput{why: "a new message would be read as the output of a call", whole: true}
		}
	}
	if callsIn(got) > callsIn(want) {
		return &unfitOutput{why: "a text of the model would be read as a call", whole: true}
	}
	if !retold(want, got) {
		return &unfitOutput{why: "a typed text would be read as text of a tool or of the client", whole: true}
	}
	return nil
}

// retold reports whether the typed texts of messages are typed, or text of a summary, in what a reader finds.
func retold(want, found []*transcript.Message) bool {
	var typed []string
	for _, m := range want {
		for _, b := range m.Blocks {
			if b.Kind == transcript.Text && b.Origin == transcript.Typed {
				typed = append(typed, folded(b))
			}
		}
	}
	if typed == nil {
		return true
	}
	var all strings.Builder
	for _, m := range found {
		for _, b := range m.Blocks {
			if b.Origin == transcript.Typed || b.Origin == transcript.Generated {
				all.WriteString(folded(b) + " ")
			}
		}
	}
	rest := all.String() // the texts stand in their order
	for _, text := range typed {
		_, behind, there := strings.Cut(rest, text)
		if !there && !strings.Contains(all.String(), text) {
			return false
		}
		if there {
			rest = behind
		}
	}
	return true
}

// folded returns the text of a block with single spaces.
func folded(b *transcript.Block) string { return strings.Join(strings.Fields(b.Text()), " ") }

// shown returns the visible messages that have blocks.
func shown(c *transcript.Conversation) (list []*transcript.Message) {
	for m := range c.Visible() {
		if len(m.Blocks) > 0 {
			list = append(list, m)
		}
	}
	return list
}

func hasResult(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Kind == transcript.ToolResult })
}

// worse returns an error if conversation i of an output breaks a rule that the source keeps, or has
// more tokens.
func (r *run) worse(i int, out *format.File) error {
	was, is := r.convs[i].Result, out.Convs[i]
	if added := rules.New(was.Faults, rules.Check(is)); len(added) > 0 {
		return invalid(added[0])
	}
	if after, _ := was.Measure(is); after > was.Before {
		return fmt.Errorf("it has more tokens than the input: %d, not %d", after, was.Before)
	}
	return nil
}

// invalid returns the error for a new finding.
func invalid(f rules.Finding) error { return fmt.Errorf("it would be invalid: %s", f) }

// maxTries limits the failed tries of a search, so that its work is linear in the source. The limit
// suffices to find six faulty changes among a million by halving. The search leaves out all changes
// that it has not confirmed by then.
const maxTries = 128

// A search finds changes that can be made together.
type search struct {
	// try makes the changes in a list. If it fails, the error states the reason, and broken
	// holds the changes at fault as far as they are known.
	try func(list []int) (broken map[int]error, err error)
	// fail leaves a change out. An error ends the search.
	fail func(i int, err error) error

	good  []int // changes that can be made together
	tries int   // number of failed tries
}

// add tries more changes besides the good ones. If that fails, it leaves out the changes at fault. If
// these are not known, it tries each half.
func (s *search) add(ctx context.Context, more []int) error {
	if err := ctx.Err(); err != nil || len(more) == 0 {
		return err
	}
	list := append(slices.Clip(s.good), more...)
	broken, err := s.try(list)
	if err == nil {
		s.good = list
		return nil
	}
	s.tries++
	var rest []int
	for _, i := range more {
		if broken[i] == nil {
			rest = append(rest, i)
		} else if err := s.fail(i, broken[i]); err != nil {
			return err
		}
	}
	n := len(rest)
	switch shown := n < len(more); {
	case s.tries >= maxTries || n == 1 && !shown:
		for _, i := range rest {
			if err := s.fail(i, err); err != nil {
				return err
			}
		}
		return nil
	case shown:
		return s.add(ctx, rest)
	}
	if err := s.add(ctx, rest[:n/2]); err != nil {
		return err
	}
	return s.add(ctx, rest[n/2:])
}
