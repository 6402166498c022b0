package redact_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"condense/transcript/redact"
)

// The least shares of planted secrets that are found: of all families, and of those whose rules are
// left out.
const (
	leastRecall = .98
	leastUnseen = .80
)

// spellings are the ways in which a secret v with the name n is written.
var spellings = []struct {
	name  string
	write func(n, v string) string
}{
	{"environment", func(n, v string) string { return "export " + upper(n) + "=" + v }},
	{"JSON", func(n, v string) string { return fmt.Sprintf("{\n  \"region\": \"eu\",\n  %q: %q\n}", camel(n), v) }},
	{"escaped JSON", func(n, v string) string {
		return strconv.Quote(fmt.Sprintf(`{"region":"eu",%q:%q}`, camel(n), v))
	}},
	{"YAML", func(n, v string) string { return "deploy:\n  region: eu\n  " + n + ": " + v }},
	{"XML element", func(n, v string) string {
		return "<config>\n  <" + camel(n) + ">" + v + "</" + camel(n) + ">\n</config>"
	}},
	{"XML attribute", func(n, v string) string { return `<add key="` + camel(n) + `" value="` + v + `" />` }},
	{"row of a table", func(n, v string) string {
		return "| setting | content |\n|---|---|\n| region | eu |\n| `" + n + "` | `" + v + "` |"
	}},
	{"column of a table", func(n, v string) string {
		return " id | " + n + " | region\n----+------+--------\n  7 | " + v + " | eu"
	}},
	{"cookie", func(n, v string) string { return "Cookie: lang=en; " + n + "=" + v + "; theme=dark" }},
	{"colours", func(n, v string) string { return "\x1b[1m" + upper(n) + "\x1b[0m=\x1b[32m" + v + "\x1b[0m" }},
	{"percent-encoded", func(n, v string) string {
		return "GET /login?next=%2Fcallback%3F" + n + "%3D" + url.QueryEscape(v) + "%26lang%3Den HTTP/1.1"
	}},
	{"prose", func(n, v string) string {
		return "The " + strings.ReplaceAll(n, "_", " ") + " is `" + v + "`, do not lose it."
	}},
}

// carriers are the texts that a session has around what it shows.
var carriers = []struct {
	name  string
	write func(text string) string
}{
	{"plain", func(text string) string { return "Here it is:\n" + text + "\nThat is all.\n" }},
	{"arguments of a call", func(text string) string {
		out, _ := json.Marshal(map[string]string{"file_path": "/srv/app/a.txt", "content": text})
		return string(out)
	}},
	{"numbered lines", func(text string) string { return eachLine(text, "    12→") }},
	{"added lines of a diff", func(text string) string { return "@@ -1,3 +1,4 @@\n" + eachLine(text, "+") }},
	{"lines of a log", func(text string) string { return eachLine(text, "2026-03-01T10:22:07.123Z INFO app ") }},
	{"quoted lines", func(text string) string { return eachLine(text, "> ") }},
}

func eachLine(text, prefix string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix) + "\n"
}

func upper(n string) string { return strings.ToUpper(n) }

func camel(n string) string {
	words := strings.Split(n, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// seed is new in each run, and printed. The variable REDACT_SEED repeats a run.
func seed(t *testing.T) *rand.Rand {
	n := uint64(time.Now().UnixNano())
	if text := os.Getenv("REDACT_SEED"); text != "" {
		n, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("REDACT_SEED=%d", n)
	return rand.New(rand.NewPCG(n, 0))
}

// TestPlanted plants secrets that are generated from the expressions of the rules, in 12 spellings
// and 6 carriers, and counts those of which nothing is left. Then it leaves out the rules of a third
// of the families, which only their names and their randomness can show.
func TestPlanted(t *testing.T) {
	random := seed(t)
	families, byFamily := shuffled(random)
	unseen := map[string]bool{}
	for _, f := range families[:len(families)/3] {
		unseen[f] = true
	}
	t.Logf("left out: %s", strings.Join(slices.Sorted(maps.Keys(unseen)), " "))
	all := plant(t, random, byFamily, families, redact.Text)
	check(t, "all families", all, leastRecall)
	rest := plant(t, random, byFamily, families[:len(families)/3], redact.Without(unseen))
	check(t, "families without rules", rest, leastUnseen)
}

// tally counts planted and found secrets by a property.
type tally map[string]*[2]int

func (c tally) add(key string, found bool) {
	if c[key] == nil {
		c[key] = &[2]int{}
	}
	c[key][0]++
	if found {
		c[key][1]++
	}
}

type result struct{ spellings, carriers, families tally }

func newResult() result { return result{tally{}, tally{}, tally{}} }

// plant writes secrets of families into texts and counts those that find removes.
func plant(t *testing.T, random *rand.Rand, rules map[string][]redact.Rule, families []string, find func(string) (string, redact.Counts)) result {
	t.Helper()
	c := newResult()
	for _, family := range families {
		r := rules[family][random.IntN(len(rules[family]))]
		for _, s := range spellings {
			for _, carrier := range carriers {
				value := valueOf(t, random, r)
				text := carrier.write(s.write(nameOf(random, r), value))
				out, _ := find(text)
				ok := !survives(out, value)
				c.spellings.add(s.name, ok)
				c.carriers.add(carrier.name, ok)
				c.families.add(family, ok)
				if !ok && os.Getenv("REDACT_SHOW") != "" {
					t.Logf("%s, %s, %s: %q", family, s.name, carrier.name, out)
				}
			}
		}
	}
	return c
}

// survives reports whether ten bytes of a value are in a text.
func survives(text, value string) bool {
	for i := 0; i+min(10, len(value)) <= len(value); i++ {
		if strings.Contains(text, value[i:i+min(10, len(value))]) {
			return true
		}
	}
	return false
}

func check(t *testing.T, what string, c result, least float64) {
	t.Helper()
	planted, found := 0, 0
	for _, n := range c.spellings {
		planted += n[0]
		found += n[1]
	}
	recall := float64(found) / float64(planted)
	t.Logf("%s: %d of %d found, %.3f", what, found, planted, recall)
	for _, by := range []tally{c.spellings, c.carriers, c.families} {
		var list []string
		for _, key := range slices.Sorted(maps.Keys(by)) {
			if n := by[key]; n[1] < n[0] {
				list = append(list, fmt.Sprintf("%s %d/%d", key, n[1], n[0]))
			}
		}
		t.Logf("  missed: %s", strings.Join(list, ", "))
	}
	if recall < least {
		t.Errorf("%s: recall is %.3f, less than %v", what, recall, least)
	}
}

// nameOf returns a name that contains one of a rule and says what the value is.
func nameOf(random *rand.Rand, r redact.Rule) string {
	name := strings.SplitN(r.Family, "-", 2)[0]
	if len(r.Names) > 0 {
		name = r.Names[random.IntN(len(r.Names))]
	}
	return name + "_" + []string{"token", "api_key", "secret", "access_token"}[random.IntN(4)]
}

// mostReplaced is the number of replacements in 100 kB of text without secrets that are accepted.
const mostReplaced = 1

// TestHarmless checks that ids, hashes, UUIDs, times and images in the places where sessions have them
// stay.
func TestHarmless(t *testing.T) {
	random := seed(t)
	run := func(set string, n int) string {
		out := make([]byte, n)
		for i := range out {
			out[i] = set[random.IntN(len(set))]
		}
		return string(out)
	}
	const hexDigits, base62 = "0123456789abcdef", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	uuid := func() string {
		return strings.Join([]string{run(hexDigits, 8), run(hexDigits, 4), run(hexDigits, 4), run(hexDigits, 4), run(hexDigits, 12)}, "-")
	}
	lines := []func() string{
		func() string {
			return `{"uuid":"` + uuid() + `","parentUuid":"` + uuid() + `","sessionId":"` + uuid() + `"}`
		},
		func() string { return `{"type":"tool_use","id":"toolu_01` + run(base62, 22) + `","name":"Read"}` },
		func() string {
			return `{"tool_call_id":"call_` + run(base62, 24) + `","key":"` + run(hexDigits, 32) + `"}`
		},
		func() string {
			return `{"id":"msg_` + run(base62, 24) + `","requestId":"req_011C` + run(base62, 20) + `"}`
		},
		func() string { return "commit " + run(hexDigits, 40) },
		func() string { return run(hexDigits, 7) + ".." + run(hexDigits, 7) + "  src/token.ts | 12 +-" },
		func() string { return "golang.org/x/sys v0.49.0 h1:" + run(base62+"+/", 43) + "=" },
		func() string { return `"integrity": "sha512-` + run(base62+"+/", 86) + `=="` },
		func() string { return "sha256:" + run(hexDigits, 64) + "  auth-service.tar.gz" },
		func() string { return `{"signature":"` + run(base62+"+/", 300) + `=="}` },
		func() string { return "data:image/png;base64," + run(base62+"+/", 2000) },
		func() string {
			return `<img src="/assets/main-` + run(base62, 8) + `.js"> /static/` + run(hexDigits, 20) + `.css`
		},
		func() string {
			return "2026-03-01T10:22:07." + run("0123456789", 6) + "Z tokens=" + run("123456789", 7) + " cache_key=" + run(hexDigits, 32)
		},
		func() string { return "nextPageToken: " + run(base62, 24) + ", csrf_token=" + run(base62, 32) },
		func() string {
			return "the access token expires at 1774979160, the api key of user_" + run("123456789", 4) + " is missing"
		},
		func() string {
			return "def get_token_" + run("123456789", 2) + "(self, api_key=None): return self.tokens[0x" + run(hexDigits, 8) + "]"
		},
	}
	var text strings.Builder
	for text.Len() < 2<<20 {
		text.WriteString(lines[random.IntN(len(lines))]() + "\n")
	}
	out, counts := redact.Text(text.String())
	t.Logf("%d bytes: %v", text.Len(), counts)
	if os.Getenv("REDACT_SHOW") != "" {
		for line := range strings.Lines(out) {
			if strings.Contains(line, redact.Opening) {
				t.Log(line)
			}
		}
	}
	if counts.Total() > mostReplaced*text.Len()/100_000 {
		t.Errorf("%d replacements in %d bytes", counts.Total(), text.Len())
	}
}

// TestCorpus counts the replacements in real sessions, of which few contain secrets.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/corpus/*/*")
	if len(files) == 0 {
		t.Skip("there is no corpus of real sessions beside the repository")
	}
	random := seed(t)
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	var all redact.Counts
	size := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil || size+len(data) > 20<<20 {
			continue
		}
		_, counts := redact.Text(string(data))
		all.Add(counts)
		size += len(data)
	}
	t.Logf("%d bytes: %v", size, all)
	if all.Total() > mostReplaced*size/100_000 {
		t.Errorf("%d replacements in %d bytes", all.Total(), size)
	}
}

// valueOf returns a text that the expression of a rule matches.
func valueOf(t *testing.T, random *rand.Rand, r redact.Rule) string {
	t.Helper()
	re, err := syntax.Parse(r.Value, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		var b strings.Builder
		generate(random, &b, re)
		if redact.Entropy(b.String()) >= r.Entropy {
			return b.String()
		}
	}
	t.Fatalf("%s: no value has an entropy of %v", r.Family, r.Entropy)
	return ""
}

// generate writes a match of an expression. Repetitions without a limit end after 20 more.
func generate(random *rand.Rand, b *strings.Builder, re *syntax.Regexp) {
	repeat := func(least, most int) {
		for range least + random.IntN(most-least+1) {
			generate(random, b, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 && random.IntN(2) == 0 {
				b.WriteString(strings.ToLower(string(c)))
			} else {
				b.WriteRune(c)
			}
		}
	case syntax.OpCharClass:
		var set []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= min(re.Rune[i+1], '~'); c++ {
				set = append(set, c)
			}
		}
		b.WriteRune(set[random.IntN(len(set))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('.')
	case syntax.OpStar:
		repeat(0, 20)
	case syntax.OpPlus:
		repeat(1, 20)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = re.Min + 20
		}
		repeat(re.Min, most)
	case syntax.OpAlternate:
		generate(random, b, re.Sub[random.IntN(len(re.Sub))])
	default: // OpConcat, OpCapture, and those without characters
		for _, sub := range re.Sub {
			generate(random, b, sub)
		}
	}
}
