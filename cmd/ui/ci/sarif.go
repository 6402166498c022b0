// Package ci writes the findings of condense check in the forms of CI hosts. Each form follows a
// published document:
//
//	GitHub  "Workflow commands for GitHub Actions": ::error file=…,line=…,title=…::message
//	GitLab  "Code Quality report format": an array of {description, check_name, fingerprint, severity, location}
//	SARIF   Static Analysis Results Interchange Format 2.1.0, OASIS Standard, 27 March 2020
//	JUnit   the schema of Jenkins, junit-10.xsd of its xUnit plugin
//	TAP     version 14 of the Test Anything Protocol
//
// Paths begin at the root of the repository; see [content.Options.Root].
package ci

import (
	"io"
	"net/url"
	"path"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/ui/content"
	"condense/transcript/rules"
)

// The types below are the part of SARIF that condense writes.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string       `json:"id"`
	ShortDescription sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool `json:"executionSuccessful"` // reports whether every file could be read
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"` // error, warning
	Message             sarifMessage      `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// SARIF writes a SARIF log of one run.
func SARIF(w io.Writer, g *gate.Gate, o content.Options) error {
	root := o.Rooted
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "condense", Version: g.Condense, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		Results:     []sarifResult{},
		ColumnKind:  "unicodeCodePoints",
	}
	index := map[string]int{}
	prints := fingerprints{}
	for b := range g.Breaches() {
		if b.Demand == "read" {
			run.Invocations[0].ExecutionSuccessful = false
		}
		at, known := index[b.Rule]
		if !known {
			at = len(index)
			index[b.Rule] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{b.Rule, sarifMessage{ruleDoc(b)}})
		}
		where := sarifPhysical{ArtifactLocation: sarifURI(root(b.Path))}
		if b.Line > 0 {
			where.Region = &sarifRegion{b.Line}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: b.Rule, RuleIndex: at, Level: b.Severity, Message: sarifMessage{b.Sentence()},
			Locations:           []sarifLocation{{where}},
			PartialFingerprints: map[string]string{"condense/v1": prints.of(b, root)},
		})
	}
	return report.JSON(w, &sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// sarifURI returns a path as a URI reference. A relative path is below the root of the source tree.
func sarifURI(p string) sarifArtifact {
	if path.IsAbs(p) {
		u := url.URL{Scheme: "file", Path: p}
		return sarifArtifact{URI: u.String()}
	}
	u := url.URL{Path: p} // url.URL puts ./ before a name such as a:b
	return sarifArtifact{URI: u.String(), URIBaseID: "%SRCROOT%"}
}

// demandDocs describes each demand.
var demandDocs = map[string]string{
	"max-tokens":    "No conversation has more tokens than --max-tokens.",
	"min-savings":   "Condensing saves at least the share --min-savings of the tokens.",
	"max-growth":    "The tokens of a file have not grown by more than --max-growth since the baseline was written.",
	"min-retention": "After condensing, every conversation has the retention that --min-retention demands.",
	"expect":        "Condensing a file results byte for byte in its file in the folder of --expect.",
	"read":          "A file can be read as a conversation.",
}

// ruleDoc returns the description of a finding's rule.
func ruleDoc(b *gate.Breach) string {
	for _, p := range rules.Profiles {
		if r := p.Rule(b.Rule); r != nil {
			return r.Doc
		}
	}
	if doc, ok := demandDocs[b.Demand]; ok {
		return doc
	}
	return "The output is valid, and smaller than the input." // of a refused output
}
