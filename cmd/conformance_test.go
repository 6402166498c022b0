package cmd_test

import (
	"go/build"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// theirs lists the cases of the systems that condense imitates.
const theirs = "TR1-16 DM1-18 SU1-13 CB1-6 SY1-7 TT1-12 SS1-6 EF1-16 RW1-9 KT1-12 V1-9 TK1-5 FO1-6 MC1-3 TRI1-4 IM1-2 WE1-4 " +
	"BP1-4 RG1 CM1-8 LD1-8 LC1-7 TS1-9 SM1-13 CX1-3 CA1-3 TC1-6 RT1-4 CV1 SG1-5 RQ1-8"

// TestConformance compares .github/CONFORMANCE.md with the tests: every case is a subtest
// of a file that the row names, and passes, or the row has a reason.
func TestConformance(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../.github/CONFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	rows := map[string][]string{} // cases by the files that hold their tests, one or several
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !ranges.MatchString(strings.TrimSpace(cells[0])) {
			continue
		}
		ids := cases(strings.TrimSpace(cells[0]))
		listed = append(listed, ids...)
		switch {
		case len(cells) >= 3:
			files := strings.TrimSpace(cells[2])
			rows[files] = append(rows[files], ids...)
		case len(strings.Fields(cells[1])) < 5:
			t.Errorf("%s have no reason", cells[0])
		}
	}
	passed := passedIn(t, slices.Sorted(maps.Keys(rows)))
	for files, ids := range rows {
		for _, id := range ids {
			if !slices.ContainsFunc(strings.Fields(files), func(name string) bool { return slices.Contains(passed[name], id) }) {
				t.Errorf("no subtest %s passed in %s", id, files)
			}
		}
	}
	all := cases(theirs)
	for _, id := range all {
		if n := len(slices.DeleteFunc(slices.Clone(listed), func(other string) bool { return other != id })); n != 1 {
			t.Errorf("%s is listed %d times", id, n)
		}
	}
	if !strings.Contains(string(page), strconv.Itoa(len(all))+" in all") || len(listed) != len(all) {
		t.Errorf("there are %d cases, %d are listed", len(all), len(listed))
	}
}

// TestThreats compares .github/THREATS.md with the tests: all ids are there, each with its sources and a
// result, and go test ./... runs every test of a row, on Linux with -short as well. Whether a test passes
// is shown there, and whether one may be skipped by scripts/skips.
func TestThreats(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../.github/THREATS.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	rows := map[string][]string{} // by id: files, each before the names of its tests
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		id := strings.TrimSpace(cells[0])
		if !ranges.MatchString(id) {
			continue
		}
		listed = append(listed, id)
		if len(cells) != 5 || !result.MatchString(strings.TrimSpace(cells[3])) {
			t.Errorf("%s has no result", id)
			continue
		}
		rows[id] = strings.Fields(cells[4])
	}
	if want := cases("F1-18 T1-22"); !slices.Equal(listed, want) {
		t.Errorf("got the ids %q, want %q", listed, want)
	}
	for id, words := range rows {
		file, tests := "", 0
		for _, word := range words {
			if strings.HasSuffix(word, "_test.go") {
				file = word
				continue
			}
			text, err := os.ReadFile("../" + file)
			_, body, ok := strings.Cut(string(text), "\nfunc "+word+"(t *testing.T) {\n")
			body, _, _ = strings.Cut(body, "\n}\n")
			if err != nil || !ok || notShort.MatchString(body) {
				t.Errorf("%s: %s has no %s, or skips it with -short", id, file, word)
				continue
			}
			if runtime.GOOS == "linux" && !compiled(t, file) {
				t.Errorf("%s: go test leaves out %s", id, file)
			}
			tests++
		}
		if tests == 0 {
			t.Errorf("%s has no test", id)
		}
	}
}

// compiled reports whether go test compiles a file of tests: no build constraint, no other module and no
// directory of test data excludes it.
func compiled(t *testing.T, file string) bool {
	t.Helper()
	dir := path.Dir(file)
	for up := dir; up != "."; up = path.Dir(up) {
		if _, err := os.Stat("../" + up + "/go.mod"); err == nil && up != "testdata/endtoend" { // .ci/run adds its tests
			return false
		}
		if name := path.Base(up); name == "testdata" && !strings.HasPrefix(dir, "testdata/endtoend") || strings.HasPrefix(name, "_") {
			return false
		}
	}
	p, err := build.Default.ImportDir("../"+dir, 0)
	if err != nil {
		t.Error(err)
		return false
	}
	return slices.Contains(slices.Concat(p.TestGoFiles, p.XTestGoFiles), path.Base(file))
}

// TestCompiled checks which files of tests go test leaves out.
func TestCompiled(t *testing.T) {
	here := "cmd/conformance_test.go"
	for file, want := range map[string]bool{
		here: true, "cmd/pick_linux_test.go": runtime.GOOS == "linux", "testdata/endtoend/scripts_test.go": true, "scripts/beam/test/no_test.go": false,
		"cmd/conformance.go": false, "cmd/testdata/a_test.go": false,
	} {
		if got := compiled(t, file); got != want {
			t.Errorf("%s: %t", file, got)
		}
	}
}

// result matches the result of a row.
var result = regexp.MustCompile(`^(holds|(in part|not so): \w.{20,})$`)

// passedIn runs the tests of the files in lists, and returns the cases in the names of the
// subtests that passed, by file. A script is one test: its cases are those in its comments.
func passedIn(t *testing.T, lists []string) map[string][]string {
	t.Helper()
	passed := map[string][]string{}
	files := map[string]string{}       // of each test, by directory and name
	functions := map[string][]string{} // by directory
	for _, list := range lists {
		for _, name := range strings.Fields(list) {
			if passed[name] != nil {
				continue
			}
			text, err := os.ReadFile("../" + name)
			if err != nil {
				t.Error(err)
				continue
			}
			passed[name] = []string{""}
			if filepath.Ext(name) != ".go" { // a script, which TestScripts runs
				passed[name] = cases(strings.Join(mentions.FindAllString(strings.Join(comments.FindAllString(string(text), -1), " "), -1), " "))
				continue
			}
			dir := path.Dir(name)
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				files[dir+" "+m[1]] = name
				functions[dir] = append(functions[dir], m[1])
			}
		}
	}
	for dir, names := range functions {
		for line := range strings.Lines(goTest(t, dir, names, passes)) {
			test, _, _ := strings.Cut(strings.TrimSpace(line), "/")
			name := files[dir+" "+test]
			passed[name] = append(passed[name], cases(strings.Join(mentions.FindAllString(line, -1), " "))...)
		}
	}
	return passed
}

// goTest runs tests of a package and returns the names of those with a line that matches, one a line.
func goTest(t *testing.T, dir string, functions []string, match *regexp.Regexp) string {
	t.Helper()
	cmd := exec.Command("go", "test", "-C", "../"+dir, "-v", "-short", "-run", "^("+strings.Join(functions, "|")+")$", ".")
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", cmd, err, output)
	}
	var lines strings.Builder
	for _, m := range match.FindAllSubmatch(output, -1) {
		lines.WriteString(strings.ReplaceAll(string(m[1]), "_", " ") + "\n")
	}
	return lines.String()
}

var (
	ranges   = regexp.MustCompile(`^(?:[A-Z]+\d+(?:-\d+)? ?)+$`)
	mentions = regexp.MustCompile(`\b[A-Z]{1,3}\d{1,2}(?:(?:-| to [A-Z]{1,3})\d{1,2})?\b`)
	comments = regexp.MustCompile(`(?m)^#.*`)
	declared = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing`)
	passes   = regexp.MustCompile(`(?m)^ *--- PASS: (\S+)`)
	notShort = regexp.MustCompile(`testing\.Short\(\)[^\n]*\n\s*t\.Skip`)
	oneRange = regexp.MustCompile(`^([A-Z]+)(\d+)(?:-(\d+))?$`)
)

// cases returns the ids in a text: TR1, TR2, TR3 and SU5 for "TR1-3 SU5" or "TR1 to TR3 SU5".
func cases(text string) (ids []string) {
	text = regexp.MustCompile(` to [A-Z]+`).ReplaceAllString(text, "-")
	for _, word := range strings.Fields(text) {
		m := oneRange.FindStringSubmatch(word)
		if m == nil {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to := from
		if m[3] != "" {
			to, _ = strconv.Atoi(m[3])
		}
		for n := from; n <= to; n++ {
			ids = append(ids, m[1]+strconv.Itoa(n))
		}
	}
	return ids
}
