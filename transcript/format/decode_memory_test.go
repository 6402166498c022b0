package format

import (
	"runtime"
	"strings"
	"testing"

	"condense/transcript/internal/rawjson"
)

// TestDecodeMemory limits the memory that a decoded file keeps, for each byte of the source: for tiny
// messages, of which every byte of a structure counts, for arguments of many small values, and for a result of many lines. The
// whole run is measured by scripts/bench-shapes.
func TestDecodeMemory(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		most         float64 // bytes for each byte
	}{
		{"tiny messages", `{"messages":[` + strings.Repeat(`{"role":"user","content":"go on"},{"role":"assistant","content":"ok"},`, 10_000) +
			`{"role":"user","content":"stop"}]}`, 8.5},
		{"dense arguments", `{"messages":[{"role":"user","content":"Which number is wrong?"},{"role":"assistant","content":null,"tool_calls":[` +
			`{"id":"a","type":"function","function":{"name":"plot","arguments":"{\"points\":[` + strings.Repeat(`[1,2],`, 50_000) + `[3,4]]}"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"done"}]}`, 2.5},
		{"lists of strings", `{"messages":[{"role":"user","content":"Which name is wrong?"},{"role":"assistant","content":null,"tool_calls":[` +
			`{"id":"a","type":"function","function":{"name":"put","arguments":"{\"names\":[` + strings.Repeat(`\"a3\",`, 50_000) + `\"b\"]}"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"done"}]}`, 2.5},
		{"rows", `[{"role":"user","content":"Which row is wrong?"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"put","input":{"rows":[` +
			strings.Repeat(`{"id":1,"tags":["a","b"],"on":true},`, 20_000) + `{"id":2}]}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"}]}]`, 2.5},
		{"long result", `{"messages":[{"role":"user","content":"Which line is wrong?"},{"role":"assistant","content":null,"tool_calls":[` +
			`{"id":"a","type":"function","function":{"name":"bash","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"` +
			strings.Repeat(`2026-03-01T00:00:00Z INFO /repo/src/cache.go: 17 took 3 ms\n`, 10_000) + `"}]}`, 1.2},
	} {
		before := live()
		f, err := Decode([]byte(tt.source), "")
		if err != nil {
			t.Fatal(err)
		}
		per := float64(live()-before-int64(len(tt.source))) / float64(len(tt.source)) // without the copy of the source
		if per > tt.most {
			t.Errorf("%s: %.1f bytes for each byte of the source, want at most %.1f", tt.name, per, tt.most)
		}
		t.Logf("%s: %.2f", tt.name, per)
		runtime.KeepAlive(f)
	}
}

// live returns the bytes of the heap that are in use.
func live() int64 {
	runtime.GC()
	runtime.GC() // the first empties pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestIsDense checks which values in arguments are one leaf.
func TestIsDense(t *testing.T) {
	many := func(n int, value string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(value+",", n), ",") + "]"
	}
	for name, tt := range map[string]struct {
		value string
		want  bool
	}{
		"32 numbers":                   {many(manyNumbers, "1"), true},
		"31 numbers":                   {many(manyNumbers-1, "1"), false},
		"long numbers":                 {many(manyNumbers, "12345678901234567890"), true},
		"lists of numbers":             {many(manyNumbers/2, "[1,2]"), true},
		"numbers and a string":         {"[" + strings.Repeat("1,", manyNumbers) + `"a"]`, false},
		"short strings":                {many(manyValues, `"ab"`), true},
		"fewer short strings":          {many(manyValues-1, `"ab"`), false},
		"long strings":                 {many(manyValues, `"a string of some length"`), false},
		"rows":                         {many(manyValues/2, `{"a":1,"b":true}`), true},
		"rows of long texts":           {many(manyValues/2, `{"content":"Mend the harbour","status":"open"}`), false},
		"an object":                    {`{"rows":` + many(manyValues, "null") + `}`, true},
		"4 levels":                     {"[[[" + many(manyNumbers, "1") + "]]]", true},
		"more levels":                  {"[[[[" + many(manyNumbers, "1") + "]]]]", false},
		"nothing":                      {"[]", false},
		"very many lists with nothing": {many(manyValues, "[]"), false},
	} {
		v := rawjson.ReadText(tt.value)
		if got := isDense(v); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
