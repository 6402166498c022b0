package format_test

import (
	"errors"
	"strings"
	"testing"

	"condense/transcript/format"
)

// TestMisnamed checks that a named dialect returns an error when it finds nothing in a source with
// content, and that the error describes the source. A source that is empty in every reading is no
// error.
func TestMisnamed(t *testing.T) {
	const chat = `{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}`
	for _, c := range []struct{ src, name, want string }{
		{chat, "claude-code", "it has no messages in the format claude-code: it looks like openai"},
		{chat, "codex", "it has no messages in the format codex: it looks like openai"},
		{chat, "openai", ""},
		{chat, "", ""},
		{`{"a": 1}`, "claude-code", "it has no messages in the format claude-code; detection says: not a transcript in a known format"},
		{`[]`, "claude-code", ""},
		{`{"messages": []}`, "claude-code", ""},
		{`{"type": "summary", "summary": "x", "leafUuid": "u"}`, "claude-code", ""},
	} {
		f, err := format.Decode([]byte(c.src), c.name)
		var wrong *format.Error
		switch {
		case c.want == "" && (err != nil || f == nil):
			t.Errorf("%s as %q: %v", c.src, c.name, err)
		case c.want != "" && (!errors.As(err, &wrong) || !strings.HasPrefix(wrong.Error(), c.want) || wrong.Named != c.name || wrong.Like == "" && wrong.Known == nil):
			t.Errorf("%s as %q: got %v, want %s", c.src, c.name, err, c.want)
		}
	}
}
