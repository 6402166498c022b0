package squeeze

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

// TestOutcomes checks how outputs of many tools and files of many languages are cut: the kind, the number
// of pieces, and a checksum of the pieces and of what is left when some of them stay. The other columns
// are the same for a text in another form. A change of a rule shows in testdata/cuts.txt, which -update
// rewrites.
func TestOutcomes(t *testing.T) {
	data, err := os.ReadFile("testdata/outputs.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{{"text", "kind", "as-it-is", "without-hint", "CRLF", "numbered", "coloured", "half", "indented", "twice", "marked", "joined", "in-JSON", "in-lines", "bare", "upside-down", "added", "quoted", "dated", "any-hint", "paragraphs"}}
	_, files := parseArchive(string(data))
	for _, s := range samples {
		files = append(files, section{fmt.Sprintf("%.30q", s), s})
	}
	for _, f := range files {
		h := outputHint(f.name)
		text := Cut(f.text, h)
		half := strings.ToValidUTF8(f.text[:len(f.text)/2], "")
		row := []string{f.name, text.Kind.String(), cutSum(text), cutSum(Cut(f.text, Hint{}))}
		for _, form := range []string{
			strings.ReplaceAll(f.text, "\n", "\r\n"), changedLines(f.text, "%6d→%s"), changedLines(f.text, "\x1b[3%[1]dm%[2]s\x1b[0m"), half,
			changedLines(f.text, "  %[2]s"), f.text + f.text, marked(f.text), strings.ReplaceAll(f.text, "\n", " "), inJSON(f.text),
			strings.Repeat(strings.ReplaceAll(inJSON(half), "\n", "")+"\n", 3), strings.TrimRight(f.text, "\n"), upsideDown(f.text),
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n" + changedLines(f.text, "+%[2]s"), changedLines(f.text, "> %[2]s"), changedLines(f.text, "2026-03-02T10:00:0%[1]dZ app %[2]s"),
		} {
			row = append(row, cutSum(Cut(form, h)))
		}
		any := ""
		for _, h := range append(hints, Hint{Tool: "Read", Path: "a.json"}, Hint{Tool: "Read", Path: "a.csv"}, Hint{Tool: "Read", Path: "a.html"}, Hint{Tool: "Bash", Failed: true, Command: "make"}) {
			any += cutSum(Cut(f.text, h))
		}
		row = append(row, transcripttest.Sum(any))
		paragraphs, starts := Paragraphs(f.text)
		before := cutSum(paragraphs)
		paragraphs.PairTags()
		rows = append(rows, append(row, transcripttest.Sum(before, fmt.Sprint(starts), cutSum(paragraphs))))
	}
	transcripttest.Frozen(t, "testdata/cuts.txt", *update, rows)
}

// marked returns a text in which markers of an earlier run stand for some of the lines.
func marked(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		switch i % 9 {
		case 2:
			lines[i] = "[12 lines omitted]\n"
		case 5:
			lines[i] = strings.ToValidUTF8(lines[i][:len(lines[i])/2], "") + "[40 characters omitted]\n"
		case 7:
			lines[i] = "[repeated 3 more times, omitted]\n[2 similar lines omitted]\n"
		case 8:
			lines[i] = "[5 lines #482193 omitted]\n"
		}
	}
	return strings.Join(lines, "")
}

// inJSON returns an object that holds a text, and a list of its lines.
func inJSON(text string) string {
	data, err := json.MarshalIndent(map[string]any{"output": text, "lines": strings.Split(text, "\n"), "exit": len(text) % 3}, "", "  ")
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(data)
}

// upsideDown returns a text with its last line first.
func upsideDown(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Reverse(lines)
	return strings.Join(lines, "")
}

// outputHint returns the hint for the name of a text: a command, or "path", "tool" or "failed" and a name.
func outputHint(name string) Hint {
	first, rest, _ := strings.Cut(name, " ")
	switch first {
	case "path":
		return Hint{Tool: "Read", Path: rest}
	case "tool":
		return Hint{Tool: rest}
	case "failed":
		return Hint{Tool: rest, Failed: true}
	}
	return Hint{Tool: "Bash", Command: name}
}

// changedLines writes each line of a text in a form, with its number and itself.
func changedLines(text, form string) string {
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&out, form+"\n", i%8+1, line)
	}
	return out.String()
}

// cutSum returns the number of pieces, and a checksum of what a text says about itself and of what is
// left of it.
func cutSum(text *Text) string {
	var s strings.Builder
	fmt.Fprintln(&s, text.Kind, text.Gutter, text.Regions(), table(text))
	keep := make([]bool, len(text.Pieces))
	for _, stays := range []func(i int) bool{
		func(i int) bool { return text.Pieces[i].Cue >= outline },
		func(i int) bool { return i%2 == 0 },
		func(i int) bool { return i%3 == 1 },
		func(i int) bool { return i%5 > 0 },
		func(i int) bool { return i < len(keep)/2 },
		func(i int) bool { return i == len(keep)-1 },
		func(i int) bool { return false },
	} {
		for i := range keep {
			keep[i] = stays(i)
		}
		s.WriteString(text.Render(keep) + "\x00")
	}
	return fmt.Sprintf("%d:%s", len(text.Pieces), transcripttest.Sum(s.String()))
}

// TestOutcomesOfLong does the same for long invented texts, in testdata/long.txt.
func TestOutcomesOfLong(t *testing.T) {
	rows := [][]string{{"text", "kind", "as-it-is", "without-hint", "CRLF", "half"}}
	for _, name := range []string{"array.json", "nested.json", "rows.ndjson", "table.csv", "table.md", "page.html", "server.log", "prose.md", "code.go", "list.yaml", "tree.txt"} {
		for seed := range uint64(4) {
			text := longText(name, seed)
			h := Hint{Tool: "Read", Path: name}
			cut := Cut(text, h)
			rows = append(rows, []string{
				fmt.Sprint(name, "-", seed), cut.Kind.String(), cutSum(cut), cutSum(Cut(text, Hint{Tool: "Bash", Command: "cat " + name})),
				cutSum(Cut(strings.ReplaceAll(text, "\n", "\r\n"), h)), cutSum(Cut(strings.ToValidUTF8(text[:len(text)/2], ""), h)),
			})
		}
	}
	transcripttest.Frozen(t, "testdata/long.txt", *update, rows)
}

// longText invents a text of a kind.
func longText(name string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	nouns := []string{"anchor", "rope", "error", "moon", "Tide", "failed", "lantern", "knot", "café", "port 12"}
	pick := func() string { return nouns[r.IntN(len(nouns))] }
	sentence := func() string {
		text := "The " + pick()
		for range 3 + r.IntN(9) {
			text += " " + pick()
		}
		return text + []string{".", "!", "?", "; it holds."}[r.IntN(4)]
	}
	record := func(i int) string {
		return fmt.Sprintf(`{"id": %d, "name": "%s", "size": %g, "ok": %t, "why": %s, "tags": ["%s", "%s"], "at": {"x": %d, "y": null}}`,
			i, pick(), float64(r.IntN(90))/8, r.IntN(9) > 0, []string{"null", `"no moon\nin the sky"`, `"` + sentence() + `"`}[r.IntN(3)], pick(), pick(), r.IntN(3))
	}
	var s strings.Builder
	n := 12 + r.IntN(40)
	for i := range n {
		switch name {
		case "array.json":
			s.WriteString([]string{"[\n  ", ",\n  "}[min(i, 1)] + record(i))
		case "nested.json":
			fmt.Fprintf(&s, `%s"%s%d": {"list": [%s, %s], "text": "%s", "empty": [], "more": {"%s": [1, 2, %d]}}`, []string{"{", ","}[min(i, 1)], pick(), i, record(i), record(i+1), sentence(), pick(), i)
		case "rows.ndjson":
			s.WriteString(record(i) + "\n")
		case "table.csv":
			if i == 0 {
				s.WriteString("name,pair,count,size\n")
			}
			fmt.Fprintf(&s, "%s,\"%s, %s\",%d,%g\n", pick(), pick(), pick(), r.IntN(500), float64(r.IntN(90))/8)
		case "table.md":
			if i == 0 {
				s.WriteString("| name | size | why |\n|---|:-:|---|\n")
			}
			fmt.Fprintf(&s, "| %s | %d | %s |\n", pick(), r.IntN(100), sentence())
		case "page.html":
			fmt.Fprintf(&s, "<div class=\"%s\">\n<p>%s</p><ul><li>%s<li>%s</ul>\n<pre>%s\n  %s</pre></div>\n", pick(), sentence(), pick(), pick(), sentence(), pick())
		case "server.log":
			fmt.Fprintf(&s, "2026-03-02T10:%02d:%02d.%03dZ %s [%s] %s id=%d\n", i%60, r.IntN(60), r.IntN(1000), []string{"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"}[r.IntN(6)], pick(),
				[]string{"request served", "request served", "retry " + pick(), sentence(), "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nValueError: " + pick()}[r.IntN(5)], r.IntN(1e6))
		case "prose.md":
			s.WriteString([]string{"# " + pick() + "\n\n", "- " + sentence() + "\n", "  1. " + sentence() + "\n", "> " + sentence() + "\n\n", sentence() + " " + sentence() + " " + sentence() + "\n\n", "```\n" + sentence() + "\n```\n"}[r.IntN(6)])
		case "code.go":
			fmt.Fprintf(&s, "// f%d ties a %s.\nfunc f%d(x int) error {\n\tif x > %d {\n\t\treturn errors.New(%q)\n\t}\n\tfor range x {\n\t\tlog.Print(x)\n\t}\n\treturn nil\n}\n\n", i, pick(), i, r.IntN(9), sentence())
		case "list.yaml":
			fmt.Fprintf(&s, "- name: %s\n  size: %d\n  parts:\n    - %s\n    - %s\n  # %s\n", pick(), i, pick(), pick(), sentence())
		case "tree.txt":
			fmt.Fprintf(&s, "%s%s/%s_%d.go\n", strings.Repeat("sub/", r.IntN(3)), []string{"moor", "tide"}[r.IntN(2)], []string{"rope", "moon"}[r.IntN(2)], i)
		}
	}
	return s.String() + map[string]string{"array.json": "\n]\n", "nested.json": "}"}[name]
}

// TestOutcomesOfFixtures does the same for the texts, calls and results of all fixtures, in
// testdata/fixtures.txt: it has their number, and a checksum of their cuts.
func TestOutcomesOfFixtures(t *testing.T) {
	rows := [][]string{{"fixture", "texts"}}
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		f, err := format.Decode(src, "")
		if err != nil {
			continue
		}
		texts, sums := 0, ""
		for _, c := range f.Convs[:min(len(f.Convs), 2)] {
			hints := map[string]Hint{}
			for _, b := range c.Blocks() {
				h := hints[b.Call]
				for _, p := range b.Parts {
					if b.Kind == transcript.ToolCall {
						h.Tool = b.Tool
						switch p.Name {
						case "command", "cmd":
							h.Command = p.Text
						case "path", "file_path", "filename":
							h.Path = p.Text
						}
						hints[b.Call] = h
					}
					if h.Failed = b.Error; len(p.Text) > 40 {
						texts++
						sums += cutSum(Cut(p.Text, h))
						paragraphs, starts := Paragraphs(p.Text)
						sums += cutSum(paragraphs) + fmt.Sprint(starts)
					}
				}
			}
		}
		rows = append(rows, []string{name, fmt.Sprintf("%d:%s", texts, transcripttest.Sum(sums))})
	}
	transcripttest.Frozen(t, "testdata/fixtures.txt", *update, rows)
}

// TestOutcomesOfHints checks which kinds commands, files, tools and arguments suggest, in testdata/expected.txt.
func TestOutcomesOfHints(t *testing.T) {
	rows := [][]string{{"hint", "kind"}}
	add := func(name string, h Hint) {
		rows = append(rows, []string{name, expected(h).String()})
	}
	for _, program := range strings.Fields("cat sed head tail nl bat less more get-content type tac rg grep egrep fgrep ag ack findstr select-string ugrep zgrep ls find tree fd fdfind eza exa dir" +
		" get-childitem diff colordiff delta git pytest py.test jest vitest mocha rspec phpunit ctest nox tox ava bats unittest karma gotestsum tsc eslint mypy ruff flake8 pylint golangci-lint" +
		" staticcheck javac gcc g++ clang clang++ cc make cmake ninja biome prettier black shellcheck swiftc rubocop phpstan vue-tsc svelte-check rustc pyright stylelint go cargo npm yarn pnpm bun" +
		" deno mix swift dotnet mvn gradle gradlew mvnw python python3 uv poetry rake zig bazel composer just mise task turbo nx playwright echo psql curl") {
		for _, args := range []string{"a.md", "--files x", "test", "run build", "-C /tmp diff", "log", "check"} {
			add(program+" "+args, Hint{Tool: "Bash", Command: program + " " + args})
		}
	}
	for _, command := range []string{
		"bash -lc 'go test ./...'", `bash -c "ls -la"`, "sh -c 'cat a.json'", "zsh -lc 'rg x'", "zsh -c ls", "/bin/bash -lc 'git diff'", " bash -lc 'git log'",
		"cd a && go test ./...", "cd a; ls", "ls\ncat a.go", "go test || true", "git diff && git log", "cat a.go | grep -n x", "cat a.go | head -3", "ls | grep x", "cat a.csv | sort | uniq -c",
		"find . -name '*.go' | xargs grep -n x", "find . | xargs", "sudo time ls", "FOO=1 BAR=2 go test", "env A=b make", "npx tsc", "npx -y eslint", "timeout 60 go vet", "timeout -k 5 60 pytest",
		"(cd a && ls)", "if true; then make; fi", "for f in *; do cat a.py; done", `echo "a; ls" | cat`, `echo 'a && b'`, `echo \; ls`, "echo a\\'; ls 'x", "cat 'a b.json'", `cat "a.go"`, "cat -n a.go", "cat a.go -n",
		"git show HEAD:a.go", "git show abc123:docs/a.md", "git show abc123", "git diff --stat", "git diff --name-only", "git show --shortstat", "git stash list", "git format-patch x", "git -c a=b status",
		"git --no-pager log", "git --git-dir x diff", "git --work-tree x grep y", "git reflog", "git shortlog", "git ls-files", "git ls-tree HEAD", "git push", "git", "git -C", "make tests", "make check", "make all",
		"python -m pytest", "python3 -m unittest", "npm run lint", "yarn typecheck", "pnpm type-check", "cargo nextest run", "cargo clippy", "npm run spec", "bun vitest", "npx jest", "deno compile", "uv run mypy", "poetry run ruff",
		"rg -l x", "grep -rl x", "grep -ril x .", "rg --files", "rg --files-with-matches x", "ag -L x", "grep -lr x", "GIT.exe diff", "git.exe diff", "ls.exe", "cat a.txt; cat b.txt", "cat a.txt; cat b.go", "a || b", "a |", "|", "&&", "1 ls", "-x ls", "", "=",
		strings.Repeat("true; ", 700) + "ls", strings.Repeat("true; ", 600) + "ls",
	} {
		add(fmt.Sprintf("%.60q %d", command, len(command)), Hint{Tool: "Bash", Command: command})
	}
	names := strings.Fields("a.md A.MD a.mdx a.markdown a.txt a.rst a.adoc a.org a.tex a.log a.out a.csv a.tsv a.json a.geojson a.ipynb a.jsonl a.ndjson a.html a.htm a.xhtml a.xml a.svg a.diff a.patch a.png a.jpg a.jpeg" +
		" a.gif a.pdf a.zip a.gz a.bin a.so a.exe a.woff a.woff2 a.go a.py a.c++ a.123 a.1a a.abcdefghijk a.abcdefghijkl a. Makefile Dockerfile Rakefile gemfile justfile LICENSE dir/a.go dir\\a.md .bashrc a.b.json")
	for _, name := range names {
		add("path "+name, Hint{Path: name})
		add("read "+name, Hint{Tool: "Read", Path: name})
	}
	for _, tool := range strings.Fields("Read Write Edit Bash Grep Glob LS Task TodoWrite WebFetch apply_patch str_replace_editor list_directory search_files think ask_followup_question mcp__x__search unknown") {
		add("tool "+tool, Hint{Tool: tool})
		add("tool "+tool+" a.json", Hint{Tool: tool, Path: "a.json"})
		add("tool "+tool+" ls", Hint{Tool: tool, Command: "ls"})
	}
	for _, arg := range strings.Fields("command cmd keystrokes script code old_string new_string oldstring newstring old_str new_str oldtext newtext oldText content file_text contents file_content text" +
		" patch diff prompt description message plan thought body question result summary other edits.0.newText a.b") {
		add("arg "+arg, Hint{Tool: "Edit", Arg: arg})
		add("arg "+arg+" a.json", Hint{Tool: "Edit", Arg: arg, Path: "a.json"})
		add("arg "+arg+" a", Hint{Tool: "Edit", Arg: arg, Path: "a"})
	}
	transcripttest.Frozen(t, "testdata/expected.txt", *update, rows)
}

// TestOutcomesOfEdits checks how texts are cut that differ from those of TestOutcomes in one place: other
// characters at the start, in the middle and at the end of each line, a line less, and lines up to one of
// them, with the hint and without. It is in testdata/edits.txt.
func TestOutcomesOfEdits(t *testing.T) {
	data, err := os.ReadFile("testdata/outputs.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{{"text", "start", "middle", "end", "line-less", "up-to-line", "from-line", "anywhere"}}
	_, files := parseArchive(string(data))
	for _, f := range files {
		h := outputHint(f.name)
		lines := strings.SplitAfter(f.text, "\n")
		if len(lines) > 60 {
			lines = lines[:60]
		}
		var start, middle, end, less, upTo, from strings.Builder
		for i, line := range lines {
			line = strings.TrimSuffix(line, "\n")
			around := [2]string{strings.Join(lines[max(0, i-2):i], ""), strings.Join(lines[min(i+1, len(lines)):min(i+3, len(lines))], "")}
			half := len(strings.ToValidUTF8(line[:len(line)/2], ""))
			for k, c := range oddRunes {
				if k%2 != i%2 { // each line has half of them
					continue
				}
				start.WriteString(shortSum(around[0]+string(c)+strings.TrimLeft(line, " ")+"\n"+around[1], h))
				middle.WriteString(shortSum(around[0]+line[:half]+string(c)+line[min(half+1, len(line)):]+"\n"+around[1], h))
				end.WriteString(shortSum(around[0]+line+string(c)+"\n"+around[1], h))
			}
			less.WriteString(shortSum(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""), h))
			upTo.WriteString(shortSum(strings.Join(lines[:i], "")+line, Hint{}))
			from.WriteString(shortSum(strings.Join(lines[i:], ""), Hint{Tool: "Bash", Command: "make"}))
		}
		var anywhere strings.Builder
		for at, k := 0, 0; at < len(f.text); at, k = at+max(1, len(f.text)/150), k+1 {
			if r, n := utf8.DecodeRuneInString(f.text[at:]); r != utf8.RuneError {
				c := string(oddRunes[k*7%len(oddRunes)])
				anywhere.WriteString(shortSum(f.text[:at]+c+f.text[at+n:], h))
				anywhere.WriteString(shortSum(f.text[:at]+c+f.text[at:], Hint{}))
			}
		}
		row := []string{f.name, "", "", "", "", "", "", transcripttest.Sum(anywhere.String())}
		for i, all := range []*strings.Builder{&start, &middle, &end, &less, &upTo, &from} {
			row[i+1] = transcripttest.Sum(all.String())
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, "testdata/edits.txt", *update, rows)
}

// oddRunes are characters that end or begin something in one kind of text or another.
var oddRunes = []rune("aAzZ09_-.:/([{<\"'#*|\té`@=,;!?)]} $\\\n%&+>~^\r\x1b→中1")

// shortSum returns the pieces of a text, and what is left of it without every third and without most of them.
func shortSum(source string, h Hint) string {
	text := Cut(source, h)
	keep := make([]bool, len(text.Pieces))
	for i := range keep {
		keep[i] = i%3 > 0
	}
	out := fmt.Sprint(text.Kind, text.Gutter, text.Pieces) + text.Render(keep)
	for i := range keep {
		keep[i] = i%4 == 1
	}
	return out + text.Render(keep)
}
