package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// What a user allows to be changed by flag: all else is pinned, so that every
// strategy leaves it alone.

// Range is messages by number, as reports and findings have it: their place in the
// file's conversation from 1, hidden ones counted. The zero Range is all.
type Range struct {
	First int // 0 or 1: from the start
	Last  int // 0: to the end
}

// ParseRange reads "12..40", "12..", "..40" or "12".
func ParseRange(s string) (Range, error) {
	m := rangeForm.FindStringSubmatch(s)
	if m == nil || s == "" || s == ".." {
		return Range{}, fmt.Errorf("malformed range %q, expected numbers of messages (12..40, 12.., ..40)", s)
	}
	first, errFirst := ordinal(m[1], 1)
	last, errLast := ordinal(m[3], 0)
	if m[2] == "" {
		last = first
	}
	switch {
	case errFirst != nil || errLast != nil:
		return Range{}, fmt.Errorf("malformed range %q: messages are numbered from 1", s)
	case last > 0 && last < first:
		return Range{}, fmt.Errorf("the range %s ends before it begins", s)
	}
	return Range{first, last}, nil
}

// String returns the range as ParseRange reads it, "12..40"; "" for the zero Range.
func (r Range) String() string {
	switch {
	case r == Range{}:
		return ""
	case r.First == r.Last:
		return strconv.Itoa(r.First)
	case r.Last == 0:
		return fmt.Sprintf("%d..", r.First)
	}
	return fmt.Sprintf("%d..%d", r.First, r.Last)
}

var rangeForm = regexp.MustCompile(`^(\d*)(\.\.)?(\d*)$`)

// ordinal reads a number from 1; "" is the default.
func ordinal(digits string, otherwise int) (int, error) {
	if digits == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(digits)
	if err == nil && n < 1 {
		err = strconv.ErrRange
	}
	return n, err
}

func (r Range) holds(number int) bool { return number >= r.First && (r.Last == 0 || number <= r.Last) }

// ParseOnly reads "tool:GLOB".
func ParseOnly(s string) (Glob, error) {
	name, ok := strings.CutPrefix(s, "tool:")
	if !ok {
		return Glob{}, fmt.Errorf("expected tool:GLOB, such as tool:Bash")
	}
	return ParseGlob(name)
}

// limits pins what is not to be changed: all but the calls and results of some
// tools, all but a range of messages; and what is in front of all changes.
func (p *pins) limits(o *Options) {
	left := o.FreezePrefix
	for m := range p.c.Visible() {
		if left--; left < 0 {
			break
		}
		p.message(m, transcript.Verbatim)
	}
	if o.Messages != (Range{}) {
		for i, m := range p.c.Messages {
			if !o.Messages.holds(i + 1) {
				p.message(m, transcript.Verbatim)
			}
		}
	}
	if len(o.Only) == 0 {
		return
	}
	for ref, b := range p.c.Blocks() {
		tool, _ := concerns(p.c, ref, b)
		if tool == "" || !slices.ContainsFunc(o.Only, func(g Glob) bool { return g.Name(tool) }) {
			p.raise(ref, transcript.Verbatim)
		}
	}
}
