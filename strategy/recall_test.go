package strategy_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// recallFile holds the measures that TestRecall compares with.
const recallFile = "testdata/recall.txt"

// tolerance is the largest difference of a measure that is no change of fidelity.
const tolerance = 0.02

// TestRecall measures what the strategies leave of sessions: recall of facts that the model needed after a
// cut, and the measures of the dialogue. A change of fidelity shows in the difference of recallFile, which
// -update rewrites. Three sessions are invented, and stand in files of three formats; the others were written by clients,
// and are too short to be cut.
func TestRecall(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("session strategy target: answered closing last prose facts recall far\n")
	for i, w := range writers {
		seed := int64(i + 1)
		measureRecall(t, &table, fmt.Sprint(seed, " ", w.dialect), w.file(t, inventedSession(seed, 60)), counter)
	}
	for _, name := range []string{"codex/seeds.jsonl", "pi/ferry.jsonl"} {
		measureRecall(t, &table, name, recordedSession(t, name), counter)
	}
	if *update {
		if err := os.WriteFile(recallFile, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(recallFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range moved(string(want), table.String()) {
		t.Errorf("%s; if this is on purpose, run the test with -update", line)
	}
}

// measureRecall adds a line to table for each strategy and target.
func measureRecall(t *testing.T, table *strings.Builder, name string, c *transcript.Conversation, counter *token.Counter) {
	cuts, err := retain.Cuts(c, counter.Block)
	if err != nil && !strings.HasSuffix(name, ".jsonl") {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name   string
		stages []*strategy.Strategy
	}{
		{"hybrid", strategy.Hybrid}, {"smart-compress", []*strategy.Strategy{&strategy.Smart}}, {"summarize", []*strategy.Strategy{&strategy.Summarize}},
		{"progressive", []*strategy.Strategy{&strategy.Progressive}}, {"truncate", []*strategy.Strategy{&strategy.Truncate}},
	} {
		for _, share := range []float64{0.5, 0.25, 0.1} {
			o := strategy.Defaults()
			o.Target.Share = share
			shorten := func(c *transcript.Conversation) *transcript.Conversation {
				r, err := strategy.Run(t.Context(), c, s.stages, &o, strategy.Env{Tokens: counter.Block})
				if err != nil {
					t.Fatal(err)
				}
				return r.Conv
			}
			left := retain.Of(c, shorten(c))
			recall := "- -"
			var recalls []retain.Recall
			for _, cut := range cuts {
				recalls = append(recalls, cut.Recall(shorten(cut.Before)))
			}
			if mean := retain.Mean(recalls); len(recalls) > 0 {
				recall = fmt.Sprintf("%.3f %.3f", mean.Bound, mean.Far)
			}
			fmt.Fprintf(table, "%s %s %.0f%%: %.3f %.3f %.3f %.3f %.3f %s\n", name, s.name, 100*share,
				left.Answered.Share(), left.Closing.Share(), left.Last.Share(), left.Paragraphs.Share(), left.Facts.Bound(), recall)
		}
	}
}

// recordedSession returns the session of a file that a client wrote.
func recordedSession(t *testing.T, name string) *transcript.Conversation {
	src, err := os.ReadFile("../testdata/sessions/" + name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	return f.Convs[0]
}

// moved returns the lines of two tables whose measures differ by more than tolerance.
func moved(want, got string) (list []string) {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(wants) != len(gots) {
		return []string{fmt.Sprintf("%d lines, want %d", len(gots), len(wants))}
	}
	for i, line := range wants {
		name, numbers, _ := strings.Cut(line, ": ")
		other, others, _ := strings.Cut(gots[i], ": ")
		same := name == other
		a, b := strings.Fields(numbers), strings.Fields(others)
		for k := range a {
			var x, y float64
			fmt.Sscan(a[k], &x)
			if k < len(b) {
				fmt.Sscan(b[k], &y)
			}
			same = same && math.Abs(x-y) <= tolerance
		}
		if !same {
			list = append(list, fmt.Sprintf("got %q, want %q", gots[i], line))
		}
	}
	return list
}

func TestMoved(t *testing.T) {
	const table = "names\n1 hybrid 10%: 1.000 0.500\n"
	if got := moved(table, "names\n1 hybrid 10%: 0.985 0.515\n"); got != nil {
		t.Errorf("differences within the tolerance: %q", got)
	}
	for _, other := range []string{"names\n1 hybrid 10%: 1.000 0.470\n", "names\n1 hybrid 25%: 1.000 0.500\n", "names\n", "names\n1 hybrid 10%: 1.000\n"} {
		if moved(table, other) == nil {
			t.Errorf("%q does not differ", other)
		}
	}
}

// inventedSession returns a session of a coding agent with the given number of requests: it searches,
// reads, edits and tests, and comes back to what it read before.
func inventedSession(seed int64, requests int) *transcript.Conversation {
	s := inventor{rng: rand.New(rand.NewSource(seed))}
	for range 24 {
		s.files = append(s.files, fmt.Sprintf("/ship/%s/%s_%s.go", s.pick(decks), s.pick(things), s.pick(verbs)))
		s.functions = append(s.functions, title(s.pick(verbs))+title(s.pick(things))+title(s.pick(decks)))
	}
	for range requests {
		s.turn()
	}
	s.msgs = append(s.msgs, transcripttest.User("Thank you. What is left to do?"), transcripttest.Model("The "+s.pick(things)+" still needs a test, because nobody has checked it in a storm."))
	return transcripttest.Conversation(s.msgs...)
}

// inventor writes a session.
type inventor struct {
	rng              *rand.Rand
	files, functions []string
	msgs             []*transcript.Message
	calls            int
}

var (
	decks  = []string{"bridge", "cabin", "galley", "hold", "keel", "mast", "rudder", "sails"}
	things = []string{"anchor", "barrel", "compass", "lantern", "ledger", "rope", "sextant", "winch"}
	verbs  = []string{"check", "count", "drop", "hoist", "mend", "read", "stow", "trim"}
)

// title returns a word with a capital.
func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// pick returns one of some words.
func (s *inventor) pick(words []string) string { return words[s.rng.Intn(len(words))] }

// call adds a call and its result.
func (s *inventor) call(said, tool, result string, args ...string) {
	s.calls++
	id := fmt.Sprint("call", s.calls)
	s.msgs = append(s.msgs, transcripttest.Model(said, transcripttest.Call(id, tool, args...)), transcripttest.Tool(id, result))
}

// turn adds a request, the work and a closing answer.
func (s *inventor) turn() {
	file, name := s.pick(s.files), s.pick(s.functions)
	s.msgs = append(s.msgs, transcripttest.User(fmt.Sprintf("%s in %s fails when the %s is wet. Please mend it, and keep the old name.", name, file, s.pick(things))))
	s.call("Let me look for it.", "Grep", s.found(name), "pattern="+name, "path=/ship")
	s.call("", "Read", s.source(name), "file_path="+file)
	limit := 100 + s.rng.Intn(900)
	s.call(fmt.Sprintf("The cause is the limit of %d fathoms, because %s never resets it.", limit, s.pick(s.functions)), "Edit", "The file "+file+" has been updated.",
		"file_path="+file, fmt.Sprintf("old_string=\treturn %s(rope)\n", name), fmt.Sprintf("new_string=\treturn %s(rope, %d)\n", name, limit))
	s.call("", "Bash", s.tests(name), "command=go test ./"+s.pick(decks)+"/...")
	s.msgs = append(s.msgs, transcripttest.Model(fmt.Sprintf("%s works now: the limit is %d fathoms, and the tests pass.\n\nI did not change %s, which has the same fault.", name, limit, s.pick(s.functions))))
}

// found returns the output of a search.
func (s *inventor) found(name string) string {
	var b strings.Builder
	for range 6 + s.rng.Intn(12) {
		fmt.Fprintf(&b, "%s:%d:\tif err := %s(%s); err != nil {\n", s.pick(s.files), 1+s.rng.Intn(400), name, s.pick(things))
	}
	return b.String()
}

// source returns the text of a file with a function.
func (s *inventor) source(name string) string {
	var b strings.Builder
	line := 1
	write := func(format string, args ...any) {
		fmt.Fprintf(&b, "%6d→", line)
		fmt.Fprintf(&b, format+"\n", args...)
		line++
	}
	write("package %s", s.pick(decks))
	for i := range 5 {
		other := s.pick(s.functions)
		if i == 2 {
			other = name
		}
		write("")
		write("// %s must never be called while the %s is %sed.", other, s.pick(things), s.pick(verbs))
		write("func %s(rope int) error {", other)
		for range 3 + s.rng.Intn(5) {
			write("\t%s := %s.%s(%d)", s.pick(things), s.pick(decks), s.pick(s.functions), s.rng.Intn(1000))
		}
		write("\treturn nil")
		write("}")
	}
	return b.String()
}

// tests returns the output of a run of tests.
func (s *inventor) tests(name string) string {
	if s.rng.Intn(3) > 0 {
		return fmt.Sprintf("ok  \tship/%s\t0.%03ds\n", s.pick(decks), s.rng.Intn(1000))
	}
	return fmt.Sprintf("--- FAIL: Test%s (0.00s)\n    %s_test.go:%d: got %d fathoms, want %d\nFAIL\nFAIL\tship/%s\t0.012s\n", name, s.pick(things), s.rng.Intn(300), s.rng.Intn(90), s.rng.Intn(90), s.pick(decks))
}
