package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
)

// TestGlanceMeetsDecode compares what the ends of files say with the whole files: the first request,
// the model, and the usage of the last visible answer that records one.
func TestGlanceMeetsDecode(t *testing.T) {
	for _, dialect := range []*Dialect{&claudeCode, &codex, &geminiCLI, &pi, &copilotCLI, &cline, &continueDev, &openCode} {
		files, _ := filepath.Glob("/work/shared/corpus/*/*")
		for _, path := range files {
			src, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			f, err := Decode(src, "")
			if err != nil || f.Dialect != dialect {
				continue
			}
			for _, size := range []int{16 << 10, 64 << 10, 256<<10} {
				if len(src) <= 2*size {
					continue
				}
				g, err := Glance(src[:size], src[len(src)-size:], dialect.Name)
				if err != nil {
					t.Logf("%s %d: %v", filepath.Base(path), size, err)
					continue
				}
				want := f.glimpse(len(f.Convs)-1, 0)
				if g.First != want.First || g.Usage != nil && *g.Usage != *want.Usage || g.Usage == nil && want.Usage != nil || g.ID != want.ID || g.Model != want.Model {
					t.Logf("%s %d/%d: %s %q %v %s, want %s %q %v %s answers %d", filepath.Base(path), size, len(src),g.ID, cutTo(g.First), g.Usage, g.Model, want.ID, cutTo(want.First), want.Usage, want.Model, g.Answers)
				} else {
					t.Logf("ok %s", filepath.Base(path))
				}
			}
		}
	}
}

func cutTo(s string) string { return strings.ToValidUTF8(s[:min(len(s), 40)], "") }

var _ transcript.Usage
