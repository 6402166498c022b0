package ci

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/ui/content"
)

// A gitlabIssue is one finding of a Code Quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"` // info, minor, major, critical, blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes a Code Quality report, which must be an array even when it is empty.
func GitLab(w io.Writer, g *gate.Gate, o content.Options) error {
	root := o.Rooted
	issues := []gitlabIssue{}
	prints := fingerprints{}
	for b := range g.Breaches() {
		severity := "major"
		if !b.IsError() {
			severity = "minor"
		}
		issues = append(issues, gitlabIssue{
			Description: b.Sentence(), CheckName: b.Rule, Fingerprint: prints.of(b, root), Severity: severity,
			Location: gitlabLocation{root(b.Path), gitlabLines{max(1, b.Line)}},
		})
	}
	return report.JSON(w, issues)
}

// fingerprints counts the earlier findings of the same kind.
type fingerprints map[string]int

// of returns a fingerprint that identifies a finding across runs. It depends on the rule, the file, the
// conversation and the number of earlier findings of that rule. It does not depend on lines, messages
// and texts, which change when a session grows.
func (f fingerprints) of(b *gate.Breach, root func(string) string) string {
	key := strings.Join([]string{b.Rule, root(b.Path), strconv.Itoa(b.Conversation)}, "\x00")
	f[key]++
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(f[key])))
	return hex.EncodeToString(sum[:16])
}
