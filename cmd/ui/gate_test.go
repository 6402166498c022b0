package ui

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/survey"
	"condense/cmd/ui/ci"
)

// someGate has a finding of each kind, with s in every string that a stranger may have written.
func someGate(s string) *gate.Gate {
	g := &gate.Gate{Version: gate.GateVersion, Condense: "dev", Tokenizer: report.Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1}}
	g.Add(gate.Gated{Input: "a" + s + ".json", Format: "openai", Tokens: 1200, Outcome: &gate.Outcome{Tokens: 900, Bound: .5}, Demands: []string{"max-tokens", "valid", "min-savings"}, Findings: []gate.Breach{
		{Demand: "max-tokens", Rule: "condense/max-tokens", Severity: "error", Path: "a" + s + ".json", Line: 12, Conversation: 2, Message: 3, Text: "1200 tokens" + s, Fix: "run" + s},
		{Demand: "valid", Rule: "openai/tool-orphan", Severity: "error", Path: "a" + s + ".json", Line: 14, Conversation: 1, Message: 4, Text: "result" + s},
		{Demand: "valid", Rule: "any/line", Severity: "warning", Path: "a" + s + ".json", Conversation: 1, Text: "torn" + s},
		{Demand: "valid", Rule: "any/line", Severity: "warning", Path: "a" + s + ".json", Conversation: 1, Text: "torn" + s},
	}})
	g.Add(gate.Gated{Input: "b.json", Format: "openai", Tokens: 7, Demands: []string{"max-tokens"}})
	g.Add(gate.Gated{Input: "c" + s, Findings: []gate.Breach{{Demand: "read", Rule: "condense/read", Severity: "error", Path: "c" + s, Text: "no such file" + s}}})
	g.Skipped = []report.Skipped{{Input: "p" + s, Why: "it is a list" + s}}
	return g
}

// asIs returns the path as it is.
func asIs(path string) string { return path }

// gateForms returns all forms of findings, and their summary.
func gateForms() map[string]func(io.Writer, *gate.Gate) error {
	o := Options{Verbose: 1, Root: asIs}
	forms := map[string]func(io.Writer, *gate.Gate) error{
		"summary": func(w io.Writer, g *gate.Gate) error { return GateSummary(w, g, o) },
	}
	for _, name := range FormNames(&gate.Gate{}) {
		forms[name] = func(w io.Writer, g *gate.Gate) error { return Write(w, name, g, o) }
	}
	return forms
}

// form writes the result of someGate in one form.
func form(t *testing.T, name, s string) string {
	t.Helper()
	return string(rendered(t, func(w io.Writer) error { return gateForms()[name](w, someGate(s)) }))
}

func TestGateText(t *testing.T) {
	want := `a.json:12: conversation 2, message 3: condense/max-tokens: 1200 tokens (error)
    fix: run
a.json:14: conversation 1, message 4: openai/tool-orphan: result (error)
a.json: conversation 1: any/line: torn (warning)
a.json: conversation 1: any/line: torn (warning)
c: condense/read: no such file (error)
`
	if got := form(t, "text", ""); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := form(t, "summary", ""); got != "3 files: 3 errors, 2 warnings [1,207 tokens, o200k_base; 1 other file skipped]\nskipped p: it is a list\n" {
		t.Errorf("got %s", got)
	}
}

// TestGateFormsAreSafe checks that no string of a transcript acts on a terminal or breaks out of its
// place in the form.
func TestGateFormsAreSafe(t *testing.T) {
	for name := range gateForms() {
		safe(t, form(t, name, nasty), "\n\t")
	}
	for name, lines := range map[string]int{"github": 5, "jsonl": 5, "text": 6, "summary": 2, "tap": 2 + 5 + 5} {
		if got := strings.Count(form(t, name, "\r\n::error::x%0Aok 9 - y\n"), "\n"); got != lines {
			t.Errorf("%s has %d lines, want %d", name, got, lines)
		}
	}
}

func TestGateGitHub(t *testing.T) {
	got := form(t, "github", ":, 5%")
	want := "::error file=a%3A%2C 5%25.json,line=12,title=condense/max-tokens::conversation 2, message 3: 1200 tokens:, 5%25; fix: run:, 5%25\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	command := regexp.MustCompile(`^::(error|warning) file=[^,:]*(,line=[1-9]\d*)?,title=[^,:]*::.+$`)
	for line := range strings.Lines(got) {
		if !command.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("not a workflow command: %q", line)
		}
	}
}

func TestGateMarkdown(t *testing.T) {
	got := form(t, "markdown", "|`x")
	if rows := strings.Count(got, "\n| "); rows != 2+5 {
		t.Errorf("%d rows:\n%s", rows, got)
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 5 {
			t.Errorf("a row with a different number of cells: %s", line)
		}
	}
}

// TestGateGitLab checks for the members that https://docs.gitlab.com/ci/testing/code_quality/ requires.
func TestGateGitLab(t *testing.T) {
	var issues []struct {
		Description string
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(form(t, "gitlab", "")), &issues); err != nil {
		t.Fatal(err)
	}
	prints := map[string]bool{}
	var lines []int
	for _, i := range issues {
		lines = append(lines, i.Location.Lines.Begin)
		if i.Description == "" || i.CheckName == "" || len(i.Fingerprint) != 32 || prints[i.Fingerprint] || i.Location.Path == "" ||
			!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
			t.Errorf("an issue is incomplete or repeated: %+v", i)
		}
		prints[i.Fingerprint] = true
	}
	if want := []int{12, 14, 1, 1, 1}; !slices.Equal(lines, want) { // the first line stands for the whole file
		t.Errorf("the issues are in the lines %d, want %d", lines, want)
	}
	if got := rendered(t, func(w io.Writer) error { return ci.GitLab(w, &gate.Gate{}, Options{Root: asIs}) }); string(got) != "[]\n" {
		t.Errorf("without findings: %s", got)
	}
}

// A rule is the description of a rule in a SARIF log.
type rule struct {
	ID               string
	ShortDescription struct{ Text string }
}

// A sarifLog holds the members that a SARIF log of this program may have.
type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name, Version string
				Rules         []rule
			}
		}
		Invocations []struct{ ExecutionSuccessful bool }
		Results     []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           *struct{ StartLine int }
				}
			}
			PartialFingerprints map[string]string
		}
		ColumnKind string
	}
}

// TestGateSARIF checks the log against sections 3.13 to 3.31 of SARIF 2.1.0.
func TestGateSARIF(t *testing.T) {
	for _, s := range []string{"", " ü:#%?"} {
		var log sarifLog
		dec := json.NewDecoder(strings.NewReader(form(t, "sarif", s)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || len(log.Runs) != 1 {
			t.Fatalf("%+v", log)
		}
		run := log.Runs[0]
		if run.Invocations[0].ExecutionSuccessful {
			t.Error("a file could not be read, but the run is reported as successful")
		}
		uri := regexp.MustCompile(`^(\./)?[A-Za-z0-9\-._~%!$&'()*+,;=:@/]+$`)
		for _, r := range run.Results {
			at := r.Locations[0].PhysicalLocation
			if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || !slices.Contains([]string{"error", "warning"}, r.Level) ||
				!uri.MatchString(at.ArtifactLocation.URI) || at.Region != nil && at.Region.StartLine < 1 {
				t.Errorf("not a result: %+v %+v", r, at)
			}
		}
		for i, r := range run.Tool.Driver.Rules {
			if r.ShortDescription.Text == "" || slices.ContainsFunc(run.Tool.Driver.Rules[:i], func(o rule) bool { return o.ID == r.ID }) {
				t.Errorf("a rule is incomplete or repeated: %+v", r)
			}
		}
		if len(run.Results) != 5 || len(run.Tool.Driver.Rules) != 4 {
			t.Errorf("%d results, %d rules", len(run.Results), len(run.Tool.Driver.Rules))
		}
	}
	if got := form(t, "sarif", ""); strings.Contains(got, ": null") {
		t.Errorf("null:\n%s", got)
	}
}

func TestGateJUnit(t *testing.T) {
	for _, s := range []string{"", "]]><x>&\x00\x1b\ufffe\n"} {
		var all struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Suites   []struct {
				Name     string `xml:"name,attr"`
				Tests    int    `xml:"tests,attr"`
				Failures int    `xml:"failures,attr"`
				Errors   int    `xml:"errors,attr"`
				Cases    []struct {
					Failure *struct{} `xml:"failure"`
					Error   *struct{} `xml:"error"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(form(t, "junit", s)), &all); err != nil {
			t.Fatal(err)
		}
		if all.Tests != 5 || all.Failures != 2 || all.Errors != 1 || len(all.Suites) != 3 {
			t.Errorf("%d tests, %d failures, %d errors", all.Tests, all.Failures, all.Errors)
		}
		for _, suite := range all.Suites {
			failures, errors := 0, 0
			for _, c := range suite.Cases {
				if c.Failure != nil {
					failures++
				}
				if c.Error != nil {
					errors++
				}
			}
			if failures != suite.Failures || errors != suite.Errors || len(suite.Cases) != suite.Tests {
				t.Errorf("the sums of %s are wrong: %+v", suite.Name, suite)
			}
		}
	}
}

// TestGateJUnitAttributes checks that only elements and attributes of junit-10.xsd occur.
func TestGateJUnitAttributes(t *testing.T) {
	known := map[string]string{
		"testsuites": "name time tests failures errors",
		"testsuite":  "name tests failures errors group time skipped timestamp hostname id package file log url",
		"testcase":   "name time classname group",
		"failure":    "type message", "error": "type message", "system-out": "",
	}
	dec := xml.NewDecoder(strings.NewReader(form(t, "junit", "")))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes, ok := known[start.Name.Local]
		for _, a := range start.Attr {
			ok = ok && slices.Contains(strings.Fields(attributes), a.Name.Local)
		}
		if !ok {
			t.Errorf("not in the schema: %+v", start)
		}
	}
}

// TestGateTAP checks the lines of each test point, and that its description has no directive: # and \ are
// escaped there.
func TestGateTAP(t *testing.T) {
	const want = `TAP version 14
1..5
not ok 1 - aNAME.json: max-tokens
# aTEXT.json:12: condense/max-tokens: conversation 2, message 3: 1200 tokensTEXT; fix: runTEXT (error)
not ok 2 - aNAME.json: valid
# aTEXT.json:14: openai/tool-orphan: message 4: resultTEXT (error)
# aTEXT.json: any/line: tornTEXT (warning)
# aTEXT.json: any/line: tornTEXT (warning)
ok 3 - aNAME.json: min-savings
ok 4 - b.json: max-tokens
not ok 5 - cNAME: read
# cTEXT: condense/read: no such fileTEXT (error)
`
	for text, name := range map[string]string{"": "", "#": `\#`, `\`: `\\`, ` \# SKIP`: ` \\\# SKIP`} {
		if got := form(t, "tap", text); got != strings.NewReplacer("NAME", name, "TEXT", text).Replace(want) {
			t.Errorf("with %q: got\n%s", text, got)
		}
	}
}

// someDifference has a difference of each kind, with s in every string.
func someDifference(s string) *survey.Difference {
	return &survey.Difference{
		Version: survey.DifferenceVersion, Condense: "dev", A: "a" + s, B: "b" + s, FormatA: "openai", FormatB: "openai", Different: true,
		Tokenizer: report.Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1}, Tokens: report.Change{Before: 1000, After: 500}, Messages: report.Change{Before: 9, After: 8},
		Missing: []survey.Missing{{Conversation: 1, Message: 6, Block: 1, Text: "typed\n" + s}, {Conversation: 1, Message: 7, Block: 2, Text: s}},
		Conversations: []survey.Differs{
			{ID: "one" + s, Tokens: report.Change{Before: 1000, After: 500}, Changes: []survey.Differ{
				{Message: 2, Other: 2, Block: 1, Op: "shorten", What: "tool result Read" + s, Tokens: report.Change{Before: 400, After: 100}, Lines: &survey.LineCounts{Kept: 3, Omitted: 9, Added: 1}, Before: "one two three\n" + s, After: "one [1 word omitted] three" + s},
				{Message: 3, Other: 3, Block: 1, Op: "drop", What: "assistant text", Tokens: report.Change{Before: 200}, Before: s},
				{Message: 4, Other: 3, Op: "hide", What: "user message", Tokens: report.Change{Before: 5}},
				{Message: 5, Other: 4, Block: 2, Op: "rewrite", What: "tool call Bash", Tokens: report.Change{Before: 7, After: 7}, Note: "the id of its call", Before: "ls", After: "ls"},
				{Message: 6, Other: 5, Block: 1, Op: "insert", What: "user text", Tokens: report.Change{After: 9}, After: s},
			}},
			{ID: "", Only: "a"},
		},
	}
}

// TestDifferenceFits checks that no line is wider than the terminal, that nothing acts on it, and that
// colour changes nothing else.
func TestDifferenceFits(t *testing.T) {
	e := survey.Explain(hostile(nasty), 0)
	e.Place = &survey.Place{Message: 1, Of: 2, Role: "user" + nasty, Line: 3}
	for name, write := range map[string]func(io.Writer, Options) error{
		"diff":    func(w io.Writer, o Options) error { return writeDifference(w, someDifference(nasty), o) },
		"stat":    func(w io.Writer, o Options) error { return writeDifferenceList(w, someDifference(nasty), o) },
		"summary": func(w io.Writer, o Options) error { return DifferenceSummary(w, someDifference(nasty), o) },
		"typed":   func(w io.Writer, o Options) error { return writeMissing(w, someDifference(nasty), o) },
		"explain": func(w io.Writer, o Options) error { return writeExplanation(w, e, o) },
		"gate":    func(w io.Writer, o Options) error { return GateSummary(w, someGate(nasty), o) },
	} {
		paint := regexp.MustCompile(`\x1b\[[0-9;]*m`)
		for _, width := range []int{0, 1, 20, 40, 80, 200} {
			plain := string(rendered(t, func(w io.Writer) error { return write(w, Options{Width: width}) }))
			painted := string(rendered(t, func(w io.Writer) error { return write(w, Options{Width: width, Color: true}) }))
			if paint.ReplaceAllString(painted, "") != plain {
				t.Errorf("%s of width %d: colour changes more than the colour:\n%q\n%q", name, width, painted, plain)
			}
			safe(t, plain, "\n\t")
			for line := range strings.Lines(plain) {
				if width > 0 && len([]rune(strings.TrimSuffix(line, "\n"))) > width && !strings.ContainsFunc(line, func(r rune) bool { return r > 0x2fff }) {
					t.Errorf("%s: wider than %d: %q", name, width, line)
				}
			}
		}
	}
}
