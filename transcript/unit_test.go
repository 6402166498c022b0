package transcript

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// showUnits writes units as kind (S, U, A, R for a tool round), message IDs and
// "?" when open: "S0 U1 R2,3 R4?".
func showUnits(units []Unit) string {
	var list []string
	for _, u := range units {
		ids := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(u.Msgs), "[]")), ",")
		open := ""
		if u.Open {
			open = "?"
		}
		list = append(list, fmt.Sprintf("%c%s%s", "UARS"[u.Kind], ids, open))
	}
	return strings.Join(list, " ")
}

func TestUnits(t *testing.T) {
	tests := []struct{ name, conv, want string }{
		{"empty conversation", "", ""},
		{"plain turns", "S:rules | U:hi | A:hello | U:bye", "S0 U1 A2 U3"},
		{"messages without blocks", "S: | U: | A:", "S0 U1 A2"},
		{"roles in a row", "U:a | U:b | A:c | A:d", "U0 U1 A2 A3"},

		{"tool round", "U:q | A:+a(X) | T:-a 1 | A:done", "U0 R1,2 A3"},
		{"answer in a user message", "U:q | A:+a(X) | U:-a 1 & and more | A:done", "U0 R1,2 A3"},
		{"parallel calls answered in one message", "A:+a(X) & +b(X) | T:-b 2 & -a 1 | A:done", "R0,1 A2"},
		{"parallel calls answered in several messages", "A:+a(X) & +b(X) | T:-a 1 | T:-b 2 | A:done", "R0,1,2 A3"},
		{"parallel calls in messages of their own", "A:+a(X) | A:+b(X) | T:-a 1 | T:-b 2", "R0,2 R1,3"},
		{"server tool: call and result in one message", "U:q | A:+a(X) & -a 1 & done", "U0 R1"},
		{"text between call and result", "A:+a(X) | U:hurry | T:-a 1", "R0,2 U1"},
		{"late result", "A:+a(X) & +b(X) | T:-a 1 | A:wait | U:ok | T:-b 2 | A:done", "R0,1,4 A2 U3 A5"},
		{"same id in two rounds", "A:+a(X) | T:-a 1 | A:+a(X) | T:-a 2", "R0,1 R2,3"},

		{"results of two rounds in one message", "A:+a(X) | A:+b(X) | T:-a 1 & -b 2 | A:done", "R0,1,2 A3"},
		{"the same, the later round first", "A:+a(X) | A:+b(X) | T:-b 2 & -a 1 | A:done", "R0,1,2 A3"},
		{"of three rounds", "A:+a(X) | A:+b(X) | U:hm | A:+c(X) | T:-c 3 & -a 1 & -b 2", "R0,1,3,4 U2"},
		{"of rounds that have results already", "A:+a(X) & +b(X) | A:+c(X) | T:-a 1 | T:-b 2 & -c 3", "R0,1,2,3"},
		{"an answer that calls, too", "A:+a(X) | A:-a 1 & +b(X) | T:-b 2", "R0,1,2"},

		{"thinking joins the call", "U:q | A:?hm | A:+a(X) | T:-a 1", "U0 R1,2,3"},
		{"thinking joins the answer", "A:?hm | A:hi", "A0,1"},
		{"thinking in several messages", "A:?hm | A:#blob | A:?so & #blob | A:hi | A:more", "A0,1,2,3 A4"},
		{"thinking after a round is of the next", "A:+a(X) | T:-a 1 | A:?hm | A:+b(X) | T:-b 2", "R0,1 R2,3,4"},
		{"thinking before the user's next message", "A:?hm | U:stop | A:hi", "A0 U1 A2"},
		{"thinking with text stands alone", "A:?hm & so | A:hi", "A0 A1"},
		{"thinking and a late result", "A:+a(X) | A:?hm | T:-a 1 | A:hi", "R0,2 A1,3"},
		{"sealed content of the user", "U:#blob | A:hi", "U0 A1"},
		{"an empty message is not thinking", "A: | A:hi", "A0 A1"},
		{"thinking last", "U:q | A:?hm", "U0 A1"},

		{"result without an id answers the call", "A:+(X) | U:- body | A:done", "R0,1 A2"},
		{"result without an id answers text", "A:reading | U:- body | A:done", "R0,1 A2"},
		{"results without an id after each other", "A:reading | U:- 1 | U:- 2", "R0,1,2"},
		{"result without an id answers thinking", "A:?hm | U:- body | A:done", "R0,1 A2"},
		{"result without an id after the user", "U:q | U:- body", "U0 R1"},
		{"result without an id comes first", "T:- body | A:hi", "R0 A1"},
		{"result without an id after a merge", "A:+a(X) | A:+b(X) | T:-a 1 & -b 2 | T:- more", "R0,1,2,3"},
		{"results with and without an id in one message", "A:+a(X) | A:reading | U:-a 1 & - 2 | A:done", "R0,1,2 A3"},
		{"the same after thinking", "A:+a(X) | A:?hm | U:-a 1 & - 2 | A:done", "R0,1,2 A3"},
		{"orphan result", "U:q | T:-x 1 | A:hi", "U0 R1 A2"},
		{"result before its call", "T:-a 1 | A:+a(X) | U:q", "R0 R1 U2"},

		{"unanswered in the middle", "U:q | A:+a(X) | U:and? | A:done", "U0 R1 U2 A3"},
		{"unanswered before more rounds", "A:+a(X) | A:+b(X) | T:-b 2 | A:+c(X) | T:-c 3", "R0 R1,2 R3,4"},
		{"unanswered, the model goes on", "U:q | A:+a(X) | A:done", "U0 R1 A2"},
		{"unanswered, the user goes on", "A:+a(X) | U:stop", "R0 U1"},
		{"unanswered at the end", "U:q | A:+a(X)", "U0 R1?"},
		{"answered at the end", "U:q | A:+a(X) | T:-a 1", "U0 R1,2"},
		{"half answered at the end", "A:+a(X) & +b(X) | T:-a 1", "R0,1?"},
		{"half answered at the end, with text between", "A:+a(X) & +b(X) | A:wait | T:-a 1", "R0,2? A1"},
		{"parallel calls, none answered", "U:q | A:+a(X) | A:+b(X)", "U0 R1? R2?"},
		{"parallel calls, the first answered", "A:+a(X) | A:+b(X) | T:-a 1", "R0,2 R1?"},
		{"parallel calls, the last answered", "A:+a(X) | A:+b(X) | T:-b 2", "R0? R1,2"},
		{"parallel calls with thinking before each", "A:?hm | A:+a(X) | A:?hm | A:+b(X)", "R0,1? R2,3?"},
		{"call without an id at the end", "U:q | A:+(X)", "U0 R1"},

		{"hidden messages", "~U:old | ~A:+a(X) | U:new | ~A:?hm | A:hi", "U2 A4"},
		{"hidden altogether", "~U:old | ~A:+a(X)", ""},
		{"hidden result", "U:q | A:+a(X) | ~T:-a 1", "U0 R1?"},
		{"hidden call", "~A:+a(X) | T:-a 1", "R1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := showUnits(conv(tt.conv).Units()); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.conv, got, tt.want)
			}
		})
	}
}

func TestUnitsAfterInsert(t *testing.T) {
	c, err := conv("A:+a(X) | A:+b(X) | U:q").Apply(list(insert(2, "T:-b 2 & -a 1"), insert(0, "U:hi")))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := showUnits(c.Units()), "U3 R0,1,4 U2"; got != want {
		t.Errorf("%s\ngot  %s\nwant %s", show(c), got, want)
	}
}

func TestUnitsOfAnyConversation(t *testing.T) {
	for seed := range uint64(3000) {
		c := randomConversation(rand.New(rand.NewPCG(seed, 1)).IntN)
		checkUnits(t, c)
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, show(c))
		}
	}
}

func checkUnits(t *testing.T, c *Conversation) {
	t.Helper()
	owner := map[int]int{}
	last := -1
	for i, u := range c.Units() {
		if len(u.Msgs) == 0 {
			t.Errorf("unit %d is empty", i)
			continue
		}
		if first := c.Position(u.Msgs[0]); first <= last {
			t.Errorf("unit %d begins before the one before it", i)
		} else {
			last = first
		}
		if !slices.IsSortedFunc(u.Msgs, func(a, b int) int { return c.Position(a) - c.Position(b) }) {
			t.Errorf("unit %d: messages %v are out of order", i, u.Msgs)
		}
		waits := false
		for _, id := range u.Msgs {
			if _, twice := owner[id]; twice {
				t.Errorf("message %d is in two units", id)
			}
			owner[id] = i
			for _, b := range c.Message(id).Blocks {
				_, paired := c.Partner(Ref{id, b.ID, Whole})
				waits = waits || b.Kind == ToolCall && !paired
			}
		}
		if u.Open && !waits {
			t.Errorf("unit %d is open without an unanswered call", i)
		}
	}
	for _, m := range c.Messages {
		if _, ok := owner[m.ID]; ok == m.Hidden {
			t.Errorf("message %d: hidden %v, in a unit %v", m.ID, m.Hidden, ok)
		}
	}
	for ref := range c.Blocks() {
		if other, ok := c.Partner(ref); ok && owner[ref.Msg] != owner[other.Msg] {
			t.Errorf("%s and its other half %s are in two units", ref, other)
		}
	}
}

// TestUnitsAfterDrop checks that units follow the current state: thinking belongs to the message
// that follows it now.
func TestUnitsAfterDrop(t *testing.T) {
	c := conv("A:?hm | U:stop | A:hi")
	next, err := c.Apply([]Edit{{At: At(1), Op: Drop}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := showUnits(c.Units())+" → "+showUnits(next.Units()), "A0 U1 A2 → A0,2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// wide returns a conversation with a message of n parallel calls, each answered in a message of
// its own.
func wide(n int) *Conversation {
	calls := &Message{Role: Assistant}
	messages := []*Message{calls}
	for i := range n {
		id := strconv.Itoa(i)
		calls.Blocks = append(calls.Blocks, &Block{Kind: ToolCall, Call: id, Tool: "ls"})
		messages = append(messages, &Message{Role: Tool, Blocks: []*Block{{Kind: ToolResult, Call: id, Parts: []Part{{Text: "a.go"}}}}})
	}
	return New("", messages)
}

// TestUnitsWide checks that a message with very many calls does not take quadratic time. In
// quadratic time this many take more than an hour.
func TestUnitsWide(t *testing.T) {
	const n = 100_000
	c, from := wide(n), time.Now()
	units := c.Units()
	if len(units) != 1 {
		t.Errorf("%d units", len(units))
	}
	if took := time.Since(from); took > 30*time.Second {
		t.Errorf("%d calls took %s", n, took)
	}
}

// BenchmarkUnitsWide measures a message with many parallel calls. The time is linear in their number.
func BenchmarkUnitsWide(b *testing.B) {
	for _, n := range []int{1_000, 8_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			c := wide(n)
			for b.Loop() {
				c.Units()
			}
		})
	}
}
