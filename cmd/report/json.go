package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"condense/cmd/ui/escape"
)

// JSON writes a result as indented JSON. Lists and maps are never null. It writes runes that a
// terminal could act on as \u escapes, which mean the same to every JSON reader.
func JSON(w io.Writer, result any) error {
	v := filled(reflect.ValueOf(result))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		return fmt.Errorf("report as JSON: %w", err)
	}
	_, err := io.WriteString(w, escape.JSON(b.String()))
	return err
}

// filled returns a deep copy of v in which empty lists and maps replace nil ones.
func filled(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(filled(v.Elem()))
		return c
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(filled(v.Index(i)))
		}
		return c
	case reflect.Map:
		if v.IsNil() {
			return reflect.MakeMap(v.Type())
		}
	case reflect.Struct:
		fields := reflect.VisibleFields(v.Type())
		if slices.ContainsFunc(fields, func(f reflect.StructField) bool { return !f.IsExported() }) {
			return v // a type with a MarshalJSON of its own
		}
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for _, f := range fields {
			absent := strings.HasSuffix(f.Tag.Get("json"), ",omitempty") && v.FieldByIndex(f.Index).IsZero()
			if len(f.Index) == 1 && !absent {
				c.FieldByIndex(f.Index).Set(filled(v.FieldByIndex(f.Index)))
			}
		}
		return c
	}
	return v
}
