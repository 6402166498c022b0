package format

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"condense/transcript"
)

// update makes TestDialects rewrite the expected files.
var update = flag.Bool("update", false, "rewrite the archives in testdata")

// TestDialects reads the archives in testdata, each named after a dialect. A case is
// a group of files in an archive:
//
//	-- NAME/input --   a source, without the last newline of the file
//	-- NAME/shows --   its conversations as show writes them, with "--" in between
//	-- NAME/flags --   what else is known of them, see flags; optional, with update for all
//	-- NAME/edits --   edits of the first conversation, see parseEdit; optional
//	-- NAME/output --  the source after the edits
func TestDialects(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || archives == nil {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dialect := strings.TrimSuffix(filepath.Base(path), ".txtar")
		comment, files := parseArchive(data)
		for i := 0; i < len(files); {
			name := files[i].caseName()
			n := i
			for n < len(files) && files[n].caseName() == name {
				n++
			}
			if *update && !slices.ContainsFunc(files[i:n], func(f archived) bool { return f.name == name+"/flags" }) {
				files = slices.Insert(files, i+2, archived{name: name + "/flags"})
				n++
			}
			t.Run(dialect+"/"+name, func(t *testing.T) { checkCase(t, dialect, files[i:n]) })
			if *update {
				files = slices.DeleteFunc(files, func(f archived) bool { return f.name == name+"/flags" && f.text == "" })
				for n = i; n < len(files) && files[n].caseName() == name; n++ {
				}
			}
			i = n
		}
		if *update {
			if err := os.WriteFile(path, formatArchive(comment, files), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestArchives checks that every dialect has an archive, and that every archive belongs to a dialect.
func TestArchives(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	without := map[string]bool{}
	for _, d := range Dialects {
		without[d.Name] = true
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if !without[name] {
			t.Errorf("%s is not named after a dialect", path)
		}
		delete(without, name)
	}
	for name := range without {
		t.Errorf("%s has no archive: write testdata/%s.txtar", name, name)
	}
}

// TestDialectsAreDescribed checks that the page of formats has something to say about every dialect.
func TestDialectsAreDescribed(t *testing.T) {
	for _, d := range Dialects {
		if d.Name == "" || d.Doc == "" || d.Where == "" {
			t.Errorf("%q is described as %q, found in %q", d.Name, d.Doc, d.Where)
		}
	}
}

// checkCase checks the files of one case, or with update changes them.
func checkCase(t *testing.T, dialect string, files []archived) {
	find := func(kind string) *archived {
		i := slices.IndexFunc(files, func(f archived) bool { return strings.HasSuffix(f.name, "/"+kind) })
		if i < 0 {
			return nil
		}
		return &files[i]
	}
	input, want := find("input"), find("shows")
	if input == nil || want == nil {
		t.Fatalf("%s has no input, or does not state what it shows", files[0].name)
	}
	f := decoded(t, strings.TrimSuffix(input.text, "\n"))
	if f.Dialect.Name != dialect {
		t.Fatalf("read as %s", f.Dialect.Name)
	}
	var got []string
	for i, c := range f.Convs {
		if i > 0 {
			got = append(got, "--")
		}
		got = append(got, show(c)...)
	}
	compare(t, want, got)
	if want := find("flags"); want != nil {
		got = nil
		for _, c := range f.Convs {
			got = append(got, flags(c)...)
		}
		compare(t, want, got)
	}
	if edits, output := find("edits"), find("output"); edits != nil && output != nil {
		var list []transcript.Edit
		for line := range strings.Lines(edits.text) {
			list = append(list, parseEdit(t, line))
		}
		compare(t, output, []string{edited(t, f, list...)})
	}
}

// flags returns what a conversation records besides its texts: a line for each message and
// block of which something is known, with their numbers.
func flags(c *transcript.Conversation) (lines []string) {
	add := func(at string, words []string) {
		if len(words) > 0 {
			lines = append(lines, at+": "+strings.Join(words, ", "))
		}
	}
	word := func(list *[]string, is bool, format string, args ...any) {
		if is {
			*list = append(*list, fmt.Sprintf(format, args...))
		}
	}
	var words []string
	word(&words, c.ID != "", "id %q", c.ID)
	word(&words, c.LastModel() != "", "model %s", c.LastModel())
	add("conversation", words)
	for i, m := range c.Messages {
		words = nil
		word(&words, m.Hides, "hides")
		word(&words, m.Shadows, "shadows")
		word(&words, m.Joined, "joined")
		word(&words, m.Loss != 0, "loss %d", m.Loss)
		word(&words, !m.Time().IsZero(), "time %s", m.Time().UTC().Format(time.RFC3339))
		if m.Usage() != nil {
			word(&words, true, "usage %d+%d+%d, %d", m.Usage().Input, m.Usage().CacheRead, m.Usage().CacheWrite, m.Usage().Output)
		}
		add(strconv.Itoa(i), words)
		for k, b := range m.Blocks {
			words = nil
			word(&words, b.Error, "failed")
			word(&words, b.Fixed, "fixed")
			word(&words, b.Opaque > 0, "opaque %d", b.Opaque)
			for n, p := range b.Parts {
				word(&words, p.Joined, "part %d joined", n)
				word(&words, p.Head > 0, "part %d head %d", n, p.Head)
				if p.Media != nil {
					word(&words, true, "part %d of %d bytes, %d × %d", n, p.Media.Bytes, p.Media.Width, p.Media.Height)
				}
			}
			add(fmt.Sprintf("%d.%d", i, k), words)
		}
	}
	return lines
}

// compare fails when a file does not hold the lines, or with update makes it hold them.
func compare(t *testing.T, want *archived, lines []string) {
	t.Helper()
	got := strings.Join(lines, "\n")
	if got != "" {
		got += "\n"
	}
	if *update {
		want.text = got
	} else if got != want.text {
		t.Errorf("%s is\n%s\nwant\n%s", want.name, got, want.text)
	}
}

// parseEdit reads one edit:
//
//	drop 3                 a message
//	drop 3.0               a block
//	rewrite 3.0.1 "text"   a part
//	insert 3 user "text"   a message in front of another
func parseEdit(t *testing.T, line string) transcript.Edit {
	t.Helper()
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	place, rest, _ := strings.Cut(rest, " ")
	at := []int{0, transcript.Whole, transcript.Whole}
	for i, number := range strings.Split(place, ".") {
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("edit %q: %v", line, err)
		}
		at[i] = n
	}
	ref := transcript.Ref{Msg: at[0], Block: at[1], Part: at[2]}
	role, quoted := transcript.User, rest
	if verb == "insert" {
		var name string
		name, quoted, _ = strings.Cut(rest, " ")
		for _, r := range []transcript.Role{transcript.Assistant, transcript.System, transcript.Tool} {
			if r.String() == name {
				role = r
			}
		}
	}
	text := ""
	if verb != "drop" {
		var err error
		if text, err = strconv.Unquote(quoted); err != nil {
			t.Fatalf("edit %q: %v", line, err)
		}
	}
	switch verb {
	case "drop":
		return transcript.Edit{At: ref, Op: transcript.Drop}
	case "rewrite":
		return transcript.Edit{At: ref, Op: transcript.Rewrite, Text: text}
	case "insert":
		return insert(ref.Msg, role, text)
	}
	t.Fatalf("unknown edit %q", line)
	return transcript.Edit{}
}

// archived is a file of a txtar archive.
type archived struct{ name, text string }

// caseName returns the name of the case that the file belongs to.
func (a archived) caseName() string { return a.name[:max(0, strings.LastIndexByte(a.name, '/'))] }

// parseArchive reads the format of golang.org/x/tools/txtar: a comment, and files that
// each follow a line "-- NAME --".
func parseArchive(data []byte) (comment string, files []archived) {
	for line := range strings.Lines(string(data)) {
		name, is := strings.CutPrefix(line, "-- ")
		if name, ends := strings.CutSuffix(name, " --\n"); is && ends {
			files = append(files, archived{name: name})
			continue
		}
		if len(files) == 0 {
			comment += line
		} else {
			files[len(files)-1].text += line
		}
	}
	return comment, files
}

func formatArchive(comment string, files []archived) []byte {
	var out bytes.Buffer
	out.WriteString(comment)
	for _, f := range files {
		fmt.Fprintf(&out, "-- %s --\n%s", f.name, f.text)
		if f.text != "" && !strings.HasSuffix(f.text, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
