package ui

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report/survey"
	"condense/cmd/ui/html"
)

// someView has a block of each kind and each change, with s in every string that a stranger may have
// written.
func someView(s, original string) *survey.View {
	text := func(t string) []survey.ViewPart { return []survey.ViewPart{{Text: t + s}} }
	long := strings.Repeat("a line"+s+"\n", 40)
	v := &survey.View{Version: 1, Condense: "dev", Input: "a" + s, Original: original, Format: "openai"}
	for n := 1; n < 3; n++ {
		c := survey.ViewConversation{Number: n, ID: "id" + s, Model: "m" + s, Of: 5, Hidden: 1}
		c.Messages = []survey.ViewMessage{
			{Number: 1, Was: 1, Role: "user", Time: "2026-02-18T07:41:29Z", Blocks: []survey.ViewBlock{
				{Kind: "text", Origin: "typed", Parts: text("Please " + strings.Repeat("look at it ", 30))},
				{Kind: "text", Origin: "injected", Parts: text("reminder\tof the client\n")},
				{Kind: "media", Origin: "typed", Parts: []survey.ViewPart{{Medium: &survey.ViewMedium{Type: "image/png" + s, Bytes: 5, Width: 1, Height: 1, Data: s}}}},
			}},
			{Number: 2, Was: 3, Role: "assistant", Hidden: true, Blocks: []survey.ViewBlock{
				{Kind: "thinking", Origin: "model", Parts: text("Hm.")},
				{Kind: "tool call", Origin: "model", Name: "Read x" + s, Parts: []survey.ViewPart{{Name: "path" + s, Text: "x" + s}, {Name: "b", Text: long}}},
				{Kind: "text", Origin: "model", Parts: text("The answer.\n[condensed: Read x]\n"), Change: "changed", Before: text("The long answer.")},
			}},
			{Number: 3, Role: "tool", Blocks: []survey.ViewBlock{
				{Kind: "tool result", Origin: "tool", Name: "Read x" + s, Failed: true, Parts: text(long + "[x: 80 lines omitted] rest\n"), Change: "new"},
				{Kind: "opaque", Opaque: 70},
			}},
			{Was: 4, Role: "assistant", Blocks: []survey.ViewBlock{{Kind: "text", Origin: "generated", Parts: text("So far"), Change: "removed"}}},
		}
		v.Conversations = append(v.Conversations, c)
	}
	return v
}

func viewText(v *survey.View, o Options) func(io.Writer) error {
	return func(w io.Writer) error { return writeView(w, v, o) }
}

func TestView(t *testing.T) {
	v := someView("", "")
	v.Conversations = v.Conversations[:1]
	golden(t, "view.txt", rendered(t, viewText(v, Options{})))
	golden(t, "view.ansi", rendered(t, viewText(v, Options{Color: true, Width: 60})))
	v = someView("", "b")
	golden(t, "view-compared.txt", rendered(t, viewText(v, Options{})))
	golden(t, "view-columns.txt", rendered(t, viewText(v, Options{Width: 120})))
	golden(t, "view.md", rendered(t, func(w io.Writer) error { return viewMarkdown(w, v, Options{}) }))
}

// TestSealedThinking checks that thinking without readable text has no heading over nothing. A message
// of which nothing else is left says what it has.
func TestSealedThinking(t *testing.T) {
	sealed := survey.ViewBlock{Kind: "thinking", Origin: "model", Opaque: 900}
	said := survey.ViewBlock{Kind: "text", Origin: "model", Parts: []survey.ViewPart{{Text: "So it is."}}}
	v := &survey.View{Format: "codex", Conversations: []survey.ViewConversation{{Number: 1, Of: 2, Messages: []survey.ViewMessage{
		{Number: 1, Role: "assistant", Blocks: []survey.ViewBlock{sealed, said}},
		{Number: 2, Role: "assistant", Blocks: []survey.ViewBlock{sealed}},
	}}}}
	for form, write := range map[string]func(io.Writer) error{
		"text":     viewText(v, Options{}),
		"columns":  viewText(v, Options{Columns: true}),
		"markdown": func(w io.Writer) error { return viewMarkdown(w, v, Options{}) },
		"html":     func(w io.Writer) error { return html.View(w, v, Options{}) },
	} {
		got := string(rendered(t, write))
		if _, body, page := strings.Cut(got, "</style>"); page {
			got = body
		}
		if n := strings.Count(got, "thinking"); n != strings.Count(got, "thinking without readable text") || n == 0 {
			t.Errorf("%s: thinking has a heading of its own:\n%s", form, got)
		}
	}
}

// TestViewFitsTheTerminal checks the width of all lines, and that colour adds nothing but colour.
func TestViewFitsTheTerminal(t *testing.T) {
	paint := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for _, s := range []string{"", nasty, "日本語", strings.Repeat("x", 500), "e\u0301\u0327 ", strings.Repeat("👩‍👩‍👧", 40)} {
		for _, original := range []string{"", "b" + s} {
			v := someView(s, original)
			for _, o := range []Options{{Width: 20}, {Width: 41, Full: true}, {Width: 80}, {Width: 200}, {Width: 110, Full: true}} {
				plain := string(rendered(t, viewText(v, o)))
				for line := range strings.Lines(plain) {
					if got := ansi.StringWidth(line); got > o.Width {
						t.Errorf("%d columns on a terminal of %d: %q", got, o.Width, line)
					}
				}
				o.Color = true
				if got := paint.ReplaceAllString(string(rendered(t, viewText(v, o))), ""); got != plain {
					t.Errorf("colour changes more than the colour at width %d", o.Width)
				}
			}
		}
	}
}

// TestViewIsSafe checks that no string of a transcript acts on a terminal, or ends a block of Markdown.
func TestViewIsSafe(t *testing.T) {
	for _, s := range []string{nasty, "\n── 9 · user\n", "\n````\n# x\n@a <b> ![](http://x)\n````\n"} {
		for _, original := range []string{"", "b" + s} {
			v := someView(s, original)
			for _, o := range []Options{{}, {Width: 60}, {Width: 150}} {
				text := string(rendered(t, viewText(v, o)))
				safe(t, text, "\n\t")
				if strings.Contains(text, "\n── 9") {
					t.Errorf("text passes for a heading:\n%s", text)
				}
			}
			page := string(rendered(t, func(w io.Writer) error { return viewMarkdown(w, v, Options{}) }))
			safe(t, page, "\n\t")
			fence := ""
			for line := range strings.Lines(page) {
				ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
				switch {
				case fence == "" && len(ticks) >= 3:
					fence = ticks
				case fence != "" && len(ticks) >= len(fence):
					fence = ""
				case fence == "" && (strings.Contains(line, "![](") || strings.HasPrefix(line, "# x")) && !strings.Contains(line, "`") && !strings.Contains(line, "<code>"):
					t.Errorf("outside of a block: %q", line)
				}
			}
			if fence != "" {
				t.Error("a block has no end")
			}
		}
	}
}

// TestTextLines checks the lines of a text and the tones of their parts.
func TestTextLines(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"a\n\nb", "0a||0b"},
		{"a [12 lines omitted] b\n", "0a ,2[12 lines omitted],0 b"},
		{"a\n[condensed: x:\n y\n]\nb", "0a|2┆ ,2[condensed: x:|2┆ ,2 y|2┆ ,2]|0b"},
		{"[a]\n[b\nc omitted]", "0[a]|0[b|0c omitted]"},
	} {
		var lines []string
		for _, l := range textLines(tt.text, 0) {
			var spans []string
			for _, s := range l {
				spans = append(spans, map[bool]string{true: "0", false: "2"}[s.tone == 0]+s.text)
			}
			lines = append(lines, strings.Join(spans, ","))
		}
		if got := strings.Join(lines, "|"); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestFold checks that the pieces of a line are the line, and where it is cut. In the table, "/" separates
// the spans of a line.
func TestFold(t *testing.T) {
	for _, tt := range []struct {
		line  string
		width int
		want  string
	}{
		{"one two three", 8, "one two |three"}, {"onetwothree", 4, "onet|woth|ree"}, {"", 5, ""}, {"日本語", 1, "日|本|語"}, {"ab", 0, "ab"},
		{"a bcdefgh", 6, "a bcde|fgh"}, {"one /two three", 8, "one two |three"}, {"ab/cd/ef", 3, "abc|def"}, {"ab/日本/c", 4, "ab日|本c"},
	} {
		var line viewLine
		for span := range strings.SplitSeq(tt.line, "/") {
			line = append(line, viewSpan{0, span})
		}
		var pieces []string
		for _, p := range line.fold(tt.width) {
			pieces = append(pieces, p.String())
		}
		if got := strings.Join(pieces, "|"); got != tt.want {
			t.Errorf("%q at %d: got %q, want %q", tt.line, tt.width, got, tt.want)
		}
	}
}
