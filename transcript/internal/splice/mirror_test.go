package splice

import (
	"maps"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// TestBare checks that a line is the same with and without what tools that show files and differences add to it.
func TestBare(t *testing.T) {
	for line, want := range map[string]string{
		"a line": "a line", "a line\n": "a line", "a line\r\n": "a line", "  a line  ": "a line", "": "", "\n": "",
		"   12→a line": "a line", "12\ta line": "a line", "12: a line": "a line", "  7|a line": "a line", "12→  a line": "a line",
		"+a line": "a line", "-a line": "a line", "+  a line": "a line", "--a line": "-a line",
		"12 a line": "12 a line", "12:a line": "12:a line", "→a line": "→a line", "12": "12", "+12: a": "12: a", "*a line": "*a line",
	} {
		if got := bare(line); got != want {
			t.Errorf("%q is bare %q, want %q", line, got, want)
		}
	}
}

// TestIndivisible checks which texts have another meaning without some of their lines.
func TestIndivisible(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":1}`: true, ` {"a":1} `: true, `{`: true, `[{"a":1}]`: true, "[ [1]]": true, `["a"]`: true, "@@ -1,2 +1,2 @@\n-a": true, "text\n@@ -1 +1 @@": true,
		"": false, "a line": false, "[1] a footnote": false, "[info] started": false, "a { b": false, "a @@ -1": false, "[": false,
	} {
		if got := indivisible(text); got != want {
			t.Errorf("%q is indivisible: %v, want %v", text, got, want)
		}
	}
}

// TestWithoutGone checks that a marker takes the place of each run of lines that must not remain, with the line
// break of the last of them.
func TestWithoutGone(t *testing.T) {
	x, y := strings.Repeat("x", longLine), strings.Repeat("y", 2*longLine)
	c := &mirrored{gone: map[string]struct{}{x: {}, y: {}}, marker: "[Read: 2 lines omitted]"}
	for text, want := range map[string]string{
		"":                                    "",
		"a\nb\n":                              "a\nb\n",
		x:                                     Gap,
		"a\n" + x + "\nb":                     "a\n[omitted]\nb",
		"a\n" + x + "\r\n" + y + "\r\nb\r\n":  "a\n[omitted]\r\nb\r\n",
		x + "\nb\n" + y:                       "[omitted]\nb\n[omitted]",
		"  12→" + x + "\nb":                   Gap + "\nb",
		x[1:] + "\n" + x + "x\n":              x[1:] + "\n" + x + "x\n",
		strings.Repeat("a"+x+"\n", 2) + "b\n": strings.Repeat("a"+x+"\n", 2) + "b\n",
	} {
		if got := c.withoutGone(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if c.holdsGone(text) != (text != want) {
			t.Errorf("%q holds such a line: %v", text, c.holdsGone(text))
		}
	}
	if !c.holdsGone(`{"a":["`+x+`"]}`) || c.holdsGone(`{"a":["`+x[1:]+`"]}`) || (&mirrored{}).holdsGone(x) {
		t.Error("a string in JSON holds such a line, too")
	}
	for room, want := range map[int]string{0: Gap, 22: Gap, 23: "[Read: 2 lines omitted]", 99: "[Read: 2 lines omitted]"} {
		if got := c.markerFor(room); got != want {
			t.Errorf("the marker for %d bytes is %q, want %q", room, got, want)
		}
	}
}

// TestCleaned checks what remains of a string in a value that repeats blocks.
func TestCleaned(t *testing.T) {
	x := strings.Repeat("x", longLine)
	long := strings.Repeat("a long text ", 20) // more than longLeaf
	gone := map[string]struct{}{x: {}}
	for _, tt := range []struct {
		name  string
		c     mirrored
		text  string
		want  string
		fresh bool // whether it changed
	}{
		{"nothing is gone", mirrored{}, "a\n" + x, "a\n" + x, false},
		{"other lines", mirrored{gone: gone}, "a\nb", "a\nb", false},
		{"a line of prose", mirrored{gone: gone, marker: "[cut]"}, "a\n" + x + "\nb", "a\n[omitted]\nb", true},
		{"a line of a patch", mirrored{gone: gone, marker: "[cut]"}, "@@ -1 +1 @@\n" + x + "\nb", "[cut]", true},
		{"in JSON", mirrored{gone: gone, marker: "[cut]"}, `{"a": "b", "c":"` + x + `"}`, `{"a": "b", "c":"[omitted]"}`, true},
		{"in JSON in JSON", mirrored{gone: gone, marker: "[cut]"}, `{"a":"{\"b\":\"` + x + `\"}"}`, `{"a":"{\"b\":\"[omitted]\"}"}`, true},
		{"JSON that was the text of a block", mirrored{gone: gone, marker: "[cut]", changed: true, held: `{"c":"` + x + `"}`}, `{"c":"` + x + `"}`, "[cut]", true},
		{"the text of a part", mirrored{changed: true, strict: true, marker: Gap, now: map[string]string{long: "[19 lines omitted]\nthe end"}}, long, "[19 lines omitted]\nthe end", true},
		{"the text of a part that is JSON", mirrored{gone: gone, changed: true, marker: Gap, held: `["` + x + `"]`, now: map[string]string{`["` + x + `"]`: "[cut]"}}, `["` + x + `"]`, Gap, true},
		{"a key of JSON", mirrored{gone: gone, marker: "[cut]"}, "{\"" + x + "\":1}", "{\"" + x + "\":1}", false},
		{"a long string of a strict mirror", mirrored{changed: true, strict: true, marker: "[cut]"}, long, "[cut]", true},
		{"that the block still holds", mirrored{changed: true, strict: true, marker: "[cut]", kept: "now " + long}, long, long, false},
		{"of a mirror that is not strict", mirrored{changed: true, marker: "[cut]"}, long, long, false},
		{"of blocks that are the same", mirrored{strict: true, marker: "[cut]"}, long, long, false},
		{"a short string of a strict mirror", mirrored{changed: true, strict: true, marker: "[cut]"}, long[:longLeaf], long[:longLeaf], false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, changed := tt.c.cleaned(tt.text, len(tt.text)); got != tt.want || changed != tt.fresh {
				t.Errorf("%q became %q, %v, want %q", tt.text, got, changed, tt.want)
			}
		})
	}
}

// TestFollow checks that a mirror takes a marker only from a block of which nothing else is left, and the text of each
// part from a block whose parts are the same.
func TestFollow(t *testing.T) {
	block := func(texts ...string) *transcript.Block {
		b := &transcript.Block{}
		for _, text := range texts {
			b.Parts = append(b.Parts, transcript.Part{Text: text})
		}
		return b
	}
	report, more := strings.Repeat("a line\n", 8)+"the end", "agentId: 7 and some more"
	for _, tt := range []struct {
		name   string
		is     *transcript.Block
		marker string
		now    map[string]string
	}{
		{"a part is shortened", block("[8 lines omitted]\nthe end", more), Gap, map[string]string{report: "[8 lines omitted]\nthe end"}},
		{"each begins with a marker", block("[8 lines omitted]\nthe end", "[1 line omitted]"), Gap, map[string]string{report: "[8 lines omitted]\nthe end", more: "[1 line omitted]"}},
		{"nothing else is left", block("[Task: 9 lines omitted]"), "[Task: 9 lines omitted]", nil},
		{"a longer text", block(report+" of it", more), Gap, map[string]string{}},
	} {
		c := mirrored{marker: Gap}
		c.follow(block(report, more), tt.is)
		if c.marker != tt.marker || !maps.Equal(c.now, tt.now) {
			t.Errorf("%s: got %q, %q, want %q, %q", tt.name, c.marker, c.now, tt.marker, tt.now)
		}
	}
}

// TestMirrorMembers checks which members of an object are noted: those that can hold a long line, except some.
func TestMirrorMembers(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n-2) } // n bytes with its quotes
	l := arrayOf(t, `[{"text":"`+text(longLine)+`","long":"`+text(longLine)+`","short":"`+text(longLine-1)+`","list":["`+text(longLine)+`"]}]`)
	blocks := []transcript.Ref{{Msg: 1, Block: 2}}
	l.MirrorMembers(l.Slot(0), l.Scan(0), true, blocks, "text", "other")
	if len(l.mirrors) != 2 {
		t.Fatalf("%d members are noted, want 2", len(l.mirrors))
	}
	for i, key := range []string{"long", "list"} {
		if m := l.mirrors[i]; m.Value != l.Scan(0).Get(key).Span() || m.Slot != l.Slot(0) || !m.Strict || m.Blocks[0] != blocks[0] {
			t.Errorf("%s is noted as %+v", key, m)
		}
	}
	l.RenumberMirrors([]int{5, 3})
	if got := l.mirrors[0].Blocks[0]; got != (transcript.Ref{Msg: 3, Block: 2}) || blocks[0].Msg != 1 {
		t.Errorf("after another numbering the block is %v", got)
	}
	l.AddMirror(Mirror{Value: rawjson.Span{Start: 0, End: longLine - 1}})
	if len(l.mirrors) != 2 {
		t.Error("a value that is too short for a long line is noted")
	}
}
