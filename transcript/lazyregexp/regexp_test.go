package lazyregexp

import (
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestMethods compares each method with the method of the compiled expression that has its name.
func TestMethods(t *testing.T) {
	const text, source = `([a-z])(\d+)`, "a1, b22 and c"
	want := reflect.ValueOf(regexp.MustCompile(text))
	r := reflect.ValueOf(New(text))
	arguments := map[reflect.Type]reflect.Value{
		reflect.TypeFor[string]():              reflect.ValueOf(source),
		reflect.TypeFor[[]byte]():              reflect.ValueOf([]byte(source)),
		reflect.TypeFor[int]():                 reflect.ValueOf(-1),
		reflect.TypeFor[func(string) string](): reflect.ValueOf(strings.ToUpper),
	}
	for i := range r.NumMethod() {
		name, method := r.Type().Method(i).Name, r.Method(i)
		if name == "Regexp" {
			continue
		}
		var in []reflect.Value
		for k := range method.Type().NumIn() {
			in = append(in, arguments[method.Type().In(k)])
		}
		got, want := method.Call(in)[0].Interface(), want.MethodByName(name).Call(in)[0].Interface()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s returns %v, want %v", name, got, want)
		}
	}
	if got := New(text).Regexp().String(); got != text {
		t.Errorf("compiled: %s", got)
	}
}

// TestFault checks that a faulty expression is found in the tests of its package.
func TestFault(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a faulty expression is not noticed")
		}
	}()
	New("(")
}

// TestAtOnce checks that goroutines may share an expression that none has used before.
func TestAtOnce(t *testing.T) {
	r := &Regexp{compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("a+") })}
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			if r.FindString("baab") != "aa" {
				t.Error("not found")
			}
		}()
	}
	group.Wait()
}
