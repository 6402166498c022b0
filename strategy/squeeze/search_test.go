package squeeze

import (
	"slices"
	"strings"
	"testing"
)

// pieces describes the pieces of a text: its cue, the piece that it stands under and the one that it is like, and its
// first bytes.
func pieces(t *Text) (list []string) {
	for line := range strings.Lines(table(t)) {
		list = append(list, strings.Join(strings.Fields(line[3:]), " "))
	}
	return list
}

// wantPieces fails the test unless a text has these pieces.
func wantPieces(t *testing.T, text *Text, want ...string) {
	t.Helper()
	if got := pieces(text); !slices.Equal(got, want) {
		t.Errorf("the pieces of %q are\n%s\nwant\n%s", text.Source, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEntry checks the names and depths of the lines of listings.
func TestEntry(t *testing.T) {
	for _, tt := range []struct {
		line, name string
		depth      int
	}{
		{"a.go", "a.go", 0}, {"", "", 0}, {"├── a.go", "a.go", 4}, {"│   └── b.md", "b.md", 8}, {"  a", "a", 2}, {"\ta", "a", 1}, {"- a", "a", 2}, {"|-- a", "a", 4},
		{"`-- a", "a", 4}, {"+-- a", "a", 4}, {"│\u00a0\u00a0 ├── a", "a", 8}, {".env", ".env", 0}, {"/root", "/root", 0}, {"    .env", ".env", 4},
		{"-rw-r--r-- 1 u g 12 Jan 2 a.go", "a.go", 0}, {"drwxr-xr-x 2 u g 40 Jan 2 src", "src", 0}, {"9.txt", "9.txt", 0}, {"  9.txt", "9.txt", 2}, {"  my file", "my file", 2},
	} {
		if name, depth := entry(tt.line); name != tt.name || depth != tt.depth {
			t.Errorf("%q is %q at %d, want %q at %d", tt.line, name, depth, tt.name, tt.depth)
		}
	}
}

// TestSibling checks that files of one directory with one extension have the same hash, and no others.
func TestSibling(t *testing.T) {
	same := [][]string{{"a.go", "b.go", "c_test.go"}, {"x/a.go", "x/b.go"}, {`x\a.go`, `x\b.go`}, {"a.md"}, {"x/a.md"}, {"a"}, {"b"}, {"x/a"}, {"x.y/a"}, {"x.y/b"}}
	seen := map[uint64]string{}
	for _, names := range same {
		h := sibling(names[0], 7)
		if other, ok := seen[h]; ok {
			t.Errorf("%s is like %s", names[0], other)
		}
		seen[h] = names[0]
		for _, name := range names {
			if sibling(name, 7) != h {
				t.Errorf("%s is not like %s", name, names[0])
			}
			if sibling(name, 8) == h {
				t.Errorf("%s is like itself under another directory", name)
			}
		}
	}
}

// TestCutListing checks what stands under what in listings, and what is like what.
func TestCutListing(t *testing.T) {
	cut := func(source string) *Text {
		text := Cut(source, Hint{Tool: "Bash", Command: "ls"})
		if text.Kind != Listing {
			t.Errorf("%q is %s", source, text.Kind)
		}
		return text
	}
	wantPieces(t, cut("src:\na.go\nb.go\n\nc.go\n"), "0.25 . . |src:", "0 0 . |a.go", "0 0 1 |b.go", "0 . . |c.go")
	wantPieces(t, cut("src:\na.go\nx/b.go\nx/c.go\n"), "0.25 . . |src:", "0 0 . |a.go", "0 . . |x/b.go", "0 . 2 |x/c.go")
	wantPieces(t, cut("# Files\na.go\n"), "0.25 . . |# Files", "0 0 . |a.go")
	wantPieces(t, cut("src\n├── deep\n│   ├── a.go\n│   └── b.go\n└── c.go\n"), "0 . . |src", "0 . . |├── deep", "0 1 . |│ ├── a.go", "0 1 2 |│ └── b.go", "0 . . |└── c.go")
	wantPieces(t, cut("src\n├── my a.go\n├── my b.go\n└── c.go\n"), "0 . . |src", "0 . . |├── my a.go", "0 . . |├── my b.go", "0 . . |└── c.go")
	wantPieces(t, cut("src/\n  a.go\n  deep/\n    b.go\n  c.go\nd.go\n"), "0 . . |src/", "0 0 . | a.go", "0 0 . | deep/", "0 2 . | b.go", "0 0 1 | c.go", "0 . . |d.go")
	wantPieces(t, cut("src\n|-- deep\n|   |-- a.go\n|   `-- b.go\n`-- c.go\n"), "0 . . |src", "0 . . ||-- deep", "0 1 . || |-- a.go", "0 1 2 || `-- b.go", "0 . . |`-- c.go")
	wantPieces(t, cut("total 8\n-rw-r--r-- 1 u g 1 Jan 1 a.go\n-rw-r--r-- 1 u g 1 Jan 1 b.go\n"), "0 . . |total 8", "0 . . |-rw-r--r-- 1 u g 1 Jan 1 a.go", "0 . 1 |-rw-r--r-- 1 u g 1 Jan 1 b.go")
	wantPieces(t, cut("error: gone\na.go\n"), "1 . . |error: gone", "0 . . |a.go")
}

// TestCutSearch checks the cues of the results of a search: the first match of a file, and a match that declares
// something.
func TestCutSearch(t *testing.T) {
	cut := func(source string) *Text { return Cut(source, Hint{Tool: "Grep"}) }
	wantPieces(t, cut("a.go:1:x\na.go:2:y\nb.go:3:func F() {\nb.go:4:z\na.go:5:x\n"), "0.25 . . |a.go:1:x", "0 . . |a.go:2:y", "0.5 . . |b.go:3:func F() {", "0 . . |b.go:4:z", "0.25 . . |a.go:5:x")
	wantPieces(t, cut("a.go\n1:x\n2:type T struct {\n\nb.go:\n3:z\n"), "0.25 . . |a.go", "0 0 . |1:x", "0.5 0 . |2:type T struct {", "0.25 . . |b.go:", "0 3 . |3:z")
	wantPieces(t, cut("grep: x: No such file or directory\na.go:1:x\na.go:2:x\n"), "0.5 . . |grep: x: No such file or directory", "0.25 . . |a.go:1:x", "0 . . |a.go:2:x")
}
