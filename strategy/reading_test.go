package strategy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// TestReading checks what a reader of a condensed conversation relies on, for every fixture and the
// corpus: hybrid uses the budget that it has, calls that stay keep their arguments, markers and fences are
// whole, and no two requests meet that the conversation had apart.
func TestReading(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources(t) {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := format.Decode(src, "")
			if err != nil && strings.Contains(path, "corpus") {
				return // TestCorpusDetection holds which files are refused, and why
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range file.Convs {
				if i > 20 {
					break
				}
				r := reading{t, c, counter.Block}
				r.check()
			}
		})
	}
}

// leastRead is the number of tokens below which a text of the conversation may be too large a part of it for any
// budget to be used.
const leastRead = 2500

// leastUse is the least share of the tokens that may be left which is left: lines and sentences stay whole.
const leastUse = 0.93

// reading checks a conversation.
type reading struct {
	t      *testing.T
	before *transcript.Conversation
	tokens func(*transcript.Block) int
}

func (r reading) check() {
	r.t.Helper()
	deduped := r.run([]*strategy.Strategy{&strategy.Dedupe}, 0.01).After
	larger := 0
	for _, share := range []float64{0.1, 0.25, 0.5} {
		res := r.run(strategy.Hybrid, share)
		most := min(res.Budget, deduped)
		if res.Before >= leastRead && float64(res.After) < leastUse*float64(most) {
			r.t.Errorf("%.0f%% of %d: %d tokens are left, but %d may be", 100*share, res.Before, res.After, most)
		}
		if res.Before >= leastRead && res.After < larger {
			r.t.Errorf("%.0f%%: %d tokens are left, and at a smaller target %d", 100*share, res.After, larger)
		}
		larger = res.After
		r.argumentsHold(res.Conv)
		r.marksHold(res.Conv)
		if was, is := longestRun(r.before), longestRun(res.Conv); is > was {
			r.t.Errorf("%.0f%%: %d requests stand together, at most %d did", 100*share, is, was)
		}
	}
}

func (r reading) run(stages []*strategy.Strategy, share float64) *strategy.Result {
	r.t.Helper()
	o := strategy.Defaults()
	o.Target.Share = share
	res, err := strategy.Run(r.t.Context(), r.before, stages, &o, strategy.Env{Tokens: r.tokens})
	if err != nil {
		r.t.Fatal(err)
	}
	return res
}

// argumentsHold checks that calls which stay have no new markers in their arguments.
func (r reading) argumentsHold(after *transcript.Conversation) {
	for ref, b := range after.Blocks() {
		was := r.before.Message(ref.Msg)
		if b.Kind != transcript.ToolCall || was == nil {
			continue
		}
		if is, had := marks(b.Text()), marks(r.before.Block(ref).Text()); is > had {
			r.t.Errorf("%s: the call has %d markers, had %d", ref, is, had)
		}
	}
}

func marks(text string) int { return len(markIn.FindAllString(text, -1)) }

var markIn = regexp.MustCompile(`\[[^\[\]\n]* omitted\]`)

// marksHold checks that no two markers touch, and that fences have their other half, in blocks where both was
// so before.
func (r reading) marksHold(after *transcript.Conversation) {
	for ref, b := range after.Blocks() {
		if r.before.Message(ref.Msg) == nil {
			continue
		}
		was, is := r.before.Block(ref), b
		for i := range is.Parts {
			if text := is.Parts[i].Text; touching(text) > touching(was.Text()) {
				r.t.Errorf("%s: two markers touch:\n%.2000s", ref, text)
			}
		}
		if b.Kind == transcript.Text && b.Origin == transcript.ByModel && fences(was.Text())%2 == 0 && fences(is.Text())%2 != 0 {
			r.t.Errorf("%s: a fence has lost its other half:\n%.2000s", ref, is.Text())
		}
	}
}

// touching returns the number of markers on a line of their own right below another one.
func touching(text string) (n int) {
	last := false
	for line := range strings.Lines(text) {
		is := subject.OnlyMarker(line)
		if is && last {
			n++
		}
		last = is
	}
	return n
}

// fences returns the number of lines that open or close a block of code.
func fences(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			n++
		}
	}
	return n
}

// longestRun returns the largest number of typed texts between which neither the model nor a tool says anything.
func longestRun(c *transcript.Conversation) (most int) {
	run := 0
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			switch {
			case b.Kind == transcript.Text && b.Origin == transcript.Typed && m.Role == transcript.User:
				run++
				most = max(most, run)
			case b.Origin != transcript.Injected && strings.TrimSpace(b.Text()) != "":
				run = 0
			}
		}
	}
	return most
}
