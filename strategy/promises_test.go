package strategy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
)

// The promises to users are tested for every strategy on every fixture. They are also
// tested on real conversations, if there are any beside the checkout.

// sources lists the fixtures and, unless -short, the corpus.
func sources(t testing.TB) (files []string) {
	for _, pattern := range []string{
		"../testdata/sessions/*/*",
		"../../shared/corpus/*/*", // TestPromises skips files that no dialect reads
	} {
		if testing.Short() && strings.Contains(pattern, "corpus") {
			continue
		}
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatal("no fixtures")
	}
	return files
}

// pipeline is a list of stages with options for which the promises are tested.
type pipeline struct {
	name   string
	stages []*strategy.Strategy
	set    func(*strategy.Options) // on the defaults; may be nil
}

// pipelines returns every strategy and the preset at the default target and at a tenth,
// every preparation alone, and the combinations.
func pipelines(t *testing.T) []pipeline {
	list := []pipeline{{"hybrid", strategy.Hybrid, nil}, {"hybrid 10%", strategy.Hybrid, tenth}}
	for _, s := range strategy.All {
		stages := []*strategy.Strategy{s}
		list = append(list, pipeline{s.Name, stages, func(o *strategy.Options) { o.KeepRounds = 3 }}, pipeline{s.Name + " 10%", stages, tenth})
	}
	for _, name := range strategy.PreparationNames() {
		set := demands[name]
		if set == nil {
			t.Fatalf("demands has no options for the preparation %s", name)
		}
		list = append(list, pipeline{name, nil, set})
	}
	return append(list, combinations...)
}

func tenth(o *strategy.Options) { o.Target.Share, o.KeepRounds, o.Aggression = 0.1, 5, 1 }

// demands maps the name of a preparation to options that demand it.
var demands = map[string]func(*strategy.Options){
	"drop-hidden": func(o *strategy.Options) { o.DropHidden = true },
	"thinking":    func(o *strategy.Options) { o.Thinking = strategy.ThinkingDrop },
	"tags":        func(o *strategy.Options) { o.Tags = strategy.TagsAll },
	"images":      func(o *strategy.Options) { o.Images.Limited = true },
	"cap":         func(o *strategy.Options) { o.Caps = caps("*=60") },
}

// combinations lists further pipelines and options.
var combinations = []pipeline{
	{"progressive in a window", []*strategy.Strategy{&strategy.Progressive}, func(o *strategy.Options) { o.Window, o.KeepRounds = 20_000, 5 }},
	{"dedupe, progressive", []*strategy.Strategy{&strategy.Dedupe, &strategy.Progressive}, func(o *strategy.Options) { o.Target.Share, o.KeepRounds, o.Aggression = 0.4, 3, 1 }},
	{"hybrid 10%, lines protected", strategy.Hybrid, func(o *strategy.Options) {
		o.Target.Share, o.Protect = 0.1, []*regexp.Regexp{regexp.MustCompile(`(?i)\bfailed\b`)}
	}},
	{"hybrid 10%, in a range", strategy.Hybrid, func(o *strategy.Options) { o.Target.Share, o.Messages = 0.1, strategy.Range{First: 5, Last: 20} }},
	{"hybrid 10%, a frozen prefix", strategy.Hybrid, func(o *strategy.Options) { o.Target.Share, o.FreezePrefix = 0.1, 5 }},
	{"hybrid 10%, a longer frozen prefix", strategy.Hybrid, func(o *strategy.Options) { o.Target.Share, o.FreezePrefix = 0.1, 6 }},
	{"dedupe, capped", []*strategy.Strategy{&strategy.Dedupe}, func(o *strategy.Options) { o.Caps = caps("*=60") }},
	{"hybrid 10%, capped, tags anywhere", strategy.Hybrid, func(o *strategy.Options) {
		o.Target.Share, o.Caps, o.Tags = 0.1, caps("*=400", "B*=100"), strategy.TagsAll
	}},
	{"hybrid 10%, not below 2,000", strategy.Hybrid, func(o *strategy.Options) { o.Target.Share, o.Trigger.MinTokens = 0.1, 2000 }},
	{"dedupe and mask, not below 2,000", []*strategy.Strategy{&strategy.Dedupe, &strategy.Mask}, func(o *strategy.Options) { o.KeepRounds, o.Trigger.MinTokens = 1, 2000 }},
	{"progressive, not below 2,000", []*strategy.Strategy{&strategy.Progressive}, func(o *strategy.Options) { o.Target.Share, o.KeepRounds, o.Trigger.MinTokens = 0.1, 1, 2000 }},
	{"summarize fresh", []*strategy.Strategy{&strategy.Summarize}, func(o *strategy.Options) { o.Target.Share, o.Layout = 0.2, strategy.LayoutFresh }},
	{"summarize fork", []*strategy.Strategy{&strategy.Summarize}, func(o *strategy.Options) { o.Target.Share, o.Layout = 0.2, strategy.LayoutFork }},
	{"hybrid 10%, without the last answer", strategy.Hybrid, func(o *strategy.Options) { o.Target.Share, o.UnpinLast = 0.1, true }},
	{"hybrid 10%, without typed text", strategy.Hybrid, func(o *strategy.Options) { o.Target.Share, o.UnpinUser = 0.1, true }},
	{"hybrid 50%, for training", strategy.Hybrid, func(o *strategy.Options) { o.Training = true }},
	{"hybrid 75%, for training", strategy.Hybrid, func(o *strategy.Options) { o.Training, o.Target.Share = true, 0.75 }},
	{"dedupe, mask and caps, for training", []*strategy.Strategy{&strategy.Dedupe, &strategy.Mask}, func(o *strategy.Options) {
		o.Training, o.KeepRounds, o.Caps = true, 1, caps("*=200")
	}},
	{"progressive and truncate, for training", []*strategy.Strategy{&strategy.Progressive, &strategy.Truncate}, func(o *strategy.Options) {
		o.Training, o.Target.Share = true, 0.75
	}},
	{"hybrid 10%, with ids", strategy.Hybrid, tenth},
	{"mask, with ids", []*strategy.Strategy{&strategy.Mask}, func(o *strategy.Options) { o.KeepRounds = 1 }},
	{"progressive 10%, capped, with ids", []*strategy.Strategy{&strategy.Progressive}, func(o *strategy.Options) {
		o.Target.Share, o.KeepRounds, o.Caps = 0.1, 3, caps("*=60")
	}},
	{"fraction", []*strategy.Strategy{&strategy.Truncate}, func(o *strategy.Options) { o.Fraction, o.UnpinUser = 0.5, true }},
}

func caps(list ...string) (res []strategy.Cap) {
	for _, s := range list {
		var c strategy.Cap
		if err := c.UnmarshalText([]byte(s)); err != nil {
			panic(err) // a fault of the table
		}
		res = append(res, c)
	}
	return res
}

// corpusShare is the number of pipelines of which a file of the corpus meets one. Neighbours meet different ones.
const corpusShare = 4

// TestPromises checks all promises for every fixture in every pipeline, and for the files of the corpus in some.
func TestPromises(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	all := pipelines(t)
	for n, path := range sources(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := format.Decode(src, ""); err != nil && strings.Contains(path, "corpus") {
				return // TestCorpusDetection holds which files are refused, and why
			}
			file, twin := decode(t, src), decode(t, src)
			for i, p := range all {
				if strings.Contains(path, "corpus") && (n+i)%corpusShare != 0 {
					continue
				}
				t.Run(p.name, func(t *testing.T) {
					o := strategy.Defaults()
					if p.set != nil {
						p.set(&o)
					}
					promise{t, src, file, twin, p.stages, o, counter, strings.HasSuffix(p.name, "with ids")}.check()
				})
			}
		})
	}
}

func decode(t *testing.T, src []byte) *format.File {
	file, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

type promise struct {
	t          *testing.T
	src        []byte
	file, twin *format.File // src decoded, twice
	stages     []*strategy.Strategy
	opts       strategy.Options
	counter    *token.Counter
	ids        bool // markers carry ids
}

func (p promise) env() strategy.Env {
	env := strategy.Env{Tokens: p.counter.Block}
	if p.ids {
		env.IDs = func(string, string) bool { return false }
	}
	return env
}

// run condenses a file and returns the results, the final conversations and the output.
func (p promise) run(file *format.File) (results []*strategy.Result, decided []*transcript.Conversation, out []byte) {
	p.t.Helper()
	for _, c := range file.Convs {
		r, err := strategy.Run(p.t.Context(), c, p.stages, &p.opts, p.env())
		if err != nil {
			p.t.Fatal(err)
		}
		results, decided = append(results, r), append(decided, r.Conv)
	}
	var buf bytes.Buffer
	if _, err := file.Encode(&buf, decided); err != nil {
		p.t.Fatal(err)
	}
	return results, decided, buf.Bytes()
}

// verify returns the decoded output.
func (p promise) verify(decided []*transcript.Conversation, out []byte) *format.File {
	p.t.Helper()
	again, err := p.file.Verify(decided, out)
	if err != nil {
		if p.opts.UnpinUser && hasHidden(p.file) {
			// The output is refused if the typed text is gone that shows which branch
			// continues.
			p.t.Skip(err)
		}
		p.t.Fatal(err)
	}
	return again
}

func hasHidden(f *format.File) bool {
	for _, c := range f.Convs {
		for _, m := range c.Messages {
			if m.Hidden {
				return true
			}
		}
	}
	return false
}

func (p promise) check() {
	results, decided, out := p.run(p.file)
	again := p.verify(decided, out)
	if len(out) > len(p.src) {
		p.t.Errorf("larger: %d bytes, was %d", len(out), len(p.src))
	}
	if _, _, twice := p.run(p.twin); !bytes.Equal(out, twice) {
		p.t.Error("a run on the same source wrote other bytes")
	}
	for i, before := range p.file.Convs {
		after := again.Convs[i]
		tokens, _ := breakdown.Measure(after, p.counter.Block)
		if tokens > results[i].Before {
			p.t.Errorf("conversation %d: more tokens: %d, was %d", i, tokens, results[i].Before)
		}
		if least := min(results[i].Before, p.opts.Trigger.MinTokens); tokens < least {
			p.t.Errorf("conversation %d: %d tokens are left, of at least %d", i, tokens, least)
		}
		if added := rules.New(rules.Check(before), rules.Check(after)); len(added) > 0 {
			p.t.Errorf("conversation %d: new faults: %v", i, added)
		}
		if p.opts.Training {
			labelsHold(p.t, before, results[i].Conv)
		}
		if !p.opts.UnpinUser {
			p.typedKept(before, after)
		}
		if !p.opts.UnpinLast {
			p.lastKept(before, after)
		}
		strategy.ReferencesHold(p.t, before, results[i].Conv)
	}
	p.capsHold(results)
	if p.ids {
		p.idsHold(results, again)
	}
	p.nothingLeft(results, out)
	if len(p.stages) == 1 && p.stages[0] == &strategy.Dedupe && p.opts.Caps == nil {
		p.nothingLost(again)
	}
	p.idempotent(results, again, out)
}

// idsHold checks that each id of the output names a text of the source, word for word, that no two
// texts have the same id, and that ids take no target away.
func (p promise) idsHold(results []*strategy.Result, again *format.File) {
	for i, r := range results {
		shown := map[string]bool{}
		for _, b := range again.Convs[i].Blocks() {
			for _, id := range idOf.FindAllStringSubmatch(b.Text(), -1) {
				shown[id[1]] = true
			}
		}
		numbers := map[string]string{}
		for _, removed := range r.Removed {
			if other, used := numbers[removed.ID]; used && other != removed.Number {
				p.t.Errorf("two texts have the id %s", removed.ID)
			}
			numbers[removed.ID] = removed.Number
			if b := r.From.Block(removed.At); len(removed.Of) == 0 && !strings.Contains(b.Text(), removed.Text) {
				p.t.Errorf("%s is not a text of %s: %.80q", removed.ID, removed.At, removed.Text)
			}
			if removed.Shown && !shown[removed.ID] {
				p.t.Errorf("the output does not show %s", removed.ID)
			}
			delete(shown, removed.ID)
		}
		for id := range shown {
			if !bytes.Contains(p.src, []byte("#"+id)) {
				p.t.Errorf("the output has the id %s of no text", id)
			}
		}
		if r.Budget == 0 || r.Reached() || len(p.src) > 100_000 {
			continue
		}
		bare := p
		bare.ids = false
		if without, _, _ := bare.run(p.file); without[i].Reached() {
			p.t.Errorf("%d tokens of %d: without ids, the target is reached", r.After, r.Budget)
		}
	}
}

// idOf matches the id in a marker or a record.
var idOf = regexp.MustCompile(`(?m)#(\d{6,9})(?: omitted\]|\]$)`)

// capsHold checks that no result is over its cap, except by a marker.
func (p promise) capsHold(results []*strategy.Result) {
	for _, r := range results {
		for ref, b := range r.Conv.Blocks() {
			if b.Kind != transcript.ToolResult || b.Pin == transcript.Verbatim || b.Fixed {
				continue
			}
			tool, _, _ := strings.Cut(subject.Label(r.Conv, ref), " ")
			for _, c := range p.opts.Caps {
				if n := p.counter.Block(withoutRecords(b)); c.Tool.Name(tool) && n > c.Tokens && (!strings.Contains(b.Text(), " omitted]") || n > c.Tokens+100) {
					p.t.Errorf("%s of %s has %d tokens, more than %d: %.200q", ref, tool, n, c.Tokens, b.Text())
				}
			}
		}
	}
}

// withoutRecords returns a block without the records of other calls, which no cap limits.
func withoutRecords(b *transcript.Block) *transcript.Block {
	bare := *b
	bare.Parts = slices.Clone(b.Parts)
	for i := range bare.Parts {
		bare.Parts[i].Text = transcript.WithoutRecords(bare.Parts[i].Text)
	}
	return &bare
}

// nothingLost checks that the output has every line of every result.
func (p promise) nothingLost(again *format.File) {
	for i, before := range p.file.Convs {
		left := map[string]bool{}
		for _, b := range again.Convs[i].Blocks() {
			for _, part := range b.Parts {
				for line := range strings.Lines(part.Text) {
					left[strings.TrimSpace(line)] = true
					left[bareLine(line)] = true
				}
			}
		}
		for ref, b := range before.Blocks() {
			if b.Kind != transcript.ToolResult {
				continue
			}
			for _, part := range b.Parts {
				for line := range strings.Lines(part.Text) {
					if !left[bareLine(line)] && !left[strings.TrimSpace(line)] {
						p.t.Errorf("%s: a line is lost: %.100q", ref, line)
						return
					}
				}
			}
		}
	}
}

// bareLine returns a line without the line number of a listing.
func bareLine(line string) string { return strings.TrimSpace(listed.ReplaceAllString(line, "")) }

var listed = regexp.MustCompile(`^ *\d+(?:→|\t|:| \| )`)

// typedKept checks that user messages of the output have all typed text.
func (p promise) typedKept(before, after *transcript.Conversation) {
	var said strings.Builder
	for m := range after.Visible() {
		if m.Role == transcript.User {
			for _, b := range m.Blocks {
				said.WriteString(b.Text())
				said.WriteByte('\n')
			}
		}
	}
	for m := range before.Visible() {
		for _, b := range m.Blocks {
			if m.Role == transcript.User && b.Kind == transcript.Text && b.Origin == transcript.Typed && !strings.Contains(said.String(), b.Text()) {
				p.t.Errorf("message %d: typed text is gone: %.80q", m.ID, b.Text())
			}
		}
	}
}

// lastKept checks that the output has the last answer word for word.
func (p promise) lastKept(before, after *transcript.Conversation) {
	last := ""
	for _, b := range before.Blocks() {
		if b.Kind == transcript.Text && b.Origin == transcript.ByModel && strings.TrimSpace(b.Text()) != "" && !transcript.IsMarker(b.Text()) {
			last = b.Text()
		}
	}
	for _, b := range after.Blocks() {
		if b.Kind == transcript.Text && b.Origin == transcript.ByModel && strings.Contains(b.Text(), last) {
			return
		}
	}
	if last != "" {
		p.t.Errorf("the last answer is gone: %.80q", last)
	}
}

// summaries returns the lines of the summaries that claude.ai writes of conversations. Its search
// returns those of others, so a result and a summary may have the same lines.
func summaries(t *testing.T, f *format.File, out []byte) (lines []string) {
	if f.Dialect.Name != "claude-ai" {
		return nil
	}
	var convs []struct{ Summary string }
	if err := json.Unmarshal(out, &convs); err != nil {
		return nil // a file of one conversation, or of projects
	}
	for _, c := range convs {
		insideOut(c.Summary, func(s string) { lines = append(lines, longLines(s)...) })
	}
	return lines
}

// nothingLeft checks that no string of the output has a line that was removed.
func (p promise) nothingLeft(results []*strategy.Result, out []byte) {
	removed := map[string]bool{}
	kept := summaries(p.t, p.file, out)
	for i, c := range p.file.Convs {
		for _, m := range results[i].Conv.Messages {
			if c.Message(m.ID) == nil { // an inserted message may quote removed lines
				for _, b := range m.Blocks {
					kept = append(kept, longLines(b.Text())...)
				}
			}
		}
		for _, m := range c.Messages {
			for _, b := range m.Blocks {
				now := results[i].Conv.Block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
				if now != nil {
					for _, p := range now.Parts {
						kept = append(kept, longLines(p.Name)...) // the path of a mentioned file
						insideOut(p.Text, func(s string) { kept = append(kept, longLines(s)...) })
					}
				}
				if now == nil || now.Text() != b.Text() {
					for _, line := range longLines(b.Text()) {
						removed[line] = true
					}
				}
			}
		}
	}
	for _, line := range kept {
		delete(removed, line)
	}
	if len(removed) == 0 {
		return
	}
	left := 0
	eachString(p.t, out, func(s string) {
		for _, line := range longLines(s) {
			if removed[line] {
				if left++; left <= 3 {
					p.t.Errorf("a removed line is still in the file: %.100q", line)
				}
			}
		}
	})
	if left > 3 {
		p.t.Errorf("%d removed lines are still in the file", left)
	}
}

// longLines returns the lines of 80 bytes or more, without the line number or the sign of
// a diff. So a line counts as kept if it stays with another number.
func longLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if len(line) >= 80 {
			lines = append(lines, strings.TrimSpace(gutter.ReplaceAllString(line, "")))
		}
	}
	return lines
}

var gutter = regexp.MustCompile(`^(?:\s*\d+(?:→|\t|: |\|)|[+-])`)

// eachString calls f for every string value of a JSON document or JSONL file.
func eachString(t *testing.T, data []byte, f func(string)) {
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			insideOut(v, f)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	var doc any
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if json.Unmarshal(data, &doc) == nil {
		walk(doc)
		return
	}
	for line := range bytes.Lines(data) {
		var v any
		if json.Unmarshal(line, &v) == nil {
			walk(v)
		}
	}
}

// insideOut calls f for a string. If the string is a JSON object, such as the arguments of
// a call, it also calls f for the strings in it.
func insideOut(s string, f func(string)) {
	f(s)
	var inner map[string]any
	if strings.HasPrefix(s, "{") && json.Unmarshal([]byte(s), &inner) == nil {
		for _, v := range inner {
			if s, ok := v.(string); ok {
				insideOut(s, f)
			}
		}
	}
}

// idempotent checks that a second run on the output, with the budget of the first run,
// changes nothing.
//
// It cannot check some runs. A range selects other messages after some were removed.
// Without a budget, dedupe compares what a cap left of results again. If MinTokens refused
// edits of the first run, the second may propose smaller ones.
func (p promise) idempotent(results []*strategy.Result, again *format.File, out []byte) {
	cappedWithoutBudget := p.opts.Caps != nil && len(results) == 1 && results[0].Budget == 0
	if cappedWithoutBudget || p.opts.Fraction > 0 || p.opts.Messages != (strategy.Range{}) || len(results) != 1 {
		return
	}
	if p.opts.UnpinUser && hasHidden(p.file) { // without typed text, other messages shadow hidden ones
		return
	}
	if p.opts.Trigger.MinTokens > 0 && (results[0].Budget == 0 || !results[0].Reached()) {
		return
	}
	p.opts.Target = strategy.Target{Tokens: results[0].Budget}
	_, _, twice := p.run(again)
	if !bytes.Equal(out, twice) {
		p.t.Errorf("a second run changes something: %s", firstDifference(out, twice))
	}
}

func firstDifference(a, b []byte) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("byte %d: %.120q became %.120q", i, a[max(0, i-40):], b[max(0, i-40):])
}
