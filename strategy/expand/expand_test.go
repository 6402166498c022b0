package expand_test

import (
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
}
