package reading

import (
	"strings"
	"testing"
	"time"

	"condense/cmd/report/survey"
	"condense/transcript"
)

// TestCondensed checks the places of markers and records.
func TestCondensed(t *testing.T) {
	long := strings.Repeat("x", longestMarker)
	for text, want := range map[string]string{
		"plain":                                 "",
		"a [3 lines omitted] b [image omitted]": "[3 lines omitted]|[image omitted]",
		"a\n[condensed: Read x]\nb [1 line omitted]": "[condensed: Read x]\n|[1 line omitted]",
		"[condensed: x:\n 3 lines omitted]\n]\n":     "[condensed: x:\n 3 lines omitted]\n]\n",
		"[2 lines omitted]\n[condensed: Read x]\nb":  "[2 lines omitted]|[condensed: Read x]\n",
		" omitted] [1 line omitted]":                 "[1 line omitted]",
		"no start omitted]":                          "",
		"[a] no start omitted]":                      "",
		"[over\na line omitted]":                     "",
		"[" + long + " omitted]":                     "",
	} {
		var got []string
		for _, p := range Condensed(text) {
			got = append(got, text[p[0]:p[1]])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestCondensedIsLinear checks a text of brackets and ends of markers.
func TestCondensedIsLinear(t *testing.T) {
	start := time.Now()
	Condensed(strings.Repeat("[", 1<<20) + strings.Repeat(" omitted]", 1<<20))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestMarked checks that each line of a record has the gutter, and no other line.
func TestMarked(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb": "a\nb",
		"I see.\n[condensed: Read x.go:\n 4→\tif a {\n]\nSo it is.": "I see.\n┆ [condensed: Read x.go:\n┆  4→\tif a {\n┆ ]\nSo it is.",
		"[condensed: ls (4 lines)]":                                 "┆ [condensed: ls (4 lines)]",
		"it says [condensed: no":                                    "it says [condensed: no",
	} {
		if got := Marked(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestHasRecords checks that a view has records if one of its texts has, now or before.
func TestHasRecords(t *testing.T) {
	view := func(now, before string) *survey.View {
		b := survey.ViewBlock{Parts: []survey.ViewPart{{Text: "text"}, {Text: now}}, Before: []survey.ViewPart{{Text: before}}}
		return &survey.View{Conversations: []survey.ViewConversation{{}, {Messages: []survey.ViewMessage{{}, {Blocks: []survey.ViewBlock{{}, b}}}}}}
	}
	const record = "[condensed: ls (4 lines)]"
	for _, tt := range []struct {
		now, before string
		want        bool
	}{{record, "", true}, {"", record, true}, {"a [3 lines omitted]", "b", false}, {"", "", false}} {
		if got := HasRecords(view(tt.now, tt.before)); got != tt.want {
			t.Errorf("%q, before %q: %v", tt.now, tt.before, got)
		}
	}
}

// TestShortens checks which blocks a view may show in part.
func TestShortens(t *testing.T) {
	for _, tt := range []struct {
		kind   transcript.Kind
		origin transcript.Origin
		want   bool
	}{
		{transcript.ToolCall, transcript.ByModel, true}, {transcript.ToolResult, transcript.ByTool, true}, {transcript.ToolResult, transcript.Typed, false},
		{transcript.Text, transcript.ByModel, false}, {transcript.Text, transcript.Typed, false}, {transcript.Thinking, transcript.ByModel, false},
	} {
		if got := Shortens(&survey.ViewBlock{Kind: tt.kind.String(), Origin: tt.origin.String()}); got != tt.want {
			t.Errorf("%v of %v: %v", tt.kind, tt.origin, got)
		}
	}
}

// TestHeads checks the lines above conversations and messages.
func TestHeads(t *testing.T) {
	esc := func(s string) string { return "<" + s + ">" }
	for want, c := range map[string]survey.ViewConversation{
		"conversation 2: 1 message":         {Number: 2, Of: 1},
		"conversation 3: 2 messages, <m>":   {Number: 3, ID: "3", Of: 2, Model: "m"},
		"conversation 3, <abc>: 2 messages": {Number: 3, ID: "abc", Of: 2},
	} {
		if got := ConversationHead(&c, esc); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for want, m := range map[string]survey.ViewMessage{
		"4 · <user> · 2026-03-02 09:00:01":           {Number: 4, Was: 4, Role: "user", Time: "2026-03-02T09:00:01Z"},
		"4 · <user> · 2026-03-02 TUE":                {Number: 4, Was: 4, Role: "user", Time: "2026-03-02TTUE"},
		"4 (was 6) · <user> · hidden from the model": {Number: 4, Was: 6, Role: "user", Hidden: true},
		"4 (new) · <assistant>":                      {Number: 4, Role: "assistant"},
		"removed, was 6 · <tool>":                    {Was: 6, Role: "tool"},
	} {
		if got := MessageHead(&m, true, esc); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestParts checks the text of blocks of several parts, and the words for media.
func TestParts(t *testing.T) {
	call := &survey.ViewBlock{Kind: transcript.ToolCall.String()}
	if got := PartsText(call, []survey.ViewPart{{Name: "path", Text: "a.go"}, {Text: "more"}}); got != "path: a.go\nmore" {
		t.Errorf("a call is %q", got)
	}
	result := &survey.ViewBlock{Kind: transcript.ToolResult.String()}
	if got := PartsText(result, []survey.ViewPart{{Name: "path", Text: "one"}, {Text: "two"}}); got != "one\ntwo" {
		t.Errorf("a result is %q", got)
	}
	if got := HiddenNote(&survey.ViewConversation{}); got != "" {
		t.Errorf("nothing is hidden: %q", got)
	}
	if got := HiddenNote(&survey.ViewConversation{Hidden: 2}); got != "2 messages that the model does not see: --hidden shows them" {
		t.Errorf("got %q", got)
	}
}

// TestMediumName checks the words for a medium of which some facts are not known.
func TestMediumName(t *testing.T) {
	for want, m := range map[string]survey.ViewMedium{
		"[image/png, 800 × 600, 12,345 bytes]": {Type: "image/png", Width: 800, Height: 600, Bytes: 12345},
		"[image/png, 800 × 600]":               {Type: "image/png", Width: 800, Height: 600},
		"[image/png, 1 × 1, 1 byte]":           {Type: "image/png", Width: 1, Height: 1, Bytes: 1},
		"[image/gif, 70 bytes]":                {Type: "image/gif", Bytes: 70},
		"[image/gif]":                          {Type: "image/gif", Width: 800},
		"[image/bmp]":                          {Type: "image/bmp", Height: 600},
		"[medium]":                             {},
	} {
		if got := MediumName(&m); got != want {
			t.Errorf("%+v: got %q, want %q", m, got, want)
		}
	}
}

// TestBlockHead checks the words above a block: what it is, the size of a result that is whole, and what has
// become of it.
func TestBlockHead(t *testing.T) {
	esc := func(s string) string { return "<" + s + ">" }
	parts := func(text string) []survey.ViewPart { return []survey.ViewPart{{Text: text}} }
	call, result, text := transcript.ToolCall.String(), transcript.ToolResult.String(), transcript.Text.String()
	generated, injected := transcript.Generated.String(), transcript.Injected.String()
	user := survey.ViewMessage{Number: 2, Was: 2, Role: transcript.User.String()}
	system := survey.ViewMessage{Number: 1, Was: 1, Role: transcript.System.String()}
	for _, tt := range []struct {
		message survey.ViewMessage
		block   survey.ViewBlock
		want    string
	}{
		{user, survey.ViewBlock{Kind: call, Name: "Bash ls"}, "→ <Bash ls>"},
		{user, survey.ViewBlock{Kind: result, Name: "Bash", Parts: parts("a\nb\nc\n")}, "← <Bash> · 3 lines"},
		{user, survey.ViewBlock{Kind: result, Name: "Bash", Parts: parts("four")}, "← <Bash> · 4 bytes"},
		{user, survey.ViewBlock{Kind: result, Name: "Bash", Parts: parts("x"), Failed: true}, "← <Bash> · 1 byte · failed"},
		{user, survey.ViewBlock{Kind: result, Name: "Bash", Parts: parts("a\n[3 lines omitted]\nb")}, "← <Bash> · condensed"},
		{user, survey.ViewBlock{Kind: result, Name: "Bash", Parts: parts("four"), Change: "shorten"}, "← <Bash> · 4 bytes · shorten"},
		{survey.ViewMessage{Number: 2}, survey.ViewBlock{Kind: result, Name: "Bash", Parts: parts("four"), Change: "insert"}, "← <Bash> · 4 bytes"},
		{user, survey.ViewBlock{Kind: text, Parts: parts("Hello.")}, ""},
		{user, survey.ViewBlock{Kind: text, Origin: generated}, "written by a condenser"},
		{user, survey.ViewBlock{Kind: text, Origin: injected, Parts: []survey.ViewPart{{Name: "reminder", Text: "x"}}}, "added by the client · <reminder>"},
		{user, survey.ViewBlock{Kind: text, Origin: injected, Parts: parts("x")}, "added by the client"},
		{system, survey.ViewBlock{Kind: text, Origin: injected, Parts: parts("x")}, ""},
		{user, survey.ViewBlock{Kind: transcript.Opaque.String(), Opaque: 1234}, "not readable · 1,234 bytes"},
		{user, survey.ViewBlock{Kind: transcript.Opaque.String()}, "not readable"},
		{user, survey.ViewBlock{Kind: transcript.Thinking.String()}, "thinking"},
	} {
		if got := BlockHead(&tt.message, &tt.block, esc); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.block, got, tt.want)
		}
	}
}
