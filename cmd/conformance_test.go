package cmd_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// theirs lists the cases of the systems that condense imitates.
const theirs = "TR1-16 DM1-18 SU1-13 CB1-6 SY1-7 TT1-12 SS1-6 EF1-16 RW1-9 KT1-12 V1-9 TK1-5 FO1-6 MC1-3 TRI1-4 IM1-2 WE1-4 " +
	"BP1-4 RG1 CM1-8 LD1-8 LC1-7 TS1-9 SM1-13 CX1-3 CA1-3 TC1-6 RT1-4 CV1 SG1-5 RQ1-8"

// TestConformance compares .github/CONFORMANCE.md with the tests: every case is in the
// test file that the row names, or the row has a reason.
func TestConformance(t *testing.T) {
	page, err := os.ReadFile("../.github/CONFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !ranges.MatchString(strings.TrimSpace(cells[0])) {
			continue
		}
		ids := cases(strings.TrimSpace(cells[0]))
		listed = append(listed, ids...)
		if len(cells) < 3 { // a reason
			if len(strings.Fields(cells[1])) < 5 {
				t.Errorf("%s have no reason", cells[0])
			}
			continue
		}
		var tests strings.Builder
		for _, name := range strings.Fields(cells[2]) {
			text, err := os.ReadFile("../" + name)
			if err != nil {
				t.Error(err)
			}
			tests.Write(text)
		}
		named := cases(strings.Join(mentions.FindAllString(tests.String(), -1), " "))
		for _, id := range ids {
			if !slices.Contains(named, id) {
				t.Errorf("%s is not in%s", id, cells[2])
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

var (
	ranges   = regexp.MustCompile(`^(?:[A-Z]+\d+(?:-\d+)? ?)+$`)
	mentions = regexp.MustCompile(`\b[A-Z]{1,3}\d{1,2}(?:(?:-| to [A-Z]{1,3})\d{1,2})?\b`)
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
