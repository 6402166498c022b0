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
