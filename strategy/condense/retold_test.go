package condense

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/format"
)

// leastRetoldDialects is the least number of formats of the fixtures with a typed text that occurs once.
const leastRetoldDialects = 28

// TestRetoldOfEveryDialect checks that an output is refused of which a reader takes a typed text for one of the client, of
// a tool or of the model, or does not find it, for each typed text of all fixtures.
func TestRetoldOfEveryDialect(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(sessions, "*/*"))
	if err != nil {
		t.Fatal(err)
	}
	dialects := map[string]bool{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := format.Decode(src, "")
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, c := range file.Convs {
			want := shown(c)
			if !retold(want, want) {
				t.Errorf("%s: the same messages are refused", path)
			}
			for i, m := range want {
				for k, b := range m.Blocks {
					if b.Kind != transcript.Text || b.Origin != transcript.Typed || !isOnly(want, b) {
						continue
					}
					dialects[file.Dialect.Name] = true
					for _, origin := range []transcript.Origin{transcript.Injected, transcript.ByTool, transcript.ByModel} {
						if found := withBlock(want, i, k, origin); retold(want, found) {
							t.Errorf("%s: message %d: %q read as %s is not refused", path, i+1, b.Text(), origin)
						}
					}
					if found := withBlock(want, i, k, transcript.Generated); !retold(want, found) {
						t.Errorf("%s: message %d: %q in a summary is refused", path, i+1, b.Text())
					}
				}
			}
		}
	}
	if len(dialects) < leastRetoldDialects {
		t.Errorf("%d formats: %v", len(dialects), dialects)
	}
}

// isOnly reports whether no other typed text, and none of a summary, holds the text of a block.
func isOnly(list []*transcript.Message, b *transcript.Block) bool {
	text := folded(b)
	if text == "" {
		return false
	}
	n := 0
	for _, m := range list {
		for _, other := range m.Blocks {
			if other.Origin == transcript.Typed || other.Origin == transcript.Generated {
				n += strings.Count(folded(other), text)
			}
		}
	}
	return n == 1
}

// withBlock returns messages of which one block has another origin.
func withBlock(list []*transcript.Message, i, k int, origin transcript.Origin) []*transcript.Message {
	list = slices.Clone(list)
	m := *list[i]
	m.Blocks = slices.Clone(m.Blocks)
	b := *m.Blocks[k]
	b.Origin = origin
	m.Blocks[k] = &b
	list[i] = &m
	return list
}
