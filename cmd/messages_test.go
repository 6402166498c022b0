package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"condense/transcript/transcripttest"
)

// shortChat is a conversation in which no strategy has anything to do.
const shortChat = `[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]` + "\n"

// messageFiles are the files of [checkMessages]. None of them has a text that a strategy could shorten, so that what is
// printed about them does not depend on strategies. Only what --tags and --drop-hidden remove is removed.
var messageFiles = map[string]string{
	"c.json": shortChat, "in/a.json": shortChat, "in/sub/b.json": shortChat, "in/package.json": `{"name": "x"}` + "\n", "taken": "a file\n",
	"other.json": strings.Replace(shortChat, "Hello.", "Hello, you.", 1), "typed.json": strings.Replace(shortChat, "Say hello.", "Say hello, please.", 1),
	"torn.json": `{"messages": [{"role": "user"`, "empty.json": "", "odd.json": `{"name": 7}`, "notes.txt": "one two three\n",
	"orphan.json": `[{"role": "user", "content": "Say hello."}, {"role": "tool", "tool_call_id": "c1", "content": "x"}, {"role": "assistant", "content": "Hello."}]` + "\n",
	"call.json": `[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", ` +
		`"function": {"name": "greet", "arguments": "{}"}}]}, {"role": "user", "content": "Well?"}]` + "\n",
	"rows.jsonl":  `{"messages": ` + strings.TrimSpace(shortChat) + "}\n" + `{"messages": ` + strings.TrimSpace(shortChat) + "}\n",
	"mixed.jsonl": `{"messages": ` + strings.TrimSpace(shortChat) + "}\n\n" + `{"name": 7}` + "\nnot JSON\n",
	"tagged.json": `[{"role": "user", "content": "Say hello. <drop>The word is swordfish, and nobody else may know it.</drop>"}, {"role": "assistant", "content": "Hello."}]` + "\n",
	"twice.json":  `[{"role": "user", "content": "Say hello.", "content": "Say <drop>hello, as loud as you can, to everybody</drop> it."}, {"role": "assistant", "content": "Hello."}]` + "\n",
	"marked.json": `[{"role": "user", "content": "Say <keep>hello."}, {"role": "assistant", "content": "Hello."}]` + "\n",
	"sub/c.json":  shortChat, "models.json": `[{"name": "own", "tokenizer": "o200k_base", "factor": 1.5, "method": "estimate", "context_window": 1000}]`,
	"rows2.jsonl": `{"messages": ` + strings.TrimSpace(shortChat) + "}\n" +
		`{"messages": [{"role": "user", "content": "Say <drop>hello, as loud as you can, to everybody</drop> it."}, {"role": "assistant", "content": "Hello."}]}` + "\n",
	"lengths.jsonl": `{"messages": ` + strings.TrimSpace(shortChat) + "}\n" + `{"messages": [{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}, ` +
		`{"role": "user", "content": "Again."}, {"role": "assistant", "content": "Hello again."}]}` + "\n",
	"none.json": `{"messages": []}` + "\n", "a&b.json": shortChat, "wrong.yaml": "target: nonsense\nkeep-last: 2\nkep-first: 1\nstrategy: nothing\nfiles:\n  \"*.json\": {jobs: 2, keep-last: x, json: true}\nkeep-first: -1\n",
	"m1.json": `{"model": "gpt-4o", "messages": ` + strings.TrimSpace(shortChat) + "}\n", "m2.json": `{"model": "no-such-model", "messages": ` + strings.TrimSpace(shortChat) + "}\n",
	"wrongid.json": `[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", ` +
		`"function": {"name": "greet", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c9", "content": "x"}, {"role": "user", "content": "Well?"}]` + "\n",
	"prices.json": `{"own": {"input_cost_per_token": 1e-06, "output_cost_per_token": 1e-06}}`,
}

// volatile matches what differs from run to run: times, hashes, and durations.
var volatile = regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?|"(milliseconds|time|modified|used|condense)": ?[^,}\n]*|\b\d+(\.\d+)? ?m?s\b|\b[0-9a-f]{10,}\b|"stored": ?\d+|entry, \d+ bytes| +[\d,]+  (dedupe|rescue|repair)\b`)

// checkMessages runs command lines one after the other in a folder with messageFiles, and compares all that they print
// with a file in testdata. A line can have variables in front, < FILE for standard input, and | REGEXP at its end, which
// chooses lines of the outputs. The sign ␣ is a space in a word, ∅ an empty word, and ID:DIR the first entry of a stash.
// Other commands are those of [fileCommand].
// The lines of standard error begin with a >. -update rewrites the file.
func checkMessages(t *testing.T, golden, lines string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the causes of errors have other words on this system")
	}
	golden, err := filepath.Abs(filepath.Join("testdata", golden))
	if err != nil {
		t.Fatal(err)
	}
	containers := map[string][]byte{}
	for name, path := range map[string]string{"t.parquet": "../transcript/parquet/testdata/tool-calls.parquet", "log.eval": "../transcript/eval/testdata/log.eval"} {
		if containers[name], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	dir = filepath.Join(dir, strings.Repeat("x", max(1, 120-len(dir)))) // of a fixed length, for the widths of columns
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	writeAll(t, messageFiles)
	for name, data := range containers {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a run with --max-memory sets both for the whole process
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	var text strings.Builder
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		out, printed, code := runMessage(t, dir, line)
		fmt.Fprintf(&text, "== %s\n", line)
		for i, part := range []string{out, printed} {
			part = strings.NewReplacer(dir, "DIR", dir[1:], "DIR").Replace(part)
			for one := range strings.Lines(volatile.ReplaceAllString(part, "_")) {
				text.WriteString([]string{"  ", "> "}[i] + one)
			}
		}
		fmt.Fprintf(&text, "-- exit code %d\n", code)
	}
	transcripttest.FrozenText(t, golden, *update, text.String())
}

// runMessage runs a line of [checkMessages].
func runMessage(t *testing.T, dir, line string) (out, printed string, code int) {
	t.Helper()
	line, choose, _ := strings.Cut(line, " | ")
	line, input, _ := strings.Cut(line, " < ")
	set := map[string]string{"HOME": dir, "XDG_CONFIG_HOME": dir + "/.config", "CONDENSE_TOKENIZER": "bytes4", "CONDENSE_JOBS": "1", "CONDENSE_STRATEGY": "dedupe",
		"CONDENSE_MAX_MEMORY": "2G"} // or each batch would clear a ballast, which takes most of the time
	words := strings.Fields(strings.ReplaceAll(line, "DIR/", dir+"/"))
	for i, word := range words {
		words[i] = strings.NewReplacer("␣", " ", "∅", "").Replace(word)
		if stash, ok := strings.CutPrefix(word, "ID:"); ok {
			list, _, _ := runMessage(t, dir, "stash list -q --stash "+cmp.Or(stash, "∅"))
			words[i], _, _ = strings.Cut(list, "\n")
		}
	}
	for len(words) > 0 && variable.MatchString(words[0]) {
		name, value, _ := strings.Cut(words[0], "=")
		set[name], words = value, words[1:]
	}
	if text, ok := fileCommand(t, words); ok {
		out = text
	} else {
		text := ""
		if input != "" {
			text, _ = fileCommand(t, []string{"cat", input})
		}
		var stdout, stderr bytes.Buffer
		code = Main(words, strings.NewReader(text), &stdout, &stderr, func(name string) string { return set[name] })
		out, printed = stdout.String(), stderr.String()
	}
	return chosen(out, choose), chosen(printed, choose), code
}

// fileCommand does what cat, rm, cp, ln and append do in a shell; append adds a file to the end of another. The command spoil
// damages the files of a pattern. It reports false for other commands.
func fileCommand(t *testing.T, words []string) (out string, ok bool) {
	t.Helper()
	var err error
	read := func(name string) []byte {
		data, unread := os.ReadFile(name)
		if unread != nil {
			data = []byte("there is no " + name + "\n")
		}
		return data
	}
	switch words[0] {
	case "cat":
		out = string(read(words[1]))
	case "rm":
		err = os.RemoveAll(words[1])
	case "cp":
		err = os.WriteFile(words[2], read(words[1]), 0o600)
	case "ln":
		err = os.Link(words[1], words[2])
	case "append":
		err = os.WriteFile(words[2], append(read(words[2]), read(words[1])...), 0o600)
	case "spoil":
		var files []string
		files, err = filepath.Glob(words[1])
		for _, name := range files {
			err = errors.Join(err, os.WriteFile(name, read(name)[:40], 0o600))
		}
	default:
		return "", false
	}
	if err != nil {
		t.Fatal(words, err)
	}
	return out, true
}

// chosen returns the lines of a text that a regular expression matches, all if it is empty. A last line gets its end.
func chosen(text, match string) string {
	pattern := regexp.MustCompile(match)
	var list strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); pattern.MatchString(line) {
			list.WriteString(line + "\n")
		}
	}
	return list.String()
}
