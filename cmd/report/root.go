package report

import (
	"path"
	"slices"
	"strings"
)

// A Root is the folder in which most paths of a result are. Tables name it once, and paths from there.
// The zero Root shortens nothing.
type Root string

// leastRoot is the number of names from which on a folder is a root: /home is none, /home/lena is one.
const leastRoot = 2

// RootOf returns the root of the paths in texts: words that begin with a slash. It is the deepest folder
// that has all paths with the most frequent beginning, which must be more than half of all and at least two.
func RootOf(texts ...string) Root {
	groups, all := map[string][]string{}, 0
	for _, text := range texts {
		for _, word := range strings.Fields(text) {
			names := strings.Split(path.Dir(word), "/")
			if !strings.HasPrefix(word, "/") || len(names) <= leastRoot {
				continue
			}
			all++
			beginning := strings.Join(names[:1+leastRoot], "/")
			groups[beginning] = append(groups[beginning], word)
		}
	}
	var largest []string
	for _, group := range groups {
		if len(group) > len(largest) {
			largest = group
		}
	}
	if len(largest) < 2 || 2*len(largest) <= all {
		return ""
	}
	root := largest[0]
	for _, other := range largest {
		for other != root && !strings.HasPrefix(other, root+"/") {
			root = path.Dir(root)
		}
	}
	if !slices.ContainsFunc(largest, func(p string) bool { return p != root }) {
		root = path.Dir(root) // of one file
	}
	return Root(root)
}

// Short returns a text whose paths below the root begin there.
func (r Root) Short(text string) string {
	if r == "" {
		return text
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		if below, ok := strings.CutPrefix(word, string(r)+"/"); ok && below != "" {
			words[i] = below
		} else if word == string(r) {
			words[i] = "."
		}
	}
	return strings.Join(words, " ")
}

// Head returns the head of a column with paths, which names the root.
func (r Root) Head(name string) string {
	if r == "" {
		return name
	}
	return name + " in " + string(r)
}
