package cmd

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/format"
)

// TestViewEveryFile reads every fixture, and every file of the corpus where there is one, in all forms:
// no error, and every line of typed text is in the output.
func TestViewEveryFile(t *testing.T) {
	for _, set := range []struct {
		pattern string
		least   int
	}{{"../testdata/sessions/*/*", 100}, {"../../shared/corpus/*/*", 100}} {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(set.pattern))), func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob(set.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if len(files) == 0 || testing.Short() {
				t.Skip("no files at " + set.pattern)
			}
			read := 0
			for _, name := range files {
				read += viewFile(t, name)
			}
			if read < set.least {
				t.Errorf("%d of %d files were read", read, len(files))
			}
		})
	}
}

// viewFile checks all forms of one file. It returns 0 if the file is not a conversation.
func viewFile(t *testing.T, name string) int {
	in, err := source.Open(context.Background(), name, 0)
	if err != nil {
		return 0 // a folder
	}
	file, err := format.Decode(in.Data, "")
	if err != nil {
		return 0
	}
	picked, err := pick(file.Convs, "")
	if err != nil {
		t.Fatal(err)
	}
	v := survey.NewView(name, file, picked, nil, survey.ViewOptions{Hidden: true})
	typed := typedLines(file)
	for _, form := range ui.FormNames(v) {
		var b bytes.Buffer
		if err := ui.Write(&b, form, v, ui.Options{}); err != nil {
			t.Errorf("%s as %s: %v", name, form, err)
		}
		text := b.String()
		switch form {
		case "json":
			continue
		case "html":
			text = html.UnescapeString(text)
		}
		for _, line := range typed {
			at := strings.Index(text, line)
			if at < 0 {
				t.Errorf("%s as %s lacks %.100q", name, form, line)
				break
			}
			text = text[at+len(line):]
		}
	}
	return 1
}

// TestViewComparesEveryFixture compares every fixture with what a run makes of it: each block of both
// sides is shown once, and a file does not differ from itself.
func TestViewComparesEveryFixture(t *testing.T) {
	files, err := filepath.Glob("../testdata/sessions/*/*")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // a folder
		}
		o := condense.Defaults()
		o.Target = strategy.Target{Share: .3}
		out, err := condense.Condense(context.Background(), data, o)
		if err != nil {
			continue // not a conversation
		}
		after, err := format.Decode(out.Out, "")
		if err != nil {
			t.Fatal(err)
		}
		compared++
		checkCompared(t, name, out.File, after)
		for _, c := range survey.NewView(name, out.File, slices.Repeat([]bool{true}, len(out.File.Convs)), out.File, survey.ViewOptions{Hidden: true}).Conversations {
			for _, m := range c.Messages {
				for _, b := range m.Blocks {
					if b.Change != "" || m.Number != m.Was {
						t.Errorf("%s: message %d differs from itself", name, m.Number)
					}
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("%d files were compared", compared)
	}
}

// checkCompared checks that a view has each block of both files once.
func checkCompared(t *testing.T, name string, before, after *format.File) {
	t.Helper()
	picked := slices.Repeat([]bool{true}, len(after.Convs))
	v := survey.NewView(name, after, picked, before, survey.ViewOptions{Hidden: true})
	if len(before.Convs) != len(after.Convs) {
		return // a conversation that is gone has no place in the view
	}
	had, has, shown, was := 0, 0, 0, 0
	for i := range after.Convs {
		for _, m := range before.Convs[i].Messages {
			had += len(m.Blocks)
		}
		for _, m := range after.Convs[i].Messages {
			has += len(m.Blocks)
		}
		for _, m := range v.Conversations[i].Messages {
			for _, b := range m.Blocks {
				if b.Change != survey.ViewRemoved {
					shown++
				}
				if b.Change != survey.ViewNew {
					was++
				}
			}
		}
	}
	if had != was || has != shown {
		t.Errorf("%s: %d of %d blocks of the original, %d of %d of the file", name, was, had, shown, has)
	}
	for _, o := range []ui.Options{{}, {Width: 150, Color: true}, {Width: 60}, {Columns: true}} {
		for _, form := range ui.FormNames(v) {
			if err := ui.Write(io.Discard, form, v, o); err != nil {
				t.Errorf("%s as %s: %v", name, form, err)
			}
		}
	}
}

// typedLines returns the lines that people typed, as an output shows them, in order.
func typedLines(file *format.File) (lines []string) {
	for _, c := range file.Convs {
		for _, m := range c.Messages {
			for _, b := range m.Blocks {
				if b.Origin != transcript.Typed {
					continue
				}
				for line := range strings.SplitSeq(b.Text(), "\n") {
					lines = append(lines, escape.Text(line))
				}
			}
		}
	}
	return lines
}

// BenchmarkView measures views of two sizes: the time of each must grow with the size alone.
func BenchmarkView(b *testing.B) {
	data, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		b.Fatal(err)
	}
	messages := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(data)), "["), "]")
	for _, copies := range []int{100, 1000} {
		text := "[" + strings.Repeat(messages+",", copies-1) + messages + "]"
		file, err := format.Decode([]byte(text), "openai")
		if err != nil {
			b.Fatal(err)
		}
		for _, form := range []string{"text", "markdown", "html"} {
			b.Run(fmt.Sprintf("%s/%d", form, copies), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for range b.N {
					v := survey.NewView("x", file, []bool{true}, nil, survey.ViewOptions{})
					var out bytes.Buffer
					if err := ui.Write(&out, form, v, ui.Options{Width: 100, Color: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
