package digest

import (
	"strings"

	"condense/transcript"
)

// A digest may hold the notes of a model in place of the lines that are chosen. They
// stand between the opening and the last line that is wordForWord, behind which is
// what no model has a say in: open tasks and rules. Nothing there can be taken for
// that line, because all but headings is indented, and notes that hold it lose it; so
// whatever they say, readers and later runs know where they end.
const (
	openingNotes = "## Conversation Summary: notes of a model, in its own words"
	wordForWord  = "From the conversation, word for word:"

	openingNotesState = stateElement + "\n<notice>notes of a model, in its own words</notice>"
	notesElement      = "\n<notes><![CDATA[\n"
	notesEnd          = "]]></notes>"
)

// notedRules is the share of the budget that rules may take behind notes, at most.
const notedRules = 0.25

// Noted is [Source.Write] with the notes of a model, which are not empty, in place of
// the lines that are chosen. Open tasks and rules stand behind them, however long the
// notes are: Budget bounds the rules alone. left is the number of rules without room.
func (s *Source) Noted(notes string) (text string, left int) {
	c := newCollection(s)
	for ref, b := range s.Conv.Blocks() {
		if !s.Gone[ref] || b.Kind != transcript.Text || b.Origin == transcript.Typed && !s.Typed {
			continue
		}
		c.perByte = s.PerByte(b)
		if isEarlier(b) {
			c.earlier(ref, b)
		} else if b.Origin != transcript.ByModel {
			c.demands(b)
		}
	}
	c.tasks()
	h := newChoice(c)
	h.rules(float64(s.Budget) * notedRules)
	var out strings.Builder
	notes = withoutFrame(notes)
	if s.State {
		out.WriteString(openingNotesState + notesElement + notes + "\n" + notesEnd)
	} else {
		out.WriteString(openingNotes + "\n" + notes + "\n" + wordForWord)
	}
	h.section(&out, tasks)
	h.section(&out, rules)
	if s.State {
		out.WriteString("\n</state_snapshot>")
	}
	missed := map[string]bool{}
	for i := range c.pieces {
		if p := &c.pieces[i]; c.entries[p.entry].section == rules && !h.texts[p.text] {
			missed[p.text] = true
		}
	}
	return out.String(), len(missed)
}

// withoutFrame takes out of notes the lines that frame them, and what ends character
// data.
func withoutFrame(notes string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(notes, dataEnd, "]] >"), "\n") {
		if strings.TrimSpace(line) != wordForWord && !Is(line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Notes is what a digest says to who carries it on: the notes of a model that it
// holds, or else the digest itself. "" when text is no digest.
func Notes(text string) string {
	if from, to, ok := notesIn(text); ok {
		return strings.TrimSpace(text[from:to])
	}
	if Is(text) {
		return text
	}
	return ""
}

// notesIn returns where the notes of a model stand in a digest.
func notesIn(text string) (from, to int, ok bool) {
	begin, end := openingNotes+"\n", wordForWord
	if !strings.HasPrefix(text, begin) {
		begin, end = openingNotesState+notesElement, notesEnd
		if !strings.HasPrefix(text, begin) {
			return 0, 0, false
		}
	}
	from = len(begin)
	if to = strings.LastIndex(text, "\n"+end) + 1; to < from { // somebody took it out
		to = len(text)
	}
	return from, to, true
}
