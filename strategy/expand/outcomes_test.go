package expand_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"condense/strategy/expand"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks what is found after random changes of fixtures and of invented conversations, and after
// further changes of what has ids already: the numbers of removals and of sites, and a checksum of all of it.
// A change of a rule shows in testdata/outcomes.txt, and -update rewrites it.
func TestOutcomes(t *testing.T) {
	rows := [][]string{{"conversation", "first", "second", "third"}}
	add := func(name string, c *transcript.Conversation, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 17))
		row := []string{name}
		for range 3 {
			after := changed(r, c)
			told, next := found(t, r, c, after)
			row = append(row, told)
			c = next
		}
		rows = append(rows, row)
	}
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		if f, err := format.Decode(src, ""); err == nil && len(f.Convs) > 0 {
			add(name, f.Convs[0], 0)
		}
	}
	for seed := range uint64(80) {
		add(fmt.Sprint("invented-", seed), invented(seed), seed)
	}
	transcripttest.Frozen(t, "testdata/outcomes.txt", *update, rows)
}

// found returns what Find finds, and the conversation with ids in some of the sites.
func found(t *testing.T, r *rand.Rand, from, to *transcript.Conversation) (told string, next *transcript.Conversation) {
	var taken expand.Taken
	switch r.IntN(3) {
	case 0:
		taken = func(id, number string) bool { return id[0] < '3' && len(id) < 8 }
	case 1:
		taken = func(id, _ string) bool { return id[1] == '5' }
	}
	f := expand.Find(from, to, taken)
	all := fmt.Sprintln(f.Removals)
	if r.IntN(3) == 0 {
		f.Keep(func(at transcript.Ref, n int) bool {
			all += fmt.Sprintln(at, n)
			return (at.Msg+n)%3 > 0
		})
	}
	n, again := f.Sites()
	some := n - r.IntN(n/3+1)
	edits := f.Edits(some)
	f.Show(some)
	for _, e := range edits {
		all += fmt.Sprintln(e.At, e.Text, e.Same, e.Why)
	}
	all += fmt.Sprintln(f.Removals, again)
	next, err := to.Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d/%d:%s", len(f.Removals), n, transcripttest.Sum(all)), next
}

// changed returns a conversation after random changes, as strategies make them: lines and parts of lines
// become markers, blocks go and leave records or nothing, and messages with records are inserted.
func changed(r *rand.Rand, c *transcript.Conversation) *transcript.Conversation {
	next := c
	try := func(edits ...transcript.Edit) {
		if after, err := next.Apply(edits); err == nil {
			next = after
		}
	}
	gone := 0
	for ref, b := range c.Blocks() {
		switch r.IntN(7) {
		case 0:
			gone++
			edits := []transcript.Edit{{At: ref, Op: transcript.Drop}}
			if other, ok := c.Partner(ref); ok {
				edits = append(edits, transcript.Edit{At: other, Op: transcript.Drop})
			}
			try(edits...)
		case 1:
			if gone > 0 {
				try(transcript.Edit{At: transcript.At(ref.Msg), Op: transcript.Insert, New: transcripttest.Model(record(fmt.Sprint(gone, " results")))})
				gone = 0
			}
		case 2, 3, 4:
			for i, p := range b.Parts {
				if p.Media == nil {
					ref.Part = i
					try(transcript.Edit{At: ref, Op: transcript.Rewrite, Text: shortened(r, p.Text[p.Head:])})
				}
			}
		}
	}
	return next
}

// shortened replaces parts of a text by markers or records.
func shortened(r *rand.Rand, text string) string {
	if r.IntN(6) == 0 {
		return fmt.Sprintf("[Read a.go: %d lines omitted]", strings.Count(text, "\n")+1)
	}
	lines := strings.SplitAfter(text, "\n")
	var out strings.Builder
	for i := 0; i < len(lines); i++ {
		n := min(1+r.IntN(6), len(lines)-i)
		switch r.IntN(9) {
		case 0:
			fmt.Fprintf(&out, "[%d lines omitted]\n", n)
			i += n - 1
		case 1:
			fmt.Fprintf(&out, "[%d lines omitted]\n", n+r.IntN(2))
			i += n - 1
		case 2:
			k := len(strings.ToValidUTF8(lines[i][:len(lines[i])/2], ""))
			fmt.Fprintf(&out, "%s[%d characters omitted]\n", lines[i][:k], len([]rune(strings.TrimSuffix(lines[i][k:], "\n"))))
		case 3:
			if r.IntN(3) == 0 {
				out.WriteString(record(fmt.Sprint("Read ", n, " files:\n a line")) + "\n")
				i += n - 1
			}
		default:
			out.WriteString(lines[i])
		}
	}
	if strings.TrimSpace(out.String()) == "" {
		return record("what was done")
	}
	return out.String()
}

// invented returns a conversation of long results, some of which are the same.
func invented(seed uint64) *transcript.Conversation {
	r := rand.New(rand.NewPCG(seed, 19))
	var list []*transcript.Message
	for i := range 4 + r.IntN(14) {
		var text strings.Builder
		for range 1 + r.IntN(25) {
			fmt.Fprintf(&text, "%s line %d of a result é\n", strings.Repeat(" ", r.IntN(3)), r.IntN(30))
		}
		id := fmt.Sprint(i)
		switch r.IntN(8) {
		case 0:
			list = append(list, transcripttest.User(text.String()))
		case 1:
			list = append(list, transcripttest.Model(transcripttest.Thinking(text.String()), text.String()))
		case 2:
			list = append(list, transcripttest.User("go on"), transcripttest.Hidden(transcripttest.Model(text.String())))
		case 3:
			list = append(list, transcripttest.Model(transcripttest.Call(id, "Write", "path=a", "content="+text.String())), transcripttest.Tool(id, long))
		default:
			list = append(list, transcripttest.Model(transcripttest.Call(id, "Read", "path=a")), transcripttest.Tool(id, text.String()+long[:r.IntN(len(long))]))
		}
	}
	return transcripttest.Conversation(list...)
}

// record returns a record of calls; that of several lines ends with a line of its own.
func record(text string) string {
	if strings.Contains(text, "\n") {
		text += "\n"
	}
	return transcript.RecordOpening + text + "]"
}
