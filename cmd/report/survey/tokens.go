package survey

import "condense/cmd/report"

// Tokens is what was counted in some texts. The names of its members in JSON are
// part of the interface.
type Tokens struct {
	Tokenizer *report.Tokenizer `json:"tokenizer"` // how tokens were counted; null when each text says it for itself
	Files     []TextSize        `json:"files"`     // in the order of the arguments
	Total     *int              `json:"total"`     // tokens of all; null when they were not counted in one way

	ShowIDs bool `json:"-"` // the tokens themselves were asked for
}

// TextSize is the size of one text.
type TextSize struct {
	Input  string `json:"input"` // as the user wrote it; "-" for standard input
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"`
	IDs    []int  `json:"ids,omitempty"` // the tokens themselves, when asked for

	Tokenizer *report.Tokenizer `json:"tokenizer,omitempty"` // how it was counted, when not all texts were counted in one way
}

// Way is one way of counting tokens, and how many files were counted so.
type Way struct {
	Tokenizer report.Tokenizer
	Files     int
}

// AddWay counts a file that was counted by t. The order is that in which ways come first.
func AddWay(ways []Way, t report.Tokenizer) []Way {
	for i := range ways {
		if ways[i].Tokenizer == t {
			ways[i].Files++
			return ways
		}
	}
	return append(ways, Way{t, 1})
}

// Ways are the ways in which the files were counted.
func (s *Stats) Ways() (ways []Way) {
	for _, f := range s.Files {
		if f.Tokenizer != nil {
			ways = AddWay(ways, *f.Tokenizer)
		}
	}
	if ways == nil {
		ways = []Way{{s.Tokenizer, len(s.Files)}}
	}
	return ways
}
