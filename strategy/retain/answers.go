package retain

import (
	"bytes"
	"index/suffixarray"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
)

// answers compares the dialogues of the views before and after, and adds what it finds to r.
func (r *Retention) answers(old, now *transcript.Conversation) {
	was, is := elements(old), elements(now)
	left, fresh := separated(was, is)
	before, after := turns(was), turns(left)
	d := &dialogues{before: before, after: after, at: align(before, after), notes: fresh}
	for i := range d.before {
		if i > 0 {
			d.answered(i, r)
		}
		d.prose(i, &r.Paragraphs)
	}
	d.last(&r.Last)
}

// dialogues are the turns of a conversation before and after.
type dialogues struct {
	before, after []turn
	at            []int   // index in after of each turn before; -1 for none
	notes         *region // new texts, of condensers or that join others
}

// answered adds the answers to request i.
func (d *dialogues) answered(i int, r *Retention) {
	t := &d.before[i]
	var left turn
	if d.at[i] >= 0 {
		left = d.after[d.at[i]]
	}
	if t.answered() {
		r.Answered.add(left.stands())
	}
	if len(t.said) == 0 {
		return
	}
	closing := t.said[len(t.said)-1]
	whole := slices.Contains(left.said, closing)
	place := newRegion(slices.Concat(left.said, left.notes))
	kept := Count{}
	for _, s := range sentences(closing) {
		kept.add(whole || place.has(s))
	}
	r.Closing.add(kept.Kept > 0)
	r.Sentences.sum(kept)
}

// last adds the last text of the model.
func (d *dialogues) last(n *Count) {
	for _, t := range slices.Backward(d.before) {
		if len(t.said) == 0 {
			continue
		}
		want := folded(t.said[len(t.said)-1])
		found := slices.ContainsFunc(d.after, func(t turn) bool {
			return slices.ContainsFunc(t.said, func(s string) bool { return strings.Contains(folded(s), want) })
		})
		n.add(found || d.notes.has(want))
		return
	}
}

// prose adds the paragraphs of turn i of which something is left: a part of a sentence in
// the texts of the model in that turn, or a whole sentence in a note anywhere.
func (d *dialogues) prose(i int, n *Count) {
	var left turn
	if d.at[i] >= 0 {
		left = d.after[d.at[i]]
	}
	unchanged := map[string]int{}
	for _, text := range left.said {
		unchanged[text]++
	}
	var changed []string
	for _, text := range d.before[i].said {
		if unchanged[text] > 0 {
			unchanged[text]--
			n.Of += len(paragraphs(text))
			n.Kept += len(paragraphs(text))
		} else {
			changed = append(changed, text)
		}
	}
	if changed == nil {
		return
	}
	var place []string
	for _, text := range left.said {
		if unchanged[text] > 0 {
			place = append(place, text)
		}
	}
	here := newRegion(place)
	for _, text := range changed {
		for _, p := range paragraphs(text) {
			switch whole := folded(p); {
			case here.has(whole), isLong(whole) && d.notes.has(whole):
				n.add(true)
			case here.hasSome(p), d.notes.hasSentence(p):
				n.add(false)
			}
		}
	}
}

// region is some texts that are searched as one.
type region struct {
	texts  []string           // until they are in all
	all    []byte             // the texts with white space folded, each with a line break behind it
	looked int                // number of searches without the index
	index  *suffixarray.Index // of all; nil until it is worth its time
}

func newRegion(texts []string) *region { return &region{texts: texts} }

// fold puts the texts into all.
func (r *region) fold() {
	for _, t := range r.texts {
		r.all = append(append(r.all, folded(t)...), '\n')
	}
	r.texts = nil
}

// suffixes returns the index.
func (r *region) suffixes() *suffixarray.Index {
	if r.index == nil {
		r.fold()
		r.index = suffixarray.New(r.all)
	}
	return r.index
}

// fewSearches is the number of searches that take less time than an index.
const fewSearches = 20

// has reports whether a text, with white space folded, stands in one of the texts.
func (r *region) has(text string) bool {
	if r.index == nil && r.looked < fewSearches {
		r.fold()
		r.looked++
		return bytes.Contains(r.all, []byte(text))
	}
	return len(r.suffixes().Lookup([]byte(text), 1)) > 0
}

// hasSome reports whether a sentence of a paragraph begins or ends in one of the texts.
func (r *region) hasSome(paragraph string) bool {
	return len(r.texts)+len(r.all) > 0 && slices.ContainsFunc(sentences(paragraph), func(s string) bool {
		return r.has(firstRunes(s)) || r.has(lastRunes(s))
	})
}

// hasSentence reports whether a whole sentence of a paragraph stands in one of the texts.
func (r *region) hasSentence(paragraph string) bool {
	return len(r.texts)+len(r.all) > 0 && slices.ContainsFunc(sentences(paragraph), func(s string) bool { return isLong(s) && r.has(s) })
}

// fewestRunes is the length of a sentence that does not stand in another text by chance,
// and of the beginning or end by which a cut sentence is recognised.
const fewestRunes = 20

func isLong(s string) bool { return utf8.RuneCountInString(s) >= fewestRunes }

func firstRunes(s string) string {
	n := 0
	for i := range s {
		if n++; n > fewestRunes {
			return s[:i]
		}
	}
	return s
}

func lastRunes(s string) string {
	at := len(s)
	for range fewestRunes {
		_, n := utf8.DecodeLastRuneInString(s[:at])
		at -= n
	}
	return s[at:]
}

// sentences returns the sentences and lines of a text that are long enough, with white
// space folded; all of the text where none is, and none of a blank one.
func sentences(text string) (list []string) {
	add := func(part string) {
		if s := folded(part); isLong(s) {
			list = append(list, s)
		}
	}
	from, ends := 0, false // ends: the rune before ends a sentence
	for i, r := range text {
		switch {
		case r == '\n' || ends && unicode.IsSpace(r):
			add(text[from:i])
			from = i
		case strings.ContainsRune("。！？", r):
			end := i + utf8.RuneLen(r)
			add(text[from:end])
			from = end
		}
		ends = strings.ContainsRune(".!?:;", r)
	}
	add(text[from:])
	if all := folded(text); list == nil && all != "" {
		return []string{all}
	}
	return list
}

// paragraphs returns the paragraphs of a text, which blank lines and code fences separate,
// without the code in fences.
func paragraphs(text string) (list []string) {
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			list = append(list, strings.Join(lines, ""))
		}
		lines = nil
	}
	inside := false
	for line := range strings.Lines(text) {
		fence := isFence(line)
		if fence {
			inside = !inside
		}
		if fence || inside || isBlank(line) {
			flush()
		} else {
			lines = append(lines, line)
		}
	}
	flush()
	return list
}

// isFence reports whether a line opens or closes a code block.
func isFence(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}
