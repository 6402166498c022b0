package ui

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
)

// usualStats returns the statistics of a usual session.
func usualStats() *survey.Stats {
	s := &survey.Stats{
		Version: survey.StatsVersion, Condense: "0.1.0", Tokenizer: report.Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1},
		Tokens: 112103, Framing: 1305, Messages: 7,
		Bytes:    survey.Bytes{File: 1826743, Text: 385000, Media: 40000, Sealed: 84000, Rest: 1317743},
		Kinds:    []survey.Group{{Name: "user", Tokens: 45, Blocks: 3}, {Name: "assistant", Tokens: 1130, Blocks: 32}, {Name: "thinking", Tokens: 13925, Blocks: 15}, {Name: "tool calls", Tokens: 7413, Blocks: 51}, {Name: "tool results", Tokens: 89590, Blocks: 51}},
		Roles:    []survey.Group{{Name: "user", Tokens: 89644, Blocks: 55}, {Name: "assistant", Tokens: 22459, Blocks: 98}},
		Ages:     []survey.Group{{Name: "last 5 units", Tokens: 21482, Blocks: 13}, {Name: "6 to 10", Tokens: 90621, Blocks: 17}},
		Tools:    []survey.Group{{Name: "Read", Tokens: 51439, Blocks: 20}, {Name: "Bash", Tokens: 11153, Blocks: 40}, {Name: "Edit", Tokens: 3617, Blocks: 12}},
		Paths:    []survey.Group{{Name: "/home/u/project/internal/storage/engine/compaction.go", Tokens: 13667, Blocks: 2}, {Name: "/home/u/project/README.md", Tokens: 900, Blocks: 2}},
		Stale:    []survey.Group{{Name: "/home/u/project/internal/storage/engine/compaction.go", Tokens: 7569, Blocks: 1}},
		Repeated: survey.Group{Name: "dedupe", Tokens: 1573, Blocks: 9},
		Largest: []survey.Large{
			{Input: "session.jsonl", Conversation: 1, Message: 5, Block: 1, What: "tool result WebFetch https://example.org/docs", Tokens: 16887},
			{Input: "session.jsonl", Conversation: 1, Message: 7, Block: 2, What: "tool result Read /home/u/project/internal/storage/engine/compaction.go", Tokens: 13646},
		},
	}
	var growth []survey.Point
	for i, n := range []int{45, 1200, 9000, 12000, 60000, 98000, 112103} {
		growth = append(growth, survey.Point{Message: i + 1, Tokens: n, Measured: n + n/3, Kind: []string{"user", "thinking", "tool results"}[i%3]})
	}
	growth[0].Measured = 0
	s.Files = []survey.FileStats{{
		Input: "session.jsonl", Format: "claude-code", Bytes: s.Bytes, Tokens: s.Tokens, Messages: 7,
		Conversations: []survey.ConversationStats{{
			ID: "5c1b2f", Tokens: s.Tokens, Framing: 1305, Messages: 7, Hidden: 2, Usage: report.Usage{Measured: 149470, Counted: 112537}, Growth: growth,
		}},
	}}
	return s
}

// severalStats returns the statistics of several files. One is empty, and one holds no conversation.
func severalStats() *survey.Stats {
	s := usualStats()
	s.Files = append(s.Files, s.Files[0], survey.FileStats{Input: "empty.json", Format: "openai", Bytes: survey.Bytes{File: 2, Rest: 2}})
	s.Files[1].Input = "日本語/other.jsonl"
	s.Skipped = []report.Skipped{{Input: "package.json", Why: "it is the package.json of an npm package"}}
	return s
}

// unlike returns statistics of files with different tokenizers.
func unlike() *survey.Stats {
	s := severalStats()
	s.Files[0].Tokenizer = &report.Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1}
	s.Files[1].Tokenizer = &report.Tokenizer{Name: "o200k_base", Model: "claude-opus-4-5", Method: "calibrated", Factor: 1.18, Band: 5}
	s.Files[2].Tokenizer = s.Files[0].Tokenizer
	return s
}

// hostileStats returns statistics in which every string is text.
func hostileStats(text string) *survey.Stats {
	s := unlike()
	fill(reflect.ValueOf(s).Elem(), text)
	s.Tokenizer.Method = "exact"
	for i := range s.Files {
		s.Files[i].Tokenizer.Method = "calibrated" // the schema allows only a few values
	}
	return s
}

// everyStats returns statistics of each shape.
func everyStats() map[string]*survey.Stats {
	return map[string]*survey.Stats{
		"one": usualStats(), "several": severalStats(), "unlike": unlike(), "hostile": hostileStats(nasty), "empty": {Version: survey.StatsVersion, Tokenizer: report.Tokenizer{Method: "exact"}},
		"wide": hostileStats(strings.Repeat("日本語 ", 40)), "long": hostileStats(strings.Repeat("x", 500)),
	}
}

// statsText renders statistics as text.
func statsText(s *survey.Stats, rows int, o Options) func(io.Writer) error {
	o.Rows = rows
	return func(w io.Writer) error { return writeStats(w, s, o) }
}

func TestStatsGolden(t *testing.T) {
	for name, render := range map[string]func(io.Writer) error{
		"stats.txt":         statsText(usualStats(), 10, Options{}),
		"stats.ansi":        statsText(usualStats(), 10, Options{Color: true, Width: 80}),
		"stats-40.txt":      statsText(usualStats(), 1, Options{Width: 40}),
		"stats-200.txt":     statsText(severalStats(), 1, Options{Width: 200}),
		"stats-several.txt": statsText(severalStats(), 1, Options{Verbose: 1}),
		"stats-unlike.txt":  statsText(unlike(), 1, Options{}),
		"stats.json":        func(w io.Writer) error { return report.JSON(w, usualStats()) },
		"stats-empty.json":  func(w io.Writer) error { return report.JSON(w, &survey.Stats{Version: survey.StatsVersion}) },
		"summary.txt":       func(w io.Writer) error { return writeSummary(w, shard(1), Options{Width: 80}) },
		"summary.json":      func(w io.Writer) error { return report.JSON(w, shard(1)) },
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, rendered(t, render)) })
	}
}

// TestStatsAreSafe checks that lines fit the terminal and that nothing acts on it.
func TestStatsAreSafe(t *testing.T) {
	for name, s := range everyStats() {
		for _, width := range []int{0, 1, 7, 40, 80, 200} {
			out := string(rendered(t, statsText(s, 3, Options{Width: width, Verbose: width % 2})))
			safe(t, out, "\n")
			for line := range strings.Lines(out) {
				if got := ansi.StringWidth(line); width > 0 && got > width {
					t.Errorf("%s: %d columns on a terminal of %d: %q", name, got, width, line)
				}
			}
		}
	}
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		part, of int
		want     string
	}{
		{0, 0, "0 %"}, {0, 9, "0.0 %"}, {1, 100000, "<0.1 %"}, {99999, 100000, "99.9 %"}, {5, 5, "100.0 %"}, {1, 3, "33.3 %"},
	} {
		if got := content.Share(tt.part, tt.of); got != tt.want {
			t.Errorf("share(%d, %d) = %q, want %q", tt.part, tt.of, got, tt.want)
		}
	}
}

func TestSparkline(t *testing.T) {
	points := []survey.Point{{Tokens: 0}, {Tokens: 50}, {Tokens: 100}, {Tokens: 100}}
	for width, want := range map[int]string{1: "█", 2: "▅█", 4: "▁▅██", 60: "▁▅██"} {
		if got := sparkline(points, width); got != want {
			t.Errorf("at %d columns: %q, want %q", width, got, want)
		}
	}
}

// TestStatsPaths checks that a path has at most a third of the terminal, and keeps its end.
func TestStatsPaths(t *testing.T) {
	const width = 60
	for n := 15; n < 30; n++ {
		path := strings.Repeat("x", n-len("/a.go")) + "/a.go"
		s := usualStats()
		s.Paths = []survey.Group{{Name: path, Tokens: 5, Blocks: 1}}
		_, got, _ := strings.Cut(string(rendered(t, statsText(s, 10, Options{Width: width}))), "\npath ")
		_, got, _ = strings.Cut(got, "\n")
		got, _, _ = strings.Cut(got, " ")
		if columns := ansi.StringWidth(got); columns != min(n, width/3) || !strings.HasSuffix(got, "x/a.go") || (got == path) != (n <= width/3) {
			t.Errorf("a path of %d columns has %d: %q", n, columns, got)
		}
	}
}
