package chronicle

import (
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
)

// This file finds the checklists that calls of other tools carry: Cline asks its model for one in the argument
// task_progress of each call (src/core/prompts of github.com/cline/cline).

// valueOpen is the value of an open item of the newest checklist.
const valueOpen = 0.5

// leastItems is the number of items from which on a list is a checklist.
const leastItems = 2

// markChecklists sets the value of the open items of the newest checklist, and removes older ones: their
// items may be done by now.
func (d *draft) markChecklists() {
	var newest *transcript.Block
	for _, b := range d.Conv.Blocks() {
		if b.Kind == transcript.ToolCall && fact.ToolOf(b.Tool) != fact.TodoTool && holdsChecklist(b) {
			newest = b
		}
	}
	if newest == nil {
		return
	}
	for k := range d.texts {
		t := &d.texts[k]
		if t.form != hunks || t.file || t.sign != "" || !isChecklist(t.cut.Source) {
			continue
		}
		t.seldoms().old = t.block != newest
		t.seldom.named = make([]float32, len(t.cut.Pieces))
		for i := range t.seldom.named {
			if _, ticked, ok := fact.Box(t.source(i, i+1)); ok && !ticked {
				t.seldom.named[i] = valueOpen
			}
		}
	}
}

// holdsChecklist reports whether an argument of a call is a checklist.
func holdsChecklist(call *transcript.Block) bool {
	for i := range call.Parts {
		if isChecklist(call.Parts[i].Text) {
			return true
		}
	}
	return false
}

// isChecklist reports whether at least half of the lines of a text are items with a box, and at least leastItems.
func isChecklist(text string) bool {
	if !strings.Contains(text, "[ ]") && !strings.Contains(text, "[x]") && !strings.Contains(text, "[X]") {
		return false
	}
	items, lines := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if _, _, ok := fact.Box(line); ok {
			items++
		}
	}
	return items >= leastItems && 2*items >= lines
}
