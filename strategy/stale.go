package strategy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// stale finds the results of reads of a file that a later call overtook: it reads
// the same again, or changes the file. numbers are the tokens of the blocks.
func stale(c *transcript.Conversation, numbers []int) []Pile {
	type shown struct{ path, what string }
	overtaken := map[shown]bool{} // by what comes later; what is "" for a change
	var refs []transcript.Ref
	var blocks []*transcript.Block
	for ref, b := range c.Blocks() {
		refs, blocks = append(refs, ref), append(blocks, b)
	}
	piles := heaps{}
	for i, b := range slices.Backward(blocks) {
		if b.Kind != transcript.ToolResult || b.Error {
			continue
		}
		call := partner(c, refs[i])
		if call == nil {
			continue
		}
		paths := pathsOf(call)
		if changes(call) {
			for _, path := range paths {
				overtaken[shown{path, ""}] = true
			}
			continue
		}
		if len(paths) == 0 {
			continue
		}
		this := shown{paths[0], strconv.Quote(call.Tool) + call.Text()}
		if overtaken[this] || overtaken[shown{paths[0], ""}] {
			piles.add(paths[0], numbers[i])
		}
		overtaken[this] = true
	}
	return piles.sorted()
}

// changes reports whether a call changes the files that it names: it says what is to
// be in them.
func changes(call *transcript.Block) bool {
	if proseArg(call, contentArgs...) != "" {
		return true
	}
	for _, p := range call.Parts {
		if contentName.MatchString(p.Name) || patched.MatchString(p.Text) {
			return true
		}
	}
	return false
}

// contentArgs are the names of arguments that say what is to be in a file.
var contentArgs = []string{
	"content", "contents", "new_string", "new_str", "newString", "newText", "file_text", "insert_text", "new_source",
	"code_edit", "diff", "patch", "replace",
}

// contentName matches the name of such an argument, at any depth.
var contentName = regexp.MustCompile(`(?:^|\.)(?:` + strings.Join(contentArgs, "|") + `)$`)
