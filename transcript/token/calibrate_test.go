package token

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"condense/transcript"
)

// billed returns a conversation of n rounds with recorded usage. In each round a tool returns about
// the given number of tokens. The usage is that of the texts times factor, plus a system prompt that
// is not in the file. With a factor and a prompt of 0 there is no usage.
func billed(c *Counter, n, tokens int, factor float64, system int) *transcript.Conversation {
	var messages []*transcript.Message
	say := func(role transcript.Role, kind transcript.Kind, text string) *transcript.Message {
		m := &transcript.Message{Role: role, Blocks: []*transcript.Block{{Kind: kind, Origin: transcript.ByModel, Parts: []transcript.Part{{Text: text}}}}}
		messages = append(messages, m)
		return m
	}
	say(transcript.User, transcript.Text, "go on until it is done")
	for i := range n {
		now := transcript.New("", messages)
		texts := 0
		for _, b := range now.Blocks() {
			texts += c.units(b.Text())
		}
		m := say(transcript.Assistant, transcript.Text, fmt.Sprintf("I look at file %d.", i))
		framing := (c.framing.Message + 1) * len(now.Messages)
		m.SetUsage(&transcript.Usage{Input: 3, CacheRead: int(factor*float64(texts)) + framing + system, Output: 8})
		if factor == 0 {
			m.SetUsage(&transcript.Usage{})
		}
		say(transcript.User, transcript.Text, strings.Repeat(fmt.Sprintf("line %d, ", i), tokens/4))
	}
	return transcript.New("", messages)
}

func usages(c *transcript.Conversation) (list []*transcript.Usage) {
	for _, m := range c.Messages {
		if m.Usage() != nil {
			list = append(list, m.Usage())
		}
	}
	return list
}

// TestFit fits files with a known factor, and with faults.
func TestFit(t *testing.T) {
	c := mustNew(t, "o200k_base")
	const factor = 1.31
	for name, spoil := range map[string]func(u []*transcript.Usage){
		"as it was sent": func([]*transcript.Usage) {},
		"a compaction in the middle": func(u []*transcript.Usage) {
			for _, after := range u[12:] {
				after.CacheRead -= 4000
			}
		},
		"two compactions": func(u []*transcript.Usage) {
			for i, after := range u {
				after.CacheRead -= 3500 * (i / 9)
			}
		},
		"one usage of another request": func(u []*transcript.Usage) { u[7].CacheRead = 180_000 },
		"requests of a sub-agent between": func(u []*transcript.Usage) {
			for i := 3; i < len(u); i += 5 {
				u[i].CacheRead = 900 + 10*i
			}
		},
		"a stale usage, repeated": func(u []*transcript.Usage) { *u[5], *u[6] = *u[4], *u[4] },
		"zeros":                   func(u []*transcript.Usage) { *u[0], *u[9] = transcript.Usage{}, transcript.Usage{} },
		"all in the input": func(u []*transcript.Usage) {
			moveAll(u, func(x *transcript.Usage) { x.Input, x.CacheRead = x.Input+x.CacheRead, 0 })
		},
		"written to the cache": func(u []*transcript.Usage) {
			moveAll(u, func(x *transcript.Usage) { x.CacheWrite, x.CacheRead = 700, x.CacheRead-700 })
		},
		"a fifth is nonsense": func(u []*transcript.Usage) {
			for i := 2; i < len(u); i += 5 {
				u[i].CacheRead += 500 * (i%3 - 1)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			conv := billed(c, 25, 600, factor, 17_000)
			spoil(usages(conv))
			fit, err := c.Fit([]*transcript.Conversation{conv})
			if err != nil || math.Abs(fit.Factor-factor) > 0.02 || fit.Residual > 0.1 {
				t.Errorf("%+v, %v, want a factor of %v", fit, err, factor)
			}
			for _, v := range []float64{fit.Factor, fit.Residual} {
				if fmt.Sprint(v) != strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".") {
					t.Errorf("%v has more than three decimals", v)
				}
			}
		})
	}
}

// TestMedian checks that each value counts as often as its weight says.
func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		want   float64
		slopes []slope
	}{
		{0, nil},
		{7, []slope{{7, 3}}},
		{2, []slope{{3, 1}, {1, 1}, {2, 1}}},
		{1, []slope{{2, 1}, {1, 1}}}, // the lower of the two in the middle
		{2, []slope{{1, 1}, {2, 2}}},
		{1, []slope{{1, 2}, {2, 1}}},
		{9, []slope{{1, 10}, {9, 31}, {5, 20}}},
		{5, []slope{{1, 10}, {9, 30}, {5, 20}}},
	} {
		if got := median(tt.slopes); got != tt.want {
			t.Errorf("the median of %v is %v, want %v", tt.slopes, got, tt.want)
		}
	}
}

func moveAll(list []*transcript.Usage, move func(*transcript.Usage)) {
	for _, u := range list {
		move(u)
	}
}

// TestFitThinking checks that an answer with more tokens than in the file counts as one with
// thinking, which the next request carries. This holds only for a file with thinking.
func TestFitThinking(t *testing.T) {
	c := mustNew(t, "o200k_base")
	conv := billed(c, 20, 600, 1.2, 9000)
	thought := 0
	for _, m := range conv.Messages {
		if m.Usage() == nil {
			continue
		}
		m.Usage().CacheRead += thought
		m.Usage().Output += 900
		thought += 900
		m.Blocks = append([]*transcript.Block{{ID: 1, Kind: transcript.Thinking, Opaque: 300, Parts: []transcript.Part{{}}}}, m.Blocks...)
	}
	if fit, err := c.Fit([]*transcript.Conversation{conv}); err != nil || math.Abs(fit.Factor-1.2) > 0.03 {
		t.Errorf("%+v, %v, want a factor of 1.2", fit, err)
	}
	plain := billed(c, 20, 600, 1.2, 9000)
	for _, u := range usages(plain) {
		u.Output += 900 // thought, and not sent again
	}
	if fit, err := c.Fit([]*transcript.Conversation{plain}); err != nil || math.Abs(fit.Factor-1.2) > 0.02 {
		t.Errorf("%+v, %v, want a factor of 1.2", fit, err)
	}
}

// TestFitAnswers checks that the recorded size of each message determines the factor, too.
func TestFitAnswers(t *testing.T) {
	c := mustNew(t, "o200k_base")
	conv := billed(c, 8, 400, 0, 0)
	for _, m := range conv.Messages {
		m.SetUsage(&transcript.Usage{Output: int(1.1 * float64(c.units(m.Blocks[0].Text())))})
	}
	if fit, err := c.Fit([]*transcript.Conversation{conv}); err != nil || math.Abs(fit.Factor-1.1) > 0.01 || fit.Pairs != 8 {
		t.Errorf("%+v, %v, want a factor of 1.1 of 8 answers", fit, err)
	}
}

func TestFitRefuses(t *testing.T) {
	c := mustNew(t, "o200k_base")
	condensed := billed(c, 20, 600, 1.2, 9000)
	for _, m := range condensed.Messages {
		if m.Usage() == nil {
			m.Blocks[0].Parts[0].Text = "[Read a.go: 60 lines omitted]"
			m.Blocks[0].Origin = transcript.Generated
		}
	}
	first := &transcript.Message{Role: transcript.Assistant}
	first.SetUsage(&transcript.Usage{Input: 9})
	for name, tt := range map[string]struct {
		conv *transcript.Conversation
		want string
	}{
		"no usage":                     {billed(c, 20, 600, 0, 0), "records no usage"},
		"too little":                   {billed(c, 3, 600, 1.2, 0), "fewer than 5"},
		"short messages":               {billed(c, 20, 8, 1.2, 0), "fewer than 5"},
		"a condensed file":             {condensed, "fewer than 5"},
		"usage of something else":      {billed(c, 20, 600, 0.1, 9000), "does not belong to its messages"},
		"nothing in the conversation":  {transcript.New("", nil), "records no usage"},
		"usage before any other words": {transcript.New("", []*transcript.Message{first}), "allows 0 comparisons"},
	} {
		if fit, err := c.Fit([]*transcript.Conversation{tt.conv}); err == nil || !strings.Contains(err.Error(), tt.want) || fit.Factor != 0 {
			t.Errorf("%s: %+v, %v, want %q", name, fit, err, tt.want)
		}
	}
	if _, err := mustNew(t, "bytes4").Fit(nil); err == nil || !strings.Contains(err.Error(), "by definition") {
		t.Errorf("bytes4: %v", err)
	}
}

// TestLastSplit checks that the messages of one answer are no part of its request, however many they are.
func TestLastSplit(t *testing.T) {
	c := mustNew(t, "o200k_base")
	count := func(texts ...string) int {
		messages := []*transcript.Message{said(transcript.System, "Be brief."), said(transcript.User, "Hello world")}
		for _, text := range texts {
			messages = append(messages, said(transcript.Assistant, text))
		}
		messages[len(messages)-1].SetUsage(&transcript.Usage{Input: 99})
		conv := transcript.New("", messages)
		measured, counted := c.Last(conv, blocks(c, conv))
		if measured != 99 {
			t.Errorf("measured %d, want 99", measured)
		}
		return counted
	}
	whole := count("one two three")
	if want := c.Text("Be brief.") + c.Text("Hello world") + 2*4 + 3; whole != want {
		t.Errorf("counted %d, want %d", whole, want)
	}
	for _, parts := range [][]string{{"one", "two three"}, {"one", "two", "three"}} {
		if got := count(parts...); got != whole {
			t.Errorf("an answer of %d messages: counted %d, want %d", len(parts), got, whole)
		}
	}
}

func TestLast(t *testing.T) {
	c := mustNew(t, "o200k_base")
	conv := billed(c, 10, 300, 1, 5000)
	measured, counted := c.Last(conv, blocks(c, conv))
	if missing := measured - counted; missing < 4990 || missing > 5020 {
		t.Errorf("measured %d, counted %d, want about 5,000 more", measured, counted)
	}
	last := conv.Messages[len(conv.Messages)-1]
	last.Blocks[0].Parts[0].Text += " and what came after the request"
	if _, more := c.Last(conv, blocks(c, conv)); more != counted {
		t.Errorf("content behind it counts too: %d, not %d", more, counted)
	}
	last.Blocks[0].Origin = transcript.Generated
	if again, _ := c.Last(conv, blocks(c, conv)); again != measured {
		t.Errorf("measured %d when something after it was condensed, want %d", again, measured)
	}
	conv.Messages[2].Blocks[0].Origin = transcript.Generated
	if measured, counted := c.Last(conv, blocks(c, conv)); measured != 0 || counted != 0 {
		t.Errorf("a condensed file: measured %d, counted %d", measured, counted)
	}
	if measured, _ := mustNew(t, "bytes4").Last(billed(c, 10, 300, 1, 5000), 9); measured != 0 {
		t.Errorf("bytes4: measured %d", measured)
	}
}
