package strategy

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// Stock is where the tokens of the effective view of conversations are. Each of the
// lists of piles adds up to Tokens, but for Tools and Paths, which have only the
// calls and results of tools. The zero Stock is that of no conversation.
type Stock struct {
	Tokens   int
	Messages int
	Roles    []Pile // in the order of first mention
	Kinds    []Pile // always the same, in the order of reports
	Ages     []Pile // newest first, always the same: by how many units come after
	Tools    []Pile // most tokens first; a call and its result are two blocks
	Paths    []Pile // most tokens first: by the first path that a call names
	Stale    []Pile // most tokens first: results that a later read or change of the same file overtook
	Blocks   []Item // every block, most tokens first
}

// Pile is some blocks that have something in common.
type Pile struct {
	Name           string
	Tokens, Blocks int
}

// Item is one block.
type Item struct {
	At     transcript.Ref
	Tokens int
}

// ageGroup is a pile by age: units from the end, the last of them included.
type ageGroup struct {
	name string
	upTo int // units; 0 for the rest
}

var ageGroups = []ageGroup{
	{"last 5 units", 5}, {"6 to 10", 10}, {"11 to 25", 25}, {"26 to 50", 50}, {"51 to 100", 100}, {"older", 0},
}

// TakeStock counts the effective view of a conversation in every way that Stock
// has. tokens is pure; it is called for each block once, on all cores.
func TakeStock(c *transcript.Conversation, tokens func(*transcript.Block) int) *Stock {
	_, numbers := count(c, tokens)
	s := &Stock{}
	for _, k := range kinds {
		s.Kinds = append(s.Kinds, Pile{Name: k})
	}
	for _, a := range ageGroups {
		s.Ages = append(s.Ages, Pile{Name: a.name})
	}
	for range c.Visible() {
		s.Messages++
	}
	roles, tools, paths := heaps{}, heaps{}, heaps{}
	age, i := ageOf(c), 0
	for ref, b := range c.Blocks() {
		n, role := numbers[i], c.Message(ref.Msg).Role
		i++
		s.Tokens += n
		s.Blocks = append(s.Blocks, Item{ref, n})
		s.Kinds[kindOf(b, role)].add(n)
		s.Ages[age[ref.Msg]].add(n)
		roles.add(role.String(), n)
		tool, named := concerns(c, ref, b)
		if b.Kind == transcript.ToolCall || b.Kind == transcript.ToolResult {
			tools.add(cmp.Or(tool, "?"), n)
		}
		if len(named) > 0 {
			paths.add(named[0], n)
		}
	}
	s.Roles, s.Tools, s.Paths = roles.list, tools.sorted(), paths.sorted()
	s.Stale = stale(c, numbers)
	slices.SortStableFunc(s.Blocks, func(a, b Item) int { return b.Tokens - a.Tokens })
	return s
}

// Add adds the stock of another conversation: all but its Blocks, whose addresses
// mean nothing beside those of another.
func (s *Stock) Add(o *Stock) {
	s.Tokens += o.Tokens
	s.Messages += o.Messages
	s.Blocks = nil
	for _, both := range []struct {
		to     *[]Pile
		from   []Pile
		sorted bool
	}{
		{&s.Roles, o.Roles, false}, {&s.Kinds, o.Kinds, false}, {&s.Ages, o.Ages, false},
		{&s.Tools, o.Tools, true}, {&s.Paths, o.Paths, true}, {&s.Stale, o.Stale, true},
	} {
		sum := heaps{list: slices.Clone(*both.to)}
		for _, p := range both.from {
			sum.merge(p)
		}
		if both.sorted {
			sum.sorted()
		}
		*both.to = sum.list
	}
}

func (p *Pile) add(tokens int) {
	p.Tokens += tokens
	p.Blocks++
}

// heaps are piles by name.
type heaps struct {
	list []Pile
	at   map[string]int // index in list
}

func (h *heaps) add(name string, tokens int) { h.merge(Pile{name, tokens, 1}) }

func (h *heaps) merge(p Pile) {
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
		h.list = append(h.list, Pile{Name: p.Name})
	}
	h.list[i].Tokens += p.Tokens
	h.list[i].Blocks += p.Blocks
}

// sorted puts the piles in order, the largest first, equal ones by name. Nothing
// can be added after it.
func (h *heaps) sorted() []Pile {
	slices.SortFunc(h.list, func(a, b Pile) int { return cmp.Or(b.Tokens-a.Tokens, cmp.Compare(a.Name, b.Name)) })
	return h.list
}

// ageOf gives, for each message of the effective view, the index in ageGroups of its unit.
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

// stale finds the results of reads of a file that a later call overtook: it reads
// the same again, or changes the file. numbers are the tokens of the blocks.
func stale(c *transcript.Conversation, numbers []int) []Pile {
	type shown struct{ path, what string }
	overtaken := map[shown]bool{} // by what comes later; what is "" for a change
	var refs []transcript.Ref
	var blocks []*transcript.Block
	for ref, b := range c.Blocks() {
		refs, blocks = append(refs, ref), append(blocks, b)
	}
	piles := heaps{}
	for i, b := range slices.Backward(blocks) {
		if b.Kind != transcript.ToolResult || b.Error {
			continue
		}
		call := partner(c, refs[i])
		if call == nil {
			continue
		}
		paths := pathsOf(call)
		if changes(call) {
			for _, path := range paths {
				overtaken[shown{path, ""}] = true
			}
			continue
		}
		if len(paths) == 0 {
			continue
		}
		this := shown{paths[0], strconv.Quote(call.Tool) + call.Text()}
		if overtaken[this] || overtaken[shown{paths[0], ""}] {
			piles.add(paths[0], numbers[i])
		}
		overtaken[this] = true
	}
	return piles.sorted()
}

// changes reports whether a call changes the files that it names: it says what is to
// be in them.
func changes(call *transcript.Block) bool {
	if proseArg(call, contentArgs...) != "" {
		return true
	}
	for _, p := range call.Parts {
		if contentName.MatchString(p.Name) || patched.MatchString(p.Text) {
			return true
		}
	}
	return false
}

// contentArgs are the names of arguments that say what is to be in a file.
var contentArgs = []string{
	"content", "contents", "new_string", "new_str", "newString", "newText", "file_text", "insert_text", "new_source",
	"code_edit", "diff", "patch", "replace",
}

// contentName matches the name of such an argument, at any depth.
var contentName = regexp.MustCompile(`(?:^|\.)(?:` + strings.Join(contentArgs, "|") + `)$`)
