package token

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// PricesDate is the day of the last comparison of the built-in prices with published
// ones. Providers change them without notice.
const PricesDate = "2026-11-21"

// Price is the price of a model at its provider's ordinary rate, in USD for a million
// tokens.
type Price struct {
	Input, Output float64
}

// Prices has prices by the model's own name without a date: gpt-5-mini,
// claude-opus-5.
type Prices map[string]Price

// BuiltInPrices returns the prices of this version, as of [PricesDate]. They are from
// published tables: tokenmix.ai, morphllm.com, deploybase.ai, aumiqx.com,
// nativeai.agency and claudecodeguides.com, of which two agree for most models. Those
// of Anthropic's newest models are from platform.claude.com/docs/en/pricing. Prices of
// other models are unknown; [ReadPrices] reads a fuller table.
func BuiltInPrices() Prices {
	return Prices{
		"gpt-5.5":      {5, 30},
		"gpt-5.4":      {2.50, 15},
		"gpt-5.4-mini": {0.75, 4.50},
		"gpt-5.4-nano": {0.20, 1.25},
		"gpt-5":        {1.25, 10},
		"gpt-5-mini":   {0.25, 2},
		"gpt-5-nano":   {0.05, 0.40},
		"gpt-4.1":      {2, 8},
		"gpt-4.1-mini": {0.40, 1.60},
		"gpt-4.1-nano": {0.10, 0.40},
		"gpt-4o":       {2.50, 10},
		"gpt-4o-mini":  {0.15, 0.60},
		"o3":           {2, 8},
		"o4-mini":      {1.10, 4.40},

		"claude-fable-5-1":  {10, 50},
		"claude-opus-5-5":   {4, 20},
		"claude-opus-5":     {5, 25},
		"claude-opus-4-7":   {5, 25},
		"claude-opus-4-6":   {5, 25},
		"claude-opus-4-5":   {5, 25},
		"claude-sonnet-5-5": {2, 10},
		"claude-sonnet-4-6": {3, 15},
		"claude-sonnet-4-5": {3, 15},
		"claude-sonnet-4":   {3, 15},
		"claude-haiku-4-5":  {1, 5},
	}
}

// dated matches the suffix of a name for one version of the model:
// gpt-5-2025-08-07, claude-sonnet-4-5-20250929, claude-haiku-4-5@20251001,
// mistral-large-latest.
var dated = regexp.MustCompile(`[-@](\d{4}-?\d{2}-?\d{2}(-v\d+(:\d+)?)?|latest)$`)

// Find returns the price of a model, or false when it is unknown. The name is that of
// the provider's API, a router or a cloud. Unlike [Models.Find] it compares whole
// names: gpt-5.9 does not have the price of gpt-5.
func (p Prices) Find(model string) (Price, bool) {
	if price, ok := p[model]; ok {
		return price, true
	}
	name := bare(model)
	if price, ok := p[name]; ok {
		return price, true
	}
	price, ok := p[dated.ReplaceAllString(name, "")]
	return price, ok
}

// ReadPrices decodes a file of prices in one of three public forms, which differ in
// their members:
//
//   - LiteLLM's model_prices_and_context_window.json: an object by model, with
//     input_cost_per_token and output_cost_per_token, USD a token;
//   - models.dev's api.json: an object by provider, each with models by id, each
//     with cost.input and cost.output, USD a million tokens;
//   - OpenRouter's list of models: {"data": [{"id", "pricing": {"prompt",
//     "completion"}}]}, USD a token as strings.
//
// It ignores rows that lack a price or have one that is negative or not finite. A
// file without any other row is an error.
func ReadPrices(data []byte) (Prices, error) {
	var rows map[string]json.RawMessage
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("not a table of prices: %w", err)
	}
	p := Prices{}
	for name, raw := range rows {
		if name == "data" && p.openRouter(raw) {
			continue
		}
		var row struct {
			Input  *float64 `json:"input_cost_per_token"`
			Output *float64 `json:"output_cost_per_token"`
			Models map[string]struct {
				Cost struct {
					Input  *float64 `json:"input"`
					Output *float64 `json:"output"`
				} `json:"cost"`
			} `json:"models"`
		}
		if json.Unmarshal(raw, &row) != nil {
			continue // other members of the table
		}
		p.add(name, row.Input, row.Output, 1e6)
		for id, m := range row.Models {
			p.add(name+"/"+id, m.Cost.Input, m.Cost.Output, 1)
		}
	}
	if len(p) == 0 {
		return nil, fmt.Errorf("not a table of prices in the form of LiteLLM, models.dev or OpenRouter")
	}
	p.byOwnName()
	return p, nil
}

// openRouter adds the rows of OpenRouter's list and reports whether raw is one.
func (p Prices) openRouter(raw json.RawMessage) bool {
	var rows []struct {
		ID      string `json:"id"`
		Pricing struct {
			Prompt     string `json:"prompt"`
			Completion string `json:"completion"`
		} `json:"pricing"`
	}
	if json.Unmarshal(raw, &rows) != nil {
		return false
	}
	for _, row := range rows {
		in, err := strconv.ParseFloat(row.Pricing.Prompt, 64)
		out, err2 := strconv.ParseFloat(row.Pricing.Completion, 64)
		if err == nil && err2 == nil {
			p.add(row.ID, &in, &out, 1e6)
		}
	}
	return true
}

// add adds a row with prices for 1/unit tokens, in USD a million.
func (p Prices) add(name string, in, out *float64, unit float64) {
	if in == nil || out == nil {
		return
	}
	price := Price{*in * unit, *out * unit}
	if min(price.Input, price.Output) >= 0 && max(price.Input, price.Output) <= math.MaxFloat64 { // not NaN either
		p[name] = price
	}
}

// byOwnName adds rows without the provider's path where all rows of the name have the
// same price.
func (p Prices) byOwnName() {
	own := map[string]Price{}
	unsure := map[string]bool{}
	for name, price := range p {
		b := bare(name)
		if other, ok := own[b]; ok && other != price {
			unsure[b] = true
		}
		own[b] = price
	}
	for name, price := range own {
		if _, there := p[name]; !there && !unsure[name] {
			p[name] = price
		}
	}
}

// With returns the table with additional rows, which replace those of the same name.
func (p Prices) With(rows Prices) Prices {
	all := make(Prices, len(p)+len(rows))
	for name, price := range p {
		all[name] = price
	}
	for name, price := range rows {
		all[name] = price
	}
	return all
}
