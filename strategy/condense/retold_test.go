package condense

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
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

// TestRetold checks in which blocks of an output a typed text is found.
func TestRetold(t *testing.T) {
	typed := func(texts ...string) (list []*transcript.Message) {
		for _, text := range texts {
			list = append(list, transcripttest.User(text))
		}
		return list
	}
	for _, tt := range []struct {
		name        string
		want, found []*transcript.Message
		retold      bool
	}{
		{"no typed text", []*transcript.Message{transcripttest.Model("Well.")}, nil, true},
		{"other white space", typed("shut  the\ndoor"), typed("shut the door"), true},
		{"a part of a text", typed("the door"), typed("shut the door now"), true},
		{"cut between words", typed("shut the door"), typed("shut the", "door"), true},
		{"cut within a word", typed("shut the doorway"), typed("shut the door", "way"), false},
		{"in another order", typed("the door", "the window"), typed("the window", "the door"), true},
		{"one of two is gone", typed("the door", "the window"), typed("the door"), false},
	} {
		if got := retold(tt.want, tt.found); got != tt.retold {
			t.Errorf("%s: %t", tt.name, got)
		}
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
