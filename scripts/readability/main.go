// Readability measures the prose of the README, of the pages in .github/docs, of the help and of a
// report: words per sentence, the longest sentence, the share of passive sentences, and LIX (words per
// sentence plus the percentage of words with more than six letters: 40 is a newspaper, 60 is hard). It
// exits with 1 when a document has a sentence of more than 30 words, or a mean of more than 16. It also
// lists terms that a document does not explain where it first uses them.
//
//	go run ./scripts/readability                   # the table
//	go run ./scripts/readability -before 60194f8   # beside that of a commit
//	go run ./scripts/readability -list             # every sentence that is too long
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Limits of a document.
const (
	longest = 30 // words in a sentence
	mean    = 16 // words in a sentence on average
)

func main() {
	before := flag.String("before", "", "commit to compare with")
	list := flag.Bool("list", false, "print the sentences that are too long")
	flag.Parse()
	ok, err := run(*before, *list, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "readability:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run prints the table, and reports whether all documents of the working directory keep the limits.
func run(before string, list bool, out io.Writer) (bool, error) {
	old := map[string]measure{}
	if before != "" {
		dir, err := checkout(before)
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		texts, err := collect(dir)
		if err != nil {
			return false, err
		}
		for _, t := range texts {
			old[t.name] = t.measure()
		}
	}
	texts, err := collect(".")
	if err != nil {
		return false, err
	}
	ok := true
	fmt.Fprintf(out, "%-28s %9s %6s %6s %8s %8s %5s\n", "text", "sentences", "words", "mean", "longest", "passive", "LIX")
	for _, t := range texts {
		if m, known := old[t.name]; known {
			fmt.Fprintf(out, "%-28s %s   at %s\n", t.name, m, before)
			delete(old, t.name)
		}
		m := t.measure()
		fmt.Fprintf(out, "%-28s %s\n", t.name, m)
		if list {
			for _, s := range t.tooLong() {
				fmt.Fprintf(out, "    %s\n", s)
			}
		}
		for _, term := range t.unexplained {
			fmt.Fprintf(out, "    %s is not explained where it first stands\n", term)
		}
		ok = ok && m.keepsLimits() && len(t.unexplained) == 0
	}
	for name, m := range old {
		fmt.Fprintf(out, "%-28s %s   at %s, gone\n", name, m, before)
	}
	return ok, nil
}

// A text is a named text with its sentences.
type text struct {
	name        string
	sentences   []string
	unexplained []string // terms that are used before they are explained; of documents only
}

// collect returns the texts of a checkout: its documents, its help, and a report.
func collect(root string) ([]text, error) {
	texts, err := documents(root)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "readability-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "condense")
	if _, err := command(root, "go", "build", "-o", program, "."); err != nil {
		return nil, err
	}
	if _, err := command(root, program, "man", "--markdown", "--dir", dir); err != nil {
		return nil, err
	}
	manual, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	help := text{name: "help"}
	for _, path := range manual {
		page, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		help.sentences = append(help.sentences, sentences(manualText(string(page)))...)
	}
	report := text{name: "report"}
	output, err := command(root, program, "run", "-n", "-v", "testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(output) {
		if !strings.Contains(strings.TrimSpace(line), "   ") { // no row of a table
			report.sentences = append(report.sentences, sentences(line)...)
		}
	}
	return append(texts, help, report), nil
}

// documents returns the README and the pages of a checkout.
func documents(root string) ([]text, error) {
	paths, err := filepath.Glob(filepath.Join(root, ".github/docs/*.md"))
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, path := range append([]string{filepath.Join(root, "README.md")}, paths...) {
		page, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text{filepath.ToSlash(name), sentences(markdown(string(page))), unexplained(string(page))})
	}
	return texts, nil
}

// checkout unpacks a commit into a new folder.
func checkout(commit string) (string, error) {
	tree, err := command(".", "git", "archive", commit)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "readability-")
	if err != nil {
		return "", err
	}
	unpack := exec.Command("tar", "-x", "-C", dir)
	unpack.Stdin = strings.NewReader(tree)
	if out, err := unpack.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("tar: %w: %s", err, out)
	}
	return dir, nil
}

// command runs a program in a folder, and returns both of its outputs.
func command(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return out.String(), nil
}
