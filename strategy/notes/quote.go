package notes

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/lazyregexp"
	"condense/transcript/redact"
)

// originals holds the texts of a request to look up quotes. It holds each text with one space
// between words, both as written and as sent with secrets replaced.
type originals struct {
	lines map[string]bool // the lines that the user typed
	user  []string        // typed texts and system prompts
	all   []string        // all texts that the model sees
}

// newOriginals collects the texts of a request.
func newOriginals(req Request) *originals {
	s := &originals{lines: map[string]bool{}}
	var user, all strings.Builder
	// The user's quotes in earlier notes were verified when the notes were written. The rest of
	// the notes are words of a model or a tool.
	user.WriteString(quoted(req.Previous, "Intent", userMessages, "Corrections", "Constraints", "Next step"))
	s.addLines(quoted(req.Previous, userMessages))
	for _, text := range append(typed(req.Messages), req.Latest) {
		user.WriteString("\n" + text)
		s.addLines(text)
	}
	all.WriteString(req.Previous + "\n" + req.Latest)
	for _, m := range slices.Concat(req.Messages, req.Behind) {
		if m.Hidden {
			continue
		}
		all.WriteString("\n" + render(m))
		if m.Role == transcript.System {
			user.WriteString("\n" + render(m))
		}
	}
	s.user, s.all = asSaidAndSent(user.String()), asSaidAndSent(all.String())
	return s
}

func (s *originals) addLines(text string) {
	for _, form := range []string{text, first(redact.Text(text))} {
		for line := range strings.Lines(form) {
			s.lines[spaced(line)] = true
		}
	}
}

func first(text string, _ redact.Counts) string { return text }

// quoted returns the quotes below the given headings of notes: lines that begin with ">", without it.
func quoted(notes string, below ...string) string {
	var out strings.Builder
	among := false
	for line := range strings.Lines(notes) {
		if name := heading(line); name != "" {
			among = slices.ContainsFunc(below, func(b string) bool { return strings.EqualFold(b, name) })
			continue
		}
		item := strings.TrimSpace(listMark.ReplaceAllString(strings.TrimSpace(line), ""))
		if quote, ok := strings.CutPrefix(item, ">"); ok && among {
			out.WriteString(quote + "\n")
		}
	}
	return out.String()
}

func asSaidAndSent(text string) []string {
	texts := []string{spaced(text)}
	if sent, counts := redact.Text(text); counts != nil {
		texts = append(texts, spaced(sent))
	}
	return texts
}

// spaced returns text with one space between words and with straight quotation marks.
func spaced(text string) string {
	return strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'").Replace(strings.Join(strings.Fields(text), " "))
}

func holds(texts []string, quote string) bool {
	quote = spaced(quote)
	for _, text := range texts {
		if strings.Contains(text, quote) {
			return true
		}
	}
	return false
}

// inline matches text between double quotes.
var inline = lazyregexp.New(`"([^"\n]+)"|“([^”\n]+)”`)

// quotedWords is the least number of words between quotation marks that count as a quote. Fewer words
// count as a name.
const quotedWords = 4

// verify removes and counts the lines that quote text outside the conversation. Quotes are lines that
// begin with ">", and sentences between double quotes. With sections, lines between lines of ``` are
// quotes, too, and a section of sections ends them. The section of the user's messages may hold only
// whole typed lines. Quotes of the intent, the corrections, the constraints and the next step must come
// from the user or a system prompt.
func (s *originals) verify(text string, sections []section) (kept string, removed int) {
	var out strings.Builder
	at, code := "", false
	for line := range strings.Lines(text) {
		bare, name := strings.TrimSpace(line), heading(line)
		switch {
		case named(sections, name):
			if at = name; code {
				out.WriteString("```\n")
				code = false
			}
		case len(sections) > 0 && strings.HasPrefix(bare, "```"):
			code = !code
		case code:
			if wordInside.MatchString(bare) && !holds(s.all, bare) {
				removed++
				continue
			}
		case name != "":
			at = name
		case !s.said(bare, at, len(sections) > 0):
			removed++
			continue
		}
		out.WriteString(line)
	}
	if code {
		out.WriteString("\n```")
	}
	return strings.TrimSpace(emptyCode.ReplaceAllString(out.String(), "")), removed
}

// wordInside matches a line with a letter or a digit, unlike one of braces alone.
var wordInside = lazyregexp.New(`[\pL\pN]`)

// emptyCode matches a block of code without lines.
var emptyCode = lazyregexp.New("(?m)^[ \\t]*```[^\n`]*\n\\s*```[ \\t]*(?:\n|$)")

// named reports whether a heading, in lower case, is that of a section.
func named(sections []section, heading string) bool {
	return slices.ContainsFunc(sections, func(s section) bool { return strings.ToLower(s.name) == heading })
}

// fromUser lists the sections, in lower case, that quote only the user and system prompts.
var fromUser = []string{"intent", "corrections", "constraints", "next step"}

// said reports whether a line below the heading at may stay.
func (s *originals) said(line, at string, sectioned bool) bool {
	users := sectioned && at == strings.ToLower(userMessages)
	within := s.all
	if users || sectioned && slices.Contains(fromUser, at) {
		within = s.user
	}
	item := strings.TrimSpace(listMark.ReplaceAllString(line, ""))
	if quote, ok := strings.CutPrefix(item, ">"); ok {
		quote = strings.TrimSpace(quote)
		if users { // a part of a line may mean the opposite of the whole
			return s.lines[spaced(quote)]
		}
		return quote == "" || holds(within, quote) || holds(within, strings.Trim(quote, `"“”`))
	}
	if users && item != "" && !strings.EqualFold(strings.Trim(item, "*_."), "none") {
		return false
	}
	for _, m := range inline.FindAllStringSubmatch(line, -1) {
		quote := m[1] + m[2]
		if len(strings.Fields(quote)) >= quotedWords && !holds(s.all, strings.TrimRight(quote, ".,;:!?…")) {
			return false
		}
	}
	return true
}

// listMark matches the mark before an item of a list.
var listMark = lazyregexp.New(`^(?:[-*+]|\d{1,3}[.)])[ \t]+`)
