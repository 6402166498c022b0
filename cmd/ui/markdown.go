package ui

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A comment on GitHub holds 65,536 characters; these keep a report below.
const (
	markdownRows  = 100 // edits or faults
	markdownCells = 120 // columns of one string
)

// Markdown writes the report as a comment on a pull request: a heading, what came out, tables by
// conversation, stage and kind of content, and edits and faults folded away.
func Markdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### condense: %s\n\n", inputName(r, code))
	if r.Changed {
		numbers := counted(r)
		numbers[0] = "**" + numbers[0] + "**"
		b.WriteString(strings.Join(numbers, ", "))
	} else {
		b.WriteString("**" + strings.Replace(unchanged(r, prose), "unchanged", "unchanged**", 1))
	}
	fmt.Fprintf(&b, " (%s)\n", strings.Join(means(r, code), ", "))

	limit := min(listed, len(r.Conversations))
	said := append(outcomes(r, prose), unreached(r, limit, prose)...)
	said = append(said, remarks(r, prose)...)
	for i, s := range said {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + s.text + "\n")
	}
	b.WriteString(markdownTable(conversationTable(r, limit, prose)))
	b.WriteString(markdownTable(stageTable(r, code, prose)))
	if r.Changed {
		b.WriteString(markdownTable(kindTable(r, false, prose)))
	}
	b.WriteString(markdownTable(retainedTable(r, prose)))
	b.WriteString(markdownEdits(r))
	b.WriteString(markdownFaults(r))
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable is t after an empty line, and "" for a table without rows. A last column without
// any cell is left out.
func markdownTable(t table) string {
	if len(t.rows) == 0 {
		return ""
	}
	n := len(t.columns)
	rows := [][]string{t.head, make([]string, n)}
	for i, c := range t.columns {
		rows[1][i] = "---"
		if c.right() {
			rows[1][i] = "--:"
		}
	}
	empty := t.head[n-1] == ""
	for _, row := range t.rows {
		if len(row) < n { // the last cell spans the rest
			row = append(slices.Concat(row[:len(row)-1], make([]string, n-len(row))), row[len(row)-1])
		}
		empty = empty && row[n-1] == ""
		rows = append(rows, row)
	}
	if empty {
		n--
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString("\n| " + strings.Join(row[:n], " | ") + " |")
	}
	return b.String() + "\n"
}

// markdownEdits is the list of changes, folded away.
func markdownEdits(r *Report) string {
	t := table{
		columns: []column{figures, figures, words, words, figures, words},
		head:    []string{"message", "block", "stage", "what", "tokens", "why"},
	}
	total := 0
	for i := range r.Conversations {
		edits := byPlace(r.Conversations[i].Edits)
		room := min(len(edits), max(0, markdownRows-total))
		total += len(edits)
		if room > 0 && len(r.Conversations) > 1 {
			t.add("", "", "", "**conversation "+conversationName(r, i, prose)+"**", "", "")
		}
		for _, e := range edits[:room] {
			block := "–"
			if e.Block > 0 {
				block = strconv.Itoa(e.Block)
			}
			t.add(strconv.Itoa(e.Message), block, code(e.Stage), prose(e.What), change(e.Tokens), prose(e.Why))
		}
	}
	return details(plural(total, "edit"), total, markdownTable(t))
}

// markdownFaults is what was wrong with the input, folded away.
func markdownFaults(r *Report) string {
	all := faults(r, prose)
	var b strings.Builder
	b.WriteByte('\n')
	for _, f := range all[:min(len(all), markdownRows)] {
		b.WriteString("- " + f + "\n")
	}
	return details(carried(len(all)), len(all), b.String())
}

// details folds a body away under its title, which must be ours. It is "" for a body of 0 parts.
func details(title string, parts int, body string) string {
	if parts == 0 {
		return ""
	}
	if parts > markdownRows {
		title += ", the first " + number(markdownRows) + " of them"
	}
	return "\n<details>\n<summary>" + title + "</summary>\n" + body + "\n</details>\n"
}

// prose is a string as running text if it has only letters, digits and harmless punctuation, and
// as code otherwise: a page makes links of domain names, mentions of @, references of #, symbols
// of :…:.
func prose(s string) string {
	harmless := func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune(" ,;()%'/→–−…", r)
	}
	if strings.TrimSpace(s) != s || strings.ContainsFunc(s, func(r rune) bool { return !harmless(r) }) {
		return code(s)
	}
	return clip(s)
}

// code is a string as code. A span of backticks will do for most. Where a character could end
// that, or the cell of a table, HTML entities take its place: they never mean structure.
func code(s string) string {
	s = clip(EscapeLine(s))
	switch {
	case s == "":
		return "–"
	case strings.TrimSpace(s) == s && !strings.ContainsAny(s, "`|\\"):
		return "`" + s + "`"
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range s {
		if r < 0x80 && unicode.In(r, unicode.P, unicode.S) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + "</code>"
}

// GateMarkdown writes a heading, the result and a table of findings, for the summary of a job.
func GateMarkdown(w io.Writer, g *Gate, root Rooted) error {
	t := table{columns: []column{words, figures, words, words}, head: []string{"file", "line", "rule", "finding"}}
	total := 0
	for b := range g.breaches() {
		if total++; total > markdownRows {
			continue
		}
		line := "–"
		if b.Line > 0 {
			line = strconv.Itoa(b.Line)
		}
		t.add(code(root(b.Path)), line, code(b.Rule), prose(b.sentence()))
	}
	text := "### condense check: " + plural(len(g.Files), "file") + ", " + gateResult(g) + "\n"
	text += markdownTable(t)
	if more := total - markdownRows; more > 0 {
		text += "\n… and " + number(more) + " more\n"
	}
	_, err := io.WriteString(w, text+"\n")
	return err
}
