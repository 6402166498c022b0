package endtoend

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// JUnit reports have no standard, but most tools follow the schema of Jenkins, which the table below
// repeats: https://github.com/jenkinsci/xunit-plugin, junit-10.xsd in the folder types/model/xsd of
// its resources. If xmllint is installed and the variable JUNIT_XSD names that file, the tests also
// run xmllint.

// junitElement describes the allowed content of an element.
type junitElement struct {
	children string // elements that may occur any number of times, in any order
	required string // attributes that must be set
	optional string // attributes that may be set
	text     bool   // set if text is allowed
}

const junitRerun = "rerunFailure rerunError flakyFailure flakyError"

var junitElements = map[string]junitElement{
	"testsuites": {children: "testsuite", optional: "name time tests failures errors"},
	"testsuite": {children: "testsuite properties testcase system-out system-err", required: "name tests failures errors",
		optional: "group time skipped timestamp hostname id package file log url"},
	"testcase":     {children: "skipped error failure system-out system-err " + junitRerun, required: "name", optional: "time classname group"},
	"failure":      {optional: "type message", text: true},
	"error":        {optional: "type message", text: true},
	"skipped":      {optional: "type message", text: true},
	"properties":   {children: "property"},
	"property":     {required: "name value"},
	"system-out":   {text: true},
	"system-err":   {text: true},
	"rerunFailure": {children: "stackTrace system-out system-err", required: "type", optional: "message", text: true},
	"rerunError":   {children: "stackTrace system-out system-err", required: "type", optional: "message", text: true},
	"flakyFailure": {children: "stackTrace system-out system-err", required: "type", optional: "message", text: true},
	"flakyError":   {children: "stackTrace system-out system-err", required: "type", optional: "message", text: true},
	"stackTrace":   {text: true},
}

// surefireTime matches the times of suites, in seconds.
var surefireTime = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)

// junitNode is an element of a report.
type junitNode struct {
	XMLName  xml.Name
	Attrs    []xml.Attr  `xml:",any,attr"`
	Text     string      `xml:",chardata"`
	Children []junitNode `xml:",any"`
}

// attr returns the value of an attribute, "" if it is not set.
func (n *junitNode) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all returns the elements with a name below a node.
func (n *junitNode) all(name string) (list []*junitNode) {
	for i := range n.Children {
		c := &n.Children[i]
		if c.XMLName.Local == name {
			list = append(list, c)
		}
		list = append(list, c.all(name)...)
	}
	return list
}

// parseJUnit parses a report and checks it by the schema.
func parseJUnit(text []byte) (*junitNode, error) {
	dec := xml.NewDecoder(bytes.NewReader(text))
	root := new(junitNode)
	if err := dec.Decode(root); err != nil {
		return nil, err
	}
	if rest := bytes.TrimSpace(text[dec.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("found %s after the root element", rest)
	}
	if !slices.Contains([]string{"testsuites", "testsuite"}, root.XMLName.Local) {
		return nil, fmt.Errorf("the root element is <%s>", root.XMLName.Local)
	}
	return root, errors.Join(root.check()...)
}

// check returns the violations of the schema in a node and the nodes below it.
func (n *junitNode) check() (wrong []error) {
	name := n.XMLName.Local
	e, known := junitElements[name]
	report := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("<%s>: "+format, append([]any{name}, args...)...))
	}
	if !known || n.XMLName.Space != "" {
		report("no element of the schema")
	}
	if !e.text && strings.TrimSpace(n.Text) != "" {
		report("has text: %q", n.Text)
	}
	attributes := strings.Fields(e.required + " " + e.optional)
	for _, a := range n.Attrs {
		if a.Name.Space != "" || !slices.Contains(attributes, a.Name.Local) {
			report("has no attribute %s", a.Name.Local)
		}
	}
	for _, want := range strings.Fields(e.required) {
		if !slices.ContainsFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Local == want }) {
			report("lacks the attribute %s", want)
		}
	}
	if strings.HasPrefix(name, "testsuite") && !surefireTime.MatchString(n.attr("time")) {
		report("time is %q", n.attr("time"))
	}
	for i := range n.Children {
		c := &n.Children[i]
		if !slices.Contains(strings.Fields(e.children), c.XMLName.Local) {
			report("must not hold <%s>", c.XMLName.Local)
		}
		wrong = append(wrong, c.check()...)
	}
	return wrong
}

// checkSums compares the counts in a report with its elements, which no schema can do.
func (n *junitNode) checkSums() (wrong []error) {
	for attribute, element := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error"} {
		if got, want := n.attr(attribute), strconv.Itoa(len(n.all(element))); got != want {
			wrong = append(wrong, fmt.Errorf("%s %q: %s=%q, want %s", n.XMLName.Local, n.attr("name"), attribute, got, want))
		}
	}
	for _, suite := range n.all("testsuite") {
		wrong = append(wrong, suite.checkSums()...)
	}
	return wrong
}

// junitFindings checks a report by the schema and returns the number of its findings. Each finding
// is a line in the text of a test case.
func junitFindings(t *testing.T, name string, text []byte) int {
	t.Helper()
	root, err := parseJUnit(text)
	if err == nil {
		err = errors.Join(root.checkSums()...)
	}
	if err == nil {
		err = xmllint(t, text)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return 0
	}
	findings := 0
	for _, element := range []string{"failure", "error", "system-out"} {
		for _, n := range root.all(element) {
			findings += strings.Count(n.Text, "\n") + 1
		}
	}
	return findings
}

// xmllint runs xmllint with the schema that JUNIT_XSD names. It returns nil if either is missing.
func xmllint(t *testing.T, text []byte) error {
	schema := os.Getenv("JUNIT_XSD")
	program, err := exec.LookPath("xmllint")
	if schema == "" || err != nil {
		return nil
	}
	path := filepath.Join(t.TempDir(), "report.xml")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	if out, err := exec.Command(program, "--noout", "--nonet", "--schema", schema, path).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// TestJUnitSchemaRefuses checks that the schema refuses reports with one error each.
func TestJUnitSchemaRefuses(t *testing.T) {
	good := `<testsuites tests="1"><testsuite name="a" tests="1" failures="1" errors="0"><testcase name="b"><failure message="c">d</failure></testcase></testsuite></testsuites>`
	if _, err := parseJUnit([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`<testcase name="b">`, `<testcase>`, "lacks the attribute name"},
		{` errors="0"`, ``, "lacks the attribute errors"},
		{`<testcase name`, `<testcase line="3" name`, "has no attribute line"},
		{`<testsuites tests="1">`, `<testsuites tests="1">text`, "has text"},
		{`<failure message="c">d</failure>`, `<failure><error/></failure>`, "must not hold <error>"},
		{`<failure message="c">d</failure>`, `<note/>`, "no element of the schema"},
		{`<testsuites tests="1">`, `<testsuites time="soon">`, "time is"},
		{`</testsuites>`, `</testsuites><testsuites/>`, "after the root"},
	} {
		if _, err := parseJUnit([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in place of %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}
