package squeeze

import (
	"path"
	"strings"
)

// This file detects the kind of the output of a shell command by the names of its programs.

// commandKind returns the kind of the output of a command line; Plain when the names
// of its programs show none, or different ones.
func commandKind(command string) Kind {
	if len(command) > maxCommand {
		command = command[:maxCommand]
	}
	found := Plain
	for _, pipeline := range split(unwrap(command), true) {
		kind := pipelineKind(pipeline)
		switch {
		case kind == Plain || kind == found:
		case found != Plain:
			return Plain
		default:
			found = kind
		}
	}
	return found
}

// maxCommand is the number of bytes of a command line that are read: here-documents
// can be long.
const maxCommand = 4096

// unwrap returns the command in bash -lc '…' and the like.
func unwrap(command string) string {
	for _, shell := range [...]string{"bash -lc ", "bash -c ", "sh -c ", "zsh -lc ", "zsh -c ", "/bin/bash -lc "} {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(command), shell); ok {
			return strings.Trim(rest, "'\"")
		}
	}
	return command
}

// split cuts a command line outside quotes: at ;, &&, || and line breaks when lists is
// set, otherwise at | alone.
func split(s string, lists bool) (parts []string) {
	quote, start := byte(0), 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			quote = c
		case c == '|' && (i+1 == len(s) || s[i+1] != '|') && (i == 0 || s[i-1] != '|'):
			if !lists {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		case lists && (c == ';' || c == '\n' || c == '&' && i+1 < len(s) && s[i+1] == '&' || c == '|'):
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// EndsInSearch reports whether the last program of a command line, in its last pipeline, is one that
// searches, such as grep. Such a program exits with 1 where it finds nothing.
func EndsInSearch(command string) bool {
	if len(command) > maxCommand {
		return false
	}
	list := split(unwrap(command), true)
	pipeline := split(list[len(list)-1], false)
	words := programWords(pipeline[len(pipeline)-1])
	if len(words) == 0 {
		return false
	}
	name, args := strings.ToLower(path.Base(words[0])), words[1:]
	return programKind(name, nil) == Search || name == "git" && gitKind(args) == Search
}

// Searches reports whether the last pipeline of a command line prints what a search found, such as grep open | head.
func Searches(command string) bool {
	if len(command) > maxCommand {
		return false
	}
	list := split(unwrap(command), true)
	return pipelineKind(list[len(list)-1]) == Search
}

// programWords returns the words of a part of a pipeline from the name of its program on.
func programWords(part string) []string {
	words := strings.Fields(strings.TrimLeft(part, "&|("))
	for len(words) > 0 && (strings.Contains(words[0], "=") || words[0] == "sudo" || words[0] == "time" || words[0] == "env" || words[0] == "npx" ||
		words[0] == "exec" || words[0] == "command" || words[0] == "then" || words[0] == "do" || words[0] == "bunx" || words[0] == "timeout" ||
		strings.HasPrefix(words[0], "-") || numberLen(words[0]) > 0) {
		words = words[1:]
	}
	return words
}

// pipelineKind returns the kind of the output of a pipeline.
func pipelineKind(pipeline string) Kind {
	kind := Plain
	for i, part := range split(pipeline, false) {
		words := programWords(part)
		if len(words) == 0 {
			continue
		}
		got := programKind(strings.ToLower(path.Base(words[0])), words[1:])
		switch {
		case i == 0:
			kind = got
		case got == Search && kind == Code: // cat a.go | grep -n x
			kind = Search
		case got == Table || kind == Plain && got == Search:
			kind = Plain
		case words[0] == "xargs" && len(words) > 1:
			kind = pipelineKind(strings.Join(words[1:], " "))
		}
	}
	return kind
}

// programKind returns the kind of the output of a program that is called with
// arguments.
func programKind(name string, args []string) Kind {
	has := func(list ...string) bool {
		for _, a := range args {
			for _, l := range list {
				if a == l {
					return true
				}
			}
		}
		return false
	}
	switch strings.TrimSuffix(name, ".exe") {
	case "cat", "sed", "head", "tail", "nl", "bat", "less", "more", "get-content", "type", "tac":
		return fileKind(lastPath(args))
	case "rg", "grep", "egrep", "fgrep", "ag", "ack", "findstr", "select-string", "ugrep", "zgrep":
		if has("--files", "-l", "--files-with-matches", "-rl", "-ril", "-L", "-lr") {
			return Listing
		}
		return Search
	case "ls", "find", "tree", "fd", "fdfind", "eza", "exa", "dir", "get-childitem":
		return Listing
	case "diff", "colordiff", "delta":
		return Diff
	case "git":
		return gitKind(args)
	case "pytest", "py.test", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "nox", "tox", "ava", "bats", "unittest", "karma", "gotestsum":
		return Test
	case "tsc", "eslint", "mypy", "ruff", "flake8", "pylint", "golangci-lint", "staticcheck", "javac", "gcc", "g++", "clang", "clang++", "cc", "make",
		"cmake", "ninja", "biome", "prettier", "black", "shellcheck", "swiftc", "rubocop", "phpstan", "vue-tsc", "svelte-check", "rustc", "pyright", "stylelint":
		if has("test", "check", "tests") && name == "make" {
			return Test
		}
		return Compiler
	case "go", "cargo", "npm", "yarn", "pnpm", "bun", "deno", "mix", "swift", "dotnet", "mvn", "gradle", "gradlew", "mvnw", "python", "python3", "uv", "poetry", "rake", "zig", "bazel", "composer", "just", "mise", "task", "turbo", "nx", "playwright":
		for _, a := range args {
			switch word := strings.ToLower(a); {
			case strings.Contains(word, "test"), word == "nextest", word == "spec", word == "vitest", word == "jest":
				return Test
			case strings.Contains(word, "build"), strings.Contains(word, "lint"), strings.Contains(word, "typecheck"), strings.Contains(word, "type-check"),
				word == "vet", word == "check", word == "clippy", word == "compile", word == "tsc", word == "mypy", word == "ruff":
				return Compiler
			}
		}
	}
	return Plain
}

// gitKind returns the kind of the output of a git command.
func gitKind(args []string) Kind {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-C", "-c", "--git-dir", "--work-tree":
			i++
			continue
		case "diff", "show", "format-patch", "stash":
			for _, a := range args[i+1:] {
				if file, ok := strings.CutPrefix(a, "HEAD:"); ok {
					return fileKind(file)
				}
				if strings.HasPrefix(a, "--stat") || strings.HasPrefix(a, "--name-") || a == "--shortstat" {
					return Listing
				}
				if c := strings.IndexByte(a, ':'); args[i] == "show" && c > 0 && !strings.HasPrefix(a, "-") {
					return fileKind(a[c+1:])
				}
			}
			return Diff
		case "log", "reflog", "shortlog":
			return History
		case "grep":
			return Search
		case "ls-files", "ls-tree", "status":
			return Listing
		}
		if !strings.HasPrefix(args[i], "-") {
			break
		}
	}
	return Plain
}

// lastPath returns the last argument that looks like the path of a file.
func lastPath(args []string) string {
	for i := len(args) - 1; i >= 0; i-- {
		if a := strings.Trim(args[i], "'\""); pathLike(a) && !strings.HasPrefix(args[i], "-") {
			return a
		}
	}
	return ""
}

// fileKind returns the kind of the content of a file, by its name; Plain when the name
// does not show it.
func fileKind(name string) Kind {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, "\\", "/")))
	switch ext := path.Ext(base); ext {
	case "":
		switch base {
		case "makefile", "dockerfile", "rakefile", "gemfile", "justfile":
			return Code
		}
		return Plain
	case ".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".org", ".tex":
		return Prose
	case ".log", ".out":
		return Log
	case ".csv", ".tsv":
		return Table
	case ".json", ".geojson", ".ipynb":
		return JSON
	case ".jsonl", ".ndjson":
		return NDJSON
	case ".html", ".htm", ".xhtml", ".xml", ".svg":
		return HTML
	case ".diff", ".patch":
		return Diff
	case ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".zip", ".gz", ".bin", ".so", ".exe", ".woff", ".woff2":
		return Plain
	default:
		if len(ext) > 12 || !letter(ext[len(ext)-1]) && !digit(ext[len(ext)-1]) || numberLen(ext[1:]) == len(ext)-1 {
			return Plain
		}
		return Code
	}
}
