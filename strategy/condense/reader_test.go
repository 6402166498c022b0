package condense_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest/reader"
)

const sessions = "../../testdata/sessions/"

// beyond lists the fixtures that the simple reader does not read like the decoders, with the reasons.
var beyond = map[string]string{
	"anthropic/cline-hybrid.json":    "calls are answered in typed text",
	"anthropic/cline-old.json":       "calls are XML in the text of the model",
	"anthropic/roo-late-result.json": "one text of a message that tags hide stays visible",
}

// TestDecoders compares what the decoders find with what the simple reader finds in every fixture: the
// same texts, calls and results in the same order, with the same names and ids.
func TestDecoders(t *testing.T) {
	read := 0
	for _, name := range fixtures(t) {
		src, err := os.ReadFile(sessions + name)
		if err != nil {
			t.Fatal(err)
		}
		fault := compare(t, filepath.Dir(name), src)
		switch {
		case fault != "" && beyond[name] == "":
			t.Errorf("%s: %s", name, fault)
		case fault == "" && beyond[name] != "":
			t.Errorf("%s is read like the decoder reads it", name)
		case fault == "":
			read++
		}
	}
	if read < 63 {
		t.Errorf("only %d fixtures were compared", read)
	}
}

// TestOutputs compares the two readers on condensed fixtures. It checks with the simple reader alone that
// no output is larger, that the last answer and all typed texts are there, and that each result has its
// call.
func TestOutputs(t *testing.T) {
	for label, stages := range map[string][]*strategy.Strategy{"hybrid": strategy.Hybrid, "mask": {&strategy.Mask}, "summarize": {&strategy.Summarize}} {
		for _, name := range fixtures(t) {
			if beyond[name] != "" {
				continue
			}
			src, err := os.ReadFile(sessions + name)
			if err != nil {
				t.Fatal(err)
			}
			o := condense.Defaults()
			o.Pipeline, o.Target = stages, strategy.Target{Share: 0.3}
			out, err := condense.Condense(t.Context(), src, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if fault := compare(t, filepath.Dir(name), out.Out); fault != "" {
				t.Errorf("%s after %s: %s", name, label, fault)
			}
			if len(out.Out) > len(src) {
				t.Errorf("%s after %s: %d bytes became %d", name, label, len(src), len(out.Out))
			}
			for _, fault := range lost(filepath.Dir(name), src, out.Out) {
				t.Errorf("%s after %s: %s", name, label, fault)
			}
		}
	}
}

// fixtures lists the fixtures of formats that the reader knows.
func fixtures(t *testing.T) (names []string) {
	paths, err := filepath.Glob(sessions + "*/*")
	if err != nil || len(paths) < 50 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		if name := strings.TrimPrefix(path, sessions); reader.Formats(filepath.Dir(name)) {
			names = append(names, name)
		}
	}
	return names
}

// compare returns the first difference between the two readers, or "".
func compare(t *testing.T, dialect string, src []byte) string {
	f, err := format.Decode(src, dialect)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, c := range f.Convs {
		got = append(got, lines(decoded(c))...)
	}
	for _, pieces := range reader.Read(dialect, src) {
		want = append(want, lines(pieces)...)
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("the decoder does not find %.150q", want[i])
		case i >= len(want):
			return fmt.Sprintf("the simple reader does not find %.150q", got[i])
		case strings.HasSuffix(want[i], reader.Structured) && strings.HasPrefix(got[i], strings.TrimSuffix(want[i], reader.Structured)):
		case got[i] != want[i]:
			return fmt.Sprintf("%d: the decoder finds\n\t%.300q\nthe simple reader\n\t%.300q", i, got[i], want[i])
		}
	}
	return ""
}

// decoded returns the pieces of a conversation that was decoded.
func decoded(c *transcript.Conversation) (pieces []reader.Piece) {
	for _, m := range c.Messages {
		if m.Hidden {
			continue
		}
		for _, b := range m.Blocks {
			id := b.Call
			if strings.HasPrefix(id, "prose ") { // made by the decoder: the file has none
				id = ""
			}
			switch b.Kind {
			case transcript.Text:
				pieces = append(pieces, reader.Piece{Kind: "text", Role: m.Role.String(), Text: b.Text()})
			case transcript.ToolCall:
				pieces = append(pieces, reader.Piece{Kind: "call", ID: id, Name: b.Tool})
			case transcript.ToolResult:
				pieces = append(pieces, reader.Piece{Kind: "result", ID: id, Text: b.Text()})
			}
		}
	}
	return pieces
}

// lines returns one line for each piece without white space. Texts of one role that follow each other are
// one line, and a text without words is none.
func lines(pieces []reader.Piece) (list []string) {
	last := ""
	for _, p := range pieces {
		words := squash(p.Text)
		line := strings.Join([]string{p.Kind, p.Role, p.ID, p.Name, words}, "|")
		switch kind := p.Kind + p.Role; {
		case p.Kind == "text" && words == "":
			continue
		case p.Kind == "text" && kind == last:
			list[len(list)-1] += words
		default:
			list, last = append(list, line), kind
		}
	}
	return list
}

// squash removes white space. Several invalid bytes count as one: decoders replace them in different ways.
func squash(s string) string {
	before := 'a'
	return strings.Map(func(r rune) rune {
		again := r == unicode.ReplacementChar && before == r
		if before = r; again || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// lost returns what the simple reader does not find in an output any more: typed texts, the last answer,
// and calls whose results are there. Texts with tags are left out, because clients add such texts.
func lost(dialect string, src, out []byte) (faults []string) {
	after := reader.Read(dialect, out)
	for i, before := range reader.Read(dialect, src) {
		if i >= len(after) {
			return append(faults, "a conversation")
		}
		texts := strings.Join(lines(after[i]), "\n")
		last, called := "", map[string]bool{}
		quoted := false // by Qwen Code, which adds the files that a prompt mentions as parts of their own
		for _, p := range before {
			called[p.ID] = called[p.ID] || p.Kind == "call"
			if text := strings.TrimSpace(p.Text); strings.HasPrefix(text, "--- ") {
				quoted = text == "--- Content from referenced files ---"
			}
			switch {
			case quoted, strings.HasPrefix(p.Text, "Please always provide EXACTLY ONE action"), // which mini-SWE-agent writes
				strings.HasPrefix(p.Text, "Called the Read tool with the following input: "), strings.HasPrefix(p.Text, "Summarize the task tool output above"): // and OpenCode
			case p.Kind == "text" && p.Role == "assistant" && p.Text != "":
				last = p.Text
			case p.Kind == "text" && p.Role == "user" && !strings.Contains(p.Text, "<") && !strings.Contains(texts, squash(p.Text)):
				faults = append(faults, fmt.Sprintf("the text %.100q", p.Text))
			}
		}
		if !strings.Contains(texts, squash(last)) {
			faults = append(faults, fmt.Sprintf("the last answer %.100q", last))
		}
		for _, p := range after[i] {
			if p.Kind == "call" {
				delete(called, p.ID)
			}
		}
		for _, p := range after[i] {
			if p.Kind == "result" && p.ID != "" && called[p.ID] {
				faults = append(faults, "the call of the result "+p.ID)
			}
		}
	}
	return faults
}
