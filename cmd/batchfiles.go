package cmd

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

// item is one file of a batch.
type item struct {
	path  string // as it is opened
	rel   string // where it is below the folder that it was found in, with slashes; of a named file, its path
	named bool   // on the command line, not found: it has to be a conversation
	size  int64  // bytes on disk, 0 when unknown
}

// out is where the output of the item goes below --out-dir: rel, with what could act on a
// terminal or is no UTF-8 written as %1b. It is local: it cannot lead out of a folder.
func (it *item) out() string { return filepath.FromSlash(plainName(it.rel)) }

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

// gathering finds the files of a batch.
type gathering struct {
	include, exclude []strategy.Glob
	own              []string // files and folders that the batch itself writes: never found by walking
	items            []item
	failed           []error // folders that cannot be listed, patterns that match nothing
}

// gather finds the files that paths name: files, folders, and patterns where there is no such
// file. The order is that of the arguments, by name below each. A file that is found twice is
// taken once.
func (g *gathering) gather(paths []string) {
	for _, path := range paths {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?[") {
			g.pattern(path)
			continue
		}
		g.add(path, true)
	}
	seen := map[string]bool{}
	g.items = slices.DeleteFunc(g.items, func(it item) bool {
		path := filepath.Clean(it.path)
		again := seen[path]
		seen[path] = true
		return again
	})
}

// add adds a file, or those of a folder.
func (g *gathering) add(path string, named bool) {
	if !isFolder(path) {
		g.items = append(g.items, newItem(path, relative(path), named))
		return
	}
	names, failed := walk(path, g.isOwn, func(name string) bool { return g.wants(path, name) })
	g.failed = append(g.failed, failed...)
	for _, name := range names {
		rel, err := filepath.Rel(filepath.Clean(path), name)
		if err != nil {
			g.failed = append(g.failed, &walkError{err})
			continue
		}
		g.items = append(g.items, newItem(name, filepath.ToSlash(rel), false))
	}
}

func newItem(path, rel string, named bool) item {
	it := item{path: path, rel: rel, named: named}
	if info, err := os.Stat(path); err == nil {
		it.size = info.Size()
	}
	return it
}

// pattern adds what a pattern matches. ** is any folders, as in --include. Files keep their
// path, so that those of several folders do not meet.
func (g *gathering) pattern(pattern string) {
	glob, err := strategy.ParseGlob(filepath.ToSlash(filepath.Clean(pattern)))
	if err != nil {
		g.failed = append(g.failed, err)
		return
	}
	dir := pattern[:strings.IndexAny(pattern, "*?[")]
	dir = dir[:strings.LastIndexByte(filepath.ToSlash(dir), '/')+1]
	before := len(g.items)
	all, failed := walk(filepath.Clean(dir), g.isOwn, func(name string) bool {
		return glob.Name(filepath.ToSlash(name)) && !g.isOwn(name) && !g.excluded(name)
	})
	g.failed = append(g.failed, failed...)
	for _, name := range all {
		g.items = append(g.items, newItem(name, relative(name), false))
	}
	if len(g.items) == before && len(failed) == 0 {
		g.failed = append(g.failed, &walkError{fmt.Errorf("%s matches no file", pattern)})
	}
}

// wants reports whether a file in a folder is taken: by --include, or else by its name.
func (g *gathering) wants(dir, name string) bool {
	rel, err := filepath.Rel(filepath.Clean(dir), name)
	if err != nil || g.isOwn(name) || g.excluded(rel) {
		return false
	}
	if len(g.include) == 0 {
		return isSaved(filepath.Base(name))
	}
	return slices.ContainsFunc(g.include, func(glob strategy.Glob) bool { return glob.Path(rel) })
}

func (g *gathering) excluded(path string) bool {
	return slices.ContainsFunc(g.exclude, func(glob strategy.Glob) bool { return glob.Path(path) })
}

func (g *gathering) isOwn(path string) bool {
	return slices.ContainsFunc(g.own, func(own string) bool { return sameFile(path, own) })
}

// meeting names two items whose outputs would be one file; "" when there are none. Names that
// differ in case alone are one file on some systems.
func meeting(items []item) string {
	by := map[string]string{}
	for _, it := range items {
		key := strings.ToLower(it.out())
		if other, taken := by[key]; taken {
			return fmt.Sprintf("%s and %s would both be written to %s", other, it.path, it.out())
		}
		by[key] = it.path
	}
	return ""
}
