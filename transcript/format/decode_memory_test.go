package format

import (
	"runtime"
	"strings"
	"testing"
)

// TestDecodeMemory limits the memory that a decoded file keeps, for each byte of the source: for tiny
// messages, of which every byte of a structure counts, for arguments of many numbers, and for a result of many lines. The whole run is
// measured by scripts/bench-shapes.
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
