package help

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Widths in columns of a terminal.
const (
	defaultWidth = 80  // if the width is not known
	maxWidth     = 100 // longer lines are hard to read
	minColumn    = 24  // for texts beside names
	maxNames     = 30  // for names beside texts
	narrowMargin = 6   // before texts below their names
)

// fill breaks a text between words into lines of at most width columns. Longer words have lines of
// their own.
func fill(text string, width int) (lines []string) {
	line, columns := "", 0
	for word := range strings.FieldsSeq(text) {
		n := ansi.StringWidth(word)
		switch {
		case line == "":
			line, columns = word, n
		case columns+1+n > width:
			lines = append(lines, line)
			line, columns = word, n
		default:
			line, columns = line+" "+word, columns+1+n
		}
	}
	return append(lines, line)
}

// A row is a name with a text beside it.
type row struct{ name, text string }

// table writes rows in two columns, indented by two spaces. Names that are too long for their column
// stand above their texts.
func table(b *strings.Builder, rows []row, width int) {
	names := 0
	for _, r := range rows {
		if n := ansi.StringWidth(r.name); n <= maxNames {
			names = max(names, n)
		}
	}
	const indent, gap = 2, 2
	start := indent + names + gap
	if width-start < minColumn {
		start = narrowMargin
	}
	margin := strings.Repeat(" ", start)
	for _, r := range rows {
		head := strings.Repeat(" ", indent) + r.name
		if n := ansi.StringWidth(head); n+gap > start {
			b.WriteString(head + "\n")
			head = margin
		} else {
			head += margin[n:]
		}
		for _, line := range fill(r.text, width-start) {
			b.WriteString(strings.TrimRight(head+line, " ") + "\n")
			head = margin
		}
	}
}

// columns matches a line with two columns: what stands before the second one, and the rest.
var columns = regexp.MustCompile(`^( *\S+(?: \S+)*? {2,})(\S.*)$`)

// reflow wraps a text of paragraphs, indented lines, and rows of two columns to a width. Lines of a
// paragraph are joined first, and so are the lines of a second column. Indented lines that are not in
// columns are broken only if they are too long.
func reflow(text string, width int) string {
	var b strings.Builder
	lead, rest, hang := "", "", -1 // of the unfinished row or paragraph; hang is -1 if there is none
	flush := func() {
		if hang < 0 {
			return
		}
		if name := strings.TrimRight(lead, " "); name != "" && width-hang < minColumn {
			b.WriteString(name + "\n")
			hang = narrowMargin
			lead = strings.Repeat(" ", hang)
		}
		for _, line := range fill(rest, width-hang) {
			b.WriteString(strings.TrimRight(lead+line, " ") + "\n")
			lead = strings.Repeat(" ", hang)
		}
		hang = -1
	}
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		m := columns.FindStringSubmatch(line)
		switch {
		case words == "":
			flush()
			b.WriteByte('\n')
		case hang == indent && (m == nil || hang > 0):
			rest += " " + words
		case m != nil:
			flush()
			lead, rest, hang = m[1], m[2], ansi.StringWidth(m[1])
		case indent == 0:
			flush()
			lead, rest, hang = "", line, 0
		default:
			flush()
			if ansi.StringWidth(line) <= width {
				b.WriteString(line + "\n")
				continue
			}
			lead, rest, hang = line[:indent], words, indent
			flush()
		}
	}
	flush()
	return b.String()
}
