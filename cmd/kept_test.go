package cmd

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"condense/cmd/batch"
	"condense/cmd/stash"
	"condense/transcript/format"
)

// TestFailedSize checks that the entry of a file that failed has the size of what was read, or else of the file.
func TestFailedSize(t *testing.T) {
	it := &batchItem{Item: batch.Item{Path: "a.json.gz", Size: 3}}
	for read, want := range map[int]int{0: 3, 70: 70} {
		r := &result{err: errors.New("a.json.gz: the cause")}
		r.Bytes.Before, r.Tokens.Before = read, 9
		if r.fail(it, false); r.Bytes.Before != want || r.Bytes.After != want || r.Tokens.After != 9 || r.Error != "the cause" {
			t.Errorf("%d bytes read: %+v", read, r)
		}
	}
}

// TestRepeatedFlag checks that a repeated flag keeps what it has when a value is wrong.
func TestRepeatedFlag(t *testing.T) {
	var list []string
	cause := errors.New("wrong")
	r := repeated[string]{to: &list, parse: func(text string) (string, error) {
		if text == "bad" {
			return text, cause
		}
		return text + "!", nil
	}}
	for _, text := range []string{"a", "bad", "b"} {
		if err := r.Set(text); (err != nil) != (text == "bad") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if !slices.Equal(list, []string{"a!", "b!"}) || r.String() != "a, b" {
		t.Errorf("got %q, as %q", list, r.String())
	}
}

// TestStillInFile checks that a text is gone only if lines of it are nowhere in the file.
func TestStillInFile(t *testing.T) {
	decode := func(texts ...string) *format.File {
		var src strings.Builder
		for i, text := range texts {
			src.WriteString(`{"role": "` + []string{"user", "assistant"}[i%2] + `", "content": "` + text + `"},`)
		}
		file, err := format.Decode([]byte("["+strings.TrimSuffix(src.String(), ",")+"]"), "")
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	s := &stillInFile{lines: stash.Lines{}, texts: map[string]bool{}}
	s.add(decode(`The gate is open.\nThe keeper sleeps at noon.\nThe sill is dry.`, "Yes."))
	list := s.gone(decode(`The keeper sleeps at noon.\nThe sill is dry.`, "The word is swordfish.", "Yes."))
	if len(list) != 1 || list[0].Text != "The word is swordfish." || list[0].Message != 2 {
		t.Errorf("got %+v", list)
	}
}

// kept returns a function that runs condense with a state directory of its own, in which runs with -w keep old files. It
// fails the test if a run fails.
func kept(t *testing.T) func(line string) string {
	t.Chdir(t.TempDir())
	state := t.TempDir()
	env := func(name string) string {
		return map[string]string{"XDG_STATE_HOME": state, "CONDENSE_TOKENIZER": "bytes4"}[name]
	}
	return func(line string) string {
		t.Helper()
		var out, printed bytes.Buffer
		if code := Main(strings.Fields(line), strings.NewReader(""), &out, &printed, env); code != exitOK {
			t.Fatalf("condense %s: exit code %d: %s", line, code, &printed)
		}
		return out.String()
	}
}

// secretChat is a conversation of which --tags typed removes a text.
func secretChat(answer string) string {
	return `[{"role": "user", "content": "Say hello. <drop>The word is swordfish.</drop>"}, {"role": "assistant", "content": "` + answer + `"}]`
}

// TestGrepNamesTheNewest checks that a text that several old files of one file have is found once.
func TestGrepNamesTheNewest(t *testing.T) {
	run := kept(t)
	for _, answer := range []string{"Hello.", "Hello, you."} {
		writeAll(t, map[string]string{"c.json": secretChat(answer)})
		run("run -q -w --tags typed -s dedupe c.json")
	}
	if got := run("grep swordfish"); strings.Count(got, "swordfish") != 1 {
		t.Errorf("found:\n%s", got)
	}
}

// TestEqualFiles checks that the old files of two files with equal content are found and shown. Their entries have one id.
func TestEqualFiles(t *testing.T) {
	run := kept(t)
	writeAll(t, map[string]string{"a/c.json": secretChat("Hello."), "b/c.json": secretChat("Hello."), "c.json": secretChat("Hello, you.")})
	run("run -q -w --tags typed -s dedupe a/c.json")
	run("run -q -w --tags typed -s dedupe b/c.json")
	run("run -q -w --tags typed -s dedupe c.json")
	found := run("grep swordfish")
	if strings.Count(found, "swordfish") != 3 {
		t.Errorf("found:\n%s", found)
	}
	for line := range strings.Lines(found) {
		id, _, _ := strings.Cut(line, ":")
		if shown := run("show " + id); !strings.Contains(shown, "swordfish") {
			t.Errorf("condense show %s:\n%s", id, shown)
		}
	}
	for _, path := range []string{"a/c.json", "b/c.json", "c.json"} {
		run("undo " + path)
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "swordfish") {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestCheckShowsPrograms checks that condense check shows what a program says, unless it is quiet.
func TestCheckShowsPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	t.Chdir(t.TempDir())
	writeAll(t, map[string]string{"c.json": shortChat, "loud.sh": "cat >/dev/null; echo loud >&2; echo '{\"protocol\": 1, \"edits\": []}'\n"})
	env := func(name string) string {
		return map[string]string{"CONDENSE_TOKENIZER": "bytes4", "PATH": os.Getenv("PATH")}[name]
	}
	for _, quiet := range []bool{false, true} {
		args := []string{"check", "--min-savings", "0", "-s", "exec:sh loud.sh", "c.json"}
		if quiet {
			args = append(args, "-q")
		}
		var out, printed bytes.Buffer
		if code := Main(args, strings.NewReader(""), &out, &printed, env); code != exitOK || strings.Contains(printed.String(), "exec:sh: loud\n") == quiet {
			t.Errorf("quiet %v: exit code %d:\n%s%s", quiet, code, &out, &printed)
		}
	}
}
