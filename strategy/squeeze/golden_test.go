package squeeze

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite what the fixtures expect")

// TestGolden checks outputs of real tools: the recognised kind, the pieces (cue, Under, Like, the
// beginning), and the text with only the pieces that have a cue of a half or more.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			comment, files := parseArchive(string(src))
			text := Cut(files[0].text, hintOf(t, comment))
			keep := make([]bool, len(text.Pieces))
			for i, p := range text.Pieces {
				keep[i] = p.Cue >= outline
			}
			got := comment
			for _, f := range []section{files[0], {"kind", text.Kind.String() + "\n"}, {"pieces", table(text)}, {"kept", text.Render(keep)}} {
				got += f.String()
			}
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			_, now := parseArchive(got)
			for i, f := range now {
				if i >= len(files) || files[i] != f {
					t.Errorf("%s:\n%s", f.name, f.text)
				}
			}
		})
	}
}

// section is a file of a txtar archive.
type section struct{ name, text string }

// String returns the section as it is written, ending in a line break.
func (s section) String() string {
	if s.text != "" && !strings.HasSuffix(s.text, "\n") {
		s.text += "\n"
	}
	return "-- " + s.name + " --\n" + s.text
}

// parseArchive reads the txtar format of golang.org/x/tools/txtar: a comment, and for each
// file a line "-- NAME --" and its text.
func parseArchive(src string) (comment string, files []section) {
	text := &comment
	for line := range strings.Lines(src) {
		name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- ")
		if name, end := strings.CutSuffix(name, " --"); ok && end {
			files = append(files, section{name: name})
			text = &files[len(files)-1].text
			continue
		}
		*text += line
	}
	return comment, files
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
			t.Fatalf("unknown line %q", name)
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
		s := strings.TrimRight(text.body(i), "\n")
		if len(s) > 60 {
			s = s[:boundary(s, 60)] + "…"
		}
		fmt.Fprintf(&b, "%3d %5.3g %3s %3s |%s\n", i, p.Cue, of(p.Under), of(p.Like), strings.ReplaceAll(s, "\n", "⏎"))
	}
	return b.String()
}
