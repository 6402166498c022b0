// Package batch finds the files of a batch, divides them among machines, keeps their memory within a
// limit, and remembers in a manifest what became of each. What becomes of one is a function that the
// command passes.
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
	Path  string // as it is opened
	Rel   string // where it is below the folder that it was found in, with slashes; of a named file, its path
	Named bool   // on the command line, not found: it has to be a conversation
	Size  int64  // bytes on disk, 0 when unknown
}

// Out is where the output of the item goes below --out-dir: rel, with what could act on a
// terminal or is no UTF-8 written as %1b. It is local: it cannot lead out of a folder.
func (it *Item) Out() string { return filepath.FromSlash(plainName(it.Rel)) }

// plainName writes control characters, those that reorder text, and bytes that are no UTF-8 as % and two hexadecimal digits.
func plainName(name string) string {
	var b strings.Builder
	for i, r := range name {
		size := max(1, utf8.RuneLen(r))
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

// relative is path without what leads out of the folder where it is put: a root, a volume,
// and the .. at its start.
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
	Own              []string // files and folders that the batch itself writes: never found by walking
	Items            []Item
	Failed           []error // folders that cannot be listed, patterns that match nothing
}

// Gather finds the files that paths name: files, folders, and patterns where there is no such
// file. The order is that of the arguments, by name below each. A file that is found twice is
// taken once.
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

// add adds a file, or those of a folder.
func (g *Gathering) add(path string, named bool) {
	if !isFolder(path) {
		g.Items = append(g.Items, newItem(path, relative(path), named))
		return
	}
	names, failed := walk(path, g.isOwn, func(name string) bool { return g.wants(path, name) })
	g.Failed = append(g.Failed, failed...)
	for _, name := range names {
		rel, err := filepath.Rel(filepath.Clean(path), name)
		if err != nil {
			g.Failed = append(g.Failed, &WalkError{err})
			continue
		}
		g.Items = append(g.Items, newItem(name, filepath.ToSlash(rel), false))
	}
}

func newItem(path, rel string, named bool) Item {
	it := Item{Path: path, Rel: rel, Named: named}
	if info, err := os.Stat(path); err == nil {
		it.Size = info.Size()
	}
	return it
}

// pattern adds what a pattern matches. ** is any folders, as in --include. Files keep their
// path, so that those of several folders do not meet.
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

// wants reports whether a file in a folder is taken: by --include, or else by its name.
func (g *Gathering) wants(dir, name string) bool {
	rel, err := filepath.Rel(filepath.Clean(dir), name)
	if err != nil || g.isOwn(name) || g.excluded(rel) {
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

// Meeting names two items whose outputs would be one file; "" when there are none. Names that
// differ in case alone are one file on some systems.
func Meeting(items []Item) string {
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
