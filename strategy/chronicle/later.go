package chronicle

import (
	"path"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// Later is the status of a call that read a file which a later call changed.
const Later = "changed later"

// ChangedLater returns the calls that read a file which a later call changed, with that file, and the calls
// that changed files: by an edit, a patch, a write or a redirection. Calls that failed read and change nothing.
func ChangedLater(c *transcript.Conversation) (read map[*transcript.Block]string, changed map[transcript.Ref][]string) {
	read, changed = map[*transcript.Block]string{}, map[transcript.Ref][]string{}
	files := map[string]bool{} // that a later call changed
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		for j := len(m.Blocks) - 1; j >= 0 && !m.Hidden; j-- {
			call := m.Blocks[j]
			if call.Kind != transcript.ToolCall {
				continue
			}
			ref := transcript.Ref{Msg: m.ID, Block: call.ID, Part: transcript.Whole}
			if answer, ok := c.Partner(ref); !ok || fails(c.Block(answer)) {
				continue
			}
			for _, name := range changedBy(call) {
				files[placeOf(c, name)] = true
				changed[ref] = append(changed[ref], placeOf(c, name))
			}
			if name := readBy(call); name != "" && changed[ref] == nil && files[placeOf(c, name)] {
				read[call] = placeOf(c, name)
			}
		}
	}
	return read, changed
}

// placeOf returns the path of a file that a call names, from the root if the folder of the conversation is known.
func placeOf(c *transcript.Conversation, name string) string {
	if path.IsAbs(name) || c.Folder == "" {
		return path.Clean(name)
	}
	return path.Join(c.Folder, name)
}

// fails reports whether a result says that its call failed.
func fails(result *transcript.Block) bool {
	_, failed := output(result.Body())
	return failed || result.Error
}

// changedBy returns the files that a call changes.
func changedBy(call *transcript.Block) []string {
	if subject.Changes(call) {
		return subject.Paths(call)
	}
	if name := redirectsTo(subject.Command(call)); name != "" {
		return []string{strings.Trim(name, `'"`)}
	}
	return nil
}

// readBy returns the file that a call reads, or "".
func readBy(call *transcript.Block) string {
	if fact.ToolOf(call.Tool) == fact.ReadTool || call.Arg("command") == "view" {
		return subject.Path(call)
	}
	name, _ := shellRead(call)
	return name
}

// lastChanges returns for each file the last step that changed it, of those that the output names. Calls
// that stay beside a story are behind its steps.
func (c *choice) lastChanges() map[string]int {
	last := map[string]int{}
	for call, files := range c.changed {
		at, ok := c.stepOf.of(call)
		if ok && !c.steps[at].real && !c.steps[at].label {
			continue
		}
		if !ok {
			at = len(c.steps)
		}
		for _, file := range files {
			last[file] = max(last[file], at)
		}
	}
	return last
}

// described returns the entry of a step. Its outcome has the status [Later] if it read a file that changed
// later, and the output names none of the changes.
func (w *writer) described(step int) *entry {
	s := &w.steps[step]
	if len(s.calls) == 0 {
		return &s.entry
	}
	file := w.reads[w.Conv.Block(s.calls[0])]
	if last, named := w.last[file]; file == "" || named && last > step {
		return &s.entry
	}
	e := s.entry
	if size, ok := strings.CutSuffix(e.outcome, ")"); ok && strings.HasPrefix(e.outcome, " (") {
		e.outcome = size + ", " + Later + ")"
	} else {
		e.outcome += " (" + Later + ")"
	}
	return &e
}
