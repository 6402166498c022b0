package ui

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// batchRows is how many files a table of a page lists. With it, a page of any number of files
// whose names and reasons are as long as usual stays below 2 MB.
const batchRows = 1000

// BatchHTML writes what was done to many files as a page: the sums, what became of how many, how
// much was saved, the files that need attention with the reason, and the files, most saved first.
func BatchHTML(w io.Writer, b *Batch) error {
	sum := b.Sum
	p := &htmlPage{
		Kicker: "condense " + EscapeLine(b.Condense) + " · batch",
		Title:  plural(sum.Files, "file"),
		Figures: []htmlFigure{
			{"tokens", change(sum.Tokens), saved(sum.Tokens), savedClass(sum.Tokens)},
			{"bytes", change(sum.Bytes), saved(sum.Bytes), savedClass(sum.Bytes)},
			{"conversations", number(sum.Conversations), "", ""},
		},
		Footer: "condense " + EscapeLine(b.Condense) + ". Every number was counted on the outputs as they were read again.",
	}
	if len(b.Ways) > 0 {
		p.Kicker += " · " + waysName(b.Ways)
	}
	files := slices.Clone(b.Files)
	slices.SortFunc(files, func(x, y BatchFile) int {
		return cmp.Or(cmp.Compare(y.saved(), x.saved()), cmp.Compare(y.Tokens.Before, x.Tokens.Before), cmp.Compare(x.Input, y.Input))
	})
	wrong := wrongFiles(files)
	if len(wrong) > 0 {
		p.Remarks = append(p.Remarks, htmlRemark{true, "not done, or not as demanded: " + plural(len(wrong), "file") + ", with reasons below"})
	}
	if unlike := Unlike(b.Ways); unlike != "" {
		p.Remarks = append(p.Remarks, htmlRemark{true, unlike})
	}
	for _, n := range b.Notes {
		p.Remarks = append(p.Remarks, htmlRemark{Text: EscapeLine(n)})
	}
	more := "condense batch --manifest FILE keeps a line for each."
	if b.Manifest != "" {
		more = "the manifest " + EscapeLine(b.Manifest) + " has a line for each."
	}
	p.Tables = append(p.Tables, statusTable(sum, files), distribution(files))
	if len(wrong) > 0 {
		p.Tables = append(p.Tables, wrongTable(wrong, more))
	}
	if len(files) > 0 {
		p.Tables = append(p.Tables, filesTable(files, more))
	}
	return p.write(w)
}

// wrongFiles are those with a reason, by name.
func wrongFiles(files []BatchFile) (wrong []BatchFile) {
	for _, f := range files {
		if f.Why != "" {
			wrong = append(wrong, f)
		}
	}
	slices.SortFunc(wrong, func(x, y BatchFile) int { return cmp.Compare(x.Input, y.Input) })
	return wrong
}

// statusTable has a row for each status.
func statusTable(sum *Summary, files []BatchFile) htmlTable {
	tokens, largest := map[string]Change{}, 0
	for _, f := range files {
		c := tokens[f.Status]
		tokens[f.Status] = Change{c.Before + f.Tokens.Before, c.After + f.Tokens.After}
	}
	for _, x := range sum.Statuses {
		largest = max(largest, x.Files)
	}
	t := table{
		columns: []column{words, figures, figures, figures, saving, aside},
		head:    []string{"status", "files", "tokens", "after", "saved", ""},
	}
	var bars []htmlBar
	for _, x := range sum.Statuses {
		c := tokens[x.Name]
		t.add(EscapeLine(x.Name), number(x.Files), number(c.Before), number(c.After), percent(c), "")
		bars = append(bars, newBar(Change{0, x.Files}, largest, "is"))
	}
	t.add("total", number(sum.Files), number(sum.Tokens.Before), number(sum.Tokens.After), percent(sum.Tokens), "")
	return htmlOf("statuses", "What became of the files", t, "files, compared", bars)
}

// distribution has a row for each tenth of the tokens that files lost.
func distribution(files []BatchFile) htmlTable {
	const tenths = 10
	var count, tokens [tenths + 1]int // 0: nothing, or more than nothing was added; i: up to i tenths
	largest := 0
	for _, f := range files {
		if f.Tokens.Before == 0 {
			continue
		}
		at := int(math.Ceil(tenths * float64(max(0, f.saved())) / float64(f.Tokens.Before)))
		count[at]++
		tokens[at] += f.saved()
		largest = max(largest, count[at])
	}
	t := table{
		columns: []column{words, figures, figures, aside},
		head:    []string{"of its tokens", "files", "tokens saved", ""},
	}
	var bars []htmlBar
	for i := range count {
		name := fmt.Sprintf("up to %d %%", 100*i/tenths)
		if i == 0 {
			name = "nothing"
		}
		t.add(name, number(count[i]), number(tokens[i]), "")
		bars = append(bars, newBar(Change{0, count[i]}, largest, "is"))
	}
	out := htmlOf("distribution", "How much of each file was saved", t, "files, compared", bars)
	out.Note = "Files in which there were tokens, by the share of them that was saved."
	return out
}

// wrongTable has a row for each file that was not done, or not as demanded.
func wrongTable(wrong []BatchFile, more string) htmlTable {
	t := table{columns: []column{words, words, words}, head: []string{"file", "status", "why"}}
	for _, f := range wrong[:min(batchRows, len(wrong))] {
		t.add(EscapeLine(f.Input), EscapeLine(f.Status), EscapeLine(clip(f.Why)))
	}
	out := htmlOf("wrong", "Not done, or not as demanded", t, "", nil)
	out.Note = omitted(len(wrong), more)
	return out
}

// filesTable has a row for each file, most saved first.
func filesTable(files []BatchFile, more string) htmlTable {
	t := table{
		columns: []column{words, words, figures, figures, saving, aside},
		head:    []string{"file", "status", "tokens", "after", "saved", ""},
	}
	shown, largest := files[:min(batchRows, len(files))], 0
	for _, f := range shown {
		largest = max(largest, f.Tokens.Before)
	}
	var bars []htmlBar
	for _, f := range shown {
		status := EscapeLine(f.Status)
		if f.Before {
			status += " before"
		}
		t.add(EscapeLine(f.Input), status, number(f.Tokens.Before), number(f.Tokens.After), percent(f.Tokens), "")
		bars = append(bars, newBar(f.Tokens, largest, "is"))
	}
	out := htmlOf("files", "Files, most saved first", t, "after, of before", bars)
	out.Note = omitted(len(files), more)
	return out
}

// omitted says how many of n rows are not shown, and what has them; "" when all are.
func omitted(n int, more string) string {
	if n <= batchRows {
		return ""
	}
	return "And " + number(n-batchRows) + " more: " + more
}
