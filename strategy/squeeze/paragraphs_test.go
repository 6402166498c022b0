package squeeze

import (
	"slices"
	"strings"
	"testing"
)

// TestParagraphs checks how the text of a model is cut: into sentences, items and blocks of code, and which of them
// begin a paragraph.
func TestParagraphs(t *testing.T) {
	long := "This sentence is long enough to be a piece of its own in a longer line of text, because it has many words in it, and then some more of them. "
	next := "Next comes another one that is long enough to be a piece as well, which it can only be with about as many words as the first of the two had."
	wrapped := "This line is as long as the margin allows, and goes on\n"
	for _, tt := range []struct {
		name, source string
		want         []string // the pieces; those that begin a paragraph have a + in front
	}{
		{"one line", "a", []string{"+a"}},
		{"two lines", "a\nb\n", []string{"+a\n", "b\n"}},
		{"two paragraphs", "a\n\nb\n", []string{"+a\n\n", "+b\n"}},
		{"blank lines at the beginning", "\n\na\n", []string{"+\n\n", "+a\n"}},
		{"sentences", long + next + "\n", []string{"+" + long, next + "\n"}},
		{"an item is not cut", "- " + long + next + "\n", []string{"+- " + long + next + "\n"}},
		{"a numbered item is not cut", "12. " + long + next, []string{"+12. " + long + next}},
		{"a quotation is not cut", "> " + long + next, []string{"+> " + long + next}},
		{"a wrapped paragraph", wrapped + "until it ends here.\nNext.\n", []string{"+" + wrapped + "until it ends here.\n", "Next.\n"}},
		{"a sentence that begins in a wrapped line", wrapped + "until it ends. " + next + "\n", []string{"+" + wrapped + "until it ends. ", next + "\n"}},
		{"a wrapped item", "- " + wrapped + "  until. It ends here.\n- b\n", []string{"+- " + wrapped + "  until. It ends here.\n", "- b\n"}},
		{"a paragraph after a wrapped line", wrapped + "\nB begins.\n", []string{"+" + wrapped + "\n", "+B begins.\n"}},
		{"a list after a wrapped line", wrapped + "- b\n", []string{"+" + wrapped, "- b\n"}},
		{"a block of code after a wrapped line", wrapped + "```\nx\n```\n", []string{"+" + wrapped, "```\nx\n```\n"}},
		{"a heading after a wrapped line", wrapped + "# T\n", []string{"+" + wrapped, "# T\n"}},
		{"a list belongs to its announcement", "Steps:\n\n- a\n- b\n\nc\n", []string{"+Steps:\n\n", "- a\n", "- b\n\n", "+c\n"}},
		{"a heading", "# T\n\na\n\nb", []string{"+# T\n\n", "a\n\n", "+b"}},
		{"an announcement in bold", "**Steps:**\n\n- a\n", []string{"+**Steps:**\n\n", "- a\n"}},
		{"a wide colon", "步骤：\n\n- a\n", []string{"+步骤：\n\n", "- a\n"}},
		{"a block of code", "a\n```go\nx\n\ny\n```\nb\n", []string{"+a\n", "```go\nx\n\ny\n```\n", "+b\n"}},
		{"an announced block of code", "a:\n\n```\nx\n```\n\nb\n", []string{"+a:\n\n", "```\nx\n```\n\n", "+b\n"}},
		{"a longer fence", "````\n```\nx\n```\n````\nb", []string{"+````\n```\nx\n```\n````\n", "+b"}},
		{"tildes", "~~~\n```\n~~~\nb", []string{"+~~~\n```\n~~~\n", "+b"}},
		{"a fence that does not end", "```\nx\n\ny\n", []string{"+```\nx\n\ny\n"}},
		{"a fence with words is not the end", "```\n```go\nx\n```\nb", []string{"+```\n```go\nx\n```\n", "+b"}},
		{"tags", "<thinking>\na\n</thinking>\n\nb\n", []string{"+<thinking>\n", "a\n", "</thinking>\n\n", "+b\n"}},
		{"a marker of lines", "a\n[5 lines omitted]\nb\n", []string{"+a\n", "+[5 lines omitted]\n", "+b\n"}},
		{"a marker in front of a sentence", "[90 characters omitted]" + long + next, []string{"+[90 characters omitted]" + long, next}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := grouped(Paragraphs(tt.source))
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// grouped returns the pieces of a text; those that begin a group have a + in front.
func grouped(t *Text, starts []int) (list []string) {
	for _, p := range t.Pieces {
		list = append(list, t.Source[p.Start:p.End])
	}
	for _, i := range starts {
		list[i] = "+" + list[i]
	}
	return list
}

// TestSections checks that a piece stands under the heading of its section.
func TestSections(t *testing.T) {
	x, _ := Paragraphs("First.\n\n# Sails\n\nTorn.\n\n## Main\n- hoisted\n```\n# no heading\n```\n")
	var got []int32
	for _, p := range x.Pieces {
		got = append(got, p.Under)
	}
	if want := []int32{None, None, 1, None, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("the pieces %q stand under %v, want %v", pieces(x), got, want)
	}
}

// TestFence checks which lines begin a block of code.
func TestFence(t *testing.T) {
	for text, want := range map[string]string{"```": "```", "```go": "```", "````": "````", "~~~": "~~~", "``": "", "x```": "", "": "", "~~~~ x": "~~~~"} {
		if got := fence(text); got != want {
			t.Errorf("%q begins a block with %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"- a": true, "* a": true, "+ a": true, "• a": true, "| a": true, "> a": true, "# a": true, "1. a": true, "12) a": true, "1.a": false, "a": false, "-a": false, "1 a": false, "": false, ". a": false,
	} {
		if got := listed(text); got != want {
			t.Errorf("%q is an item: %v", text, got)
		}
	}
}

// TestTagsStayTogether checks that both tags of an element stay when something between them stays, and
// that they go with it.
func TestTagsStayTogether(t *testing.T) {
	const source = "<plan>\n<step-1>\nfirst line of it\n</step-1>\n<step-2>\nsecond line of it\n</step-2>\n</plan>\nlast line of the text\n</stray>\n"
	for keep, want := range map[string]string{
		"first":  "<plan>\n<step-1>\nfirst line of it\n</step-1>\n[3 lines omitted]\n</plan>\n[2 lines omitted]\n",
		"last":   "[8 lines omitted]\nlast line of the text\n</stray>\n", // a marker would be longer
		"</plan": "[10 lines omitted]\n",
	} {
		text, _ := Paragraphs(source)
		kept := make([]bool, len(text.Pieces))
		for i, p := range text.Pieces {
			kept[i] = strings.HasPrefix(source[p.Start:p.End], keep)
		}
		if got := text.Render(kept); got != want {
			t.Errorf("%s: got %q, want %q", keep, got, want)
		}
	}
}

// TestPairTags checks that both tags of an element stay around a kept line of a text that is not prose.
func TestPairTags(t *testing.T) {
	source := "<files>\n" + strings.Repeat("> node build.mjs --out apps/docs/schemas\n", 12) + "error: the build step failed\n/home/lena/docs:\nExit status 1\n</files>\nend\n"
	text := Cut(source, Hint{Command: "make docs"})
	if text.Kind == Prose {
		t.Fatal("the text is prose")
	}
	text.PairTags()
	keep := make([]bool, len(text.Pieces))
	for i := range keep {
		keep[i] = strings.Contains(text.trimmed(i), "failed")
	}
	if got, want := text.Render(keep), "<files>\n[12 lines omitted]\nerror: the build step failed\n[2 lines omitted]\n</files>\nend"; strings.TrimSpace(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := text.Render(make([]bool, len(text.Pieces))); strings.Contains(got, "files>") {
		t.Errorf("a tag stays around nothing: %q", got)
	}
}

// TestThoughts checks how thinking is cut: as other text of the model, but with the lines of code one by one.
func TestThoughts(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		want         []string // the pieces; those that begin a group have a + in front
	}{
		{"no code", "a\n\nb\n", []string{"+a\n\n", "+b\n"}},
		{"two lines", "```go\nx\ny\n```\n", []string{"+```go\nx\n", "y\n```\n"}},
		{"functions", "```\nfunc a() {\n\tx\n}\nfunc b() {\n\ty\n}\n```\nz", []string{"+```\nfunc a() {\n", "\tx\n", "}\n", "+func b() {\n", "\ty\n", "}\n```\n", "+z"}},
		{"functions of a class", "```\n  a() {\n    x\n  }\n  b() {\n    y\n  }\n```\n", []string{"+```\n  a() {\n", "    x\n", "  }\n", "+  b() {\n", "    y\n", "  }\n```\n"}},
		{"announced", "Now:\n\n```\n  a() {\n    x\n  }\n  b()\n```\n", []string{"+Now:\n\n", "```\n  a() {\n", "    x\n", "  }\n", "+  b()\n```\n"}},
		{"a blank line", "```\nx\n\ny\n```\n", []string{"+```\nx\n", "+\ny\n```\n"}},
		{"an open block", "```\nx\ny\n", []string{"+```\nx\n", "y\n"}},
		{"an empty block", "```\n```\na", []string{"+```\n```\n", "+a"}},
		{"blank lines in front of the fence", "~~~\nx\n\n\n~~~\n\na", []string{"+~~~\nx\n\n\n~~~\n\n", "+a"}},
	} {
		got := grouped(Thoughts(tt.source))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
