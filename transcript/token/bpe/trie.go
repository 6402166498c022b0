package bpe

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// buildTrie returns the units that [vocab.longest] reads.
func buildTrie(tokens []string) ([]uint32, error) {
	nodes := growTrie(tokens)
	// Nodes with many children are hard to place and come first, among them the root.
	// Nodes with the same number keep the order of their texts.
	order := make([]int, 0, len(nodes))
	for i := range nodes {
		if len(nodes[i].children) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(nodes[b].symbols), len(nodes[a].symbols))
	})
	var p placer
	for _, i := range order {
		nodes[i].base = p.place(nodes[i].symbols)
	}
	if nodes[0].base != 0 || len(p.taken) >= 1<<(32-unitBase) {
		return nil, errors.New("the trie does not fit its units")
	}
	units := make([]uint32, len(p.taken)+0x101) // longest looks up any byte at any base
	for _, i := range order {
		n := &nodes[i]
		if n.token >= 0 {
			units[n.base] = uint32(n.token) << unitBase
		}
		for _, c := range n.children {
			units[n.base+1+int(nodes[c].char)] = nodes[c].unit()
		}
	}
	return units, nil
}

// node is a node of the trie under construction.
type node struct {
	char     byte  // byte that leads to it
	token    int   // token that ends here, or -1
	children []int // in the order of their bytes
	symbols  []int // slots after base: 0 for the number of the token, 1 + the byte for each child
	base     int
}

// unit returns the node in the form of the trie.
func (n *node) unit() uint32 {
	u := uint32(n.char) | unitChild
	if len(n.children) == 0 {
		return u | unitLeaf | uint32(n.token)<<unitBase
	}
	if n.token >= 0 {
		u |= unitToken
	}
	return u | uint32(n.base)<<unitBase
}

// growTrie returns the nodes in the order of their texts, the root first.
func growTrie(tokens []string) []node {
	sorted := make([]int, len(tokens))
	for id := range sorted {
		sorted[id] = id
	}
	slices.SortFunc(sorted, func(a, b int) int { return strings.Compare(tokens[a], tokens[b]) })

	nodes := []node{{token: -1}}
	path := []int{0} // from the root to the last token
	text := ""       // the last token
	for _, id := range sorted {
		token := tokens[id]
		shared := 0
		for shared < len(text) && text[shared] == token[shared] { // in this order text is never longer than a token that it begins with
			shared++
		}
		path = path[:shared+1]
		for _, c := range []byte(token[shared:]) {
			parent := &nodes[path[len(path)-1]]
			if len(parent.children) == 0 && parent.token >= 0 {
				parent.symbols = append(parent.symbols, 0)
			}
			parent.symbols = append(parent.symbols, 1+int(c))
			parent.children = append(parent.children, len(nodes))
			path = append(path, len(nodes))
			nodes = append(nodes, node{char: c, token: -1})
		}
		nodes[path[len(path)-1]].token = id
		text = token
	}
	return nodes
}

// placer finds room for the children of nodes. The zero value is empty.
type placer struct {
	taken []bool // slots
	bases []bool
	size  int // number of symbols of the node placed last
	from  int // slot to search from for nodes of that size; there is hardly any room before it
}

// patience is the number of slots after which a search no longer starts before them.
const patience = 1024

// place returns a base that no other node has, with free slots at all symbols.
func (p *placer) place(symbols []int) int {
	if len(symbols) != p.size {
		p.size, p.from = len(symbols), 0
	}
	for slot := p.from; ; slot++ {
		p.grow(slot + 0x101)
		base := slot - symbols[0]
		if base < 0 || p.bases[base] || !p.free(base, symbols) {
			continue
		}
		for _, s := range symbols {
			p.taken[base+s] = true
		}
		p.bases[base] = true
		if slot-p.from > patience {
			p.from = slot
		}
		return base
	}
}

// free reports whether all slots of the symbols are free at base.
func (p *placer) free(base int, symbols []int) bool {
	for _, s := range symbols {
		if p.taken[base+s] {
			return false
		}
	}
	return true
}

// grow makes room for n slots.
func (p *placer) grow(n int) {
	for len(p.taken) < n {
		p.taken = append(p.taken, false)
		p.bases = append(p.bases, false)
	}
}
