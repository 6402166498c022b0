package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestHashOfFlags checks that the hash depends on the values of all flags that affect the output,
// also repeated ones, and on no others.
func TestHashOfFlags(t *testing.T) {
	hash := func(args ...string) string {
		cmd := newBatch(&app{env: func(string) string { return "" }})
		if err := cmd.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		return hashFlags(cmd.Flags(), withoutEffect())
	}
	plain := hash()
	seen := map[string][]string{plain: nil}
	for _, args := range [][]string{
		{"--target", "30%"}, {"--pin", "a"}, {"--pin", "b"}, {"--pin", "a", "--pin", "b"}, {"--strategy", "mask"},
		{"--cap", "Bash=5"}, {"--keep-first", "3"}, {"--stash", "x"}, {"-w"}, {"--tokenizer", "bytes4"}, {"--strict"},
	} {
		h := hash(args...)
		if other, taken := seen[h]; taken {
			t.Errorf("%v and %v have the same hash", args, other)
		}
		seen[h] = args
	}
	for name := range withoutEffect() {
		if newBatch(&app{}).Flags().Lookup(name) == nil && name != "help" {
			t.Errorf("there is no flag --%s", name)
		}
	}
	if got := hash("-j", "3", "-q", "--manifest", "x", "-v", "--shard", "1/2", "--resume"); got != plain {
		t.Error("flags without effect on the output change the hash")
	}
	var list []string
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.Var(&repeated[string]{to: &list, parse: func(s string) (string, error) { return s, nil }}, "x", "")
	if err := fs.Parse([]string{"--x", "1", "--x", "2"}); err != nil || fs.Lookup("x").Value.String() != "1, 2" || !reflect.DeepEqual(list, []string{"1", "2"}) {
		t.Errorf("%v, %v, %q", err, list, fs.Lookup("x").Value)
	}
}

// folderOf writes copies of a session into a new folder, and returns the folder.
func folderOf(t *testing.T, copies int) string {
	t.Helper()
	data, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i := range copies {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.json", i)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBatchTaken checks that outputs which exist already are reported once, and in one note with the
// way out.
func TestBatchTaken(t *testing.T) {
	dir, to := folderOf(t, 6), t.TempDir()
	if _, printed, code := run(nil, "batch", "-q", "-t", "50%", "-o", to, dir); code != exitOK {
		t.Fatal(printed)
	}
	_, printed, code := run(nil, "batch", "-t", "30%", "-o", to, dir)
	if code != exitOutput || strings.Count(printed, "exists with other bytes") != 1 ||
		!strings.Contains(printed, "6 outputs exist with other bytes, and were not overwritten: use --force, or another --out-dir; --manifest FILE --resume skips what an earlier run with that manifest has done\n") {
		t.Errorf("exit code %d:\n%s", code, printed)
	}
	if _, printed, _ := run(nil, "batch", "-v", "-t", "30%", "-o", to, dir); strings.Count(printed, "exists with other bytes") != 6 {
		t.Errorf("with -v:\n%s", printed)
	}
}

// TestBatchUnchanged checks that files which did not change have a reason, each and together.
func TestBatchUnchanged(t *testing.T) {
	_, printed, code := run(nil, "batch", "-n", "--window", "200k", folderOf(t, 3))
	if code != exitOK || strings.Count(printed, "s1.json: 3,510 tokens are within") != 1 || !strings.Contains(printed, "\n3 files unchanged, such as ") {
		t.Errorf("exit code %d:\n%s", code, printed)
	}
	var b reasons
	for i, reason := range []string{"5 tokens are few", "no messages", "6 tokens are few", "1 of 2", "odd", "no messages", "no messages"} {
		b.add(fmt.Sprint(9-i), reason)
	}
	want := []string{"3 files unchanged, such as 3: no messages", "2 files unchanged, such as 7: 6 tokens are few", "1 file unchanged: 1 of 2", "unchanged for 1 more reason: -v lists them"}
	if got := b.notes("unchanged"); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestBatchMaxCost checks that a dry run of a batch says of which files a model would not be asked, and why.
func TestBatchMaxCost(t *testing.T) {
	dir := folderOf(t, 3)
	args := []string{"batch", "-n", "-s", "summarize", "--llm", "--llm-model", "gpt-4o", "-t", "20%", dir}
	_, printed, code := run(nil, append(args, "--max-cost", "0.0001")...)
	if want := "\n3 files condensed without the model, such as " + filepath.Join(dir, "s0.json") + ": it would cost up to $0."; code != exitOK || !strings.Contains(printed, want) {
		t.Errorf("exit code %d, want %q in\n%s", code, want, printed)
	}
	if _, printed, code := run(nil, append(args, "--max-cost", "100")...); code != exitOK || strings.Contains(printed, "without the model") {
		t.Errorf("within the limit: exit code %d\n%s", code, printed)
	}
}
