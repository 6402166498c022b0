package cmd

import (
	"reflect"
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
