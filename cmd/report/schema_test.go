package report_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/survey"
)

// object is what these tests read of the schema of a struct.
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

// described are the results that have a schema.
var described = map[string]reflect.Type{
	"report": reflect.TypeFor[report.Report](), "findings": reflect.TypeFor[gate.Findings](), "mending": reflect.TypeFor[gate.Mending](),
	"stats": reflect.TypeFor[survey.Stats](), "comparison": reflect.TypeFor[survey.Comparison](), "summary": reflect.TypeFor[survey.Summary](),
	"gate": reflect.TypeFor[gate.Gate](), "difference": reflect.TypeFor[survey.Difference](), "explanation": reflect.TypeFor[survey.Explanation](),
}

// TestSchemaMatchesTheTypes holds the schema against the Go types: the same members, with the
// same comments, required unless omitempty.
func TestSchemaMatchesTheTypes(t *testing.T) {
	files, err := filepath.Glob("*.schema.json")
	if err != nil || len(files) != len(described) {
		t.Errorf("there are schemas %v (%v), and %d types", files, err, len(described))
	}
	for kind, typ := range described {
		schema, err := os.ReadFile(kind + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		matches(t, schema, typ)
	}
}

func matches(t *testing.T, schema []byte, typ reflect.Type) {
	t.Helper()
	var root object
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	structs := map[string]reflect.Type{}
	collect(typ, structs)
	docs := comments(t)
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
		t.Errorf("the schema of %s defines %v beside it, Go has %v",
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

func compare(t *testing.T, name string, typ reflect.Type, s object, docs map[string]string) {
	t.Helper()
	if s.Description != docs[name] {
		t.Errorf("%s is described as %q in the schema, %q in Go", name, s.Description, docs[name])
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
			t.Errorf("%s is described as %q in the schema, %q in Go", key, p.Description, docs[key])
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
		t.Errorf("%s has %v in the schema, %v in Go", name, got, members)
	}
	if !slices.Equal(s.Required, required) {
		t.Errorf("%s requires %v in the schema, want %v", name, s.Required, required)
	}
}

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

// comments are those of the types of reports and of their fields, each on one line.
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

func oneLine(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
