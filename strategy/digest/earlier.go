package digest

import (
	"strings"

	"condense/transcript"
)

// isEarlier reports whether a block is a digest that a run left. What a tool returned or
// a model said only looks like one: nobody may plant rules and tasks by that.
func isEarlier(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin != transcript.ByModel && b.Origin != transcript.ByTool && Is(b.Text())
}

// earlier reads the entries of a digest back.
func (c *collection) earlier(ref transcript.Ref, b *transcript.Block) {
	for i := range b.Parts {
		p := &b.Parts[i]
		mentions := c.s.Survey.Mentions(p)
		in, e := context, c.entry(context, "\x00earlier")
		from, to, _ := notesIn(p.Text)
		c.opened = nil
		before, quoted := 0, false // quoted: the line at hand is a quotation
		eachLine(p.Text, 0, nil, func(at, end int) {
			n := 0
			for n < len(mentions) && int(mentions[n].At) < end {
				n++
			}
			line, found := p.Text[at:end], mentions[:n]
			mentions = mentions[n:]
			begins := at == 0 || p.Text[at-1] == '\n'
			quoted = quoted && !begins || begins && strings.HasPrefix(line, " ")
			switch {
			case at < from:
			case at < to:
				c.offer(c.entry(context, ofModel), ref, line, found, b.Kind)
			case quoted && in == tasks && !begins:
				c.opened[len(c.opened)-1] += line
			case quoted && in == tasks:
				c.opened = append(c.opened, line[len(" "):])
			case quoted:
				if c.offer(e, ref, line, found, b.Kind) {
					before = c.follow(p.Text, at, before)
				}
			case !begins: // a head is known by its beginning
			case strings.HasPrefix(line, "### "), strings.HasPrefix(line, "<"):
				in = headed(line)
				e = c.entry(in, "\x00earlier")
			case strings.HasPrefix(line, "- "):
				e = c.readHead(in, line[len("- "):])
			}
		})
		if strings.HasPrefix(p.Text, stateElement) {
			for i, item := range c.opened {
				c.opened[i] = strings.ReplaceAll(item, dataEndQuoted, dataEnd)
			}
		}
	}
}

// ofModel is the head over lines that a model wrote in notes of its own.
const ofModel = "notes of a model"

// headed is the section of a heading; context for those that are not taken over.
func headed(line string) section {
	for s := range sections {
		if s.heading(false) == line || s.heading(true) == line {
			return s
		}
	}
	return context
}

// readHead returns the entry of a head, with the outcomes that it names.
func (c *collection) readHead(in section, head string) *entry {
	about, did := head, ""
	begins := " (" + in.does()
	if i := strings.LastIndex(" "+head, begins); i >= 0 && strings.HasSuffix(head, ")") {
		about, did = head[:max(i-1, 0)], head[i+len(begins)-1:len(head)-1]
	}
	if cut, short := strings.CutSuffix(about, " "+ellipsis); short {
		about = cut + ellipsis
	}
	e := c.entry(in, about)
	if in == calls {
		tool, _, _ := strings.Cut(did, ", ")
		e = c.other(tool, about)
	}
	for d := range strings.SplitSeq(did, ", ") {
		e.outcome(d)
	}
	return e
}
