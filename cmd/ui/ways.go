package ui

import (
	"strings"

	"condense/transcript/token"
)

// Unlike says that the files of a sum were counted in several ways, and which the first are;
// "" when it is one way.
func Unlike(ways []Way) string {
	if len(ways) < 2 {
		return ""
	}
	var list []string
	for i := range ways[:min(listed, len(ways))] {
		t, files := &ways[i].Tokenizer, plural(ways[i].Files, "file")
		if t.Method != token.Exact {
			files += ", " + EscapeLine(t.Method)
		}
		list = append(list, tokenizerName(t)+" ("+files+")")
	}
	if more := len(ways) - listed; more > 0 {
		list = append(list, number(more)+" more")
	}
	return "tokens are counted in " + number(len(ways)) + " ways: " + strings.Join(list, ", ") + "; sums add them up as they are"
}

// waysName names the one way, or says that there are several.
func waysName(ways []Way) string {
	if len(ways) == 1 {
		return tokenizerName(&ways[0].Tokenizer)
	}
	return "counted in " + number(len(ways)) + " ways"
}
