package chronicle

import (
	"slices"
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/transcript/lazyregexp"
)

// Limits for the places of hits in a record.
const (
	mostPlaces = 90  // bytes
	mostHits   = 100 // hits that are read
)

// placesOf returns the files and lines of the hits of a search, those in tests last, as in "gate.go:7, 31; tide.go:4". It
// returns "" for output that names no lines of files.
func placesOf(output string) string {
	var sources, tests []string
	bases, lines := map[string]int{}, map[string][]string{}
	hits := 0
	for line := range strings.Lines(output) {
		file, number, ok := hitOf(line)
		if !ok || slices.Contains(lines[file], number) {
			continue
		}
		if hits++; hits > mostHits {
			break
		}
		switch {
		case lines[file] != nil:
		case isTestFile(file):
			tests = append(tests, file)
		default:
			sources = append(sources, file)
		}
		if lines[file] == nil {
			bases[lastOf(file, 1)]++
		}
		lines[file] = append(lines[file], number)
	}
	var list strings.Builder
	for _, file := range slices.Concat(sources, tests) {
		name := lastOf(file, 1)
		if bases[name] > 1 {
			name = lastOf(file, 2)
		}
		for i, line := range lines[file] {
			next := ", " + line
			if i == 0 {
				next = "; " + name + ":" + line
			}
			if list.Len()+len(next) > mostPlaces {
				return strings.TrimPrefix(list.String(), "; ") + ", …"
			}
			list.WriteString(next)
		}
	}
	return strings.TrimPrefix(list.String(), "; ")
}

// lastOf returns the last n elements of a path.
func lastOf(file string, n int) string {
	at := len(file)
	for ; n > 0 && at >= 0; n-- {
		at = strings.LastIndexAny(file[:at], `/\`)
	}
	return file[at+1:]
}

// hitOf returns the file and the number in a line such as "keel/gate.go:31: open()", which a search printed.
func hitOf(line string) (file, number string, ok bool) {
	drive := 0 // length of a drive such as C:
	if len(line) > 2 && line[1] == ':' && line[2] == '\\' {
		drive = 2
	}
	file, rest, _ := strings.Cut(line[drive:], ":")
	number, _, ok = strings.Cut(rest, ":")
	isFile := strings.IndexFunc(file, unicode.IsLetter) >= 0 && !strings.ContainsAny(file, " \t") // rather than a time or a sentence
	isNumber := number != "" && len(number) <= 7 && strings.Trim(number, "0123456789") == ""
	if !ok || !isFile || !isNumber {
		return "", "", false
	}
	return file, number, true
}

// testName matches the name of a file with tests.
var testName = lazyregexp.New(`(?i)^tests?[._]|[._-](?:test|tests|spec)\.`)

// isTestFile reports whether the name of a file is that of a file with tests.
func isTestFile(file string) bool { return testName.MatchString(lastOf(file, 1)) }

// hitsTest reports whether a line of the results of a search is a hit in a file with tests.
func (t *text) hitsTest(i int) bool {
	if t.form != result || t.cut.Kind != squeeze.Search {
		return false
	}
	file, _, ok := hitOf(t.source(i, i+1))
	return ok && isTestFile(file)
}
