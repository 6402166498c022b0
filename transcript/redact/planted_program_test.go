package redact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"condense/cmd"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/redact"
)

// transcripts are sessions of six formats, into which secrets are planted.
var transcripts = []string{
	"claude-code/session.jsonl", "codex/session.jsonl", "gemini-cli/session.json",
	"openai/array.json", "openhands/events.json", "chatgpt/conversations.json",
}

// leastSent is the least share of the planted secrets that a server gets without redaction. The last
// messages of a session stay, and are not sent.
const leastSent = .6

// TestPlantedProgram plants secrets of all families, in 12 spellings, into the texts, calls and results of sessions of
// six formats. It runs the program with a server that records what it is asked, with redaction and without, and counts the secrets of which
// only the latter shows anything. Then it leaves out the rules of a third of the families.
func TestPlantedProgram(t *testing.T) {
	random := seed(t)
	families, byFamily := shuffled(random)
	unseen := map[string]bool{}
	for _, f := range families[:len(families)/3] {
		unseen[f] = true
	}
	all, rest := newResult(), newResult()
	for _, name := range transcripts {
		entries := plantedEntries(t, random, byFamily, families)
		path := plantedSession(t, random, name, entries)
		plain := sent(t, path, "--no-redact")
		reached := 0
		for i, e := range entries {
			if survives(plain[i], e.value) {
				reached++
			}
		}
		if share := float64(reached) / float64(len(entries)); share < leastSent {
			t.Errorf("%s: without redaction, the server gets %.2f of the secrets", name, share)
		}
		count := func(r result, got map[int]string, families map[string]bool) {
			for i, e := range entries {
				if (families == nil || families[e.family]) && survives(plain[i], e.value) {
					ok := !survives(got[i], e.value)
					r.spellings.add(e.spelling, ok)
					r.carriers.add(name, ok)
					r.families.add(e.family, ok)
				}
			}
		}
		count(all, sent(t, path), nil)
		restore := redact.LeaveOut(unseen)
		count(rest, sent(t, path), unseen)
		restore()
	}
	check(t, "all families, in six formats", all, leastRecall)
	check(t, "families without rules, in six formats", rest, leastUnseen)
}

// An entry is a planted secret.
type entry struct{ family, spelling, value, text string }

// plantedEntries returns a secret of each family in each spelling. Their texts begin with their numbers.
func plantedEntries(t *testing.T, random *rand.Rand, rules map[string][]redact.Rule, families []string) (list []entry) {
	for _, family := range families {
		r := rules[family][random.IntN(len(rules[family]))]
		for _, s := range spellings {
			value := valueOf(t, random, r)
			text := fmt.Sprintf("# entry %d\n%s\n", len(list), s.write(nameOf(random, r), value))
			list = append(list, entry{family, s.name, value, text})
		}
	}
	return list
}

// plantedSession writes a session whose texts, arguments and results are replaced by the texts of
// entries. Results get carriers of results. It returns the path.
func plantedSession(t *testing.T, random *rand.Rand, name string, entries []entry) string {
	src, err := os.ReadFile(filepath.Join("../../testdata/sessions", name))
	if err != nil {
		t.Fatal(err)
	}
	file, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	var places []transcript.Ref
	for ref, b := range file.Convs[0].Blocks() {
		if m := file.Convs[0].Message(ref.Msg); m.Hidden || m.Role == transcript.System || b.Kind == transcript.Thinking {
			continue
		}
		for i, p := range b.Parts {
			if ref.Part = i; p.Text != "" && p.Media == nil && (b.Kind != transcript.ToolCall || strings.Contains(p.Text, " ")) {
				places = append(places, ref)
				break
			}
		}
	}
	var edits []transcript.Edit
	order := random.Perm(len(entries))
	for k, at := range places {
		var text strings.Builder
		for _, i := range order[k*len(order)/len(places) : (k+1)*len(order)/len(places)] {
			if file.Convs[0].Block(at).Kind == transcript.ToolResult {
				text.WriteString(carried(random, entries[i].text))
			} else {
				text.WriteString(entries[i].text)
			}
		}
		edits = append(edits, transcript.Edit{At: at, Op: transcript.Rewrite, Text: text.String()})
	}
	next, err := file.Convs[0].Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	out, err := file.Bytes(append([]*transcript.Conversation{next}, file.Convs[1:]...))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// carried returns the text of an entry, whose secret stands in a carrier of results.
func carried(random *rand.Rand, text string) string {
	head, body, _ := strings.Cut(text, "\n")
	carrier := carriers[random.IntN(len(carriers))]
	return head + "\n" + carrier.write(strings.TrimSuffix(body, "\n")) + "\n"
}

// entryHead is in front of a planted text, also if it is a string in JSON.
var entryHead = regexp.MustCompile(`# entry (\d+)\b`)

// sent condenses a session by a summary of a model. It returns what the model was asked, by the entry.
func sent(t *testing.T, path string, args ...string) map[int]string {
	t.Helper()
	var mu sync.Mutex
	var prompts []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		mu.Lock()
		for _, m := range asked.Messages {
			prompts = append(prompts, m.Content)
		}
		mu.Unlock()
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"Nothing was done."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	var out, report bytes.Buffer
	args = append([]string{"run", path, "--config=none", "--select=1", "--strategy=summarize", "--target=2%", "--tokenizer=bytes4",
		"--llm", "--llm-model=gpt-4.1", "--base-url=" + server.URL + "/v1", "--retries=0"}, args...)
	if code := cmd.Main(args, nil, &out, &report, func(string) string { return "" }); code != 0 {
		t.Fatalf("%s: exit code %d: %s", path, code, report.String())
	}
	parts := map[int]string{}
	for _, p := range prompts {
		heads := entryHead.FindAllStringSubmatchIndex(p, -1)
		for k, at := range heads {
			end := len(p)
			if k+1 < len(heads) {
				end = heads[k+1][0]
			}
			n, _ := strconv.Atoi(p[at[2]:at[3]])
			parts[n] += p[at[1]:end]
		}
	}
	return parts
}

// shuffled returns the families in random order, and the rules of each.
func shuffled(random *rand.Rand) (families []string, byFamily map[string][]redact.Rule) {
	byFamily = map[string][]redact.Rule{}
	for _, r := range redact.Rules() {
		if byFamily[r.Family] == nil {
			families = append(families, r.Family)
		}
		byFamily[r.Family] = append(byFamily[r.Family], r)
	}
	slices.Sort(families)
	random.Shuffle(len(families), func(i, j int) { families[i], families[j] = families[j], families[i] })
	return families, byFamily
}
