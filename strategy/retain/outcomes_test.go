package retain

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks what is measured of each fixture after changes that no strategy makes: shares of
// facts and answers in percent, and a checksum of all measures. A change of a rule shows in
// testdata/measures.txt by the fixtures that it concerns, and -update rewrites it.
func TestOutcomes(t *testing.T) {
	changes := []struct {
		name string
		make func(*transcript.Conversation) *transcript.Conversation
	}{
		{"lines", func(c *transcript.Conversation) *transcript.Conversation { return rewritten(c, 1, everyOtherLine) }},
		{"halves", func(c *transcript.Conversation) *transcript.Conversation {
			return rewritten(c, 2, func(s string) string { return strings.ToValidUTF8(s[:len(s)/2], "") })
		}},
		{"mixed", func(c *transcript.Conversation) *transcript.Conversation { return rewritten(c, 1, mixed) }},
		{"sentences", func(c *transcript.Conversation) *transcript.Conversation {
			return rewritten(c, 1, func(s string) string { _, rest, _ := strings.Cut(s, ". "); return rest })
		}},
		{"middles", func(c *transcript.Conversation) *transcript.Conversation {
			return rewritten(c, 1, func(s string) string {
				return strings.ToValidUTF8(s[:len(s)/3]+" "+transcript.Marker("text")+" "+s[2*len(s)/3:], "")
			})
		}},
		{"blocks", dropped}, {"both", func(c *transcript.Conversation) *transcript.Conversation {
			return rewritten(dropped(summarised(c)), 3, everyOtherLine)
		}},
		{"long", func(c *transcript.Conversation) *transcript.Conversation {
			return rewritten(c, 1, func(s string) string { return strings.ReplaceAll(s, "\n", " ") })
		}},
		{"summary", summarised}, {"nothing", func(*transcript.Conversation) *transcript.Conversation { return conv() }},
	}
	head := []string{"fixture"}
	for _, change := range changes {
		head = append(head, change.name)
	}
	rows := [][]string{append(head, "other", "cuts")}
	other := invented(99)
	add := func(name string, c *transcript.Conversation) {
		row := []string{name}
		for _, change := range changes {
			row = append(row, measured(Of(c, change.make(c))))
		}
		row = append(row, measured(Of(c, other)))
		other = c
		rows = append(rows, append(row, recalled(c, changes[0].make, changes[1].make)))
	}
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		if f, err := format.Decode(src, ""); err == nil && len(f.Convs) > 0 {
			add(name, f.Convs[0])
		}
	}
	for seed := range uint64(12) {
		add(fmt.Sprint("invented-", seed), invented(seed))
	}
	transcripttest.Frozen(t, "testdata/measures.txt", *update, rows)
}

// measured returns the shares of a retention and a checksum of all of it.
func measured(r *Retention) string {
	all := fmt.Sprintf("%+v", *r)
	for kind := range fact.Constraint + 1 {
		k := r.Kind(kind)
		all += fmt.Sprintf(" %d %.9f %.9f", k.Facts, k.Present(), k.Bound())
	}
	return fmt.Sprintf("%.0f/%.0f/%.0f:%s", 100*r.Facts.Present(), 100*r.Facts.Bound(), 100*r.Answered.Share(), transcripttest.Sum(all))
}

// recalled returns the number of the cuts of a conversation, and a checksum of what is recalled after
// changes of the part before each of them.
func recalled(c *transcript.Conversation, changes ...func(*transcript.Conversation) *transcript.Conversation) string {
	cuts, err := Cuts(c, func(b *transcript.Block) int { return 40 * len(b.Text()) })
	if err != nil {
		return transcripttest.Sum(err.Error())
	}
	var all string
	for _, change := range changes {
		var list []Recall
		for i, cut := range cuts {
			r := cut.Recall(change(cut.Before))
			r.Over = i%3 == 1
			list = append(list, r)
			all += fmt.Sprintf("%d %t %d %d %+v\n", cut.At, cut.Typed, cut.Tokens, cut.Needed(), r)
		}
		all += fmt.Sprintf("%+v\n", Mean(list))
	}
	return fmt.Sprintf("%d:%s", len(cuts), transcripttest.Sum(all))
}

// rewritten returns a conversation in which every n-th text is what change makes of it, if that is not empty.
func rewritten(c *transcript.Conversation, n int, change func(string) string) *transcript.Conversation {
	i := 0
	for ref, b := range c.Blocks() {
		for part, p := range b.Parts {
			if i++; i%n != 0 || p.Media != nil {
				continue
			}
			ref.Part = part
			if text := change(p.Text); text != "" {
				c = applied(c, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: text})
			}
		}
	}
	return c
}

// applied returns a conversation after an edit, or as it was where the edit is refused.
func applied(c *transcript.Conversation, edits ...transcript.Edit) *transcript.Conversation {
	if next, err := c.Apply(edits); err == nil {
		return next
	}
	return c
}

// everyOtherLine leaves out every other line, with a marker.
func everyOtherLine(s string) string {
	var out strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i%2 == 0 {
			out.WriteString(line + "\n")
		} else if i%4 == 1 {
			out.WriteString(transcript.Marker("1 line") + "\n")
		}
	}
	return out.String()
}

// mixed turns the order of the lines round, and that of the words in every third of them.
func mixed(s string) string {
	lines := strings.Split(s, "\n")
	slices.Reverse(lines)
	for i := 0; i < len(lines); i += 3 {
		words := strings.Split(lines[i], " ")
		slices.Reverse(words)
		lines[i] = strings.Join(words, " ")
	}
	return strings.Join(lines, "\n")
}

// dropped returns a conversation without every third block, as far as it can go alone or with its call or
// result.
func dropped(c *transcript.Conversation) *transcript.Conversation {
	i := 0
	for ref := range c.Blocks() {
		if i++; i%3 != 0 {
			continue
		}
		edits := []transcript.Edit{{At: ref, Op: transcript.Drop}}
		if other, ok := c.Partner(ref); ok {
			edits = append(edits, transcript.Edit{At: other, Op: transcript.Drop})
		}
		c = applied(c, edits...)
	}
	return c
}

// summarised returns a conversation whose first messages are one summary: the requests, and every third
// line of the rest.
func summarised(c *transcript.Conversation) *transcript.Conversation {
	var text strings.Builder
	var edits []transcript.Edit
	var next int
	for i, m := range c.Messages {
		if next = m.ID; i >= 2*len(c.Messages)/3 {
			break
		}
		for _, b := range m.Blocks {
			edits = append(edits, transcript.Edit{At: transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}, Op: transcript.Drop, Group: 1})
			for i, line := range strings.Split(b.Text(), "\n") {
				if b.Origin == transcript.Typed || i%3 == 0 {
					text.WriteString(line + "\n")
				}
			}
		}
	}
	if text.Len() == 0 {
		return c
	}
	return applied(c, append(edits, transcript.Edit{At: transcript.At(next), Op: transcript.Insert, Group: 1, New: summary(text.String())})...)
}

// invented returns a conversation about a few files and numbers.
func invented(seed uint64) *transcript.Conversation {
	r := rand.New(rand.NewPCG(seed, 11))
	words := strings.Fields("src/tide.go moon ERR_MOON the 4.71 tide_level café Never push --force it https://example.org/a?b=1 `knot` 0xdeadbeef v1.2.3 v1.2 rope a of 12 [1 Result MoonError: _x main.py:14 (see) don't")
	sentence := func() string {
		var s []string
		for range 2 + r.IntN(14) {
			switch r.IntN(5) {
			case 0:
				s = append(s, fmt.Sprintf("src/part_%d.go", r.IntN(50)))
			case 1:
				s = append(s, fmt.Sprintf("Thing%d", r.IntN(50)))
			default:
				s = append(s, words[r.IntN(len(words))])
			}
		}
		return strings.Join(s, " ") + []string{".", "!", ":", "?", ""}[r.IntN(5)]
	}
	text := func() string {
		var s strings.Builder
		for range 1 + r.IntN(7) {
			s.WriteString(sentence() + []string{" ", "\n", "\n\n", "\n- ", "\n```\n" + sentence() + "\n```\n", "\r\n", "\t"}[r.IntN(7)])
		}
		if r.IntN(6) == 0 {
			s.WriteString(strings.Repeat(sentence()+",", 30))
		}
		return s.String()
	}
	var list []*transcript.Message
	for i := range 60 {
		id := fmt.Sprint(i)
		switch r.IntN(6) {
		case 0:
			list = append(list, user(text()))
		case 1:
			list = append(list, model(text()))
		case 2:
			list = append(list, call(id, "TodoWrite", "todos=- [ ] "+sentence()+"\n- [x] "+sentence()), result(id, "ok"))
		case 3:
			list = append(list, call(id, "Bash", "command="+sentence()+" && go test ./"+words[r.IntN(3)]), result(id, text()))
		default:
			list = append(list, call(id, "Read", "path="+words[r.IntN(3)]), result(id, text()))
		}
		if i == 0 {
			list = append(list, message(transcript.System, transcript.Injected, "You must always "+sentence()))
		}
	}
	return conv(append(list, user(text()), model(text()))...)
}
