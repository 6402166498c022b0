package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// drafting returns a thought with some words and a block of code.
func drafting(words, code string) *transcript.Message {
	return transcripttest.Model(transcripttest.Thinking(words + strings.Repeat(" The harbour is quiet, and nothing of it matters here.", 6) + "\n\n```go\n" + code + "```\n"))
}

// The drafts of a function, and the beginning of another one.
const (
	firstDraft = "func Moor(line int) error {\n\treturn tieTwice(line, oldBollard)\n}\n"
	lastDraft  = "func Moor(line int) error {\n\tif line == 0 {\n\t\treturn errNoLine\n\t}\n\treturn tie(line, newBollard)\n}\n"
)

// TestDrafts checks which code of the thinking counts as repeated, and which as pending.
func TestDrafts(t *testing.T) {
	write := func(code string) []*transcript.Message {
		return round("9", "ok", "Write", "file_path=/ship/moor.go", "content="+code)
	}
	for name, tt := range map[string]struct {
		msgs              []*transcript.Message
		repeated, pending string // lines of the first thought, as digits
	}{
		"the only draft":         {[]*transcript.Message{drafting("I write this.", firstDraft)}, "", "123"},
		"a thought without code": {[]*transcript.Message{drafting("I write this.", firstDraft), transcripttest.Model(transcripttest.Thinking(strings.Repeat("The harbour is quiet today. ", 12)))}, "", "123"},
		"a newer draft":          {[]*transcript.Message{drafting("I write this.", firstDraft), drafting("Or this.", lastDraft)}, "123", "123"},
		"another function":       {[]*transcript.Message{drafting("I write this.", firstDraft), drafting("And this.", strings.ReplaceAll(lastDraft, "Moor", "Sail"))}, "", "123"},
		"the same line":          {[]*transcript.Message{drafting("I write this.", firstDraft), drafting("And this.", "\treturn tieTwice(line, oldBollard)\n")}, "2", "123"},
		"written":                {append([]*transcript.Message{drafting("I write this.", firstDraft)}, write(firstDraft)...), "123", ""},
		"written in other words": {append([]*transcript.Message{drafting("I write this.", firstDraft)}, write(lastDraft)...), "123", ""},
		"written before":         {append(write("package ship // the beginning of the file, long enough to be quoted\n"), drafting("I write this.", firstDraft)), "", "123"},
	} {
		c := choiceOf(100, transcripttest.Conversation(append([]*transcript.Message{transcripttest.User("Moor the ship.")}, tt.msgs...)...))
		var repeated, pending strings.Builder
		for i := range c.texts {
			x := &c.texts[i]
			if x.form != thought {
				continue
			}
			line := 0
			for k, code := range x.drafts() {
				if !code {
					continue
				}
				line++
				if x.repeated(k) {
					repeated.WriteByte('0' + byte(line))
				}
				if x.isPending(k) {
					pending.WriteByte('0' + byte(line))
				}
			}
			break
		}
		if repeated.String() != tt.repeated || pending.String() != tt.pending {
			t.Errorf("%s: repeated %q, want %q; pending %q, want %q", name, repeated.String(), tt.repeated, pending.String(), tt.pending)
		}
	}
}

// TestDraftStays checks that a small budget holds the last draft of a function in its order, with a mark where lines
// are missing, and nothing of the draft before.
func TestDraftStays(t *testing.T) {
	msgs := []*transcript.Message{transcripttest.User("Moor the ship.")}
	for range 6 {
		msgs = append(msgs, transcripttest.Model(strings.Repeat("I look at the harbour, which is as quiet as it was before. ", 8)))
	}
	msgs = append(msgs, drafting("I write this.", firstDraft), drafting("Or rather this.", lastDraft), transcripttest.Model("I write it now."))
	out := left(t, 260, msgs...)
	for _, line := range strings.Split(strings.TrimSpace(lastDraft), "\n") {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("the line %q is missing in:\n%s", line, out)
		}
	}
	if strings.Contains(out, "tieTwice") {
		t.Errorf("the older draft stays in:\n%s", out)
	}
}

// TestMarkCode checks which pieces of a thought are code.
func TestMarkCode(t *testing.T) {
	for source, want := range map[string][]string{
		"a\n\n```go\nx\ny\n```\n\nb\n":     {"```go\nx", "y\n```"},
		"~~~\nx\n```\ny\n~~~\n":            {"~~~\nx", "```", "y\n~~~"},
		"```\nx\n":                         {"```\nx"},
		"```\n```\na\n":                    nil,
		"```\n```\na\n```\nx\n```\n":       {"```\nx\n```"},
		"only words\n\nand more of them\n": nil,
	} {
		c := choiceOf(100, transcripttest.Conversation(transcripttest.User("Go."), transcripttest.Model(transcripttest.Thinking(strings.Repeat("A word or two. ", 20)+"\n\n"+source))))
		x := &c.texts[0]
		var got []string
		for k, code := range x.drafts() {
			if code {
				got = append(got, strings.TrimSpace(x.source(k, k+1)))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: code %q, want %q", source, got, want)
		}
	}
}
