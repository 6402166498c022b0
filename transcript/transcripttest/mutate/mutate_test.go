package mutate

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"condense/transcript/transcripttest"
)

// TestParse checks that a source without a change has the same bytes.
func TestParse(t *testing.T) {
	for _, src := range append(transcripttest.Sources(t, "../../../testdata"), []byte(" {\"a\" : [ ] , \"b\":{ }}\n\n[1 ,2]\nno JSON {\n"), []byte("\ufeff[1]"), nil) {
		if got := parse(nil, src).source(); !bytes.Equal(got, src) {
			t.Errorf("%.200q became %.200q", src, got)
		}
	}
}

// TestOperators checks that there are 22 operators of values and 8 of bytes, that each changes some
// fixture, that equal seeds make equal changes, and that operators of values leave JSON behind.
func TestOperators(t *testing.T) {
	if len(structural) != 22 || len(byteOperators) != 8 {
		t.Errorf("%d operators of values, %d of bytes", len(structural), len(byteOperators))
	}
	sources := transcripttest.Sources(t, "../../../testdata")
	all := slices.Concat(structural, byteOperators)
	for i := range all {
		o := &all[i]
		changed, invalid := 0, 0
		for n, src := range sources {
			seed := uint64(n)
			out := o.apply(rand.New(rand.NewPCG(1, seed)), src)
			if !bytes.Equal(out, o.apply(rand.New(rand.NewPCG(1, seed)), src)) {
				t.Errorf("%s: two changes with one seed differ", o.name)
			}
			if !bytes.Equal(out, src) {
				changed++
			}
			if json.Valid(src) && !json.Valid(out) {
				invalid++
			}
		}
		if changed < len(sources)/4 {
			t.Errorf("%s: changes %d of %d fixtures", o.name, changed, len(sources))
		}
		if o.tree != nil && invalid > 0 {
			t.Errorf("%s: %d outputs are not JSON", o.name, invalid)
		}
	}
}

// TestSmaller checks that smaller sources lack one thing each.
func TestSmaller(t *testing.T) {
	for src, want := range map[string][]string{
		"[1,{\"a\":\"text\"}]":   {`[{"a":"text"}]`, `[1]`, `[1,{}]`, `[1,{"a":"s"}]`},
		"{\"a\":1}\n{\"b\":2}\n": {"{\"a\":1}\n{\"b\":2}\n", "{\"b\":2}\n", "{\"a\":1}\n", "{}\n{\"b\":2}\n", "{\"a\":1}\n{}\n"},
	} {
		var got []string
		for out := range Smaller([]byte(src)) {
			got = append(got, string(out))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q", src, got)
		}
	}
}
