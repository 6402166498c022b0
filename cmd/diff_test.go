package cmd

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

// TestDiffFindsTheEdits condenses every fixture and compares input and output. Although diff sees
// only the two files, it must find exactly the messages that the run changed.
func TestDiffFindsTheEdits(t *testing.T) {
	files, err := filepath.Glob("../testdata/sessions/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	counter, err := token.BuiltIn().Named("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := format.Decode(src, ""); err != nil || len(f.Convs) == 0 {
			continue
		}
		for _, list := range []string{"mask", "truncate", "smart-compress", "hybrid"} {
			o := newRunOptions()
			if err := o.pipeline.Set(list); err != nil {
				t.Fatal(err)
			}
			o.strategy.Target, o.strategy.KeepRounds = strategy.Target{Share: 0.4}, 1
			c, err := condenseSource(context.Background(), src, o, &counting{base: counter}, noEvents())
			if err != nil || !c.Changed {
				continue
			}
			again, err := format.Decode(c.Out, c.File.Dialect.Name)
			if err != nil {
				t.Fatal(err)
			}
			for i, conv := range c.Conversations {
				r := conv.Result
				compared++
				want, got := touched{}, touched{}
				done, _ := report.Edits(r, false, false)
				for _, e := range done {
					if e.Op != "insert" && e.Op != "untag" {
						want.add(e.Message, e.Op)
					}
				}
				for _, x := range survey.NewDiffers(c.File.Convs[i], again.Convs[i], counter).Changes {
					if x.Op != "insert" {
						got.add(x.Message, x.Op)
					}
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s, %s, conversation %d: diff and run disagree\nrun:  %v\ndiff: %v", path, list, i+1, without(want, got), without(got, want))
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d comparisons", compared)
	}
}

// touched maps each changed message to its change. (Blocks are not compared, because a reader may
// join a marker with the text beside it.)
type touched map[int]string

func (t touched) add(message int, op string) {
	if op != "drop" || t[message] == "changed" {
		op = "changed"
	}
	t[message] = op
}

// without lists the changes that only a has.
func without(a, b touched) (list []string) {
	for _, n := range slices.Sorted(maps.Keys(a)) {
		if a[n] != b[n] {
			list = append(list, fmt.Sprintf("%d %s", n, a[n]))
		}
	}
	return list
}
