package format

import (
	"regexp"
	"strings"
	"testing"
)

// TestHeads checks that a text is recognised by its first letter wherever an expression matches, for
// each alternative of the two expressions.
func TestHeads(t *testing.T) {
	for _, head := range []struct {
		re *regexp.Regexp
		is func(string) bool
	}{{injectedHead, isInjected}, {summaryHead, isSummary}} {
		list := strings.NewReplacer(`(?:<(?:`, "(?:<", `)|`, "|", `)`, "", `\b`, "", `\`, "").Replace(head.re.String())
		_, list, _ = strings.Cut(list, "(?:")
		matched := 0
		for _, text := range strings.Split(list, "|") {
			for _, text := range []string{text, "<" + text, " \t\n\r\f" + text, "\v" + text, "x" + text} {
				if head.is(text) != head.re.MatchString(text) {
					t.Errorf("%q is recognised: %v", text, head.is(text))
				}
				if head.is(text) {
					matched++
				}
			}
		}
		if matched < 8 {
			t.Errorf("%d texts match %s", matched, head.re)
		}
		if head.is("") || head.is(" ") {
			t.Error("nothing is recognised")
		}
	}
}
