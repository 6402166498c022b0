package transcript

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// A dice returns a number from 0 to n-1, from a seed or from the bytes of a fuzzer.
type dice func(n int) int

func bytesDice(data []byte) dice {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % n
	}
}

func (d dice) oneIn(n int) bool { return d(n) == n-1 }

func (d dice) rarely() int { return max(0, d(12)-10) }

// ids has few elements, so that ids are used twice, answered twice, or too early.
var ids = []string{"a", "b", "c", ""}

// randomConversation returns messages and blocks of all kinds, in any order.
func randomConversation(d dice) *Conversation {
	var msgs []*Message
	for range d(9) {
		msgs = append(msgs, randomMessage(d))
	}
	return New("c", msgs)
}

func randomMessage(d dice) *Message {
	m := &Message{Role: Role(d(4)), Hidden: d.oneIn(6)}
	for range 1 + d(3) - d.rarely() {
		b := &Block{Kind: Kind(d(6)), Fixed: d.oneIn(8), Origin: Origin(d(5))}
		if d.oneIn(4) {
			b.Pin = Pin(d(3))
		}
		if d.oneIn(2) { // calls and results matter most
			b.Kind = ToolCall + Kind(d(2))
		}
		if b.Kind == ToolCall || b.Kind == ToolResult {
			b.Call = ids[d(len(ids))]
		}
		for range 1 + d(3) - d.rarely() {
			p := Part{Text: string(rune('k' + d(6)))}
			switch {
			case b.Kind == ToolCall:
				p.Name, p.Number = "arg", d.oneIn(3)
			case b.Kind == Media, b.Kind == ToolResult && d.oneIn(3):
				p = Part{Media: &Medium{Type: "png"}}
			}
			b.Parts = append(b.Parts, p)
		}
		m.Blocks = append(m.Blocks, b)
	}
	return m
}

// randomEdits returns edits. In three of four cases they can be applied together.
func randomEdits(d dice, c *Conversation) []Edit {
	valid := !d.oneIn(4)
	var edits []Edit
	for range d(8) {
		more := append(slices.Clone(edits), randomEdit(d, c)...)
		if valid {
			if _, err := c.Apply(more); err != nil {
				continue
			}
		}
		edits = more
	}
	return edits
}

// randomEdit returns one edit with those that it needs.
func randomEdit(d dice, c *Conversation) []Edit {
	at := Ref{d(len(c.Messages)+2) - 1, d(3), Whole}
	if b := c.Block(at); b != nil && d.oneIn(3) {
		at.Part = d(len(b.Parts) + 1)
	}
	e := Edit{At: at, Op: Op(d(3)), Why: "chance"}
	switch e.Op {
	case Rewrite:
		e.Text = "xyz"[:3-3*d.rarely()]
		if d.oneIn(3) {
			e.Same = &Ref{d(4), 0, Whole}
		}
	case Drop:
		if d.oneIn(2) {
			e.At.Block = Whole
		}
		return append(dropPartners(d, c, e.At), e)
	case Insert:
		e.New = randomMessage(d)
		if !d.oneIn(3) {
			e.New = &Message{Role: User, Blocks: []*Block{{Parts: []Part{{Text: "new"}}}}}
		}
	}
	return []Edit{e}
}

// dropPartners drops, in most cases, the other halves of the calls and results at the address.
func dropPartners(d dice, c *Conversation, at Ref) (edits []Edit) {
	m := c.Message(at.Msg)
	if m == nil || d.oneIn(6) {
		return nil
	}
	for _, b := range m.Blocks {
		other, ok := c.Partner(Ref{m.ID, b.ID, Whole})
		if ok && (at.Block == b.ID || at.Block == Whole && other.Msg != m.ID) {
			edits = append(edits, Edit{At: other, Op: Drop})
		}
	}
	return edits
}

func TestApplyAnyEdits(t *testing.T) {
	applied := 0
	const runs = 10000
	for seed := range uint64(runs) {
		d := dice(rand.New(rand.NewPCG(seed, 2)).IntN)
		c := randomConversation(d)
		edits := randomEdits(d, c)
		if checkApply(t, c, edits) && len(edits) > 1 {
			applied++
		}
		if t.Failed() {
			t.Fatalf("seed %d: %s\n%v", seed, show(c), edits)
		}
	}
	if applied < runs/5 {
		t.Errorf("only %d of %d lists of several edits could be applied", applied, runs)
	}
}

func FuzzApply(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		data := make([]byte, 100)
		for i := range data {
			data[i] = byte(r.UintN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := bytesDice(data)
		c := randomConversation(d)
		edits := randomEdits(d, c)
		checkUnits(t, c)
		checkApply(t, c, edits)
		if t.Failed() {
			t.Fatalf("%s\n%v", show(c), edits)
		}
	})
}

// checkApply applies the edits and reports whether that was possible.
func checkApply(t *testing.T, c *Conversation, edits []Edit) bool {
	t.Helper()
	before, given := deepCopy(c.Messages), copyEdits(edits)
	next, err := c.Apply(edits)
	if !reflect.DeepEqual(c.Messages, before) {
		t.Error("the conversation was changed")
	}
	if !reflect.DeepEqual(edits, given) {
		t.Error("the edits were changed")
	}
	if err != nil {
		var refused *EditError
		if next != nil || !errors.As(err, &refused) {
			t.Errorf("got %v and a %T", next, err)
		} else if !slices.ContainsFunc(edits, func(e Edit) bool { return reflect.DeepEqual(e, refused.Edit) }) {
			t.Errorf("reports %+v, which is not among the edits", refused.Edit)
		}
		return false
	}
	checkIdentities(t, c, next)
	checkPromises(t, c, next)
	checkPairsWhole(t, c, next)
	checkDone(t, c, next, edits)
	checkUnits(t, next)
	return true
}

func copyEdits(edits []Edit) []Edit {
	given := slices.Clone(edits)
	for i, e := range given {
		if e.New != nil {
			given[i].New = deepCopy([]*Message{e.New})[0]
		}
	}
	return given
}

// checkIdentities checks that remaining messages and blocks keep their identities and their order.
func checkIdentities(t *testing.T, c, next *Conversation) {
	t.Helper()
	last := -1
	for i, m := range next.Messages {
		if next.Position(m.ID) != i || next.Message(m.ID) != m {
			t.Errorf("message %d is not found by its identity", m.ID)
		}
		was := c.Message(m.ID)
		if was == nil {
			if m.ID < len(c.at) {
				t.Errorf("a new message has the identity %d of another", m.ID)
			}
			continue
		}
		if c.Position(m.ID) <= last {
			t.Errorf("message %d has moved", m.ID)
		}
		last = c.Position(m.ID)
		if m != was && len(m.Blocks) == 0 {
			t.Errorf("message %d is empty now", m.ID)
		}
		block := -1
		for _, b := range m.Blocks {
			if b.ID <= block || was.Block(b.ID) == nil || m.Block(b.ID) != b {
				t.Errorf("block %d of message %d is out of place", b.ID, m.ID)
			}
			block = b.ID
		}
	}
}

// checkPromises checks that pinned, fixed and hidden content is unchanged.
func checkPromises(t *testing.T, c, next *Conversation) {
	t.Helper()
	for _, m := range c.Messages {
		if now := next.Message(m.ID); m.Hidden && now != nil && now != m {
			t.Errorf("hidden message %d was changed", m.ID)
		}
		for _, b := range m.Blocks {
			ref := Ref{m.ID, b.ID, Whole}
			now := next.Block(ref)
			switch {
			case b.Pin == Verbatim && now != b:
				t.Errorf("%s is pinned verbatim, and was changed", ref)
			case b.Pin == Present && now == nil:
				t.Errorf("%s is pinned, and was removed", ref)
			case (b.Fixed || b.Kind == Thinking || b.Kind == Opaque) && now != nil && now != b:
				t.Errorf("%s can only be kept or dropped, and was changed", ref)
			case now != nil && now.Pin != b.Pin:
				t.Errorf("%s was pinned %d and is pinned %d", ref, b.Pin, now.Pin)
			}
			for i, p := range b.Parts {
				if p.Number && now != nil && now.Parts[i] != p {
					t.Errorf("%s: the number in part %d was changed", ref, i)
				}
			}
		}
	}
}

// checkPairsWhole checks that a pair is kept or removed as a whole, and that no inserted half is
// alone.
func checkPairsWhole(t *testing.T, c, next *Conversation) {
	t.Helper()
	check := func(ref Ref) {
		other, ok := c.Partner(ref)
		if !ok {
			return
		}
		now, paired := next.Partner(ref)
		if (next.Block(ref) == nil) != (next.Block(other) == nil) {
			t.Errorf("the pair of %s and %s is broken", ref, other)
		} else if next.Block(ref) != nil && (!paired || now != other) {
			t.Errorf("%s was the other half of %s, and is now that of %s", ref, other, now)
		}
	}
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			check(Ref{m.ID, b.ID, Whole})
		}
	}
	for _, m := range next.Messages {
		for _, b := range m.Blocks {
			if _, ok := next.Partner(Ref{m.ID, b.ID, Whole}); !ok && b.Call != "" && c.Message(m.ID) == nil {
				t.Errorf("the call or result in the new message %d is alone", m.ID)
			}
		}
	}
}

// checkDone checks that every edit was made, and nothing else changed.
func checkDone(t *testing.T, c, next *Conversation, edits []Edit) {
	t.Helper()
	touched := map[Ref]bool{}
	inserted := 0
	for _, e := range edits {
		now := next.Block(e.At)
		switch e.Op {
		case Insert:
			inserted++
		case Drop:
			if now != nil || e.At.Block == Whole && next.Message(e.At.Msg) != nil {
				t.Errorf("%s is still there", e.At)
			}
			touched[e.At], touched[At(e.At.Msg)] = true, true
		case Rewrite:
			if now == nil || now.Parts[max(e.At.Part, 0)].Text != e.Text || e.At.Part == Whole && len(now.Parts) != 1 {
				t.Errorf("%s was not rewritten", e.At)
			}
			touched[Ref{e.At.Msg, e.At.Block, Whole}], touched[At(e.At.Msg)] = true, true
		}
	}
	gone := 0
	for _, m := range c.Messages {
		now := next.Message(m.ID)
		if now == nil {
			gone++
		}
		if !touched[At(m.ID)] && now != m {
			t.Errorf("message %d was changed without an edit", m.ID)
		}
		for _, b := range m.Blocks {
			ref := Ref{m.ID, b.ID, Whole}
			if now != nil && !touched[ref] && next.Block(ref) != b {
				t.Errorf("%s was changed without an edit", ref)
			}
		}
	}
	if want := len(c.Messages) - gone + inserted; len(next.Messages) != want {
		t.Errorf("%d messages, want %d", len(next.Messages), want)
	}
}

// TestApplyInAnyOrder checks that the order of edits matters only between insertions at one place.
func TestApplyInAnyOrder(t *testing.T) {
	compared := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 4))
		c := randomConversation(r.IntN)
		edits := randomEdits(r.IntN, c)
		if len(edits) < 2 || insertsTogether(edits) {
			continue
		}
		shuffled := slices.Clone(edits)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		a, errA := c.Apply(edits)
		b, errB := c.Apply(shuffled)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("seed %d: %s\n%v gave %v\n%v gave %v", seed, show(c), edits, errA, shuffled, errB)
		}
		if errA == nil {
			compared++
			if !reflect.DeepEqual(a.Messages, b.Messages) {
				t.Fatalf("seed %d: %s\n%v gave\n%s\n%v gave\n%s", seed, show(c), edits, show(a), shuffled, show(b))
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d lists of edits compared", compared)
	}
}

func insertsTogether(edits []Edit) bool {
	at := map[int]bool{}
	for _, e := range edits {
		if e.Op == Insert && at[e.At.Msg] {
			return true
		}
		at[e.At.Msg] = at[e.At.Msg] || e.Op == Insert
	}
	return false
}

// TestApplyOneByOne checks edits of different messages that are valid alone: one by one, in any
// order, they have the same result as together. Call ids are unique here, because dropping one of
// several calls of the same id would pair the others differently.
func TestApplyOneByOne(t *testing.T) {
	compared := 0
	for seed := range uint64(10000) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := randomConversation(r.IntN)
		uniqueCalls(c)
		edits := validApart(c, randomEdits(r.IntN, c))
		if len(edits) < 2 {
			continue
		}
		atOnce, err := c.Apply(edits)
		if err != nil {
			continue // together they break a pair
		}
		compared++
		next := c
		for _, i := range r.Perm(len(edits)) {
			if next, err = next.Apply(edits[i : i+1]); err != nil {
				t.Fatalf("seed %d: %s\n%v: %v", seed, show(c), edits, err)
			}
		}
		if got, want := withoutNewIDs(next, c), withoutNewIDs(atOnce, c); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %s\n%v at once\n%s\none by one\n%s", seed, show(c), edits, show(atOnce), show(next))
		}
	}
	if compared < 500 {
		t.Errorf("only %d lists of edits compared", compared)
	}
}

// uniqueCalls sets a unique id for every call, and for every result the id of the latest call before
// it.
func uniqueCalls(c *Conversation) {
	id := "z"
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			if b.Kind == ToolCall {
				id += "z"
			}
			if b.Kind == ToolCall || b.Kind == ToolResult {
				b.Call = id
			}
		}
	}
	c.index(len(c.Messages))
}

// validApart picks edits that are valid alone, one for each message.
func validApart(c *Conversation, edits []Edit) (valid []Edit) {
	seen := map[int]bool{}
	for _, e := range edits {
		if _, err := c.Apply([]Edit{e}); err == nil && !seen[e.At.Msg] {
			seen[e.At.Msg] = true
			valid = append(valid, e)
		}
	}
	return valid
}

// withoutNewIDs copies the messages and clears the identities of those that old does not have,
// because these depend on the order of insertion.
func withoutNewIDs(c, old *Conversation) []*Message {
	msgs := deepCopy(c.Messages)
	for _, m := range msgs {
		if old.Message(m.ID) == nil {
			m.ID = -1
		}
	}
	return msgs
}
