package token

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"condense/transcript"
)

// ModelsDate is the day of the last comparison of the built-in table with its
// sources.
const ModelsDate = "2026-11-21"

// Model has the tokenizer and the limits of all models whose names begin with Name.
// It is a row of the JSON that [ReadModels] reads.
type Model struct {
	Name      string  `json:"name"`           // beginning of the names, lower-case, as [Models.Find] compares it
	Tokenizer string  `json:"tokenizer"`      // unit that texts are counted in, one of [Names]
	Factor    float64 `json:"factor"`         // tokens of the model for each of the unit
	Method    string  `json:"method"`         // [Exact], [Calibrated] or [Estimate]
	Band      float64 `json:"band"`           // percent by which counts of texts may be off, either way; 0 for exact
	Source    string  `json:"source"`         // origin of the row, for people
	Window    int     `json:"context_window"` // tokens of request and answer together; 0 when unknown or different among the models
	Output    int     `json:"max_output"`     // tokens of one answer; 0 as for Window
	Images    string  `json:"images"`         // rule for images, one of [ImageRules]
	Framing   Framing `json:"framing"`
}

// Models is a table of models without two rows of one Name. The row with the longest
// Name applies to a model; the order of rows has no effect.
type Models []Model

// Find returns the row of a model, or false when there is none. The name is that of
// the provider's API, a router or a cloud, such as openai/gpt-4o or
// us.anthropic.claude-sonnet-4-5-v1:0.
func (t Models) Find(model string) (Model, bool) {
	model = bare(model)
	best := -1
	for i := range t {
		if strings.HasPrefix(model, t[i].Name) && (best < 0 || len(t[i].Name) > len(t[best].Name)) {
			best = i
		}
	}
	if best < 0 {
		return Model{}, false
	}
	return t[best], true
}

// With returns the table with additional rows, which replace those of the same Name.
func (t Models) With(rows Models) Models {
	all := slices.Clone(t)
	for _, r := range rows {
		if i := slices.IndexFunc(all, func(m Model) bool { return m.Name == r.Name }); i >= 0 {
			all[i] = r
		} else {
			all = append(all, r)
		}
	}
	return all
}

// ReadModels decodes a JSON array of objects with the members of [Model]. Name is
// required. The defaults are: Tokenizer the default unit, Factor 1, Method Estimate,
// Images "flat", other numbers 0. An unknown member and an impossible value are
// errors. As in [Counter.Calibrated], only a real encoding may have a factor.
func ReadModels(data []byte) (Models, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var rows Models
	if err := dec.Decode(&rows); err != nil {
		return nil, fmt.Errorf("not a table of models: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("not a table of models: there is more after the array")
	}
	seen := map[string]bool{}
	for i := range rows {
		m := &rows[i]
		m.complete()
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("model %d: %w", i+1, err)
		}
		if seen[m.Name] {
			return nil, fmt.Errorf("model %d: %q occurs twice", i+1, m.Name)
		}
		seen[m.Name] = true
	}
	return rows, nil
}

// complete sets the defaults of members that a row omits.
func (m *Model) complete() {
	if m.Tokenizer == "" {
		m.Tokenizer = units[0].name
	}
	if m.Factor == 0 {
		m.Factor = 1
	}
	if m.Method == "" {
		m.Method = Estimate
	}
	if m.Images == "" {
		m.Images = flat
	}
}

// check returns an error for the first impossible value of a row.
func (m *Model) check() error {
	switch {
	case m.Name == "" || bare(m.Name) != m.Name:
		return fmt.Errorf("the name %q is not the beginning of a model's own name, in lower case", m.Name)
	case !slices.Contains(Names(), m.Tokenizer):
		return &UnknownName{m.Tokenizer, Names()}
	case m.Factor != 1 && !isReal(m.Tokenizer):
		return fmt.Errorf("%s counts by definition and takes no factor", m.Tokenizer)
	case m.Factor < minFactor || m.Factor > maxFactor:
		return fmt.Errorf("the factor %v is not from %v to %v", m.Factor, minFactor, maxFactor)
	case m.Method != Exact && m.Method != Calibrated && m.Method != Estimate:
		return fmt.Errorf("the method %q is none of %s, %s, %s", m.Method, Exact, Calibrated, Estimate)
	case m.Method == Exact && (m.Factor != 1 || m.Band != 0):
		return fmt.Errorf("an exact method has neither a factor nor a band")
	case m.Band < 0 || m.Window < 0 || m.Output < 0 || m.Framing.negative():
		return fmt.Errorf("a number is below 0")
	case imageRule(m.Images) == nil:
		return fmt.Errorf("there is no rule %q for images, only %s", m.Images, strings.Join(ImageRules(), ", "))
	}
	return nil
}

// bare removes the prefixes of a model's own name: a router's path
// (openrouter/openai/), "ft:" for a fine-tuned model, and the region and vendor of a
// cloud (us.anthropic.), which are words of letters only. It writes Anthropic's
// versions with hyphens, as its API does: claude-sonnet-4-5 for claude-sonnet-4.5.
func bare(model string) string {
	model = strings.ToLower(model)
	model = model[strings.LastIndexByte(model, '/')+1:]
	model = strings.TrimPrefix(model, "ft:")
	for {
		head, rest, found := strings.Cut(model, ".")
		if !found || strings.Trim(head, "abcdefghijklmnopqrstuvwxyz") != "" {
			break
		}
		model = rest
	}
	if strings.HasPrefix(model, "claude") {
		model = strings.ReplaceAll(model, ".", "-")
	}
	return model
}

// Of returns a Counter for the model that wrote the newest visible answer of the conversations,
// of those in the table. The newest has the latest time or, without times, comes last. If
// no model of the conversations is in the table, Of returns nil and the name of the last one, ""
// if the conversations name none.
func (t Models) Of(convs []*transcript.Conversation) (c *Counter, name string, err error) {
	n := Newest{Models: t}
	for _, conv := range convs {
		n.Add(conv)
	}
	return n.Counter()
}

// Newest finds the model that [Models.Of] does, for conversations that are not all in memory
// at the same time.
type Newest struct {
	Models Models

	name   string
	found  bool // the table has the model name
	latest time.Time
}

// Add adds a conversation. They are added in the order of their file.
func (n *Newest) Add(conv *transcript.Conversation) {
	names := conv.Models()
	i := slices.IndexFunc(names, func(name string) bool { _, known := n.Models.Find(name); return known })
	switch {
	case i >= 0:
		if at := answered(conv, names[i]); !n.found || !at.Before(n.latest) {
			n.found, n.name, n.latest = true, names[i], at
		}
	case !n.found && len(names) > 0:
		n.name = names[0]
	}
}

// Counter returns what [Models.Of] returns for the conversations that were added.
func (n *Newest) Counter() (c *Counter, name string, err error) {
	if !n.found {
		return nil, n.name, nil
	}
	if c, err = n.Models.Counter(n.name); err == nil {
		c.named = true
	}
	return c, n.name, err
}

// answered returns the time of the newest visible answer of a model, zero if none is recorded.
func answered(c *transcript.Conversation, model string) time.Time {
	for _, m := range slices.Backward(c.Messages) {
		if m.Role == transcript.Assistant && !m.Hidden && m.Model() == model {
			return m.Time()
		}
	}
	return time.Time{}
}
