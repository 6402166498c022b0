package chronicle

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
)

// odd holds pieces of texts that could end a record early, begin another one, or be mistaken
// for something else.
var odd = []string{
	"[", "]", "]\n", "\n]", ":", ":\n", " ", "\t", "\r", "\n", "\r\n", ";", "; ", "…", " …", "`", "```", "~~~", "×2", " ×3",
	opening, "[condensed:", "3 calls", moreCalls, wordless, "[12 lines omitted]", "<read_file>", "</read_file>", "<tool_call>",
	"é", "漢字", "\u2028", "\u0085", "\x00", "\x1b[31m", "\xff", "\xc3", "\ufffd", "src/[id]/page.tsx", "a.go", "exit 1",
	strings.Repeat("x", 300), strings.Repeat("é", 200), strings.Repeat("word ", 60),
}

// oddText returns a random concatenation of elements of odd.
func oddText(rng *rand.Rand) string {
	var s strings.Builder
	for range rng.Intn(8) {
		s.WriteString(odd[rng.Intn(len(odd))])
	}
	return s.String()
}

// oddChunks returns chunks as the writer makes them: heads are entries in words, quotes are
// lines that begin with a space.
func oddChunks(rng *rand.Rand) []chunk {
	var chunks []chunk
	for range 1 + rng.Intn(4) {
		e := entry{tool: clean(oddText(rng), mostTool), subject: clean(oddText(rng), mostSubject)}
		if rng.Intn(2) == 0 {
			e.outcome = ": " + cleanLines(oddText(rng))
		}
		c := chunk{head: e.text(nil, "")}
		for range rng.Intn(3) {
			c.quotes = append(c.quotes, " "+strings.ReplaceAll(oddText(rng), "\n", ""))
		}
		chunks = append(chunks, c)
	}
	return chunks
}

// asRead returns chunks as readRecord returns them: a head without quoted lines is joined to
// the next head.
func asRead(chunks []chunk) (list []chunk) {
	var heads []string
	for _, c := range chunks {
		if heads = append(heads, c.head); len(c.quotes) > 0 {
			list = append(list, chunk{head: strings.Join(heads, "; "), quotes: c.quotes})
			heads = nil
		}
	}
	if heads != nil {
		list = append(list, chunk{head: strings.Join(heads, "; ")})
	}
	return list
}

// TestRecordOfOddWords checks that records of words with brackets, line breaks, control
// characters and records are read back unchanged.
func TestRecordOfOddWords(t *testing.T) {
	for seed := range int64(5_000) {
		rng := rand.New(rand.NewSource(seed))
		chunks := oddChunks(rng)
		text := writeRecord(chunks)
		for _, behind := range []string{"", "\n", "\n\nDone.\n]\n", "\n" + opening + "3 calls]"} {
			read, n := readRecord(text + behind)
			if len(behind) > 0 {
				n--
			}
			if want := asRead(chunks); n != len(text) || !slices.EqualFunc(read, want, func(a, b chunk) bool {
				return a.head == b.head && slices.Equal(a.quotes, b.quotes)
			}) {
				t.Fatalf("seed %d: %q with %q behind it is read as %q, %d bytes", seed, text, behind, writeRecord(read), n)
			}
			for from, to := range transcript.Records(text + behind) {
				if from != 0 || to != min(len(text)+1, len(text+behind)) {
					t.Fatalf("seed %d: transcript.Records finds %q in %q", seed, (text + behind)[from:to], text+behind)
				}
				break
			}
		}
		if again, _ := readRecord(writeRecord(asRead(chunks))); writeRecord(again) != text {
			t.Fatalf("seed %d: %q changes when it is written again: %q", seed, text, writeRecord(again))
		}
	}
}

// TestReadRecordAgrees compares the two readers on texts that begin like a record.
func TestReadRecordAgrees(t *testing.T) {
	for seed := range int64(5_000) {
		rng := rand.New(rand.NewSource(seed))
		text := opening
		for range rng.Intn(6) {
			text += oddText(rng)
		}
		_, n := readRecord(text)
		found := 0
		for from, to := range transcript.Records(text) {
			if from == 0 {
				found = to
			}
			break
		}
		if n != found {
			t.Errorf("seed %d: %q: readRecord takes %d bytes, transcript.Records %d", seed, text, n, found)
		}
	}
}

// TestCleanOddWords checks that clean returns one line of printable text that opens no record and holds no marker,
// within the requested length.
func TestCleanOddWords(t *testing.T) {
	const most = 40
	for seed := range int64(5_000) {
		text := oddText(rand.New(rand.NewSource(seed)))
		got := clean(text, most)
		switch {
		case len(got) > most+len(" …"):
			t.Errorf("seed %d: %q has %d bytes, more than %d", seed, got, len(got), most)
		case !utf8.ValidString(got), strings.Contains(got, "[condensed"), strings.Contains(got, "omitted]"), strings.Contains(got, "`"), strings.ContainsFunc(got, unicode.IsControl):
			t.Errorf("seed %d: %q holds what a record must not", seed, got)
		}
	}
}

func TestRepeatedCounts(t *testing.T) {
	head := "`make`"
	for n := 2; n <= 12; n++ {
		if head = countAgain(head); head != fmt.Sprintf("`make` ×%d", n) {
			t.Fatalf("got %q, want a count of %d", head, n)
		}
	}
}
