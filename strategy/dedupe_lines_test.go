package strategy

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// source returns a file of n different lines.
func source(n int) string { return numberedFrom(0, n, "") }

// listing returns the same file as a tool lists it, numbered from from.
func listing(from, n int) string { return numberedFrom(from, n, "→") }

func numberedFrom(from, n int, sep string) string {
	var s strings.Builder
	for i := range n {
		if sep != "" {
			fmt.Fprintf(&s, "%6d%s", from+i, sep)
		}
		fmt.Fprintf(&s, "\tcase %[1]d: return handle(request%[1]d, answer)\n", i)
	}
	return s.String()
}

// cut replaces the lines from i up to j of a text.
func cut(text string, i, j int, by string) string {
	all := strings.SplitAfter(text, "\n")
	return strings.Join(all[:i], "") + by + strings.Join(all[j:], "")
}

func TestDedupeLines(t *testing.T) {
	ls := func(id, body string) []*transcript.Message { return round(id, "Bash", "command=git diff", body) }
	tests := []struct {
		name string
		conv []*transcript.Message
		want []string
	}{
		{"part of a newer result", concat(ls("1", "first\n"+source(20)+"last\n"), read("2", "a.go", "new\n"+source(30))),
			[]string{"1.0 first\n[repeated later by Read a.go: 20 lines omitted]\nlast\n"}},
		{"an older version of a file", concat(read("1", "a.go", cut(source(40), 20, 22, "\told := 1\n")), read("2", "a.go", source(40))),
			[]string{"1.0 [repeated later: 20 lines omitted]\n\told := 1\n[repeated later: 18 lines omitted]\n"}},
		{"changed line numbers", concat(read("1", "a.go", listing(1, 20)), read("2", "a.go", "     1→import x\n"+listing(2, 20))),
			[]string{"1.0 [repeated later: lines 1-20 omitted]\n"}},
		{"unchanged line numbers", concat(read("1", "a.go", listing(1, 20)), read("2", "a.go", listing(1, 25))),
			[]string{"1.0 [repeated later: 20 lines omitted]\n"}},
		{"line numbers only in the newer", concat(ls("1", "+++\n"+source(20)), read("2", "a.go", listing(1, 20))),
			[]string{"1.0 +++\n[repeated later by Read a.go: 20 lines omitted]\n"}},
		{"a long line with a number on one side", concat(ls("1", "+++\n"+paragraph("x")+paragraph("y")+paragraph("z")), read("2", "a.go", "3\t"+paragraph("x")+paragraph("y")+paragraph("z"))),
			[]string{"1.0 +++\n[repeated later by Read a.go: 468 bytes omitted]"}},
		{"different numbers that are not consecutive", concat(ls("1", "a\n"+strings.ReplaceAll(source(9), "\tcase", "7:case")), ls("2", "b\n"+strings.ReplaceAll(source(9), "\tcase", "8:case"))), nil},
		{"line numbers only in the older", concat(read("1", "a.go", listing(1, 20)), ls("2", source(20))),
			[]string{"1.0 [repeated later by Bash git diff: lines 1-20 omitted]\n"}},
		{"numbers before a colon", concat(
			ls("1", strings.ReplaceAll(listing(1, 20), "→", ":")+"end\n"), ls("2", strings.ReplaceAll(cut(listing(5, 20), 0, 0, "x\n"), "→", ":"))),
			[]string{"1.0 [repeated later: lines 1-20 omitted]\nend\n"}},
		{"the newest of three", concat(ls("1", "a\n"+source(20)), read("2", "a.go", "b\n"+source(20)), read("3", "b.go", "c\n"+source(20))),
			[]string{"1.0 a\n[repeated later by Read b.go: 20 lines omitted]\n", "3.0 b\n[repeated later by Read b.go: 20 lines omitted]\n"}},
		{"from two places", concat(ls("1", source(40)+"end"), read("2", "a.go", "x\n"+cut(source(40), 20, 41, "")), read("3", "b.go", "y\n"+cut(source(40), 0, 20, ""))),
			[]string{"1.0 [repeated later by Read a.go: 20 lines omitted]\n[repeated later by Read b.go: 20 lines omitted]\nend"}},
		{"few lines", concat(ls("1", "a\n"+source(2)+"b\n"), read("2", "a.go", "c\n"+source(2))), nil},
		{"blank lines have no tokens", concat(ls("1", "a"+strings.Repeat("\n", 400)+"b"), ls("2", "c"+strings.Repeat("\n", 500)+"d")), nil},
		{"in a header of a client", msgs(
			model(prose("1", "read_file", "<path>a.go</path>")), user(headed("1", "[read_file for 'a.go'] Result:", "old\n"+source(20))),
			model(prose("2", "read_file", "<path>a.go</path>")), user(headed("2", "[read_file for 'a.go'] Result:", source(20)+"new\n")),
		), []string{"1.0 old\n[repeated later: 20 lines omitted]\n"}},
		{"in failures", concat(failedRead("1", "a.go", "bad\n"+source(20)), failedRead("2", "a.go", "worse\n"+source(20))),
			[]string{"1.0 bad\n[repeated later: 20 lines omitted]\n"}},
		{"within one result", concat(ls("1", source(20)+source(20))), nil},
		{"around a marker", concat(ls("1", cut(source(6), 3, 4, "[9 lines omitted]\n")), ls("2", cut(source(6), 3, 4, "[9 lines omitted]\n")+"x\n")), nil},

		{"paragraphs", msgs(model("First.\n\n"+paragraph("x")+"\n\nLast."), user("a"), model("Again:\n\n"+paragraph("x")+"\n\nThe end.")),
			[]string{"0.0 First.\n\n[repeated later: 156 bytes omitted]\n\nLast."}},
		{"code between fences", msgs(model("First.\n\n```go\n"+source(9)+"\nx := 1\n```\nLast."), user("a"), model("Again:\n\n```go\n"+source(9)+"```\nThe end.")),
			[]string{"0.0 First.\n\n```go\n[repeated later: 9 lines omitted]\n\nx := 1\n```\nLast."}},
		{"half a paragraph", msgs(model("First.\n\n"+paragraph("x")+"\nAnd so on."), user("a"), model("Again:\n\n"+paragraph("x")+"\n\nThe end.")), nil},
		{"text of a model that the user repeats", msgs(model("First.\n\n"+paragraph("x")), user("You said:\n\n"+paragraph("x")), model("yes")),
			[]string{"0.0 First.\n\n[repeated later: 156 bytes omitted]"}},
		{"text of the user that a model repeats", msgs(user("Do this:\n\n"+paragraph("x")), model("You said:\n\n"+paragraph("x")), user("yes")), nil},
		{"a mentioned file that a newer result repeats", concat(msgs(user("see", mention("a.go", "first\n"+source(20))), model("x")), ls("1", "new\n"+source(30))), nil},
		{"text of a tool that a model repeats", concat(ls("1", "x\n\n"+paragraph("x")), msgs(model("y\n\n"+paragraph("x")))), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(conv(concat(msgs(user("go"), model("a"), user("b")), tt.conv, msgs(user("thanks"), model("done")))...), Options{}, 0)
			for i, want := range tt.want { // three messages come before those of the case
				var msg int
				fmt.Sscanf(want, "%d", &msg)
				tt.want[i] = fmt.Sprint(msg+3) + want[strings.Index(want, "."):]
			}
			edits := propose(t, &Dedupe, in)
			wantEdits(t, edits, tt.want...)
			wantEdits(t, propose(t, &Dedupe, inputFor(apply(t, in.Conv, edits), Options{}, 0))) // a second run proposes nothing
		})
	}
}

// paragraph returns a long line.
func paragraph(word string) string { return strings.Repeat(word+" is what it is and so on ", 6) }

func TestDedupeImages(t *testing.T) {
	shot := func(id, data string) []*transcript.Message {
		b := withImage(result(id, "screen"))
		b.Parts[1].Media.Data = data
		return msgs(model(call(id, "Shot", "url="+id)), user(b))
	}
	pasted := func(data string) *transcript.Block {
		b := image()
		b.Parts[0].Media.Data = data
		return b
	}
	attached := func(data string) *transcript.Block {
		b := pasted(data)
		b.Parts[0].Media.Type = "application/pdf"
		return b
	}
	tests := []struct {
		name string
		conv []*transcript.Message
		want []string
	}{
		{"the same", concat(shot("1", "AAAA"), shot("2", "AAAA")), []string{"3.0 [repeated later by Shot 2: image omitted]"}},
		{"another", concat(shot("1", "AAAA"), shot("2", "BBBB")), nil},
		{"unknown", concat(shot("1", ""), shot("2", "")), nil},
		{"pasted twice", msgs(user("see", pasted("AAAA")), model("a"), user("again", pasted("AAAA")), model("b")), []string{"2.1 [repeated later: image omitted]"}},
		{"attached twice", msgs(user("see", attached("AAAA")), model("a"), user("again", attached("AAAA")), model("b")), []string{"2.1 [repeated later: attachment omitted]"}},
		{"pasted, then shot", concat(msgs(user("see", pasted("AAAA")), model("a")), shot("1", "AAAA")), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(conv(concat(msgs(user("go"), model("a")), tt.conv, msgs(user("thanks"), model("done")))...), Options{}, 0)
			edits := propose(t, &Dedupe, in)
			wantEdits(t, edits, tt.want...)
			wantEdits(t, propose(t, &Dedupe, inputFor(apply(t, in.Conv, edits), Options{}, 0)))
		})
	}
}

// TestDedupeParagraphs checks that a paragraph refers to its newest whole copy when an even
// newer text only begins like it.
func TestDedupeParagraphs(t *testing.T) {
	paragraph := source(12)
	longer := strings.TrimSuffix(paragraph, "\n") + " and so on\n" + source(3)
	c := conv(msgs(
		user("go"), model("One.\n\n"+paragraph+"\nAnd that is all.\n"), user("go"), model("Two.\n\n"+paragraph+"\nNothing more.\n"),
		user("go"), model("Three.\n\n"+longer), user("go"), model("done"),
	)...)
	in := inputFor(c, Options{}, 0)
	next := apply(t, in.Conv, propose(t, &Dedupe, in))
	ReferencesHold(t, c, next)
	first, second := next.Messages[1].Blocks[0].Text(), next.Messages[3].Blocks[0].Text()
	if !strings.Contains(first, referenceStart) || second != c.Messages[3].Blocks[0].Text() {
		t.Errorf("got %q and %q", first, second)
	}
}

func TestGutter(t *testing.T) {
	tests := []struct {
		line string
		body string
		num  int32
	}{
		{"     1→\tx", "\tx", 1}, {"12\tx", "x", 12}, {"12: x", " x", 12}, {"7 | x", "x", 7}, {"00012| x", "00012| x", -1},
		{"x", "x", -1}, {"", "", -1}, {"12", "12", -1}, {"123456789→x", "123456789→x", -1}, {"10:23:45 x", "23:45 x", 10},
	}
	for _, tt := range tests {
		if body, num := gutter(tt.line); tt.line[body:] != tt.body || num != tt.num {
			t.Errorf("gutter(%q): content %q, number %d, want %q, %d", tt.line, tt.line[body:], num, tt.body, tt.num)
		}
	}
}

// FuzzDedupeLines checks with random results and texts that every removed line is in a
// newer one, and that a second run removes nothing.
func FuzzDedupeLines(f *testing.F) {
	f.Add(source(20), "x\n"+source(30))
	f.Add(listing(1, 20), "x\n"+listing(2, 20))
	f.Add(cut(source(40), 20, 22, "[9 lines omitted]\n"), source(40))
	f.Add(strings.Repeat("the same\n\n", 40), "\r\n"+strings.Repeat("the same\n\n", 50))
	f.Fuzz(func(t *testing.T, older, newer string) {
		prose := func(s string) string { return "Hm.\n\n" + s }
		c := conv(concat(msgs(user("go"), model(prose(older))), read("1", "a.go", older), msgs(model(prose(newer))), read("2", "a.go", newer), msgs(model("done")))...)
		in := inputFor(c, Options{}, 0)
		next := apply(t, in.Conv, propose(t, &Dedupe, in))
		ReferencesHold(t, c, next)
		if total(next) > total(c) {
			t.Errorf("%d tokens after dedupe, %d before", total(next), total(c))
		}
		wantEdits(t, propose(t, &Dedupe, inputFor(next, Options{}, 0)))
	})
}

// TestDedupeOtherWords checks that text stays that a later text has with one thing changed: a letter, a
// line, an order, or an author who may not repeat it.
func TestDedupeOtherWords(t *testing.T) {
	p := paragraph("x")
	listed := source(20)
	again := func(text string) []*transcript.Message { return msgs(model("Again:\n\n" + text + "\n\nThe end.")) }
	ls := func(body string) []*transcript.Message { return round("2", "Bash", "command=cat b.go", body) }
	prose, read := msgs(model("First.\n\n"+p+"\n\nLast.")), round("1", "Bash", "command=cat a.go", "first\n"+listed+"last\n")
	swapped := strings.SplitAfter(listed, "\n")
	for i := 0; i+1 < len(swapped); i += 2 {
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
	}
	for _, tt := range []struct {
		name        string
		said, later []*transcript.Message
		stays       bool
	}{
		{"the same paragraph", prose, again(p), false},
		{"a letter of a paragraph", prose, again(strings.Replace(p, "what", "that", 1)), true},
		{"the last letter of a paragraph", prose, again(strings.TrimSpace(p) + "."), true},
		{"a negation in a paragraph", prose, again(strings.Replace(p, "it is", "it is not", 1)), true},
		{"a paragraph of an injected text", prose, msgs(user(injected("Again:\n\n" + strings.Replace(p, "x", "y", 1)))), true},
		{"the same lines", read, ls("other\n" + listed), false},
		{"a letter of every line", read, ls("other\n" + strings.ReplaceAll(listed, "answer", "answers")), true},
		{"the number of every line", read, ls("other\n" + strings.ReplaceAll(listed, "case ", "case 1")), true},
		{"the order of all lines", read, ls("other\n" + strings.Join(swapped, "")), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(concat(msgs(user("go"), model("a"), user("b")), tt.said, tt.later, msgs(user("thanks"), model("done")))...)
			if edits := propose(t, &Dedupe, inputFor(c, Options{}, 0)); (len(edits) == 0) != tt.stays {
				t.Errorf("got %q", showEdits(edits))
			}
		})
	}
}
