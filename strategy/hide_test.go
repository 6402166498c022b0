package strategy_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
)

// TestTagPromises checks that hiding messages by tags saves tokens, that the count is
// right, and that removing the markers restores the file byte for byte.
func TestTagPromises(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	hid := 0
	for _, path := range sources(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := format.Decode(src, "")
		if err != nil || file.Dialect.Name != "cline" {
			continue
		}
		var unknown *format.UnsupportedError
		if _, err := file.With(format.Options{Tag: true}); errors.As(err, &unknown) {
			continue // saved by Cline
		}
		file, _, err = file.Prepare(everyOf(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []strategy.Options{
			{Hide: true}, {Hide: true, Target: strategy.Target{Share: 0.1}}, {Hide: true, UnpinUser: true, TruncateOptions: strategy.TruncateOptions{Fraction: 0.5}},
		} {
			t.Run(filepath.Base(path), func(t *testing.T) { hid += tagAndBack(t, file, o, counter) })
		}
	}
	if hid == 0 {
		t.Error("no message was hidden in any file")
	}
}

// tagAndBack hides messages by the options, checks the output, removes the markers again,
// and returns their number.
func tagAndBack(t *testing.T, file *format.File, o strategy.Options, counter *token.Counter) (markers int) {
	src, err := file.Bytes(file.Convs)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = file.With(format.Options{Tag: true}); err != nil {
		t.Fatal(err)
	}
	var decided []*transcript.Conversation
	var results []*strategy.Result
	for _, c := range file.Convs {
		r, err := strategy.Run(t.Context(), c, []*strategy.Strategy{&strategy.Truncate}, &o, strategy.Env{Tokens: counter.Block})
		if err != nil {
			t.Fatal(err)
		}
		decided, results = append(decided, r.Conv), append(results, r)
	}
	out, err := file.Bytes(decided)
	if err != nil {
		t.Fatal(err)
	}
	again, err := file.Verify(decided, out)
	if err != nil {
		t.Fatal(err)
	}
	without := make([]*transcript.Conversation, len(again.Convs))
	for i, c := range again.Convs {
		after, _ := breakdown.Measure(c, counter.Block)
		if changed := len(results[i].Stages[0].Edits) > 0; after != results[i].After || changed && after >= results[i].Before {
			t.Errorf("%d tokens after %d, but the result reports %d", after, results[i].Before, results[i].After)
		}
		if added := rules.New(results[i].Faults, rules.Check(c)); len(added) > 0 {
			t.Errorf("new faults: %v", added)
		}
		var drops []transcript.Edit
		for _, m := range c.Messages {
			if m.Hides && !wasThere(file.Convs[i], m) {
				drops = append(drops, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop})
			}
		}
		markers += len(drops)
		if without[i], err = c.Apply(drops); err != nil {
			t.Fatal(err)
		}
	}
	back, err := again.Bytes(without)
	if err != nil {
		t.Fatal(err)
	}
	rewound, err := format.Decode(back, "cline")
	if err != nil {
		t.Fatal(err)
	}
	if rewound, _, err = rewound.Prepare(everyOf(rewound)); err != nil {
		t.Fatal(err)
	}
	if back, err = rewound.Bytes(rewound.Convs); err != nil || !bytes.Equal(back, src) {
		t.Errorf("without its markers the task differs from the original (%v): %s", err, firstDifference(src, back))
	}
	return markers
}

// everyOf selects all conversations of a file.
func everyOf(f *format.File) []bool {
	return slices.Repeat([]bool{true}, len(f.Convs))
}

// wasThere reports whether a conversation has such a marker.
func wasThere(c *transcript.Conversation, marker *transcript.Message) bool {
	for _, m := range c.Messages {
		if m.Hides && m.Time().Equal(marker.Time()) && m.Blocks[0].Text() == marker.Blocks[0].Text() {
			return true
		}
	}
	return false
}
