package strategy

import "fmt"

// stretch is lines of a passage that stand word for word in another.
type stretch struct {
	from, to int // lines of the passage, to excluded
	kept     *passage
	literal  bool // with the numbers in front, where it has any
}

// index knows where the shortest stretches stand that stay. Of several copies it
// knows the newest: that is the one put in first.
type index struct {
	again *seenTwice
	at    map[uint64]place
}

type place struct {
	passage *passage
	line    int32
}

// add puts in what is left of p: lines that have a fingerprint.
func (x *index) add(p *passage) {
	for i := range p.lines {
		w := p.window(i, x.again)
		if _, known := x.at[w]; !known && w != 0 {
			x.at[w] = place{p, int32(i)}
		}
	}
}

// stretches finds what of p stands elsewhere, in order and without overlap. worth
// reports whether one is worth its marker. Each line is looked at a fixed number
// of times: what was tried is not tried again.
func (x *index) stretches(p *passage, worth func(stretch) bool) (found []stretch) {
	done := 0
	for i := 0; i < len(p.lines); {
		at, known := x.at[p.window(i, x.again)] // nothing stands at 0
		if !known || !sameLine(p, i, at.passage, int(at.line)) {
			i++
			continue
		}
		r := extend(p, i, at, done)
		i = r.to
		if p.prose {
			r = paragraphs(p, r)
		}
		if r.from < r.to && worth(r) {
			found = append(found, r)
			i = r.to // half a paragraph behind it may be whole elsewhere
		}
		done = i
	}
	return found
}

func sameLine(p *passage, i int, q *passage, j int) bool {
	a, b := &p.lines[i], &q.lines[j]
	return a.hash == b.hash && a.hash != 0 && p.body(i) == q.body(j)
}

// extend makes the stretch at line i as long as it gets, backwards not beyond done.
// Lines are the same with the numbers that they have, or are numbered one after
// the other, so that a marker can tell their numbers.
func extend(p *passage, i int, at place, done int) stretch {
	q, j := at.passage, int(at.line)
	holds := func(i, j int) bool { return p.lines[i].num < 0 || p.whole(i) == q.whole(j) }
	literal, counted := holds(i, j), p.lines[i].num >= 0
	step := func(i, j, before int) bool {
		if i < done || j < 0 || i >= len(p.lines) || j >= len(q.lines) || !sameLine(p, i, q, j) {
			return false
		}
		l := literal && holds(i, j)
		c := counted && p.lines[i].num >= 0 && p.lines[i].num-p.lines[before].num == int32(i-before)
		if !l && !c {
			return false
		}
		literal, counted = l, c
		return true
	}
	from, to := i, i+1
	for step(to, j+to-i, to-1) {
		to++
	}
	for step(from-1, j+from-1-i, from) {
		from--
	}
	return stretch{from, to, q, literal}
}

// paragraphs shortens a stretch to the whole paragraphs in it.
func paragraphs(p *passage, r stretch) stretch {
	for r.from < r.to && !p.blank(r.from-1) {
		r.from++
	}
	for r.from < r.to && p.blank(r.from) {
		r.from++
	}
	for r.from < r.to && !p.blank(r.to) {
		r.to--
	}
	for r.from < r.to && p.blank(r.to-1) {
		r.to--
	}
	return r
}

// strike takes lines that go out of what others may refer to.
func (p *passage) strike(gone []stretch) {
	for _, r := range gone {
		for i := r.from; i < r.to; i++ {
			p.lines[i].hash = 0
		}
	}
}

// without returns the text of p with a marker in the place of each stretch.
func (p *passage) without(gone []stretch, marker func(stretch) string) string {
	var text []byte
	next := 0
	for _, r := range gone {
		text = append(text, p.text[next:p.lines[r.from].start]...)
		text = append(text, marker(r)...)
		next = int(p.lines[r.to-1].end)
	}
	return string(append(text, p.text[next:]...))
}

// amount says how much a stretch is, for a marker.
func (p *passage) amount(r stretch) string {
	first, last := p.lines[r.from].num, p.lines[r.to-1].num
	switch {
	case r.literal:
		return size(p.text[p.lines[r.from].start:p.lines[r.to-1].end])
	case first == last:
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d-%d", first, last)
}
