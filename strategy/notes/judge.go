package notes

import (
	"regexp"
	"strings"
)

// scratch lists the tags around text that a model writes for itself before the notes.
var scratch = []string{"analysis", "scratchpad", "think", "thinking", "reasoning", "reflection"}

// judge returns the notes in an answer, or the reason why it cannot be used.
func judge(r Reply) (notes, problem string) {
	text := withoutScratch(r.Text)
	switch {
	case r.Cut:
		return "", "they were cut off before their end"
	case text == "":
		return "", "they are empty"
	case speaks.MatchString(text):
		return "", "they speak in the role of someone"
	case calls.MatchString(text):
		return "", "they hold a tool call"
	}
	return text, ""
}

// withoutScratch removes scratch parts, and the tags around the notes. A scratch part
// without an end goes up to the end of the text.
func withoutScratch(text string) string {
	for _, tag := range scratch {
		for {
			head, rest, found := strings.Cut(text, "<"+tag+">")
			if !found {
				break
			}
			_, rest, _ = strings.Cut(rest, "</"+tag+">")
			text = head + rest
		}
	}
	if _, rest, found := strings.Cut(text, "<summary>"); found {
		text, _, _ = strings.Cut(rest, "</summary>")
	}
	text = strings.TrimSpace(text)
	if fence, ok := strings.CutPrefix(text, "```markdown\n"); ok && strings.HasSuffix(fence, "```") {
		text = strings.TrimSpace(strings.TrimSuffix(fence, "```"))
	}
	return text
}

// speaks matches the marks by which templates and clients separate roles: tags,
// special tokens, and names at the start of a line.
var speaks = regexp.MustCompile(`(?i)</?(?:system|user|assistant|human|tool|function|developer|system-reminder|command-name|local-command-stdout|environment_details)\b[^>\n]*>` +
	`|<\|[a-z_0-9]{2,40}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>` +
	`|(?m)^[ \t]*(?:\*\*)?(?:Human|User|Assistant|System|Developer)(?:\*\*)?:(?:\*\*)?(?:[ \t]|$)`)

// calls matches calls and results of tools, in the forms of APIs and in those that models write as text.
var calls = regexp.MustCompile(`(?i)"type"\s*:\s*"(?:tool_use|tool_result|function|function_call|tool_call)"|"(?:tool_calls|function_call|tool_use_id|tool_call_id)"\s*:` +
	`|<(?:antml:)?(?:function_calls|function_results|invoke|tool_call|tool_use|tool_response|use_mcp_tool)\b[^>\n]*>|\[TOOL_CALLS\]`)

// missing returns the names of the sections that notes lack.
func missing(text string) (names []string) {
	there := map[string]bool{}
	for line := range strings.Lines(text) {
		if name := heading(line); name != "" {
			there[name] = true
		}
	}
	for _, s := range sections {
		if !there[strings.ToLower(s.name)] {
			names = append(names, s.name)
		}
	}
	return names
}

// heading returns the name of a heading in lower case, or "" for another line.
func heading(line string) string {
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
	if !ok {
		return ""
	}
	name = strings.TrimLeft(name, "#")
	return strings.ToLower(strings.Trim(name, " \t*_:.0123456789"))
}
