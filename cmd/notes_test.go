package cmd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/source"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/notes"
	"condense/strategy/rescue"
	"condense/transcript/format"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// TestPackingNotes checks the note on the compression of input and output, for all pairs of them.
func TestPackingNotes(t *testing.T) {
	const bytesOf = "; bytes are those of the transcript in it"
	with := func(name string, data []byte) *source.Encoding {
		in, err := source.ReadStream(t.Context(), name, bytes.NewReader(data), 0)
		if err != nil {
			t.Fatal(err)
		}
		return in.Encoding
	}
	gzip := with("x.gz", []byte(gzipped(t, shortChat)))
	plain, err := source.ReadStream(t.Context(), "x", strings.NewReader(shortChat), 0)
	if err != nil {
		t.Fatal(err)
	}
	zstd := plain.EncodingFor("x.zst")
	table, err := os.ReadFile("../transcript/eval/testdata/log.eval")
	if err != nil {
		t.Fatal(err)
	}
	container := with("x", table)
	if gzip == nil || zstd == nil || !container.Container() {
		t.Fatalf("gzip %v, zstd %v, container %v", gzip, zstd, container)
	}
	for _, tt := range []struct {
		from, to *source.Encoding
		want     string
	}{
		{nil, nil, ""},
		{nil, zstd, "what is written is compressed with zstd, by its name" + bytesOf},
		{gzip, gzip, "the file is compressed with gzip, and so is what is written" + bytesOf},
		{gzip, zstd, "the file is compressed with gzip, and what is written with zstd, by its name" + bytesOf},
		{container, container, "the file is " + container.Name + ", and so is what is written; bytes are those of its conversations as JSON"},
		{container, nil, "the file is " + container.Name + ", and what is written is its JSON, by its name"},
	} {
		got := packingNotes(tt.from, tt.to)
		if tt.want == "" && got != nil || tt.want != "" && !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%v to %v: %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}

// TestUndoNotes checks the notes on where the old content of a replaced file is, for all combinations of flags.
func TestUndoNotes(t *testing.T) {
	dropped := &report.Report{Conversations: []report.Conversation{{}, {Edits: []report.Edit{{Stage: "dedupe"}, {Stage: "tags"}}}}}
	other := &report.Report{Conversations: []report.Conversation{{Edits: []report.Edit{{Stage: "dedupe"}}}}}
	const removes = ": condense stash purge a.json removes it"
	for _, tt := range []struct {
		o    outputOptions
		s    stashOptions
		want string
	}{
		{outputOptions{}, stashOptions{}, ""},
		{outputOptions{dryRun: true, replaces: true}, stashOptions{}, ""},
		{outputOptions{replaces: true}, stashOptions{}, "the text of <drop> tags is still in the stash" + removes},
		{outputOptions{replaces: true, inPlace: ".bak"}, stashOptions{}, "the text of <drop> tags is still in the stash and in the backup" + removes},
		{outputOptions{replaces: true, inPlace: ".bak"}, stashOptions{noUndo: true}, "the text of <drop> tags is still in the backup" + removes},
		{outputOptions{replaces: true}, stashOptions{noUndo: true}, ""},
		{outputOptions{}, stashOptions{dir: "s"}, "the text of <drop> tags is still in the stash: condense stash purge a.json --stash s removes it"},
		{outputOptions{}, stashOptions{dir: "s s"}, "the text of <drop> tags is still in the stash: condense stash purge a.json --stash 's s' removes it"},
		{outputOptions{replaces: true}, stashOptions{dir: "s", noUndo: true}, "the text of <drop> tags is still in the stash: condense stash purge a.json --stash s removes it"},
		{outputOptions{replaces: true, inPlace: ".bak"}, stashOptions{dir: "s", noUndo: true}, "the text of <drop> tags is still in the stash and in the backup: condense stash purge a.json --stash s removes it"},
		{outputOptions{dryRun: true}, stashOptions{dir: "s"}, ""},
	} {
		got := (&app{}).stillThere(&tt.o, &tt.s, dropped, "a.json")
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%+v %+v: %q, want %q", tt.o, tt.s, got, tt.want)
		}
		if got := (&app{}).stillThere(&tt.o, &tt.s, other, "a.json"); got != nil {
			t.Errorf("%+v %+v, without tags: %q", tt.o, tt.s, got)
		}
	}
}

// TestRescueNotes checks the notes of condense rescue: on what the provider counted beside the file, and on flags that a
// person may have expected to act.
func TestRescueNotes(t *testing.T) {
	const most = "the system text and the tools take most of the window"
	for _, tt := range []struct {
		window, beside, doubted int
		want                    []string
	}{
		{0, 0, 0, nil}, {0, 900, 0, nil}, {1000, 749, 0, nil}, {1000, 750, 0, nil}, {1000, 751, 0, []string{most}},
		{1000, 0, 12345, []string{"the file says that its last request had 12,345 tokens, more than the window, so this was not counted; --window names a larger window"}},
		{1000, 999, 2000, []string{most, "the file says that its last request had 2,000 tokens"}},
	} {
		got := besideNotes(&gate.Rescue{Window: tt.window, Beside: tt.beside}, tt.doubted)
		if len(got) != len(tt.want) || slices.ContainsFunc(got, func(s string) bool { return !strings.HasPrefix(s, tt.want[slices.Index(got, s)]) }) {
			t.Errorf("window %d, beside %d, doubted %d: %q, want %q", tt.window, tt.beside, tt.doubted, got, tt.want)
		}
	}
	const target, window = "--target was not used, because the conversation fits the window", "if the client has a smaller window than 1,000 tokens, --window names it"
	acted := condense.Conversation{Result: &strategy.Result{Decision: strategy.Decision{Act: true}}}
	idle := condense.Conversation{Result: &strategy.Result{}}
	for _, tt := range []struct {
		convs        []condense.Conversation
		window       int // of the report
		flag         int // --window
		target       strategy.Target
		changed      bool
		first, other string
	}{
		{nil, 1000, 0, strategy.Target{}, false, window, ""},
		{[]condense.Conversation{{}, idle}, 1000, 0, strategy.Target{}, false, window, ""},
		{[]condense.Conversation{idle}, 1000, 0, strategy.Target{Tokens: 5}, false, target, window},
		{[]condense.Conversation{idle}, 1000, 0, strategy.Target{Share: .5}, true, target, ""},
		{[]condense.Conversation{idle}, 1000, 1000, strategy.Target{}, false, "", ""},
		{[]condense.Conversation{idle}, 1000, 0, strategy.Target{}, true, "", ""},
		{[]condense.Conversation{idle}, 0, 0, strategy.Target{Tokens: 5}, false, "", ""},
		{[]condense.Conversation{idle, acted}, 1000, 0, strategy.Target{Tokens: 5}, false, "", ""},
	} {
		o := &rescueOptions{runOptions: *newRunOptions()}
		o.strategy.Window, o.strategy.Target = tt.flag, tt.target
		out := &rescue.Outcome{Outcome: &condense.Outcome{Conversations: tt.convs, Changed: tt.changed}}
		got := append(o.unused(out, &gate.Rescue{Window: tt.window}), "", "")
		if !strings.HasPrefix(got[0], tt.first) || tt.first == "" && got[0] != "" || got[1] != tt.other {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestBatchNotes checks the notes of a batch, for each combination of what they are about.
func TestBatchNotes(t *testing.T) {
	const undo = "condense undo FILE puts the old content of a file back"
	for _, tt := range []struct {
		limits           []string
		replaces, dry    bool
		noUndo           bool
		unkept, finished int
		want             []string
	}{
		{nil, false, false, false, 0, 0, nil},
		{[]string{"max-cost 1", "rpm 2"}, false, false, false, 0, 0, []string{"the project's condense.yaml sets max-cost 1, rpm 2"}},
		{nil, true, false, false, 0, 0, []string{undo}}, {nil, true, true, false, 0, 0, nil}, {nil, true, false, true, 0, 0, nil}, {nil, false, true, false, 0, 0, nil},
		{nil, false, false, false, 2, 0, []string{"condense undo cannot put the old content back: 2 of the files"}},
		{nil, false, false, false, 0, 1, []string{"1 of them was done before"}}, {nil, false, false, false, 0, 2, []string{"2 of them were done before"}},
		{[]string{"rpm 2"}, true, false, false, 1, 3, []string{"the project's condense.yaml sets rpm 2", undo, "condense undo cannot put the old content back: 1 of the files", "3 of them were done before"}},
	} {
		o := newBatchOptions()
		o.run.replaces, o.run.dryRun, o.run.stash.noUndo = tt.replaces, tt.dry, tt.noUndo
		b := &batchRun{a: &app{limits: tt.limits}, o: o, unkept: tt.unkept, before: tt.finished}
		if got := b.notes(); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestReasons checks the notes on files by reasons: reasons that differ only in numbers count as one, the
// most frequent comes first, the example is that of the first path, and only three are named.
func TestReasons(t *testing.T) {
	var b reasons
	for _, one := range [][2]string{
		{"m", "5 tokens are few"}, {"c", "1,234 tokens are few"}, {"x", "12.5 tokens are few"}, {"a", ""}, {"p", "nothing is repeated"}, {"q", "nothing is repeated"},
		{"r", "it is empty"}, {"s", "a reason"}, {"t", "b reason"},
	} {
		b.add(one[0], one[1])
	}
	want := []string{
		"3 files unchanged, such as c: 1,234 tokens are few", "2 files unchanged, such as p: nothing is repeated",
		"1 file unchanged: a reason", "unchanged for 2 more reasons: -v lists them",
	}
	if got := b.notes("unchanged"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := reasons(nil).notes("unchanged"); got != nil {
		t.Errorf("without files: %q", got)
	}
	b = b[:maxReasons]
	if got := b.notes("unchanged"); !slices.Equal(got, want[:maxReasons]) {
		t.Errorf("three reasons: %q", got)
	}
}

// TestModelNotes checks the notes on what a model has answered: how many questions, from the cache or not, by which of two
// models, for how much money by which prices, and how many secrets were replaced.
func TestModelNotes(t *testing.T) {
	fails := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked bytes.Buffer
		if _, err := asked.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		if fails["one"] && strings.Contains(asked.String(), `"model":"one"`) {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"the answer"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":10}}`)
	}))
	defer s.Close()
	prices := filepath.Join(t.TempDir(), "prices")
	if err := os.WriteFile(prices, []byte(`{"one":{"input_cost_per_token":1e-05,"output_cost_per_token":1e-05},"two":{"input_cost_per_token":1e-05,"output_cost_per_token":1e-05}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(name, other, prices string, questions ...string) (spent []string) {
		o := newLLMOptions()
		o.use, o.name, o.substitute, o.base, o.retries, o.prices, o.cache = true, name, other, s.URL+"/v1", 0, prices, ""
		if err := o.check(); err != nil {
			t.Fatal(err)
		}
		if got := o.spent(); got != nil {
			t.Errorf("before there is a client: %q", got)
		}
		if err := o.connect(t.Context(), func(string) string { return "" }, &countOptions{}, false); err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			p := notes.Prompt{Text: q}
			if _, err := o.client.Ask(t.Context(), p); err != nil && o.second != nil {
				_, _ = o.second.Ask(t.Context(), p)
			}
		}
		return o.spent()
	}
	for _, tt := range []struct {
		fails               string
		name, other, prices string
		questions           []string
		want                []string
	}{
		{"", "one", "", "", nil, []string{"one was not asked"}},
		{"", "one", "two", prices, nil, []string{"one was not asked"}},
		{"", "one", "", "", []string{"why?"}, []string{"one answered 1 questions, 0 more from the cache: 1000 tokens in, 10 out, at a price that is not known"}},
		{"", "one", "", prices, []string{"why?"}, []string{"one answered 1 questions, 0 more from the cache: 1000 tokens in, 10 out, for $0.0101 by prices of --prices"}},
		{"", "gpt-5-mini", "", "", []string{"why?"}, []string{"gpt-5-mini answered 1 questions, 0 more from the cache: 1000 tokens in, 10 out, for $0.0003 by prices of " + token.PricesDate}},
		{"", "one", "two", prices, []string{"why?", "how?"}, []string{"one answered 2 questions, 0 more from the cache: 2000 tokens in, 20 out, for $0.0202 by prices of --prices"}},
		{"one", "one", "two", prices, []string{"why?"}, []string{"two answered 1 questions"}},
	} {
		fails = map[string]bool{tt.fails: true}
		got := ask(tt.name, tt.other, tt.prices, tt.questions...)
		if len(got) != len(tt.want) || !strings.HasPrefix(got[0], tt.want[0]) {
			t.Errorf("%s and %s, %q: %q, want %q", tt.name, tt.other, tt.questions, got, tt.want)
		}
	}
}

// TestOutcomesOfResumption compares with testdata/outcomes-resumption.txt, for each fixture, how its client goes on with it:
// in the file of the session, in one of another name, and with a new id.
func TestOutcomesOfResumption(t *testing.T) {
	rows := [][]string{{"fixture", "id", "its own file", "another file", "a new id", "found by its id"}}
	for name, src := range transcripttest.Fixtures(t, "../testdata") {
		file, err := format.Decode(src, "")
		if err != nil {
			continue
		}
		out := &condense.Outcome{File: file}
		id := sessionOf(out)
		own := resumption(out, "sessions/"+id+".jsonl")
		other := resumption(out, "x y.jsonl")
		out.SessionID = "b6a2f1c0-0000-4000-8000-000000000000"
		rows = append(rows, []string{
			name, transcripttest.Sum(id), transcripttest.Sum(own), transcripttest.Sum(other), transcripttest.Sum(resumption(out, "sessions/"+out.SessionID+".jsonl")),
			fmt.Sprint(byID(file.Dialect.Resumption())),
		})
	}
	transcripttest.Frozen(t, "testdata/outcomes-resumption.txt", *update, rows)
}

// TestDated checks what pages show about how they were made: the command line, quoted and without passwords, and the time,
// which SOURCE_DATE_EPOCH sets.
func TestDated(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		args    []string
		epoch   string
		command string
		date    time.Time
	}{
		{nil, "", "", now},
		{[]string{"run", "a b.json"}, "x", "condense run 'a b.json'", now},
		{[]string{"run", "--base-url", "https://me:secret@example.org/v1"}, "86400", "condense run --base-url 'https://…@example.org/v1'", time.Unix(86400, 0).UTC()},
		{[]string{"run", "--base-url=https://example.org/@v1"}, "0", "condense run '--base-url=https://example.org/@v1'", time.Unix(0, 0).UTC()},
	} {
		a := &app{args: tt.args, now: func() time.Time { return now }, env: func(name string) string { return map[string]string{"SOURCE_DATE_EPOCH": tt.epoch}[name] }}
		got := a.dated(a.screen("never", 2))
		if got.Command != tt.command || !got.Date.Equal(tt.date) || got.Verbose != 2 {
			t.Errorf("%q, %q: %q at %v", tt.args, tt.epoch, got.Command, got.Date)
		}
	}
}

// TestQueues checks that a context that is done ends the wait of a filter for its next record.
func TestQueues(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r, err := next(ctx, bufio.NewWriter(io.Discard), nil); r != nil || err == nil {
		t.Errorf("%v, %v", r, err)
	}
}
