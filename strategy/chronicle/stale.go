package chronicle

import (
	"strings"

	"condense/transcript"
)

// deadLines are the lines of a file that it no longer has.
type deadLines func(line string) bool

// telling is the length of a line that says enough to be compared.
const telling = 12

// file is what is known of a file while the conversation is read backwards.
type file struct {
	now   map[string]bool // its lines, when all are known
	gone  map[string]int  // lines removed by later edits, and not put back: the number of the step
	back  map[string]int  // lines put there by later edits
	steps int
}

// deadOf finds, for the parts of calls and results that show lines of files, which of
// these lines the file does not have at the end.
func deadOf(c *transcript.Conversation) map[*transcript.Part]deadLines {
	dead, files := map[*transcript.Part]deadLines{}, map[string]*file{}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		if m.Hidden {
			continue
		}
		for j := len(m.Blocks) - 1; j >= 0; j-- {
			b := m.Blocks[j]
			if b.Kind != transcript.ToolCall {
				continue
			}
			partner, ok := c.Partner(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
			if !ok {
				continue
			}
			answer := c.Block(partner)
			if _, failed := output(answer.Body()); failed || answer.Error {
				continue
			}
			path := argument(b, "file_path", "filePath", "path", "filename", "target_file", "notebook_path", "file")
			if path == "" || strings.Contains(path, "\n") {
				continue
			}
			f := files[path]
			if f == nil {
				f = &file{gone: map[string]int{}, back: map[string]int{}}
				files[path] = f
			}
			f.step(b, answer, dead)
		}
	}
	return dead
}

// step takes one call on the file into account.
func (f *file) step(b, answer *transcript.Block, dead map[*transcript.Part]deadLines) {
	f.steps++
	wrote := false
	for i := range b.Parts {
		p := &b.Parts[i]
		leaf, ok := side(b, i)
		if !ok || patches[leaf] || p.Name == "" {
			continue
		}
		wrote = true
		dead[p] = f.judge()
		old := ""
		if name := oldSides[leaf]; name != "" {
			old = b.Arg(strings.TrimSuffix(p.Name, leaf) + name)
		}
		if old == "" && oldSides[leaf] == "" {
			f.now, f.gone, f.back = linesOf(p.Text), map[string]int{}, map[string]int{}
			continue
		}
		added := linesOf(p.Text)
		for line := range linesOf(old) {
			if !added[line] && f.back[line] == 0 && f.gone[line] == 0 {
				f.gone[line] = f.steps
			}
		}
		for line := range added {
			if f.back[line] == 0 {
				f.back[line] = f.steps
			}
		}
	}
	if wrote {
		return
	}
	for i := range answer.Parts {
		p := &answer.Parts[i]
		if p.Media != nil || p.Text == "" {
			continue
		}
		dead[p] = f.judge()
		if f.now == nil && readsAll(b) && !strings.Contains(p.Text, "truncated") {
			f.now = linesOf(p.Text)
		}
	}
}

// readsAll reports whether a call reads all of a file.
func readsAll(b *transcript.Block) bool {
	name := strings.ToLower(b.Tool)
	if !strings.Contains(name, "read") && !strings.Contains(name, "view") && !strings.Contains(name, "cat") && !strings.Contains(name, "open") {
		return false
	}
	for _, p := range b.Parts {
		switch p.Name[strings.LastIndexByte(p.Name, '.')+1:] {
		case "offset", "limit", "start_line", "end_line", "startLine", "endLine", "lines", "start", "line_range", "pattern", "query", "regex":
			if p.Text != "" {
				return false
			}
		}
		if strings.HasPrefix(p.Name, "view_range") {
			return false
		}
	}
	return true
}

// judge returns what says of a line whether the file has lost it since.
func (f *file) judge() deadLines {
	now, gone, back, limit := f.now, f.gone, f.back, f.steps
	if len(gone) == 0 && now == nil {
		return nil
	}
	later := func(n int) bool { return 0 < n && n < limit }
	return func(line string) bool {
		line = strings.TrimSpace(withoutNumber(line))
		switch {
		case len(line) < telling:
			return false
		case later(gone[line]):
			return true
		case later(back[line]):
			return false
		}
		return now != nil && !now[line]
	}
}

// linesOf are the lines of a text that say enough, without line numbers.
func linesOf(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(withoutNumber(line)); len(line) >= telling {
			set[line] = true
		}
	}
	return set
}

// withoutNumber takes off the number that a tool put in front of a line.
func withoutNumber(line string) string {
	rest := strings.TrimLeft(line, " ")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || digits > 7 {
		return line
	}
	for _, sep := range [...]string{"→", "\t", ":", " | "} {
		if after, ok := strings.CutPrefix(rest[digits:], sep); ok {
			return after
		}
	}
	return line
}
