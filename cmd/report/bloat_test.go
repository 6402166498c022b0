package report

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

// TestBloat adds up the bloat of files, and describes it.
func TestBloat(t *testing.T) {
	var sum Bloat
	sum.Add(Bloat{Ignored: Extra{1, 900}, Images: Extra{2, 3_000_000}})
	sum.Add(Bloat{Ignored: Extra{2, 100}, Snapshots: Extra{1, 2000}, Hidden: Extra{3, 500}, Images: Extra{1, 1_000_000}})
	if want := (Bloat{Extra{3, 1000}, Extra{1, 2000}, Extra{3, 500}, Extra{3, 4_000_000}}); sum != want || sum.Bytes() != 4_003_500 {
		t.Errorf("the sum is %+v, %d bytes", sum, sum.Bytes())
	}
	want := []string{"1.0 kB in 3 records that the client does not need", "2.0 kB in 1 snapshot of files", "500 bytes in 3 hidden messages", "4.0 MB in 3 images"}
	if got := sum.Parts(false); !slices.Equal(got, want) {
		t.Errorf("the parts are %q", got)
	}
	help := sum.Parts(true)
	for i, how := range []string{"condense rescue removes them", "condense rescue --drop-snapshots removes them", "--drop-hidden removes them", "condense run --images 'last 10' keeps the newest"} {
		if help[i] != want[i]+" ("+how+")" {
			t.Errorf("part %d is %q", i, help[i])
		}
	}
	if got := (&Bloat{Hidden: Extra{1, 70}}).WhyOver(50_000, 80_000); got != "cannot reach 50.0 kB: condensing leaves at least 80.0 kB, of them 70 bytes in 1 hidden message (--drop-hidden removes them)" {
		t.Errorf("got %q", got)
	}
	if got := (&Bloat{}).WhyOver(1, 2_000_000); got != "cannot reach 1 byte: condensing leaves at least 2.0 MB" {
		t.Errorf("got %q", got)
	}
}

// TestWhyLarge checks for which files the report explains their size: large ones of which at least half is bloat.
func TestWhyLarge(t *testing.T) {
	half := Bloat{Images: Extra{4, 1_000_000}}
	if got := half.WhyLarge(2_000_000); got != "the file has still 2.0 MB: 1.0 MB in 4 images (condense run --images 'last 10' keeps the newest)" {
		t.Errorf("got %q", got)
	}
	for _, n := range []int{2_000_001, 1 << 19} {
		if got := half.WhyLarge(n); got != "" {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}

// TestSize checks numbers of bytes for people.
func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 9149: "9.1 kB", 999_900: "999.9 kB", 1_000_000: "1.0 MB", 14_240_000: "14.2 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// rows decodes three rows of a training set.
func rows(t *testing.T) *format.File {
	t.Helper()
	f, err := format.Decode([]byte(strings.Repeat(`{"messages":[{"role":"user","content":"What is it?"},{"role":"assistant","content":"A number of gates."},{"role":"user","content":"And?"},{"role":"assistant","content":"Two."}]}`+"\n", 3)), "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLabels counts what a model learns from rows: not from those that are left out, and only what is the same.
func TestLabels(t *testing.T) {
	f := rows(t)
	shorter := transcripttest.Conversation(f.Convs[2].Messages[:2]...)
	other := transcripttest.Conversation(transcripttest.User("What is it?"), transcripttest.Model("A gate."), transcripttest.User("And?"), transcripttest.Model("Two."))
	one := func(final *transcript.Conversation, dropped bool) condense.Conversation {
		return condense.Conversation{Result: &strategy.Result{}, Final: final, Dropped: dropped}
	}
	for _, tt := range []struct {
		list []condense.Conversation
		want Change
	}{
		{[]condense.Conversation{one(f.Convs[0], false), one(f.Convs[1], false), one(f.Convs[2], false)}, Change{6, 6}},
		{[]condense.Conversation{one(f.Convs[0], true), one(f.Convs[1], false), one(shorter, false)}, Change{4, 3}},
		{[]condense.Conversation{{}, one(other, false), one(f.Convs[2], false)}, Change{4, 3}},
	} {
		if got := labels(&condense.Outcome{File: f, Conversations: tt.list}); *got != tt.want {
			t.Errorf("got %+v, want %+v", *got, tt.want)
		}
	}
}

// TestBrief adds up the outcomes of two chunks, and lists of their conversations only those that failed and the
// first that is over its budget.
func TestBrief(t *testing.T) {
	f := rows(t)
	one := func(i int, budget int, err error) condense.Conversation {
		r := untouched(t, f.Convs[i])
		r.Budget = budget
		return condense.Conversation{Result: r, Final: f.Convs[i], Err: err}
	}
	tokens := untouched(t, f.Convs[0]).Before
	var sums Brief
	sums.Add(&condense.Outcome{File: f, Conversations: []condense.Conversation{one(0, 0, nil), {}, one(1, 1, nil)}})
	sums.Add(&condense.Outcome{File: f, Conversations: []condense.Conversation{one(2, 1, nil), one(0, tokens, errors.New("too odd"))}})
	r := sums.Report(counter(t, "bytes4"))
	if r.Count != 4 || r.Len() != 4 || r.Tokens != (Change{4 * tokens, 4 * tokens}) || tokens == 0 || r.Changed || r.Format != f.Dialect.Name || r.Tokenizer.Name != "bytes4" || r.Unchanged == "" {
		t.Errorf("got %+v", r)
	}
	var listed []string
	for _, c := range r.Conversations {
		listed = append(listed, c.Failed)
		if c.Failed == "" && (c.Number != 2 || c.Reached || c.Budget != 1) || c.Failed != "" && (c.Number != 4 || !c.Reached) {
			t.Errorf("listed is %+v", c)
		}
	}
	if !slices.Equal(listed, []string{"", "too odd"}) {
		t.Errorf("listed are %q", listed)
	}
	sums.Add(&condense.Outcome{File: f, Changed: true})
	if r := sums.Report(counter(t, "bytes4")); !r.Changed || r.Unchanged != "" {
		t.Errorf("after a change: %+v", r)
	}
}

// TestTurnsWithoutHidden checks that the timeline leaves out messages that the model did not see.
func TestTurnsWithoutHidden(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.Hidden(transcripttest.User("old")), transcripttest.User("one"), transcripttest.Model("two"))
	r := untouched(t, c)
	var numbers []int
	for _, turn := range turns(r, r.Conv) {
		numbers = append(numbers, turn.Message)
	}
	if !slices.Equal(numbers, []int{2, 3}) {
		t.Errorf("the messages are %d", numbers)
	}
}

// TestBlockName checks the names of texts: those in a message of the user are not the user's if another wrote them.
func TestBlockName(t *testing.T) {
	for want, m := range map[string]*transcript.Message{
		"user text":           transcripttest.User("x"),
		"assistant text":      transcripttest.Model("x"),
		"injected text":       transcripttest.Message(transcript.User, transcript.Injected, "x"),
		"generated text":      transcripttest.Message(transcript.User, transcript.Generated, "x"),
		"tool call Read a.go": transcripttest.Model(transcripttest.Call("1", "Read", "file_path=a.go")),
	} {
		c := transcripttest.Conversation(m)
		for ref, b := range c.Blocks() {
			if got := BlockName(c, ref, b); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

// TestRounding checks that shares are shown with few digits: a threshold as it was given, and what is retained
// never as more than it is.
func TestRounding(t *testing.T) {
	for share, want := range map[float64]float64{.07: 7, .9: 90, .925: 92.5, .125: 12.5} {
		if got := newDecision(&strategy.Decision{Rule: "threshold", Threshold: share}).Threshold; got != want {
			t.Errorf("a threshold of %v is %v, want %v", share, got, want)
		}
	}
	r := &retain.Retention{}
	r.Typed.Of, r.Typed.Kept = 3, 2
	if got := NewRetained(r).User; got != .6666 {
		t.Errorf("two of three are %v", got)
	}
}
