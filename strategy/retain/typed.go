package retain

import (
	"index/suffixarray"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/fact"
)

// typed counts the bytes of the typed texts before, and of those that are still
// present word for word: as a text of their own, as often as before, or within a new
// text. White space does not count, because a file may split a text differently after
// a removal.
func typed(before, after *transcript.Conversation) (n Count) {
	there := map[string]int{}
	for _, text := range typedTexts(after) {
		there[text]++
	}
	var missing []string
	for _, text := range typedTexts(before) {
		n.Of += len(text)
		if there[text] > 0 {
			there[text]--
			n.Kept += len(text)
		} else {
			missing = append(missing, text)
		}
	}
	if missing == nil {
		return n
	}
	inNew := finder(after, there)
	for _, text := range missing {
		if inNew(text) {
			n.Kept += len(text)
		}
	}
	return n
}

// typedTexts returns the typed texts of blocks, with white space folded.
func typedTexts(c *transcript.Conversation) (texts []string) {
	for _, b := range c.Blocks() {
		if b.Origin == transcript.Typed && (b.Kind == transcript.Text || b.Kind == transcript.ToolResult) {
			if text := folded(b.Text()); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// finder returns a function that searches the texts that are new after, for a text as
// whole words. New are the typed texts whose number in left is above 0, and summaries.
func finder(after *transcript.Conversation, left map[string]int) func(string) bool {
	var fresh strings.Builder
	for _, text := range typedTexts(after) {
		if left[text] > 0 {
			left[text]--
			fresh.WriteString(text + " ")
		}
	}
	for _, text := range summaries(after) {
		fresh.WriteString(text + " ")
	}
	all := []byte(fresh.String())
	index := suffixarray.New(all)
	return func(text string) bool {
		for _, at := range index.Lookup([]byte(text), placesTried) {
			if edge(all[:at], utf8.DecodeLastRune) && edge(all[at+len(text):], utf8.DecodeRune) {
				return true
			}
		}
		return false
	}
}

// placesTried is the number of occurrences of a short text that are tried: inside of
// words it does not count.
const placesTried = 100

// edge reports whether no word continues at the end of text that decode reads.
func edge(text []byte, decode func([]byte) (rune, int)) bool {
	r, _ := decode(text)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// summaries returns the generated texts other than markers, with white space folded.
func summaries(c *transcript.Conversation) (texts []string) {
	for _, b := range c.Blocks() {
		if b.Origin == transcript.Generated && !isMarker(b.Text()) {
			texts = append(texts, folded(b.Text()))
		}
	}
	return texts
}

// todos counts the open items of the newest todo list before, and those that the
// newest list after, or a summary, still contains.
func todos(before, after *transcript.Conversation) (n Count) {
	open := fact.OpenTodos(before)
	if open == nil {
		return n
	}
	there := map[string]bool{}
	for _, item := range fact.OpenTodos(after) {
		there[item] = true
	}
	said := strings.Join(summaries(after), " ")
	for _, item := range open {
		n.Of++
		if there[item] || strings.Contains(said, folded(item)) {
			n.Kept++
		}
	}
	return n
}
