package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"condense/cmd/report/gate"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// JUnit reports have no standard. This file follows the schema of Jenkins (junit-10.xsd of its xUnit
// plugin): a test suite for each file and a test case for each demand. A case has at most one failure,
// as older readers require. TAP is version 14 of the Test Anything Protocol.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Error   *junitFailure `xml:"error,omitempty"` // set if the file could not be read
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a test suite for each file.
func JUnit(w io.Writer, g *gate.Gate, o content.Options) error {
	root := o.Rooted
	all := junitSuites{Name: "condense check"}
	for i := range g.Files {
		file := &g.Files[i]
		suite := junitSuite{Name: xmlText(root(file.Input)), File: xmlText(root(file.Input))}
		for _, c := range casesOf(file) {
			one := junitCase{Class: suite.Name, Name: xmlText(c.demand)}
			text := xmlText(strings.Join(c.lines(root), "\n"))
			switch {
			case c.demand == "read":
				one.Error = &junitFailure{xmlText(c.worst().Sentence()), xmlText(c.worst().Rule), text}
				suite.Errors++
			case c.failed():
				one.Failure = &junitFailure{xmlText(c.worst().Sentence()), xmlText(c.worst().Rule), text}
				suite.Failures++
			default:
				one.Out = text
			}
			suite.Cases = append(suite.Cases, one)
			suite.Tests++
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	doc, err := xml.MarshalIndent(&all, "", "  ")
	if err != nil {
		return fmt.Errorf("findings as JUnit: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(doc)+"\n")
	return err
}

// xmlText escapes runes that act on a terminal or that XML does not allow.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, escape.Text(s))
}

// A gateCase holds the findings of one demand on one file.
type gateCase struct {
	demand   string
	findings []*gate.Breach
}

// casesOf returns a case for each demand, or a single case for a file that could not be read.
func casesOf(f *gate.Gated) []gateCase {
	demands := f.Demands
	for i := range f.Findings {
		if f.Findings[i].Demand == "read" {
			demands = []string{"read"}
		}
	}
	list := make([]gateCase, len(demands))
	for i, demand := range demands {
		list[i].demand = demand
		for j := range f.Findings {
			if f.Findings[j].Demand == demand {
				list[i].findings = append(list[i].findings, &f.Findings[j])
			}
		}
	}
	return list
}

// failed reports whether there is an error among the findings.
func (c *gateCase) failed() bool { return len(c.findings) > 0 && c.worst().IsError() }

// worst returns the first error, or the first warning if there is no error.
func (c *gateCase) worst() *gate.Breach {
	for _, b := range c.findings {
		if b.IsError() {
			return b
		}
	}
	return c.findings[0]
}

// lines returns the findings as text.
func (c *gateCase) lines(root func(string) string) (lines []string) {
	for _, b := range c.findings {
		place := root(b.Path)
		if b.Line > 0 {
			place += fmt.Sprintf(":%d", b.Line)
		}
		lines = append(lines, escape.Line(place+": "+b.Rule+": "+b.Sentence()+" ("+b.Severity+")"))
	}
	return lines
}

// TAP writes a test point for each file and demand, with the findings as diagnostics.
func TAP(w io.Writer, g *gate.Gate, o content.Options) error {
	root := o.Rooted
	var out strings.Builder
	n := 0
	for i := range g.Files {
		for _, c := range casesOf(&g.Files[i]) {
			n++
			result := "ok"
			if c.failed() {
				result = "not ok"
			}
			fmt.Fprintf(&out, "%s %d - %s: %s\n", result, n, tapText(root(g.Files[i].Input)), tapText(c.demand))
			for _, line := range c.lines(root) {
				out.WriteString("# " + line + "\n")
			}
		}
	}
	_, err := fmt.Fprintf(w, "TAP version 14\n1..%d\n%s", n, out.String())
	return err
}

// tapText escapes a description, in which # would begin a directive.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(escape.Line(s))
}
