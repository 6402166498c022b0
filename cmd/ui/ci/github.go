package ci

import (
	"fmt"
	"io"
	"strings"

	"condense/cmd/report/gate"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// GitHub writes an annotation for each finding. A runner shows the first ten errors and the first ten
// warnings of a step, and writes the others to its log.
func GitHub(w io.Writer, g *gate.Gate, o content.Options) error {
	root := o.Rooted
	var out strings.Builder
	for b := range g.Breaches() {
		fmt.Fprintf(&out, "::%s file=%s", b.Severity, githubProperty(root(b.Path)))
		if b.Line > 0 {
			fmt.Fprintf(&out, ",line=%d", b.Line)
		}
		fmt.Fprintf(&out, ",title=%s::%s\n", githubProperty(b.Rule), githubText(b.Sentence()))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// githubText escapes text so that it stays one command and writes no escape code to the log.
func githubText(s string) string { return strings.ReplaceAll(escape.Line(s), "%", "%25") }

// githubProperty is githubText for a property, which a colon or a comma would end.
func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}
