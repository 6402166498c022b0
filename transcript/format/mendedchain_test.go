package format

import (
	"fmt"
	"math/rand"
	"testing"
)

// TestBefore: what is counted beforehand gives the same as looking at every record.
func TestBefore(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	id := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint("u", n)
	}
	for range 2000 {
		c := newChain()
		for i := range 1 + rng.Intn(8) {
			c.nodes = append(c.nodes, node{id: id(rng.Intn(9)), parent: id(rng.Intn(9)), aside: rng.Intn(6) == 0})
			if _, again := c.byID[c.nodes[i].id]; !again && c.nodes[i].id != "" {
				c.byID[c.nodes[i].id] = i
			}
		}
		m := newMendedChain(c)
		for range 3 {
			record := rng.Intn(len(c.nodes))
			if got, want := m.before(record), slowBefore(&m.chain, record); got != want {
				t.Fatalf("before record %d of %+v is %q, want %q", record, m.nodes, got, want)
			}
			m.hang(record, id(rng.Intn(9)))
		}
	}
}

func slowBefore(c *chain, record int) string {
	for i := record - 1; i >= 0; i-- {
		n := c.nodes[i]
		if n.id == "" || n.aside || c.byID[n.id] != i || below(c, i, c.nodes[record].id) {
			continue
		}
		for k, other := range c.nodes {
			if k != record && other.parent == n.id && !other.aside {
				return ""
			}
		}
		return n.id
	}
	return ""
}
