package format

import (
	"bytes"
	"path/filepath"
	"testing"
)

// BenchmarkDecodeDialect decodes the largest fixture of each dialect, repeated
// to about 4 MB.
func BenchmarkDecodeDialect(b *testing.B) {
	largest := map[string][]byte{}
	for path, src := range fixtures(b) {
		if name := dialectOf(path); len(src) > len(largest[name]) && filepath.Ext(path) != ".md" {
			largest[name] = src
		}
	}
	for _, d := range Dialects {
		src := largest[d.Name]
		if src == nil {
			continue
		}
		if many := manyTimes(b, src, 1+(4<<20)/len(src)); many != nil {
			src = many
		}
		src = bytes.Clone(src)
		b.Run(d.Name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(src, d.Name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
