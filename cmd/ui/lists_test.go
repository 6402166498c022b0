package ui

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/inventory"
	"condense/cmd/report/survey"
	"condense/transcript/token"
)

// someFormats returns formats with all marks.
func someFormats() []inventory.Format {
	return []inventory.Format{
		{Name: "log", Doc: "what a program writes", Where: "~/.program/*.jsonl", Read: true, Write: true, Hidden: true},
		{Name: "a-long-name", Doc: "many words that do not fit on one line of a narrow terminal", Where: "x\x1b[31m", Read: true, Mirrors: true},
	}
}

func TestFormats(t *testing.T) {
	for name, o := range map[string]Options{"formats.txt": {}, "formats-narrow.txt": {Width: 60}} {
		golden(t, name, rendered(t, func(w io.Writer) error { return writeFormats(w, someFormats(), o) }))
	}
}

// TestFormatsAreWhole checks that descriptions are broken between words on every terminal, and not cut.
func TestFormatsAreWhole(t *testing.T) {
	for width := 60; width < 120; width++ {
		got := string(rendered(t, func(w io.Writer) error { return writeFormats(w, someFormats(), Options{Width: width}) }))
		if words := strings.Join(strings.Fields(got), " "); strings.Contains(got, "…") || !strings.Contains(words, "many words that do not fit on one line of a narrow terminal") {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}

func TestFormatsJSON(t *testing.T) {
	out := rendered(t, func(w io.Writer) error { return report.JSON(w, someFormats()) })
	var list []map[string]any
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"name", "description", "where", "read", "write", "hidden_history", "mirrors"} {
		if _, ok := list[0][key]; !ok {
			t.Errorf("no member %s", key)
		}
	}
	if len(list) != 2 || bytes.ContainsRune(out, 0x1b) {
		t.Errorf("got %s", out)
	}
}

// TestConfigPlacesAreWhole checks that paths are not cut to the terminal.
func TestConfigPlacesAreWhole(t *testing.T) {
	path := "/home/somebody/" + strings.Repeat("deep/", 20) + "condense.yaml"
	got := string(rendered(t, func(w io.Writer) error {
		return ConfigPlaces(w, []inventory.ConfigPlace{{What: "project", Path: path, Exists: true}, {What: "user", Path: "a\x1bb"}}, Options{Width: 40})
	}))
	if want := "project  read     " + path + "\nuser     missing  a\\x1bb\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestSessionsNarrow checks that a table of sessions has the first request on terminals of usual widths, and
// that each mark of its numbers has a footnote.
func TestSessionsNarrow(t *testing.T) {
	s := &inventory.Sessions{List: []inventory.Session{
		{Short: "cb8c670b", Tool: "claude-code", Project: "/home/lena/work/tidewatch", Age: 39 * 7 * 86400, Bytes: 1_234_567, Tokens: 133_313, Window: 200_000, Share: 0.67, First: "The poller dies when one station times out", About: true},
		{Short: "01a2056f", Tool: "copilot-cli", Project: `C:\lena\lock`, Age: 60, Bytes: 99, Tokens: 2_913, Counted: true, About: true, Smaller: true, First: "Second request of a person"},
	}}
	written := func(width int) string {
		return string(rendered(t, func(w io.Writer) error { return Write(w, "text", s, Options{Width: width}) }))
	}
	for width, want := range map[int]string{
		80:  "cb8c670b  claude-code  tidewatch  39w  ~133,313  The poller dies when one stati…",
		100: "cb8c670b  claude-code  …lena/work/tidewatch  39w  1.2 MB  ~133,313    67 %  The poller dies when on…",
		200: "/home/lena/work/tidewatch  39w  1.2 MB  ~133,313    67 %  The poller dies when one station times out",
		0:   "/home/lena/work/tidewatch  39w  1.2 MB  ~133,313    67 %  The poller dies when one station times out",
	} {
		got := written(width)
		for _, part := range []string{want, "\n~ marks an estimate. Here it is the provider's count", "~2,913* ", "\n* marks the count of the conversation alone"} {
			if !strings.Contains(got, part) && !strings.Contains(strings.ReplaceAll(got, "\n  ", " "), part) {
				t.Errorf("%d columns: %q is missing in\n%s", width, part, got)
			}
		}
	}
	s.List[0].Counted = true
	if got := written(0); !strings.Contains(got, "~ marks an estimate of the conversation's tokens") {
		t.Errorf("a counted estimate:\n%s", got)
	}
}

// TestLists checks the text of models, of settings and of counts.
func TestLists(t *testing.T) {
	total := 1207
	exact := &report.Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1}
	one, two := survey.TextSize{Input: "a.txt", Tokens: 1200, IDs: []int{5, 77}}, survey.TextSize{Input: "b\x1b", Tokens: 7}
	unlike := []survey.TextSize{one, two}
	unlike[0].Tokenizer, unlike[1].Tokenizer = exact, &report.Tokenizer{Name: "o200k_base", Model: "x-1", Method: "estimate", Factor: 1}
	for name, tt := range map[string]struct {
		result any
		want   string
	}{
		"models": {token.Models{
			{Name: "x-1", Tokenizer: "o200k_base", Factor: 1.25, Method: "calibrated", Band: 5, Window: 200_000, Output: 64_000, Images: "flat"},
			{Name: "y", Tokenizer: "o200k_base", Factor: 1, Method: "exact", Images: "flat"},
		}, `names from  tokenizer   factor    ±  method       window  output  images
x-1         o200k_base    1.25  5 %  calibrated  200,000  64,000  flat
y           o200k_base       1    –  exact             –       –  flat

The longest matching name applies. As of ` + token.ModelsDate + ".\n"},
		"settings":              {&inventory.Settings{List: []inventory.Setting{{Key: "target", Value: "50%", From: "flag"}}}, "key     value  from\ntarget  50%    flag\n"},
		"settings and defaults": {&inventory.Settings{Defaults: 12}, "12 have their defaults: --all lists them.\n"},
		"tokens of a text":      {&survey.Tokens{Tokenizer: exact, Files: []survey.TextSize{one}, Total: &one.Tokens}, "1200\n"},
		"tokens of two texts":   {&survey.Tokens{Tokenizer: exact, Files: []survey.TextSize{one, two}, Total: &total}, "1200 a.txt\n   7 b\\x1b\n1207 total\n"},
		"several tokenizers":    {&survey.Tokens{Files: unlike}, "1200 a.txt [o200k_base]\n   7 b\\x1b [o200k_base for x-1]\n"},
		"token ids":             {&survey.Tokens{Tokenizer: exact, Files: []survey.TextSize{one, two}, Total: &total, ShowIDs: true}, "5 77\n\n"},
	} {
		if got := string(rendered(t, func(w io.Writer) error { return Write(w, "text", tt.result, Options{}) })); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// TestAge checks the ages of sessions in one unit.
func TestAge(t *testing.T) {
	const minute, hour, day = 60, 3600, 86400
	for seconds, want := range map[int]string{
		0: "0s", minute - 1: "59s", minute: "1m", hour - 1: "59m", hour: "1h", day - 1: "23h", day: "1d", 14*day - 1: "13d", 14 * day: "2w", 365*day - 1: "52w", 365 * day: "1y", 800 * day: "2y",
	} {
		if got := age(seconds); got != want {
			t.Errorf("%d seconds are %q, want %q", seconds, got, want)
		}
	}
}

// TestSize checks the sizes of sessions.
func TestSize(t *testing.T) {
	for bytes, want := range map[int]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9950: "10 kB", 999_499: "999 kB", 999_500: "1.0 MB", 38_000_000: "38 MB", 2_500_000_000: "2.5 GB", 7e12: "7.0 TB", 7e15: "7000 TB",
	} {
		if got := size(bytes); got != want {
			t.Errorf("%d bytes are %q, want %q", bytes, got, want)
		}
	}
}
