package format

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// ordinalsOf returns the ordinals of the lines of a rollout, "-" for none.
func ordinalsOf(out string) (list []string) {
	for line := range strings.Lines(out) {
		n := "-"
		if m := regexp.MustCompile(`"ordinal":(\d+)`).FindStringSubmatch(line); m != nil {
			n = m[1]
		}
		list = append(list, n)
	}
	return list
}

// TestCodexOrdinals checks that ordinals stay in order when lines are inserted, with room
// where lines were removed and without.
func TestCodexOrdinals(t *testing.T) {
	var src strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(enveloped(asked, done, wanted, done, wanted, done)), "\n") {
		src.WriteString(strings.Replace(line, `"type"`, fmt.Sprintf(`"ordinal":%d,"type"`, i), 1) + "\n")
	}
	insert := func(at int) transcript.Edit {
		return transcript.Edit{At: transcript.Ref{Msg: at, Block: transcript.Whole, Part: transcript.Whole}, Op: transcript.Insert, New: &transcript.Message{
			Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: "[new]"}}}},
		}}
	}
	drop := func(msg int) transcript.Edit { return transcript.Edit{At: transcript.At(msg), Op: transcript.Drop} }
	for _, c := range []struct {
		edits []transcript.Edit
		want  string
	}{
		{[]transcript.Edit{drop(1)}, "0 2 3 4 5"},
		{[]transcript.Edit{drop(1), insert(2)}, "0 1 2 3 4 5"},
		{[]transcript.Edit{insert(2)}, "0 1 2 3 4 5 6"},
		{[]transcript.Edit{insert(2), drop(3)}, "0 1 2 3 4 5"},
		{[]transcript.Edit{insert(0), insert(0)}, "0 1 2 3 4 5 6 7"},
		{[]transcript.Edit{insert(transcript.End)}, "0 1 2 3 4 5 6"},
		{[]transcript.Edit{drop(0), drop(1), drop(2), drop(3), drop(4), drop(5), insert(transcript.End)}, "0"},
	} {
		f := decoded(t, src.String())
		out := edited(t, f, c.edits...)
		if got := strings.Join(ordinalsOf(out), " "); got != c.want {
			t.Errorf("%d edits: the ordinals are %s, want %s", len(c.edits), got, c.want)
		}
	}
}

// TestCodexOrdinalFindings checks the findings about ordinals and their repair.
func TestCodexOrdinalFindings(t *testing.T) {
	src, err := os.ReadFile("../../testdata/sessions/codex/paginated.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	sound := string(src)
	for name, c := range map[string]struct {
		old, new string
		findings int
	}{
		"sound":          {"", "", 0},
		"gap":            {`"ordinal":50,`, `"ordinal":77,`, 0},
		"none in middle": {`"ordinal":30,`, ``, 0},
		"none at end":    {`"ordinal":50,`, ``, 1},
		"same twice":     {`"ordinal":30,`, `"ordinal":29,`, 1},
		"jump back":      {`"ordinal":49,`, `"ordinal":3,`, 1},
	} {
		f := decoded(t, strings.Replace(sound, c.old, c.new, 1))
		n := 0
		for _, x := range f.Check(&rules.Codex) {
			if x.Rule == "codex/ordinal" {
				n++
			}
		}
		if n != c.findings {
			t.Errorf("%s: %d findings, want %d", name, n, c.findings)
		}
		mended, err := f.Repair(&rules.Codex)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range mended.File.Check(&rules.Codex) {
			t.Errorf("%s: after repair: %s", name, x.Message)
		}
	}
	cut := strings.Replace(sound, `"ordinal":50,`, ``, 1) + `{"timestamp":"2026-11-20T10:00:08.250Z","ordinal":52,"type":"event_msg","payl`
	if found := decoded(t, cut).Check(&rules.Codex); !slices.ContainsFunc(found, func(x rules.Finding) bool { return x.Rule == "codex/ordinal" }) {
		t.Errorf("in front of a line that is cut off: %v", found)
	}
	old, err := os.ReadFile("../../testdata/sessions/codex/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range decoded(t, string(old)).Check(&rules.Codex) {
		if x.Rule == "codex/ordinal" {
			t.Errorf("a rollout without ordinals: %s", x.Message)
		}
	}
}
