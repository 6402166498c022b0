// Setmodule changes the path of the module to the one under which its owner publishes it: in go.mod,
// in the modules that replace it, in imports, in the hook and in the documents of the folder where it runs.
//
//	scripts/set-module github.com/OWNER/condense
//
// A second run with another path changes them again.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("set-module: ")
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: scripts/set-module PATH, such as github.com/OWNER/condense")
		os.Exit(2)
	}
	changed, err := set(".", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d files changed; check them with git diff, and the module with .ci/run\n", changed)
}

// modulePath matches the paths of modules that can be fetched: a host, and a place on it.
var modulePath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`)

// set changes the path of the module in root, and returns the number of changed files.
func set(root, to string) (changed int, err error) {
	if !modulePath.MatchString(to) {
		return 0, fmt.Errorf("%s is not the path of a module, such as github.com/OWNER/condense", to)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(mod)
	if m == nil {
		return 0, errors.New("go.mod names no module")
	}
	r := newRenaming(string(m[1]), to)
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		place, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		done, err := r.file(name, filepath.ToSlash(place))
		if done {
			changed++
		}
		return err
	})
	return changed, err
}

// A renaming replaces one path of a module by another.
type renaming struct {
	from, to string
	packages *regexp.Regexp // the path of a package of the module
	words    *strings.Replacer
}

func newRenaming(from, to string) *renaming {
	words := []string{slug(from) + "/.github", slug(to) + "/.github"}
	if strings.Contains(from, "/") {
		words = append(words, from+"@", to+"@", from+"/", to+"/")
	}
	words = append(words, repository(from)+"@", to+"@", repository(from), repository(to))
	return &renaming{
		from: from, to: to,
		packages: regexp.MustCompile(`(^|[^\w./-]|\\n)` + regexp.QuoteMeta(from) + `/(cmd|strategy|transcript|scripts|a|b)\b`),
		words:    strings.NewReplacer(words...),
	}
}

// slug returns the name of a repository, by which GitHub knows it.
func slug(module string) string {
	if !strings.Contains(module, "/") {
		return "OWNER/" + module
	}
	return strings.TrimPrefix(majorVersion.ReplaceAllString(module, ""), "github.com/")
}

// repository returns the address of a repository, without its scheme.
func repository(module string) string {
	if !strings.Contains(module, "/") {
		return "github.com/OWNER/" + module
	}
	return majorVersion.ReplaceAllString(module, "")
}

// majorVersion matches the last element of a module from version 2 on.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// command returns the name of the program that go install installs.
func command(module string) string { return path.Base(majorVersion.ReplaceAllString(module, "")) }

// file changes a file, and reports whether it did. place is its path in the tree.
func (r *renaming) file(name, place string) (bool, error) {
	change := r.change(place)
	if change == nil {
		return false, nil
	}
	old, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	text, err := change(string(old))
	if err != nil {
		return false, fmt.Errorf("%s: %w", place, err)
	}
	if text == string(old) {
		return false, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(name, []byte(text), info.Mode().Perm())
}

// change returns the function that changes the file at a place, or nil when the file stays. Sessions
// in testdata stay: they are conversations about other programs.
func (r *renaming) change(place string) func(string) (string, error) {
	switch base := path.Base(place); {
	case base == "go.mod":
		return r.goMod
	case path.Ext(place) == ".go":
		return r.source
	case place == ".pre-commit-hooks.yaml":
		return r.hook
	case place == "scripts/coverage/floors.txt":
		return r.text
	case place == "README.md" || strings.HasPrefix(place, ".github/"):
		return r.text
	}
	return nil
}

// goMod changes the module itself, and modules that replace it.
func (r *renaming) goMod(text string) (string, error) {
	lines := regexp.MustCompile(`(?m)^((?:module|require|replace) )` + regexp.QuoteMeta(r.from) + `( |$)`)
	return lines.ReplaceAllString(text, "${1}"+r.to+"${2}"), nil
}

// source changes the imports of a Go file, paths of packages in its texts, and the name of the module
// in tests of the structure.
func (r *renaming) source(text string) (string, error) {
	out := r.packages.ReplaceAllString(text, "${1}"+r.to+"/${2}")
	out = strings.ReplaceAll(out, "const module = \""+r.from+"\"", "const module = \""+r.to+"\"")
	if out == text {
		return text, nil
	}
	sorted, err := format.Source([]byte(out))
	return string(bytes.ReplaceAll(sorted, []byte("\r\n"), []byte("\n"))), err
}

// hook changes the name of the program, which go install derives from the path of the module.
func (r *renaming) hook(text string) (string, error) {
	return strings.Replace(text, "  entry: "+command(r.from)+" ", "  entry: "+command(r.to)+" ", 1), nil
}

// text changes paths of packages and of the repository in a document.
func (r *renaming) text(text string) (string, error) {
	text = r.words.Replace(text)
	return r.packages.ReplaceAllString(text, "${1}"+r.to+"/${2}"), nil
}
