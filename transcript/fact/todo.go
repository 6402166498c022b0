package fact

import (
	"slices"
	"strings"

	"condense/transcript"
)

// IsTodoList reports whether a block is a call that sets a todo list or a plan.
func IsTodoList(b *transcript.Block) bool {
	return b.Kind == transcript.ToolCall && ToolOf(b.Tool) == TodoTool
}

// OpenTodos returns the open items of the newest todo list or plan of the effective
// view, in order; nil without a list. A call that its tool refused is not considered.
func OpenTodos(c *transcript.Conversation) []string {
	var newest *transcript.Block
	for ref, b := range c.Blocks() {
		if !IsTodoList(b) {
			continue
		}
		if answer, ok := c.Partner(ref); !ok || !c.Block(answer).Error {
			newest = b
		}
	}
	if newest == nil {
		return nil
	}
	return openItems(newest)
}

// openItems returns the open items of a call. They are leaves todos[0].content beside
// todos[0].status, or lines "[ ] item" of one text.
func openItems(b *transcript.Block) []string {
	done := map[string]bool{}
	for i := range b.Parts {
		p := &b.Parts[i]
		if item, leaf := splitLeaf(p.Name); leaf == "status" {
			done[item] = slices.Contains([]string{"completed", "done", "cancelled", "canceled"}, strings.ToLower(p.Text))
		}
	}
	var open []string
	for i := range b.Parts {
		p := &b.Parts[i]
		switch item, leaf := splitLeaf(p.Name); leaf {
		case "content", "step", "description":
			if item != "" && !done[item] && p.Text != "" {
				open = append(open, p.Text)
			}
		case "todos", "plan", "items":
			open = append(open, openLines(p.Text)...)
		}
	}
	return open
}

// splitLeaf splits "todos[0].content" into the item and its leaf.
func splitLeaf(name string) (item, leaf string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}

// openLines returns the items of a checklist that are not ticked.
func openLines(text string) (open []string) {
	for line := range strings.Lines(text) {
		if item, done, ok := Box(line); ok && !done && item != "" {
			open = append(open, item)
		}
	}
	return open
}

// Box returns the text of an item of a checklist in Markdown, and whether its box is ticked: "- [x] Haul in." is
// "Haul in.", true. It reports whether the line is such an item.
func Box(line string) (item string, ticked, ok bool) {
	line = strings.TrimLeft(line, " \t\r\n*-+")
	if len(line) < 3 || line[0] != '[' || line[2] != ']' {
		return "", false, false
	}
	item = strings.TrimSpace(line[3:])
	switch line[1] {
	case ' ', '-', '~':
		return item, false, true
	case 'x', 'X':
		return item, true, true
	}
	return "", false, false
}
