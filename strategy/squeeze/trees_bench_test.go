package squeeze

import (
	"strings"
	"testing"
)

func BenchmarkCutTrees(b *testing.B) {
	for _, bb := range []struct{ name, before, unit, after string }{
		{"JSON", "[", `{"id":4711,"name":"mill-7","state":"running","ports":[8080,8443],"owner":{"name":"mira","team":"harbour"}},` + "\n", "1]"},
		{"JSON numbers", "[", "12,345,6789,0.25,", "1]"},
		{"JSON string", `{"out":"`, `2031-01-02 10:00:00 served GET /api/items/4711 in 12ms\n`, `"}`},
		{"NDJSON", "", `{"time":"2031-01-02T10:00:00Z","level":"info","text":"served","path":"/api/items/4711","ms":12}` + "\n", ""},
		{"CSV", "id,name,state,ms\n", "4711,mill-7,running,12\n", ""},
		{"HTML", "<!DOCTYPE html>", `<div class="row"><a href="/items/4711">Item 4711</a><p>Some words about it.</p></div>` + "\n", ""},
		{"snapshot", "", "- listitem [ref=e1]:\n  - link \"Item 4711\" [ref=e2] [cursor=pointer]:\n    - /url: /items/4711\n", ""},
	} {
		source := bb.before + strings.Repeat(bb.unit, 8<<20/len(bb.unit)) + bb.after
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			pieces := 0
			for b.Loop() {
				t := Cut(source, Hint{Tool: "fetch"})
				if t.Kind < JSON {
					b.Fatalf("taken for %v", t.Kind)
				}
				pieces = len(t.Pieces)
			}
			b.ReportMetric(float64(len(source))/float64(pieces), "B/piece")
		})
	}
}
