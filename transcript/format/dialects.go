package format

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// Dialects lists every dialect in the order of detection, most specific first.
var Dialects = []*Dialect{
	&claudeCode,
	&qwenCode,
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
	&atif,
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
	// Note is a remark for the user on a session that keeps its id; "" for none.
	Note string
}

// resumptions has the ways to continue sessions, by the name of the dialect.
var resumptions = map[string]Resumption{
	"claude-code": {Command: "claude --resume ID", Tried: "Claude Code 2.1.330"},
	"codex":       {Command: "codex resume ID", Tried: "Codex 0.169.0"},
	"gemini-cli":  {Command: "gemini --resume ID", Tried: "Gemini CLI 0.61.0"},
	"qwen-code":   {Command: "qwen --resume ID", Tried: "Qwen Code 0.24.4"},
	"pi":          {Command: "pi --session FILE", Tried: "pi 0.73.1"},
	"copilot-cli": {Command: "copilot --resume=ID", Tried: "Copilot CLI 1.0.102"},
	"opencode": {
		Command: "opencode import FILE && opencode --session ID", Tried: "OpenCode 1.18.33",
		Note: "an import skips the messages that OpenCode still has: delete the session first",
	},
	"cline": {Note: "open the task in the editor"},
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

// An ignoredKind is a kind of records that a client does not need to continue a session. The
// client was resumed with and without them, and sent the same request. A kind is in a table
// only after that trial, because a record that looks like a copy may hold settings: without
// its world_state records, Codex 0.169.0 sends other instructions.
type ignoredKind struct {
	name  string // for people
	tried string // client and version of the trial
	word  string // the value of a member in each such record, to find them fast
	is    func(record rawjson.Value) bool
	keep  kept
	// rewind is set for records that the client needs to undo changes of files. They are
	// removed only on demand.
	rewind bool
}

// kept selects the record of a kind that stays.
type kept uint8

const (
	keepNone kept = iota
	keepFirst
	keepLast // the client continues from its totals
)

// The kinds of Claude Code. Older versions wrote progress records, which 2.1.330 reads; it writes
// api-request records itself.
var claudeCodeIgnored = []ignoredKind{
	typedRecord("progress", "Claude Code 2.1.330"),
	typedRecord("api-request", "Claude Code 2.1.330"),
	typedRecord("api-request-blob", "Claude Code 2.1.330"),
	typedRecord("api-request-shape", "Claude Code 2.1.330"),
	{
		name: "file-history-snapshot", tried: "Claude Code 2.1.330", word: "file-history-snapshot",
		is: func(v rawjson.Value) bool { return v.Get("type").Is("file-history-snapshot") }, rewind: true,
	},
}

// The kinds of Codex: events that repeat items, and counts. Messages and reasoning in events
// stay, because the interface shows them when it resumes a session.
var codexIgnored = []ignoredKind{
	{
		name: "session_meta after the first", tried: "Codex 0.169.0", word: "session_meta", keep: keepFirst,
		is: func(v rawjson.Value) bool { return v.Get("type").Is("session_meta") },
	},
	{
		name: "token_usage_record", tried: "Codex 0.169.0", word: "token_usage_record", keep: keepLast,
		is: func(v rawjson.Value) bool { return v.Get("type").Is("token_usage_record") },
	},
	{
		name: "token_count", tried: "Codex 0.169.0", word: "token_count", keep: keepLast,
		is: func(v rawjson.Value) bool { return codexEventOf(v).Get("type").Is("token_count") },
	},
	{
		name: "mcp_tool_call_end", tried: "Codex 0.169.0", word: "mcp_tool_call_end",
		is: func(v rawjson.Value) bool { return codexEventOf(v).Get("type").Is("mcp_tool_call_end") },
	},
	{
		name: "patch_apply_end", tried: "Codex 0.169.0", word: "patch_apply_end",
		is: func(v rawjson.Value) bool { return codexEventOf(v).Get("type").Is("patch_apply_end") },
	},
	{
		name: "item_completed of commands", tried: "Codex 0.169.0", word: "CommandExecution",
		is: func(v rawjson.Value) bool {
			event := codexEventOf(v)
			return event.Get("type").Is("item_completed") && event.Get("item").Get("type").Is("CommandExecution")
		},
	},
}

// typedRecord returns the kind of the records with a type.
func typedRecord(kind, tried string) ignoredKind {
	return ignoredKind{name: kind, tried: tried, word: kind, is: func(v rawjson.Value) bool { return v.Get("type").Is(kind) }}
}

// codexEventOf returns the event in a record; absent when the record is no event.
func codexEventOf(v rawjson.Value) rawjson.Value {
	if !v.Get("type").Is("event_msg") {
		return rawjson.Value{}
	}
	return v.Get("payload")
}

// A Surplus is content of a file that the model does not need.
type Surplus struct {
	Name  string // "progress"
	Count int    // records, messages or images
	Bytes int    // in the file
}

// Bloat holds the content of a file that takes bytes and no place in the effective view, and
// its images.
type Bloat struct {
	// Ignored holds the kinds of records that the client of the dialect does not need to
	// continue the session, in the order of a table. The kinds were found by trials with the
	// real client.
	Ignored []Surplus
	// Snapshots are records that the client needs only to undo changes of files.
	Snapshots Surplus
	Hidden    Surplus // messages outside the effective view
	Images    Surplus // images of the effective view, as encoded in the file
}

// Removable returns the sum of Ignored.
func (b *Bloat) Removable() (sum Surplus) {
	for _, s := range b.Ignored {
		sum.Count += s.Count
		sum.Bytes += s.Bytes
	}
	return sum
}

// Bloat measures the content of the file that takes bytes and no place in the effective view.
func (f *File) Bloat() Bloat {
	b := Bloat{Snapshots: Surplus{Name: "snapshots"}, Hidden: Surplus{Name: "hidden messages"}, Images: Surplus{Name: "images"}}
	for i, l := range f.layouts {
		found := f.ignored(i)
		for k, kind := range f.Dialect.ignores {
			s := Surplus{Name: kind.name}
			for _, r := range found[k] {
				s.Count++
				s.Bytes += l.RecordSpan(r).Len()
			}
			if kind.rewind {
				b.Snapshots.Count += s.Count
				b.Snapshots.Bytes += s.Bytes
			} else if s.Count > 0 {
				b.Ignored = append(b.Ignored, s)
			}
		}
		addHidden(&b.Hidden, f.Convs[i], l)
		addImages(&b.Images, f.Convs[i])
	}
	return b
}

// addHidden adds the hidden messages of a conversation, with the bytes of the records that hold
// no visible message.
func addHidden(s *Surplus, c *transcript.Conversation, l *splice.Layout) {
	visible, counted := map[int]bool{}, map[int]bool{}
	each := func(hidden bool, visit func(slot int)) {
		for _, m := range c.Messages {
			if m.Hidden != hidden || !l.Has(m.ID) {
				continue
			}
			if hidden {
				s.Count++
			}
			for _, slot := range l.Records(m.ID) {
				visit(slot)
			}
		}
	}
	each(false, func(slot int) { visible[slot] = true })
	each(true, func(slot int) {
		if !visible[slot] && !counted[slot] {
			counted[slot] = true
			s.Bytes += l.Span(slot).Len()
		}
	})
}

// addImages adds the visible images of a conversation.
func addImages(s *Surplus, c *transcript.Conversation) {
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			for _, p := range b.Parts {
				if p.Media != nil && p.Media.Width > 0 {
					s.Count++
					s.Bytes += len(p.Media.Data)
				}
			}
		}
	}
}

// ignored returns the records of conversation i that the client ignores, by kind.
func (f *File) ignored(i int) [][]int {
	found := make([][]int, len(f.Dialect.ignores))
	l := f.layouts[i]
	if len(found) == 0 || !l.IsLines() {
		return found
	}
	words := make([][]byte, len(found))
	for k, kind := range f.Dialect.ignores {
		words[k] = []byte(`"` + kind.word + `"`)
	}
	var doc rawjson.Doc
	for r, span := range l.RecordSpans() {
		read := false
		for k, kind := range f.Dialect.ignores {
			if !bytes.Contains(f.src[span.Start:span.End], words[k]) {
				continue
			}
			if !read && doc.ScanAll(f.src, span.Start, span.End) != nil {
				break
			}
			if read = true; kind.is(doc.Root()) {
				found[k] = append(found[k], r)
				break
			}
		}
	}
	for k, kind := range f.Dialect.ignores {
		switch n := len(found[k]); {
		case n > 0 && kind.keep == keepFirst:
			found[k] = found[k][1:]
		case n > 0 && kind.keep == keepLast:
			found[k] = found[k][:n-1]
		}
	}
	return found
}

// errTrimmed is the error for a file that would not be recognised without records that its
// client ignores.
var errTrimmed = errors.New("without the records that the client ignores, the format would not be recognised")

// Trim removes the records that the client of the dialect ignores, and snapshots if that is set.
// It returns the file without them and what was removed, or f and nil if there are none. The
// conversations stay equal. After an error, the result must not be used.
func (f *File) Trim(snapshots bool) (*File, []Surplus, error) {
	var edits []rawjson.Edit
	var removed []Surplus
	for i, l := range f.layouts {
		gone := map[int]bool{}
		for k, records := range f.ignored(i) {
			kind := &f.Dialect.ignores[k]
			if kind.rewind && !snapshots || len(records) == 0 {
				continue
			}
			s := Surplus{Name: kind.name, Count: len(records)}
			for _, r := range records {
				gone[r] = true
				s.Bytes += l.RecordSpan(r).Len()
				edits = append(edits, rawjson.Edit{Span: l.RecordSpan(r)})
			}
			removed = append(removed, s)
		}
		if len(gone) > 0 && l.Chain != nil {
			edits = append(edits, splice.RelinkChain(&splice.Change{
				Layout: l, From: f.Convs[i], Gone: func(record int) bool { return gone[record] },
			})...)
		}
	}
	if len(removed) == 0 {
		return f, nil, nil
	}
	out, err := f.apply(edits)
	if err != nil {
		return nil, nil, err
	}
	again, err := f.Verify(f.Convs, out)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("records that the client ignores cannot be removed: %w", err)
	case f.Detected == f.Dialect && again.Detected != f.Dialect:
		return nil, nil, errTrimmed
	}
	return again, removed, nil
}
