package token

import (
	"errors"
	"strings"
	"testing"
	"time"

	"condense/transcript"
)

// TestUnitsCount checks what each unit counts for one text, and that an encoding writes as many tokens.
func TestUnitsCount(t *testing.T) {
	const text = "func main() {\n\tfmt.Println(\"naïve 日本 12345\")\n}\n"
	for name, want := range map[string]int{
		"o200k_base": 16, "cl100k_base": 17, "p50k_base": 25, "p50k_edit": 25, "r50k_base": 25, "bytes4": 13, "chars": 15,
	} {
		c, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Text(text); got != want {
			t.Errorf("%s counts %d, want %d", name, got, want)
		}
		if c.engine.tokens != nil && len(c.engine.tokens(nil, text)) != c.engine.count(text) {
			t.Errorf("%s writes %d tokens and counts %d", name, len(c.engine.tokens(nil, text)), c.engine.count(text))
		}
	}
	var unknown interface {
		Unknown() (string, []string)
	}
	if _, err := BuiltIn().Named("p50k"); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	} else if name, known := unknown.Unknown(); name != "p50k" || len(known) != len(units) {
		t.Errorf("%s is not among %v", name, known)
	}
}

// TestFromFileRefuses checks that a file that is no tokenizer is an error.
func TestFromFileRefuses(t *testing.T) {
	if c, err := FromFile("x", []byte("{}")); err == nil || c != nil {
		t.Errorf("got %v, %v", c, err)
	}
}

// TestFirstRow checks that the first row of a table is found and replaced like any other.
func TestFirstRow(t *testing.T) {
	table := Models{{Name: "a", Window: 1}, {Name: "ab", Window: 2}, {Name: "b", Window: 3}}
	for name, want := range map[string]int{"a-1": 1, "abc": 2, "b": 3, "c": 0} {
		if m, ok := table.Find(name); m.Window != want || ok != (want > 0) {
			t.Errorf("%s: %+v, %v", name, m, ok)
		}
	}
	more := table.With(Models{{Name: "a", Window: 9}, {Name: "c", Window: 4}})
	if len(more) != 4 || more[0].Window != 9 || more[3].Window != 4 || table[0].Window != 1 {
		t.Errorf("got %+v", more)
	}
}

// TestToolsOfEnums checks that a parameter with a list of values costs more than one without.
func TestToolsOfEnums(t *testing.T) {
	c := forModel(t, "gpt-4o")
	cost := func(values ...string) int {
		return c.Tools([]Tool{{Name: "f", Params: []Param{{Name: "p", Type: "string", Enum: values}}}})
	}
	none, one, two := cost(), cost("celsius"), cost("celsius", "celsius")
	if value := c.Text("celsius") + enumItem; two-one != value || one-none != value+enumStart {
		t.Errorf("costs are %d, %d and %d", none, one, two)
	}
}

// TestOnePixel checks that an image counts by its pixels from one pixel on.
func TestOnePixel(t *testing.T) {
	c := forModel(t, "gpt-4o")
	for side, flat := range map[int]bool{0: true, 1: false, longestSide: false, longestSide + 1: true} {
		for _, m := range []transcript.Medium{{Type: "image/png", Width: side, Height: 1}, {Type: "image/png", Width: 1, Height: side}} {
			if c.Flat(&m) != flat {
				t.Errorf("%d × %d is flat: %v", m.Width, m.Height, !flat)
			}
		}
	}
}

// TestScaleOfFit checks what a fit says about itself, and who refuses one.
func TestScaleOfFit(t *testing.T) {
	s := Fit{Factor: 1.25, Residual: .1, Pairs: 3, Requests: 7}.Scale()
	if want := (Scale{Method: Calibrated, Factor: 1.25, Band: .1, Source: "the usage that the file records, 3 pairs of 7 requests"}); s != want {
		t.Errorf("got %+v", s)
	}
	c, err := New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Calibrated(s); err == nil || !strings.HasPrefix(err.Error(), "bytes4 counts by definition") {
		t.Errorf("got %v", err)
	}
}

// TestPriceTables checks that text that is no table has an error, and that prices are exact.
func TestPriceTables(t *testing.T) {
	for _, text := range []string{"", "[1]", "null text", `{"a":`} {
		if p, err := ReadPrices([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, p)
		}
	}
	if _, err := ReadPrices([]byte("[1]")); err == nil || !strings.HasPrefix(err.Error(), "not a table of prices: ") {
		t.Errorf("got %v", err)
	}
}

// TestNewestAnswered checks that the newest answer decides about the model: visible ones of the model itself.
func TestNewestAnswered(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	message := func(role transcript.Role, model string, day int, hidden bool) *transcript.Message {
		m := &transcript.Message{Role: role, Hidden: hidden}
		m.SetModel(model)
		m.SetTime(at(day))
		return m
	}
	c := transcript.New("", []*transcript.Message{
		message(transcript.Assistant, "a", 1, false), message(transcript.Assistant, "b", 2, false),
		message(transcript.User, "a", 3, false), message(transcript.Assistant, "a", 4, true),
	})
	for model, want := range map[string]time.Time{"a": at(1), "b": at(2), "c": {}} {
		if got := answered(c, model); !got.Equal(want) {
			t.Errorf("%s answered at %v", model, got)
		}
	}
	for _, table := range []Models{BuiltIn(), {}} {
		n := Newest{Models: table}
		n.found, n.name = true, "gpt-4o"
		if c, name, err := n.Counter(); name != "gpt-4o" || (err == nil) != (len(table) > 0) || (c == nil) != (err != nil) {
			t.Errorf("got %v, %s, %v", c, name, err)
		}
	}
}
