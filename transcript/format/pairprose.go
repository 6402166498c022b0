package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/rules"
)

// proseID begins the ids that pairProse gives, as the file has none for such
// calls. Alone it is an answer that has no call yet.
const proseID = rules.MadeUp

// pairProse pairs calls with answers that are given as text in the user message
// after them: by the tool's name, in order, and for what is left in order alone.
// A native call that is answered in text gives the answer its own id.
func pairProse(msgs []*transcript.Message) {
	var open []*transcript.Block // calls of the last assistant message that no result answers
	for i, m := range msgs {
		switch m.Role {
		case transcript.Assistant:
			open = open[:0]
			for _, b := range m.Blocks {
				if b.Kind == transcript.ToolCall {
					open = append(open, b)
				}
			}
		case transcript.User:
			if !hasNativeResult(m) {
				open = matchAnswers(open, unpaired(m), func(a, c *transcript.Block) bool { return a.Tool == c.Tool }, i)
				open = matchAnswers(open, unpaired(m), func(_, _ *transcript.Block) bool { return true }, i)
			}
			for _, a := range unpaired(m) {
				a.Call = ""
			}
		case transcript.Tool: // answers without ids: functions of 2023, training sets
			for _, a := range m.Blocks {
				if a.Kind == transcript.ToolResult && a.Call == "" {
					a.Call = proseID
				}
			}
			open = matchAnswers(open, unpaired(m), func(a, c *transcript.Block) bool { return c.Call == "" && a.Tool == c.Tool }, i)
			open = matchAnswers(open, unpaired(m), func(_, c *transcript.Block) bool { return c.Call == "" }, i)
			for _, a := range unpaired(m) {
				a.Call = ""
			}
		}
	}
}

func unpaired(m *transcript.Message) (answers []*transcript.Block) {
	for _, b := range m.Blocks {
		if b.Kind == transcript.ToolResult && b.Call == proseID {
			answers = append(answers, b)
		}
	}
	return answers
}

func hasNativeResult(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if b.Kind == transcript.ToolResult && b.Call != "" && !strings.HasPrefix(b.Call, proseID) {
			return true
		}
	}
	return false
}

// matchAnswers pairs each answer with the first open call that fits, and gives
// the calls that stay open.
func matchAnswers(open, answers []*transcript.Block, fits func(answer, call *transcript.Block) bool, msg int) []*transcript.Block {
	for n, a := range answers {
		for i, c := range open {
			if !fits(a, c) {
				continue
			}
			if c.Call == "" {
				c.Call = fmt.Sprintf("%s%d.%d", proseID, msg, n)
			}
			a.Call = c.Call
			if a.Tool == "" {
				a.Tool = c.Tool
			}
			open = append(open[:i:i], open[i+1:]...)
			break
		}
	}
	return open
}
