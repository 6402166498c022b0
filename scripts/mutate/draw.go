package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

const (
	perFunction = 2                 // mutants of a function
	helperName  = "zz_mutant_on.go" // of the file with helper
)

// batch is a package with its drawn mutants.
type batch struct {
	*listed
	mutants []*mutant
	texts   map[string][]byte // the changed files, and the helper, by name
}

// draw chooses the mutants of a package. It leaves out those that do not compile.
func (m *module) draw(p *listed, o options) (*batch, error) {
	var fault error
	c, err := m.check(p, nil, func(file string, line int, message string) {
		fault = cmp.Or(fault, fmt.Errorf("%s:%d: %s", file, line, message))
	})
	if err = cmp.Or(err, fault); err != nil {
		return nil, err
	}
	all := c.find()
	rank := func(x *mutant) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", o.seed, x.key())
		return mix(h.Sum64())
	}
	slices.SortStableFunc(all, func(a, b *mutant) int { return cmp.Compare(rank(a), rank(b)) })
	for {
		b := &batch{listed: p, mutants: choose(all, o.n), texts: map[string][]byte{}}
		b.write(c)
		bad := make(map[*mutant]bool)
		var at mutant // the place of the last fault
		if _, err := m.check(p, b.texts, func(file string, line int, message string) {
			for _, x := range b.mutants {
				if x.file == file && x.line <= line && line <= x.end {
					bad[x] = true
				}
			}
			at.file, at.line = file, line
			fault = fmt.Errorf("%s:%d: %s", file, line, message)
		}); err != nil {
			return nil, err
		}
		if fault == nil {
			return b, nil
		}
		if len(bad) == 0 {
			x := b.lastBreak(at.file, at.line)
			if x == nil {
				return nil, fault
			}
			bad[x] = true
		}
		fault = nil
		all = slices.DeleteFunc(all, func(x *mutant) bool { return bad[x] })
	}
}

// lastBreak returns the last mutant before a line that ends a loop; nil if there is none. A function whose
// endless loop can end lacks a return at its end, which is no line of the mutant.
func (b *batch) lastBreak(file string, line int) (last *mutant) {
	for _, x := range b.mutants {
		if x.file == file && x.line < line && strings.HasPrefix(x.change, "continue -> break") {
			last = x
		}
	}
	return last
}

// mix spreads the bits of a hash, because FNV leaves texts with the same
// beginning close together.
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// choose returns the first n mutants, without those of functions that have enough.
func choose(all []*mutant, n int) []*mutant {
	var chosen []*mutant
	count := make(map[string]int)
	for _, x := range all {
		if len(chosen) == n {
			break
		}
		if fn := x.file + x.fn; count[fn] < perFunction {
			count[fn]++
			chosen = append(chosen, x)
		}
	}
	slices.SortFunc(chosen, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.change, b.change))
	})
	for i, x := range chosen {
		x.id = i + 1
	}
	return chosen
}

// write makes the texts of the files that have mutants.
func (b *batch) write(c *checked) {
	b.texts[helperName] = []byte("package " + b.Name + "\n" + helper)
	for _, s := range c.files {
		var edits []edit
		for _, x := range b.mutants {
			if x.file != s.name {
				continue
			}
			for _, e := range x.edits {
				e.text = strings.Replace(e.text, place, strconv.Itoa(x.id), 1)
				edits = append(edits, e)
			}
		}
		if len(edits) > 0 {
			b.texts[s.name] = apply(s.text, edits)
		}
	}
}

// apply returns text with edits made. They do not overlap.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.off != b.off {
			return cmp.Compare(a.off, b.off)
		}
		if a.size < 0 && b.size < 0 {
			return cmp.Compare(b.size, a.size)
		}
		if a.size < 0 || b.size < 0 {
			return cmp.Compare(a.size, b.size)
		}
		return cmp.Compare(b.size, a.size)
	})
	// Edits of the same node nest: the order of the ends is that of the beginnings turned round.
	for i := 0; i < len(edits); {
		j := i
		for j < len(edits) && edits[j].off == edits[i].off && edits[j].size == edits[i].size {
			j++
		}
		if edits[i].size < 0 {
			slices.Reverse(edits[i:j])
		}
		i = j
	}
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.off]...), e.text...)
		at = e.end
	}
	return append(out, text[at:]...)
}

// helper is the file that the changed package has in addition. Its names are
// long enough to be its own. With MUTATE_RECORD, the number of each mutant that
// is reached is appended to that file.
const helper = `
import (
	mutantCmp "cmp"
	mutantOS "os"
	mutantStrconv "strconv"
	mutantSync "sync"
)

var (
	mutantID, mutantRecord = mutantStart()
	mutantSeen             mutantSync.Map
)

func mutantStart() (int, string) {
	id, _ := mutantStrconv.Atoi(mutantOS.Getenv("MUTATE"))
	return id, mutantOS.Getenv("MUTATE_RECORD")
}

func mutantOn(id int) bool { return id == mutantID || mutantRecord != "" && mutantNote(id) }

func mutantNote(id int) bool {
	if _, old := mutantSeen.LoadOrStore(id, true); old {
		return false
	}
	f, err := mutantOS.OpenFile(mutantRecord, mutantOS.O_APPEND|mutantOS.O_CREATE|mutantOS.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	if _, err := f.WriteString(mutantStrconv.Itoa(id) + "\n"); err != nil {
		panic(err)
	}
	f.Close()
	return false
}

func mutantAnd(id int, a bool, b func() bool) bool {
	if mutantOn(id) {
		return a || b()
	}
	return a && b()
}

func mutantOr(id int, a bool, b func() bool) bool {
	if mutantOn(id) {
		return a && b()
	}
	return a || b()
}

func mutantLess[T mutantCmp.Ordered](id int, a, b T) bool         { return a < b || mutantOn(id) && a == b }
func mutantGreater[T mutantCmp.Ordered](id int, a, b T) bool      { return a > b || mutantOn(id) && a == b }
func mutantLessEqual[T mutantCmp.Ordered](id int, a, b T) bool    { return a < b || !mutantOn(id) && a == b }
func mutantGreaterEqual[T mutantCmp.Ordered](id int, a, b T) bool { return a > b || !mutantOn(id) && a == b }

func mutantNot[T ~bool](id int, v T) T { return v != T(mutantOn(id)) }

func mutantNegate[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64](id int, v T) T {
	if mutantOn(id) {
		return -v
	}
	return v
}

func mutantValue[T any](id int, v, other T) T {
	if mutantOn(id) {
		return other
	}
	return v
}

func mutantZero[T any](id int, v T) T {
	if mutantOn(id) {
		var zero T
		return zero
	}
	return v
}
`
