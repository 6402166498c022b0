package summary

import (
	"regexp"
	"strings"
)

// scratch are tags of what a model writes for itself before the notes.
var scratch = []string{"analysis", "scratchpad", "think", "thinking", "reasoning", "reflection"}

// judge returns the notes that an answer holds, or says in a few words why it
// cannot be used.
func judge(r Reply) (notes, fault string) {
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

// withoutScratch takes off the scratch part, and the tags around the notes
// themselves. A scratch part without an end is all that there is.
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

// speaks matches the marks by which templates and clients set roles apart: tags,
// special tokens, and names at the start of a line.
var speaks = regexp.MustCompile(`(?i)</?(?:system|user|assistant|human|tool|function|developer|system-reminder|command-name|local-command-stdout|environment_details)\b[^>\n]*>` +
	`|<\|[a-z_0-9]{2,40}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>` +
	`|(?m)^[ \t]*(?:\*\*)?(?:Human|User|Assistant|System|Developer)(?:\*\*)?:(?:\*\*)?(?:[ \t]|$)`)

// calls matches calls and results of tools in the forms of the APIs and of models
// that write them as text.
var calls = regexp.MustCompile(`(?i)"type"\s*:\s*"(?:tool_use|tool_result|function|function_call|tool_call)"|"(?:tool_calls|function_call|tool_use_id|tool_call_id)"\s*:` +
	`|<(?:antml:)?(?:function_calls|function_results|invoke|tool_call|tool_use|tool_response|use_mcp_tool)\b[^>\n]*>|\[TOOL_CALLS\]`)

// missing lists the sections that notes do not have.
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

// heading is the name of a heading in small letters, or "" for another line.
func heading(line string) string {
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
	if !ok {
		return ""
	}
	name = strings.TrimLeft(name, "#")
	return strings.ToLower(strings.Trim(name, " \t*_:.0123456789"))
}
