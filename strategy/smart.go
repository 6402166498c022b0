package strategy

import (
	"container/heap"
	"context"
	"math"
	"os"
	"slices"
	"strconv"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// Smart shortens inside messages.
var Smart = Strategy{
	Name: "smart-compress",
	Doc:  "every text keeps the lines that the rest of the conversation is most likely to need, as many as the target allows",
	Aims: true,
	Run:  smart,
}

func env(name string, def float64) float64 {
	if s := os.Getenv(name); s != "" {
		f, _ := strconv.ParseFloat(s, 64)
		return f
	}
	return def
}

// holder is a text that can be shortened: one part of a block.
type holder struct {
	ref    transcript.Ref
	block  *transcript.Block
	text   *squeeze.Text
	keep   []bool
	kept   int
	unit   int
	first  int     // atom
	rate   float64 // tokens per byte
	drops  bool    // goes whole when nothing of it is kept
	whole  bool    // one atom
	age    float64
	facts  [][]fact.ID
	weight float64
	tokens int
}

type atom struct{ holder, piece int32 }

type smartUnit struct {
	u       transcript.Unit
	holders []int
	base    float64 // tokens when nothing optional is kept
	facts   []fact.ID
	active  bool
	value   float64 // of its presence
}

type allocator struct {
	in      *Input
	survey  *fact.Survey
	worth   []float64 // by fact
	kept    []int     // by fact: how often kept
	units   []smartUnit
	holders []*holder
	atoms   []atom
	marker  float64
	left    float64
	heap    candidates
	trail   []int // atoms taken; -1-u units
}

type candidate struct {
	density float64
	atom    int // or -1-unit
	stamp   int
}
type candidates []candidate

func (h candidates) Len() int { return len(h) }
func (h candidates) Less(i, j int) bool {
	if h[i].density != h[j].density {
		return h[i].density > h[j].density
	}
	return h[i].atom > h[j].atom
}
func (h candidates) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *candidates) Push(x any)   { *h = append(*h, x.(candidate)) }
func (h *candidates) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func smart(_ context.Context, in *Input) ([]transcript.Edit, error) {
	a := &allocator{in: in, survey: fact.Of(in.Conv)}
	a.price()
	a.collect()
	a.allocate()
	return a.edits(), nil
}

// price says what each fact is worth.
func (a *allocator) price() {
	alpha := env("ALPHA", 0.62)
	q := []float64{env("Q0", .12), env("Q1", .5), env("Q2", .8), env("Q3", 1.3)}
	n := a.survey.Visible
	a.worth = make([]float64, len(a.survey.Facts))
	a.kept = make([]int, len(a.survey.Facts))
	for i, f := range a.survey.Facts {
		age := float64(n - 1 - f.Newest)
		p := q[0] * math.Pow(1+age, -alpha)
		if f.Said > 0 {
			said := float64(n - 1 - f.NewestBy)
			said = min(said, age*1+said)
			p = max(p, q[min(f.Said, 3)]*math.Pow(1+said, -alpha))
		}
		if f.Standing {
			p *= .1
		}
		a.worth[i] = min(p, .7) * math.Log(1+float64(n)/float64(f.Messages))
	}
}

func (a *allocator) tokens(text string) float64 {
	return float64(a.in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}}))
}

func (a *allocator) collect() {
	c := a.in.Conv
	a.marker = a.tokens("[12 lines omitted]\n")
	n := a.survey.Visible
	pos := map[int]int{}
	i := 0
	system := 0
	typed := 0
	for m := range c.Visible() {
		pos[m.ID] = i
		i++
		for _, b := range m.Blocks {
			if m.Role == transcript.System {
				system += a.in.Tokens(b)
			} else if b.Pin == transcript.Verbatim {
				typed += a.in.Tokens(b)
			}
		}
	}
	short := int(env("SHORT", 160))
	squeezeSystem := float64(system) > env("SYS", .5)*float64(a.in.Budget-typed)
	a.left = float64(a.in.Budget)
	for _, u := range c.Units() {
		su := smartUnit{u: u, active: u.Open || u.Kind == transcript.SystemUnit}
		for _, id := range u.Msgs {
			m := c.Message(id)
			for _, b := range m.Blocks {
				ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
				su.active = su.active || b.Pin != transcript.Unpinned
				fixed := u.Open || b.Pin == transcript.Verbatim || b.Kind == transcript.Opaque || b.Kind == transcript.Media ||
					m.Role == transcript.System && !squeezeSystem || b.Pin == transcript.Present && (b.Kind == transcript.Thinking || b.Fixed) ||
					len(b.Parts) == 0
				if b.Kind == transcript.Thinking || b.Fixed {
					if fixed {
						a.base(&su, b, 0)
						continue
					}
					h := &holder{ref: ref, block: b, unit: len(a.units), drops: true, whole: true, age: float64(n - 1 - pos[id])}
					all := ""
					for i := range b.Parts {
						all += b.Parts[i].Text
					}
					h.text = &squeeze.Text{Source: all, Pieces: []squeeze.Piece{{Start: 0, End: len(all)}}}
					h.tokens = a.in.Tokens(b)
					ids := []fact.ID{}
					for i := range b.Parts {
						for _, mn := range a.survey.Mentions(&b.Parts[i]) {
							ids = append(ids, mn.Fact)
						}
					}
					slices.Sort(ids)
					h.facts = [][]fact.ID{slices.Compact(ids)}
					a.hold(&su, h)
					continue
				}
				if fixed {
					a.base(&su, b, 0)
					continue
				}
				for i := range b.Parts {
					p := &b.Parts[i]
					src := p.Text[p.Head:]
					if p.Media != nil || p.Number || len(src) == 0 || (b.Kind == transcript.ToolCall && len(src) <= short) || (b.Kind == transcript.ToolResult && len(src) <= 24) {
						a.base(&su, b, i+1)
						continue
					}
					r := ref
					if len(b.Parts) > 1 {
						r.Part = i
					}
					h := &holder{ref: r, block: b, unit: len(a.units), age: float64(n - 1 - pos[id])}
					h.drops = b.Kind == transcript.Text && b.Pin == transcript.Unpinned && len(b.Parts) == 1
					h.text = squeeze.Cut(src, squeeze.Hint{})
					h.tokens = int(a.tokens(p.Text))
					off := p.Head
					ms := a.survey.Mentions(p)
					k := 0
					for _, pc := range h.text.Pieces {
						var ids []fact.ID
						for k < len(ms) && int(ms[k].At) < off+pc.End {
							if int(ms[k].At) >= off+pc.Start {
								ids = append(ids, ms[k].Fact)
							}
							k++
						}
						slices.Sort(ids)
						h.facts = append(h.facts, slices.Compact(ids))
					}
					a.hold(&su, h)
					if !h.drops {
						su.base += min(a.marker, float64(h.tokens))
					}
				}
			}
		}
		if su.active {
			a.left -= su.base
			for _, f := range su.facts {
				a.kept[f]++
			}
		}
		su.value = 0
		if u.Kind == transcript.AssistantUnit {
			su.value = 0
		}
		a.units = append(a.units, su)
	}
}

// base counts a block (or its part n-1) as kept when the unit is.
func (a *allocator) base(su *smartUnit, b *transcript.Block, n int) {
	if n == 0 {
		su.base += float64(a.in.Tokens(b))
	} else {
		su.base += float64(a.in.Tokens(&transcript.Block{Parts: b.Parts[n-1 : n]}))
	}
	for i := range b.Parts {
		if n == 0 || n == i+1 {
			for _, m := range a.survey.Mentions(&b.Parts[i]) {
				su.facts = append(su.facts, m.Fact)
			}
		}
	}
}

func (a *allocator) hold(su *smartUnit, h *holder) {
	h.first = len(a.atoms)
	h.keep = make([]bool, len(h.text.Pieces))
	h.rate = float64(h.tokens) / float64(max(1, len(h.text.Source)))
	for i := range h.text.Pieces {
		a.atoms = append(a.atoms, atom{int32(len(a.holders)), int32(i)})
	}
	h.weight = math.Pow(1+h.age, -env("CALPHA", .5))
	su.holders = append(su.holders, len(a.holders))
	a.holders = append(a.holders, h)
}

func (a *allocator) value(h *holder, i int) float64 {
	v := 0.0
	again := env("AGAIN", .05)
	for _, f := range h.facts[i] {
		if a.kept[f] == 0 {
			v += a.worth[f]
		} else if a.kept[f] == 1 {
			v += again * a.worth[f]
		}
	}
	pc := h.text.Pieces[i]
	v += h.weight * env("CUE", .1) * float64(pc.Cue)
	generic := env("GENERIC", .002)
	if h.block.Origin == transcript.ByModel {
		generic = env("GENERICM", .01)
	}
	v += h.weight * generic * float64(pc.End-pc.Start) / 4 * .25
	return v
}

func (a *allocator) cost(h *holder, i int) float64 {
	pc := h.text.Pieces[i]
	cost := float64(pc.End-pc.Start) * h.rate
	if h.whole {
		return cost
	}
	d := -1.0
	if h.drops && h.kept == 0 {
		d = 0
	}
	if i > 0 && !h.keep[i-1] {
		d++
	}
	if i+1 < len(h.keep) && !h.keep[i+1] {
		d++
	}
	return cost + d*a.marker
}

func (a *allocator) density(i int) float64 {
	at := a.atoms[i]
	h := a.holders[at.holder]
	v, c := a.value(h, int(at.piece)), a.cost(h, int(at.piece))
	if c <= 0 {
		return math.Inf(1)
	}
	return v / c
}

// bundle is the best density at which the unit can come in.
func (a *allocator) bundle(u int) float64 {
	su := &a.units[u]
	v, c := su.value, su.base
	again := 0.0
	_ = again
	seen := map[fact.ID]bool{}
	for _, f := range su.facts {
		if a.kept[f] == 0 && !seen[f] {
			seen[f] = true
			v += a.worth[f]
		}
	}
	type vc struct{ v, c float64 }
	var list []vc
	for _, hi := range su.holders {
		h := a.holders[hi]
		for i := range h.keep {
			x := vc{a.value(h, i), a.cost(h, i)}
			if x.c > 0 {
				list = append(list, x)
			}
		}
	}
	slices.SortFunc(list, func(x, y vc) int {
		if d := y.v*x.c - x.v*y.c; d < 0 {
			return -1
		} else if d > 0 {
			return 1
		}
		return 0
	})
	best := 0.0
	if c > 0 {
		best = v / c
	}
	for i, x := range list {
		if i > 24 {
			break
		}
		v += x.v
		c += x.c
		if v/c < best {
			break
		}
		best = v / c
	}
	return best
}

func (a *allocator) allocate() {
	for u := range a.units {
		if a.units[u].active {
			a.open(u)
		} else {
			heap.Push(&a.heap, candidate{a.bundle(u), -1 - u, 0})
		}
	}
	for len(a.heap) > 0 {
		top := heap.Pop(&a.heap).(candidate)
		if top.density <= 0 {
			break
		}
		if top.atom < 0 {
			u := -1 - top.atom
			su := &a.units[u]
			if su.active {
				continue
			}
			if now := a.bundle(u); now < top.density-1e-12 {
				heap.Push(&a.heap, candidate{now, top.atom, 0})
				continue
			}
			if su.base > a.left {
				continue
			}
			su.active = true
			a.left -= su.base
			for _, f := range su.facts {
				a.kept[f]++
			}
			a.open(u)
			continue
		}
		at := a.atoms[top.atom]
		h := a.holders[at.holder]
		i := int(at.piece)
		if h.keep[i] {
			continue
		}
		if now := a.density(top.atom); now < top.density-1e-12 {
			heap.Push(&a.heap, candidate{now, top.atom, 0})
			continue
		}
		c := a.cost(h, i)
		if c > a.left {
			continue
		}
		a.left -= c
		h.keep[i] = true
		h.kept++
		for _, f := range h.facts[i] {
			a.kept[f]++
		}
		if i > 0 && !h.keep[i-1] {
			heap.Push(&a.heap, candidate{a.density(top.atom - 1), top.atom - 1, 0})
		}
		if i+1 < len(h.keep) && !h.keep[i+1] {
			heap.Push(&a.heap, candidate{a.density(top.atom + 1), top.atom + 1, 0})
		}
	}
}

// open makes the atoms of a unit candidates.
func (a *allocator) open(u int) {
	for _, hi := range a.units[u].holders {
		h := a.holders[hi]
		for i := range h.keep {
			heap.Push(&a.heap, candidate{a.density(h.first + i), h.first + i, 0})
		}
	}
}

func (a *allocator) edits() []transcript.Edit {
	var edits []transcript.Edit
	for ui := range a.units {
		su := &a.units[ui]
		if !su.active {
			for _, id := range su.u.Msgs {
				edits = append(edits, transcript.Edit{At: transcript.At(id), Op: transcript.Drop, Group: ui + 1, Why: "least needed"})
			}
			continue
		}
		gone := map[int]int{}
		for _, hi := range su.holders {
			h := a.holders[hi]
			if h.kept == len(h.keep) {
				continue
			}
			if h.kept == 0 && h.drops {
				gone[h.ref.Msg]++
				edits = append(edits, transcript.Edit{At: h.ref, Op: transcript.Drop, Why: "least needed"})
				continue
			}
			text := h.text.Render(h.keep)
			if text == h.text.Source {
				continue
			}
			edits = append(edits, transcript.Edit{At: h.ref, Op: transcript.Rewrite, Text: text, Why: "least needed lines"})
		}
	}
	return edits
}
