package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"condense/strategy/external"
)

// A project file comes with a checkout, and the user may never have read it. So it must not start
// programs, send anything, choose what is overwritten, or give up text that is kept by default.
// The file of the user, and one named by --config, may set everything.

// UserOnly are the keys that a project file must not set, with the reason.
var UserOnly = map[string]string{
	"validator":    startsPrograms,
	"before":       startsPrograms,
	"after":        startsPrograms,
	"exec-env":     "it hands variables to programs",
	"llm":          sends,
	"llm-model":    sends,
	"base-url":     sends,
	"api-key-env":  "it chooses the key that is sent",
	"api-key-file": "it chooses the key that is sent",
	"no-redact":    "it lets secrets be sent",
	"max-cost":     "it spends money",
	"output":       writes,
	"in-place":     writes,
	"force":        writes,
	"report":       writes,
	"events":       writes,
	"html":         writes,

	"unpin":       gives,
	"fraction":    gives,
	"tags":        gives,
	"drop-hidden": "it removes history",

	"out-dir":         writes,
	"manifest":        writes,
	"summary":         writes,
	"update":          writes,
	"update-baseline": writes,
}

const (
	startsPrograms = "it starts programs"
	sends          = "it sends what is in transcripts"
	writes         = "it chooses what is overwritten"
	gives          = "it gives up typed text"
)

// PathKeys are the keys whose values are files and folders. In a file, they begin at its
// folder, and a project file must not lead out of that.
var PathKeys = []string{"stash", "llm-cache", "models", "prices", "prompt-file", "baseline", "expect"}

// refuses returns an error if a key must not have such a value in this file.
func (c *File) refuses(key string, e entry) error {
	if !c.Project {
		return nil
	}
	why := UserOnly[key]
	if key == "strategy" && strings.Contains(strings.Join(e.texts, ","), external.Prefix) {
		why = startsPrograms
	}
	if why != "" {
		return fmt.Errorf("%s is not for project files: %s; use a flag or your own file", key, why)
	}
	if !slices.Contains(PathKeys, key) {
		return nil
	}
	for _, path := range e.texts {
		if !c.inside(c.placed(path)) {
			return fmt.Errorf("%s: %s is outside of %s, which is not for project files; use a flag or your own file", key, path, c.Dir)
		}
	}
	return nil
}

// placed is a path as it is meant in this file.
func (c *File) placed(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// inside reports whether a path is below the folder of the file, with all links on it
// followed. A link that leads nowhere yet is not: it may lead anywhere.
func (c *File) inside(path string) bool {
	if path == "" {
		return true
	}
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return false
	}
	for rest := ""; ; path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest) {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			_, ok := within(dir, filepath.Join(real, rest))
			return ok
		}
		if _, err := os.Lstat(path); err == nil || path == filepath.Dir(path) {
			return false
		}
	}
}

// within returns path as seen from dir, and whether it is below it.
func within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}
