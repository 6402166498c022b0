package format

import (
	"path/filepath"
	"testing"

	"condense/transcript"
)

// TestOwner: the owner of every byte is the first message of which a record lies
// around it.
func TestOwner(t *testing.T) {
	for path, src := range fixtures(t) {
		if len(src) > 16<<10 {
			continue
		}
		f, err := Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		for offset := range src {
			wantConv, want := slowOwner(f, offset)
			if conv, at := f.owner(offset); conv != wantConv || at != want {
				t.Fatalf("%s: byte %d is of %s in %d, want %s in %d", filepath.Base(path), offset, at, conv, want, wantConv)
			}
		}
	}
}

func slowOwner(f *File, offset int) (conv int, at transcript.Ref) {
	for i, l := range f.layouts {
		for msg, m := range l.Messages {
			for _, s := range m.Records {
				if span := l.Span(s); span.Start <= offset && offset < span.End {
					return i, transcript.At(msg)
				}
			}
		}
	}
	return 0, transcript.At(transcript.End)
}
