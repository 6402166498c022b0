package ui

import (
	"strings"

	"condense/transcript/token"
)

// Way is one way of counting tokens, and how many files were counted so.
type Way struct {
	Tokenizer Tokenizer
	Files     int
}

// AddWay counts a file that was counted by t. The order is that in which ways come first.
func AddWay(ways []Way, t Tokenizer) []Way {
	for i := range ways {
		if ways[i].Tokenizer == t {
			ways[i].Files++
			return ways
		}
	}
	return append(ways, Way{t, 1})
}

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
