package strategy

import (
	"context"
	"strings"
	"testing"

	"condense/transcript"
)

func TestParseReference(t *testing.T) {
	tests := []struct{ line, by, plain string }{
		{reference("", "80 lines"), "", "[80 lines omitted]"},
		{reference("Read a.go", "80 lines"), "Read a.go", "[80 lines omitted]"},
		{reference("Bash echo a: b by c", "lines 3-9"), "Bash echo a: b by c", "[lines 3-9 omitted]"},
		{reference("", "file a: b.go"), "", "[file a: b.go omitted]"},
		{"[80 lines omitted]", "", ""},
		{"[repeated later", "", ""},
		{"[repeated later by 80 lines omitted]", "", ""},
		{"[repeated later: 80 lines omitted] or so", "", ""},
	}
	for _, tt := range tests {
		by, plain, ok := parseReference(tt.line)
		if by != tt.by || plain != tt.plain || ok != (tt.plain != "") {
			t.Errorf("parseReference(%q) = %q, %q, %v, want %q, %q", tt.line, by, plain, ok, tt.by, tt.plain)
		}
	}
}

// TestAppendMarker checks that plain markers never touch.
func TestAppendMarker(t *testing.T) {
	for _, tt := range []struct{ text, line, want string }{
		{"a\n[20 lines omitted]\n", "[1 line omitted]\n", "a\n[21 lines omitted]\n"},
		{"a\n[20 lines omitted]\n\n", "[3 lines omitted]", "a\n[23 lines omitted]"},
		{"[1,200 lines omitted]\n \n\n", "[3 lines omitted]\n", "[1,203 lines omitted]\n"},
		{"\n", "[3 lines omitted]\n", "\n[3 lines omitted]\n"},
		{"[3 similar lines omitted]\n", "[3 lines omitted]\n", "[3 similar lines omitted]\n[3 lines omitted]\n"},
		{"a\n[20 lines omitted]\r\n", "[3 lines omitted]\n", "a\n[23 lines omitted]\n"},
		{"a\n[20 lines omitted]\n", "b\n", "a\n[20 lines omitted]\nb\n"},
		{"a\n", "[3 lines omitted]\n", "a\n[3 lines omitted]\n"},
		{"", "[3 lines omitted]\n", "[3 lines omitted]\n"},
		{"[20 lines omitted]\na\n", "[3 lines omitted]\n", "[20 lines omitted]\na\n[3 lines omitted]\n"},
		{"[lines 3-9 omitted]\n", "[3 lines omitted]\n", "[10 lines omitted]\n"},
		{"[lines 3-9 omitted]\n", "[lines 10-12 omitted]\n", "[lines 3-12 omitted]\n"},
		{"[line 3 omitted]\n", "[lines 5-6 #123456 omitted]\n", "[3 lines omitted]\n"},
		{"[6 lines omitted]\n", "[278 bytes omitted]\n", "[7 lines omitted]\n"},
		{"[1,278 bytes omitted]\n", "[12 characters omitted]", "[2 lines omitted]"},
	} {
		if got := strings.Join(appendMarker(strings.SplitAfter(tt.text, "\n")[:strings.Count(tt.text, "\n")], tt.line), ""); got != tt.want {
			t.Errorf("appendMarker(%q, %q) = %q, want %q", tt.text, tt.line, got, tt.want)
		}
	}
}

// TestMendReferences checks that a reference becomes a plain marker when a later stage, or
// a later run, changes the block that it points to.
func TestMendReferences(t *testing.T) {
	const ref, plain = "[repeated later: 20 lines omitted]", "[20 lines omitted]"
	const byA, byB = "[repeated later by Read a.go: 20 lines omitted]", "[repeated later by Read b.go: 20 lines omitted]"
	rewrite := func(msg int, text string) transcript.Edit {
		return transcript.Edit{At: transcript.Ref{Msg: msg, Block: 0, Part: transcript.Whole}, Op: transcript.Rewrite, Text: text, Why: "x"}
	}
	drop := func(msg int) transcript.Edit { return transcript.Edit{At: transcript.At(msg), Op: transcript.Drop} }
	refer := func(msg int, text string) transcript.Edit {
		e := rewrite(msg, text)
		e.Same = &transcript.Ref{Msg: 5, Block: 0, Part: transcript.Whole}
		return e
	}
	tests := []struct {
		name  string
		conv  []*transcript.Message
		edits []transcript.Edit
		want  []string // the edits, with those that mend references
	}{
		{"another block changed", concat(read("1", "a.go", ref), read("2", "b.go", source(20)), read("3", "a.go", source(20))),
			[]transcript.Edit{rewrite(3, "x")}, []string{"3.0 x"}},
		{"shortened", concat(read("1", "a.go", ref), read("2", "a.go", source(20))),
			[]transcript.Edit{rewrite(3, "x")}, []string{"3.0 x", "1.0 " + plain}},
		{"dropped", concat(read("1", "a.go", ref), read("2", "a.go", source(20))),
			[]transcript.Edit{drop(2), drop(3)}, []string{"drop 2.-1", "drop 3.-1", "1.0 " + plain}},
		{"one of two", concat(read("1", "c.go", "one\n"+byA+"\ntwo\n"+byB), read("2", "a.go", source(20)), read("3", "b.go", source(20))),
			[]transcript.Edit{rewrite(3, "x")}, []string{"3.0 x", "1.0 one\n" + plain + "\ntwo\n" + byB}},
		{"a reference to a reference", concat(read("1", "a.go", ref), read("2", "a.go", byB), read("3", "b.go", source(20))),
			[]transcript.Edit{rewrite(5, "x")}, []string{"5.0 x", "3.0 " + plain, "1.0 " + plain}},
		{"the block becomes a reference", concat(read("1", "a.go", ref), read("2", "a.go", source(20)), read("3", "b.go", source(20))),
			[]transcript.Edit{refer(3, byB)}, []string{"3.0 " + byB}},
		{"an edit keeps the reference", concat(read("1", "c.go", byA+"\nfar too long a line"), read("2", "a.go", source(20))),
			[]transcript.Edit{rewrite(1, byA+"\nshort"), rewrite(3, "x")}, []string{"1.0 " + plain + "\nshort", "3.0 x"}},
		{"an older block changed", concat(read("1", "a.go", source(3)), read("2", "a.go", ref), read("3", "a.go", source(20))),
			[]transcript.Edit{rewrite(1, "x")}, []string{"1.0 x"}},
		{"the call was renamed", concat(read("1", "c.go", byA), read("2", "a.go", source(20))),
			[]transcript.Edit{{At: transcript.Ref{Msg: 2, Block: 0, Part: 0}, Op: transcript.Rewrite, Text: "z"}}, []string{"2.0 z", "1.0 " + plain}},
		{"typed text", concat(msgs(user(ref)), msgs(model(source(20)))),
			[]transcript.Edit{rewrite(1, "x")}, []string{"1.0 x"}},
		{"text of a model", concat(msgs(model("so:\n\n"+ref), user("a")), msgs(model(source(20)))),
			[]transcript.Edit{rewrite(2, "x")}, []string{"2.0 x", "0.0 so:\n\n" + plain}},
		{"after a head", msgs(
			model(call("1", "Read", "path=a.go")), user(headed("1", "[Read] Result:", ref)), model(call("2", "Read", "path=a.go")), tool("2", source(20)),
		), []transcript.Edit{rewrite(3, "x")}, []string{"3.0 x", "1.0 " + plain}},
		{"no references", concat(read("1", "a.go", source(20)), read("2", "a.go", source(20))), []transcript.Edit{rewrite(3, "x")}, []string{"3.0 x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv...)
			edits, err := mendReferences(c, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			wantEdits(t, edits, tt.want...)
			apply(t, c, edits)
		})
	}
}

// shortener is a strategy that removes every second line of results.
var shortener = Strategy{Name: "shortener", Run: func(_ context.Context, in *Input) (Proposal, error) {
	var edits []transcript.Edit
	for ref, b := range in.Conv.Blocks() {
		if b.Kind != transcript.ToolResult || b.Pin != transcript.Unpinned || b.Fixed || mediaParts(b) > 0 || holdsMarker(b.Text()) {
			continue
		}
		var kept strings.Builder
		n := 0
		for line := range strings.Lines(b.Body()) {
			if n++; n%2 == 0 {
				kept.WriteString(line)
			}
		}
		edits = append(edits, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: "[every second line omitted]\n" + kept.String()})
	}
	return Proposal{Edits: edits}, nil
}}

// ReferencesHold checks that the content that references replaced comes again later, word
// for word.
func ReferencesHold(t *testing.T, before, after *transcript.Conversation) {
	t.Helper()
	later := map[string]bool{}
	for i := len(after.Messages) - 1; i >= 0; i-- {
		m := after.Messages[i]
		if m.Hidden {
			continue
		}
		for j := len(m.Blocks) - 1; j >= 0; j-- {
			b := m.Blocks[j]
			was := before.Block(transcript.Ref{Msg: m.ID, Block: b.ID})
			held := map[string]bool{}
			references, others := 0, 0
			for line := range strings.Lines(b.Text()) {
				line = strings.TrimRight(line, "\n")
				held[bare(line)] = true
				if _, _, ok := parseReference(line); ok {
					references++
				} else if transcript.IsMarker(line) {
					others++
				}
			}
			if references > 0 && others == 0 && was != nil {
				for line := range strings.Lines(was.Text()) {
					if line = bare(line); !held[line] && !later[line] {
						t.Errorf("message %d: no later message has %q:\n%s", m.ID, line, b.Text())
						return
					}
				}
			}
			for line := range held {
				later[line] = true
			}
		}
	}
}

// bare returns a line without its line number.
func bare(line string) string {
	line = strings.TrimRight(line, "\n")
	body, _ := gutter(line)
	return line[body:]
}
