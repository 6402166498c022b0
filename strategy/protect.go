package strategy

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// What a user protects by flag, besides blocks (--pin) and the ends (--keep-*):
// calls by tool and path, and lines.

// calls pins calls and results whose tool or path is protected, and mentioned
// files whose path is.
func (p *pins) calls(o *Options) {
	if len(o.ProtectTools) == 0 && len(o.ProtectPaths) == 0 {
		return
	}
	for ref, b := range p.c.Blocks() {
		tool, paths := concerns(p.c, ref, b)
		byTool := slices.ContainsFunc(o.ProtectTools, func(g Glob) bool { return g.Name(tool) })
		byPath := slices.ContainsFunc(o.ProtectPaths, func(g Glob) bool { return slices.ContainsFunc(paths, g.Path) })
		if byTool || byPath {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// concerns returns the tool of a call or of the call that a result answers, and the
// paths that the call names; for a mentioned file, its path.
func concerns(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (tool string, paths []string) {
	call := b
	switch b.Kind {
	case transcript.ToolCall:
	case transcript.ToolResult:
		if other := partner(c, ref); other != nil {
			call = other
		}
	case transcript.Text:
		for _, p := range b.Parts {
			paths = append(paths, p.Name)
		}
		return "", slices.DeleteFunc(paths, func(name string) bool { return name == "" })
	default:
		return "", nil
	}
	tool = call.Tool
	if tool == "" {
		tool = b.Tool
	}
	if call.Kind == transcript.ToolCall {
		paths = pathsOf(call)
	}
	return tool, paths
}

// pathsOf lists the paths that a call names: arguments that are called so, at any
// depth, and the files of a patch.
func pathsOf(call *transcript.Block) (paths []string) {
	if path := proseArg(call, pathArgs...); path != "" {
		paths = append(paths, path)
	}
	for _, p := range call.Parts {
		if pathName.MatchString(p.Name) {
			paths = append(paths, p.Text)
		}
		for _, m := range patched.FindAllStringSubmatch(p.Text, -1) {
			paths = append(paths, m[1])
		}
	}
	return paths
}

var (
	// pathName matches the name of an argument that is a path: "file_path",
	// "files[0].path", "paths[2]".
	pathName = regexp.MustCompile(`(?:^|\.)(?:` + strings.Join(pathArgs, "|") + `|paths\[\d+\]|files\[\d+\])$`)
	// patched matches the head of a file in a patch of apply_patch.
	patched = regexp.MustCompile(`(?m)^\*\*\* (?:Add|Update|Delete) File: (.+?)\r?$`)
)

// lines pins, as strongly as given, blocks that have a protected line, or one
// between keep tags.
func (p *pins) lines(o *Options, pin transcript.Pin) {
	if len(o.Protect) == 0 && o.Tags == "" {
		return
	}
	for ref, b := range p.c.Blocks() {
		if slices.ContainsFunc(b.Parts, func(p transcript.Part) bool {
			return hasProtected(p.Text, o.Protect) || len(o.Tags.kept(b, p.Text[p.Head:])) > 0
		}) {
			p.raise(ref, pin)
		}
	}
}

func hasProtected(text string, list []*regexp.Regexp) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(line) }) {
			return true
		}
	}
	return false
}

// protected returns the pieces of a text in which a match of one of the expressions
// lies, in any order; a match of nothing is its line. An expression sees one
// line at a time, without its end.
func protected(text *squeeze.Text, list []*regexp.Regexp) (pieces []int) {
	if len(list) == 0 {
		return nil
	}
	at := 0
	for line := range strings.Lines(text.Source) {
		bare := strings.TrimRight(line, "\r\n")
		for _, re := range list {
			for _, m := range re.FindAllStringIndex(bare, -1) {
				from, to := at+m[0], at+m[1]
				if from == to {
					from, to = at, at+len(line)
				}
				pieces = append(pieces, piecesIn(text, from, to)...)
			}
		}
		at += len(line)
	}
	return pieces
}

// piecesIn returns the pieces that have any of the bytes from (inclusive) to (exclusive).
func piecesIn(text *squeeze.Text, from, to int) (pieces []int) {
	i := sort.Search(len(text.Pieces), func(i int) bool { return text.Pieces[i].End > from })
	for ; i < len(text.Pieces) && text.Pieces[i].Start < to; i++ {
		pieces = append(pieces, i)
	}
	return pieces
}
