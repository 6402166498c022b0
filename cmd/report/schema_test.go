package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/inventory"
	"condense/cmd/report/survey"
)

var update = flag.Bool("update", false, "rewrite the descriptions in the schemas")

// object holds the members of a struct's schema that these tests read.
type object struct {
	Description          string
	AdditionalProperties *bool
	Required             []string
	Properties           map[string]struct {
		Description, Type string
		Ref               string `json:"$ref"`
	}
	Defs map[string]object `json:"$defs"`
}

// described lists the results that have a schema.
var described = map[string]reflect.Type{
	"report": reflect.TypeFor[report.Report](), "findings": reflect.TypeFor[gate.Findings](), "mending": reflect.TypeFor[gate.Mending](),
	"stats": reflect.TypeFor[survey.Stats](), "comparison": reflect.TypeFor[survey.Comparison](), "summary": reflect.TypeFor[survey.Summary](),
	"gate": reflect.TypeFor[gate.Gate](), "difference": reflect.TypeFor[survey.Difference](), "explanation": reflect.TypeFor[survey.Explanation](), "view": reflect.TypeFor[survey.View](),
	"sessions": reflect.TypeFor[inventory.Sessions](),
}

// TestSchemaMatchesTheTypes compares each schema with its Go types: the same members, described
// by the same comments, and required unless omitempty.
func TestSchemaMatchesTheTypes(t *testing.T) {
	files, err := filepath.Glob("*.schema.json")
	if err != nil || len(files) != len(described) {
		t.Errorf("found the schemas %v (error %v) for %d types", files, err, len(described))
	}
	docs := comments(t)
	for kind, typ := range described {
		name := kind + ".schema.json"
		schema, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			schema = withDescriptions(t, schema, typ, docs)
			if err := os.WriteFile(name, schema, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		matches(t, schema, typ, docs)
	}
	if t.Failed() {
		t.Log("go test ./cmd/report -run TestSchema -update copies the comments into the schemas")
	}
}

// withDescriptions returns a schema with the comments of its Go types as descriptions. All other
// bytes stay as they are.
func withDescriptions(t *testing.T, schema []byte, typ reflect.Type, docs map[string]string) []byte {
	t.Helper()
	want := descriptions(typ, docs)
	var out bytes.Buffer
	dec := json.NewDecoder(bytes.NewReader(schema))
	copied := 0 // bytes of schema
	var walk func(path string)
	walk = func(path string) {
		start := dec.InputOffset()
		switch token := next(t, dec).(type) {
		case json.Delim:
			for i := 0; dec.More(); i++ {
				key := strconv.Itoa(i)
				if token == '{' {
					key = next(t, dec).(string)
				}
				walk(path + "/" + key)
			}
			next(t, dec)
		case string:
			doc := want[path]
			if doc == "" || doc == token {
				return
			}
			end := int(dec.InputOffset())
			at := int(start) + bytes.IndexByte(schema[start:], '"')
			out.Write(schema[copied:at])
			out.Write(quoted(t, doc))
			copied = end
		}
	}
	walk("")
	out.Write(schema[copied:])
	return out.Bytes()
}

// descriptions returns the comments of a type by the JSON pointers of their descriptions in its
// schema.
func descriptions(typ reflect.Type, docs map[string]string) map[string]string {
	structs, out := map[string]reflect.Type{}, map[string]string{}
	collect(typ, structs)
	for name, s := range structs {
		at := "/$defs/" + strings.ToLower(name)
		if s == typ {
			at = ""
		}
		out[at+"/description"] = docs[name]
		for i := range s.NumField() {
			member, _, _ := strings.Cut(s.Field(i).Tag.Get("json"), ",")
			out[at+"/properties/"+member+"/description"] = docs[name+"."+s.Field(i).Name]
		}
	}
	return out
}

// next reads a token.
func next(t *testing.T, dec *json.Decoder) json.Token {
	t.Helper()
	token, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// quoted returns text as a JSON string.
func quoted(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

// matches compares a schema with the type of its results.
func matches(t *testing.T, schema []byte, typ reflect.Type, docs map[string]string) {
	t.Helper()
	var root object
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	structs := map[string]reflect.Type{}
	collect(typ, structs)
	top := typ.Name()
	for name, typ := range structs {
		s, ok := root.Defs[strings.ToLower(name)]
		if name == top {
			s, ok = root, true
		}
		if !ok {
			t.Errorf("%s is not in the schema", name)
			continue
		}
		compare(t, name, typ, s, docs)
	}
	if len(root.Defs) != len(structs)-1 {
		t.Errorf("the schema of %s defines %v; its Go types are %v",
			top, slices.Sorted(maps.Keys(root.Defs)), slices.Sorted(maps.Keys(structs)))
	}
}

// collect finds the structs that a value of type t can contain.
func collect(t reflect.Type, into map[string]reflect.Type) {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		collect(t.Elem(), into)
	case reflect.Struct:
		into[t.Name()] = t
		for i := range t.NumField() {
			if t.Field(i).Tag.Get("json") != "-" {
				collect(t.Field(i).Type, into)
			}
		}
	}
}

// compare compares the schema of one struct with its type.
func compare(t *testing.T, name string, typ reflect.Type, s object, docs map[string]string) {
	t.Helper()
	if s.Description != docs[name] {
		t.Errorf("%s is described as %q in the schema, as %q in Go", name, s.Description, docs[name])
	}
	if s.AdditionalProperties == nil || *s.AdditionalProperties {
		t.Errorf("%s: the schema allows additional properties", name)
	}
	var members, required []string
	for i := range typ.NumField() {
		field := typ.Field(i)
		member, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if member == "-" {
			continue
		}
		members = append(members, member)
		if option == "" {
			required = append(required, member)
		}
		p, key := s.Properties[member], name+"."+field.Name
		if p.Description == "" || p.Description != docs[key] {
			t.Errorf("%s is described as %q in the schema, as %q in Go", key, p.Description, docs[key])
		}
		if want := schemaType(field.Type); p.Type != "" && p.Type != want {
			t.Errorf("%s is of type %q in the schema, want %q", key, p.Type, want)
		}
		if field.Type.Kind() == reflect.Pointer {
			field.Type = field.Type.Elem()
		}
		if field.Type.Kind() == reflect.Struct && p.Ref != "#/$defs/"+strings.ToLower(field.Type.Name()) {
			t.Errorf("%s refers to %q", key, p.Ref)
		}
	}
	if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, slices.Sorted(slices.Values(members))) {
		t.Errorf("%s has the members %v in the schema, %v in Go", name, got, members)
	}
	if !slices.Equal(s.Required, required) {
		t.Errorf("%s requires %v in the schema, want %v", name, s.Required, required)
	}
}

// schemaType returns the JSON type of values of type t.
func schemaType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "array"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	}
	return "object"
}

// comments returns the comments of types and fields, each on one line, by Type or Type.Field.
func comments(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	var names []string
	for _, pattern := range []string{"*.go", "*/*.go"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			spec := decl.Specs[0].(*ast.TypeSpec)
			out[spec.Name.Name] = oneLine(decl.Doc)
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range fields.Fields.List {
				if len(f.Names) == 0 {
					continue
				}
				out[spec.Name.Name+"."+f.Names[0].Name] = oneLine(f.Comment)
			}
		}
	}
	return out
}

// oneLine joins the lines of a comment.
func oneLine(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
