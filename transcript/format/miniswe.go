package format

import (
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var miniSWE = Dialect{
	Name:    "mini-swe-agent",
	Doc:     "mini-swe-agent trajectories, and the bare message lists of its first versions",
	Where:   "last_mini_run.traj.json in the user's configuration folder, INSTANCE/INSTANCE.traj.json of benchmark runs",
	Mirrors: true,
	sniff:   sniffMiniSWE,
	decode:  decodeMiniSWE,
	fails:   saysFailed,
	render:  renderTurn,
}

// sniffMiniSWE looks for the name of the format. The first versions wrote a bare array,
// which is recognised by its texts: the model writes bash in fences and the user return
// codes, or the model ends the run with a fixed phrase.
func sniffMiniSWE(p *probe) bool {
	if p.lines != nil {
		return false
	}
	root := p.doc.Root()
	if root.Kind() == rawjson.Object {
		return root.Get("messages").Kind() == rawjson.Array &&
			(strings.HasPrefix(root.Get("trajectory_format").Str(), "mini-swe-agent") || root.Get("info").Get("mini_version").Ok())
	}
	ran, returned := false, false
	for _, m := range firstObjects(root, probeRecords) {
		text := m.Get("content").Str()
		switch m.Get("role").Str() {
		case "assistant":
			if m.Get("tool_calls").Ok() {
				return false
			}
			ran = ran || strings.Contains(text, "```bash\n")
			returned = returned || ran && (strings.Contains(text, "SWE_AGENT_FINAL_OUTPUT") || strings.Contains(text, "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"))
		case "user":
			returned = returned || ran && (returnHead(text) > 0 || strings.HasPrefix(text, "<args>\n["))
		case "system":
		default:
			return false
		}
	}
	return returned
}

func decodeMiniSWE(f *File, p *probe) error {
	if p.lines != nil {
		return &Error{Offset: -1, Reason: "JSONL, expected one JSON document with messages"}
	}
	root := p.doc.Root()
	array := root
	if root.Kind() == rawjson.Object {
		array = root.Get("messages")
	}
	if array.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "no array of messages found, " + p.looks()}
	}
	t := &sweTurns{builder: rowBuilder(p.src, root, array), key: "content", people: true}
	n := 0
	for e := range array.Elems() {
		before := len(t.msgs)
		t.message(e, t.l.Slot(n))
		if len(t.msgs) > before {
			if at, ok := e.Get("extra").Get("timestamp").Float(); ok {
				t.msgs[before].SetTime(time.UnixMilli(int64(at * 1000)).UTC())
			}
			response := e.Get("extra").Get("response")
			t.msgs[before].SetUsage(chatUsage(response.Get("usage")))
			t.msgs[before].SetModel(response.Get("model").Str())
		}
		n++
	}
	t.l.MirrorMembers(splice.None, root, false, nil, "messages")
	f.add(rowID(root, 0), t.builder)
	return nil
}

// chatUsage reads the token counts of an answer in the form of OpenAI.
func chatUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(v rawjson.Value) int {
		n, _ := v.Int()
		return int(n)
	}
	cached := count(v.Get("prompt_tokens_details").Get("cached_tokens"))
	return &transcript.Usage{
		Input: uncached(count(v.Get("prompt_tokens")), cached), CacheRead: cached, Output: count(v.Get("completion_tokens")),
	}
}

// returnedError reports whether a message records, beside its text, a return code other
// than 0.
func returnedError(v rawjson.Value) bool {
	code, ok := v.Get("extra").Get("returncode").Int()
	return ok && code != 0
}

// isFromClient reports whether the client wrote a user message that answers no command.
// Otherwise a person wrote it.
func isFromClient(text string) bool {
	return hasPrefixAny(text, "<returncode>", "<format_error", "Please always provide EXACTLY ONE", "Tool call error",
		"Format error", "No tool calls found", "The last command")
}

// userStopped reports whether an observation holds a text that a person wrote instead of
// letting a command run.
func userStopped(text string) bool {
	return hasPrefixAny(text, "Interrupted by user", "Command not executed", "Temporary interruption")
}
