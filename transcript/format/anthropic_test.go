package format

import (
	"os"
	"slices"
	"strings"
	"testing"

	"condense/transcript/rules"
)

// TestAnthropicCompaction checks that the summary of the API counts, stays as it is, and hides all before
// it, also in its own message.
func TestAnthropicCompaction(t *testing.T) {
	src, err := os.ReadFile("../../testdata/sessions/anthropic/compaction.json")
	if err != nil {
		t.Fatal(err)
	}
	f := decoded(t, string(src))
	var visible []string
	for m := range f.Convs[0].Visible() {
		visible = append(visible, m.Role.String())
	}
	if want := []string{"assistant", "user", "assistant", "user"}; !slices.Equal(visible, want) {
		t.Errorf("the model sees %v, want %v:\n%s", visible, want, strings.Join(show(f.Convs[0]), "\n"))
	}
	for m := range f.Convs[0].Visible() {
		if b := m.Blocks[0]; !b.Fixed || !strings.HasPrefix(b.Text(), "The user wants the hives") || len(m.Blocks) != 2 {
			t.Errorf("the first visible message is %q", b.Text())
		}
		break
	}
	for _, x := range f.Check(&rules.Anthropic) {
		t.Errorf("a fault: %s", x.Message)
	}
	if f = decoded(t, strings.Replace(string(src), `"content": "The user wants`, `"content": null, "was": "The user wants`, 1)); len(slices.Collect(f.Convs[0].Visible())) != 7 {
		t.Error("a compaction that failed hides messages")
	}
}
