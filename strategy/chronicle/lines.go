package chronicle

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// A lineRange is a range of lines of a file, from 1, with both ends.
type lineRange struct{ from, to int }

// namedLines holds the lines that typed text names, by the last element of the path of the file.
type namedLines map[string][]namedRange

type namedRange struct {
	path string
	lineRange
}

// lineNames matches the name of a file, perhaps with lines as in engine.ts:72-80, or the lines of the file named
// before, as in "(line ~119)" and "lines 743-750 and 832-839".
var lineNames = lazyregexp.New(`([\w@./+-]+\.[A-Za-z]\w{0,7})(?::(\d{1,6}(?:-\d{1,6})?))?|(?i:\blines?[ *:]{1,3})((?:~?\d{1,6}(?:\s?[-–]\s?\d{1,6})?(?:, ?| and | & )?)+)`)

var lineNumbers = lazyregexp.New(`(\d+)(?:\s?[-–]\s?(\d+))?`)

// add adds the lines that a text names of files. The files function reports whether a name is that of a file,
// by its last element: code has names such as path.match, too.
func (n namedLines) add(text string, files func(base string) bool) {
	file := ""
	for _, m := range lineNames.FindAllStringSubmatch(text, -1) {
		name := strings.TrimLeft(m[1], "@./-")
		switch {
		case name != "" && files(path.Base(name)):
			file = name
		case m[2] != "": // lines of another file
			continue
		}
		for _, r := range lineNumbers.FindAllStringSubmatch(m[2]+m[3], -1) {
			from, _ := strconv.Atoi(r[1])
			to, err := strconv.Atoi(r[2])
			if err != nil {
				to = from
			}
			if file != "" && from <= to {
				n[path.Base(file)] = append(n[path.Base(file)], namedRange{file, lineRange{from, to}})
			}
		}
	}
}

// of returns the lines of a file, given its path.
func (n namedLines) of(name string) (list []lineRange) {
	name = "/" + strings.ReplaceAll(name, `\`, "/")
	for _, r := range n[path.Base(name)] {
		if strings.HasSuffix(name, "/"+r.path) {
			list = append(list, r.lineRange)
		}
	}
	return list
}

// besideNamed is the number of lines on either side of a named line that belong to it, since such numbers are
// often rough.
const besideNamed = 2

// markNamed marks the lines of a result that a request names, and the declarations that the open plan names. It
// makes each run of them a group.
func (d *draft) markNamed(t *text) {
	if len(d.steps[t.step].calls) != 1 {
		return
	}
	ranges := d.dueLines[d.Conv.Block(d.steps[t.step].calls[0])]
	named, before := make([]float32, len(t.cut.Pieces)), float32(0)
	d.markDeclared(t, named)
	d.markPhrases(t, named)
	for i := range t.cut.Pieces {
		if len(ranges) > 0 && named[i] == 0 {
			if number, _, ok := cutNumber(t.source(i, i+1)); ok && covers(ranges, number) {
				named[i] = valueLine
			}
		}
		if named[i] != before {
			t.starts = append(t.starts, i)
		}
		before = named[i]
	}
	slices.Sort(t.starts)
	t.starts = slices.Compact(t.starts)
	t.seldoms().named = named
}

// covers reports whether a line is in one of the ranges that merged returned, or beside it.
func covers(ranges []lineRange, line int) bool {
	at := sort.Search(len(ranges), func(i int) bool { return ranges[i].to+besideNamed >= line })
	return at < len(ranges) && ranges[at].from-besideNamed <= line
}

// merged returns ranges in order, none of which overlaps another.
func merged(ranges []lineRange) (list []lineRange) {
	slices.SortFunc(ranges, func(a, b lineRange) int { return cmp.Compare(a.from, b.from) })
	for _, r := range ranges {
		if n := len(list); n > 0 && r.from <= list[n-1].to {
			list[n-1].to = max(list[n-1].to, r.to)
			continue
		}
		list = append(list, r)
	}
	return list
}

// namedValue returns the value of a line of a result that a request or the open plan names, and otherwise 0.
func (t *text) namedValue(i int) float64 {
	if t.seldom == nil || t.seldom.named == nil {
		return 0
	}
	return float64(t.seldom.named[i])
}

// linesDue returns the lines that the last two requests name of what a call reads that is due.
func (d *draft) linesDue() map[*transcript.Block][]lineRange {
	if len(d.due) == 0 {
		return nil
	}
	bases := map[string]bool{}
	for _, b := range d.Conv.Blocks() {
		if b.Kind != transcript.ToolCall {
			continue
		}
		if name := readBy(b); name != "" {
			bases[path.Base(strings.ReplaceAll(name, `\`, "/"))] = true
		}
	}
	named, lines := namedLines{}, map[*transcript.Block][]lineRange{}
	for text := range d.recentRequests {
		named.add(text, func(base string) bool { return bases[base] })
	}
	for call := range d.due {
		if list := named.of(readBy(call)); list != nil {
			lines[call] = merged(list)
		}
	}
	return lines
}
