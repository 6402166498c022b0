package ui

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"condense/cmd/report"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema("report")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReportsFollowTheSchema(t *testing.T) {
	s := compiled(t)
	empty := &report.Report{Version: report.ReportVersion, Tokenizer: report.Tokenizer{Method: "exact"}, Conversations: make([]report.Conversation, 1)}
	for name, r := range map[string]*report.Report{
		"session": session(), "several": several(14), "unchanged": unchangedRun(), "below floor": belowFloor(),
		"estimated": estimated(), "calibrated": calibrated(), "tagged": tagged(), "by a program": byProgram(), "by a model": byModel(), "left alone": leftAlone(), "hostile": hostile(nasty), "empty": empty,
	} {
		if err := s.Validate(decoded(t, r)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaIsStrict(t *testing.T) {
	s := compiled(t)
	for name, spoil := range map[string]func(map[string]any){
		"another version":      func(r map[string]any) { r["version"] = json.Number("2") },
		"an unknown member":    func(r map[string]any) { r["extra"] = true },
		"a missing list":       func(r map[string]any) { delete(r, "notes") },
		"null for a list":      func(r map[string]any) { r["faults"] = nil },
		"an unknown method":    func(r map[string]any) { r["tokenizer"].(map[string]any)["method"] = "guess" },
		"a negative count":     func(r map[string]any) { r["tokens"].(map[string]any)["after"] = json.Number("-1") },
		"text for a number":    func(r map[string]any) { r["bytes"].(map[string]any)["before"] = "1" },
		"an unknown operation": func(r map[string]any) { firstEdit(r)["op"] = "move" },
	} {
		r := decoded(t, session()).(map[string]any)
		spoil(r)
		if s.Validate(r) == nil {
			t.Errorf("the schema accepts %s", name)
		}
	}
}

func firstEdit(r map[string]any) map[string]any {
	conv := r["conversations"].([]any)[0].(map[string]any)
	return conv["edits"].([]any)[0].(map[string]any)
}

// decoded is r as a reader of the JSON report gets it.
func decoded(t *testing.T, r *report.Report) any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(rendered(t, asJSON(r))))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
