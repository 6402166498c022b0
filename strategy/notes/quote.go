package summary

import (
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/redact"
)

// source is what was said, for quotes to be looked up in: each text with one
// space between words, as said and as it was sent with secrets taken out.
type source struct {
	lines map[string]bool // what the user typed, by the line
	user  []string        // the same, and system prompts
	all   []string        // everything that the model is shown
}

func newSource(req Request) *source {
	s := &source{lines: map[string]bool{}}
	var user, all strings.Builder
	// What earlier notes quote of the user was looked up when they were written. What
	// else is in them is a model's words or a tool's.
	user.WriteString(quoted(req.Previous, "Intent", userMessages, "Constraints"))
	s.addLines(quoted(req.Previous, userMessages))
	for _, text := range typed(req.Messages) {
		user.WriteString("\n" + text)
		s.addLines(text)
	}
	all.WriteString(req.Previous)
	for _, m := range req.Messages {
		if m.Hidden {
			continue
		}
		all.WriteString("\n" + Render(m))
		if m.Role == transcript.System {
			user.WriteString("\n" + Render(m))
		}
	}
	s.user, s.all = asSaidAndSent(user.String()), asSaidAndSent(all.String())
	return s
}

func (s *source) addLines(text string) {
	for _, form := range []string{text, first(redact.Text(text))} {
		for line := range strings.Lines(form) {
			s.lines[spaced(line)] = true
		}
	}
}

func first(text string, _ redact.Counts) string { return text }

// quoted is the lines of notes behind ">", without it, below such headings.
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

// spaced puts one space between words, and straight quotes for curled ones.
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
var inline = regexp.MustCompile(`"([^"\n]+)"|“([^”\n]+)”`)

// quotedWords is from how many words on text between quotes is taken for what
// someone said, and not for a name.
const quotedWords = 4

// verify takes out the lines that quote what was not said, and counts them: lines
// behind ">", and lines with a sentence between double quotes. Where the notes have
// sections, that of the user's messages may have nothing but whole lines that the
// user typed, and what is quoted as intent or as a constraint must be the user's or a system prompt's.
func (s *source) verify(text string, sectioned bool) (kept string, removed int) {
	var out strings.Builder
	at := ""
	for line := range strings.Lines(text) {
		if name := heading(line); name != "" {
			at = name
		} else if !s.said(strings.TrimSpace(line), at, sectioned) {
			removed++
			continue
		}
		out.WriteString(line)
	}
	if strings.TrimSpace(out.String()) == "" {
		return "", removed
	}
	return strings.TrimSpace(out.String()), removed
}

// said reports whether a line below the heading at may stay.
func (s *source) said(line, at string, sectioned bool) bool {
	users := sectioned && at == strings.ToLower(userMessages)
	within := s.all
	if users || sectioned && (at == "intent" || at == "constraints") {
		within = s.user
	}
	item := strings.TrimSpace(listMark.ReplaceAllString(line, ""))
	if quote, ok := strings.CutPrefix(item, ">"); ok {
		quote = strings.TrimSpace(quote)
		if users { // a part of a line may say the opposite of the whole
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

// listMark is what stands before an item of a list.
var listMark = regexp.MustCompile(`^(?:[-*+]|\d{1,3}[.)])[ \t]+`)
