// Package subject names what tool calls are about: the tool, the most informative argument, and the
// paths that a call names.
package subject

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"condense/transcript"
)

// subjectArgs lists the names of arguments that show what a call is about, most informative first.
var subjectArgs = []string{
	"file_path", "filePath", "path", "filename", "target_file", "notebook_path", "absolutePath", "absolute_path", "AbsolutePath",
	"TargetFile", "relativePath", "relative_path", "relative_workspace_path", "command", "cmd", "keystrokes", "pattern", "query", "regex", "url", "description", "prompt", "file", "name", "id",
}

// Limits of the argument and the tool name in a marker, which has room for both and for the rest of the
// marker.
const (
	maxSubject      = 80 // grapheme clusters
	maxSubjectBytes = 240
	maxToolBytes    = 64
)

// lineBreaks holds the characters that end a line in files, terminals or browsers.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

// of returns what a call is about: the path that it reads, or the first line of the command that it
// runs. It returns "" when no argument shows it.
func of(call *transcript.Block) string {
	if call == nil {
		return ""
	}
	names := subjectArgs
	if InProse(call) {
		names = []string{"path", "absolutePath", "command", "regex", "url", "question"}
	}
	if text := Arg(call, names...); text != "" {
		return FirstLine(text)
	}
	for _, p := range call.Parts { // the path of a leaf may be longer: files[0].path
		if i := strings.LastIndexByte(p.Name, '.'); i >= 0 && strings.HasSuffix(p.Name[i:], "path") {
			return FirstLine(p.Text)
		}
	}
	return ""
}

// FirstLine returns the first line of text that is not blank, shortened for a marker.
func FirstLine(text string) string {
	return Short(line(text))
}

// Size returns the size of a text, and its noun: "bytes" for one line, else "lines".
func Size(text string) (n int, noun string) {
	if n = strings.Count(strings.TrimRight(text, "\n"), "\n") + 1; n == 1 {
		return len(text), "bytes"
	}
	return n, "lines"
}

// OnlyMarker reports whether text is a single marker, perhaps with white space around it.
func OnlyMarker(text string) bool {
	text = strings.TrimSpace(text)
	return transcript.IsMarker(text) && !strings.Contains(text, "\n")
}

// Short returns text as markers show it: at most 80 grapheme clusters and 240 bytes.
func Short(text string) string { return clip(text, maxSubject, maxSubjectBytes) }

// Within returns the longest beginning of a text that consists of whole grapheme clusters and has at
// most that number of bytes.
func Within(text string, bytes int) string { return prefix(text, bytes, bytes) }

// line returns the first line of text that is not blank.
func line(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, lineBreaks); i >= 0 {
		text = strings.TrimSpace(text[:i])
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// clip cuts a text at the end of a grapheme cluster, so that it has at most these clusters and
// bytes, and adds an ellipsis.
func clip(text string, clusters, bytes int) string {
	if len(text) <= min(clusters, bytes) {
		return text
	}
	return Cut(text, func(text string) string { return prefix(text, clusters, bytes) })
}

// prefix returns the longest prefix of a text with at most that number of grapheme
// clusters and bytes.
func prefix(text string, clusters, bytes int) string {
	rest, state, end := text, -1, 0
	for n := 0; len(rest) > 0; n++ {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if n == clusters || end+len(cluster) > bytes {
			break
		}
		end += len(cluster)
	}
	return text[:end]
}

const ellipsis = "…"

// Cut shortens a text of one line, and replaces the rest by an ellipsis. prefix returns the
// longest beginning of a text that there is room for. A path at the end of a label, or at the place of the
// cut, loses its first folders and keeps its base name. Where there is no room for that, a
// label loses the words in front of the path, and another text ends before it.
func Cut(text string, prefix func(string) string) string {
	head := prefix(text)
	if head == text {
		return text
	}
	start, rest := strings.LastIndexAny(head, pathEnds)+1, ""
	label := isLabel(text)
	if label {
		start = strings.LastIndexByte(text, ' ') + 1
	}
	path := text[start:]
	if end := strings.IndexAny(path, pathEnds); end >= 0 {
		path, rest = path[:end], " "+ellipsis
	}
	slash := slashOf(path)
	if slash == "" {
		return head + ellipsis
	}
	fits := func(s string) bool { return prefix(s+rest) == s+rest }
	for i := range path {
		if i > 0 && path[i:i+1] == slash && fits(text[:start]+path[i:]) {
			return text[:start] + ellipsis + path[i:] + rest
		}
	}
	if start > 0 && !label {
		return text[:start] + ellipsis
	}
	base := path[strings.LastIndex(path, slash):]
	for i := range base {
		if fits(base[i:]) {
			return ellipsis + base[i:] + rest
		}
	}
	return head + ellipsis
}

// isLabel reports whether a text is a path behind a few words, such as "tool result Read".
// More words are a command, whose beginning is more informative than a path at its end.
func isLabel(text string) bool {
	words := strings.Fields(text)
	return 0 < len(words) && len(words) <= labelWords+1 && slashOf(words[len(words)-1]) != ""
}

// slashOf returns the separator of the folders of a path, or "" when the text is no path.
func slashOf(text string) string {
	switch {
	case len(text) > 2 && text[1:3] == `:\`: // of Windows; elsewhere it may be an escape
		return `\`
	case strings.Contains(text, "/") && !strings.Contains(text, "://"):
		return "/"
	}
	return ""
}

// labelWords is the largest number of words in front of the path of a label.
const labelWords = 3

// pathEnds are the characters around a path in a label.
const pathEnds = " \t\"'`()=,;<>|&"

// Name returns the name of a call for a marker: its tool and what it is about. The call is nil for a
// result without a call.
func Name(call, result *transcript.Block) string {
	tool := result.Tool
	if call != nil && call.Tool != "" {
		tool = call.Tool
	}
	if tool = clip(line(tool), maxToolBytes, maxToolBytes); tool == "" {
		tool = "tool result"
	}
	if s := of(call); s != "" {
		return tool + " " + s
	}
	return tool
}

// Label returns the name of the call at ref, or of the call that the result at ref answers. It returns
// "" for other blocks.
func Label(c *transcript.Conversation, ref transcript.Ref) string {
	b := c.Block(ref)
	switch b.Kind {
	case transcript.ToolCall:
		return Name(b, b)
	case transcript.ToolResult:
		return Name(partner(c, ref), b)
	}
	return ""
}

// partner returns the other half of a pair, or nil.
func partner(c *transcript.Conversation, ref transcript.Ref) *transcript.Block {
	if p, ok := c.Partner(ref); ok {
		return c.Block(p)
	}
	return nil
}

// Concerns returns the tool of a call, or of the call that a result answers, and the paths that the
// call names. For a mentioned file it returns the path.
func Concerns(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (tool string, paths []string) {
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
		return b.Tool, slices.DeleteFunc(paths, func(name string) bool { return name == "" })
	default:
		return "", nil
	}
	tool = call.Tool
	if tool == "" {
		tool = b.Tool
	}
	if call.Kind == transcript.ToolCall {
		paths = Paths(call)
	}
	return tool, paths
}
