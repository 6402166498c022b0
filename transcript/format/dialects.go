package format

import (
	"fmt"
	"strings"

	"condense/transcript/internal/rawjson"
)

// Dialects lists every dialect in the order of detection, most specific first.
var Dialects = []*Dialect{
	&claudeCode,
	&codex,
	&chatGPT,
	&claudeAI,
	&continueDev,
	&openWebUI,
	&libreChat,
	&chatbotUI,
	&grok,
	&langChain,
	&vscodeCopilot,
	&aiSDK,
	&copilotCLI,
	&managedAgents,
	&pi,
	&cursor,
	&openCode,
	&geminiCLI,
	&geminiStream,
	&adk,
	&aiStudio,
	&gemini,
	&cline,
	&responses,
	&openaiFT,
	&sweAgent,
	&miniSWE,
	&openHands,
	&inspect,
	&shareGPT,
	&anthropic,
	&openai,
}

// dialect returns the named dialect, or the first one that recognises the source.
func (p *probe) dialect(name string) (*Dialect, error) {
	if name != "" {
		for _, d := range Dialects {
			if name == d.Name {
				return d, nil
			}
		}
		return nil, &UnknownDialect{Name: name, Known: dialectNames()}
	}
	if d := p.detected(); d != nil {
		return d, nil
	}
	if err := p.refused(); err != nil {
		return nil, err
	}
	return nil, &Error{
		Offset: -1,
		Reason: "not a transcript in a known format: it is " + p.syntax() + ", but " + p.looks(),
		Known:  dialectNames(),
	}
}

// detected returns the first dialect that recognises the source, or nil.
func (p *probe) detected() *Dialect {
	if p.lines != nil && !p.sound {
		return nil
	}
	find := func() *Dialect {
		for _, d := range Dialects {
			if d.sniff(p) {
				return d
			}
		}
		return nil
	}
	d := find()
	if (d == nil || d == &openai) && p.more {
		p.most = mostRecords
		p.look()
		d = find()
	}
	return d
}

// dialectNames returns the names of all dialects, in the order of detection.
func dialectNames() []string {
	names := make([]string, len(Dialects))
	for i, d := range Dialects {
		names[i] = d.Name
	}
	return names
}

// UnknownDialect is the error for a dialect name that does not exist.
type UnknownDialect struct {
	Name  string
	Known []string
}

func (e *UnknownDialect) Error() string { return fmt.Sprintf("unknown format %q", e.Name) }

// Unknown returns the name and all names that exist, so that a caller can suggest one.
func (e *UnknownDialect) Unknown() (name string, known []string) { return e.Name, e.Known }

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
