package session

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"condense/transcript/format"
)

// A naming is how a client names the files of its sessions: BEGIN TIME JOIN ID. TIME and JOIN are
// missing in the names of some.
type naming struct {
	begin, time, join string
	letters           int  // of the id; 0 for all
	folder            bool // the file is in a folder with this name, under a name of its own
	extension         string
}

// namings has the rules of the clients that find a session by the name of its file, by dialect.
var namings = map[string]naming{
	"claude-code": {extension: ".jsonl"},
	"codex":       {begin: "rollout-", time: "2006-01-02T15-04-05", join: "-", extension: ".jsonl"},
	"gemini-cli":  {begin: "session-", time: "2006-01-02T15-04", join: "-", letters: 8, extension: ".jsonl"},
	"pi":          {time: "2006-01-02T15-04-05.000Z", join: "_", extension: ".jsonl"},
	"copilot-cli": {folder: true},
	"qwen-code":   {extension: ".jsonl"},
	"opencode":    {extension: ".json"},
}

// copilotEvents is the name of the file in the folder of a session of Copilot CLI.
const copilotEvents = "events.jsonl"

// extension matches the end of the name of a session's file.
var extension = regexp.MustCompile(`\.jsonl?(\.gz|\.zst)?$`)

// NewFile returns the path for a copy of a session with another id, as its client names its files:
// in the folder dir or, if that is "", beside the file at from. The part of the name with the time
// stays. f is the decoded file at from.
func NewFile(f *format.File, from, dir, id string) string {
	rule := namings[f.Dialect.Name]
	old := ""
	if len(f.Convs) > 0 {
		old = f.Convs[0].ID
	}
	base, beside := filepath.Base(from), filepath.Dir(from)
	if rule.folder {
		if filepath.Base(beside) == old && base == copilotEvents {
			beside = filepath.Dir(beside)
		}
		return filepath.Join(cmp.Or(dir, beside), id, copilotEvents)
	}
	ext := cmp.Or(extension.FindString(base), rule.extension)
	return filepath.Join(cmp.Or(dir, beside), rule.name(strings.TrimSuffix(base, ext), old, id, f.Started())+ext)
}

// name returns the name of a file without its extension. was is that of the original.
func (n *naming) name(was, old, id string, started time.Time) string {
	short := func(id string) string {
		if n.letters > 0 && n.letters < len(id) {
			id = id[:n.letters]
		}
		return n.join + id
	}
	if n.time == "" {
		return short(id)
	}
	if before, ok := strings.CutSuffix(was, short(old)); ok && old != "" && strings.HasPrefix(before, n.begin) {
		return before + short(id)
	}
	return n.begin + strings.ReplaceAll(started.UTC().Format(n.time), ".", "-") + short(id)
}

// Index returns the path of a database in which a client keeps an index of a session beside its file,
// such as the positions of its turns. It returns "" if the file is in no known place of the client, or
// if there is no such database.
func Index(dialect, file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	for i := range places {
		p := &places[i]
		if p.dialect != dialect {
			continue
		}
		root := abs
		for range strings.Count(p.files, "/") + 1 {
			root = filepath.Dir(root)
		}
		tail, _ := filepath.Rel(root, abs) // root is above it
		if fits, _ := path.Match(p.files, filepath.ToSlash(tail)); !fits {
			continue
		}
		for _, pattern := range p.indexes {
			if found, err := filepath.Glob(filepath.Join(escape(filepath.Dir(root)), pattern)); err == nil && len(found) > 0 {
				return found[0]
			}
		}
	}
	return ""
}

// escape returns a pattern that matches only the path.
func escape(path string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path)
}
