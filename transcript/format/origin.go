package format

import (
	"regexp"
	"strings"

	"condense/transcript"
)

// What clients put into user messages beside what the user typed. The lists are
// what the clients write (Claude Code, Codex, Cline, Roo, Cursor); text that
// matches none of them counts as typed, so that a doubt keeps it.

// injectedHead matches text that a client wrote from its first character on.
var injectedHead = regexp.MustCompile(`^\s*(?:<(?:system-reminder|system_reminder|environment_context|environment_details|` +
	`command-|local-command|user_instructions|user-instructions|permissions|collaboration_mode|INSTRUCTIONS|` +
	`turn_aborted|task-notification|bash-|ide_|session_context|user-prompt-submit-hook|skill|hook|` +
	`subagent_notification|teammate-message|user_shell_command|workspace_info|context>|apps_instructions|` +
	`plugins_instructions|recommended_plugins)|Caveat: The messages below|# AGENTS\.md|\[Request interrupted|` +
	`Stop hook feedback|Base directory for this skill|Operation stopped by hook|\[TASK RESUMPTION\]|` +
	`Warning: apply_patch was requested|# task_progress RECOMMENDED|<image name=|</image>)`)

// resumedWith opens what the user wrote in a text that is else injected: Cline
// resumes a task with its own words and the user's in one.
const resumedWith = "<user_message>"

// summaryHead matches text in which a client condensed the conversation before.
var summaryHead = regexp.MustCompile(`^\s*(?:This session is being continued from a previous conversation|` +
	`Another language model started to solve this problem and produced a summary|` +
	`<state_snapshot>|## Conversation Summary\b)`)

// injectedTags enclose what clients put in the middle of typed text.
var injectedTags = []string{
	"system-reminder", "environment_details", "ide_opened_file", "ide_selection", "ide_diagnostics",
}

// userSaid are the phrases after which a tool result quotes the user: answers to
// questions, reasons for a refusal. Results are long and phrases rare, so they are
// looked for by what several have in common.
var userSaid = []struct {
	common  string
	phrases [][2]string // what stands in front of the common part, and behind
}{
	{"ser ", [][2]string{
		{"the u", "said:"}, {"U", "has answered your questions"}, {"The u", "provided the following feedback"}, {"u", "feedback:"},
	}},
	{"<", [][2]string{{"", "feedback>"}, {"", "answer>"}, {"", "user_message>"}}},
}

// quotesUser reports whether a person's words stand in the text of a tool result.
func quotesUser(text string) bool {
	for _, s := range userSaid {
		for at := 0; ; at += len(s.common) {
			found := strings.Index(text[at:], s.common)
			if found < 0 {
				break
			}
			at += found
			for _, p := range s.phrases {
				if strings.HasSuffix(text[:at], p[0]) && strings.HasPrefix(text[at+len(s.common):], p[1]) {
					return true
				}
			}
		}
	}
	return false
}

// userOrigin is who wrote a whole text of a user message; false when it may be
// a mixture.
func userOrigin(text string, meta bool) (transcript.Origin, bool) {
	switch {
	case transcript.IsMarker(text), summaryHead.MatchString(text):
		return transcript.Generated, true
	case meta, injectedHead.MatchString(text) && !goesOn(text):
		return transcript.Injected, true
	}
	return transcript.Typed, false
}

// goesOn reports whether the user may speak in a text that the client began:
// behind an element that it put in front, or in words that it quotes.
func goesOn(text string) bool {
	for _, tag := range injectedTags {
		if element, ok := strings.CutPrefix(strings.TrimSpace(text), "<"+tag+">"); ok {
			_, rest, closed := strings.Cut(element, "</"+tag+">")
			return closed && rest != ""
		}
	}
	return strings.Contains(text, resumedWith)
}
