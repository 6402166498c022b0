package fact

import (
	"fmt"
	"strings"
	"testing"
)

func keys(text string) string {
	var found []string
	Each(text, func(_ int, key string) { found = append(found, key) })
	return strings.Join(found, " ")
}

func TestEach(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"just some plain words, and/or more.", ""},
		{"see cmd/run.go:12:3.", "cmd/run.go"},
		{"/home/ana/tide/cmd/run.go and ./cmd/run.go", "cmd/run.go cmd/run.go"},
		{`C:\Users\ana\tide\notes.txt`, `tide\notes.txt`},
		{"at https://example.org/tides/today?day=1", "tides/today"},
		{"getTide HtmlParser snake_case SCREAMING Hello JSON", "getTide HtmlParser snake_case SCREAMING JSON"},
		{"self.assertEqual std::vec::Vec e.g. i.e.", "self.assertEqual std::vec::Vec"},
		{"TS2345 v1.2.3 0x1f3 4af2c91 127.0.0.1:8080", "TS2345 v1.2.3 0x1f3 4af2c91 127.0.0.1 8080"},
		{"12 123 1.5 #42 99", "123 1.5 #42"},
		{"--dry-run -v well-known tide-gauge-harbour", "--dry-run tide-gauge-harbour"},
		{"./cmd/run.go .env.local ../x/y.go +a_b @a_b a_b. a_b, a_b-", "cmd/run.go .env.local x/y.go a_b a_b a_b a_b a_b"},
		{"port:8081 name:tide_gauge", "8081 tide_gauge"},
		{"   123→func readTide() {\n124\tgauge.go\n125|old_name\n  126 lines", "readTide gauge.go old_name 126"},
		{"在cmd/run.go文件中的readTide函数", "cmd/run.go readTide"},
		{strings.Repeat("a_", 101), ""},
		{"", ""},
	} {
		if got := keys(c.text); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// FuzzEach checks that facts lie where their offsets point, in order.
func FuzzEach(f *testing.F) {
	f.Add("see cmd/run.go:12 and https://example.org/a, getTide(x_y) 0x1f3 v1.2.3")
	f.Add("  12→a:b::c/d\\e.f-g")
	f.Fuzz(func(t *testing.T, text string) {
		last := -1
		Each(text, func(at int, key string) {
			if at <= last || len(key) == 0 || len(key) > longest {
				t.Fatalf("%q at %d after %d", key, at, last)
			}
			if i := strings.Index(text[at:], key); i < 0 || i > longest {
				t.Fatalf("%q is not at %d", key, at)
			}
			last = at
		})
	})
}

func BenchmarkEach(b *testing.B) {
	var s strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&s, "%6d\tfunc readTide%d(gauge *Gauge) error { return fmt.Errorf(\"harbour %%d\", gauge.level[%d]) } // see cmd/tide/run.go\n", i, i, i)
	}
	text := s.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		Each(text, func(int, string) { n++ })
	}
}
