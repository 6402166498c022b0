package ui

import (
	"io"
	"strings"
)

// Text writes the report for a person: one line that says it all, tables by conversation, stage
// and kind of content, and what else there is to know. With o.Verbose it lists every edit and
// every fault; with o.Explain the edits are a table.
func Text(w io.Writer, r *Report, o TextOptions) error {
	p := newPage(w, o)
	p.headline(r)
	p.sentences(outcomes(r, EscapeLine))
	p.tables(r)
	p.section(unreached(r, p.listed(r), EscapeLine))
	p.section(p.rest(r))
	if o.Verbose > 0 {
		p.faults(r)
	}
	switch {
	case o.Explain:
		p.explain(r)
	case o.Verbose > 0:
		p.edits(r)
	}
	return p.Flush()
}

// headline is "in.jsonl: 98,120 → 41,007 tokens (−58.2 %), …  [hybrid, o200k_base]".
func (p *page) headline(r *Report) {
	words := []string{p.paint(strong, inputName(r, EscapeLine)+":")}
	if r.Changed {
		numbers := counted(r)
		words = append(words, p.paint(good, numbers[0])+",")
		for _, n := range numbers[1 : len(numbers)-1] {
			words = append(words, n+",")
		}
		words = append(words, numbers[len(numbers)-1])
	} else {
		words = append(words, strings.Split(unchanged(r, EscapeLine), " ")...)
	}
	with := p.paint(faint, "["+strings.Join(means(r, EscapeLine), ", ")+"]")
	p.fold(plain, append(words, " "+with)...)
}

// tables shows where the tokens were and where they are.
func (p *page) tables(r *Report) {
	p.table(conversationTable(r, p.listed(r), EscapeLine))
	p.table(stageTable(r, EscapeLine, EscapeLine))
	if r.Changed || p.Verbose > 0 {
		p.table(kindTable(r, p.terminal(), EscapeLine))
	}
	if p.Verbose > 0 {
		p.table(retainedTable(r, EscapeLine))
	}
}

// listed is how many conversations the page lists.
func (p *page) listed(r *Report) int {
	if p.Verbose > 0 {
		return len(r.Conversations)
	}
	return min(listed, len(r.Conversations))
}

// rest is what stands below the tables.
func (p *page) rest(r *Report) []remark {
	out := remarks(r, EscapeLine)
	if n := len(faults(r, EscapeLine)); n > 0 {
		text := carried(n)
		if p.Verbose == 0 {
			text += " (-v lists them)"
		}
		out = append(out, remark{warn, text})
	}
	if p.Verbose > 0 {
		out = append(out, remark{faint, "format " + EscapeLine(r.Format) + ", condense " + EscapeLine(r.Condense)})
	}
	return out
}

// section writes sentences after an empty line.
func (p *page) section(all []remark) {
	if len(all) > 0 {
		p.blank()
	}
	p.sentences(all)
}

// sentences writes each on a line of its own.
func (p *page) sentences(all []remark) {
	for _, s := range all {
		p.sentence(s.tone, s.text)
	}
}

// faults lists what was wrong with the input.
func (p *page) faults(r *Report) {
	all := faults(r, EscapeLine)
	if len(all) == 0 {
		return
	}
	p.blank()
	p.line(strong, "faults in the input")
	for _, f := range all {
		p.sentence(plain, f)
	}
}

// edits lists every change in the order of the conversation.
func (p *page) edits(r *Report) {
	for i := range r.Conversations {
		edits := byPlace(r.Conversations[i].Edits)
		if len(edits) == 0 {
			continue
		}
		title := "edits"
		if len(r.Conversations) > 1 {
			title += " of " + conversationName(r, i, EscapeLine)
		}
		p.blank()
		p.line(strong, title)
		for _, e := range edits {
			e.Why = strings.TrimSuffix(e.Stage+": "+e.Why, ": ")
			p.sentence(plain, editLine(&e, EscapeLine))
		}
	}
}

// explain writes a table of what became of each block, in the order of each conversation.
func (p *page) explain(r *Report) {
	for i := range r.Conversations {
		edits := withKept(&r.Conversations[i])
		if len(edits) > 0 && len(r.Conversations) > 1 {
			p.blank()
			p.line(strong, "edits of "+conversationName(r, i, EscapeLine))
		}
		p.table(editTable(edits, EscapeLine))
	}
}
