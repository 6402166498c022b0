// Package transcripttest builds conversations for tests.
//
//	transcripttest.Conversation(
//		transcripttest.User("fix it"),
//		transcripttest.Model("I'll look.", transcripttest.Call("1", "Read", "path=a.go")),
//		transcripttest.Tool("1", "package a"),
//	)
package transcripttest

import (
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
)

// Conversation returns a conversation of messages, with the name "c".
func Conversation(msgs ...*transcript.Message) *transcript.Conversation {
	return transcript.New("c", msgs)
}

// System returns a message of the client. Its content is blocks, and strings that become text.
func System(content ...any) *transcript.Message {
	return Message(transcript.System, transcript.Injected, content...)
}

// User returns a message that a person typed. Its content is blocks, and strings that become text.
func User(content ...any) *transcript.Message {
	return Message(transcript.User, transcript.Typed, content...)
}

// Model returns a message of the model. Its content is blocks, and strings that become text.
func Model(content ...any) *transcript.Message {
	return Message(transcript.Assistant, transcript.ByModel, content...)
}

// Tool returns a message with the result of one call.
func Tool(id, text string) *transcript.Message {
	return Message(transcript.Tool, transcript.ByTool, Result(id, text))
}

// Message returns a message of blocks, and of strings that become text of an origin.
func Message(role transcript.Role, origin transcript.Origin, content ...any) *transcript.Message {
	m := &transcript.Message{Role: role}
	for _, c := range content {
		b, ok := c.(*transcript.Block)
		if !ok {
			b = Text(c.(string))
			b.Origin = origin
		}
		m.Blocks = append(m.Blocks, b)
	}
	return m
}

// Hidden marks a message as one that the model does not see, and returns it.
func Hidden(m *transcript.Message) *transcript.Message {
	m.Hidden = true
	return m
}

// Text returns a typed text.
func Text(s string) *transcript.Block {
	return &transcript.Block{Parts: []transcript.Part{{Text: s}}}
}

// Thinking returns a thought of the model.
func Thinking(s string) *transcript.Block {
	b := Text(s)
	b.Kind, b.Origin = transcript.Thinking, transcript.ByModel
	return b
}

// Call returns a call of a tool with arguments "name=value"; ":=" makes a value a number.
func Call(id, tool string, args ...string) *transcript.Block {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		name, number := strings.CutSuffix(name, ":")
		b.Parts = append(b.Parts, transcript.Part{Name: name, Text: value, Number: number})
	}
	return b
}

// Prose returns a call that is written as XML in text.
func Prose(id, tool, xml string) *transcript.Block {
	b := Call(id, tool)
	b.Parts = []transcript.Part{{Text: xml}}
	return b
}

// Result returns the result of a call.
func Result(id, text string) *transcript.Block { return WithText(EmptyResult(id), text) }

// EmptyResult returns the result of a call without any content.
func EmptyResult(id string) *transcript.Block {
	return &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id}
}

// WithText adds a text to a block, and returns it.
func WithText(b *transcript.Block, text string) *transcript.Block {
	b.Parts = append(b.Parts, transcript.Part{Text: text})
	return b
}

// Failing marks a result as that of a failed call, and returns it.
func Failing(b *transcript.Block) *transcript.Block {
	b.Error = true
	return b
}

// Sources returns the sources of all saved sessions below a folder of test data, sorted by path. It ends
// the test if there are fewer than 50.
func Sources(t testing.TB, testdata string) (sources [][]byte) {
	t.Helper()
	paths, err := filepath.Glob(testdata + "/sessions/*/*")
	if err != nil || len(paths) < 50 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	return sources
}

// Fixtures returns the saved sessions below a folder of test data by their names, such as
// "openai/array.json".
func Fixtures(t testing.TB, testdata string) iter.Seq2[string, []byte] {
	t.Helper()
	sources := Sources(t, testdata)
	paths, _ := filepath.Glob(testdata + "/sessions/*/*")
	return func(yield func(string, []byte) bool) {
		for i, path := range paths {
			name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash(testdata+"/sessions/")))
			if !yield(strings.ReplaceAll(name, " ", "_"), sources[i]) {
				return
			}
		}
	}
}

// Frozen compares rows of cells with those in a file, and reports each cell that differs. The first cell of
// a row is its name. The first row has the names of the columns. White space in cells becomes "_". With
// update, it writes the file instead.
func Frozen(t testing.TB, file string, update bool, rows [][]string) {
	t.Helper()
	var text strings.Builder
	names := make(map[string]bool)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.Join(strings.Fields(cell), "_")
		}
		if names[row[0]] {
			t.Fatalf("two rows have the name %s", row[0])
		}
		names[row[0]] = true
		text.WriteString(strings.Join(row, " ") + "\n")
	}
	if update {
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was := make(map[string][]string)
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, " ")
		was[name] = strings.Split(strings.TrimSuffix(line, "\n"), " ")
	}
	wrong := 0
	for _, row := range rows {
		for i, now := range row {
			old := "absent"
			if cells := was[row[0]]; i < len(cells) {
				old = cells[i]
			}
			if old != now && wrong < 10 {
				wrong++
				t.Errorf("%s, %s: was %s, is %s", row[0], rows[0][i], old, now)
			}
		}
	}
	if wrong > 0 || len(was) != len(rows) {
		t.Errorf("%s has %d rows, want %d; if the differences are meant, run the test with -update", file, len(was), len(rows))
	}
}

// FrozenText compares a text with a file, and reports the first line that differs, below the last line that begins
// with "==" or "--". With update, it writes the file instead.
func FrozenText(t testing.TB, file string, update bool, text string) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	was, now, title := strings.Split(string(data), "\n"), strings.Split(text, "\n"), ""
	for i := range max(len(was), len(now)) {
		if i < len(now) && (strings.HasPrefix(now[i], "==") || strings.HasPrefix(now[i], "--")) {
			title = now[i] + "\n"
		}
		if i >= len(was) || i >= len(now) || was[i] != now[i] {
			t.Fatalf("%s has %d lines, want %d; line %d\n%swas %q\nis  %q\nif the difference is meant, run the test with -update",
				file, len(was), len(now), i+1, title, was[min(i, len(was)-1)], now[min(i, len(now)-1)])
		}
	}
}

// Sum returns a short checksum of texts, for [Frozen].
func Sum(texts ...string) string {
	sum := crc32.NewIEEE()
	for _, s := range texts {
		io.WriteString(sum, s+"\x00")
	}
	return fmt.Sprintf("%06x", sum.Sum32()>>8)
}
