package fact

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestExtensions checks that a name with the extension of a file is a path, and no other.
func TestExtensions(t *testing.T) {
	for ext := range strings.FieldsSeq("c cc cfg conf cpp cs css csv env go gradle h hpp htm html ini ipynb java jpg js json jsonl jsx kt lock " +
		"log md mdx mjs pdf php png proto py rb rs scss sh sql svg swift toml ts tsx txt xml yaml yml zip") {
		name := "valve." + ext
		if got := KindOf(name, 0, name); got != Path {
			t.Errorf("%s is of kind %v", name, got)
		}
	}
	for name := range strings.FieldsSeq("os.Exit valve.open valve.gox .log") {
		if got := KindOf(name, 0, name); got == Path {
			t.Errorf("%s is a path", name)
		}
	}
}

// TestFailedStates checks which values of a status state a failure.
func TestFailedStates(t *testing.T) {
	for state := range strings.FieldsSeq("aborted broken crashed crashloopbackoff critical dead degraded denied err error errored evicted " +
		"exception fail failed failing failure fatal forbidden imagepullbackoff invalid killed offline oomkilled panic refused rejected " +
		"severe timedout timeout unauthorized unavailable unhealthy unreachable") {
		if !IsFailedState([]byte(state)) {
			t.Errorf("%s states no failure", state)
		}
	}
	for state := range strings.FieldsSeq("ok running pending completed skipped errors") {
		if IsFailedState([]byte(state)) {
			t.Errorf("%s states a failure", state)
		}
	}
}

// TestToolWords checks the kinds of tools that no table names, by their verbs and objects.
func TestToolWords(t *testing.T) {
	for _, tt := range []struct {
		want           ToolKind
		verbs, objects string
	}{
		{ShellTool, "run exec execute", "bash shell terminal command commands cmd powershell"},
		{ReadTool, "read view get", "file files dir directory folder notebook"},
		{WriteTool, "write create save append push", "file files dir directory folder notebook"},
		{EditTool, "edit replace modify patch update", "file files dir directory folder notebook"},
		{SearchTool, "search grep", "file files dir directory folder notebook code content contents text"},
		{ListTool, "list find", "file files dir directory folder notebook"},
		{WebTool, "read view get search list", "web browser webpage website internet"},
		{OtherTool, "get list update save", "code content contents text issue"},
		{OtherTool, "run execute", "file folder text"},
	} {
		for verb := range strings.FieldsSeq(tt.verbs) {
			for object := range strings.FieldsSeq(tt.objects) {
				for _, name := range []string{verb + "_zz_" + object + "_now", strings.Repeat("my_", 11) + verb + "_" + object} {
					got := ToolOf(name)
					if first := strings.HasPrefix(name, "read") || strings.HasPrefix(name, "view") || strings.HasPrefix(name, "edit"); got != tt.want && !(tt.want == OtherTool && first) {
						t.Errorf("%s is of kind %v, want %v", name, got, tt.want)
					}
				}
			}
		}
	}
	for name, want := range map[string]ToolKind{"read_zz": ReadTool, "view_zz": ReadTool, "edit_zz": EditTool, "zz_read": OtherTool, "list_zz": OtherTool} {
		if got := ToolOf(name); got != want {
			t.Errorf("%s is of kind %v, want %v", name, got, want)
		}
	}
}

// TestShortPaths checks the keys of short paths: what they begin with matters, unless a
// folder stands before them.
func TestShortPaths(t *testing.T) {
	for text, want := range map[string]string{
		"and/or": "", "/bin": "bin", "~/notes": "notes", "./make": "make", "cmd/x.go": "cmd/x.go", "a/b/c/d.go": "c/d.go", `a\b\c`: `b\c`, "x1/y": "x1/y", "a_b/c": "a_b/c", "//": "",
	} {
		got := ""
		Each(text, func(_ int, key string) { got = key })
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestTextsWithFacts checks that a survey lists only texts that mention something.
func TestTextsWithFacts(t *testing.T) {
	c := transcript.New("", []*transcript.Message{{Blocks: []*transcript.Block{
		{Parts: []transcript.Part{{Text: "nothing here"}, {Text: "see cmd/x.go"}, {Text: ""}}},
	}}})
	n := 0
	for text := range Of(c).Texts() {
		if n++; len(text.Mentions) == 0 {
			t.Errorf("%+v has no mentions", text)
		}
	}
	if n != 1 {
		t.Errorf("%d texts", n)
	}
}
