package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// cursorLine is a line of a Cursor transcript with one text.
func cursorLine(role, text string) string {
	return fmt.Sprintf(`{"role":%q,"message":{"content":[{"type":"text","text":%q}]}}`, role, text)
}

func TestCursor(t *testing.T) {
	f := decoded(t, strings.Join([]string{
		cursorLine("user", "<attached_files>\nx\n</attached_files>\n<user_query>\nfix <user_query> it\n</user_query>\n<hint>y</hint>"),
		cursorLine("assistant", "[REDACTED]"),
		cursorLine("assistant", "Reading.\n\n[REDACTED]"),
		cursorLine("assistant", "It says [REDACTED]"),
		cursorLine("assistant", "[REDACTED]\n\n[REDACTED]"),
		cursorLine("assistant", "Twice.\n\n[REDACTED]\n\n[REDACTED]"),
		cursorLine("user", "plain"),
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"path":"a"}}]}}`,
	}, "\n"))
	if f.Dialect != &cursor {
		t.Fatalf("taken for %s", f.Dialect.Name)
	}
	shows(t, f.Convs[0],
		`user: injected "<attached_files>\nx\n</attached_files>\n" | typed "<user_query>\nfix <user_query> it\n</user_query>" | injected "\n<hint>y</hint>"`,
		`assistant: thinking "[REDACTED]"`,
		`assistant: model "Reading." | thinking "[REDACTED]"`,
		`assistant: model "It says [REDACTED]"`,
		`assistant: thinking "[REDACTED]\n\n[REDACTED]"`,
		`assistant: model "Twice." | thinking "[REDACTED]\n\n[REDACTED]"`,
		`user: typed "plain"`,
		`assistant: open call Read path="a"`,
	)
	out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: transcript.Whole}, "[x omitted]")
	contains(t, out, []string{`"[x omitted]<user_query>\nfix`}, "attached")
	out = edited(t, f, transcript.Edit{At: transcript.Ref{Msg: 2, Block: 1, Part: transcript.Whole}, Op: transcript.Drop})
	contains(t, out, []string{`"text":"Reading."`}, `Reading.\n`)
}
