package retain

import (
	"index/suffixarray"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/fact"
)

// typed counts the bytes of the texts that a person typed, and of those that are
// still there word for word: as a text of their own, as often as before, or
// within one that is new. White space does not count: a file may cut a text into
// other pieces when what stood between them went.
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

// typedTexts are what was typed, block by block, with white space folded.
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

// finder gives a function that looks for a text, as whole words, in what is new
// after: typed texts that were not there (left says how many of each), and
// summaries.
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

// placesTried is how often a short text is looked for within words before it
// counts as lost.
const placesTried = 100

// edge reports whether no word goes on in text, read from the end that decode reads.
func edge(text []byte, decode func([]byte) (rune, int)) bool {
	r, _ := decode(text)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// summaries are the texts that a condenser wrote, other than markers, with white
// space folded.
func summaries(c *transcript.Conversation) (texts []string) {
	for _, b := range c.Blocks() {
		if b.Origin == transcript.Generated && !isMarker(b.Text()) {
			texts = append(texts, folded(b.Text()))
		}
	}
	return texts
}

// todos counts the open items of the newest todo list, and those that the newest
// list after, or a summary, still says.
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
