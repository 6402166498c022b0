package survey

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/transcript/format"
)

func TestParseRanges(t *testing.T) {
	for text, want := range map[string]string{
		"3": "3", "2-4": "2 3 4", "2:4": "2 3 4", "2..4": "2 3 4", "8-": "8 9 10", ":2": "1 2", "-2": "9 10", "-3:-2": "8 9", "-3--2": "8 9", "1,-1": "1 10", "9-20": "9 10", "11": "", "5-4": "", "-20": "1 2 3 4 5 6 7 8 9 10",
	} {
		list, err := ParseRanges(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var got []string
		for n := 1; n <= 10; n++ {
			if list.have(n, 10) {
				got = append(got, strconv.Itoa(n))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "-", ":", "a", "1-a", "0", "1-0", "1,,2", "1 2", "99999999999999999999"} {
		if list, err := ParseRanges(text); err == nil {
			t.Errorf("%q is %v", text, list)
		}
	}
	if !Ranges(nil).have(1, 1) {
		t.Error("nothing is selected without ranges")
	}
}

// view decodes two files and compares them; before may be "".
func view(t *testing.T, before, after string, o ViewOptions) *View {
	t.Helper()
	read := func(text string) *format.File {
		f, err := format.Decode([]byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	var original *format.File
	if before != "" {
		original = read(before)
	}
	file := read(after)
	return NewView("x", file, slices.Repeat([]bool{true}, len(file.Convs)), original, o)
}

// lines returns the messages of a view: numbers, and each block with its change.
func lines(v *View) (list []string) {
	for _, c := range v.Conversations {
		for _, m := range c.Messages {
			line := strconv.Itoa(m.Number) + "/" + strconv.Itoa(m.Was)
			for _, b := range m.Blocks {
				text := b.Kind
				if len(b.Parts) > 0 {
					text = b.Parts[0].Text
				}
				line += " " + strings.TrimSpace(text+" "+b.Change)
			}
			list = append(list, line)
		}
	}
	return list
}

func TestViewCompares(t *testing.T) {
	before := `[{"role":"user","content":"one"},{"role":"assistant","content":[{"type":"text","text":"alpha beta gamma delta"},{"type":"text","text":"zwei"}]},{"role":"user","content":"drei vier"},{"role":"assistant","content":"five"}]`
	after := `[{"role":"user","content":"one"},{"role":"assistant","content":[{"type":"text","text":"alpha beta gamma"}]},{"role":"assistant","content":"five"},{"role":"user","content":"sechs"}]`
	oneMore := strings.Replace(after, `"one"},`, `"one"},{"role":"user","content":"anderthalb"},`, 1)
	for _, tt := range []struct {
		before, after, messages string
		want                    []string
	}{
		{before, after, "1-", []string{"1/1 one", "2/2 alpha beta gamma changed zwei removed", "0/3 drei vier removed", "3/4 five", "4/0 sechs new"}},
		{before, after, "3", []string{"0/3 drei vier removed", "3/4 five"}},
		{before, after, "-1", []string{"4/0 sechs new"}},
		{oneMore, after, "1", []string{"1/1 one"}},
		{oneMore, after, "2", []string{"0/2 anderthalb removed", "2/3 alpha beta gamma"}},
	} {
		ranges, err := ParseRanges(tt.messages)
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(view(t, tt.before, tt.after, ViewOptions{Messages: ranges})); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.messages, got, tt.want)
		}
	}
}

// TestViewLeavesOut checks hidden messages and thinking, and the count of the former, with an original
// and without one.
func TestViewLeavesOut(t *testing.T) {
	const session = `{"type":"user","uuid":"1","isSidechain":true,"parentUuid":null,"sessionId":"s","message":{"role":"user","content":"left"}}
{"type":"assistant","uuid":"2","isSidechain":true,"parentUuid":"1","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"branch"}]}}
{"type":"user","uuid":"3","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"taken"}}
{"type":"assistant","uuid":"4","parentUuid":"3","sessionId":"s","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"}]}}
{"type":"assistant","uuid":"5","parentUuid":"4","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}
`
	all := view(t, "", session, ViewOptions{Hidden: true})
	if got := lines(all); !slices.Equal(got, []string{"1/0 left", "2/0 branch", "3/0 taken", "4/0 hm", "5/0 done"}) || all.Conversations[0].Hidden != 0 {
		t.Errorf("got %q", got)
	}
	some := view(t, "", session, ViewOptions{NoThinking: true})
	if got := lines(some); !slices.Equal(got, []string{"3/0 taken", "5/0 done"}) || some.Conversations[0].Hidden != 2 || some.Conversations[0].Of != 5 {
		t.Errorf("got %q, %d hidden", got, some.Conversations[0].Hidden)
	}
	// The messages of the branch are new, and then removed. The view counts those of the file.
	branch := strings.SplitAfterN(session, "\n", 3)
	for _, tt := range []struct {
		before, after string
		hidden        int
	}{
		{branch[2], session, 2}, {session, branch[2], 0}, {session, session, 2},
	} {
		got := view(t, tt.before, tt.after, ViewOptions{})
		if lines := lines(got); len(lines) != 3 || got.Conversations[0].Hidden != tt.hidden {
			t.Errorf("compared: %q, %d hidden, want %d", lines, got.Conversations[0].Hidden, tt.hidden)
		}
	}
}

// TestViewMessages checks the time of a message and the size of its image.
func TestViewMessages(t *testing.T) {
	const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" // a GIF
	v := view(t, "", `{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","timestamp":"2026-02-18T07:41:29.5Z","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"`+pixel+`"}}]}}
{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}
`, ViewOptions{})
	list := v.Conversations[0].Messages
	if len(list) != 2 || list[0].Time != "2026-02-18T07:41:29Z" || list[1].Time != "" {
		t.Fatalf("got %+v", list)
	}
	parts := list[0].Blocks[len(list[0].Blocks)-1].Parts
	if want := (ViewMedium{Type: "image/gif", Bytes: 42, Width: 1, Height: 1, Data: pixel}); len(parts) != 1 || parts[0].Medium == nil || *parts[0].Medium != want {
		t.Errorf("got %+v, want %+v", parts, want)
	}
}
