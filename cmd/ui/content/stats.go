package content

import (
	"fmt"
	"math"
	"strings"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/escape"
	"condense/transcript"
	"condense/transcript/token"
)

// SkippedRemark returns how many files in folders hold no conversation, or nil if there are none.
func SkippedRemark(s *survey.Stats) []Remark {
	if len(s.Skipped) == 0 {
		return nil
	}
	return []Remark{{Faint, transcript.Plural(len(s.Skipped), "file") + " without a conversation skipped in the folders (-v lists them)"}}
}

// StatsRemarks returns further remarks on the files.
func StatsRemarks(s *survey.Stats, esc escaper) []Remark {
	var out []Remark
	unlike := Unlike(s.Tokenizers())
	if unlike == "" {
		out = unit(&s.Tokenizer, esc)
	}
	say := func(format string, args ...any) { out = append(out, Remark{Plain, fmt.Sprintf(format, args...)}) }
	b := s.Bytes
	if b.File > 0 {
		text := fmt.Sprintf("of the bytes, %s are text that the model sees, %s are no content (keys, ids, escapes, copies)",
			Share(b.Text, b.File), Share(b.Rest, b.File))
		for _, also := range []struct {
			n    int
			name string
		}{{b.Hidden, "hidden text"}, {b.Media, "media"}, {b.Sealed, "signatures and sealed thinking"}} {
			if also.n > 0 {
				text += ", " + Share(also.n, b.File) + " " + also.name
			}
		}
		say("%s", text)
	}
	if parts := s.Bloat.Parts(false); len(parts) > 0 {
		say("bloat: %s, beside %s of other content", strings.Join(parts, ", "), report.Size(max(0, b.File-s.Bloat.Bytes())))
	}
	for _, u := range s.Unknown {
		out = append(out, Remark{Warn, esc(u.String())})
	}
	if s.Repeated.Tokens > 0 {
		say("repeated: dedupe would save %s tokens (%s) in %s", transcript.Number(s.Repeated.Tokens), Share(s.Repeated.Tokens, s.Tokens), transcript.Plural(s.Repeated.Blocks, "place"))
	}
	if n, blocks := groupsSum(s.Stale); n > 0 {
		say("outdated: %s tokens (%s) in %s of reads; the file was read again or changed later", transcript.Number(n), Share(n, s.Tokens), transcript.Plural(blocks, "result"))
	}
	say("framing of messages and calls comes to %s tokens more (an estimate)", transcript.Number(s.Framing))
	if unlike != "" {
		out = append(out, Remark{Warn, unlike})
	} else {
		out = append(out, counting(&report.Report{Tokenizer: s.Tokenizer}, esc)...)
	}
	if c := s.Only(); c != nil && c.Usage.Measured > 0 {
		say("the provider counted %s tokens for the last request; condense counts %s for its messages", transcript.Number(c.Usage.Measured), transcript.Number(c.Usage.Counted))
	}
	out = append(out, SkippedRemark(s)...)
	return out
}

// groupsSum adds up groups.
func groupsSum(groups []survey.Group) (tokens, blocks int) {
	for _, p := range groups {
		tokens, blocks = tokens+p.Tokens, blocks+p.Blocks
	}
	return tokens, blocks
}

// Share returns a part in percent: "58.2 %". It does not round to 0.0 % or to 100.0 %.
func Share(part, of int) string {
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

// FileTable returns a table with a row for each of several files.
func FileTable(s *survey.Stats, rows int, esc escaper) Table {
	t := Table{
		Columns: []ColumnKind{Words, Figures, Figures, Figures, Figures, Aside},
		Head:    []string{"file", "tokens", "messages", "bytes", "no content", ""},
	}
	if len(s.Files) < 2 {
		return t
	}
	for i, f := range s.Files {
		if i == rows {
			t.AddSum("… and "+transcript.Number(len(s.Files)-rows)+" more", "", "", "", "", "")
			break
		}
		what := esc(f.Format)
		if f.Tokenizer != nil {
			what += ", " + TokenizerName(f.Tokenizer)
		}
		t.Add(esc(f.Input), transcript.Number(f.Tokens), transcript.Number(f.Messages), transcript.Number(f.Bytes.File), Share(f.Bytes.Rest, f.Bytes.File), what)
	}
	return t
}

// GroupTable returns a table with a row for each of the first groups, and one for the rest. If their names
// are paths, the head names their root.
func GroupTable(title string, groups []survey.Group, total, rows int, esc escaper) Table {
	t := Table{
		Columns: []ColumnKind{Words, Figures, Figures, Figures, Aside},
	}
	shown := min(rows, len(groups))
	names := make([]string, shown)
	for i := range names {
		names[i] = groups[i].Name
	}
	root := report.RootOf(names...)
	t.Head = []string{esc(root.Head(title)), "tokens", "share", "blocks", ""}
	for _, x := range groups[:shown] {
		t.Add(esc(Cut(root.Short(x.Name), longestName)), transcript.Number(x.Tokens), Share(x.Tokens, total), transcript.Number(x.Blocks), "")
	}
	if rest := groups[shown:]; len(rest) > 0 {
		tokens, blocks := groupsSum(rest)
		t.AddSum("… and "+transcript.Number(len(rest))+" more", transcript.Number(tokens), Share(tokens, total), transcript.Number(blocks), "")
	}
	return t
}

// longestName is the most columns of a name in a table. Names of tools and files may have any length.
const longestName = 400

// LargestTable returns a table with a row for each of the largest blocks.
func LargestTable(s *survey.Stats, esc escaper) Table {
	t := Table{
		Columns: []ColumnKind{Words, Figures, Figures, Words},
	}
	whats := make([]string, len(s.Largest))
	for i, x := range s.Largest {
		whats[i] = x.What
	}
	root := report.RootOf(whats...)
	t.Head = []string{"largest", "block", "tokens", esc(root.Head("what"))}
	for _, x := range s.Largest {
		where := "message " + transcript.Number(x.Message)
		if len(s.Files) > 1 {
			where = esc(x.Input) + " " + where
		} else if s.Only() == nil {
			where = "conversation " + transcript.Number(x.Conversation) + " " + where
		}
		t.Add(where, transcript.Number(x.Block), transcript.Number(x.Tokens), esc(root.Short(x.What)))
	}
	return t
}

// Unlike returns the caveat that files of a sum were counted with different tokenizers, or "" for a
// single one.
func Unlike(uses []survey.TokenizerUse) string {
	if len(uses) < 2 {
		return ""
	}
	var list []string
	for i := range uses[:min(Listed, len(uses))] {
		t, files := &uses[i].Tokenizer, transcript.Plural(uses[i].Files, "file")
		if t.Method != token.Exact {
			files += ", " + escape.Line(t.Method)
		}
		list = append(list, TokenizerName(t)+" ("+files+")")
	}
	if more := len(uses) - Listed; more > 0 {
		list = append(list, transcript.Number(more)+" more")
	}
	return "tokens are counted by " + transcript.Number(len(uses)) + " tokenizers: " + strings.Join(list, ", ") + "; sums ignore the difference"
}

// TokenizerNames returns the name of the only tokenizer, or the number of several.
func TokenizerNames(uses []survey.TokenizerUse) string {
	if len(uses) == 1 {
		return TokenizerName(&uses[0].Tokenizer)
	}
	return "counted by " + transcript.Number(len(uses)) + " tokenizers"
}
