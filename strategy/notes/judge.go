package notes

import (
	"fmt"
	"strings"

	"condense/transcript/lazyregexp"
)

// scratch lists the tags around text that a model writes for itself before the notes.
var scratch = []string{"analysis", "scratchpad", "think", "thinking", "reasoning", "reflection"}

// judged holds the notes in an answer, and what is wrong with them.
type judged struct {
	text    string
	problem string   // the reason to ask again; "" when the answer is good
	usable  bool     // whether text can be the notes in spite of the problem
	lacking []string // names of missing sections
	removed int      // removed lines, which quoted text outside the conversation
}

// judge returns the notes in an answer, and what is wrong with them. Notes that are final should have
// all sections. least is the number of tokens that they must have besides headings.
func (w *work) judge(r Reply, final bool, least int) judged {
	text, problem := plain(r)
	if problem != "" {
		return judged{problem: problem}
	}
	sections := w.req.sections()
	j := judged{lacking: missing(text, sections)}
	if len(j.lacking)*2 > len(sections) {
		j.problem = "most sections were missing: " + strings.Join(j.lacking, ", ")
		return j
	}
	if j.text, j.removed = w.originals.verify(text, sections); j.text == "" {
		j.problem = "nothing is left of them without what nobody said"
		return j
	}
	said, size := w.tokens(substance(j.text)), w.tokens(j.text)
	switch {
	case said < least:
		j.problem = fmt.Sprintf("they say too little: %d tokens besides headings, and at least %d are needed", said, least)
	case size > w.room+w.room/10:
		j.usable = size <= w.maxTokens()
		j.problem = fmt.Sprintf("they are too long: %d tokens, and at most %d have room; write fewer words", size, w.room)
	default:
		j.usable = true
		if final && len(j.lacking) > 0 {
			j.problem = "sections were missing: " + strings.Join(j.lacking, ", ")
		}
	}
	return j
}

// plain returns the text of an answer without scratch parts, or the reason why it cannot be notes.
func plain(r Reply) (text, problem string) {
	text = withoutScratch(r.Text)
	switch {
	case r.Refused, refusal.MatchString(text) && len(strings.Fields(text)) < longRefusal:
		return "", "they refuse instead of taking notes"
	case r.Cut:
		return "", "they were cut off before their end; write fewer words"
	case text == "":
		return "", "they are empty"
	case speaks.MatchString(text):
		return "", "they speak in the role of someone"
	case calls.MatchString(text):
		return "", "they hold a tool call"
	}
	return text, ""
}

// refusal matches the start of answers that refuse, in languages that models often answer in.
var refusal = lazyregexp.New(`(?i)^[\s*_"'#>-]*(?:` +
	`(?:i['’]m|i am|we['’]re|we are)(?: very| so| really| truly)? (?:sorry|afraid|unable|not able)\b|sorry,|(?:my )?apologies\b|i apologi[sz]e\b|unfortunately,? i\b` +
	`|(?:i|we) (?:can(?:['’]t|not| not)|won['’]t|will not|must decline|decline|do not feel|don['’]t feel)\b|as an ai\b` +
	`|es tut mir leid|tut mir leid|entschuldig|leider kann ich|ich kann (?:das|dies|diese[nrs]?|dabei|ihnen|dir|hier)[^.\n]{0,60}nicht` +
	`|(?:je suis )?désolé|je ne peux pas|lo siento|no puedo\b|mi dispiace|non posso\b|desculpe|não posso` +
	`|извините|к сожалению, я|я не могу|抱歉|很抱歉|对不起|我无法|我不能|申し訳|すみません|죄송)`)

// longRefusal is a number of words that refusals do not have. A longer text may be notes that begin
// like a refusal.
const longRefusal = 100

// least returns the tokens that notes on a number of tokens must have besides headings: a hundredth, within
// fixed bounds. Notes by the user's own instructions may be one sentence.
func (w *work) least(tokens int) int {
	const fewest, sentence, enough = 12, 6, 150
	if w.req.Prompt != "" {
		return sentence
	}
	return min(max(tokens/100, fewest), enough, w.room/5)
}

// substance returns the lines of notes that say something, each once: no headings, no "None.", no
// refusals, and nothing of the instructions.
func substance(text string) string {
	seen := map[string]bool{}
	for _, s := range allSections {
		seen["("+s.what+")"], seen[s.what] = true, true
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if heading(line) != "" || seen[bare] || refusal.MatchString(bare) || !wordInside.MatchString(bare) || none(bare) {
			continue
		}
		seen[bare] = true
		out.WriteString(line)
	}
	return out.String()
}

// none reports whether a line says that a section is empty.
func none(line string) bool {
	line = strings.Trim(listMark.ReplaceAllString(line, ""), "*_.()- ")
	return strings.EqualFold(line, "none") || strings.EqualFold(line, "n/a")
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
var speaks = lazyregexp.New(`(?i)</?(?:system|user|assistant|human|tool|function|developer|system-reminder|command-name|local-command-stdout|environment_details)\b[^>\n]*>` +
	`|<\|[a-z_0-9]{2,40}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>` +
	`|(?m)^[ \t]*(?:\*\*)?(?:Human|User|Assistant|System|Developer)(?:\*\*)?:(?:\*\*)?(?:[ \t]|$)`)

// calls matches calls and results of tools, in the forms of APIs and in those that models write as text.
var calls = lazyregexp.New(`(?i)"type"\s*:\s*"(?:tool_use|tool_result|function|function_call|tool_call)"|"(?:tool_calls|function_call|tool_use_id|tool_call_id)"\s*:` +
	`|<(?:antml:)?(?:function_calls|function_results|invoke|tool_call|tool_use|tool_response|use_mcp_tool)\b[^>\n]*>|\[TOOL_CALLS\]`)

// missing returns the names of the sections that notes lack.
func missing(text string, sections []section) (names []string) {
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

// heading returns the name of a heading in lower case, or "" for another line. The name of a section
// alone on a line, in bold letters or in front of a colon, is a heading, too.
func heading(line string) string {
	line = strings.TrimSpace(line)
	name := strings.ToLower(strings.Trim(line, "# \t*_:.0123456789"))
	switch {
	case strings.HasPrefix(line, "#"):
		return name
	case (strings.HasPrefix(line, "**") || strings.HasSuffix(line, ":")) && named(allSections, name):
		return name
	}
	return ""
}
