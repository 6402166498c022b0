package ui

import (
	"fmt"
	"math"
	"strings"

	"condense/transcript/token"
)

// skippedRemark says how many files in folders are no conversations; nothing where there are none.
func skippedRemark(s *Stats) []remark {
	if len(s.Skipped) == 0 {
		return nil
	}
	return []remark{{faint, plural(len(s.Skipped), "file") + " in the folders skipped: no conversations (-v lists them)"}}
}

// statsRemarks are what else there is to know, a sentence each.
func statsRemarks(s *Stats, esc escaper) []remark {
	var out []remark
	say := func(format string, args ...any) { out = append(out, remark{plain, fmt.Sprintf(format, args...)}) }
	b := s.Bytes
	if b.File > 0 {
		text := fmt.Sprintf("of the bytes, %s are text that the model sees, %s are no content (keys, ids, escapes, copies)",
			share(b.Text, b.File), share(b.Rest, b.File))
		for _, also := range []struct {
			n    int
			name string
		}{{b.Hidden, "hidden text"}, {b.Media, "media"}, {b.Sealed, "signatures and sealed thinking"}} {
			if also.n > 0 {
				text += ", " + share(also.n, b.File) + " " + also.name
			}
		}
		say("%s", text)
	}
	if s.Repeated.Tokens > 0 {
		say("repeated: dedupe would save %s tokens (%s) in %s", number(s.Repeated.Tokens), share(s.Repeated.Tokens, s.Tokens), plural(s.Repeated.Blocks, "place"))
	}
	if n, blocks := pilesSum(s.Stale); n > 0 {
		say("overtaken: %s tokens (%s) in %s of reads; the same was read again later, or the file was changed", number(n), share(n, s.Tokens), plural(blocks, "result"))
	}
	say("framing of messages and calls comes to %s tokens more (an estimate)", number(s.Framing))
	if unlike := Unlike(s.ways()); unlike != "" {
		out = append(out, remark{warn, unlike})
	} else {
		out = append(out, counting(&Report{Tokenizer: s.Tokenizer}, esc)...)
	}
	if c := s.only(); c != nil && c.Usage.Measured > 0 {
		say("the provider counted %s tokens for the last request; the messages in it count %s here", number(c.Usage.Measured), number(c.Usage.Counted))
	}
	out = append(out, skippedRemark(s)...)
	return out
}

func pilesSum(piles []Pile) (tokens, blocks int) {
	for _, p := range piles {
		tokens, blocks = tokens+p.Tokens, blocks+p.Blocks
	}
	return tokens, blocks
}

// share is a part of something in percent: "58.2 %". A part is never "0.0 %", and
// all is never said of less.
func share(part, of int) string {
	if of == 0 {
		return "0 %"
	}
	tenths := math.Round(1000 * float64(part) / float64(of))
	if part > 0 && tenths == 0 {
		return "<0.1 %"
	}
	if part < of {
		tenths = min(tenths, 999)
	}
	return fmt.Sprintf("%.1f %%", tenths/10)
}

// fileTable has a row for each of several files.
func fileTable(s *Stats, rows int, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, figures, figures, aside},
		head:    []string{"file", "tokens", "messages", "bytes", "no content", ""},
	}
	if len(s.Files) < 2 {
		return t
	}
	for i, f := range s.Files {
		if i == rows {
			t.add("… and "+number(len(s.Files)-rows)+" more", "", "", "", "", "")
			break
		}
		what := esc(f.Format)
		if f.Tokenizer != nil {
			what += ", " + tokenizerName(f.Tokenizer)
		}
		t.add(esc(f.Input), number(f.Tokens), number(f.Messages), number(f.Bytes.File), share(f.Bytes.Rest, f.Bytes.File), what)
	}
	return t
}

// pileTable has a row for each of the first piles, and one for the rest.
func pileTable(title string, piles []Pile, total, rows int, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, figures, aside},
		head:    []string{title, "tokens", "share", "blocks", ""},
	}
	shown := min(rows, len(piles))
	for _, x := range piles[:shown] {
		t.add(esc(x.Name), number(x.Tokens), share(x.Tokens, total), number(x.Blocks), "")
	}
	if rest := piles[shown:]; len(rest) > 0 {
		tokens, blocks := pilesSum(rest)
		t.add("… and "+number(len(rest))+" more", number(tokens), share(tokens, total), number(blocks), "")
	}
	return t
}

// largestTable has a row for each of the largest blocks.
func largestTable(s *Stats, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, words},
		head:    []string{"largest", "block", "tokens", "what"},
	}
	for _, x := range s.Largest {
		where := "message " + number(x.Message)
		if len(s.Files) > 1 {
			where = esc(x.Input) + " " + where
		} else if s.only() == nil {
			where = "conversation " + number(x.Conversation) + " " + where
		}
		t.add(where, number(x.Block), number(x.Tokens), esc(x.What))
	}
	return t
}

// Unlike says that the files of a sum were counted in several ways, and which the first are;
// "" when it is one way.
func Unlike(ways []Way) string {
	if len(ways) < 2 {
		return ""
	}
	var list []string
	for i := range ways[:min(listed, len(ways))] {
		t, files := &ways[i].Tokenizer, plural(ways[i].Files, "file")
		if t.Method != token.Exact {
			files += ", " + EscapeLine(t.Method)
		}
		list = append(list, tokenizerName(t)+" ("+files+")")
	}
	if more := len(ways) - listed; more > 0 {
		list = append(list, number(more)+" more")
	}
	return "tokens are counted in " + number(len(ways)) + " ways: " + strings.Join(list, ", ") + "; sums add them up as they are"
}

// waysName names the one way, or says that there are several.
func waysName(ways []Way) string {
	if len(ways) == 1 {
		return tokenizerName(&ways[0].Tokenizer)
	}
	return "counted in " + number(len(ways)) + " ways"
}
