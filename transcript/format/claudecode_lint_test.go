package format

import (
	"fmt"
	"math/rand"
	"testing"

	"condense/transcript/internal/splice"
)

// TestBefore checks that the counted children give the same result as reading every record.
func TestBefore(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	id := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint("u", n)
	}
	for range 2000 {
		c := splice.NewChain()
		for i := range 1 + rng.Intn(8) {
			c.Nodes = append(c.Nodes, splice.Node{ID: id(rng.Intn(9)), Parent: id(rng.Intn(9)), Aside: rng.Intn(6) == 0})
			if _, again := c.ByID[c.Nodes[i].ID]; !again && c.Nodes[i].ID != "" {
				c.ByID[c.Nodes[i].ID] = i
			}
		}
		m := newMendedChain(c)
		for range 3 {
			record := rng.Intn(len(c.Nodes))
			if got, want := m.before(record), slowBefore(&m.Chain, record); got != want {
				t.Fatalf("before record %d of %+v is %q, want %q", record, m.Nodes, got, want)
			}
			m.attach(record, id(rng.Intn(9)))
		}
	}
}

func slowBefore(c *splice.Chain, record int) string {
	for i := record - 1; i >= 0; i-- {
		n := c.Nodes[i]
		if n.ID == "" || n.Aside || c.ByID[n.ID] != i || below(c, i, c.Nodes[record].ID) {
			continue
		}
		for k, other := range c.Nodes {
			if k != record && other.Parent == n.ID && !other.Aside {
				return ""
			}
		}
		return n.ID
	}
	return ""
}
