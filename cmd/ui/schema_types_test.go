package ui

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
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

// TestSchemaMatchesTheTypes holds the schema against the Go types: the same members, with the
// same comments, required unless omitempty.
func TestSchemaMatchesTheTypes(t *testing.T) {
	matches(t, Schema(), reflect.TypeFor[Report]())
	matches(t, FindingsSchema(), reflect.TypeFor[Findings]())
	matches(t, MendingSchema(), reflect.TypeFor[Mending]())
	matches(t, StatsSchema(), reflect.TypeFor[Stats]())
	matches(t, ComparisonSchema(), reflect.TypeFor[Comparison]())
	matches(t, SummarySchema(), reflect.TypeFor[Summary]())
	matches(t, GateSchema(), reflect.TypeFor[Gate]())
	matches(t, DifferenceSchema(), reflect.TypeFor[Difference]())
	matches(t, ExplanationSchema(), reflect.TypeFor[Explanation]())
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
	for _, name := range []string{"report.go", "findings.go", "mending.go", "stats.go", "compare.go", "summaryfile.go", "gate.go", "difference.go", "explanation.go"} {
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
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				out[spec.Name.Name+"."+f.Names[0].Name] = oneLine(f.Comment)
			}
		}
	}
	return out
}

func oneLine(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
