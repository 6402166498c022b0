package token

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// generate joins size bytes of random phrases, the same in every run.
func generate(size int, phrases ...string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, phrases[r.IntN(len(phrases))], r.IntN(100_000))
	}
	return b.String()[:size]
}

// samples are texts of about 256 KB without long runs, by kind.
func samples() map[string]string {
	const size = 256 << 10
	return map[string]string{
		"prose": generate(size, "The harbour was quiet in %d. ", "It's said that nobody, not even the keeper, slept. ",
			"Sailors don't ask; they \u201clisten\u201d. ", "Am Ende bleibt Geduld \u2014 mehr nicht.\n\n", "港が静かだった。"),
		"code": generate(size, "func (s *Server) handle%d(w http.ResponseWriter) error {\n", "\tif err != nil {\n\t\treturn fmt.Errorf(\"read: %%w\", err)\n\t}\n",
			"\tfor i := range xs {\n", "}\n\n", "// getHTTPClient's timeout is %d ms.\n"),
		"json": generate(size, `{"id":"%x-4f1c","path":"/usr/lib/x%[1]d.so",`, `"ok":true,"at":"2025-03-%02dT10:00:00Z"},`, `"items":[1,2.5,null]},`, "\n  \"name\": \"x_%d\",\n"),
	}
}

func BenchmarkText(b *testing.B) {
	for _, name := range Names() {
		c := mustNew(b, name)
		for kind, text := range samples() {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					c.Text(text)
				}
			})
		}
	}
}
