package transcript

// pair finds the two halves of every tool call: a result belongs to the latest
// unanswered call of the same id before it. Halves of different visibility
// never pair, because a model that sees one half does not see the other.
func pair(messages []*Message) map[Ref]Ref {
	type key struct {
		call   string
		hidden bool
	}
	pairs := map[Ref]Ref{}
	open := map[key]Ref{}
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Call == "" {
				continue
			}
			k, ref := key{b.Call, m.Hidden}, Ref{m.ID, b.ID, Whole}
			switch b.Kind {
			case ToolCall:
				open[k] = ref
			case ToolResult:
				if call, ok := open[k]; ok {
					delete(open, k)
					pairs[call], pairs[ref] = ref, call
				}
			}
		}
	}
	return pairs
}

// Partner returns the other half of a call or result; false when it has none.
func (c *Conversation) Partner(ref Ref) (Ref, bool) {
	ref.Part = Whole
	p, ok := c.pairs[ref]
	return p, ok
}
