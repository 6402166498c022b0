package transcript

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"
)

// list returns its edits. It keeps the tables below readable.
func list(edits ...Edit) []Edit { return edits }

func TestApplyRefuses(t *testing.T) {
	const round = "U:q | A:+a(Read a.go) & ok | T:-a body & -b more"
	fill := Edit{At: Ref{0, Whole, Whole}, Op: Rewrite, Text: "x"}
	empty := Edit{At: At(End), Op: Insert, New: &Message{Role: User}}
	tests := []struct {
		name   string
		conv   string
		edits  []Edit
		blamed int // index in edits
		reason string
	}{
		{"unknown message", round, list(drop(3)), 0, "no such message"},
		{"negative message", round, list(drop(-2)), 0, "no such message"},
		{"end", round, list(drop(End)), 0, "no such message"},
		{"unknown block", round, list(dropBlock(0, 1)), 0, "no such block"},
		{"negative block", round, list(dropBlock(0, -2)), 0, "no such block"},
		{"unknown part", round, list(rewritePart(2, 0, 1, "x")), 0, "no such part"},
		{"negative part", round, list(rewritePart(2, 0, -2, "x")), 0, "no such part"},
		{"insert before an unknown message", round, list(insert(9, "U:x")), 0, "no such message"},

		{"message twice", round, list(drop(0), drop(0)), 1, "another edit has the same address or a part of it"},
		{"block twice", round, list(dropBlock(2, 1), rewrite(2, 1, "x")), 1, "another edit has the same address or a part of it"},
		{"part twice", round, list(rewritePart(2, 0, 0, "x"), rewritePart(2, 0, 0, "y")), 1, "another edit has the same address or a part of it"},
		{"message, then its block", round, list(drop(0), rewrite(0, 0, "x")), 1, "another edit has the same address or a part of it"},
		{"block, then its message", round, list(rewrite(0, 0, "x"), drop(0)), 1, "another edit has the same address or a part of it"},
		{"block, then its part", round, list(rewrite(2, 0, "x"), rewritePart(2, 0, 0, "y")), 1, "another edit has the same address or a part of it"},
		{"part, then its block", round, list(rewritePart(2, 0, 0, "y"), rewrite(2, 0, "x")), 1, "another edit has the same address or a part of it"},
		{"part, then its block dropped", round, list(rewritePart(2, 1, 0, "y"), dropBlock(2, 1)), 1, "another edit has the same address or a part of it"},

		{"verbatim rewritten", "U:!!q", list(rewrite(0, 0, "x")), 0, "the block is pinned verbatim"},
		{"verbatim part rewritten", "U:!!q", list(rewritePart(0, 0, 0, "x")), 0, "the block is pinned verbatim"},
		{"verbatim dropped", "U:!!q", list(dropBlock(0, 0)), 0, "the block is pinned"},
		{"present dropped", "S:!rules", list(dropBlock(0, 0)), 0, "the block is pinned"},
		{"message with a pinned block dropped", "U:a & !b", list(drop(0)), 0, "a pinned block is in it"},
		{"hidden message with a pinned block dropped", "~U:a & !!b", list(drop(0)), 0, "a pinned block is in it"},

		{"fixed", "U:=q", list(rewrite(0, 0, "x")), 0, "a fixed block is kept or dropped whole"},
		{"fixed call", "A:=+a(Read a.go) | T:-a body", list(rewritePart(0, 0, 0, "x")), 0, "a fixed block is kept or dropped whole"},
		{"thinking", "A:?hm", list(rewrite(0, 0, "x")), 0, "a block of kind thinking is kept or dropped whole"},
		{"opaque", "A:#blob", list(rewrite(0, 0, "x")), 0, "a block of kind opaque is kept or dropped whole"},
		{"hidden rewritten", "~U:old", list(rewrite(0, 0, "x")), 0, "the message is outside the effective view"},
		{"hidden dropped in part", "~U:old & older", list(dropBlock(0, 1)), 0, "the message is outside the effective view"},
		{"empty text", "U:q", list(rewrite(0, 0, "")), 0, "the new text is empty: drop it instead"},
		{"message rewritten", "U:q", list(fill), 0, "a whole message can be dropped, not rewritten"},
		{"part dropped", "T:-a one/two", list(Edit{At: Ref{0, 0, 1}, Op: Drop}), 0, "a part can be rewritten, not dropped"},
		{"number", "A:+a(Read a.go limit:=5)", list(rewritePart(0, 0, 1, "6")), 0, "the argument is a number"},
		{"lone number as a whole", "A:+a(Wait n:=5)", list(rewrite(0, 0, "6")), 0, "arguments of a call are rewritten one by one"},
		{"several arguments as a whole", "A:+a(Edit a.go old=x)", list(rewrite(0, 0, "y")), 0, "arguments of a call are rewritten one by one"},
		{"call without arguments", "A:+a(Pwd)", list(rewrite(0, 0, "y")), 0, "the block has no text to rewrite"},
		{"result without parts", "T:-a ", list(rewrite(0, 0, "y")), 0, "the block has no text to rewrite"},

		{"call without its result", round, list(rewrite(0, 0, "x"), dropBlock(1, 0)), 1, "its other half at message 2 block 0 would stay alone"},
		{"message of a call without its result", round, list(drop(1), rewrite(0, 0, "x")), 0, "its other half at message 2 block 0 would stay alone"},
		{"result without its call", round, list(dropBlock(2, 1), dropBlock(2, 0)), 1, "its other half at message 1 block 0 would stay alone"},
		{"result and block after block", round, list(drop(2)), 0, "its other half at message 1 block 0 would stay alone"},
		{"one half hidden away from its half", "~A:+a(X) | ~T:-a body", list(drop(1)), 0, "its other half at message 0 block 0 would stay alone"},

		{"nothing inserted", round, list(Edit{At: At(0), Op: Insert}), 0, "nothing to insert"},
		{"no block inserted", round, list(empty), 0, "nothing to insert"},
		{"empty text inserted", round, list(insert(0, "U:x & -b ")), 0, "an inserted block has no text"},
		{"media inserted", round, list(insert(End, "U:%png")), 0, "an inserted block has no text"},
		{"orphan call inserted", round, list(rewrite(0, 0, "x"), insert(End, "A:+c(Read b.go)")), 1, "a call or result in it has no other half"},
		{"orphan result inserted", round, list(insert(0, "U:x"), insert(1, "T:-a body")), 1, "a call or result in it has no other half"},
		{"result inserted before its call", "A:+a(X) | U:q", list(insert(0, "T:-a body")), 0, "a call or result in it has no other half"},
		{"call inserted between the halves", round, list(insert(2, "A:+a(Read b.go)")), 0, "it would part the call at message 1 block 0 from its result"},
		{"result inserted between the halves", round, list(insert(2, "T:-a other")), 0, "it would part the call at message 1 block 0 from its result"},
		{"pair inserted between the halves", round, list(insert(End, "U:x"), insert(2, "A:+n(X y)"), insert(2, "A:+a(X y) & -a 1")), 2, "it would part the call at message 1 block 0 from its result"},
		{"pair inserted between the halves, next to a hidden one", round, list(insert(2, "~A:+a(X y) & -a 1"), insert(2, "A:+a(X y) & -a 1")), 1, "it would part the call at message 1 block 0 from its result"},
		{"pair inserted between the halves, crosswise", round, list(insert(2, "T:-a 1"), insert(2, "A:+a(X y)")), 0, "it would part the call at message 1 block 0 from its result"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv)
			before := deepCopy(c.Messages)
			next, err := c.Apply(tt.edits)
			if next != nil || err == nil {
				t.Fatalf("got %v, %v; want a refusal", next, err)
			}
			var refused *EditError
			if !errors.As(err, &refused) {
				t.Fatalf("error is a %T", err)
			}
			if refused.Reason != tt.reason {
				t.Errorf("reason %q\nwant   %q", refused.Reason, tt.reason)
			}
			if !reflect.DeepEqual(refused.Edit, tt.edits[tt.blamed]) {
				t.Errorf("blamed %+v", refused.Edit)
			}
			if !reflect.DeepEqual(c.Messages, before) {
				t.Error("the input changed")
			}
		})
	}
}

func TestApply(t *testing.T) {
	const round = "U:q | A:+a(Read a.go) & ok | T:-a body & -b more"
	tests := []struct {
		name  string
		conv  string
		edits []Edit
		want  string
	}{
		{"message dropped", "U:a | A:b | U:c", list(drop(1)), "0U:a | 2U:c"},
		{"everything dropped", "U:a | A:b", list(drop(1), drop(0)), ""},
		{"block dropped", "U:a & b & c", list(dropBlock(0, 1)), "0U:a & c@2"},
		{"all blocks dropped", "U:a & b | A:c", list(dropBlock(0, 1), dropBlock(0, 0)), "1A:c"},
		{"only block dropped", "U:a | A:c", list(dropBlock(0, 0)), "1A:c"},
		{"pair dropped by blocks", round, list(dropBlock(2, 0), dropBlock(1, 0)), "0U:q | 1A:ok@1 | 2T:-b more@1"},
		{"pair dropped by message and block", round, list(drop(1), dropBlock(2, 0)), "0U:q | 2T:-b more@1"},
		{"unanswered call dropped", "U:q | A:+a(X)", list(drop(1)), "0U:q"},
		{"fixed dropped", "A:=?hm & hi", list(dropBlock(0, 0)), "0A:hi@1"},
		{"thinking and opaque dropped", "A:?hm & #blob & hi", list(dropBlock(0, 0), dropBlock(0, 1)), "0A:hi@2"},
		{"hidden dropped whole", "~U:old | U:new", list(drop(0)), "1U:new"},
		{"hidden pair dropped whole", "~A:+a(X) | ~T:-a body | U:new", list(drop(1), drop(0)), "2U:new"},

		{"present rewritten", "S:!rules", list(rewrite(0, 0, "r")), "0S:!r"},
		{"block next to a pinned one dropped", "U:!!a & b", list(dropBlock(0, 1)), "0U:!!a"},
		{"single part rewritten", "U:a", list(rewritePart(0, 0, 0, "x")), "0U:x"},
		{"one of the parts rewritten", "T:-a 1/2/3", list(rewritePart(0, 0, 1, "x")), "0T:-a 1/x/3"},
		{"several parts rewritten", "T:-a 1/2/3", list(rewritePart(0, 0, 2, "z"), rewritePart(0, 0, 0, "x")), "0T:-a x/2/z"},
		{"many parts become one", "T:-a 1/%png/3", list(rewrite(0, 0, "x")), "0T:-a x"},
		{"media part becomes text", "T:-a 1/%png", list(rewritePart(0, 0, 1, "x")), "0T:-a 1/x"},
		{"only argument as a whole", "A:+a(Bash command=make)", list(rewrite(0, 0, "m")), "0A:+a(Bash command=m)"},
		{"one argument", "A:+a(Edit a.go old=x n:=3)", list(rewritePart(0, 0, 1, "y")), "0A:+a(Edit a.go old=y n:=3)"},

		{"inserted first", "U:a", list(insert(0, "S:x")), "1S:x | 0U:a"},
		{"inserted in an empty conversation", "", list(insert(End, "U:x & y")), "0U:x & y"},
		{"inserted before a hidden message", "~U:a", list(insert(0, "U:x")), "1U:x | 0~U:a"},
		{"inserted at one place, in the order given", "U:a | A:b", list(insert(1, "U:x"), insert(1, "U:y"), insert(0, "U:z")), "2U:z | 0U:a | 3U:x | 4U:y | 1A:b"},
		{"inserted at the end, in the order given", "U:a", list(insert(End, "U:x"), insert(End, "U:y")), "0U:a | 1U:x | 2U:y"},
		{"inserted in place of a message", "U:a | A:b | U:c", list(drop(1), insert(1, "A:x")), "0U:a | 3A:x | 2U:c"},
		{"inserted before a changed message", "U:a & b", list(dropBlock(0, 0), insert(0, "U:x")), "1U:x | 0U:b@1"},
		{"pair inserted", "U:a", list(insert(End, "A:+n(X y)"), insert(End, "T:-n r")), "0U:a | 1A:+n(X y) | 2T:-n r"},
		{"missing result inserted", "A:+a(X) | U:b", list(insert(1, "T:-a r")), "0A:+a(X) | 2T:-a r | 1U:b"},
		{"hidden pair inserted between the halves", "A:+a(X) | T:-a r", list(insert(1, "~A:+a(X y) & -a 1")), "0A:+a(X) | 2~A:+a(X y) & -a 1 | 1T:-a r"},
		{"pair with a used id inserted", "A:+a(X) | T:-a r", list(insert(End, "A:+a(X y)"), insert(End, "T:-a s")),
			"0A:+a(X) | 1T:-a r | 2A:+a(X y) | 3T:-a s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv)
			before := deepCopy(c.Messages)
			next, err := c.Apply(tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(next); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !reflect.DeepEqual(c.Messages, before) {
				t.Errorf("the input changed: %s", show(c))
			}
		})
	}
}

func TestApplyNothing(t *testing.T) {
	for _, edits := range [][]Edit{nil, {}} {
		c := conv("U:q")
		if next, err := c.Apply(edits); next != c || err != nil {
			t.Errorf("got %p, %v; want the conversation itself, %p", next, err, c)
		}
	}
	var zero Conversation
	next, err := zero.Apply(list(insert(End, "U:x")))
	if err != nil || show(next) != "0U:x" {
		t.Errorf("the zero value with a message: %v, %v", next, err)
	}
}

func TestApplyShares(t *testing.T) {
	c := conv("S:rules | U:a & b & c | A:d")
	next, err := c.Apply(list(dropBlock(1, 1), rewrite(1, 2, "x"), insert(0, "U:new"), insert(2, "U:new")))
	if err != nil {
		t.Fatal(err)
	}
	if next.Message(0) != c.Message(0) || next.Message(2) != c.Message(2) {
		t.Error("an untouched message was copied")
	}
	if a := (Ref{1, 0, Whole}); next.Block(a) != c.Block(a) {
		t.Error("an untouched block was copied")
	}
	if next.ID != c.ID {
		t.Errorf("the conversation is now called %q", next.ID)
	}
}

// TestApplyKeepsIdentities checks that an address from before some edits is valid after them, and
// that the address of a removed block stays invalid after any insertion.
func TestApplyKeepsIdentities(t *testing.T) {
	c := conv("S:rules | U:a & b | A:+a(X) & c | T:-a body | A:done")
	refs := map[string]Ref{}
	for ref, b := range c.Blocks() {
		refs[showBlock(b)] = ref
	}
	for _, edits := range [][]Edit{
		list(drop(0), insert(2, "U:new one")),
		list(insert(1, "U:new two"), dropBlock(1, 0)),
		list(insert(End, "U:new three"), insert(2, "A:new four")),
		list(drop(5), drop(7)),
		list(insert(1, "U:new five"), insert(6, "U:new six")),
	} {
		next, err := c.Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		c = next
	}
	const want = "9U:new six | 6U:new two | 10U:new five | 1U:b@1 | 2A:+a(X) & c | 3T:-a body | 4A:done | 8U:new three"
	if got := show(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for text, ref := range refs {
		b := c.Block(ref)
		switch gone := text == "rules" || text == "a"; {
		case gone && b != nil:
			t.Errorf("%s was removed, and its address now leads to %s", text, showBlock(b))
		case !gone && (b == nil || showBlock(b) != text):
			t.Errorf("%s is no longer at %s", text, ref)
		}
	}
	if other, ok := c.Partner(refs["+a(X)"]); !ok || other != refs["-a body"] {
		t.Errorf("the pair is lost: %v", other)
	}
}

// head returns the result of a client without ids, whose first words name the call.
func head(words, body string) *Block {
	return &Block{Kind: ToolResult, Origin: ByTool, Parts: []Part{{Text: words + body, Head: int32(len(words))}}}
}

func TestApplyRewritten(t *testing.T) {
	tests := []struct {
		name   string
		block  *Block
		edits  []Edit
		kind   Kind
		origin Origin
		parts  []Part
	}{
		{"text", block("a", User), list(rewrite(0, 0, "x")), Text, Generated, []Part{{Text: "x"}}},
		{"text by part", block("a", User), list(rewritePart(0, 0, 0, "x")), Text, Generated, []Part{{Text: "x"}}},
		{"result", block("-a 1/2", Tool), list(rewrite(0, 0, "x")), ToolResult, ByTool, []Part{{Text: "x"}}},
		{"two parts", block("-a 1/2", Tool), list(rewritePart(0, 0, 1, "y"), rewritePart(0, 0, 0, "x")),
			ToolResult, ByTool, []Part{{Text: "x"}, {Text: "y"}}},
		{"media", block("%png", User), list(rewrite(0, 0, "x")), Text, Generated, []Part{{Text: "x"}}},
		{"media by part", block("%png", User), list(rewritePart(0, 0, 0, "x")), Text, Generated, []Part{{Text: "x"}}},
		{"media and its caption", block("%png/caption", User), list(rewritePart(0, 0, 1, "x")),
			Media, Typed, []Part{{Media: &Medium{Type: "png"}}, {Text: "x"}}},
		{"answer known by its first words", head("[Bash] Result:", "\nbody"), list(rewrite(0, 0, "x")), ToolResult, ByTool, head("[Bash] Result:", "\nx").Parts},
		{"the same, one part of it", head("[Bash] Result:", "body"), list(rewritePart(0, 0, 0, "x")), ToolResult, ByTool, head("[Bash] Result:", "\nx").Parts},
		{"the same, with an empty line", head("[Bash] Result:\n\n", "body"), list(rewrite(0, 0, "x")), ToolResult, ByTool, head("[Bash] Result:", "\nx").Parts},
		{"call", block("+a(Bash command=make)", Assistant), list(rewrite(0, 0, "x")),
			ToolCall, ByModel, []Part{{Name: "command", Text: "x"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := New("", []*Message{{Role: User, Blocks: []*Block{tt.block}}})
			c.Messages[0].SetTime(time.Unix(1, 0))
			c.Messages[0].SetUsage(&Usage{Input: 1})
			next, err := c.Apply(tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			want := *tt.block
			want.Kind, want.Origin, want.Parts = tt.kind, tt.origin, tt.parts
			if got := next.Messages[0].Blocks[0]; !reflect.DeepEqual(*got, want) {
				t.Errorf("got  %+v\nwant %+v", *got, want)
			}
			if m := next.Messages[0]; !m.Time().Equal(time.Unix(1, 0)) || m.Usage() == nil {
				t.Errorf("time or usage of the message is lost: %+v", m)
			}
		})
	}
}

// TestRewrittenWithoutParts checks Rewritten, which strategies call before they propose an edit.
func TestRewrittenWithoutParts(t *testing.T) {
	e := rewrite(0, 0, "x")
	if got := (&Block{Kind: ToolResult}).Rewritten(&e); got.Text() != "x" {
		t.Errorf("got %+v", got)
	}
}

// TestApplyCopiesInsertions checks that Apply copies inserted messages, which belong to the edit.
func TestApplyCopiesInsertions(t *testing.T) {
	m := messages("U:a & b")[0]
	m.ID, m.Blocks[0].ID = 7, 7
	e := Edit{At: At(0), Op: Insert, New: m}
	next, err := conv("U:q").Apply(list(e, e))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(next), "1U:a & b | 2U:a & b | 0U:q"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m.ID != 7 || m.Blocks[0].ID != 7 || slices.Contains(next.Messages, m) || next.Block(Ref{1, 0, Whole}) == m.Blocks[0] {
		t.Error("the message of the edit was not copied")
	}
}

func TestEditError(t *testing.T) {
	tests := []struct {
		err  EditError
		want string
	}{
		{EditError{drop(2), "r"}, "drop message 2 refused: r"},
		{EditError{rewrite(2, 1, "x"), "r"}, "rewrite message 2 block 1 refused: r"},
		{EditError{rewritePart(2, 1, 0, "x"), "r"}, "rewrite message 2 block 1 part 0 refused: r"},
		{EditError{insert(End, "U:x"), "r"}, "insert end refused: r"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestApplyReplacesHalf checks that a result may be dropped only if an inserted one replaces it.
func TestApplyReplacesHalf(t *testing.T) {
	half := func(kind Kind, id string) *Block {
		return &Block{Kind: kind, Call: id, Parts: []Part{{Text: "x"}}}
	}
	c := New("", []*Message{
		{Role: Assistant, Blocks: []*Block{half(ToolCall, "a")}},
		{Role: User, Blocks: []*Block{{Parts: []Part{{Text: "wait"}}}}},
		{Role: User, Blocks: []*Block{half(ToolResult, "a")}},
	})
	drop := Edit{At: At(2), Op: Drop}
	for id, allowed := range map[string]bool{"a": true, "b": false} {
		next, err := c.Apply([]Edit{drop, {At: At(1), Op: Insert, New: &Message{Role: User, Blocks: []*Block{half(ToolResult, id)}}}})
		if (err == nil) != allowed {
			t.Errorf("result for %s: %v", id, err)
		}
		if err != nil {
			continue
		}
		if now, ok := next.Partner(Ref{0, 0, Whole}); !ok || now.Msg != 3 || len(next.Messages) != 3 {
			t.Errorf("the call's partner is %v", now)
		}
	}
}
