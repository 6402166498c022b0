package strategy

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestRunWide runs every strategy on conversations in which one thing is very wide. Together they take 10 s. Quadratic work
// takes some minutes for a single one of them, so the limit of the time is far from both.
func TestRunWide(t *testing.T) {
	const n, limit = 240_000, 100 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	for name, c := range map[string]*transcript.Conversation{
		"arguments of one call":    wideArguments(n),
		"calls of one message":     wideCalls(n/4, 1),
		"calls before all results": wideCalls(n/4, n/4),
		"lines of one result":      wideConversation(transcripttest.Tool("1", linesOf(n, "line %d of the log"))),
		"equal lines":              wideConversation(transcripttest.Tool("1", strings.Repeat("the same line of the log\n", n))),
		"one line":                 wideConversation(transcripttest.Tool("1", strings.ReplaceAll(linesOf(n, "word%d "), "\n", ""))),
		"items of one answer":      wideConversation(transcripttest.Tool("1", "ok"), transcripttest.Model(linesOf(n/4, "- item %d of the plan"))),
		"thoughts with code":       wideConversation(transcripttest.Tool("1", "ok"), transcripttest.Model(transcripttest.Thinking("```go\n"+linesOf(n/4, "func part%d() {")+"```\n"))),
		"a plan":                   wideConversation(transcripttest.Tool("1", "ok"), transcripttest.User(linesOf(n/8, "## Step %d\n\nChange src/a.go.")), transcripttest.Model("So.")),
		"a quoted line": wideConversation(transcripttest.Tool("1", "ok"), transcripttest.User("In keel.go, write `gate.open(tide, rope, anchor, wind, sail, mast, boat, pilot)` otherwise."),
			transcripttest.Model(transcripttest.Call("2", "Read", "file_path=/ship/keel.go")), transcripttest.Tool("2", "func keel() {\n"+strings.Repeat("\tgate.open(tide, rope, anchor, wind, sail, mast, boat, pilot)\n", n)+"}\n")),
		"a checklist": wideConversation(transcripttest.Tool("1", "ok"), transcripttest.Model(transcripttest.Call("2", "write_to_file", "path=a.go", "content=x", "task_progress="+linesOf(n/4, "- [ ] step %d"))), transcripttest.Tool("2", "ok")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Options{Target: Target{Tokens: 2000}}
			for _, s := range append(All[:len(All):len(All)], &Strategy{Name: HybridName, Layers: Hybrid}) {
				run(t, c, o, s)
				if ctx.Err() != nil {
					t.Fatalf("%s: not done after %s", s.Name, limit)
				}
			}
		})
	}
}

// linesOf returns n lines, each with its number.
func linesOf(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// wideConversation returns a conversation with one call, and messages behind it.
func wideConversation(after ...*transcript.Message) *transcript.Conversation {
	msgs := append([]*transcript.Message{transcripttest.User("Look at it."), transcripttest.Model(transcripttest.Call("1", "Bash", "command=make"))}, after...)
	return transcripttest.Conversation(append(msgs, transcripttest.Model("It is done."), transcripttest.User("Thanks."))...)
}

// wideArguments returns a conversation with one call of n arguments.
func wideArguments(n int) *transcript.Conversation {
	args := make([]string, n)
	for i := range args {
		args[i] = fmt.Sprintf("rows[%d].name=item %d", i, i)
	}
	return wideConversation(transcripttest.Tool("1", "ok"), transcripttest.Model(transcripttest.Call("2", "store", args...)), transcripttest.Tool("2", "ok"))
}

// wideCalls returns a conversation with n calls in a number of messages, followed by all results.
func wideCalls(n, messages int) *transcript.Conversation {
	msgs := []*transcript.Message{transcripttest.User("Run them all.")}
	var results []*transcript.Message
	for i := range n {
		call := transcripttest.Call(fmt.Sprint(i), "Bash", fmt.Sprintf("command=make part_%d", i))
		if i < messages {
			msgs = append(msgs, transcripttest.Model(call))
		} else {
			m := msgs[len(msgs)-1]
			call.ID = len(m.Blocks)
			m.Blocks = append(m.Blocks, call)
		}
		results = append(results, transcripttest.Tool(fmt.Sprint(i), fmt.Sprintf("part %d is built\n", i)))
	}
	return transcripttest.Conversation(append(append(msgs, results...), transcripttest.Model("All is built."), transcripttest.User("Thanks."))...)
}
