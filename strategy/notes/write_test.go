package notes

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestExchange checks that a second question continues the exchange: the first question stays as it is,
// behind it stand the answer and what is wrong with it.
func TestExchange(t *testing.T) {
	var prompts []Prompt
	req := Request{Messages: session(), Window: 8000, Typed: true}
	if _, err := Write(t.Context(), scripted(&prompts, answers("OK.", written(nil))...), req); err != nil {
		t.Fatal(err)
	}
	if len(prompts) != 2 || prompts[0].Answer+prompts[0].Again != "" {
		t.Fatalf("asked %d times, first %+v", len(prompts), prompts[0])
	}
	second := prompts[1]
	if second.Answer != "OK." || !strings.Contains(second.Again, "most sections were missing") || strings.Contains(second.Again, "date parser") {
		t.Errorf("answer %q, then %q", second.Answer, second.Again)
	}
	if second.Answer, second.Again = "", ""; second != prompts[0] {
		t.Error("the first question has changed")
	}
	long := "## Intent\n" + strings.Repeat("word ", 5000)
	prompts = nil
	if _, err := Write(t.Context(), scripted(&prompts, answers(long, written(nil))...), req); err != nil {
		t.Fatal(err)
	}
	if n := words(prompts[1].Answer); n > mostOfAnAnswer+5 || !strings.Contains(prompts[1].Answer, "bytes omitted]") {
		t.Errorf("the answer has %d words", n)
	}
}

var sentPart = regexp.MustCompile(`request (\d+)`)

// requests returns a conversation of n messages of about 200 words.
func requests(n int) (messages []*transcript.Message) {
	for i := range n {
		messages = append(messages, user(fmt.Sprintf("request %d %s", i, strings.Repeat("word ", 200))))
	}
	return messages
}

// clerk answers each question with notes that name it, as "note N" for a part, and as "merged N of A
// and B" for a merge of two notes. It refuses prompts of more than limit words, if limit is not 0.
type clerk struct {
	limit   int
	named   int // the limit that the refusal names; 0 for none
	prompts []Prompt
	refused int
	asked   []string // what the notes said
}

// thing matches the name of notes of a clerk.
var thing = regexp.MustCompile(`## Current state\n((?:note|merged) \d+)`)

// things returns the names of the notes in a text.
func things(text string) (names []string) {
	for _, m := range thing.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

func (c *clerk) ask(_ context.Context, p Prompt) (Reply, error) {
	if n := words(p.System) + words(p.Text) + p.MaxTokens; c.limit > 0 && n > c.limit {
		c.refused++
		return Reply{}, &LengthError{Window: c.named, Err: errors.New("maximum context length")}
	}
	c.prompts = append(c.prompts, p)
	said := fmt.Sprintf("note %d", len(c.prompts))
	if strings.Contains(p.Text, "Make one set of notes") {
		said = fmt.Sprintf("merged %d of %s", len(c.prompts), strings.Join(things(p.Text), " and "))
	}
	c.asked = append(c.asked, said)
	return Reply{Text: written(map[string]string{"Current state": said + strings.Repeat(" as it is", 40)}), In: 10, Out: 5}, nil
}

// sent returns the numbers of the messages in the questions about parts, in order.
func (c *clerk) sent() (numbers []string) {
	for _, p := range c.prompts {
		for _, m := range sentPart.FindAllStringSubmatch(p.Text, -1) {
			numbers = append(numbers, m[1])
		}
	}
	return numbers
}

// inOrder lists the numbers below n.
func inOrder(n int) (numbers []string) {
	for i := range n {
		numbers = append(numbers, fmt.Sprint(i))
	}
	return numbers
}

// TestMerge checks that each merge gets the notes of its parts, each once and oldest first, and that the
// last merge is the result.
func TestMerge(t *testing.T) {
	c := &clerk{}
	s, err := Write(t.Context(), Env{Tokens: words, Ask: c.ask}, Request{Messages: requests(80), Window: 4500, Room: 400, Typed: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.sent(); !slices.Equal(got, inOrder(80)) {
		t.Errorf("sent %v", got)
	}
	// Takes the merges apart: the parts that the result was made of, in order.
	var parts []string
	var open func(said string)
	open = func(said string) {
		if strings.HasPrefix(said, "note") {
			parts = append(parts, said)
			return
		}
		at := slices.IndexFunc(c.asked, func(a string) bool { return strings.HasPrefix(a, said+" of ") })
		_, of, _ := strings.Cut(c.asked[at], " of ")
		for _, one := range strings.Split(of, " and ") {
			open(one)
		}
	}
	last, _, _ := strings.Cut(c.asked[len(c.asked)-1], " of ")
	open(last)
	var want []string
	for _, said := range c.asked {
		if strings.HasPrefix(said, "note") {
			want = append(want, said)
		}
	}
	if len(want) < 7 || !slices.Equal(parts, want) || !strings.Contains(s.Text, last+" of ") {
		t.Errorf("%d parts, the result %s was made of %v", len(want), s.Text, parts)
	}
	if merges := len(c.asked) - len(want); merges < 3 || s.Calls != len(c.asked) || len(s.Plan.Calls) != s.Calls {
		t.Errorf("%d merges, %d questions, %d planned", merges, s.Calls, len(s.Plan.Calls))
	}
}

// TestSmallerParts checks that a report of a prompt that is too long leads to smaller parts: no message
// is lost or sent twice, and notes that are written stay.
func TestSmallerParts(t *testing.T) {
	for _, tt := range []struct {
		name    string
		limit   int
		named   int
		window  int
		refused int
	}{
		{"named", 4500, 4500, 16_000, 1},
		{"not named", 4500, 0, 16_000, 2},
		{"named in smaller tokens", 4500, 6500, 8000, 2},
		{"unknown window", 9000, 9000, 0, 1},
		{"large enough", 16_000, 16_000, 16_000, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &clerk{limit: tt.limit, named: tt.named}
			afforded := 0
			env := Env{Tokens: words, Ask: c.ask, Afford: func(int, int) error { afforded++; return nil }}
			s, err := Write(t.Context(), env, Request{Messages: requests(120), Window: tt.window, Room: 400, Typed: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := c.sent(); !slices.Equal(got, inOrder(120)) || c.refused != tt.refused || afforded != 1+tt.refused {
				t.Errorf("refused %d, afforded %d, sent %v", c.refused, afforded, got)
			}
			if told := strings.Contains(strings.Join(s.Remarks, "; "), "smaller parts were sent"); told != (tt.refused > 0) {
				t.Errorf("remarks %q", s.Remarks)
			}
		})
	}
	t.Run("in the middle", func(t *testing.T) {
		c := &clerk{named: 4500}
		env := Env{Tokens: words, Ask: func(ctx context.Context, p Prompt) (Reply, error) {
			if len(c.prompts) == 2 { // the server is another one from here on
				c.limit = 4500
			}
			return c.ask(ctx, p)
		}}
		s, err := Write(t.Context(), env, Request{Messages: requests(120), Window: 9000, Room: 400, Typed: true})
		if err != nil || c.refused != 1 || !slices.Equal(c.sent(), inOrder(120)) {
			t.Fatalf("%v, refused %d, sent %v", err, c.refused, c.sent())
		}
		if last := c.prompts[len(c.prompts)-1].Text; !strings.Contains(s.Text, "merged") || len(things(last)) < 2 {
			t.Errorf("the result is %s", s.Text)
		}
	})
	t.Run("always", func(t *testing.T) {
		c := &clerk{limit: 1}
		s, err := Write(t.Context(), Env{Tokens: words, Ask: c.ask}, Request{Messages: requests(120), Window: 1 << 20, Room: 400, Typed: true})
		if err == nil || c.refused != most+1 || s.Text != "" {
			t.Errorf("%v after %d refusals", err, c.refused)
		}
	})
	t.Run("no room", func(t *testing.T) {
		c := &clerk{limit: 500, named: 500}
		var small *WindowError
		if _, err := Write(t.Context(), Env{Tokens: words, Ask: c.ask}, Request{Messages: requests(120), Window: 9000, Room: 400, Typed: true}); !errors.As(err, &small) || small.Window != 500 {
			t.Errorf("got %v", err)
		}
	})
}

// TestShorten checks that a message that is larger than a part is condensed before it is sent, and cut
// in the middle only where that is not enough.
func TestShorten(t *testing.T) {
	messages := append(session(), tool(strings.Repeat("line of a very long listing ", 4000)))
	for _, left := range []string{"the two lines that matter", strings.Repeat("far too much ", 9000)} {
		var prompts []Prompt
		var asked []int
		env := scripted(&prompts, answers(written(map[string]string{"Current state": strings.Repeat("x ", 60)}))...)
		env.Shorten = func(m *transcript.Message, tokens int) *transcript.Message {
			asked = append(asked, tokens)
			if m != messages[6] {
				t.Errorf("shortened %v", m)
			}
			return tool(left)
		}
		if _, err := Write(t.Context(), env, Request{Messages: messages, Window: 5000, Room: 300, Typed: true}); err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, p := range prompts {
			if n := words(p.System) + words(p.Text) + p.MaxTokens; n > 5000 {
				t.Errorf("a question has %d words", n)
			}
			all += p.Text
		}
		if len(asked) != 1 || asked[0] < smallest-20 || asked[0] > 4000 || !strings.Contains(all, left[:20]) || strings.Contains(all, "line of a very") {
			t.Errorf("shortened to %v", asked)
		}
		if cut := strings.Contains(all, "bytes omitted]"); cut != (len(left) > 100) {
			t.Errorf("cut in the middle: %v", cut)
		}
	}
}

// TestSections checks that the user's messages are asked for only where nothing else holds them, and
// that the question names the latest request, as data.
func TestSections(t *testing.T) {
	for _, typed := range []bool{true, false} {
		var prompts []Prompt
		req := Request{Messages: session(), Window: 8000, Typed: typed, Latest: "And now the calendar, please."}
		notes := written(map[string]string{"Next step": "> And now the calendar, please.\nRead src/calendar.go."})
		if !typed {
			notes = strings.Replace(notes, "## User messages\nNone.\n\n", "", 1)
		}
		s, err := Write(t.Context(), scripted(&prompts, answers(notes)...), req)
		if err != nil || len(prompts) != 1 || s.Text != notes {
			t.Fatalf("%v, %d questions, %v:\n%s", err, len(prompts), s.Remarks, s.Text)
		}
		p := prompts[0]
		if strings.Contains(p.System, "## User messages") != typed || strings.Contains(p.System, "Do not list them again") == typed {
			t.Errorf("typed %v: the instructions are\n%s", typed, p.System)
		}
		for _, want := range []string{"<analysis>", "tried in vain", "## Corrections", "word for word", "## Current state", "## Next step"} {
			if !strings.Contains(p.System, want) {
				t.Errorf("the instructions lack %q", want)
			}
		}
		if !regexp.MustCompile(`latest request.*:\n<<<(data-\w+)\nAnd now the calendar, please\.\ndata-\w+>>>\nNow write the notes\.$`).MatchString(p.Text) {
			t.Errorf("asked\n%s", p.Text)
		}
	}
}

// TestCode checks that code in notes is verified line by line, as quotes are, that fences are closed, and
// that the draft is thrown away.
func TestCode(t *testing.T) {
	messages := append(session(), tool("    41→func Month(d Date) (int, error) {\n    42→\treturn d.m + 1, nil\n    43→}"))
	given := written(map[string]string{
		"Files and code": "src/date.go holds\n```go\nfunc Month(d Date) (int, error) {\n\treturn d.m + 2, nil\n}\n```\n```\nfunc Invented() {\n```",
		"Decisions":      "```\n# Never change  the public names.\nreturn d.m + 1, nil",
	})
	want := written(map[string]string{
		"Files and code": "src/date.go holds\n```go\nfunc Month(d Date) (int, error) {\n}\n```",
		"Decisions":      "```\nreturn d.m + 1, nil\n\n```",
	})
	var prompts []Prompt
	s, err := Write(t.Context(), scripted(&prompts, answers("<analysis>\nfunc Draft()\n</analysis>\n"+given)...), Request{Messages: messages, Window: 8000, Typed: true})
	if err != nil || s.Removed != 3 || strings.Join(strings.Fields(s.Text), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("removed %d, %v:\n%s", s.Removed, err, s.Text)
	}
}
