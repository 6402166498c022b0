package chronicle

import (
	"strings"

	"condense/transcript"
)

// pathNames shortens paths that were named in full before: by the folder that most
// paths of the conversation have in common.
type pathNames struct {
	root  string // with a slash at its end; "" for none
	named map[string]bool
}

// common is the part of the paths that have to lie in a folder for it to be the root.
const common = 0.7

// namePaths finds the common folder of the paths that calls name.
func namePaths(c *transcript.Conversation) *pathNames {
	under, all := map[string]int{}, 0
	for _, b := range c.Blocks() {
		if b.Kind != transcript.ToolCall {
			continue
		}
		for _, p := range b.Parts {
			if !pathLeaf(p.Name) || !strings.HasPrefix(p.Text, "/") || len(p.Text) > mostSubject {
				continue
			}
			all++
			for i := 1; i < len(p.Text); i++ {
				if p.Text[i] == '/' {
					under[p.Text[:i+1]]++
				}
			}
		}
	}
	n := &pathNames{named: map[string]bool{}}
	for folder, count := range under {
		if float64(count) >= float64(common*float64(all)) && len(folder) > len(n.root) {
			n.root = folder
		}
	}
	return n
}

// short is a path as it is written: in full the first time, later without the root.
func (n *pathNames) short(path string) string {
	if n.root == "" || !n.named[path] {
		n.named[path] = true
		return path
	}
	at := strings.Index(path, n.root)
	if at < 0 || at+len(n.root) == len(path) {
		return path
	}
	return path[:at] + path[at+len(n.root):]
}
