package token

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// Many programs save the provider's count for each request. The counts determine the
// factor between a unit and the model's own tokenizer, although the file does not
// hold the system prompt and the tools: these are the same in all requests and cancel
// out in differences.
//
// A difference can be wrong: a compaction removed messages, the request of a
// sub-agent lies between those of the agent, or a program saved a usage twice or that
// of another request. The requests are therefore cut into stretches in which the
// prompt grows as the messages of the file explain. Each request is compared with
// that half a stretch later. The factor is the median of the comparisons, weighted by
// the text between the two, so that it holds while less than half of them are wrong.

const (
	minText  = 200  // tokens of the unit between two requests; less is mostly framing
	minPairs = 5    // pairs of requests below which there is no factor
	maxRise  = 4    // tokens of the prompt for each token of text; more is another content
	slack    = 2000 // tokens by which a prompt may grow beyond that
)

// Fit is a factor found in recorded usage.
type Fit struct {
	Factor   float64 // tokens of the provider for each of the unit, to three decimals
	Residual float64 // share; half of the text is off by at most this, either way
	Pairs    int     // pairs of requests compared
	Requests int     // requests with a recorded size
}

// Scale returns the fit as a [Scale]. Its band is the residual.
func (f Fit) Scale() Scale {
	return Scale{
		Method: Calibrated, Factor: f.Factor, Band: f.Residual,
		Source: fmt.Sprintf("the usage that the file records, %d pairs of %d requests", f.Pairs, f.Requests),
	}
}

// Fit returns the factor between the unit and the usage recorded in conversations,
// hidden messages included. The error is the reason why there is no factor: too
// little usage, usage of other messages, or a unit that is not a real encoding.
func (c *Counter) Fit(convs []*transcript.Conversation) (Fit, error) {
	if !c.unit.real {
		return Fit{}, fmt.Errorf("%s counts by definition and is not calibrated", c.unit.name)
	}
	fit := Fit{}
	var slopes []slope
	for _, conv := range convs {
		requests := c.requests(conv.Messages)
		fit.Requests += len(requests)
		for _, stretch := range stretches(requests) {
			slopes = append(slopes, compare(stretch)...)
		}
	}
	if fit.Requests == 0 {
		if slopes = c.answers(convs); len(slopes) == 0 {
			return fit, fmt.Errorf("the file records no usage")
		}
		fit.Requests = len(slopes)
	}
	fit.Pairs = len(slopes)
	if fit.Pairs < minPairs {
		return fit, fmt.Errorf("the usage that the file records allows %d comparisons, and fewer than %d are not trusted", fit.Pairs, minPairs)
	}
	factor := median(slopes)
	if CheckFactor(factor) != nil {
		return fit, fmt.Errorf("the usage that the file records does not belong to its messages: it is %.2f times their tokens", factor)
	}
	for i := range slopes {
		slopes[i].value = math.Abs(slopes[i].value-factor) / factor
	}
	fit.Factor = math.Round(factor*1000) / 1000
	fit.Residual = math.Round(median(slopes)*1000) / 1000
	return fit, nil
}

// request holds the record of one request to the model.
type request struct {
	prompt int  // tokens that the provider counted
	texts  int  // tokens of the unit in the messages before it
	rest   int  // other content of these, in tokens of the model
	broken bool // a message since the request before differs from the one sent
}

// requests returns the requests of messages, in order. The messages of a request are
// those before its answer, which may be several messages.
func (c *Counter) requests(messages []*transcript.Message) (list []request) {
	var now, before request // sums of the messages so far, and of those before the answer
	answering, thought := false, false
	for _, m := range messages[:lastPrompt(messages)+1] {
		if m.Role != transcript.Assistant {
			answering = false
		} else if !answering {
			answering, thought, before = true, false, now
		}
		names, fixed := c.around(m)
		now.texts, now.rest = now.texts+names, now.rest+fixed
		for _, b := range m.Blocks {
			t, r := c.block(b)
			now.texts, now.rest = now.texts+t, now.rest+r
			now.broken = now.broken || rewritten(b)
			thought = thought || b.Kind == transcript.Thinking
		}
		if m.Usage() == nil || !answering {
			continue
		}
		if before.prompt = prompt(m); before.prompt > 0 {
			list = append(list, before)
			now.broken = false
		}
		if shown := now.texts - before.texts + now.rest - before.rest; thought && 2*m.Usage().Output > 3*shown {
			// The answer is longer than in the file, which omits or encrypts thinking.
			// The next request carries all of the counted tokens.
			now.texts, now.rest = before.texts, before.rest+m.Usage().Output
		}
		answering = false
	}
	return list
}

// lastPrompt returns the index of the last message that records the size of a
// request, or -1. Messages after it need not be counted.
func lastPrompt(messages []*transcript.Message) int {
	for i, m := range slices.Backward(messages) {
		if prompt(m) > 0 {
			return i
		}
	}
	return -1
}

// prompt returns the tokens of the request that m answers, as the provider counted
// them; 0 when the file does not record them.
func prompt(m *transcript.Message) int {
	if m.Usage() == nil || m.Role != transcript.Assistant {
		return 0
	}
	return m.Usage().Input + m.Usage().CacheRead + m.Usage().CacheWrite
}

// stretches cuts requests where the prompt did not grow as the messages explain. It
// leaves out a request of the same size as that before although messages lie between:
// the program saved one usage twice.
func stretches(requests []request) (list [][]request) {
	var now []request
	for _, r := range requests {
		if len(now) > 0 {
			last := now[len(now)-1]
			rise, texts := r.prompt-last.prompt-(r.rest-last.rest), r.texts-last.texts
			if r.prompt == last.prompt && texts > 0 && !r.broken {
				continue
			}
			if r.broken || r.prompt < last.prompt || rise > maxRise*texts+slack {
				list, now = append(list, now), nil
			}
		}
		now = append(now, r)
	}
	return append(list, now)
}

// slope is one comparison: tokens of the model for each of the unit, and the number
// of tokens of the unit.
type slope struct {
	value  float64
	weight int
}

// compare compares each request of a stretch with that half a stretch later.
func compare(stretch []request) (list []slope) {
	half := max(1, len(stretch)/2)
	for i := 0; i+half < len(stretch); i++ {
		a, b := stretch[i], stretch[i+half]
		if texts := b.texts - a.texts; texts >= minText {
			list = append(list, slope{float64(b.prompt-a.prompt-(b.rest-a.rest)) / float64(texts), texts})
		}
	}
	return list
}

// answers compares messages with the recorded size of the answer, for files that do
// not record the size of requests. It leaves out messages with calls or thinking,
// whose tokens differ from the text in the file.
func (c *Counter) answers(convs []*transcript.Conversation) (list []slope) {
	const least = 50 // tokens of the unit
	for _, conv := range convs {
		for _, m := range conv.Messages {
			if m.Usage() == nil || m.Usage().Output == 0 {
				continue
			}
			texts := 0
			for _, b := range m.Blocks {
				if b.Kind != transcript.Text {
					texts = 0
					break
				}
				t, _ := c.block(b)
				texts += t
			}
			if texts >= least {
				list = append(list, slope{float64(m.Usage().Output) / float64(texts), texts})
			}
		}
	}
	return list
}

// median returns the weighted median.
func median(slopes []slope) float64 {
	slices.SortFunc(slopes, func(a, b slope) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.weight, b.weight))
	})
	total := 0
	for _, s := range slopes {
		total += s.weight
	}
	below := 0
	for _, s := range slopes {
		if below += s.weight; 2*below >= total {
			return s.value
		}
	}
	return 0
}

// Last compares the last request of the effective view with a recorded size to the
// count of its messages, framing included. total is the sum of [Counter.Block] over
// the blocks of the effective view. Both results are in tokens, and 0 when there is
// no such request, or when one of its messages differs from the one sent.
func (c *Counter) Last(conv *transcript.Conversation, total int) (measured, counted int) {
	messages := slices.Collect(conv.Visible())
	at := lastPrompt(messages)
	if at < 0 || !c.unit.real {
		return 0, 0
	}
	measured = prompt(messages[at])
	for at > 0 && messages[at-1].Role == transcript.Assistant && messages[at-1].Usage() == nil {
		at-- // the answer consists of several messages
	}
	counted = total + c.framing.Reply
	names := 0
	for i, m := range messages {
		if i < at {
			n, fixed := c.around(m)
			names, counted = names+n, counted+fixed
		}
		for _, b := range m.Blocks {
			if i >= at {
				counted -= c.Block(b)
			} else if rewritten(b) {
				return 0, 0
			}
		}
	}
	return measured, counted + c.scaled(names)
}

// rewritten reports whether a block differs from the one sent with the recorded usage.
func rewritten(b *transcript.Block) bool {
	return b.Origin == transcript.Generated || transcript.IsMarker(b.Text())
}
