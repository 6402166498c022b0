package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// maEvent returns an event of a managed agent's log; more are members of raw.
func maEvent(role, kind, typ, more string) string {
	return fmt.Sprintf(`{"role":%q,"kind":%q%s}}`, role, kind, strings.Replace(more, "RAW", fmt.Sprintf(`,"raw":{"type":%q`, typ), 1))
}

var (
	maStart = maEvent("system", "model_request_start", "span.model_request_start", "RAW")
	maEnd   = maEvent("system", "model_request_end", "span.model_request_end", `RAW,"model_usage":{"input_tokens":2,"output_tokens":9}`)
	maThink = maEvent("agent", "thinking", "agent.thinking", "RAW")
)

func maSays(text string) string {
	return maEvent("agent", "message", "agent.message", fmt.Sprintf(`,"content":%q RAW,"content":[{"type":"text","text":%q}]`, text, text))
}

func maCall(id, args, again string) string {
	return maEvent("agent", "tool_use", "agent.tool_use", fmt.Sprintf(`,"content":%q RAW,"id":%q,"name":"write","input":%s`, again, id, args))
}

func maResult(id, text string) string {
	return maEvent("agent", "tool_result", "agent.tool_result", fmt.Sprintf(`,"content":%q RAW,"tool_use_id":%q,"content":[{"type":"text","text":%q}]`, text, id, text))
}

func TestManaged(t *testing.T) {
	f := decoded(t, strings.Join([]string{
		maEvent("user", "define_outcome", "user.define_outcome", `RAW,"description":"build it","rubric":{"content":"it runs","type":"text"}`),
		maStart, maThink, maSays("Building."), maCall("1", `{"b":2,"a":"x"}`, `{"a":"x","b":2}`), strings.Replace(maCall("2", `{}`, `{}`), `"name"`, `"tool_name"`, 1), maEnd,
		maResult("2", "two"), maResult("1", "one"),
		maEvent("system", "outcome_evaluation_end", "span.outcome_evaluation_end", `RAW,"explanation":"not yet"`),
		maStart, maSays("Now."), maEnd, maSays("Outside of a request."), maSays("So is this."),
		maEvent("user", "interrupt", "user.interrupt", "RAW"),
	}, "\n"))
	if f.Dialect != &managedAgents {
		t.Fatalf("taken for %s", f.Dialect.Name)
	}
	shows(t, f.Convs[0],
		`user: typed "build it" | typed "it runs"`,
		`assistant: thinking`, `assistant: model "Building."`, `assistant: call 1 write b=2 a="x"`, `assistant: call 2 write`,
		`tool: result 2 "two"`, `tool: result 1 "one"`,
		`user: injected "not yet"`, `assistant: model "Now."`, `assistant: model "Outside of a request."`, `assistant: model "So is this."`)
	if u := f.Convs[0].Messages[4].Usage(); u == nil || u.Output != 9 {
		t.Errorf("usage is %v", u)
	}
}

// TestManagedCopies checks that the text beside raw changes with the text in it, including arguments
// in a JSON string, in any order.
func TestManagedCopies(t *testing.T) {
	f := decoded(t, strings.Join([]string{maStart, maCall("1", `{"b":2,"a":"x \u0026 y"}`, `{"a":"x \u0026 y","b":2}`), maEnd, maResult("1", "one")}, "\n"))
	out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: 1}, "z")
	contains(t, out, []string{`"content":"{\"a\":\"z\",\"b\":2}"`, `"input":{"b":2,"a":"z"}`})
	out = rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, "none")
	contains(t, out, []string{`"content":"none" ,"raw"`, `[{"type":"text","text":"none"}]`}, `"one"`)
}
