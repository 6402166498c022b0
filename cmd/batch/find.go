// Package batch finds the files of a batch, divides them among machines, limits the memory for
// their processing, and records in a manifest how each ended. It does not condense them: the
// command passes a function that processes one file.
package batch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/strategy"
)

// Item is one file of a batch.
type Item struct {
	Path  string // for opening it
	Rel   string // path below the folder in which it was found, with slashes; for a named file, its own path
	Named bool   // on the command line, so it must be a conversation; false if found in a folder
	Size  int64  // bytes on disk, 0 if unknown
}

// Out returns the path of the output below --out-dir: Rel, with escapes such as %1b for
// characters that could act on a terminal and for invalid UTF-8. It never leads out of the
// folder.
func (it *Item) Out() string { return filepath.FromSlash(plainName(it.Rel)) }

// plainName escapes control characters, characters that reorder text, and invalid UTF-8 as %
// and two hexadecimal digits.
func plainName(name string) string {
	var b strings.Builder
	for i, r := range name {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(name[i:], string(utf8.RuneError)) {
			size = 1
		} else if !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(name[i : i+size]) {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

// relative returns path without volume, root and leading .. elements, so that it stays inside
// the folder to which it is joined.
func relative(path string) string {
	path = filepath.Clean(path)
	path = filepath.ToSlash(path[len(filepath.VolumeName(path)):])
	for {
		rest := strings.TrimPrefix(strings.TrimPrefix(path, "/"), "../")
		if rest == path {
			return path
		}
		path = rest
	}
}

// Gathering finds the files of a batch.
type Gathering struct {
	Include, Exclude []strategy.Glob
	Own              []string // files and folders that the batch writes; they are not found in folders
	Items            []Item   // set by Gather
	Failed           []error  // set by Gather: folders that cannot be listed, patterns without a match
}

// Gather finds the files that paths name. A path is a file, a folder or, if no such file
// exists, a pattern. The items have the order of paths, and of names below each, after those of
// [Gathering.Add]. A file that is found twice is one item.
func (g *Gathering) Gather(paths []string) {
	for _, path := range paths {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?[") {
			g.pattern(path)
			continue
		}
		g.add(path, true)
	}
	seen := map[string]bool{}
	g.Items = slices.DeleteFunc(g.Items, func(it Item) bool {
		path := filepath.Clean(it.Path)
		again := seen[path]
		seen[path] = true
		return again
	})
}

// Add adds a file that the caller found, as if it were found in a folder. Its output has the path rel,
// with slashes.
func (g *Gathering) Add(path, rel string) {
	g.Items = append(g.Items, newItem(path, relative(rel), false))
}

// add adds a file, or the files of a folder.
func (g *Gathering) add(path string, named bool) {
	if !isFolder(path) {
		g.Items = append(g.Items, newItem(path, relative(path), named))
		return
	}
	names, failed := walk(path, g.isOwn, func(name string) bool { return g.wants(path, name) })
	g.Failed = append(g.Failed, failed...)
	for _, name := range names {
		g.Items = append(g.Items, newItem(name, filepath.ToSlash(below(path, name)), false))
	}
}

// below returns the path from a folder to a file that was found in it.
func below(dir, name string) string {
	rel, _ := filepath.Rel(filepath.Clean(dir), name) // no error, as both begin alike
	return rel
}

func newItem(path, rel string, named bool) Item {
	it := Item{Path: path, Rel: rel, Named: named}
	if info, err := os.Stat(path); err == nil {
		it.Size = info.Size()
	}
	return it
}

// pattern adds the files that a pattern matches. ** matches any folders, as in --include.
// Files keep their whole path, so that files of several folders have different outputs.
func (g *Gathering) pattern(pattern string) {
	var glob strategy.Glob
	if err := glob.UnmarshalText([]byte(filepath.ToSlash(filepath.Clean(pattern)))); err != nil {
		g.Failed = append(g.Failed, err)
		return
	}
	dir := pattern[:strings.IndexAny(pattern, "*?[")]
	dir = dir[:strings.LastIndexByte(filepath.ToSlash(dir), '/')+1]
	before := len(g.Items)
	all, failed := walk(filepath.Clean(dir), g.isOwn, func(name string) bool {
		return glob.Name(filepath.ToSlash(name)) && !g.isOwn(name) && !g.excluded(name)
	})
	g.Failed = append(g.Failed, failed...)
	for _, name := range all {
		g.Items = append(g.Items, newItem(name, relative(name), false))
	}
	if len(g.Items) == before && len(failed) == 0 {
		g.Failed = append(g.Failed, &WalkError{fmt.Errorf("%s matches no file", pattern)})
	}
}

// wants reports whether a file in a folder is part of the batch: by --include or, without
// that, by its extension.
func (g *Gathering) wants(dir, name string) bool {
	rel := below(dir, name)
	if g.isOwn(name) || g.excluded(rel) {
		return false
	}
	if len(g.Include) == 0 {
		return isSaved(filepath.Base(name))
	}
	return slices.ContainsFunc(g.Include, func(glob strategy.Glob) bool { return glob.Path(rel) })
}

func (g *Gathering) excluded(path string) bool {
	return slices.ContainsFunc(g.Exclude, func(glob strategy.Glob) bool { return glob.Path(path) })
}

func (g *Gathering) isOwn(path string) bool {
	return slices.ContainsFunc(g.Own, func(own string) bool { return SameFile(path, own) })
}

// Clash describes two items that have the same output, "" if there are none. It ignores case,
// because some systems do.
func Clash(items []Item) string {
	by := map[string]string{}
	for _, it := range items {
		key := strings.ToLower(it.Out())
		if other, taken := by[key]; taken {
			return fmt.Sprintf("%s and %s would both be written to %s", other, it.Path, it.Out())
		}
		by[key] = it.Path
	}
	return ""
}
