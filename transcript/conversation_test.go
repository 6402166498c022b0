package transcript

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestBlockText(t *testing.T) {
	tests := []struct {
		name       string
		block      *Block
		text, body string
	}{
		{"no parts", &Block{}, "", ""},
		{"text", block("hello", User), "hello", "hello"},
		{"media", block("%png", User), "", ""},
		{"several parts", block("-a one/two", Tool), "one\ntwo", "one\ntwo"},
		{"media between", block("-a one/%png/two", Tool), "one\ntwo", "one\ntwo"},
		{"arguments", block("+a(Edit a.go old=x n:=3)", Assistant), "a.go\nx\n3", "a.go\nx\n3"},
		{"known by its first words", head("[Bash] Result:", "\n\nbody\n"), "[Bash] Result:\n\nbody\n", "body\n"},
		{"known by its first words, more parts", &Block{Parts: []Part{{Text: "Result:", Head: 7}, {Text: "body"}}}, "Result:\nbody", "body"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.block.Text(); got != tt.text {
				t.Errorf("text %q, want %q", got, tt.text)
			}
			if got := tt.block.Body(); got != tt.body {
				t.Errorf("body %q, want %q", got, tt.body)
			}
		})
	}
}

func TestBlockArg(t *testing.T) {
	b := block("+a(Edit a.go old=x n:=3)", Assistant)
	tests := []struct{ names, want string }{
		{"path", "a.go"}, {"old", "x"}, {"n", "3"}, {"new", ""}, {"file_path path", "a.go"}, {"old path", "x"}, {"", ""},
	}
	for _, tt := range tests {
		if got := b.Arg(strings.Fields(tt.names)...); got != tt.want {
			t.Errorf("Arg(%s) = %q, want %q", tt.names, got, tt.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	c := conv("S:rules | U:a & b")
	for _, id := range []int{-2, -1, 2, 99} {
		if c.Message(id) != nil || c.Position(id) != -1 || c.Block(Ref{id, 0, Whole}) != nil {
			t.Errorf("there is a message %d", id)
		}
	}
	for _, id := range []int{-1, 2, 99} {
		if c.Block(Ref{1, id, Whole}) != nil {
			t.Errorf("there is a block %d", id)
		}
	}
	if c.Position(1) != 1 || c.Message(1) != c.Messages[1] || c.Block(Ref{1, 1, 7}) != c.Messages[1].Blocks[1] {
		t.Error("an address leads elsewhere")
	}
}

func TestBlocks(t *testing.T) {
	c := conv("S:rules | ~U:old & older | U:a & b | A: | A:c")
	var all []string
	for ref, b := range c.Blocks() {
		all = append(all, fmt.Sprintf("%s: %s", ref, b.Text()))
	}
	want := []string{"message 0 block 0: rules", "message 2 block 0: a", "message 2 block 1: b", "message 4 block 0: c"}
	if !slices.Equal(all, want) {
		t.Errorf("got %q, want %q", all, want)
	}
	for ref := range c.Blocks() {
		if ref.Msg == 4 {
			t.Error("the iteration continues after a break")
		}
		if ref.Msg == 2 {
			break
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct{ got, want string }{
		{fmt.Sprint([]Role{System, User, Assistant, Tool}), "[system user assistant tool]"},
		{fmt.Sprint([]Kind{Text, Thinking, ToolCall, ToolResult, Media, Opaque}), "[text thinking tool call tool result media opaque]"},
		{fmt.Sprint([]Origin{Typed, Injected, ByModel, ByTool, Generated}), "[typed injected model tool generated]"},
		{fmt.Sprint([]UnitKind{UserUnit, AssistantUnit, ToolRound, SystemUnit}), "[user assistant tool round system]"},
		{fmt.Sprint([]Op{Rewrite, Drop, Insert}), "[rewrite drop insert]"},
		{fmt.Sprint([]Ref{At(End), At(2), {2, 1, Whole}, {2, 1, 0}}), "[end message 2 message 2 block 1 message 2 block 1 part 0]"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}

func TestPartner(t *testing.T) {
	tests := []struct{ name, conv, want string }{ // want: call-result, each as message.block
		{"nothing", "U:q | A:hi", ""},
		{"pair", "A:+a(X) | T:-a 1", "0.0-1.0"},
		{"parallel", "A:hm & +a(X) & +b(X) | T:-b 2 & -a 1", "0.1-1.1 0.2-1.0"},
		{"in one message", "A:+a(X) & -a 1", "0.0-0.1"},
		{"late", "A:+a(X) | U:q | A:hi | T:-a 1", "0.0-3.0"},
		{"id used twice, each time answered", "A:+a(X) | T:-a 1 | A:+a(X) | T:-a 2", "0.0-1.0 2.0-3.0"},
		{"id called twice, answered once: the latest", "A:+a(X) | A:+a(X) | T:-a 1", "1.0-2.0"},
		{"id called twice, then answered twice: only the latest", "A:+a(X) | A:+a(X) | T:-a 1 | T:-a 2", "1.0-2.0"},
		{"id answered twice: the first", "A:+a(X) | T:-a 1 | T:-a 2", "0.0-1.0"},
		{"result before call", "T:-a 1 | A:+a(X)", ""},
		{"result before call and after", "T:-a 1 | A:+a(X) | T:-a 2", "1.0-2.0"},
		{"other id", "A:+a(X) | T:-b 1", ""},
		{"no id", "A:+(X) | T:- 1", ""},
		{"two calls, two results", "A:+a(X) | U:-b 1 | A:+b(X) | U:-a 2", "0.0-3.0"},
		{"both hidden", "~A:+a(X) | ~T:-a 1", "0.0-1.0"},
		{"hidden call", "~A:+a(X) | T:-a 1", ""},
		{"hidden result", "A:+a(X) | ~T:-a 1", ""},
		{"hidden round between", "A:+a(X) | ~A:+a(X) | ~T:-a 1 | T:-a 2", "0.0-3.0 1.0-2.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv)
			if got := showPairs(t, c); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.conv, got, tt.want)
			}
		})
	}
}

func showPairs(t *testing.T, c *Conversation) string {
	var found []string
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			ref := Ref{m.ID, b.ID, 3} // the part does not matter
			other, ok := c.Partner(ref)
			if !ok {
				continue
			}
			if back, ok := c.Partner(other); !ok || back != (Ref{m.ID, b.ID, Whole}) {
				t.Errorf("the partner of %s is %s, whose partner is %s", ref, other, back)
			}
			if b.Kind == ToolCall {
				found = append(found, fmt.Sprintf("%d.%d-%d.%d", ref.Msg, ref.Block, other.Msg, other.Block))
			}
		}
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

func TestWithPins(t *testing.T) {
	tests := []struct {
		name, conv string
		pins       map[Ref]Pin
		want       string
		copied     []int // messages that are not shared
	}{
		{"nothing to do", "U:a | A:!!b", map[Ref]Pin{{1, 0, Whole}: Verbatim}, "0U:a | 1A:!!b", nil},
		{"raised", "U:a & b | A:c", map[Ref]Pin{{0, 1, Whole}: Present}, "0U:a & !b | 1A:c", []int{0}},
		{"taken away", "U:!a | A:!!b | U:c", nil, "0U:a | 1A:b | 2U:c", []int{0, 1}},
		{"changed", "U:!a & !!b", map[Ref]Pin{{0, 0, Whole}: Verbatim, {0, 1, Whole}: Present}, "0U:!!a & !b", []int{0}},
		{"of a hidden message", "~U:a", map[Ref]Pin{{0, 0, Whole}: Present}, "0~U:!a", []int{0}},
		{"unknown addresses", "U:a", map[Ref]Pin{{0, 7, Whole}: Present, {9, 0, Whole}: Present, At(0): Present}, "0U:a", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv)
			before := deepCopy(c.Messages)
			next := c.WithPins(func(ref Ref) Pin { return tt.pins[ref] })
			if got := show(next); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !reflect.DeepEqual(c.Messages, before) {
				t.Errorf("the input changed: %s", show(c))
			}
			var copied []int
			for i, m := range c.Messages {
				if next.Messages[i] != m {
					copied = append(copied, i)
				}
			}
			if !reflect.DeepEqual(copied, tt.copied) {
				t.Errorf("copied %v, want %v", copied, tt.copied)
			}
		})
	}
}

func TestWithPinsKeepsTheRest(t *testing.T) {
	c, err := conv("S:rules | U:a & b | A:+a(X) | T:-a 1").Apply(list(drop(0), dropBlock(1, 0), insert(1, "U:new")))
	if err != nil {
		t.Fatal(err)
	}
	b := Ref{1, 1, Whole}
	pins := map[Ref]Pin{b: Verbatim, {4, 0, Whole}: Present}
	next := c.WithPins(func(ref Ref) Pin { return pins[ref] })
	if got, want := show(next), "4U:!new | 1U:!!b@1 | 2A:+a(X) | 3T:-a 1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if next.Message(0) != nil || next.Block(b).Pin != Verbatim || c.Block(b).Pin != Unpinned {
		t.Error("addresses do not lead to the blocks with pins")
	}
	if other, ok := next.Partner(Ref{2, 0, Whole}); !ok || other != (Ref{3, 0, Whole}) {
		t.Error("the pair is lost")
	}
	if got, want := showUnits(next.Units()), "U4 U1 R2,3"; got != want {
		t.Errorf("units %s, want %s", got, want)
	}
}

// TestLearned checks which messages a model learns that is trained on a conversation.
func TestLearned(t *testing.T) {
	for _, role := range []Role{System, User, Assistant, Tool} {
		for loss, want := range map[Loss]bool{LossByRole: role == Assistant, LossOn: true} {
			if m := (&Message{Role: role, Loss: loss}); m.Learned() != want {
				t.Errorf("role %v, loss %d: %v", role, loss, m.Learned())
			}
		}
	}
}

// TestBlockByID checks that a block is found by its identity, wherever it stands.
func TestBlockByID(t *testing.T) {
	a, b, c := &Block{ID: 0}, &Block{ID: 1}, &Block{ID: 7}
	for _, m := range []*Message{{Blocks: []*Block{a, b, c}}} {
		for _, want := range []*Block{a, b, c} {
			if m.Block(want.ID) != want {
				t.Errorf("block %d is not found", want.ID)
			}
		}
		if m.Block(2) != nil || m.Block(-1) != nil {
			t.Error("a block is found that is not there")
		}
	}
	if left := (&Message{Blocks: []*Block{b, c}}); left.Block(0) != nil || left.Block(1) != b || left.Block(7) != c {
		t.Error("after the first block was dropped, the others are not found")
	}
}

// TestModels checks which models wrote the visible answers, the newest first, and where a message at the end
// goes.
func TestModels(t *testing.T) {
	says := func(role Role, model string) *Message {
		m := &Message{Role: role}
		m.SetModel(model)
		return m
	}
	hidden := says(Assistant, "hidden")
	hidden.Hidden = true
	for _, tt := range []struct {
		list []*Message
		own  string
		want []string
	}{
		{[]*Message{says(User, ""), says(Assistant, "a"), says(Assistant, "b"), says(Assistant, "b"), says(Assistant, "a"), hidden, says(User, "x")}, "", []string{"a", "b"}},
		{[]*Message{says(Assistant, "a"), says(Assistant, "")}, "c", []string{"a", "c"}},
		{[]*Message{says(User, "")}, "c", []string{"c"}},
		{nil, "", nil},
	} {
		c := New("", tt.list)
		c.Model = tt.own
		last := ""
		if len(tt.want) > 0 {
			last = tt.want[0]
		}
		if got := c.Models(); !slices.Equal(got, tt.want) || c.LastModel() != last {
			t.Errorf("got %q and %q, want %q", got, c.LastModel(), tt.want)
		}
	}
	undone := says(Assistant, "")
	undone.Undone = true
	if got := New("", []*Message{says(User, ""), undone, says(User, "")}).EndPosition(); got != 1 {
		t.Errorf("the end is in front of message %d, want that which was taken back", got)
	}
}

// TestReleased checks that only messages with the given identities stop to shadow others, that one without blocks is
// hidden then, and that the conversation itself stays as it is.
func TestReleased(t *testing.T) {
	block := func() []*Block { return []*Block{NewText(Block{}, "rope")} }
	c := New("c", []*Message{{Role: User, Blocks: block(), Shadows: true}, {Role: User, Shadows: true}, {Role: User, Blocks: block(), Shadows: true}})
	n := c.Released([]int{c.Messages[0].ID, c.Messages[1].ID, 99})
	for i, want := range []struct{ shadows, hidden bool }{{false, false}, {false, true}, {true, false}} {
		if m := n.Messages[i]; m.Shadows != want.shadows || m.Hidden != want.hidden {
			t.Errorf("message %d: shadows %v, hidden %v", i, m.Shadows, m.Hidden)
		}
		if m := c.Messages[i]; !m.Shadows || m.Hidden {
			t.Errorf("message %d of the conversation itself: shadows %v, hidden %v", i, m.Shadows, m.Hidden)
		}
	}
	if n.Messages[2] != c.Messages[2] {
		t.Error("a message without a change is not shared")
	}
}

// TestSetPins checks that SetPins sets the pins that WithPins sets in a copy.
func TestSetPins(t *testing.T) {
	c := New("c", []*Message{{Role: User, Blocks: []*Block{NewText(Block{}, "rope"), NewText(Block{}, "sail")}}, {Role: Assistant, Blocks: []*Block{NewText(Block{}, "keel")}}})
	pinOf := func(ref Ref) Pin {
		if c.Block(ref).Text() == "sail" {
			return Verbatim
		}
		return Unpinned
	}
	n := c.WithPins(pinOf)
	c.SetPins(pinOf)
	pinned := 0
	for ref, b := range c.Blocks() {
		if b.Pin != n.Block(ref).Pin {
			t.Errorf("%s has pin %v, want %v", b.Text(), b.Pin, n.Block(ref).Pin)
		}
		if b.Pin != Unpinned {
			pinned++
		}
	}
	if pinned != 1 {
		t.Errorf("%d blocks are pinned, want 1", pinned)
	}
}
