package expand_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/strategy/expand"
	"condense/transcript"
	"condense/transcript/marker"
	"condense/transcript/token"
)

// long is a text that is long enough for an id.
var long = strings.Repeat("a line of a result\n", 8)

// conversation returns a conversation of one result for each text, after a typed question.
func conversation(texts ...string) *transcript.Conversation {
	list := []*transcript.Message{{ID: 0, Role: transcript.User, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "go on"}}}}}}
	for i, text := range texts {
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Parts: []transcript.Part{{Text: text}}}
		list = append(list, &transcript.Message{ID: i + 1, Role: transcript.User, Blocks: []*transcript.Block{b}})
	}
	return transcript.New("", list)
}

// rewritten returns a conversation after rewrites of its results; "" drops one.
func rewritten(t *testing.T, c *transcript.Conversation, texts ...string) *transcript.Conversation {
	var edits []transcript.Edit
	for i, text := range texts {
		at := transcript.Ref{Msg: i + 1, Block: 0, Part: 0}
		switch {
		case text == "":
			edits = append(edits, transcript.Edit{At: transcript.At(i + 1), Op: transcript.Drop})
		case text != c.Block(at).Parts[0].Text:
			edits = append(edits, transcript.Edit{At: at, Op: transcript.Rewrite, Text: text})
		}
	}
	next, err := c.Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// TestFind checks which text each id of an output stands for. In want, ID1 stands for the first id.
func TestFind(t *testing.T) {
	other := strings.Repeat("another line\n", 9)
	tests := []struct {
		name          string
		before, after []string
		want          string   // the output, its results joined by "|"
		texts         []string // of ID1, ID2, …
	}{
		{"a stub", []string{long}, []string{"[Read a.go: 8 lines omitted]"}, "[Read a.go: 8 lines #ID1 omitted]", []string{long}},
		{"lines", []string{"first\n" + long + "last\n"}, []string{"first\n[8 lines omitted]\nlast\n"}, "first\n[8 lines #ID1 omitted]\nlast\n", []string{long}},
		{"two markers", []string{"first\n" + long + "middle\n" + other + "last"}, []string{"first\n[8 lines omitted]\nmiddle\n[9 lines omitted]\nlast"},
			"first\n[8 lines #ID1 omitted]\nmiddle\n[9 lines #ID2 omitted]\nlast", []string{long, other}},
		{"the amount decides where a line is kept", []string{"}\n" + long + "}\n" + long + "}\n"}, []string{"}\n[17 lines omitted]\n}\n"},
			"}\n[17 lines #ID1 omitted]\n}\n", []string{long + "}\n" + long}},
		{"characters", []string{"x = " + strings.Repeat("ab", 90) + " end"}, []string{"x = [180 characters omitted] end"},
			"x = [180 characters #ID1 omitted] end", []string{strings.Repeat("ab", 90)}},
		{"another form of the text", []string{"  1→first\n" + long}, []string{"first\n[1 line omitted]\nelse\n[7 lines omitted]\n"},
			"first\n[1 line omitted]\nelse\n[7 lines #ID1 omitted]\n", []string{"  1→first\n" + long}},
		{"too short", []string{"one\ntwo\nthree\n"}, []string{"one\n[2 lines omitted]\n"}, "one\n[2 lines omitted]\n", nil},
		{"a repetition", []string{long}, []string{"[repeated later: 8 lines omitted]"}, "[repeated later: 8 lines omitted]", nil},
		{"a marker of before", []string{"[9 lines #123456 omitted]\nfirst\n" + long}, []string{"[9 lines #123456 omitted]\nfirst\n[8 lines omitted]\n"},
			"[9 lines #123456 omitted]\nfirst\n[8 lines #ID1 omitted]\n", []string{long}},
		{"a record for one result", []string{long, "stays"}, []string{"", "[condensed: 1 read]\n\nstays"}, "[condensed: 1 read #ID1]\n\nstays", []string{long}},
		{"a record for several", []string{long, other, "stays"}, []string{"", "", "[condensed: 2 reads]\n\nstays"}, "[condensed: 2 reads #ID1]\n\nstays", []string{long + "|" + other}},
		{"a record behind", []string{"stays", long}, []string{"stays\n[condensed: 1 read]", ""}, "stays\n[condensed: 1 read #ID1]", []string{long}},
		{"a record of lines", []string{long, "stays"}, []string{"", "[condensed: Edit a.go:\n +line\n]\nstays"}, "[condensed: Edit a.go:\n +line\n#ID1]\nstays", []string{long}},
		{"an old record as it was", []string{"[condensed: 1 read #123456]\n\n" + long}, []string{"[condensed: 1 read]\n\n[8 lines omitted]\n"},
			"[condensed: 1 read #123456]\n\n[8 lines #ID1 omitted]\n", []string{"[condensed: 1 read #123456]\n\n" + long}},
		{"a merged record", []string{"[condensed: 1 read #123456]\n\n" + long, "stays"}, []string{"", "[condensed: 2 reads]\n\nstays"},
			"[condensed: 2 reads #ID1]\n\nstays", []string{"123456|[condensed: 1 read #123456]\n\n" + long}},
		{"the amount of the first marker decides where a line is kept", []string{"first\n}\n" + long + "}\n" + other + "last"}, []string{"first\n[9 lines omitted]\n}\n[9 lines omitted]\nlast"},
			"first\n[9 lines #ID1 omitted]\n}\n[9 lines #ID2 omitted]\nlast", []string{"}\n" + long, other}},
		{"another end of the text", []string{"first\n" + long + "tail A"}, []string{"first\n[8 lines omitted]\ntail B"},
			"first\n[8 lines #ID1 omitted]\ntail B", []string{"first\n" + long + "tail A"}},
		{"a longer end than the text", []string{"first\n" + long}, []string{"first\n[8 lines omitted]\n" + other + other}, "first\n[8 lines #ID1 omitted]\n" + other + other, []string{"first\n" + long}},
		{"another form without numbers", []string{"  1→first\n" + long}, []string{"first\n[Read a.go: 1 line omitted]\nelse\n[7 lines omitted]\n"},
			"first\n[Read a.go: 1 line omitted]\nelse\n[7 lines #ID1 omitted]\n", []string{"  1→first\n" + long}},
		{"the number of characters decides", []string{"x = " + strings.Repeat("ab", 60) + " and " + strings.Repeat("cd", 60) + " and " + strings.Repeat("ef", 80) + " end"},
			[]string{"x = [245 characters omitted] and [160 characters omitted] end"}, "x = [245 characters #ID1 omitted] and [160 characters #ID2 omitted] end",
			[]string{strings.Repeat("ab", 60) + " and " + strings.Repeat("cd", 60), strings.Repeat("ef", 80)}},
		{"a middle that is not there", []string{"first\n" + long + "last\n"}, []string{"first\n[3 lines omitted]\nelse\n[4 lines omitted]\nlast\n"},
			"first\n[3 lines omitted]\nelse\n[4 lines #ID1 omitted]\nlast\n", []string{"first\n" + long + "last\n"}},
		{"a line break in front", []string{"\nfirst\n" + long}, []string{"\nfirst\n[8 lines omitted]\n"}, "\nfirst\n[8 lines #ID1 omitted]\n", []string{long}},
		{"the same text twice", []string{long, other, other}, []string{"[8 lines omitted]", "[9 lines omitted]", "[9 lines omitted]"}, "[8 lines #ID1 omitted]|[9 lines #ID2 omitted]|[9 lines #ID2 omitted]", []string{long, other}},
		{"a record with an id", []string{long, "stays"}, []string{"", "[condensed: 1 read #654321]\n\nstays"}, "[condensed: 1 read #654321]\n\nstays", nil},
		{"a record for what is too short", []string{"one\ntwo", "stays"}, []string{"", "[condensed: 1 read]\n\nstays"}, "[condensed: 1 read]\n\nstays", nil},
		{"a record for nothing", []string{"stays"}, []string{"[condensed: 1 read]\n\nstays"}, "[condensed: 1 read]\n\nstays", nil},
		{"a record in the place of an older one", []string{"[condensed: 1 read #123456]", "stays"}, []string{"", "[condensed: 1 read]\n\nstays"}, "[condensed: 1 read #123456]\n\nstays", nil},
		{"an older record and a result", []string{"[condensed: 1 read #123456]", long, "stays"}, []string{"", "", "[condensed: 2 reads]\n\nstays"},
			"[condensed: 2 reads #ID1]\n\nstays", []string{"123456|" + long}},
		{"two older records as they were", []string{"[condensed: 1 read #111111]\nbetween\n[condensed: 2 reads #222222]\n" + long}, []string{"[condensed: 1 read]\nbetween\n[condensed: 2 reads]\n[8 lines omitted]\n"},
			"[condensed: 1 read #111111]\nbetween\n[condensed: 2 reads #222222]\n[8 lines #ID1 omitted]\n", []string{"[condensed: 1 read #111111]\nbetween\n[condensed: 2 reads #222222]\n" + long}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from := conversation(tt.before...)
			found := expand.Find(from, rewritten(t, from, tt.after...), nil)
			n, _ := found.Sites()
			found.Show(n)
			to, err := rewritten(t, from, tt.after...).Apply(found.Edits(n))
			if err != nil {
				t.Fatal(err)
			}
			var results []string
			for _, m := range to.Messages[1:] {
				results = append(results, m.Blocks[0].Text())
			}
			want := tt.want
			for i, text := range tt.texts {
				want = strings.ReplaceAll(want, "ID"+string(rune('1'+i)), idOf(t, found, text))
			}
			if got := strings.Join(results, "|"); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// idOf returns the id of the removal with a text, or of the group with the texts and ids between bars.
func idOf(t *testing.T, found *expand.Found, text string) string {
	ids := map[string]string{}
	for _, r := range found.Removals {
		ids[r.ID] = r.Text
	}
	for _, r := range found.Removals {
		var texts []string
		for _, id := range r.Of {
			if known, ok := ids[id]; ok {
				texts = append(texts, known)
			} else {
				texts = append(texts, id)
			}
		}
		if r.Shown && (len(r.Of) == 0 && r.Text == text || len(r.Of) > 0 && strings.Join(texts, "|") == text) {
			return r.ID
		}
	}
	t.Errorf("no id for %q among %+v", text, found.Removals)
	return ""
}

// TestTaken checks that an id becomes longer until it differs from those of other texts, and that the
// same text has the same id.
func TestTaken(t *testing.T) {
	from := conversation(long)
	to := rewritten(t, from, "[Read a.go: 8 lines omitted]")
	plain := expand.Find(from, to, nil).Removals[0]
	if !strings.HasPrefix(plain.Number, plain.ID) || len(plain.ID) != marker.MinID {
		t.Fatalf("id %s of number %s", plain.ID, plain.Number)
	}
	taken := func(id, number string) bool { return number == plain.Number && len(id) < 8 }
	if got := expand.Find(from, to, taken).Removals[0].ID; got != plain.Number[:8] {
		t.Errorf("got %s, want %s", got, plain.Number[:8])
	}
	if got := expand.Find(from, to, func(string, string) bool { return true }).Removals[0].ID; got != plain.Number {
		t.Errorf("got %s, want all of %s", got, plain.Number)
	}
}

// TestTokens checks that the id and its sign add at most three tokens to a marker.
func TestTokens(t *testing.T) {
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counter, err := token.New(name)
		if err != nil {
			t.Fatal(err)
		}
		count := func(text string) int { return counter.Block(&transcript.Block{Parts: []transcript.Part{{Text: text}}}) }
		for i := range 200 {
			from := conversation(long + strings.Repeat("x", i))
			id := expand.Find(from, rewritten(t, from, "[8 lines omitted]"), nil).Removals[0].ID
			for _, form := range []string{"[12 lines| omitted]", "[condensed: 3 reads|]"} {
				if n := count(strings.Replace(form, "|", marker.Sign(id, "12 lines"), 1)) - count(strings.Replace(form, "|", "", 1)); n > 3 {
					t.Errorf("%s: the id %s adds %d tokens", name, id, n)
				}
			}
		}
	}
}

// TestEditsInOrder checks that the sites with the most text come first.
func TestEditsInOrder(t *testing.T) {
	from := conversation(long, long+long, long+long+long)
	found := expand.Find(from, rewritten(t, from, "[8 lines omitted]", "[16 lines omitted]", "[24 lines omitted]"), nil)
	var at []int
	for _, e := range found.Edits(2) {
		at = append(at, e.At.Msg)
	}
	if !slices.Equal(at, []int{3, 2}) {
		t.Errorf("got edits of messages %v", at)
	}
	at = nil
	from = conversation(long+long, long+long+long, long)
	for _, e := range expand.Find(from, rewritten(t, from, "[16 lines omitted]", "[24 lines omitted]", "[8 lines omitted]"), nil).Edits(3) {
		at = append(at, e.At.Msg)
	}
	if !slices.Equal(at, []int{2, 1, 3}) {
		t.Errorf("got edits of messages %v", at)
	}
}

// TestSites checks the number of places for ids, and of those that had one before the run, which come first.
func TestSites(t *testing.T) {
	from := conversation("[condensed: 1 read #123456]\n\nstays", long, long+long)
	found := expand.Find(from, rewritten(t, from, "[condensed: 1 read]\n\nstays", "[8 lines omitted]", "[16 lines omitted]"), nil)
	if n, again := found.Sites(); n != 3 || again != 1 {
		t.Errorf("%d sites, %d again", n, again)
	}
	if edits := found.Edits(1); len(edits) != 1 || edits[0].Text != "[condensed: 1 read #123456]\n\nstays" {
		t.Errorf("first: %+v", edits)
	}
}

// TestKeep checks that sites of single blocks can be left out.
func TestKeep(t *testing.T) {
	other := strings.Repeat("another line\n", 9)
	from := conversation("first\n"+long+"middle\n"+other+"last", long)
	found := expand.Find(from, rewritten(t, from, "first\n[8 lines omitted]\nmiddle\n[9 lines omitted]\nlast", "[Read: 8 lines omitted]"), nil)
	asked := map[int]int{}
	found.Keep(func(at transcript.Ref, n int) bool {
		asked[at.Msg] = n
		return n == 1
	})
	if n, _ := found.Sites(); n != 1 || asked[1] != 2 || asked[2] != 1 {
		t.Errorf("%d sites are left, of messages with %v", n, asked)
	}
	if edits := found.Edits(1); len(edits) != 1 || edits[0].At.Msg != 2 {
		t.Errorf("got %+v", edits)
	}
}

// TestInserted checks that a record in a new message has an id, and stands for the messages that are gone.
func TestInserted(t *testing.T) {
	from := conversation(long, "stays")
	summary := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{
		{Origin: transcript.Generated, Parts: []transcript.Part{{Text: "Notes:\n[condensed: 1 read]"}}},
	}}
	for _, at := range []int{2, transcript.End} {
		to, err := from.Apply([]transcript.Edit{{At: transcript.At(1), Op: transcript.Drop}, {At: transcript.At(at), Op: transcript.Insert, New: summary}})
		if err != nil {
			t.Fatal(err)
		}
		found := expand.Find(from, to, nil)
		n, _ := found.Sites()
		edits := found.Edits(n)
		if len(edits) != 1 || len(found.Removals) != 1 || found.Removals[0].Text != long {
			t.Fatalf("before %d: edits %+v for %+v", at, edits, found.Removals)
		}
		if want := "Notes:\n[condensed: 1 read #" + found.Removals[0].ID + "]"; edits[0].Text != want {
			t.Errorf("before %d: %q, want %q", at, edits[0].Text, want)
		}
	}
}

// TestNoQuestion checks that what is gone at the beginning of a conversation belongs to the next record, also
// where nobody has typed anything.
func TestNoQuestion(t *testing.T) {
	whole := conversation(long, "stays", "[condensed: x]")
	from := transcript.New("", whole.Messages[1:3])
	to, err := from.Apply([]transcript.Edit{{At: transcript.At(from.Messages[0].ID), Op: transcript.Drop}, {At: transcript.Ref{Msg: from.Messages[1].ID}, Op: transcript.Rewrite, Text: "stays\n[condensed: 1 read]"}})
	if err != nil {
		t.Fatal(err)
	}
	found := expand.Find(from, to, nil)
	if n, _ := found.Sites(); n != 1 || len(found.Removals) != 1 || found.Removals[0].Text != long {
		t.Errorf("%d sites for %+v", n, found.Removals)
	}
}

// TestParts checks blocks of several parts: those that the run made one, and those that stay.
func TestParts(t *testing.T) {
	block := func(texts ...string) *transcript.Block {
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool}
		for _, text := range texts {
			b.Parts = append(b.Parts, transcript.Part{Text: text})
		}
		return b
	}
	with := func(b *transcript.Block) *transcript.Conversation {
		c := conversation("x")
		return transcript.New("", []*transcript.Message{c.Messages[0], {ID: 1, Role: transcript.User, Blocks: []*transcript.Block{b}}})
	}
	for _, tt := range []struct {
		before, after []string
		text          string
	}{
		{[]string{long, "end"}, []string{"[8 lines omitted]\nend"}, long + "\nend"},
		{[]string{"start", long}, []string{"start", "[8 lines omitted]"}, long},
		{[]string{long, "end"}, nil, ""},
	} {
		found := expand.Find(with(block(tt.before...)), with(block(tt.after...)), nil)
		if tt.text == "" && len(found.Removals) != 0 || tt.text != "" && (len(found.Removals) != 1 || !strings.Contains(tt.text, strings.TrimSpace(found.Removals[0].Text))) {
			t.Errorf("%q became %q: %+v", tt.before, tt.after, found.Removals)
		}
	}
}

// TestNumbers checks that each text has a number of nine digits, from which its id is taken.
func TestNumbers(t *testing.T) {
	var texts, stubs []string
	for i := range 300 {
		texts, stubs = append(texts, long+strings.Repeat("x", i)), append(stubs, "[8 lines omitted]")
	}
	from := conversation(texts...)
	removals := expand.Find(from, rewritten(t, from, stubs...), nil).Removals
	if len(removals) != len(texts) {
		t.Fatalf("%d removals", len(removals))
	}
	for _, r := range removals {
		if len(r.Number) != 9 || !marker.IsID(r.Number) || !marker.IsID(r.ID) || !strings.HasPrefix(r.Number, r.ID) {
			t.Errorf("the id %s of the number %s", r.ID, r.Number)
		}
	}
}

// TestHead checks that the words by which a client recognises a result stay as they are when an id is
// written behind them.
func TestHead(t *testing.T) {
	for _, words := range []string{"Exit code 1", "Exit code 1\n", "\n"} {
		from := conversation(words + long)
		from.Messages[1].Blocks[0].Parts[0].Head = int32(len(words))
		edit := transcript.Edit{At: transcript.Ref{Msg: 1}, Op: transcript.Rewrite, Text: "[Run: 8 lines omitted]"}
		to, err := from.Apply([]transcript.Edit{edit})
		if err != nil {
			t.Fatal(err)
		}
		found := expand.Find(from, to, nil)
		if n, _ := found.Sites(); n != 1 {
			t.Fatalf("%q: %d sites", words, n)
		}
		was := to.Messages[1].Blocks[0].Text()
		signed, err := to.Apply(found.Edits(1))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := signed.Messages[1].Blocks[0].Text(), strings.Replace(was, "8 lines omitted", "8 lines #"+found.Removals[0].ID+" omitted", 1); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// TestTurns checks that a record stands for the texts of its own turn: what is gone from an earlier one has
// no id beside it.
func TestTurns(t *testing.T) {
	other := strings.Repeat("another line\n", 9)
	first, second := conversation(long), conversation(other, "stays")
	from := transcript.New("", slices.Concat(first.Messages, []*transcript.Message{
		{ID: 2, Role: transcript.User, Blocks: second.Messages[0].Blocks}, {ID: 3, Role: transcript.User, Blocks: second.Messages[1].Blocks}, {ID: 4, Role: transcript.User, Blocks: second.Messages[2].Blocks},
	}))
	to, err := from.Apply([]transcript.Edit{
		{At: transcript.At(1), Op: transcript.Drop}, {At: transcript.At(3), Op: transcript.Drop}, {At: transcript.Ref{Msg: 4}, Op: transcript.Rewrite, Text: "[condensed: 1 read]\n\nstays"},
	})
	if err != nil {
		t.Fatal(err)
	}
	found := expand.Find(from, to, nil)
	n, _ := found.Sites()
	found.Show(n)
	for _, r := range found.Removals {
		if r.Shown != (r.Text == other) || len(r.Of) > 0 {
			t.Errorf("%+v", r)
		}
	}
	if n != 1 || len(found.Removals) != 2 {
		t.Errorf("%d sites for %d texts", n, len(found.Removals))
	}
}

// TestUnsignable checks that nothing is written into texts that no run may change.
func TestUnsignable(t *testing.T) {
	for name, change := range map[string]func(b *transcript.Block){
		"pinned": func(b *transcript.Block) { b.Pin = transcript.Verbatim }, "fixed": func(b *transcript.Block) { b.Fixed = true },
		"thinking": func(b *transcript.Block) { b.Kind = transcript.Thinking }, "opaque": func(b *transcript.Block) { b.Kind = transcript.Opaque },
		"a number": func(b *transcript.Block) { b.Parts[0].Number = true }, "none of them": nil,
	} {
		from := conversation(long)
		to := rewritten(t, from, "[8 lines omitted]")
		if change != nil {
			change(to.Messages[1].Blocks[0])
		}
		if n, _ := expand.Find(from, to, nil).Sites(); (n == 1) != (change == nil) {
			t.Errorf("%s: %d sites", name, n)
		}
	}
}

// TestNumberIsTheHash checks that the number of a text is its hash in nine digits, as in outputs of earlier
// versions, and that a group is addressed by its first text.
func TestNumberIsTheHash(t *testing.T) {
	sum := sha256.Sum256([]byte(long))
	want := fmt.Sprintf("%09d", binary.BigEndian.Uint64(sum[:])%1_000_000_000)
	from := conversation(long, strings.Repeat("another line\n", 9), "stays")
	removals := expand.Find(from, rewritten(t, from, "", "", "[condensed: 2 reads]\n\nstays"), nil).Removals
	if len(removals) != 3 || removals[0].Number != want || removals[2].Of == nil || removals[2].At != removals[0].At {
		t.Errorf("got %+v, want the number %s", removals, want)
	}
}

// TestGroupOfEarlierRecords checks that a record in the place of two records of earlier runs is a group of
// their ids, and that a new record in a hidden message is no site.
func TestGroupOfEarlierRecords(t *testing.T) {
	before := conversation("[condensed: Read a.go (3 lines) #482193]\n[condensed: Read b.go (4 lines) #582193]\n", long)
	after := rewritten(t, before, "[condensed: Read 2 files]", long)
	found := expand.Find(before, after, nil)
	if n, _ := found.Sites(); n != 0 || len(found.Removals) != 1 || strings.Join(found.Removals[0].Of, " ") != "482193 582193" || found.Removals[0].At != transcript.At(transcript.End) {
		t.Errorf("%d sites, %+v", n, found.Removals)
	}
	for _, hidden := range []bool{false, true} {
		m := &transcript.Message{Role: transcript.Assistant, Hidden: hidden, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "[condensed: Read a.go (8 lines)]"}}}}}
		after, err := before.Apply([]transcript.Edit{{At: transcript.At(2), Op: transcript.Drop}, {At: transcript.At(2), Op: transcript.Insert, New: m}})
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := expand.Find(before, after, nil).Sites(); (n == 0) != hidden {
			t.Errorf("hidden %t: %d sites", hidden, n)
		}
	}
}
