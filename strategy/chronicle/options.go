package chronicle

import (
	"regexp"
	"strings"
)

// This file finds the options that a reply names by their numbers: "2" says nothing without the list in the answer
// before it.

// option matches the number or the letter of an option at the beginning of a reply: "2", "B, but without the cache".
var option = regexp.MustCompile(`(?i)\A\s*(?:options? |#)?([1-9a-e])(?:(?:,| and| \+)\s*([1-9a-e]))?(?:\z|[\s.,:;)!])`)

// chosenIn returns the options that a reply names at its beginning, or "".
func chosenIn(reply string) string {
	m := option.FindStringSubmatch(reply)
	if m == nil {
		return ""
	}
	return strings.ToUpper(m[1] + m[2])
}

// optionItem matches the beginning of an option in a list.
var optionItem = regexp.MustCompile(`\A\s*(?:[-*#]+ )?(?:\*\*)?(?:Option )?([1-9A-E])(?:[.):]|\*\*)`)

// options keeps the chosen options of the lists in closing answers, the newest first.
func (c *choice) options(left float64) {
	for k := len(c.texts) - 1; k >= 0; k-- {
		t := &c.texts[k]
		chosen := c.chosen[int(t.msg)]
		if !t.closing || chosen == "" {
			continue
		}
		for i := range t.cut.Pieces {
			m := optionItem.FindStringSubmatch(t.source(i, i+1))
			if m == nil || !strings.Contains(chosen, m[1]) {
				continue
			}

			if at, ok := c.itemOf(t, i, i+1); ok {
				spent, _ := c.takeItem(at, left)
				left -= spent
			}
		}
	}
}
