package ui

import (
	"io"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/inventory"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
)

// TestReportsGolden checks the text of the reports of diff, explain, check and repair.
func TestReportsGolden(t *testing.T) {
	message := survey.Explain(several(3), 0)
	message.Place = &survey.Place{Message: 1, Of: 2, Role: "user", Line: 3}
	screen := Options{Color: true, Width: 100}
	var all strings.Builder
	for _, c := range []struct {
		name   string
		render func(io.Writer) error
	}{
		{"difference", func(w io.Writer) error { return writeDifference(w, someDifference(""), Options{}) }},
		{"difference, with colour", func(w io.Writer) error { return writeDifference(w, someDifference(""), screen) }},
		{"difference, a line each", func(w io.Writer) error { return writeDifferenceList(w, someDifference(""), Options{}) }},
		{"difference, a line each on a terminal", func(w io.Writer) error { return writeDifferenceList(w, someDifference(""), screen) }},
		{"difference in one line", func(w io.Writer) error { return DifferenceSummary(w, someDifference(""), Options{}) }},
		{"explain", func(w io.Writer) error { return writeExplanation(w, survey.Explain(several(3), 0), Options{}) }},
		{"explain a message", func(w io.Writer) error { return writeExplanation(w, message, Options{}) }},
	} {
		all.WriteString("== " + c.name + "\n" + string(rendered(t, c.render)))
	}
	golden(t, "reports.txt", []byte(all.String()))
}

// TestDifferenceTitles checks the names of conversations above their differences.
func TestDifferenceTitles(t *testing.T) {
	d := &survey.Difference{A: "old.json", B: "new.json", Conversations: []survey.Differs{{ID: "x"}, {}, {ID: "y", Only: "a"}, {Only: "b"}}}
	var got []string
	for i := range d.Conversations {
		got = append(got, titleOf(d, i))
	}
	want := []string{"conversation x", "conversation number 2", "conversation y, in old.json only", "conversation number 4, in new.json only"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	d.Conversations = d.Conversations[:1]
	if got := titleOf(d, 0); got != "" {
		t.Errorf("the only conversation is called %q", got)
	}
}

// TestDifferenceSummary checks the sentence for each relation of two files.
func TestDifferenceSummary(t *testing.T) {
	same := report.Change{Before: 7, After: 7}
	ops := func(ops ...string) []survey.Differs {
		d := make([]survey.Differs, 1)
		for _, op := range ops {
			d[0].Changes = append(d[0].Changes, survey.Differ{Op: op})
		}
		return d
	}
	for want, d := range map[string]*survey.Difference{
		"byte for byte the same; 7 tokens":                                   {SameBytes: true, Tokens: same},
		"the same conversation; the files differ in other bytes; 7 tokens":   {Tokens: same},
		"a different number of conversations; 7 tokens":                      {Different: true, Tokens: same},
		"1 block dropped; 10 → 5 tokens (−50.0 %)":                           {Different: true, Conversations: ops("drop"), Tokens: report.Change{Before: 10, After: 5}},
		"2 blocks shortened, 1 block changed; 7 tokens":                      {Different: true, Conversations: ops("shorten", "rewrite", "shorten"), Tokens: same},
		"1 block inserted, 2 messages hidden, 1 message shown; 0 → 5 tokens": {Different: true, Conversations: ops("hide", "insert", "hide", "show"), Tokens: report.Change{After: 5}},
		"1 block dropped; 7 tokens; 1 of 2 typed texts word for word":        {Different: true, Conversations: ops("drop"), Tokens: same, Typed: report.Change{Before: 2, After: 1}},
		"1 block dropped, 1 block shortened, 1 block inserted; 7 tokens":     {Different: true, Conversations: ops("insert", "shorten", "drop"), Tokens: same},
	} {
		d.A, d.B, d.Tokenizer.Name = "a", "b", "o200k_base"
		got := string(rendered(t, func(w io.Writer) error { return DifferenceSummary(w, d, Options{}) }))
		if want := "a → b: " + want + " [o200k_base]\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestMarkedWords checks that colour reverses the words of a changed line that its
// partner lacks, and no words of a line that has nothing in common with it.
func TestMarkedWords(t *testing.T) {
	for _, c := range []struct {
		text, partner string
		want          []string // reversed
	}{
		{"It is Paris, I believe.", "It is Paris, I am sure.", []string{"believe"}},
		{"one", "two", nil},
		{"a b c", "", nil},
		{"x b", "x", []string{" b"}},
		{strings.Repeat("x ", longestLine/2+1), "x", nil},
		{"x y", "x" + strings.Repeat(" ", longestLine), nil},
	} {
		var out strings.Builder
		p := newPage(&out, Options{Color: true, Width: 80})
		p.marked(content.Bad, "-", c.text, c.partner)
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for part := range strings.SplitSeq(out.String(), "\x1b[") {
			codes, text, _ := strings.Cut(part, "m")
			if slices.Contains(strings.Split(codes, ";"), "7") {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, c.want) || strings.Contains(out.String(), ";31m\x1b") || !strings.HasSuffix(out.String(), "\n") {
			t.Errorf("%.40q beside %.40q: reversed %q in %q", c.text, c.partner, got, out.String())
		}
	}
}

// TestSplitWords checks the classes of characters.
func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":          nil,
		"word":      {"word"},
		"a_1 b":     {"a_1", " ", "b"},
		" \ta":      {" \t", "a"},
		"f((x))":    {"f", "(", "(", "x", ")", ")"},
		"(":         {"("},
		"((":        {"(", "("},
		"日本語, text": {"日本語", ",", " ", "text"},
	} {
		if got := splitWords(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestFindingsSummary checks the sentence about files of which some or all are not read.
func TestFindingsSummary(t *testing.T) {
	good := gate.Checked{Input: "a", Format: "openai", API: "anthropic"}
	bad := gate.Checked{Input: "b", Error: "missing"}
	for _, c := range []struct {
		files []gate.Checked
		want  string
	}{
		{[]gate.Checked{good}, "1 file: no findings [openai, by the rules of anthropic]\n"},
		{[]gate.Checked{good, good}, "2 files: no findings\n"},
		{[]gate.Checked{bad}, "1 file: not read, so nothing was checked\n"},
		{[]gate.Checked{bad, bad}, "2 files: not read, so nothing was checked\n"},
		{[]gate.Checked{good, bad}, "2 files, 1 of them not read: no findings\n"},
	} {
		got := string(rendered(t, func(w io.Writer) error { return FindingsSummary(w, &gate.Findings{Files: c.files}, Options{}) }))
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestNothingMended checks the sentence about a file that needs no repair.
func TestNothingMended(t *testing.T) {
	m := &gate.Mending{Input: "-", Output: "-", Format: "openai", API: "openai", Bytes: report.Change{Before: 12, After: 12}}
	got := string(rendered(t, func(w io.Writer) error { return writeMending(w, m, Options{}) }))
	if want := "standard input: nothing to mend [openai, by the rules of openai]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestGateMarkdownRows checks that a table of findings ends after its rows, and says how
// many are left out, if any are.
func TestGateMarkdownRows(t *testing.T) {
	for extra, want := range map[int]string{0: "", 1: "\n… and 1 more\n"} {
		g := someGate("")
		finding := g.Files[0].Findings[0]
		g.Files = g.Files[:1]
		g.Files[0].Findings = slices.Repeat([]gate.Breach{finding}, markdownRows+extra)
		got := string(rendered(t, func(w io.Writer) error { return gateMarkdown(w, g, Options{}) }))
		if rows := strings.Count(got, "\n| "); rows != 2+markdownRows || strings.Contains(got, "more") != (extra > 0) || !strings.Contains(got, want) {
			t.Errorf("%d more: %d rows:\n%s", extra, rows, got)
		}
	}
}

// TestEntryLine checks the line about an entry of a stash.
func TestEntryLine(t *testing.T) {
	e := inventory.StashEntry{ID: "1a2b", File: "s.jsonl", How: "hybrid", Bytes: report.Change{Before: 9000, After: 41}, Edits: 31}
	if got, want := entryLine(&e), "1a2b · s.jsonl · hybrid · 9,000 → 41 bytes · 31 places"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e.Edits = 0
	if got, want := entryLine(&e), "1a2b · s.jsonl · hybrid · 9,000 → 41 bytes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e.Damaged = true
	if got, want := entryLine(&e), "1a2b · damaged"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStashList checks the rows of a list without entries, with one and with two.
func TestStashList(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 2, 2: 4} { // lines, with a head and a total
		got := string(rendered(t, func(w io.Writer) error {
			return writeStashList(w, slices.Repeat([]inventory.StashEntry{{ID: "1a2b", Stored: 300}}, n), Options{})
		}))
		if strings.Count(got, "\n") != want || strings.Contains(got, "nothing is kept") != (n == 0) || strings.Contains(got, "600") != (n == 2) {
			t.Errorf("%d entries:\n%s", n, got)
		}
	}
}

// TestShort checks the forms of large numbers.
func TestShort(t *testing.T) {
	for n, want := range map[int]string{0: "0", 9_999: "9,999", 10_000: "10k", 999_499: "999k", 1_000_000: "1.0M", 1_250_000_000: "1.2G"} {
		if got := short(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// TestGateSummary checks the result of a check in words and in colour.
func TestGateSummary(t *testing.T) {
	file := []gate.Gated{{Input: "a.json", Tokens: 7}}
	for _, c := range []struct {
		gate gate.Gate
		text string
		tone content.Tone
	}{
		{gate.Gate{}, "no conversation was found, nothing was checked", content.Warn},
		{gate.Gate{Files: file}, "no findings", content.Good},
		{gate.Gate{Files: file, Warnings: 2}, "0 errors, 2 warnings", content.Warn},
		{gate.Gate{Files: file, Errors: 1}, "1 error, 0 warnings", content.Bad},
		{gate.Gate{Files: file, Errors: 1, Warnings: 1}, "1 error, 1 warning", content.Bad},
	} {
		for _, o := range []Options{{}, {Color: true, Width: 120}} {
			got := string(rendered(t, func(w io.Writer) error { return GateSummary(w, &c.gate, o) }))
			if want := newPage(io.Discard, o).paint(c.tone, c.text); !strings.Contains(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

// TestMissing checks the places of typed texts, which name the conversation if there are several.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		conversations int
		brief         bool
		want          string
	}{
		{1, true, "message 6 block 1\nmessage 7 block 2\n"},
		{2, true, "conversation 1 message 6 block 1\nconversation 1 message 7 block 2\n"},
		{1, false, "message 6 block 1\n@@ -1,2 +0,0 @@\n-typed\n-x\n\nmessage 7 block 2\n@@ -1 +0,0 @@\n-x\n"},
	} {
		d := someDifference("x")
		d.Conversations = d.Conversations[:c.conversations]
		if got := string(rendered(t, func(w io.Writer) error { return writeMissing(w, d, Options{Brief: c.brief}) })); got != c.want {
			t.Errorf("%d conversations, brief is %t: got\n%s\nwant\n%s", c.conversations, c.brief, got, c.want)
		}
	}
}

// TestExplainedMessage checks the sentence about a message without blocks.
func TestExplainedMessage(t *testing.T) {
	block := []survey.Explained{{Conversation: 1, Message: 2, Block: 1, Op: "keep", What: "user text", Why: "pinned"}}
	const hidden, empty = "the model does not see it, and it is copied\n", "it has no content that a strategy could change\n"
	for _, c := range []struct {
		hidden bool
		blocks []survey.Explained
		want   string
	}{
		{true, nil, hidden}, {false, nil, empty}, {true, block, ""}, {false, block, ""},
	} {
		e := &survey.Explanation{Place: &survey.Place{Message: 2, Of: 3, Role: "user", Hidden: c.hidden}, Blocks: c.blocks}
		got := string(rendered(t, func(w io.Writer) error { return writeExplanation(w, e, Options{}) }))
		for _, note := range []string{hidden, empty} {
			if strings.Contains(got, note) != (note == c.want) || strings.Contains(got, "pinned") != (c.blocks != nil) {
				t.Errorf("hidden is %t, %d blocks:\n%s", c.hidden, len(c.blocks), got)
			}
		}
	}
}
