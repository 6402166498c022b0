package format

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// TestRepairSessions checks that a repair by the rules of the format and of every profile ends, is
// idempotent, breaks nothing and keeps typed text.
func TestRepairSessions(t *testing.T) {
	for path, src := range fixtures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			checkRepair(t, src, nil)
			for _, p := range rules.Profiles {
				checkRepair(t, src, p)
			}
		})
	}
}

// TestCorpusRepair is TestRepairSessions for real conversations.
func TestCorpusRepair(t *testing.T) {
	if testing.Short() {
		t.Skip("several seconds")
	}
	for _, path := range corpusFiles(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			checkRepair(t, src, nil)
		})
	}
}

// FuzzRepair checks that no input makes rules or repairs panic or break a promise.
func FuzzRepair(f *testing.F) {
	for _, src := range fixtures(f) {
		if len(src) < 8<<10 {
			f.Add(src, uint8(0))
		}
	}
	for i, x := range lintFixtures() {
		f.Add([]byte(x.src), uint8(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, profile uint8) {
		if len(src) > 32<<10 {
			t.Skip()
		}
		if _, err := Decode(src, ""); err == nil {
			checkRepair(t, src, rules.Profiles[int(profile)%len(rules.Profiles)])
			checkRepair(t, src, nil)
		}
	})
}

// checkRepair repairs a source by the rules of p, nil for those of its format.
func checkRepair(t *testing.T, src []byte, p *rules.Profile) {
	t.Helper()
	f, err := Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		p = f.Dialect.Target()
	}
	found := f.Check(p)
	for _, x := range found {
		if r := p.Rule(x.Rule); r == nil || r.Severity != x.Severity || x.Message == "" || x.Offset > len(src) {
			t.Fatalf("%s: a finding that is none: %+v", p.Name, x)
		}
	}
	r, err := f.Repair(p)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	if len(r.Mended) == 0 != bytes.Equal(r.Out, src) {
		t.Fatalf("%s: %d mended, but changed: %t", p.Name, len(r.Mended), !bytes.Equal(r.Out, src))
	}
	if len(found) == 0 && len(r.Mended) > 0 {
		t.Errorf("%s: nothing was wrong, but mended: %v", p.Name, r.Mended)
	}
	if inJSON(src) && !inJSON(r.Out) {
		t.Errorf("%s: not JSON any more", p.Name)
	}
	again, err := r.File.Repair(p)
	if err != nil || len(again.Mended) > 0 {
		t.Errorf("%s: a second repair: %v, %v", p.Name, again, err)
	}
	for i, c := range f.Convs {
		if was, is := typed(c), typed(r.File.Convs[i]); len(r.File.Convs) == len(f.Convs) && !strings.Contains(is, was) {
			t.Errorf("%s: lost what was typed: %s", p.Name, difference(was, is))
		}
	}
}

// inJSON reports whether a source is JSON, or every line of it is.
func inJSON(src []byte) bool {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if json.Valid(src) {
		return true
	}
	for line := range bytes.Lines(src) {
		if len(bytes.TrimSpace(line)) > 0 && !json.Valid(line) {
			return false
		}
	}
	return true
}

// typed returns the typed texts, joined without white space.
func typed(c *transcript.Conversation) string {
	var s strings.Builder
	for _, b := range c.Blocks() {
		if b.Kind == transcript.Text && b.Origin == transcript.Typed {
			writeWithoutSpace(&s, b.Text())
		}
	}
	return s.String()
}

// TestRepairClaudeCode checks that an invented result is linked into the chain, between its call and
// the record after it.
func TestRepairClaudeCode(t *testing.T) {
	call := sessionLine("assistant", "u2", "u1", `[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"cat","input":{}}]`)
	f := decoded(t, sessionLine("user", "u1", "", `"q"`)+call+sessionLine("user", "u3", "u2", `"and?"`))
	r, err := f.Repair(&rules.ClaudeCode)
	if err != nil {
		t.Fatal(err)
	}
	if left := r.File.Check(&rules.ClaudeCode); len(left) > 0 || len(r.Mended) != 2 {
		t.Errorf("mended %v, left %v", r.Mended, left)
	}
	c := r.File.layouts[0].Chain
	if n := c.Nodes; len(n) != 5 || n[2].Parent != "u2" || n[3].Parent != n[2].ID || n[4].Parent != n[3].ID || n[4].ID != "u3" {
		t.Errorf("chain %+v\n%s", c.Nodes, r.Out)
	}
	if n := len(r.File.Convs[0].Messages); visibleCount(r.File.Convs[0]) != n {
		t.Errorf("hidden messages among %d\n%s", n, r.Out)
	}
}

// TestRepairPlaces checks that a correction is reported at its place in the source.
func TestRepairPlaces(t *testing.T) {
	a := sessionLine("assistant", "u2", "u1", `[{"type":"text","text":"a"}]`)
	src := sessionLine("user", "u1", "", `"q"`) + a + a + sessionLine("user", "u3", "u2", `[{"type":"text","text":""},{"type":"text","text":"r"}]`)
	r, err := decoded(t, src).Repair(&rules.ClaudeCode)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, m := range r.Mended {
		lines = append(lines, m.Line)
	}
	if !slices.Equal(lines, []int{3, 4}) {
		t.Errorf("lines %v: %v", lines, r.Mended)
	}
}

func TestSpanSet(t *testing.T) {
	var taken spanSet
	for _, s := range []rawjson.Span{{Start: 10, End: 20}, {Start: 2, End: 2}, {Start: 30, End: 31}, {Start: 24, End: 26}} {
		taken.add(s)
	}
	if !slices.IsSortedFunc(taken, func(a, b rawjson.Span) int { return a.Start - b.Start }) {
		t.Errorf("not in order: %v", taken)
	}
	for _, tt := range []struct {
		from, to int
		want     bool
	}{
		{0, 1, false}, {0, 2, true}, {2, 3, true}, {3, 9, false}, {3, 10, true}, {12, 13, true}, {0, 40, true},
		{20, 20, true}, {21, 23, false}, {21, 24, true}, {26, 27, true}, {27, 29, false}, {31, 40, true}, {32, 40, false},
	} {
		if got := taken.touch(rawjson.Edit{Span: rawjson.Span{Start: tt.from, End: tt.to}}); got != tt.want {
			t.Errorf("[%d,%d) touches: %v", tt.from, tt.to, got)
		}
	}
}
