package squeeze

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite what the fixtures expect")

// TestGolden holds, for texts as tools give them, what they are taken for (kind),
// how they are cut (pieces: cue, what the piece is under and like, its beginning),
// and what is written when only pieces with a cue of a half and more are kept.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := Cut(string(archive.Files[0].Data), hintOf(t, string(archive.Comment)))
			keep := make([]bool, len(text.Pieces))
			for i, p := range text.Pieces {
				keep[i] = p.Cue >= outline
			}
			got := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{
				archive.Files[0],
				{Name: "kind", Data: []byte(text.Kind.String() + "\n")},
				{Name: "pieces", Data: []byte(table(text))},
				{Name: "kept", Data: []byte(text.Render(keep))},
			}}
			if *update {
				if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for i, f := range txtar.Parse(txtar.Format(got)).Files {
				if i >= len(archive.Files) || string(archive.Files[i].Data) != string(f.Data) {
					t.Errorf("%s:\n%s", f.Name, f.Data)
				}
			}
		})
	}
}

// hintOf reads the lines "tool: Bash", "command: go test" and so on above a fixture.
func hintOf(t *testing.T, comment string) (h Hint) {
	for line := range strings.Lines(comment) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "tool":
			h.Tool = value
		case "command":
			h.Command = value
		case "path":
			h.Path = value
		case "arg":
			h.Arg = value
		case "failed":
			h.Failed = true
		case "":
		default:
			t.Fatalf("what is %q?", name)
		}
	}
	return h
}

// table shows the pieces of a text.
func table(text *Text) string {
	var b strings.Builder
	of := func(i int32) string {
		if i == None {
			return "."
		}
		return fmt.Sprint(i)
	}
	for i, p := range text.Pieces {
		s := strings.TrimRight(text.Body(i), "\n")
		if len(s) > 60 {
			s = s[:boundary(s, 60)] + "…"
		}
		fmt.Fprintf(&b, "%3d %5.3g %3s %3s |%s\n", i, p.Cue, of(p.Under), of(p.Like), strings.ReplaceAll(s, "\n", "⏎"))
	}
	return b.String()
}
