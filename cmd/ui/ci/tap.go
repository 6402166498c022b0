package ci

import (
	"fmt"
	"io"
	"strings"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// TAP writes a test point for each file and demand, with the findings as diagnostics.
func TAP(w io.Writer, g *report.Gate, o content.Options) error {
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

// tapText is a description: # would begin a directive.
func tapText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(escape.Line(s))
}
