package report

// Findings is what was wrong with some files.
type Findings struct {
	Version  int       `json:"version"`  // version of this report format
	Condense string    `json:"condense"` // version of the program
	Errors   int       `json:"errors"`   // findings that an API refuses, or by which a client loses history
	Warnings int       `json:"warnings"` // findings that may do no harm
	Files    []Checked `json:"files"`    // in the order they were named
}

// Checked is what was wrong with one file.
type Checked struct {
	Input    string    `json:"input"`           // as the user wrote it; "-" for standard input
	Format   string    `json:"format"`          // dialect of the file; "" when it could not be read
	API      string    `json:"api"`             // the API or client whose rules were asked
	Error    string    `json:"error,omitempty"` // why it could not be read, when it could not
	Findings []Finding `json:"findings"`        // in the order of the file
}

// Finding is one rule broken in one place.
type Finding struct {
	Severity     string `json:"severity"`           // error or warning
	Rule         string `json:"rule"`               // id of the rule: target/slug
	Line         int    `json:"line,omitempty"`     // of the file, from 1
	Offset       int    `json:"offset"`             // of the place, in bytes from the start of the file
	Conversation int    `json:"conversation"`       // number in the file, from 1
	Message      int    `json:"message,omitempty"`  // number in the conversation, from 1
	Text         string `json:"text"`               // what is wrong, for people
	Provider     string `json:"provider,omitempty"` // the error of the provider, as it spells it
	Fix          string `json:"fix"`                // what to do about it
}
