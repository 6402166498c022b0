package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/transcripttest"
)

// wider lists the dialects whose sniff may accept sources of dialects before them: openai accepts
// all sources with messages, anthropic all with calls in the form of its API.
var wider = map[string][]string{
	"openai":    {"*"},
	"anthropic": {"cline"},
}

// dialectOf returns the dialect of a fixture. It is the name of the folder, except that the fixtures
// of Cline and Roo Code lie in the folder of Anthropic.
func dialectOf(path string) string {
	folder, file := filepath.Base(filepath.Dir(path)), filepath.Base(path)
	if folder == "anthropic" && (strings.HasPrefix(file, "cline") || strings.HasPrefix(file, "roo")) {
		return "cline"
	}
	return folder
}

// TestDetection checks that every fixture is accepted by its own dialect, and by no other that is
// not in wider.
func TestDetection(t *testing.T) {
	seen := map[string]int{}
	for path, src := range fixtures(t) {
		want := dialectOf(path)
		seen[want]++
		p, err := newProbe(src, false)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		claims := claimants(p)
		if len(claims) == 0 || claims[0] != want {
			t.Errorf("%s: claimed by %q, want %s first", path, claims, want)
		}
		for _, name := range claims[min(1, len(claims)):] {
			if over := wider[name]; !slices.Contains(over, want) && !slices.Contains(over, "*") {
				t.Errorf("%s: claimed by %s too", path, name)
			}
		}
	}
	for _, d := range Dialects {
		if seen[d.Name] < 2 {
			t.Errorf("%s has %d fixtures in testdata/sessions, want two or more", d.Name, seen[d.Name])
		}
	}
}

// claimants returns the dialects that accept a source when asked alone, in the order of detection.
func claimants(p *probe) (names []string) {
	for _, d := range Dialects {
		if d.sniff(p) {
			names = append(names, d.Name)
		}
	}
	return names
}

// TestFixturesAsLines checks what a file of lines is taken for whose lines, or whose first line, are documents of a
// dialect. A row of testdata/lines.txt has the dialects that claim them, and what is read. -update rewrites it.
func TestFixturesAsLines(t *testing.T) {
	rows := [][]string{{"document", "twice", "read", "with_another", "read"}}
	small := smallest(t)
	for _, d := range Dialects {
		var line bytes.Buffer
		if json.Compact(&line, small[d]) != nil {
			continue // lines already
		}
		line.WriteByte('\n')
		row := []string{d.Name}
		for _, more := range []string{line.String(), `{"a":1}` + "\n"} {
			src := append(bytes.Clone(line.Bytes()), more...)
			p, err := newProbe(src, false)
			if err != nil {
				row = append(row, "none", err.Error()) // lines of arrays
				continue
			}
			read := "refused"
			if f, err := Decode(src, ""); err == nil {
				read = fmt.Sprintf("%d conversations of %s", len(f.Convs), f.Dialect.Name)
			}
			row = append(row, "by "+strings.Join(claimants(p), " "), read)
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, "testdata/lines.txt", *update, rows)
}

// TestDetectionBroken checks fixtures that are cut off or damaged anywhere: detection does not
// panic, and every refusal is an *Error.
func TestDetectionBroken(t *testing.T) {
	step, flips := 97, 40
	if testing.Short() {
		step, flips = 977, 5
	}
	for path, src := range fixtures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			for n := 0; n <= len(src); n += step {
				detectAndDecode(t, src[:n])
			}
			rng := rand.New(rand.NewSource(int64(len(src))))
			for range flips {
				detectAndDecode(t, damagedCopy(rng, src))
			}
		})
	}
}

func detectAndDecode(t *testing.T, src []byte) {
	t.Helper()
	if p, err := newProbe(src, false); err == nil {
		claimants(p)
		p.refused()
	}
	var known *Error
	if _, err := Decode(src, ""); err != nil && !errors.As(err, &known) {
		t.Errorf("%d bytes: got %v, want an *Error", len(src), err)
	}
}

// damagedCopy returns a copy of a source with a few changed bytes, most of which keep it JSON: in a
// key, a kind, a bracket.
func damagedCopy(rng *rand.Rand, src []byte) []byte {
	src = bytes.Clone(src)
	for range 1 + rng.Intn(8) {
		at := rng.Intn(len(src))
		switch c := src[at]; {
		case 'a' <= c && c <= 'z':
			src[at] = 'x'
		case c == '{' || c == '[':
			src[at] = "0{[\""[rng.Intn(4)]
		default:
			src[at] = "0\",:]}\n\x00"[rng.Intn(8)]
		}
	}
	return src
}

// TestDetectionCost checks that detection reads only the first records. In a source twenty times as
// large it allocates as much and takes hardly longer.
func TestDetectionCost(t *testing.T) {
	if testing.Short() {
		t.Skip("builds large sources")
	}
	done := map[string]bool{}
	files := fixtures(t)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		name, src := dialectOf(path), files[path]
		once := manyTimes(t, src, 1)
		if done[name] || once == nil || len(src) < 1000 {
			continue
		}
		done[name] = true
		t.Run(name, func(t *testing.T) {
			n := max(probeRecords, 100<<10/len(src)) // more records than detection reads
			var allocs [2]float64
			for i, factor := range []int{1, 20} {
				p, err := newProbe(manyTimes(t, src, n*factor), false)
				if err != nil {
					t.Fatal(err)
				}
				allocs[i] = testing.AllocsPerRun(3, func() { claimants(p) })
			}
			if allocs[0] != allocs[1] {
				t.Errorf("%g allocations for a small source, %g for a large one", allocs[0], allocs[1])
			}
		})
	}
}

// BenchmarkDetect shows that a source twenty times as large takes no longer to recognise.
func BenchmarkDetect(b *testing.B) {
	src, err := os.ReadFile("../../testdata/sessions/openai/array.json")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{50, 1000} {
		p, err := newProbe(manyTimes(b, src, n), false)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d KB", len(p.src)>>10), func(b *testing.B) {
			for b.Loop() {
				claimants(p)
				p.refused()
			}
		})
	}
}

// manyTimes returns a source with its lines, or the elements of its largest array, repeated n times;
// nil when there is nothing to repeat.
func manyTimes(t testing.TB, src []byte, n int) []byte {
	t.Helper()
	p, err := newProbe(src, false)
	if err != nil {
		t.Fatal(err)
	}
	if p.lines != nil {
		return bytes.Repeat(append(bytes.TrimRight(src, "\n"), '\n'), n)
	}
	items := largestArray(p.doc.Root(), 3).Items()
	if len(items) == 0 {
		return nil
	}
	first, last := items[0].Start, items[len(items)-1].End
	var out bytes.Buffer
	out.Write(src[:first])
	for range n - 1 {
		out.Write(src[first:last])
		out.WriteByte(',')
	}
	out.Write(src[first:])
	return out.Bytes()
}

// largestArray returns the largest array in v, at most depth levels below it.
func largestArray(v rawjson.Value, depth int) (best rawjson.Value) {
	if v.Kind() == rawjson.Array {
		return v
	}
	if depth == 0 {
		return best
	}
	for k, m := range v.Members() {
		if k.Is("trajectory") {
			continue // of SWE-agent: it repeats the history
		}
		if a := largestArray(m, depth-1); len(a.Raw()) > len(best.Raw()) {
			best = a
		}
	}
	return best
}

// refusedFiles lists the files of the corpus that no dialect may accept, by the beginning of their
// paths, with the reason. All other files in a folder of a known format have to decode.
var refusedFiles = map[string]string{
	"cline-ui-messages/": "user interface logs",
	"other-agent-log/":   "no messages in them",
	"openai-ft-jsonl/sierra-research__tau-bench__MockRetailDomainEnv-few_shot.jsonl": "conversations as one text each",
	"sharegpt/zhu-yiqi__agent-data-protocol__screenagent_sample_raw.json":            "steps with a prompt each",
}

// TestCorpusDetection checks that the dialect of its folder decodes every real file, or that the
// file is refused for a known reason.
func TestCorpusDetection(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "corpus")
	found, _ := filepath.Glob(filepath.Join(root, "*", "*"))
	if len(found) == 0 {
		t.Skip("no corpus beside the checkout")
	}
	var table strings.Builder
	for _, path := range found {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		family, _, _ := strings.Cut(rel, "/")
		verdict, ok := detected(src, families[family], reasonToRefuse(rel))
		fmt.Fprintf(&table, "%-70.70s %s\n", rel, verdict)
		if !ok {
			t.Errorf("%s: %s, want %q", rel, verdict, families[family])
		}
	}
	t.Log("\n" + table.String())
}

// detected returns how a file was recognised, and whether that is right.
func detected(src []byte, want []string, refuse string) (verdict string, ok bool) {
	f, err := Decode(src, "")
	if err == nil {
		verdict = f.Dialect.Name
		return verdict, slices.Contains(want, verdict) && refuse == ""
	}
	return "refused: " + err.Error(), refuse != "" || len(want) == 0
}

func reasonToRefuse(path string) string {
	for begin, reason := range refusedFiles {
		if strings.HasPrefix(path, begin) {
			return reason
		}
	}
	return ""
}

// TestLateMessages checks that a source is recognised whose messages come after more other
// records than detection looks at first.
func TestLateMessages(t *testing.T) {
	plain := strings.Repeat(`{"role":"user","content":"q"},{"role":"assistant","content":"a"},`, probeRecords)
	for _, tt := range []struct{ want, src string }{
		{"claude-code", strings.Repeat("{\"type\":\"permission-mode\",\"permissionMode\":\"default\"}\n", 2*probeRecords) +
			`{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"q"}}` + "\n"},
		{"anthropic", `[` + plain + `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{}}]}]`},
		{"openai", `[` + strings.TrimSuffix(plain, ",") + `]`},
	} {
		f, err := Decode([]byte(tt.src), "")
		if err != nil || f.Dialect.Name != tt.want || f.Detected != f.Dialect || !f.hasMessages() {
			t.Errorf("%s: %v, %v", tt.want, f, err)
		}
	}
}

// TestDetected checks that a file knows what detection finds if the caller names another
// format.
func TestDetected(t *testing.T) {
	src := []byte(`[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]`)
	for name, want := range map[string]*Dialect{"": &openai, "openai": &openai, "anthropic": &openai, "cline": &openai} {
		if f, err := Decode(src, name); err != nil || f.Detected != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f, err := Decode([]byte("{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}\nx\ny\nz\n"), "openai-ft"); err != nil || f.Detected != nil {
		t.Errorf("a source of broken lines: %v, %v", f, err)
	}
}

// TestInjectedTags checks that each element that a client inserts into typed text is a text of the client.
func TestInjectedTags(t *testing.T) {
	for _, tag := range []string{"system-reminder", "environment_details", "ide_opened_file", "ide_selection", "ide_diagnostics"} {
		src := `[{"role":"user","content":"Mend the gate.\n\n<` + tag + `>harbour.go</` + tag + `>"},{"role":"assistant","content":"a"}]`
		f, err := Decode([]byte(src), "anthropic")
		if err != nil {
			t.Fatal(err)
		}
		injected := false
		for _, b := range f.Convs[0].Blocks() {
			injected = injected || b.Origin == transcript.Injected && strings.Contains(b.Text(), "harbour.go")
		}
		if !injected {
			t.Errorf("<%s> is not a text of the client", tag)
		}
	}
}

// TestCompactionItems checks which items of OpenAI's Responses API stand for an earlier conversation.
func TestCompactionItems(t *testing.T) {
	for kind, want := range map[string]bool{"compaction": true, "compaction_summary": true, "context_compaction": true, "message": false, "": false} {
		if got := isCompactionItem(kind); got != want {
			t.Errorf("%q: %v", kind, got)
		}
	}
}
