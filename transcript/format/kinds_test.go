package format

import (
	"fmt"
	"strings"
	"testing"
)

// TestTextsOfAttachments checks that the text of an attachment without a rendered one is found, for each kind.
func TestTextsOfAttachments(t *testing.T) {
	const user = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"do it"}}` + "\n"
	for kind, member := range map[string]string{
		"file":                    `"content":{"type":"text","file":{"filePath":"/a","content":"the words"}}`,
		"nested_memory":           `"content":{"path":"/a","content":"the words"}`,
		"queued_command":          `"prompt":"the words"`,
		"edited_text_file":        `"snippet":"the words"`,
		"plan_file_reference":     `"planContent":"the words"`,
		"skill_listing":           `"content":"the words"`,
		"selected_lines_in_ide":   `"content":"the words"`,
		"hook_success":            `"content":"the words"`,
		"hook_additional_context": `"content":["the words"]`,
		"total_tokens_reminder":   `"text":"the words"`,
		"model":                   `"text":"the words"`,
		"session_context":         `"context":{"gitStatus":"the words"}`,
		"invoked_skills":          `"skills":[{"name":"a","content":"the words"}]`,
		"of_another_version":      "",
	} {
		line := fmt.Sprintf(`{"parentUuid":"u1","uuid":"a1","type":"attachment","attachment":{"type":%q%s}}`, kind, strings.TrimSuffix(","+member, ","))
		f, err := Decode([]byte(user+line+"\n"), "claude-code")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(strings.Join(show(f.Convs[0]), "\n"), "the words"), member != ""; got != want {
			t.Errorf("%s: %v", kind, show(f.Convs[0]))
		}
	}
}

// TestSystemBesideMessages checks the names of a system prompt beside the messages, and that an empty one is none.
func TestSystemBesideMessages(t *testing.T) {
	for _, key := range []string{"system", "system_prompt", "systemPrompt"} {
		for text, want := range map[string]int{`"be brief"`: 3, `[{"type":"text","text":"be brief"}]`: 3, `[]`: 2, `null`: 2} {
			src := fmt.Sprintf(`{%q:%s,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`, key, text)
			f, err := Decode([]byte(src), "")
			if err != nil {
				t.Fatal(err)
			}
			if got := len(f.Convs[0].Messages); got != want {
				t.Errorf("%s: %d messages, want %d", src, got, want)
			}
		}
	}
}

// TestTornAtTheEnd checks that only a last line that ends too early is torn, whatever blanks follow it.
func TestTornAtTheEnd(t *testing.T) {
	const line = `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}` + "\n"
	for end, want := range map[string]bool{`{"role":"us`: true, `{"role":"us` + "\n": true, `{"role":"us` + " \r\n\t\n": true, `{"role":]`: false, `{"role":]` + "\n": false} {
		f, err := Decode([]byte(line+line+line+end), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Faults) != 1 || f.torn(f.Faults[0].Offset) != want {
			t.Errorf("%q: %+v", end, f.Faults)
		}
	}
}
