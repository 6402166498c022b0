package token

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestForModel(t *testing.T) {
	for _, tt := range []struct{ model, unit, method string }{
		{"", "o200k_base", Exact},
		{"gpt-4", "cl100k_base", Exact},
		{"gpt-4-0613", "cl100k_base", Exact},
		{"gpt-4-turbo-2024-04-09", "cl100k_base", Exact},
		{"gpt-4o", "o200k_base", Exact},
		{"gpt-4o-mini", "o200k_base", Exact},
		{"chatgpt-4o-latest", "o200k_base", Exact},
		{"gpt-4.1-nano", "o200k_base", Exact},
		{"gpt-4.5-preview", "o200k_base", Exact},
		{"gpt-4.7", "o200k_base", Estimate},
		{"gpt-5", "o200k_base", Exact},
		{"gpt-5.1-codex", "o200k_base", Exact},
		{"gpt-6", "o200k_base", Estimate},
		{"o1", "o200k_base", Exact},
		{"o1-preview", "o200k_base", Exact},
		{"o3-mini", "o200k_base", Exact},
		{"o4-mini", "o200k_base", Exact},
		{"gpt-3.5-turbo", "cl100k_base", Exact},
		{"gpt-35-turbo-16k", "cl100k_base", Exact},
		{"text-embedding-3-large", "cl100k_base", Exact},
		{"gpt-oss-120b", "o200k_base", Exact},
		{"ft:gpt-4o-2024-08-06:acme::9x", "o200k_base", Exact},
		{"ft:gpt-4-0613:acme::9x", "cl100k_base", Exact},
		{"ft:gpt-3.5-turbo:acme", "cl100k_base", Exact},
		{"openai/gpt-4o", "o200k_base", Exact},
		{"openrouter/anthropic/claude-sonnet-4.5", "o200k_base", Calibrated},
		{"claude-opus-4-5-20251101", "o200k_base", Calibrated},
		{"us.anthropic.claude-3-5-sonnet-20241022-v2:0", "o200k_base", Calibrated},
		{"Claude-3-Haiku", "o200k_base", Calibrated},
		{"models/gemini-2.5-pro", "o200k_base", Calibrated},
		{"qwen2.5-coder", "cl100k_base", Estimate},
	} {
		c, err := ForModel(tt.model)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name() != tt.unit || c.Method() != tt.method || c.Model() != tt.model {
			t.Errorf("ForModel(%q) is %s, %s for %q, want %s, %s", tt.model, c.Name(), c.Method(), c.Model(), tt.unit, tt.method)
		}
	}
}

func TestForModelUnknown(t *testing.T) {
	for _, model := range []string{"gpt2", "my-model", "<synthetic>", "a.b", "/", "."} {
		if _, err := ForModel(model); err == nil || !strings.Contains(err.Error(), "choose one of o200k_base") {
			t.Errorf("ForModel(%q) returns the error %v", model, err)
		}
	}
}

// TestBuiltIn checks that the table follows the rules for tables in files.
func TestBuiltIn(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range BuiltIn() {
		if err := m.check(); err != nil || seen[m.Name] || m.Source == "" {
			t.Errorf("%q: twice, without a source, or %v", m.Name, err)
		}
		seen[m.Name] = true
	}
}

var update = flag.Bool("update", false, "rewrite testdata/models.txt for the names in it")

// TestModels checks which tokenizer, limits, rules and price apply to the models in testdata/models.txt,
// which are named as by their APIs. The names reach every row of the tables of models and prices.
func TestModels(t *testing.T) {
	const path = "testdata/models.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reached := map[string]bool{}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(line, "#") {
			row, price := found(t, name)
			reached[row.Name] = true
			line = fmt.Sprintf("%-30s %-20s %s, %-11s × %-4v ± %2v %% of %d, %d; %s; framing %v; %s\n", name, row.Name, row.Method,
				row.Tokenizer, row.Factor, row.Band, row.Window, row.Output, row.Images, row.Framing, price)
		}
		out.WriteString(line)
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if out.String() != string(data) {
		t.Errorf("the tables have other values than %s: if that is right, run go test ./transcript/token -run TestModels -update\n%s",
			path, out.String())
	}
	for _, row := range BuiltIn() {
		if !reached[row.Name] {
			t.Errorf("no name in %s has the row %s", path, row.Name)
		}
	}
	for name := range BuiltInPrices() {
		if !strings.Contains(out.String(), "\n"+name) {
			t.Errorf("no name in %s has the price of %s", path, name)
		}
	}
}

// found returns the row of a model and its price.
func found(t *testing.T, name string) (Model, string) {
	t.Helper()
	row, ok := BuiltIn().Find(name)
	if !ok {
		t.Errorf("no row for %q", name)
	}
	price, ok := BuiltInPrices().Find(name)
	if !ok {
		return row, "no price"
	}
	return row, fmt.Sprintf("$%v and $%v", price.Input, price.Output)
}

func TestFind(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-4o-mini-2024-07-18": "gpt-4o-mini", "gpt-4.1": "gpt-4.1", "gpt-4-1106-preview": "gpt-4-1106", "gpt-5.1-codex": "gpt-5",
		"anthropic/claude-opus-4.7": "claude-opus-4-7", "claude-opus-4-1-20250805": "claude-opus-4", "claude-sonnet-9": "claude",
		"us.anthropic.claude-haiku-4-5-v1:0": "claude-haiku-4", "gemini-2.0-flash-001": "gemini-2.0", "gemini-9": "gemini",
		"words": "",
	} {
		if m, ok := BuiltIn().Find(model); ok != (want != "") || m.Name != want {
			t.Errorf("%s is %q, want %q", model, m.Name, want)
		}
	}
}

func TestReadModels(t *testing.T) {
	rows, err := ReadModels([]byte(`[
		{"name": "house-1", "tokenizer": "cl100k_base", "factor": 1.25, "method": "calibrated", "band": 4, "source": "measured", "context_window": 32000,
		 "max_output": 4000, "images": "gemini-2", "framing": {"message": 5, "reply": 2, "tools": 1, "tool": 9}},
		{"name": "gpt-4o", "context_window": 64000}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	table := BuiltIn().With(rows)
	if len(table) != len(BuiltIn())+1 {
		t.Errorf("the table has %d rows", len(table))
	}
	c, err := table.Named("acme/house-1-large")
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Scale(); c.Name() != "cl100k_base" || s != (Scale{Calibrated, 1.25, 0.04, "measured"}) || c.Text("Hello world") != 3 {
		t.Errorf("%s, %+v", c.Name(), c.Scale())
	}
	if m, _ := table.Find("gpt-4o-2024"); m != (Model{"gpt-4o", "o200k_base", 1, Estimate, 0, "", 64000, 0, flat, Framing{}}) {
		t.Errorf("%+v", m)
	}
	if m, _ := table.Find("gpt-4o-mini"); m.Window != 128_000 {
		t.Errorf("the longer name is %+v", m)
	}
}

func TestReadModelsRefuses(t *testing.T) {
	for src, want := range map[string]string{
		`{}`:              "not a table of models",
		`[] []`:           "there is more after the array",
		`[] ]`:            "there is more after the array",
		`[{"name":"a"}]}`: "there is more after the array",
		`[{"name":"a","tokenizer":"bytes4","factor":2}]`: "takes no factor",
		`[{"name":"a","windows":1}]`:                     `unknown field "windows"`,
		`[{"tokenizer":"bytes4"}]`:                       "model 1: the name",
		`[{"name":"A/b"}]`:                               "model 1: the name",
		`[{"name":"a"},{"name":"a"}]`:                    "model 2: \"a\" occurs twice",
		`[{"name":"a","tokenizer":"w"}]`:                 "unknown tokenizer",
		`[{"name":"a","factor":9}]`:                      "the factor 9 is not from 0.25 to 4",
		`[{"name":"a","method":"guess"}]`:                "the method",
		`[{"name":"a","method":"exact","factor":1.1}]`:   "neither a factor nor a band",
		`[{"name":"a","band":-1}]`:                       "below 0",
		`[{"name":"a","framing":{"tool":-1}}]`:           "below 0",
		`[{"name":"a","images":"big"}]`:                  "no rule",
	} {
		if _, err := ReadModels([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
}

// TestNamed checks that the error for an unknown name can suggest a unit.
func TestNamed(t *testing.T) {
	for name, unit := range map[string]string{"": "o200k_base", "bytes4": "bytes4", "chars": "chars", "gpt-4": "cl100k_base", "claude-opus-5": "o200k_base"} {
		if c, err := BuiltIn().Named(name); err != nil || c.Name() != unit {
			t.Errorf("%q: %v, want %s", name, err, unit)
		}
	}
	_, err := BuiltIn().Named("bytes5")
	var unknown *UnknownName
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "or name a model") {
		t.Errorf("%v", err)
	}
}
