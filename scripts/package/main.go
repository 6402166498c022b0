// Package builds all packages of a release: archives for Linux, macOS and Windows, npm packages,
// Debian packages, root file systems of an image, and a formula for Homebrew.
//
//	go run ./scripts/package DIR
//
// It builds a clone of the commit. The same commit and the same Go build the same bytes, in any
// folder. The version is the tag of the commit, or a pseudo-version. All of it needs Go and git, and
// no network when the modules were fetched before.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type options struct {
	check      bool
	platforms  string
	npm        string // name of the npm package
	maintainer string // of the Debian package
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("package: ")
	var o options
	flag.BoolVar(&o.check, "check", false, "build everything again, in another folder and without caches, and compare")
	flag.StringVar(&o.platforms, "platforms", "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64", "systems and processors")
	flag.StringVar(&o.npm, "npm", "", "name of the npm package; default: the name of the module, in the scope of its owner")
	flag.StringVar(&o.maintainer, "maintainer", "the condense authors <maintainer@condense.invalid>", "of the Debian packages")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/package [flags] DIR")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(o, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// run writes the release of the last commit to dir.
func run(o options, dir string) error {
	changes, err := output(".", "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return errors.New("the tree has changes that no commit has")
	}
	temp, err := os.MkdirTemp("", "condense-package")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := release(o, filepath.Join(temp, "source"), dir, nil); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(dir, sumsName))
	if err != nil {
		return err
	}
	if o.check {
		again := filepath.Join(temp, "again")
		if err := release(o, filepath.Join(temp, "a folder"), again, []string{"GOCACHE=" + filepath.Join(temp, "cache")}); err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(again, sumsName))
		if err != nil {
			return err
		}
		if !bytes.Equal(sums, other) {
			return fmt.Errorf("built twice: other bytes\n%s\n%s", sums, other)
		}
		fmt.Println("built twice: the same bytes")
	}
	_, err = os.Stdout.Write(sums)
	return err
}

// release clones the last commit to the folder source, and builds all packages from it. A clone does
// not change meanwhile, and git names its version; in a worktree of git, Go does not find it.
func release(o options, source, dir string, env []string) error {
	commit, err := output(".", "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if _, err := output(".", "git", "clone", "-q", "--no-hardlinks", ".", source); err != nil {
		return err
	}
	if _, err := output(source, "git", "checkout", "-q", commit); err != nil {
		return err
	}
	b, err := newBuilder(o, source, env)
	if err != nil {
		return err
	}
	files, err := b.packages()
	if err != nil {
		return err
	}
	return write(dir, files)
}

const sumsName = "SHA256SUMS"

// write writes the files of a release, and their checksums.
func write(dir string, files []file) error {
	var sums strings.Builder
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(f.data), f.name)
	}
	return os.WriteFile(filepath.Join(dir, sumsName), []byte(sums.String()), 0o644)
}

// output runs a program in a folder and returns what it prints, without the last line break.
func output(dir string, args ...string) (string, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	var failed bytes.Buffer
	c.Stderr = &failed
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, failed.Bytes())
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
