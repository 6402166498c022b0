package endtoend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// own returns the schema of condense with a name.
func own(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	var found []string
	for _, folder := range []string{"../../cmd/*/", "../../strategy/*/"} {
		names, err := filepath.Glob(folder + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, names...)
	}
	if len(found) != 1 {
		t.Fatalf("found %v for the schema %s, want one file", found, name)
	}
	return compiled(t, found[0])
}

// output runs condense and returns its standard output and its exit code.
func output(t *testing.T, dir string, args ...string) ([]byte, int) {
	t.Helper()
	c := exec.CommandContext(context.Background(), "condense", args...)
	c.Dir = dir
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out, c.ProcessState.ExitCode()
}

// TestReportsFollowTheirSchemas runs every command that writes JSON on ordinary and
// hostile files.
func TestReportsFollowTheirSchemas(t *testing.T) {
	dir := folder(t, map[string]string{
		"long.json": longChat, "short.json": shortChat, "hostile.json": nastyNames, "terminal.json": hostileChat, "empty.json": `{"messages": []}`,
		"two.json": "[" + longChat + "," + longChat + "]\n", "orphan.json": `[{"role": "user", "content": "q"}, {"role": "tool", "tool_call_id": "x", "content": "r"}, {"role": "user", "content": "q"}]`,
	})
	for name, path := range map[string]string{"session.jsonl": "claude-code/session.jsonl", "compacted.jsonl": "codex/compacted.jsonl", "images.jsonl": "claude-code/images.jsonl", "broken.jsonl": "claude-code/broken.jsonl"} {
		text, err := os.ReadFile(filepath.Join("..", "sessions", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	every := []string{"long.json", "short.json", "hostile.json", "terminal.json", "empty.json", "two.json", "orphan.json", "session.jsonl", "compacted.jsonl", "images.jsonl", "broken.jsonl"}
	for _, c := range []struct {
		schema string
		args   string // before the file
		files  []string
	}{
		{"report", "run -n -q --json", every},
		{"report", "run -n -q --json --explain --diff=false --target 10%", every},
		{"report", "run -n -q --json --strategy summarize --target 20%", every},
		{"report", "run -q --json --tag -o tagged", []string{"session.jsonl"}},
		{"report", "run -n -q --json --threshold 90 --window 200k", []string{"session.jsonl"}},
		{"explanation", "explain --json", every},
		{"stats", "stats --json", every},
		{"comparison", "compare -q --json", []string{"hostile.json", "session.jsonl"}},
		{"findings", "validate -q --json", every},
		{"mending", "repair -n -q --json", every},
		{"difference", "diff --json short.json", every},
		{"gate", "check --output-format json --max-tokens 20 --valid --min-savings 1%", every},
	} {
		schema := own(t, c.schema)
		for _, file := range c.files {
			out, code := output(t, dir, append(strings.Fields(c.args), file)...)
			if len(out) == 0 && code >= 2 {
				continue // the command refuses the file
			}
			validated[map[string]any](t, schema, c.args+" "+file, out)
		}
	}
	out, _ := output(t, dir, "batch", "-q", "--out-dir", "out", "--summary", "-", ".")
	validated[map[string]any](t, own(t, "summary"), "batch", out)
}

// TestSchemasAreStrict checks that every schema refuses a report that is changed in one place.
func TestSchemasAreStrict(t *testing.T) {
	dir := folder(t, map[string]string{"long.json": longChat, "other.json": shortChat})
	for name, args := range map[string]string{
		"report": "run -n -q --json long.json", "explanation": "explain --json long.json", "stats": "stats --json long.json", "findings": "validate -q --json long.json",
		"mending": "repair -n -q --json long.json", "difference": "diff --json long.json other.json", "comparison": "compare -q --json long.json",
		"gate": "check --output-format json --max-tokens 20 long.json", "summary": "batch -q --out-dir out --summary - long.json",
	} {
		schema := own(t, name)
		out, _ := output(t, dir, strings.Fields(args)...)
		for change, spoil := range map[string]func(map[string]any){
			"another version":   func(r map[string]any) { r["version"] = json.Number("2") },
			"an unknown member": func(r map[string]any) { r["extra"] = true },
			"a missing member":  func(r map[string]any) { delete(r, "version") },
			"null for a list":   nullList,
			"text for a number": func(r map[string]any) { r["version"] = "1" },
		} {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			spoil(doc.(map[string]any))
			if schema.Validate(doc) == nil {
				t.Errorf("%s: the schema accepts %s", name, change)
			}
		}
	}
}

// TestReportSchemaIsStrict checks that the schema of reports refuses wrong values.
func TestReportSchemaIsStrict(t *testing.T) {
	schema := own(t, "report")
	text, err := os.ReadFile("../../cmd/ui/testdata/json/report-session.json")
	if err != nil {
		t.Fatal(err)
	}
	for change, spoil := range map[string]func(map[string]any){
		"a missing list":    func(r map[string]any) { delete(r, "notes") },
		"an unknown method": func(r map[string]any) { r["tokenizer"].(map[string]any)["method"] = "guess" },
		"a negative count":  func(r map[string]any) { r["tokens"].(map[string]any)["after"] = json.Number("-1") },
		"text for a number": func(r map[string]any) { r["bytes"].(map[string]any)["before"] = "1" },
		"an unknown operation": func(r map[string]any) {
			conversation := r["conversations"].([]any)[0].(map[string]any)
			conversation["edits"].([]any)[0].(map[string]any)["op"] = "move"
		},
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		spoil(doc.(map[string]any))
		if schema.Validate(doc) == nil {
			t.Errorf("the schema accepts %s", change)
		}
	}
}

// nullList replaces the first list of a report, or of an object in it, with null.
func nullList(r map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		switch v := r[name].(type) {
		case []any:
			r[name] = nil
			return
		case map[string]any:
			nullList(v)
		}
	}
}

// TestGoldensFollowTheirSchemas checks that the JSON in golden files follows the schemas. The
// name of a file begins with the name of its schema, or a short form of that.
func TestGoldensFollowTheirSchemas(t *testing.T) {
	short := map[string]string{"compare": "comparison", "diff": "difference", "explain": "explanation"}
	names, err := filepath.Glob("../../cmd/*/testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../../cmd/*/testdata/json/*.json")
	if err != nil || len(more) == 0 {
		t.Fatal("no goldens: ", err)
	}
	names = append(names, more...)
	for _, name := range names {
		if strings.HasSuffix(name, "-empty.json") {
			continue // zero values, which no command writes
		}
		kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".json"), "-")
		if long, ok := short[kind]; ok {
			kind = long
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		validated[any](t, own(t, kind), name, text)
	}
}

// TestProtocolFollowsItsSchema checks that requests to a program that is a strategy follow the
// schema of the protocol, and that the schema accepts valid answers and refuses invalid ones.
func TestProtocolFollowsItsSchema(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	dir := t.TempDir()
	session, err := filepath.Abs("../sessions/claude-code/compact.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	request, schema := filepath.Join(dir, "request.json"), own(t, "protocol")
	program := "exec:sh -c 'cat > " + request + "; echo {\\\"protocol\\\": 1, \\\"skip\\\": \\\"no\\\"}'"
	if out, code := output(t, dir, "run", "-n", "-q", "-s", program, session); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	text, err := os.ReadFile(request)
	if err != nil {
		t.Fatal(err)
	}
	validated[any](t, schema, "request", text)

	answer := part(t, "../../strategy/external/protocol.schema.json", "#/$defs/answer")
	for _, good := range []string{`{"protocol": 1, "skip": "no"}`, `{"protocol": 1, "edits": [{"message": 5, "block": 0, "op": "drop"}, {"message": 0, "block": 0, "op": "rewrite", "text": "x"}]}`} {
		validated[any](t, answer, "answer", []byte(good))
	}
	for _, bad := range []string{`{}`, `{"protocol": 2}`, `{"protocol": 1, "edit": []}`, `{"protocol": 1, "edits": [{"message": 1, "op": "insert"}]}`, `{"protocol": 1, "edits": [{"op": "drop"}]}`} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if answer.Validate(doc) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}
