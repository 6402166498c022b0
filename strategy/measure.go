package strategy

import "condense/transcript"

// Share is the tokens of one kind of content.
type Share struct {
	Kind   string
	Tokens int
}

// The kinds of content, in the order of reports.
const (
	ofSystem = iota
	ofUser
	ofClient
	ofSummary
	ofMarker
	ofModel
	ofThinking
	ofCalls
	ofResults
	ofMedia
	ofRest
)

// kinds are their names.
var kinds = [...]string{
	ofSystem: "system", ofUser: "user", ofClient: "injected", ofSummary: "summaries", ofMarker: "markers", ofModel: "assistant", ofThinking: "thinking",
	ofCalls: "tool calls", ofResults: "tool results", ofMedia: "images", ofRest: "other",
}

// Measure counts the effective view of a conversation: in all, and by kind of
// content, always the same kinds in the same order.
func Measure(c *transcript.Conversation, tokens func(*transcript.Block) int) (total int, shares []Share) {
	_, numbers := count(c, tokens)
	shares = make([]Share, len(kinds))
	for i, k := range kinds {
		shares[i].Kind = k
	}
	i := 0
	for ref, b := range c.Blocks() {
		total += numbers[i]
		shares[kindOf(b, c.Message(ref.Msg).Role)].Tokens += numbers[i]
		i++
	}
	return total, shares
}

// Measure is [Measure] by the tokens of the run, of its input or of its output as
// decoded again. What the run has counted is not counted again. It is not safe for
// concurrent use.
func (r *Result) Measure(c *transcript.Conversation) (total int, shares []Share) {
	r.counts.recall(r.Conv, c)
	return Measure(c, r.counts.block)
}

// Tokens counts a block as the run did: those that [Result.Measure] has measured
// are known.
func (r *Result) Tokens(b *transcript.Block) int { return r.counts.block(b) }

// kindOf is the index in kinds of a block's kind.
func kindOf(b *transcript.Block, role transcript.Role) int {
	switch b.Kind {
	case transcript.Thinking:
		return ofThinking
	case transcript.ToolCall:
		return ofCalls
	case transcript.ToolResult:
		return ofResults
	case transcript.Media:
		return ofMedia
	case transcript.Opaque:
		return ofRest
	}
	switch {
	case role == transcript.System:
		return ofSystem
	case b.Origin == transcript.Generated && transcript.IsMarker(b.Text()):
		return ofMarker
	case b.Origin == transcript.Generated:
		return ofSummary
	case b.Origin == transcript.Injected:
		return ofClient
	case role == transcript.Assistant:
		return ofModel
	}
	return ofUser
}

// KindOf is the kind of content that most tokens of a message are of, as [Measure]
// names it; "other" for a message without any.
func KindOf(m *transcript.Message, tokens func(*transcript.Block) int) string {
	var sums [len(kinds)]int
	most := ofRest
	for _, b := range m.Blocks {
		k := kindOf(b, m.Role)
		if sums[k] += tokens(b); sums[k] > sums[most] {
			most = k
		}
	}
	return kinds[most]
}
