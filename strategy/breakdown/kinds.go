package breakdown

import (
	"runtime"
	"strings"
	"sync"

	"condense/transcript"
)

// KindTokens holds the tokens of one kind of content.
type KindTokens struct {
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
	ofRecords
	ofThinking
	ofCalls
	ofResults
	ofMedia
	ofRest
)

// kinds holds their names.
var kinds = [...]string{
	ofSystem: "system", ofUser: "user", ofClient: "injected", ofSummary: "summaries", ofMarker: "markers", ofModel: "assistant", ofRecords: "call records", ofThinking: "thinking",
	ofCalls: "tool calls", ofResults: "tool results", ofMedia: "images", ofRest: "other",
}

// Measure returns the tokens of the effective view of a conversation: the total, and a
// list by kind of content, which always has the same kinds in the same order.
func Measure(c *transcript.Conversation, tokens func(*transcript.Block) int) (total int, shares []KindTokens) {
	numbers := count(c, tokens)
	shares = make([]KindTokens, len(kinds))
	for i, k := range kinds {
		shares[i].Kind = k
	}
	i := 0
	for ref, b := range c.Blocks() {
		total += numbers[i]
		kind, records := measure(b, c.Message(ref.Msg).Role, numbers[i], tokens)
		shares[ofRecords].Tokens += records
		shares[kind].Tokens += numbers[i] - records
		i++
	}
	return total, shares
}

// kindOf returns the index in kinds of a block's kind of content.
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

// measure returns the index in kinds of the content of a block with n tokens, and how many of them records
// of removed calls have. Such records stand in texts of the model, which did not write them.
func measure(b *transcript.Block, role transcript.Role, n int, tokens func(*transcript.Block) int) (kind, ofThem int) {
	kind = kindOf(b, role)
	if kind != ofModel {
		return kind, 0
	}
	var records strings.Builder
	for _, p := range b.Parts {
		for from, to := range transcript.Records(p.Text) {
			records.WriteString(p.Text[from:to])
		}
	}
	if records.Len() == 0 {
		return kind, 0
	}
	return kind, min(n, tokens(&transcript.Block{Kind: b.Kind, Origin: b.Origin, Parts: []transcript.Part{{Text: records.String()}}}))
}

// KindOf returns the kind of content with most tokens of a message, as [Measure] names it. It returns
// "other" for a message without tokens.
func KindOf(m *transcript.Message, tokens func(*transcript.Block) int) string {
	var sums [len(kinds)]int
	most := ofRest
	for _, b := range m.Blocks {
		n := tokens(b)
		kind, records := measure(b, m.Role, n, tokens)
		sums[ofRecords] += records
		sums[kind] += n - records
	}
	for k := range sums {
		if sums[k] > sums[most] {
			most = k
		}
	}
	return kinds[most]
}

// count returns the tokens of the visible blocks, in the order of the conversation.
func count(c *transcript.Conversation, tokens func(*transcript.Block) int) []int {
	var blocks []*transcript.Block
	for _, b := range c.Blocks() {
		blocks = append(blocks, b)
	}
	return Count(blocks, tokens)
}

// Count returns the tokens of blocks, in their order. The function tokens must be pure and safe for
// concurrent use.
func Count(blocks []*transcript.Block, tokens func(*transcript.Block) int) []int {
	numbers := make([]int, len(blocks))
	const batch = 64
	if len(blocks) <= batch {
		for i, b := range blocks {
			numbers[i] = tokens(b)
		}
		return numbers
	}
	var wg sync.WaitGroup
	next := make(chan int, (len(blocks)+batch-1)/batch)
	for at := 0; at < len(blocks); at += batch {
		next <- at
	}
	close(next)
	for range min(runtime.GOMAXPROCS(0), cap(next)) {
		wg.Go(func() {
			for at := range next { // each goroutine owns the elements of its batches
				for i := at; i < min(at+batch, len(blocks)); i++ {
					numbers[i] = tokens(blocks[i])
				}
			}
		})
	}
	wg.Wait()
	return numbers
}
