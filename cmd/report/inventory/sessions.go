package inventory

import "condense/cmd/report"

// SessionsVersion is the version of the JSON of [Sessions]. It rises when a member is renamed,
// removed or gets another meaning.
const SessionsVersion = 1

// Sessions lists the saved sessions of the tools on this machine, newest first.
type Sessions struct {
	Version  int              `json:"version"`  // version of this report format
	Condense string           `json:"condense"` // version of the program
	List     []Session        `json:"sessions"` // the newest that fit the filters
	More     int              `json:"more"`     // sessions that --limit left out
	Skipped  []report.Skipped `json:"skipped"`  // folders and files in the places of sessions that were not read
}

// A Session is a file in which a tool saved a conversation.
type Session struct {
	ID       string  `json:"id"`                // of the session, as its tool names it
	Short    string  `json:"short"`             // least beginning of the id, of at least 8 characters, that no other session has
	Tool     string  `json:"tool"`              // the program that saved it
	Path     string  `json:"path"`              // of the file
	Project  string  `json:"project"`           // folder in which the tool ran; "" when the file does not record it
	Modified string  `json:"modified"`          // time of the last change of the file, RFC 3339 in UTC
	Age      int     `json:"age"`               // seconds since then
	Bytes    int     `json:"bytes"`             // size of the file
	Model    string  `json:"model"`             // of the last answer; "" when it is not known
	Tokens   int     `json:"tokens"`            // in the effective view; 0 when they are not known
	Counted  bool    `json:"counted"`           // reports whether the tokens were counted; false for the provider's count for the last answer, which excludes later messages
	Window   int     `json:"window"`            // context window of the model; 0 when it is not known
	Share    float64 `json:"share"`             // of the window that the tokens fill; 0 when one of them is not known
	First    string  `json:"first_request"`     // beginning of the first text that the user typed; "" when the beginning of the file has none
	Problem  string  `json:"problem,omitempty"` // reason why the file could not be read; absent when it could
}
