// Package breakdown counts the tokens of conversations by role, kind of content, age, tool, path and
// block.
package breakdown

import (
	"cmp"
	"slices"
	"strconv"

	"condense/strategy/subject"
	"condense/transcript"
)

// A Breakdown holds the tokens of the effective view of conversations by role, kind, age, tool, path
// and block. The groups of each list add up to Tokens, except in Tools, Paths and Stale, which hold only
// calls and results. The zero value is that of no conversation.
type Breakdown struct {
	Tokens   int
	Messages int
	Roles    []Group       // in the order of first mention
	Kinds    []Group       // always the same, in the order of reports
	Ages     []Group       // by the number of units that follow; always the same, newest first
	Tools    []Group       // most tokens first; a call and its result are two blocks
	Paths    []Group       // by the first path that a call names; most tokens first
	Stale    []Group       // results that a later read or change of the same file makes outdated; most tokens first
	Blocks   []BlockTokens // every block, most tokens first
}

// A Group counts the blocks that have something in common. Its name is what they have in common.
type Group struct {
	Name           string
	Tokens, Blocks int
}

// BlockTokens holds the tokens of one block.
type BlockTokens struct {
	At     transcript.Ref
	Tokens int
}

// An ageGroup is a group by age, which is the number of units from the end, the last one included.
type ageGroup struct {
	name string
	upTo int // largest age of the group; 0 for the rest
}

var ageGroups = []ageGroup{
	{"last 5 units", 5}, {"6 to 10", 10}, {"11 to 25", 25}, {"26 to 50", 50}, {"51 to 100", 100}, {"older", 0},
}

// Of returns the breakdown of the effective view of a conversation. The function tokens must be pure.
// Of calls it once for each block, on all cores.
func Of(c *transcript.Conversation, tokens func(*transcript.Block) int) *Breakdown {
	numbers := count(c, tokens)
	s := &Breakdown{}
	for _, k := range kinds {
		s.Kinds = append(s.Kinds, Group{Name: k})
	}
	for _, a := range ageGroups {
		s.Ages = append(s.Ages, Group{Name: a.name})
	}
	for range c.Visible() {
		s.Messages++
	}
	roles, tools, paths := groups{}, groups{}, groups{}
	age, i := ageOf(c), 0
	for ref, b := range c.Blocks() {
		n, role := numbers[i], c.Message(ref.Msg).Role
		i++
		s.Tokens += n
		s.Blocks = append(s.Blocks, BlockTokens{ref, n})
		kind, records := measure(b, role, n, tokens)
		if s.Kinds[kind].add(n - records); records > 0 {
			s.Kinds[ofRecords].add(records)
		}
		s.Ages[age[ref.Msg]].add(n)
		roles.add(role.String(), n)
		tool, named := subject.Concerns(c, ref, b)
		if b.Kind == transcript.ToolCall || b.Kind == transcript.ToolResult {
			tools.add(cmp.Or(tool, "?"), n)
		}
		if len(named) > 0 {
			paths.add(named[0], n)
		}
	}
	s.Roles, s.Tools, s.Paths = roles.list, tools.sorted(), paths.sorted()
	s.Stale = stale(c, numbers)
	slices.SortStableFunc(s.Blocks, func(a, b BlockTokens) int { return b.Tokens - a.Tokens })
	return s
}

// Add adds the breakdown of another conversation. It clears Blocks, since addresses of different
// conversations may be equal.
func (s *Breakdown) Add(o *Breakdown) {
	s.Tokens += o.Tokens
	s.Messages += o.Messages
	s.Blocks = nil
	for _, both := range []struct {
		to     *[]Group
		from   []Group
		sorted bool
	}{
		{&s.Roles, o.Roles, false}, {&s.Kinds, o.Kinds, false}, {&s.Ages, o.Ages, false},
		{&s.Tools, o.Tools, true}, {&s.Paths, o.Paths, true}, {&s.Stale, o.Stale, true},
	} {
		sum := groups{list: slices.Clone(*both.to)}
		for _, p := range both.from {
			sum.merge(p)
		}
		if both.sorted {
			sum.sorted()
		}
		*both.to = sum.list
	}
}

// add adds a block.
func (p *Group) add(tokens int) {
	p.Tokens += tokens
	p.Blocks++
}

// groups holds groups by name.
type groups struct {
	list []Group
	at   map[string]int // index in list
}

// add adds a block to the group with a name.
func (h *groups) add(name string, tokens int) { h.merge(Group{name, tokens, 1}) }

// merge adds a group to the one with the same name.
func (h *groups) merge(p Group) {
	if h.at == nil {
		h.at = map[string]int{}
		for i := range h.list {
			h.at[h.list[i].Name] = i
		}
	}
	i, known := h.at[p.Name]
	if !known {
		i = len(h.list)
		h.at[p.Name] = i
		h.list = append(h.list, Group{Name: p.Name})
	}
	h.list[i].Tokens += p.Tokens
	h.list[i].Blocks += p.Blocks
}

// sorted returns the groups, the largest first and equal ones by name. Nothing can be added
// afterwards.
func (h *groups) sorted() []Group {
	slices.SortFunc(h.list, func(a, b Group) int { return cmp.Or(b.Tokens-a.Tokens, cmp.Compare(a.Name, b.Name)) })
	return h.list
}

// ageOf returns, for each message of the effective view, the index of its unit in ageGroups.
func ageOf(c *transcript.Conversation) map[int]int {
	age := map[int]int{}
	units := c.Units()
	for i, u := range units {
		fromEnd := len(units) - i
		at := slices.IndexFunc(ageGroups, func(a ageGroup) bool { return a.upTo == 0 || fromEnd <= a.upTo })
		for _, id := range u.Msgs {
			age[id] = at
		}
	}
	return age
}

// stale groups, by file, the results of reads that a later call makes outdated: it reads the same
// again, or changes the file. The slice numbers holds the tokens of the blocks.
func stale(c *transcript.Conversation, numbers []int) []Group {
	type shown struct{ path, what string }
	replaced := map[shown]bool{} // by a later call; the field what is "" for a change
	var refs []transcript.Ref
	var blocks []*transcript.Block
	for ref, b := range c.Blocks() {
		refs, blocks = append(refs, ref), append(blocks, b)
	}
	found := groups{}
	for i, b := range slices.Backward(blocks) {
		if b.Kind != transcript.ToolResult || b.Error {
			continue
		}
		at, ok := c.Partner(refs[i])
		if !ok {
			continue
		}
		call := c.Block(at)
		paths := subject.Paths(call)
		if subject.Changes(call) {
			for _, path := range paths {
				replaced[shown{path, ""}] = true
			}
			continue
		}
		if len(paths) == 0 {
			continue
		}
		this := shown{paths[0], strconv.Quote(call.Tool) + call.Text()}
		if replaced[this] || replaced[shown{paths[0], ""}] {
			found.add(paths[0], numbers[i])
		}
		replaced[this] = true
	}
	return found.sorted()
}
