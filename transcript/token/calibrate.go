package token

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// Many programs save what the provider counted for each request. From that the
// factor between a unit and the model's own tokenizer can be found, without
// knowing what else was in the requests: system prompt and tools are the same in
// all of them, so they are not in the differences.
//
// A difference can be wrong for many reasons: a compaction has taken messages
// out, a sub-agent's request stands between those of the agent, a program saved
// the same usage twice, or one of another request. So the requests are cut into
// stretches in which the prompt grows by what the file can account for, each is
// compared with one half a stretch away, and the factor is the median, weighted by
// the text between the two: half of the text may lie and the rest still decides.

const (
	minText  = 200 // tokens of the unit between two requests: less is mostly framing
	minPairs = 5   // pairs of requests below which there is no factor
	maxRise  = 4   // a prompt that grew by more than this for each token of text holds something else
	slack    = 2000
)

// Fit is the factor that recorded usage shows.
type Fit struct {
	Factor   float64 // tokens that the provider counted for each of the unit, to three decimals
	Residual float64 // percent by which half of the text is off, either way, by this factor
	Pairs    int     // pairs of requests that were compared
	Requests int     // requests that the file tells the size of
}

// Scale is the fit as a [Scale]. Its band is the residual.
func (f Fit) Scale() Scale {
	return Scale{
		Method: Calibrated, Factor: f.Factor, Band: f.Residual,
		Source: fmt.Sprintf("the usage that the file records, %d pairs of %d requests", f.Pairs, f.Requests),
	}
}

// Fit finds the factor that the usage in conversations shows, hidden messages
// included. When it shows none, the error says why.
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
	fit.Residual = math.Round(median(slopes)*1000) / 10
	return fit, nil
}

// request is what a file tells of one request to the model.
type request struct {
	prompt int  // tokens that the provider counted
	texts  int  // tokens of the unit in the messages before it
	rest   int  // what else is in them, in tokens of the model
	broken bool // something between this request and the one before is not as it was sent
}

// requests lists the requests of messages, in order. The messages before a
// request are those before the answer, which may be several messages.
func (c *Counter) requests(messages []*transcript.Message) (list []request) {
	var now, before request // what the messages so far hold, and those before the answer
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
		if m.Usage == nil || !answering {
			continue
		}
		if before.prompt = prompt(m); before.prompt > 0 {
			list = append(list, before)
			now.broken = false
		}
		if shown := now.texts - before.texts + now.rest - before.rest; thought && 2*m.Usage.Output > 3*shown {
			// The answer is more than the file shows: thinking that it leaves out
			// or seals. What was counted is all that the next request carries.
			now.texts, now.rest = before.texts, before.rest+m.Usage.Output
		}
		answering = false
	}
	return list
}

// lastPrompt is the index of the last message that tells the size of a request, or
// -1: nothing behind it need be counted.
func lastPrompt(messages []*transcript.Message) int {
	for i, m := range slices.Backward(messages) {
		if prompt(m) > 0 {
			return i
		}
	}
	return -1
}

// prompt is how many tokens the provider counted in the request that m answers; 0
// when the file does not tell.
func prompt(m *transcript.Message) int {
	if m.Usage == nil || m.Role != transcript.Assistant {
		return 0
	}
	return m.Usage.Input + m.Usage.CacheRead + m.Usage.CacheWrite
}

// stretches cuts requests where the prompt did not grow by what the messages
// account for. A request with the size of the one before, although messages came
// between, repeats it and is left out.
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

// slope is one comparison: tokens of the model for each of the unit, and how many
// of the unit were compared.
type slope struct {
	value  float64
	weight int
}

// compare compares each request of a stretch with the one half a stretch later.
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

// answers compares messages with what was counted for them alone, for files that
// tell no more. Calls and thinking are left out: what was counted for them is not
// what the file shows.
func (c *Counter) answers(convs []*transcript.Conversation) (list []slope) {
	const least = 50 // tokens of the unit
	for _, conv := range convs {
		for _, m := range conv.Messages {
			if m.Usage == nil || m.Usage.Output == 0 {
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
				list = append(list, slope{float64(m.Usage.Output) / float64(texts), texts})
			}
		}
	}
	return list
}

// median is the value that half of the weight lies on either side of.
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

// Last compares the last request of the effective view of which the file tells
// the size with what the messages in it count, framing included, in tokens. total
// is what the blocks of the effective view count, as the caller knows it. Both are 0
// when there is no such request, or when something in it is not as it was sent.
func (c *Counter) Last(conv *transcript.Conversation, total int) (measured, counted int) {
	messages := slices.Collect(conv.Visible())
	at := lastPrompt(messages)
	if at < 0 || !c.unit.real {
		return 0, 0
	}
	measured = prompt(messages[at])
	for at > 0 && messages[at-1].Role == transcript.Assistant && messages[at-1].Usage == nil {
		at-- // the answer is several messages
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

// rewritten reports whether a block is not what was sent when usage was recorded.
func rewritten(b *transcript.Block) bool {
	return b.Origin == transcript.Generated || transcript.IsMarker(b.Text())
}
