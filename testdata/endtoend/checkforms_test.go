package endtoend

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"condense/cmd"
)

// The forms of check for CI systems are validated against public schemas:
//
//	sarif   the JSON schema of OASIS, which is fetched as a file of a Go module
//	gitlab  testdata/schemas/gitlab-code-quality.json, which names its sources
//	junit   the rules of Jenkins' junit-10.xsd, in junit_test.go

// A module that has OASIS's sarif-schema-2.1.0.json among its files, with its hash as in go.sum.
// None of its code is built, so go.mod does not require it.
const (
	sarifModule = "github.com/securego/gosec/v2@v2.30.0"
	sarifSum    = "h1:67aF6LHa7SAL6QEc4es857GrXTT50gUqmrl0XPhtDx0="
	sarifFile   = "report/sarif/testdata/sarif-schema-2.1.0.json"
)

// sarifSchema returns the schema from the module cache or the module proxy. It skips the test if
// neither is available, as without a network.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := exec.Command("go", "mod", "download", "-json", sarifModule)
	c.Dir = t.TempDir() // outside of all modules
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := c.Output()
	var got struct{ Dir, Sum, Error string }
	if json.Unmarshal(out, &got) != nil || got.Dir == "" {
		t.Skipf("%s cannot be fetched: %v %s", sarifModule, err, got.Error)
	}
	if got.Sum != sarifSum {
		t.Fatalf("%s has the hash %s, want %s", sarifModule, got.Sum, sarifSum)
	}
	return compiled(t, filepath.Join(got.Dir, filepath.FromSlash(sarifFile)))
}

// compiled returns the schema in a file.
func compiled(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	return part(t, path, "")
}

// part returns the part of the schema in a file to which a fragment points.
func part(t *testing.T, path, fragment string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // fetches no other schema
	if err := compiler.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json" + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// nastyNames is an invalid conversation. Each of its names has characters that could end a string,
// a command or an element.
const nastyNames = `[
  {"role": "user", "content": "q"},
  {"role": "assistant", "content": null, "tool_calls": [{"id": "]]><x>&\"'\u0000\u001b[31m\ud83d\ufffe\r\n::error::%0A", "type": "function", "function": {"name": "<\u0007|` + "`" + `%\u2028", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "--><!-- \u0085 \"", "content": "r"},
  {"role": "assistant", "content": "a"}
]
`

// gateSituations returns a folder of files, and situations with their demands and findings.
func gateSituations(t *testing.T) (dir string, situations []gateSituation) {
	t.Helper()
	files := map[string]string{
		"short.json": shortChat, "long.json": longChat, "broken.json": "{\"messages\": [\n{\"role\": \"user\", \"content\": \"q\"\n",
		"sub/hostile.json": nastyNames, "two.json": "[" + longChat + "," + longChat + "]\n",
	}
	names := []string{"with a space.json", "ünï→.json", "100%25#a.json", "[a]{b}^~.json"}
	if runtime.GOOS != "windows" {
		names = append(names, "a:b,c.json", "line\nbreak.json", "<&>\"'?|*`\\.json", "\x1b[31m.json", "\xff.json")
	}
	for _, name := range names {
		files["names/"+name] = longChat
	}
	dir = folder(t, files)
	return dir, []gateSituation{
		{"no findings", 0, 0, []string{"--max-tokens", "1k", "--valid", "short.json", "long.json"}, ""},
		{"no files", 3, 0, []string{"--max-tokens", "1k", "names/none"}, ""},
		{"a finding", 1, 1, []string{"--max-tokens", "20", "short.json", "long.json"}, ""},
		{"two conversations of a file", 1, 2, []string{"--max-tokens", "20", "two.json"}, ""},
		{"warnings", 0, 1, []string{"--valid=anthropic", "short.json", "long.json"}, ""},
		{"hostile texts", 1, 4, []string{"--max-tokens", "5", "--valid", "--min-savings", "90%", "sub/hostile.json"}, ""},
		{"hostile names", 1, len(names), []string{"--max-tokens", "20", "names"}, ""},
		{"unreadable", 3, 3, []string{"--max-tokens", "20", "broken.json", "missing.json", "long.json"}, ""},
		{"outside of the checkout", 1, 1, []string{"--max-tokens", "20", filepath.Join(dir, "long.json")}, filepath.Join(dir, "names")},
		{"standard input", 1, 1, []string{"--max-tokens", "20", "-"}, ""},
	}
}

// gateSituation is a run of condense check, with its expected exit code and number of findings.
type gateSituation struct {
	name     string
	code     int
	findings int
	args     []string
	root     string // root of the checkout; "" for the folder of the files
}

func TestCheckFollowsPublicSchemas(t *testing.T) {
	sarif := sarifSchema(t)
	gitlab := compiled(t, "../schemas/gitlab-code-quality.json")
	dir, situations := gateSituations(t)
	if err := os.Mkdir(filepath.Join(dir, "names", "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, s := range situations {
		root := dir
		if s.root != "" {
			root = s.root
		}
		write := func(form string) []byte {
			var out, stderr bytes.Buffer
			env := func(name string) string { return map[string]string{"GITHUB_WORKSPACE": root}[name] }
			args := append([]string{"check", "--output-format", form}, s.args...)
			if code := cmd.Main(args, strings.NewReader(longChat), &out, &stderr, env); code != s.code {
				t.Errorf("%s as %s: exit code %d, want %d: %s", s.name, form, code, s.code, stderr.String())
			}
			return out.Bytes()
		}
		for form, n := range map[string]int{
			"sarif":  len(validated[sarifLog](t, sarif, s.name, write("sarif")).results()),
			"gitlab": len(validated[[]any](t, gitlab, s.name, write("gitlab"))),
			"junit":  junitFindings(t, s.name, write("junit")),
		} {
			if n != s.findings {
				t.Errorf("%s as %s: %d findings, want %d", s.name, form, n, s.findings)
			}
		}
	}
}

// sarifLog is the part of a log that holds its findings.
type sarifLog struct{ Runs []struct{ Results []any } }

func (l sarifLog) results() []any {
	if len(l.Runs) != 1 {
		return nil
	}
	return l.Runs[0].Results
}

// validated decodes a text, and reports an error if it does not follow the schema.
func validated[T any](t *testing.T, schema *jsonschema.Schema, name string, text []byte) (v T) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(doc)
	}
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
	return v
}
