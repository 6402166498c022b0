package chronicle

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestTopicWords checks the words by which statements share a topic.
func TestTopicWords(t *testing.T) {
	for want, words := range map[topic]string{
		spending: "budget spend spending cost costs expense expenses ceiling cap price dollars euros",
		schedule: "deadline date due timing schedule scheduled ship ships",
		clock:    "time times timezone timestamp timestamps clock clocks utc gmt",
		naming:   "name named codename called calling label designated renamed",
		duty:     "owner owns pager duty handling handles belongs responsible assigned call",
		branch:   "branch rebased merged checkout",
		style:    "style tone terse playful formal casual replies responses answers units",
		secret:   "code password token key secret passphrase",
	} {
		for word := range strings.FieldsSeq(words) {
			if got := matterOf("of the " + strings.ToUpper(word[:1]) + word[1:] + ", so"); got.topics != want || len(got.stems) > 0 {
				t.Errorf("%s: topics %b, stems %q", word, got.topics, got.stems)
			}
		}
	}
	if got := matterOf("This must keep the harbour gates; the gate is what they want."); !slices.Equal(got.stems, []string{"gate", "gates", "harbou", "want"}) || got.topics != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestNamesInStatements checks which words count as names.
func TestNamesInStatements(t *testing.T) {
	for source, want := range map[string][]string{
		"Ask Zoe about Heron. Then stop.": {"Zoe", "Heron"},
		"See [Foo] and (Bar) there":       {"Bar"},
		"See NASA or Al now":              nil,
		"Why: Because! Really? Yes":       nil,
		"it is \"Anna\"":                  {"Anna"},
	} {
		if got := names(source); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// TestShellReads checks which commands print a file, and whether they print all of it.
func TestShellReads(t *testing.T) {
	for command, want := range map[string]struct {
		path string
		all  bool
	}{
		"cat a.go": {"a.go", true}, "cd x && cat 'a.go'": {"a.go", true}, "nl -ba a.go": {"a.go", true}, "nl a.go": {"a.go", true},
		"head -5 a.go": {"a.go", false}, "head -n 5 a.go": {"a.go", false}, "tail -n +5 a.go": {"a.go", false}, "sed -n '1,5p' a.go": {"a.go", false},
		"cat a.go b.go": {}, "cat a.go; cat b.go": {}, "cat a.go | wc": {}, "cat > a.go": {}, "make": {}, "": {}, "cat " + strings.Repeat("x", 400): {}, "cat " + strings.Repeat("x", 396): {strings.Repeat("x", 396), true},
	} {
		b := &transcript.Block{Kind: transcript.ToolCall, Tool: "Bash", Parts: []transcript.Part{{Name: "command", Text: command}}}
		if path, all := shellRead(b); path != want.path || all != want.all {
			t.Errorf("%.40s: %q, %v", command, path, all)
		}
	}
}

// TestSeenFile checks that a file is known from the text of its latest whole read, also if
// another part of the result has no text.
func TestSeenFile(t *testing.T) {
	picture := transcript.Part{Media: &transcript.Medium{Type: "image/png"}}
	for _, tt := range []struct {
		parts []transcript.Part
		all   bool
		want  bool
	}{
		{[]transcript.Part{{Text: "one long line of it"}}, true, true},
		{[]transcript.Part{picture, {}, {Text: "one long line of it"}}, true, true},
		{[]transcript.Part{{Text: "one long line of it"}}, false, false},
		{[]transcript.Part{{Text: "one long line of it, truncated"}}, true, false},
		{[]transcript.Part{picture}, true, false},
	} {
		f := newFile()
		dead := map[*transcript.Part]deadLines{}
		f.seen(&transcript.Block{Parts: tt.parts}, tt.all, dead)
		f.settle()
		if (f.now != nil) != tt.want || f.steps != 1 {
			t.Errorf("%+v: known %v after %d steps", tt.parts, f.now, f.steps)
		}
	}
}

// TestAddChunk checks that counts of calls beside each other are added up, and that other words stay apart.
func TestAddChunk(t *testing.T) {
	for _, tt := range []struct {
		heads []string
		want  []string
	}{
		{[]string{"3 calls", "4 calls"}, []string{"7 calls"}},
		{[]string{"Read a.go", "Read b.go"}, []string{"Read a.go", "Read b.go"}},
		{[]string{"Read a.go", moreCalls, moreCalls}, []string{"Read a.go", moreCalls}},
		{[]string{"Read a.go", wordless}, []string{"Read a.go"}},
		{[]string{"3 calls", "Read a.go", "4 calls"}, []string{"3 calls", "Read a.go", "4 calls"}},
	} {
		var list []chunk
		for _, head := range tt.heads {
			list = addChunk(list, chunk{head: head})
		}
		var got []string
		for _, c := range list {
			got = append(got, c.head)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.heads, got, tt.want)
		}
	}
}

// TestCutWords checks where words are cut, and that no path is cut in two.
func TestCutWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"one two three", 9, "one two"},
		{"one two three", 8, "one two"},
		{"run lock/a.go", 12, "run …/a.go"}, {"run lock/a.go", 11, "run"},
		{"onetwothree", 5, "onetw"},
		{"run long/path/of/it.go now", 10, "run"},
		{"run lock/a.go now", 13, "run lock/a.go"},
	} {
		if got := cutWords(tt.text, tt.most); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

// TestEffectWords checks that every command which changes something has a word by which it is recognised
// without the regular expression.
func TestEffectWords(t *testing.T) {
	for _, command := range []string{
		"git commit -m x", "cd a && git -C b push", "gh pr create", "npm test", "pip3 install x", "uv run pytest", "sudo apt-get install y",
		"python3 -m pytest -q", "node_modules/.bin/jest", "./gradlew build", "gradlew test", "golangci-lint run", "make", "(make all)", "A=1 B=2 make",
		"docker compose up", "systemctl restart x", "rm -rf a", "x; mkdir -p b", "sed -i s/a/b/ c", "perl -pi -e x", "curl -s -X POST u", "cat >> f",
		"go vet ./...", "time cargo build", "npx tsc", "poetry run ruff check", "rustup update", "terraform apply", "tee f < g", "patch -p1",
		"python3 fetch_all.py", "cd a && node --test build/run.mjs", "bash scripts/release.sh", "uv run python -u fetch.py | tail",
		"ln -s a b", "kill 12", "pkill x", "chmod 600 a", "chown a b", "cp a b", "mv a b", "deno test", "gem install x", "helm upgrade x",
		"kubectl apply -f x", "podman run x", "brew install x", "swift build", "mix test", "flutter build x", "composer install", "dotnet test", "bun add x", "yarn add x", "pnpm i",
	} {
		if !effects.MatchString(command) {
			t.Errorf("%q is not matched", command)
		}
		if !hasEffectWord(command) {
			t.Errorf("%q has no word", command)
		}
	}
	words, _ := syntax.Parse(effects.Regexp().String(), syntax.Perl)
	literals := map[string]bool{}
	var walk func(e *syntax.Regexp)
	walk = func(e *syntax.Regexp) {
		if e.Op == syntax.OpLiteral {
			literals[string(e.Rune)] = true
		}
		for _, sub := range e.Sub {
			walk(sub)
		}
	}
	walk(words)
	if len(literals) < 100 {
		t.Errorf("only %d literals", len(literals))
	}
	for _, command := range []string{"ls -la", "grep -rn x .", "", "  ", "awk -f script.awk", "echo done"} {
		if hasEffectWord(command) {
			t.Errorf("%q has a word", command)
		}
	}
}

// TestConclusions checks which sentences state a finding or a decision, and that announcements do not.
func TestConclusions(t *testing.T) {
	for _, sentence := range []string{
		"The seal leaks because it is old.", "The test still fails.", "I found the gate.", "The cause is rust.", "That was the problem.", "It is fixed.", "It works.",
		"All tests passed.", "We decided on two pumps.", "However, the sea rises.", "It can't open.", "The lock cannot turn.", "Never open it.", "You must wait.",
		"It isn't there.", "Only one pump runs.", "Confirmed: it leaks.", "Two files are remaining.", "I recommend a new seal.", "A bug in the gauge.", "The unit is wrong.",
		"The bolt is missing.", "The hinge is broken.", "It is blocked.", "That is done.", "The crew should wait.", "It needs oil.", "I added a seal.", "I changed the seal.",
		"I removed the seal.", "I reverted it.", "Es leckt, weil es alt ist.", "Mais la porte est ouverte.",
	} {
		if got := conclusionFactor(sentence); got <= 1 {
			t.Errorf("%q has the factor %v", sentence, got)
		}
	}
	for sentence, want := range map[string]float64{
		"I'll go by boat rather than by road.": deciding, "The gate is shut because the tide is high.": deciding, "It is not done, so we wait instead.": deciding, "We decided it.": deciding,
		"It is not done.": concluding, "I'll go by boat.": announcing, "All tests pass. Let me run the linter:": announcing, "Sure. I'll go by boat.": announcing,
		"The gate of the south wall is blue. Let me paint it.": 1, "Two tests fail. Let me see.": concluding, "It fails. Let me see.": concluding, "The gate is blue. It is old.": 1, strings.Repeat("word ", 60) + "because": 1,
	} {
		if got := conclusionFactor(sentence); got != want {
			t.Errorf("%q has the factor %v, want %v", sentence, got, want)
		}
	}
	for _, sentence := range []string{"Looking at the gate.", "I will now read the file.", "The gate is blue."} {
		if got := conclusionFactor(sentence); got > 1 {
			t.Errorf("%q has the factor %v", sentence, got)
		}
	}
}

// TestStates checks which lines of documents state a reason, a rule or a decision.
func TestStates(t *testing.T) {
	for _, line := range []string{
		"This is because of the tide.", "The reason is the tide.", "Gates must stay closed.", "Never open both.", "It is always on.", "The decision is final.", "We decided it.",
		"Use the pump instead.", "A known issue.", "The build fails.", "It was fixed.", "A key is required.", "It replaces the valve.", "The default is 5.", "It is deprecated.",
		"It was removed.", "It is blocked.", "It cannot turn.", "TODO oil it.", "Note the tide.", "Warning the hall floods.", "This is important.", "- **Bold** word",
	} {
		if !states(line) {
			t.Errorf("%q states nothing", line)
		}
	}
	for _, line := range []string{"So it went on.", "The gate is blue.", "", "but who knows", "# Heading"} {
		if states(line) {
			t.Errorf("%q states something", line)
		}
	}
}

// TestIsHeading checks which texts are only a heading.
func TestIsHeading(t *testing.T) {
	for text, want := range map[string]bool{
		"# Gates": true, "## Gates:": true, "**Gates**": true, "**Gates**:": true, " **Gates:**\n": true, "**Gates** and **pumps**": false, "**Gates** leak": false, "# Gates\nleak": false, "Gates:": false,
	} {
		if got := isHeading(text); got != want {
			t.Errorf("%q is a heading: %v", text, got)
		}
	}
}

// TestConcludesAs checks that the case of a word makes no difference, as in the Unicode rules for lower case.
func TestConcludesAs(t *testing.T) {
	for _, word := range []string{"because", "BECAUSE", "Don't", "recommendation", "Recommendations", "\u212aeep", "keep", "bécause", "", "Still", "stillness"} {
		if got, want := concludesAs(word), concludes(strings.ToLower(word)); got != want {
			t.Errorf("%q: %v, expected %v", word, got, want)
		}
	}
}
