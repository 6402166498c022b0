package token_test

import (
	"testing"

	"condense/transcript/token"
)

func TestPrices(t *testing.T) {
	table := token.BuiltInPrices()
	tests := []struct {
		model string
		want  token.Price
		known bool
	}{
		{"gpt-5-mini", token.Price{Input: 0.25, Output: 2}, true},
		{"openai/gpt-5-mini-2025-08-07", token.Price{Input: 0.25, Output: 2}, true},
		{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", token.Price{Input: 3, Output: 15}, true},
		{"claude-opus-5.5", token.Price{Input: 4, Output: 20}, true},
		{"gpt-5.9", token.Price{}, false},
		{"gpt-5-pro", token.Price{}, false},
		{"llama3", token.Price{}, false},
	}
	for _, tt := range tests {
		if got, ok := table.Find(tt.model); got != tt.want || ok != tt.known {
			t.Errorf("%s: %v, %v", tt.model, got, ok)
		}
	}
	for name, price := range table {
		if _, ok := token.ForModel(name); ok != nil || price.Input <= 0 || price.Output < price.Input {
			t.Errorf("%s: %v, %v", name, price, ok)
		}
	}
}

func TestReadPrices(t *testing.T) {
	tests := []struct {
		name, in, model string
		want            token.Price
		known           bool
	}{
		{"LiteLLM", `{"sample_spec":{"note":"text"},"azure/model-a":{"input_cost_per_token":1e-06,"output_cost_per_token":2e-06,"max_input_tokens":9}}`, "model-a", token.Price{Input: 1, Output: 2}, true},
		{"models.dev", `{"maker":{"id":"maker","models":{"model-a":{"cost":{"input":1.5,"output":6}},"free":{}}}}`, "model-a", token.Price{Input: 1.5, Output: 6}, true},
		{"OpenRouter", `{"data":[{"id":"maker/model-a","pricing":{"prompt":"0.000001","completion":"0.000004"}}]}`, "maker/model-a", token.Price{Input: 1, Output: 4}, true},
		{"half a price", `{"model-a":{"input_cost_per_token":1e-06},"b":{"input_cost_per_token":1,"output_cost_per_token":1}}`, "model-a", token.Price{}, false},
		{"two prices", `{"x/model-a":{"input_cost_per_token":1,"output_cost_per_token":1},"y/model-a":{"input_cost_per_token":2,"output_cost_per_token":2}}`, "model-a", token.Price{}, false},
		{"below 0", `{"data":[{"id":"auto","pricing":{"prompt":"-1","completion":"-1"}},{"id":"model-a","pricing":{"prompt":"0","completion":"0"}}]}`, "auto", token.Price{}, false},
		{"beyond all numbers", `{"data":[{"id":"model-a","pricing":{"prompt":"Infinity","completion":"1"}},{"id":"b","pricing":{"prompt":"0","completion":"0"}}]}`, "model-a", token.Price{}, false},
		{"not a number", `{"data":[{"id":"model-a","pricing":{"prompt":"1","completion":"?"}},{"id":"b","pricing":{"prompt":"0","completion":"0"}}]}`, "model-a", token.Price{}, false},
		{"not a number either", `{"data":[{"id":"model-a","pricing":{"prompt":"","completion":"1"}},{"id":"b","pricing":{"prompt":"0","completion":"0"}}]}`, "model-a", token.Price{}, false},
		{"for nothing", `{"data":[{"id":"model-a","pricing":{"prompt":"0","completion":"0"}}]}`, "model-a", token.Price{}, true},
	}
	for _, tt := range tests {
		table, err := token.ReadPrices([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got, ok := table.Find(tt.model); got != tt.want || ok != tt.known {
			t.Errorf("%s: %v, %v", tt.name, got, ok)
		}
	}
	for _, bad := range []string{"", "[]", "{}", `{"a":1}`, `{"data":[]}`} {
		if _, err := token.ReadPrices([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	both := token.BuiltInPrices().With(token.Prices{"o3": {Input: 9, Output: 9}})
	if both["o3"].Input != 9 || both["gpt-5"] != token.BuiltInPrices()["gpt-5"] {
		t.Errorf("rows of a file replace those of their names: o3 has %v, gpt-5 %v", both["o3"], both["gpt-5"])
	}
}
