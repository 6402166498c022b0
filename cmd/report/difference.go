package report

// Difference is what is different in one file from another.
type Difference struct {
	Version       int       `json:"version"`       // version of this report format
	Condense      string    `json:"condense"`      // version of the program
	A             string    `json:"a"`             // the first file, as the user wrote it; "-" for standard input
	B             string    `json:"b"`             // the second file
	FormatA       string    `json:"format_a"`      // dialect of the first file
	FormatB       string    `json:"format_b"`      // dialect of the second file
	Tokenizer     Tokenizer `json:"tokenizer"`     // how tokens were counted
	Different     bool      `json:"different"`     // some message or block is different
	SameBytes     bool      `json:"same_bytes"`    // the files are the same to the byte
	Bytes         Change    `json:"bytes"`         // size of the files
	Tokens        Change    `json:"tokens"`        // of all conversations
	Messages      Change    `json:"messages"`      // of all conversations
	Conversations []Differs `json:"conversations"` // in the order of the first file, then those of the second alone
}

// Differs is what is different in one conversation.
type Differs struct {
	ID       string   `json:"id"`             // as the file names it; may be ""
	Only     string   `json:"only,omitempty"` // a or b, when the other file does not have it
	Tokens   Change   `json:"tokens"`         // of its effective view
	Messages Change   `json:"messages"`       // of its effective view
	Changes  []Differ `json:"changes"`        // in the order of the first file
}

// Differ is one message or block that is different.
type Differ struct {
	Message int         `json:"message"`         // number in the first conversation, from 1; of an insertion, that of the message behind it
	Other   int         `json:"other"`           // number in the second conversation, from 1; of what went, that of the message behind it
	Block   int         `json:"block"`           // number in the message, from 1; 0 for the whole message
	Op      string      `json:"op"`              // drop, insert, shorten, rewrite, hide, show
	What    string      `json:"what"`            // kind and tool: "tool result Read"
	Tokens  Change      `json:"tokens"`          // of the block
	Lines   *LineCounts `json:"lines,omitempty"` // of a text that is there in both
	Note    string      `json:"note"`            // what differs when it is not the text; may be ""
	Before  string      `json:"before"`          // its text in the first file
	After   string      `json:"after"`           // its text in the second file
}

// LineCounts compares the lines of two texts, in any order.
type LineCounts struct {
	Kept    int `json:"kept"`    // that are in both
	Omitted int `json:"omitted"` // that are in the first alone
	Added   int `json:"added"`   // that are in the second alone
}

// DifferenceVersion is the version of what [DifferenceJSON] writes. It rises when a member
// changes its meaning or goes away.
const DifferenceVersion = 1
