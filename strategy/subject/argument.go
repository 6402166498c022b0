package subject

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
)

// These tables hold the names of arguments of all known clients. A list is in the order in
// which its names are tried.
var (
	pathArgs = []string{
		"file_path", "filePath", "path", "filename", "target_file", "notebook_path", "file", "absolutePath", "absolute_path", "AbsolutePath",
		"TargetFile", "relativePath", "relative_path", "relative_workspace_path",
	}
	commandArgs = []string{"command", "cmd", "keystrokes", "script", "code"}
	patternArgs = []string{"pattern", "query", "regex"}
	// aboutArgs describe a call without a path, command or pattern, the most specific first.
	aboutArgs = []string{"url", "uri", "question", "subject", "description", "prompt", "skill", "name", "title", "id", "message"}
	// newArgs hold the text that a call writes to a file. A value is the argument with the
	// text that it replaces.
	newArgs = map[string]string{
		"new_string": "old_string", "new_str": "old_str", "newText": "oldText", "new_text": "old_text", "newString": "oldString",
		"replace": "search", "content": "", "contents": "", "file_text": "", "fileText": "", "new_source": "", "insert_text": "",
		"replacement": "", "insert": "", "code_edit": "",
	}
	// patchArgs hold a patch, or other text.
	patchArgs = []string{"patch", "input", "diff", "patchText"}
)

// InProse reports whether a block is a call that is written in the text of its message.
// It is an XML element with the name of the tool, <bash> or <function=bash>, and its arguments are the elements in it,
// <command> or <parameter=command>.
func InProse(b *transcript.Block) bool {
	if b.Kind != transcript.ToolCall || len(b.Parts) != 1 || b.Parts[0].Name != "" {
		return false
	}
	text := b.Parts[0].Text
	return strings.HasPrefix(text, "<"+b.Tool+">") || strings.HasPrefix(text, "<function="+b.Tool+">")
}

// element returns the content of an argument of a call in prose without white space around it, or "".
func element(call, name string) string {
	for _, tags := range [...][2]string{{"<" + name + ">", "</" + name + ">"}, {"<parameter=" + name + ">", "</parameter>"}} {
		_, rest, _ := strings.Cut(call, tags[0])
		if value, _, ok := strings.Cut(rest, tags[1]); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Arg returns the first of the named arguments of a call that has text, or "".
func Arg(call *transcript.Block, names ...string) string {
	prose := InProse(call)
	for _, name := range names {
		text := call.Arg(name)
		if prose {
			text = cmp.Or(element(call.Parts[0].Text, name), text)
		}
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// Path returns the file of a call, or "".
func Path(call *transcript.Block) string { return Arg(call, pathArgs...) }

// Pattern returns the text that a call searches for, or "".
func Pattern(call *transcript.Block) string { return Arg(call, patternArgs...) }

// About returns the argument that describes a call without a path and a command, or "".
func About(call *transcript.Block) string { return cmp.Or(Pattern(call), Arg(call, aboutArgs...)) }

// Command returns the shell command of a call, or "". The command in a list such as
// ["bash", "-lc", "make"] is the last element.
func Command(call *transcript.Block) string {
	text := Arg(call, commandArgs...)
	if text != "" {
		return text
	}
	for _, p := range call.Parts {
		if name, _, ok := strings.Cut(p.Name, "["); ok && slices.Contains(commandArgs, name) {
			text = p.Text
		}
	}
	return text
}

// IsPath reports whether the argument of that name is a path: "file_path", "files[0].path",
// "paths[2]".
func IsPath(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if slices.Contains(pathArgs, last) {
		return true
	}
	list, index, ok := strings.Cut(last, "[")
	index, ended := strings.CutSuffix(index, "]")
	return ok && ended && (list == "paths" || list == "files") && index != "" && strings.Trim(index, "0123456789") == ""
}

// Paths returns the paths that a call names: arguments with the name of a path, at
// any depth, and the files of a patch.
func Paths(call *transcript.Block) (paths []string) {
	if path := Path(call); path != "" && InProse(call) {
		paths = append(paths, path)
	}
	for _, p := range call.Parts {
		if IsPath(p.Name) {
			paths = append(paths, p.Text)
		}
		for _, m := range patched.FindAllStringSubmatch(p.Text, -1) {
			paths = append(paths, m[1])
		}
	}
	return paths
}

// patched matches the heading of a file in a patch of apply_patch.
var patched = regexp.MustCompile(`(?m)^\*\*\* (?:Add|Update|Delete) File: (.+?)\r?$`)

// PatchedFile returns the file that the first heading in a patch names, or "".
func PatchedFile(patch string) string {
	if m := patched.FindStringSubmatch(patch); m != nil {
		return m[1]
	}
	return ""
}

// A Side is the role of an argument of a call in the edit of a file.
type Side uint8

// The sides of an edit.
const (
	NoSide  Side = iota
	OldSide      // text that the call replaces
	NewSide      // text that takes the place of such text, or of lines
	Content      // text that is written to the file
	Patch
)

// SideOf returns the side of part i of a call. The content of a call without a path has
// none: it is not a file, but perhaps a list of tasks.
func SideOf(call *transcript.Block, i int) Side {
	p := &call.Parts[i]
	leaf := leafOf(p.Name)
	old, written := newArgs[leaf]
	switch {
	case written && !slices.ContainsFunc(call.Parts, func(p transcript.Part) bool { return IsPath(p.Name) }):
		return NoSide
	case written && old != "":
		return NewSide
	case written:
		return Content
	case p.Name == "" || slices.Contains(patchArgs, leaf):
		if strings.Contains(p.Text, "*** Begin Patch") || strings.Contains(p.Text, "\n@@ ") || strings.Contains(p.Text, "SEARCH\n") {
			return Patch
		}
	case strings.HasPrefix(leaf, "old") || leaf == "search":
		return OldSide
	}
	return NoSide
}

// Replaced returns the text that a part with the side NewSide replaces, or "".
func Replaced(call *transcript.Block, i int) string {
	name := call.Parts[i].Name
	leaf := leafOf(name)
	return call.Arg(strings.TrimSuffix(name, leaf) + newArgs[leaf])
}

// leafOf returns the last element of the name of an argument.
func leafOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Writes reports whether a part of a call is text that it writes to a file.
func Writes(call *transcript.Block) bool {
	for i := range call.Parts {
		if SideOf(call, i) > OldSide {
			return true
		}
	}
	return false
}

// Changes reports whether a call changes the files that it names. Unlike [Writes], it also
// finds elements of a call in prose, and a patch in a shell command.
func Changes(call *transcript.Block) bool {
	for name := range newArgs {
		if InProse(call) && Arg(call, name) != "" {
			return true
		}
	}
	return Writes(call) || slices.ContainsFunc(call.Parts, func(p transcript.Part) bool { return strings.Contains(p.Text, "*** ") && patched.MatchString(p.Text) })
}
