package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// counter returns the counter of a model.
func counter(t *testing.T, name string) *token.Counter {
	t.Helper()
	c, err := token.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// untouched returns the result of a run without stages, whose only change is that the messages in hidden
// are hidden.
func untouched(t *testing.T, c *transcript.Conversation, hidden ...int) *strategy.Result {
	t.Helper()
	r, err := strategy.Run(t.Context(), c, nil, &strategy.Options{}, strategy.Env{Tokens: counter(t, "bytes4").Block})
	if err != nil {
		t.Fatal(err)
	}
	after := *c
	after.Messages = nil
	for i, m := range c.Messages {
		own := *m
		own.Hidden = own.Hidden || slices.Contains(hidden, i)
		after.Messages = append(after.Messages, &own)
	}
	r.Conv = &after
	return r
}

// TestHiddenMessages checks that a run which hides messages counts those that were hidden before it apart.
func TestHiddenMessages(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.Hidden(transcripttest.User("old")), transcripttest.User("one"), transcripttest.Model("two"), transcripttest.User("three"))
	r := untouched(t, c, 1, 2)
	if got := newConversation(r, r.Conv, true, false, counter(t, "bytes4")); got.Hidden != 1 || got.NewlyHidden != 2 {
		t.Errorf("%d were hidden and %d are now, want 1 and 2", got.Hidden, got.NewlyHidden)
	}
	if got := newConversation(r, r.Conv, false, false, counter(t, "bytes4")); got.Hidden != 3 || got.NewlyHidden != 0 {
		t.Errorf("in a run that does not hide: %d and %d, want 3 and 0", got.Hidden, got.NewlyHidden)
	}
}

// TestNumbersAndRows checks that a conversation has its number in the file, and that a dropped one keeps
// nothing.
func TestNumbersAndRows(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.User("one"), transcripttest.Model("two"))
	r := untouched(t, c)
	b := Builder{Explain: true, Counter: counter(t, "bytes4"), Millis: make([][]float64, 3), Outcome: &condense.Outcome{
		Conversations: []condense.Conversation{{}, {Result: r, Final: c}, {Result: r, Final: c, Dropped: true, Err: errors.New("no place")}},
	}}
	kept, dropped := b.conversation(1), b.conversation(2)
	if kept.Number != 2 || len(kept.Kept) == 0 || kept.Dropped || kept.Failed != "" {
		t.Errorf("got %+v", kept)
	}
	if dropped.Number != 3 || len(dropped.Kept) > 0 || !dropped.Dropped || dropped.Failed != "no place" {
		t.Errorf("dropped: %+v", dropped)
	}
}

// TestFlatMedia checks that only the media of selected conversations are counted.
func TestFlatMedia(t *testing.T) {
	image := func(n int) *transcript.Conversation {
		b := &transcript.Block{Kind: transcript.Media}
		for range n {
			b.Parts = append(b.Parts, transcript.Part{Media: &transcript.Medium{Type: "image/png"}})
		}
		return transcripttest.Conversation(transcripttest.User(b, "See."))
	}
	selected := image(2)
	o := &condense.Outcome{Conversations: []condense.Conversation{{Final: image(5)}, {Result: untouched(t, selected), Final: selected}}}
	if got := flatMedia(o, counter(t, "o200k_base")); got != 2 {
		t.Errorf("%d media are counted, want 2", got)
	}
	if got := flatMedia(o, counter(t, "bytes4")); got != 0 {
		t.Errorf("%d media are counted in a unit that is no token", got)
	}
}

// TestWhyLeft checks that the reason of a refused output is named without its prefix.
func TestWhyLeft(t *testing.T) {
	plain := errors.New("it is larger")
	refused := &condense.RefusedError{Err: plain}
	if got := WhyLeft(plain); got != "it is larger" {
		t.Errorf("got %q", got)
	}
	if got := WhyLeft(fmt.Errorf("conversation 2: %w", refused)); got != refused.Reason() || !strings.Contains(got, "it is larger") || strings.Contains(got, "refused") {
		t.Errorf("refused: %q", got)
	}
}

// TestBandInPercent checks that the known error of a counter is reported in percent.
func TestBandInPercent(t *testing.T) {
	c, err := token.ForModel("claude-opus-4-5")
	if err != nil {
		t.Fatal(err)
	}
	scale := c.Scale()
	if got := TokenizerOf(c); scale.Band <= 0 || math.Abs(got.Band-100*scale.Band) > 0.005 || got.Factor != scale.Factor {
		t.Errorf("got %+v for %+v", got, scale)
	}
}

// TestTurnsWithInsertions checks the place of messages that a run inserts, and that records
// without content have no tokens.
func TestTurnsWithInsertions(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.User("12341234"), transcripttest.Model(), transcripttest.Model("1234"))
	r := untouched(t, c)
	next, err := c.Apply([]transcript.Edit{
		{At: transcript.At(c.Messages[0].ID), Op: transcript.Insert, New: transcripttest.User("123412341234")},
		{At: transcript.At(transcript.End), Op: transcript.Insert, New: transcripttest.User("1234123412341234")},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Conv = next
	var got []string
	for _, turn := range turns(r, next) {
		got = append(got, fmt.Sprintf("%d %s %d-%d", turn.Message, turn.Role, turn.Tokens.Before, turn.Tokens.After))
	}
	if want := []string{"0 user 0-3", "1 user 2-2", "2 assistant 0-0", "3 assistant 1-1", "0 user 0-4"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestInsertion checks how an inserted message is reported: one that hides others is a marker.
func TestInsertion(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.User("one"), transcripttest.Model("two"))
	r := untouched(t, c)
	summary, marker := transcripttest.User("first", "second"), transcripttest.User("hidden")
	marker.Hides = true
	for _, tt := range []struct {
		edit transcript.Edit
		want Edit
	}{
		{transcript.Edit{At: transcript.At(c.Messages[1].ID), Op: transcript.Insert, New: summary, Why: "short"},
			Edit{Message: 2, Stage: "s", Op: "insert", What: "user message", Left: LeftNew, Why: "short", After: "first\nsecond", Tokens: Change{After: 4}}},
		{transcript.Edit{At: transcript.At(transcript.End), Op: transcript.Insert, New: marker},
			Edit{Message: 3, Stage: "s", Op: "insert", What: "marker", Left: LeftNew, After: "hidden", Tokens: Change{After: 2}}},
	} {
		if got := insertion(r, "s", &tt.edit); got != tt.want {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
	}
}

// TestUntag checks that removed tags are reported as the first stage, for their own conversation.
func TestUntag(t *testing.T) {
	mended := []format.Mended{
		{Finding: rules.Finding{Conv: 1, Message: "no message has the tag"}, Message: 4},
		{Finding: rules.Finding{Conv: 0, Message: "another"}, Message: 7},
	}
	conv := func() *Conversation {
		return &Conversation{Tokens: Change{Before: 90, After: 30}, Stages: []Stage{{Name: "dedupe"}}, Edits: []Edit{{Message: 1, Stage: "dedupe"}}}
	}
	c := conv()
	untag(c, 1, mended)
	if len(c.Stages) != 2 || c.Stages[0].Name != "orphan-tags" || c.Stages[0].Edits != 1 || c.Stages[0].Tokens != (Change{90, 90}) || c.Stages[1].Name != "dedupe" {
		t.Errorf("stages %+v", c.Stages)
	}
	if len(c.Edits) != 2 || c.Edits[0].Message != 4 || c.Edits[0].Why != "no message has the tag" || c.Edits[1].Stage != "dedupe" {
		t.Errorf("edits %+v", c.Edits)
	}
	c = conv()
	if untag(c, 2, mended); len(c.Stages) != 1 || len(c.Edits) != 1 {
		t.Errorf("without tags: %+v", c)
	}
}

// TestSharesAreRoundedDown checks that shares are cut to four decimals.
func TestSharesAreRoundedDown(t *testing.T) {
	r := NewRetained(&retain.Retention{Typed: retain.Count{Of: 3, Kept: 2}})
	if r.User != .6666 || r.Typed != (Change{3, 2}) {
		t.Errorf("the share is %v of %v", r.User, r.Typed)
	}
}

// TestJSONErrors checks that a value that JSON cannot hold is an error, and that nothing is written.
func TestJSONErrors(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, struct{ X float64 }{math.NaN()}); err == nil || !strings.HasPrefix(err.Error(), "report as JSON: ") || b.Len() > 0 {
		t.Errorf("%v, %q", err, &b)
	}
}

// TestMissed checks that a conversation without a budget misses none.
func TestMissed(t *testing.T) {
	for _, tt := range []struct {
		c    Conversation
		want bool
	}{
		{Conversation{Budget: 5}, true}, {Conversation{Budget: 5, Reached: true}, false}, {Conversation{}, false},
	} {
		if got := tt.c.Missed(); got != tt.want {
			t.Errorf("%+v: %t", tt.c, got)
		}
	}
}
