package format

import (
	"strings"

	"condense/transcript/internal/rawjson"
)

// A Resumption is how the client of a dialect continues a session.
type Resumption struct {
	// Command continues the session, in the form of a command line. The word ID stands for the id
	// of the session and FILE for the path of its file. It is "" for clients that are no commands.
	Command string
	// Tried names the client and the version with which the command was tried on condensed
	// sessions; "" if it is taken from the documents of the client.
	Tried string
	// Note is a remark for the user; "" for none.
	Note string
}

// resumptions has the ways to continue sessions, by the name of the dialect.
var resumptions = map[string]Resumption{
	"claude-code": {Command: "claude --resume ID", Tried: "Claude Code 2.1.330"},
	"codex": {
		Command: "codex resume ID", Tried: "Codex 0.169.0",
		Note: "Codex keeps its own list of turns, which may show fewer of them",
	},
	"gemini-cli":  {Command: "gemini --resume ID", Tried: "Gemini CLI 0.61.0"},
	"pi":          {Command: "pi --session FILE", Tried: "pi 0.73.1"},
	"copilot-cli": {Command: "copilot --resume=ID", Tried: "Copilot CLI 1.0.102"},
	"opencode":    {Command: "opencode import FILE && opencode --session ID", Tried: "OpenCode 1.18.33"},
	"cline":       {Note: "open the task in the editor"},
}

// Resumption returns how the client of the dialect continues a session. The zero value stands for a
// dialect without sessions.
func (d *Dialect) Resumption() Resumption { return resumptions[d.Name] }

// folderRecords is the number of records in which Folder looks for a directory.
const folderRecords = 64

// Folder returns the directory in which the session was begun, as the file names it; "" if it does
// not.
func (f *File) Folder() (folder string) {
	var doc rawjson.Doc
	for _, l := range f.layouts {
		for i, span := range l.RecordSpans() {
			if i == folderRecords || folder != "" {
				return folder
			}
			if isBlank(f.src, span) || doc.ScanAll(f.src, span.Start, span.End) != nil {
				continue
			}
			v := doc.Root()
			for _, in := range []rawjson.Value{v, v.Get("payload"), v.Get("data").Get("context")} {
				if at := in.Get("cwd"); folder == "" && strings.HasPrefix(at.Str(), "/") {
					folder = at.Str()
				}
			}
		}
	}
	return folder
}
