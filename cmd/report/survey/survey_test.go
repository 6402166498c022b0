package survey

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/source"
	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// message returns a message of texts.
func message(role transcript.Role, texts ...string) *transcript.Message {
	m := &transcript.Message{Role: role}
	for _, s := range texts {
		m.Blocks = append(m.Blocks, &transcript.Block{Parts: []transcript.Part{{Text: s}}})
	}
	return m
}

func hidden(m *transcript.Message) *transcript.Message {
	m.Hidden = true
	return m
}

// counter returns a counter of tokens.
func counter(t *testing.T) *token.Counter {
	t.Helper()
	c, err := token.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSameConversations checks the pairs of conversations: by id, and the others in order.
func TestSameConversations(t *testing.T) {
	list := func(ids string) (convs []*transcript.Conversation) {
		for id := range strings.SplitSeq(ids, " ") {
			if id != "" {
				convs = append(convs, transcript.New(strings.Trim(id, "?"), nil))
			}
		}
		return convs
	}
	for _, tt := range []struct{ a, b, want string }{
		{"x y", "y x", "0-1 1-0"},
		{"x y", "x y z", "0-0 1-1 .-2"},
		{"x y z", "z", "0-. 1-. 2-0"},
		{"x x", "x x", "0-0 1-1"},
		{"? ?", "? ? ?", "0-0 1-1 .-2"},
		{"x ? y", "y ? z", "0-1 1-2 2-0"},
		{"", "x", ".-0"},
	} {
		a, b := list(tt.a), list(tt.b)
		var got []string
		for _, p := range sameConversations(a, b) {
			name := func(all []*transcript.Conversation, c *transcript.Conversation) string {
				if c == nil {
					return "."
				}
				return string(rune('0' + slices.Index(all, c)))
			}
			got = append(got, name(a, p[0])+"-"+name(b, p[1]))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q and %q: %v, want %s", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestDiffers checks the differences of two conversations with their places and numbers.
func TestDiffers(t *testing.T) {
	count := counter(t)
	tokens := func(s string) int { return count.Text(s) }
	long := strings.Repeat("a line of it\n", 20)
	a := transcript.New("a", []*transcript.Message{
		message(transcript.User, "go", "one two three four six"), message(transcript.Assistant, long), message(transcript.User, "seen"),
		hidden(message(transcript.User, "not seen")), message(transcript.Assistant, "gone"),
	})
	b := transcript.New("b", []*transcript.Message{
		message(transcript.User, "go", "one two three four five"), message(transcript.Assistant, "a line of it\nnew"), hidden(message(transcript.User, "seen")),
		message(transcript.User, "not seen"),
	})
	d := NewDiffers(a, b, count)
	if d.ID != "a" || d.Only != "" || d.Messages != (report.Change{Before: 4, After: 3}) {
		t.Errorf("got %+v", d)
	}
	want := []Differ{
		{Message: 1, Other: 1, Block: 2, What: "user text", Op: "rewrite", Tokens: report.Change{Before: tokens("one two three four six"), After: tokens("one two three four five")}},
		{Message: 2, Other: 2, Block: 1, What: "assistant text", Op: "shorten", Tokens: report.Change{Before: tokens(long), After: tokens("a line of it\nnew")}},
		{Message: 3, Other: 3, Block: 0, What: "user message", Op: "hide", Tokens: report.Change{Before: tokens("seen")}},
		{Message: 4, Other: 4, Block: 0, What: "hidden user message", Op: "show", Tokens: report.Change{After: tokens("not seen")}},
		{Message: 5, Other: 5, Block: 1, What: "assistant text", Op: "drop", Tokens: report.Change{Before: tokens("gone")}},
	}
	for i, got := range d.Changes {
		if i >= len(want) {
			t.Errorf("and %+v", got)
			continue
		}
		short := Differ{Message: got.Message, Other: got.Other, Block: got.Block, What: got.What, Op: got.Op, Tokens: got.Tokens}
		if !reflect.DeepEqual(short, want[i]) {
			t.Errorf("got %+v\nwant %+v", got, want[i])
		}
	}
	if lines := d.Changes[1].Lines; lines == nil || *lines != (LineCounts{Kept: 1, Omitted: 19, Added: 1}) {
		t.Errorf("lines: %+v", lines)
	}
	for only, pair := range map[string][2]*transcript.Conversation{"a": {a, nil}, "b": {nil, b}} {
		if d := NewDiffers(pair[0], pair[1], count); d.Only != only || d.ID != only || (d.Messages.Before > 0) != (only == "a") || (d.Messages.After > 0) != (only == "b") {
			t.Errorf("only in %s: %+v", only, d)
		}
	}
}

// TestNewDifference checks the sums over the conversations of two files.
func TestNewDifference(t *testing.T) {
	file := func(src string) *format.File {
		f, err := format.Decode([]byte(src), "")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	row := func(text string) string {
		return `{"messages":[{"role":"user","content":"` + text + `"},{"role":"assistant","content":"ok"}]}` + "\n"
	}
	count := counter(t)
	a, b := file(row("one")+row("two three")), file(row("one")+row("two")+row("and more"))
	d := NewDifference(a, b, count)
	sum := func(texts ...string) (n int) {
		for _, s := range texts {
			n += count.Text(s)
		}
		return n
	}
	wantTokens := report.Change{Before: sum("one", "ok", "two three", "ok"), After: sum("one", "ok", "two", "ok", "and more", "ok")}
	if !d.Different || d.Tokens != wantTokens || d.Messages != (report.Change{Before: 4, After: 6}) || len(d.Conversations) != 3 || d.Conversations[2].Only != "b" {
		t.Errorf("got %+v, want tokens %+v", d, wantTokens)
	}
	if d := NewDifference(a, a, count); d.Different || d.Tokens.Before != d.Tokens.After {
		t.Errorf("a file differs from itself: %+v", d)
	}
}

// TestGrowth checks the tokens of the context up to each visible message.
func TestGrowth(t *testing.T) {
	c := transcript.New("c", []*transcript.Message{
		message(transcript.User, "a", "b"), hidden(message(transcript.Assistant, "c")), message(transcript.Assistant, "d e f"),
	})
	c.Messages[2].SetUsage(&transcript.Usage{Input: 1, CacheRead: 20, CacheWrite: 300, Output: 4000})
	words := func(b *transcript.Block) int { return len(strings.Fields(b.Text())) }
	got := growth(c, words)
	want := []Point{{Message: 1, Tokens: 2, Kind: got[0].Kind}, {Message: 3, Tokens: 5, Kind: got[1].Kind, Measured: 321}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestBytesOf checks that the bytes of a file are divided by their content.
func TestBytesOf(t *testing.T) {
	seen := message(transcript.User, "seven b")
	seen.Blocks = append(seen.Blocks,
		&transcript.Block{Kind: transcript.Thinking, Opaque: 11},
		&transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: &transcript.Medium{Data: "four"}}}})
	f := &format.File{Convs: []*transcript.Conversation{transcript.New("c", []*transcript.Message{seen, hidden(message(transcript.User, "gone"))})}}
	if got, want := bytesOf(f, 100), (Bytes{File: 100, Text: 7, Hidden: 4, Media: 4, Sealed: 11, Rest: 74}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := bytesOf(f, 20); got.Rest != 0 {
		t.Errorf("more content than bytes: %+v", got)
	}
}

// TestGroups checks that groups without blocks are left out.
func TestGroups(t *testing.T) {
	got := groups([]breakdown.Group{{Name: "a", Tokens: 5, Blocks: 1}, {Name: "b"}, {Name: "c", Blocks: 2}})
	if want := []Group{{Name: "a", Tokens: 5, Blocks: 1}, {Name: "c", Blocks: 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestFinish checks that the bytes of all files are added up, and that files name their
// tokenizer only where they differ in it.
func TestFinish(t *testing.T) {
	count := counter(t)
	one, other := report.Tokenizer{Name: "one"}, report.Tokenizer{Name: "other"}
	for _, second := range []report.Tokenizer{one, other} {
		b := &StatsBuilder{Stats: &Stats{Files: []FileStats{
			{Tokenizer: &one, Bytes: Bytes{File: 1, Text: 2, Hidden: 3, Media: 4, Sealed: 5, Rest: 6}},
			{Tokenizer: &second, Bytes: Bytes{File: 10, Text: 20, Hidden: 30, Media: 40, Sealed: 50, Rest: 60}},
		}}}
		s := b.Finish(count)
		if want := (Bytes{File: 11, Text: 22, Hidden: 33, Media: 44, Sealed: 55, Rest: 66}); s.Bytes != want || s.Tokenizer != one {
			t.Errorf("got %+v, %+v", s.Bytes, s.Tokenizer)
		}
		if alike := second == one; (s.Files[0].Tokenizer == nil) != alike || (s.Files[1].Tokenizer == nil) != alike {
			t.Errorf("tokenizers %+v and %+v", s.Files[0].Tokenizer, s.Files[1].Tokenizer)
		}
	}
	if s := (&StatsBuilder{Stats: &Stats{}}).Finish(count); s.Tokenizer.Name != "o200k_base" {
		t.Errorf("without files, the tokenizer is %+v", s.Tokenizer)
	}
}

// TestSummaryRows checks that the rows of training sets are added up.
func TestSummaryRows(t *testing.T) {
	var s Summary
	s.Add(&Summary{})
	if s.Rows != nil {
		t.Error("there are rows without a training set")
	}
	for range 2 {
		s.Add(&Summary{Rows: &report.Rows{Left: 3, Dropped: 2}})
	}
	if s.Rows == nil || s.Rows.Left != 6 || s.Rows.Dropped != 4 {
		t.Errorf("got %+v", s.Rows)
	}
}

// TestTypedTexts checks which typed texts count as kept: those that the other conversation has
// word for word, whole or within a longer text.
func TestTypedTexts(t *testing.T) {
	reminder := message(transcript.User, "note")
	reminder.Blocks[0].Origin = transcript.Injected
	said := message(transcript.Assistant, "one and two")
	said.Blocks[0].Origin = transcript.ByModel
	list := func(m ...*transcript.Message) *transcript.Conversation { return transcript.New("", m) }
	a := list(message(transcript.User, "one", "two"), reminder, hidden(message(transcript.User, "old")))
	for _, tt := range []struct {
		name string
		b    *transcript.Conversation
		want int
	}{
		{"same", a, 2},
		{"one is gone", list(message(transcript.User, "two")), 1},
		{"one has changed", list(message(transcript.User, "one", "tw o")), 1},
		{"within a summary", list(message(transcript.User, "Summary:\none\ntwo\n")), 2},
		{"a text twice is needed twice", list(message(transcript.User, "one two"), message(transcript.User, "two")), 2},
		{"another order", list(message(transcript.User, "two", "one")), 1},
		{"the model says it", list(message(transcript.User, "one"), said), 1},
		{"hidden now", list(hidden(message(transcript.User, "one", "two"))), 0},
		{"no conversation", nil, 0},
	} {
		if typed, missing := typedTexts(a, tt.b); typed != 2 || typed-len(missing) != tt.want {
			t.Errorf("%s: %d texts are typed, of which are missing %+v", tt.name, typed, missing)
		}
	}
}

// TestInjectedName checks that differences in text of the client are not named as the user's.
func TestInjectedName(t *testing.T) {
	m := message(transcript.User, "typed", "note")
	m.Blocks[1].Origin = transcript.Injected
	d := NewDiffers(transcript.New("", []*transcript.Message{m}), transcript.New("", nil), counter(t))
	var got []string
	for _, c := range d.Changes {
		got = append(got, c.What)
	}
	if want := []string{"user text", "injected text"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWritten checks that files without an output are in no sum of what was written.
func TestWritten(t *testing.T) {
	s := &Summary{Files: 2, Tokens: report.Change{Before: 300, After: 250}, Bytes: report.Change{Before: 3000, After: 2600}}
	s.AddUnwritten(&Unwritten{Files: 1, Tokens: 150, Bytes: 1200})
	s.Add(&Summary{Unwritten: &Unwritten{Files: 2, Tokens: 50, Bytes: 1000}})
	s.AddUnwritten(nil)
	if want := (Unwritten{Files: 3, Tokens: 200, Bytes: 2200}); *s.Unwritten != want {
		t.Errorf("got %+v, want %+v", *s.Unwritten, want)
	}
	tokens, bytes := s.Written()
	if want := (report.Change{Before: 100, After: 50}); tokens != want {
		t.Errorf("tokens are %v, want %v", tokens, want)
	}
	if want := (report.Change{Before: 800, After: 400}); bytes != want {
		t.Errorf("bytes are %v, want %v", bytes, want)
	}
}

// TestAdd checks the statistics of a file of which one conversation is picked, and that the end of a context
// ends the count.
func TestAdd(t *testing.T) {
	const data = `{"messages":[{"role":"user","content":"left out"}]}
{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"one two three four"},{"role":"assistant","content":"ok"}]}
`
	file, err := format.Decode([]byte(data), "")
	if err != nil {
		t.Fatal(err)
	}
	in, count := &source.Input{Name: "a.jsonl", Data: []byte(data)}, counter(t)
	tokens := count.Text("be brief") + count.Text("one two three four") + count.Text("ok")
	b := NewStatsBuilder(1)
	if err := b.Add(t.Context(), in, file, []bool{false, true}, count); err != nil {
		t.Fatal(err)
	}
	s := b.Finish(count)
	if s.Tokens != tokens || s.Messages != 3 || len(s.Files) != 1 || len(s.Files[0].Conversations) != 1 || s.Files[0].Tokens != tokens || s.Files[0].Bytes.File != len(data) {
		t.Errorf("got %+v, want %d tokens", s, tokens)
	}
	if len(s.Largest) != 1 || s.Largest[0].Conversation != 2 || s.Largest[0].Message != 2 || s.Largest[0].Block != 1 {
		t.Errorf("the largest blocks are %+v", s.Largest)
	}
	for name, groups := range map[string][]Group{"kinds": s.Kinds, "roles": s.Roles, "ages": s.Ages} {
		sum := 0
		for _, g := range groups {
			sum += g.Tokens
		}
		if sum != tokens {
			t.Errorf("the %s have %d tokens of %d: %+v", name, sum, tokens, groups)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := NewStatsBuilder(1).Add(ctx, in, file, []bool{true, true}, count); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// TestBeside checks which part of the provider's count counts as text outside the conversation, and which
// counts are too large to be true.
func TestBeside(t *testing.T) {
	plain := counter(t)
	model, err := token.ForModel("claude-sonnet-4-5") // it has a window of 200,000 tokens
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		counter       *token.Counter
		window        int   // of the user
		counts        []int // of the provider, one in each conversation
		most, doubted int   // the counts that remain; 0 for none
	}{
		{"about the count of condense", model, 0, []int{10}, 0, 0},
		{"within the window", model, 0, []int{20_000, 30_000, 25_000}, 30_000, 0},
		{"the whole window", model, 0, []int{200_000}, 200_000, 0},
		{"more than the window", model, 0, []int{200_001}, 0, 200_001},
		{"both", model, 0, []int{30_000, 250_000, 300_000, 260_000}, 30_000, 300_000},
		{"a larger window of the user", model, 1_000_000, []int{250_000}, 250_000, 0},
		{"no window is known", plain, 100_000, []int{250_000}, 250_000, 0},
	} {
		var convs []*transcript.Conversation
		want := 0
		for _, n := range tt.counts {
			answer := message(transcript.Assistant, "ok")
			answer.SetUsage(&transcript.Usage{Input: n})
			c := transcript.New("", []*transcript.Message{message(transcript.User, "one two three"), answer})
			convs = append(convs, c)
			total, _ := breakdown.Measure(c, tt.counter.Block)
			if measured, counted := tt.counter.Last(c, total); measured == tt.most {
				want = measured - counted
			}
		}
		if most, doubted := Beside(convs, tt.counter, tt.window); most != want || doubted != tt.doubted {
			t.Errorf("%s: %d and %d, want %d and %d", tt.name, most, doubted, want, tt.doubted)
		}
	}
}
