package report

// Mending is what a repair did to one file.
type Mending struct {
	Version  int       `json:"version"`          // version of this report format
	Condense string    `json:"condense"`         // version of the program
	Input    string    `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string    `json:"output"`           // where the result was written; "-" for standard output, "" when nothing was written
	Backup   string    `json:"backup,omitempty"` // where the original is kept, when it was replaced
	Format   string    `json:"format"`           // dialect of the file
	API      string    `json:"api"`              // the API or client whose rules were asked
	DryRun   bool      `json:"dry_run"`          // nothing was to be written
	Changed  bool      `json:"changed"`          // the output differs from the input
	Bytes    Change    `json:"bytes"`            // size of the file
	Mended   []Mend    `json:"mended"`           // in the order it was done
	Left     []Finding `json:"left"`             // what is wrong with the output still
}

// Mend is one thing put right.
type Mend struct {
	Rule         string `json:"rule"`              // id of the rule that was broken
	Line         int    `json:"line,omitempty"`    // of the input, from 1
	Conversation int    `json:"conversation"`      // number in the file, from 1
	Message      int    `json:"message,omitempty"` // number in the conversation, from 1
	Text         string `json:"text"`              // what was wrong, for people
	Done         string `json:"done"`              // what was dropped, added or changed
}
