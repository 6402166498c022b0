package ui

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// stock is where the tokens of a usual session are.
func stock() *Stats {
	s := &Stats{
		Version: StatsVersion, Condense: "0.1.0", Tokenizer: Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1},
		Tokens: 112103, Framing: 1305, Messages: 7,
		Bytes:    Bytes{File: 1826743, Text: 385000, Media: 40000, Sealed: 84000, Rest: 1317743},
		Kinds:    []Pile{{"user", 45, 3}, {"assistant", 1130, 32}, {"thinking", 13925, 15}, {"tool calls", 7413, 51}, {"tool results", 89590, 51}},
		Roles:    []Pile{{"user", 89644, 55}, {"assistant", 22459, 98}},
		Ages:     []Pile{{"last 5 units", 21482, 13}, {"6 to 10", 90621, 17}},
		Tools:    []Pile{{"Read", 51439, 20}, {"Bash", 11153, 40}, {"Edit", 3617, 12}},
		Paths:    []Pile{{"/home/u/project/internal/storage/engine/compaction.go", 13667, 2}, {"/home/u/project/README.md", 900, 2}},
		Stale:    []Pile{{"/home/u/project/internal/storage/engine/compaction.go", 7569, 1}},
		Repeated: Pile{"dedupe", 1573, 9},
		Largest: []Large{
			{"session.jsonl", 1, 5, 1, "tool result WebFetch https://example.org/docs", 16887},
			{"session.jsonl", 1, 7, 2, "tool result Read /home/u/project/internal/storage/engine/compaction.go", 13646},
		},
	}
	var growth []Point
	for i, n := range []int{45, 1200, 9000, 12000, 60000, 98000, 112103} {
		growth = append(growth, Point{i + 1, n, n + n/3, []string{"user", "thinking", "tool results"}[i%3]})
	}
	growth[0].Measured = 0
	s.Files = []FileStats{{
		Input: "session.jsonl", Format: "claude-code", Bytes: s.Bytes, Tokens: s.Tokens, Messages: 7,
		Conversations: []ConversationStats{{
			ID: "5c1b2f", Tokens: s.Tokens, Framing: 1305, Messages: 7, Hidden: 2, Usage: Usage{149470, 112537}, Growth: growth,
		}},
	}}
	return s
}

// stocks are several files, one of which has nothing, and something that is no conversation.
func stocks() *Stats {
	s := stock()
	s.Files = append(s.Files, s.Files[0], FileStats{Input: "empty.json", Format: "openai", Bytes: Bytes{File: 2, Rest: 2}})
	s.Files[1].Input = "日本語/other.jsonl"
	s.Skipped = []Skipped{{"package.json", "it is the package.json of an npm package"}}
	return s
}

// unlike are files that were counted in several ways.
func unlike() *Stats {
	s := stocks()
	s.Files[0].Tokenizer = &Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1}
	s.Files[1].Tokenizer = &Tokenizer{Name: "o200k_base", Model: "claude-opus-4-5", Method: "calibrated", Factor: 1.18, Band: 5}
	s.Files[2].Tokenizer = s.Files[0].Tokenizer
	return s
}

// hostileStats has the string s wherever Stats have one.
func hostileStats(text string) *Stats {
	s := unlike()
	fill(reflect.ValueOf(s).Elem(), text)
	s.Tokenizer.Method = "exact"
	for i := range s.Files {
		s.Files[i].Tokenizer.Method = "calibrated" // which the schema has as one of a few
	}
	return s
}

func everyStats() map[string]*Stats {
	return map[string]*Stats{
		"one": stock(), "several": stocks(), "unlike": unlike(), "hostile": hostileStats(nasty), "empty": {Version: StatsVersion, Tokenizer: Tokenizer{Method: "exact"}},
		"wide": hostileStats(strings.Repeat("日本語 ", 40)), "long": hostileStats(strings.Repeat("x", 500)),
	}
}

func statsText(s *Stats, rows int, o TextOptions) func(io.Writer) error {
	return func(w io.Writer) error { return WriteStats(w, s, rows, o) }
}

func TestStatsGolden(t *testing.T) {
	for name, render := range map[string]func(io.Writer) error{
		"stats.txt":         statsText(stock(), 10, TextOptions{}),
		"stats.ansi":        statsText(stock(), 10, TextOptions{Color: true, Width: 80}),
		"stats-40.txt":      statsText(stock(), 1, TextOptions{Width: 40}),
		"stats-200.txt":     statsText(stocks(), 1, TextOptions{Width: 200}),
		"stats-several.txt": statsText(stocks(), 1, TextOptions{Verbose: 1}),
		"stats-unlike.txt":  statsText(unlike(), 1, TextOptions{}),
		"stats.json":        func(w io.Writer) error { return JSON(w, stock()) },
		"stats-empty.json":  func(w io.Writer) error { return JSON(w, &Stats{Version: StatsVersion}) },
		"summary.txt":       func(w io.Writer) error { return WriteSummary(w, shard(1), TextOptions{Width: 80}) },
		"summary.json":      func(w io.Writer) error { return JSON(w, shard(1)) },
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, rendered(t, render)) })
	}
}

// TestStatsAreSafe: lines fit the terminal, and nothing acts on it.
func TestStatsAreSafe(t *testing.T) {
	for name, s := range everyStats() {
		for _, width := range []int{0, 1, 7, 40, 80, 200} {
			out := string(rendered(t, statsText(s, 3, TextOptions{Width: width, Verbose: width % 2})))
			safe(t, out, "\n")
			for line := range strings.Lines(out) {
				if got := ansi.StringWidth(line); width > 0 && got > width {
					t.Errorf("%s: %d columns on a terminal of %d: %q", name, got, width, line)
				}
			}
		}
	}
}

// TestStatsFollowTheSchema, and so do comparisons and summaries.
func TestStatsFollowTheSchema(t *testing.T) {
	valid := func(schema []byte, name string, render func(io.Writer) error) {
		t.Helper()
		s := compiledSchema(t, schema)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(rendered(t, render)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		doc.(map[string]any)["version"] = json.Number("2")
		if s.Validate(doc) == nil {
			t.Errorf("%s: the schema accepts another version", name)
		}
		doc.(map[string]any)["version"] = json.Number("1")
		doc.(map[string]any)["extra"] = true
		if s.Validate(doc) == nil {
			t.Errorf("%s: the schema accepts an unknown member", name)
		}
	}
	for name, s := range everyStats() {
		valid(Schema("stats"), name, func(w io.Writer) error { return JSON(w, s) })
	}
	for name, c := range everyComparison() {
		valid(Schema("comparison"), name, func(w io.Writer) error { return JSON(w, c) })
	}
	valid(Schema("summary"), "summary", func(w io.Writer) error { return JSON(w, shard(3)) })
}

func compiledSchema(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		part, of int
		want     string
	}{
		{0, 0, "0 %"}, {0, 9, "0.0 %"}, {1, 100000, "<0.1 %"}, {99999, 100000, "99.9 %"}, {5, 5, "100.0 %"}, {1, 3, "33.3 %"},
	} {
		if got := share(tt.part, tt.of); got != tt.want {
			t.Errorf("share(%d, %d) = %q, want %q", tt.part, tt.of, got, tt.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	points := []Point{{Tokens: 0}, {Tokens: 50}, {Tokens: 100}, {Tokens: 100}}
	for width, want := range map[int]string{1: "█", 2: "▅█", 4: "▁▅██", 60: "▁▅██"} {
		if got := sparkline(points, width); got != want {
			t.Errorf("at %d columns: %q, want %q", width, got, want)
		}
	}
}
