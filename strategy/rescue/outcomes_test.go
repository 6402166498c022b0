package rescue

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks what is left of each fixture: bytes, and a checksum of the output and of what the rescue
// says about itself. A change of a rule shows in testdata/outcomes.txt by the fixtures that it concerns, and
// -update rewrites it.
func TestOutcomes(t *testing.T) {
	settings := []struct {
		name string
		set  func(o *Options, size int)
	}{
		{"plain", func(*Options, int) {}},
		{"window", func(o *Options, _ int) { o.Window = 1500 }},
		{"smallest", func(o *Options, _ int) { o.Window = 1 }},
		{"wide", func(o *Options, _ int) { o.Window, o.DropHidden, o.DropSnapshots = 1_000_000, true, true }},
		{"images", func(o *Options, _ int) { o.Window, o.Images = 900_000, strategy.Images{Limited: true} }},
		{"bytes", func(o *Options, size int) { o.MaxBytes, o.Window = 3*size/4, 3000 }},
		{"target", func(o *Options, _ int) { o.Target, o.DropSnapshots = strategy.Target{Share: .4}, true }},
		{"few", func(o *Options, _ int) { o.Trigger.MinMessages, o.DropHidden = 1000, true }},
	}
	rows := [][]string{{"fixture"}}
	for _, s := range settings {
		rows[0] = append(rows[0], s.name)
	}
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		f, err := format.Decode(src, "")
		if err != nil || len(src) > 60_000 {
			continue
		}
		row := []string{name}
		for _, s := range settings {
			o := Options{Options: condense.Defaults()}
			o.Tokens = func(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 }
			s.set(&o, len(src))
			out, err := Run(t.Context(), f, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, s.name, err)
			}
			row = append(row, fmt.Sprintf("%d:%s", len(out.Out), transcripttest.Sum(string(out.Out), fmt.Sprint(out.Trimmed, out.Shrunk, out.Before, out.After, out.Notes, out.Changed))))
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, "testdata/outcomes.txt", *update, rows)
}

// TestInvalid checks that options with an invalid value are an error, and that the error of the context is
// returned.
func TestInvalid(t *testing.T) {
	var s session
	s.turn(1, 3, 2, "")
	f, err := format.Decode([]byte(s.String()), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func(*Options){
		"KeepFirst": func(o *Options) { o.KeepFirst = -1 },
		"MaxBytes":  func(o *Options) { o.MaxBytes, o.KeepLast = 10, -1 },
	} {
		o := Options{Options: condense.Defaults()}
		set(&o)
		if out, err := Run(t.Context(), f, o); out != nil || err == nil || !strings.Contains(err.Error(), "takes a number") {
			t.Errorf("%s: got %v, %v", name, out, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, err := Run(ctx, f, Options{Options: condense.Defaults()}); out != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("without time: got %v, %v", out, err)
	}
}
