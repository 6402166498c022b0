package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"condense/strategy/external"
)

// A project file comes with a checkout, and the user may never have read it. So it must not start
// programs, send anything, spend money, instruct a model, identify a session, choose what is
// overwritten, or give up text that is kept by default.
// The user's own file, and a file named by --config, may set all keys.

// UserOnly lists the keys that a project file must not set, with the reasons.
var UserOnly = map[string]string{
	"validator":          startsPrograms,
	"before":             startsPrograms,
	"after":              startsPrograms,
	"exec-env":           "it passes variables to programs",
	"llm":                sends,
	"llm-model":          sends,
	"llm-fallback-model": sends,
	"llm-cache":          sends,
	"llm-stream":         sends,
	"llm-temperature":    sends,
	"base-url":           sends,
	"api-key-env":        "it chooses the key that is sent",
	"api-key-file":       "it chooses the key that is sent",
	"no-redact":          "it lets secrets be sent",
	"max-cost":           spends,
	"llm-max-tokens":     spends,
	"prices":             spends,
	"models":             spends,
	"retries":            spends,
	"timeout":            spends,
	"rpm":                spends,
	"tpm":                spends,
	"session-id":         "it identifies the session",
	"prompt-file":        instructs,
	"focus":              instructs,
	"output":             writes,
	"in-place":           writes,
	"backup":             writes,
	"force":              writes,
	"report":             writes,
	"events":             writes,
	"html":               writes,

	"no-stash":    "it gives up the way back",
	"unpin":       gives,
	"fraction":    gives,
	"tags":        gives,
	"drop-hidden": "it removes history",
	"drop-rows":   "it removes rows",

	"drop-snapshots": "it removes history",

	"out-dir":         writes,
	"manifest":        writes,
	"summary":         writes,
	"update":          writes,
	"update-baseline": writes,
}

const (
	startsPrograms = "it starts programs"
	sends          = "it sends the content of transcripts"
	spends         = "it spends money"
	instructs      = "it instructs the model"
	writes         = "it chooses what is overwritten"
	gives          = "it gives up typed text"
)

// limits lists the keys that decide whether a conversation is condensed, and how far.
var limits = []string{
	"always", "cap", "exec-timeout", "max-bytes", "max-growth", "max-memory", "max-tokens", "min-gain", "min-gap", "min-messages", "min-retention",
	"min-savings", "min-stage-gain", "min-tokens", "preset", "profile", "profile-threshold", "reserve", "target", "threshold", "window",
}

// Limits returns the limits that project files have set, each as "target 40%". origins are those
// that [Resolve] returned for fs.
func (s *Settings) Limits(fs *pflag.FlagSet, origins map[string]string) (list []string) {
	for _, name := range limits {
		ofProject := func(c *File) bool { return c.Project && strings.HasPrefix(origins[name], c.Path+":") }
		if slices.ContainsFunc(s.Files, ofProject) {
			list = append(list, name+" "+strings.Join(Given(fs.Lookup(name)), " "))
		}
	}
	return list
}

// PathKeys lists the keys whose values are files or folders. Relative paths begin at the folder
// of the condense.yaml. In a project file, they must stay in that folder. So must a value of tokenizer that is a path.
var PathKeys = []string{"stash", "llm-cache", "models", "prices", "prompt-file", "baseline", "expect"}

// isPath reports whether the value of a key is a path.
func isPath(key, value string) bool {
	return slices.Contains(PathKeys, key) || key == "tokenizer" && IsTokenizerFile(value)
}

// IsTokenizerFile reports whether the value of --tokenizer is the path of a tokenizer.json, and no name.
func IsTokenizerFile(value string) bool {
	return strings.ContainsRune(value, '/') || strings.ContainsRune(value, os.PathSeparator) || strings.HasSuffix(value, ".json")
}

// refuses returns an error if the file must not set a key to this value.
func (c *File) refuses(key string, e entry) error {
	if !c.Project {
		return nil
	}
	why := UserOnly[key]
	startsOne := func(text string) bool { return strings.Contains(text, external.Prefix) }
	if (key == "strategy" || key == "strategy-for") && slices.ContainsFunc(e.texts, startsOne) {
		why = startsPrograms
	}
	if why != "" {
		return fmt.Errorf("%s is not allowed in project files: %s; use a flag or your own file", key, why)
	}
	for _, path := range e.texts {
		if isPath(key, path) && !c.inside(c.resolve(path)) {
			return fmt.Errorf("%s: %s is outside of %s, which is not allowed in project files; use a flag or your own file", key, path, c.Dir)
		}
	}
	return nil
}

// resolve returns a path of this file as an absolute path. An empty path stays empty.
func (c *File) resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// inside reports whether a path is below the folder of the file after all links are followed.
// It is false for a path with a broken link, which may later lead anywhere.
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

// within returns path relative to dir, and reports whether it is below dir.
func within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}
