package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript/lazyregexp"
)

// A check is a command that tests, builds or examines the code of a project. Agents repeat it until it
// passes, and then the failures of earlier runs are out of date.

// checkers are programs that are checks whatever their arguments are, as a part of a regular expression.
const checkers = `pytest|jest|vitest|mocha|tox|ctest|rspec|phpunit|tsc|eslint|ruff|mypy|golangci-lint|staticcheck|playwright|cypress|make|cmake|mvn|gradlew?|bazel|unittest`

// runners are programs that run the tasks of a project, as a part of a regular expression.
const runners = `npm|pnpm|yarn|bun|deno|cargo|go|mix|dotnet|swift|flutter|composer|mise|just|task|rake|turbo|nx|moon|pdm|hatch`

// checks matches a check up to the end of the command. Other programs may run it, such as time and npx.
var checks = lazyregexp.New(`(?:^|[;&|(\n])\s*(?:[\w./=:@-]+ )*(?:[\w./-]*/)?((?:(?:` + runners + `) (?:run )?(?:test|t|build|vet|check|clippy|lint|type-?check|tsc)|` + checkers + `)\b[^|;&<>\n]*)`)

// checksIn returns the checks in a shell command, without flags and redirections: commands with the same
// checks examine the same things. It returns "" for other commands.
func checksIn(command string) string {
	if !hasEffectWord(command) {
		return ""
	}
	var words []string
	for _, m := range checks.FindAllStringSubmatch(command, -1) {
		for word := range strings.FieldsSeq(m[1]) {
			if word[0] != '-' && word != "1" && word != "2" { // a number is the left side of 2>&1
				words = append(words, word)
			}
		}
		words = append(words, ";")
	}
	return strings.Join(words, " ")
}

// markChecks links the runs of checks to a later run of the same checks that passed.
func (d *draft) markChecks() {
	passed := map[string]*step{} // the first run after the one at hand that passed
	for i := len(d.steps) - 1; i >= 0; i-- {
		s := &d.steps[i]
		if len(s.calls) != 1 || len(s.results) == 0 || s.checks == "" {
			continue
		}
		if later := passed[s.checks]; later != nil {
			s.passed = later
			failed := later.specials()
			failed.failed = append(failed.failed, s)
		}
		if s.passes = d.passes(s); s.passes {
			passed[s.checks] = s
		}
	}
}

// outdated reports whether what a step reports is out of date, and nothing that is kept tells: it is a check,
// a later run of it passed, and neither the call of that run nor its line of a record is kept.
func (s *step) outdated() bool { return s.passed != nil && !s.passed.label && !s.passed.real }

// passes reports whether no result of a step states a failure. Where it counts the outcomes of tests, other lines
// are no failures: tests print errors and pass.
func (d *draft) passes(s *step) bool {
	if strings.HasPrefix(s.entry.outcome, " failed") {
		return false
	}
	for _, ref := range s.results {
		text := d.Conv.Block(ref).Text()
		counted := squeeze.Counts(text) != ""
		for line := range strings.Lines(text) {
			switch {
			case squeeze.Cue(line) >= 1 && !counted && !noFailures.MatchString(line), mayFail(line) && failedTest.MatchString(line):
				return false
			}
		}
	}
	return true
}

var (
	// noFailures matches a count of failures that is zero.
	noFailures = lazyregexp.New(`(?i)(?:^|[^\w.:/-]|\D:)0 (?:fail(?:ed|ing|ures?)?|errors?)\b`)

	// failedTest matches a line that counts failed tests, or names a test or a package that failed.
	failedTest = lazyregexp.New(`\bFAIL(?:ED|URE)?\b|^\s*(?:not ok\b|\(fail\)|[✗✘✖×]|(?i:\W*(?:tests?(?: suites?| files)?:?\s+)?(?:[\d,]+ \w+\W+)*[1-9][\d,]* fail))|(?i:\b(?:failures|errors)[:=] ?[1-9])`)
)

// mayFail reports whether failedTest may match a line. It excludes most lines without the regular expression,
// which is slow.
func mayFail(line string) bool {
	for _, word := range [...]string{"fail", "FAIL", "Fail", "rrors", "RRORS", "not ok", "✗", "✘", "✖", "×"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// calmPassed removes the cues of errors in the results of checks that passed.
func (d *draft) calmPassed() {
	for i := range d.texts {
		if t := &d.texts[i]; t.form == result && t.step >= 0 && d.steps[t.step].passes {
			for k := range t.cut.Pieces {
				if p := &t.cut.Pieces[k]; p.Cue >= 1 {
					p.Cue = 0
				}
			}
		}
	}
}
