package ui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
)

// clocked returns a progress whose clock advances by a second with each call.
func clocked(to *bytes.Buffer, each bool) *Progress {
	at := time.Unix(0, 0)
	return NewProgress(to, false, each, 2000, 400, func() time.Time { at = at.Add(time.Second); return at })
}

func TestProgressLine(t *testing.T) {
	p := clocked(new(bytes.Buffer), false)
	if got := p.line(0, 79); got != "0/2000  saved 0" {
		t.Errorf("at the start: %q", got)
	}
	p.Begin("a/long/path/to/some/session.jsonl")
	p.Begin("another.json")
	p.End("first.json", 100, report.Change{Before: 1_300_000, After: 100_000}, "", false)
	for width, want := range map[int]string{
		10: "1/2000  0…",
		40: "1/2000  0.1/s  ETA 0:30  saved 1.2M",
		60: "1/2000  0.1/s  ETA 0:30  saved 1.2M  …/to/some/session.jsonl",
		80: "1/2000  0.1/s  ETA 0:30  saved 1.2M  a/long/path/to/some/session.jsonl",
	} {
		if got := p.line(10*time.Second, width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

// TestProgressLineFits checks that no name and no number makes the line wider than the terminal or
// acts on it.
func TestProgressLineFits(t *testing.T) {
	for _, name := range []string{nasty, "日本語/日本語/日本語", strings.Repeat("x", 500), "", "👩‍👩‍👧‍👦/family.json", "\t\n"} {
		p := clocked(new(bytes.Buffer), false)
		p.Begin(name)
		p.End("", 7, report.Change{Before: 2e9, After: 1}, "", false)
		for width := 1; width < 120; width++ {
			line := p.line(time.Hour, width)
			if got := ansi.StringWidth(line); got > width {
				t.Errorf("%q is %d columns, not %d", line, got, width)
			}
			safe(t, line, "")
		}
	}
}

// TestStepProgress checks that the line of steps shows no saved tokens.
func TestStepProgress(t *testing.T) {
	p := NewStepProgress(new(bytes.Buffer), false, 17, time.Now)
	p.Begin("hybrid to 50%")
	if got, want := p.line(0, 79), "0/17  hybrid to 50%"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Step("hybrid to 50%")
	p.Begin("mask")
	if got, want := p.line(2*time.Second, 79), "1/17  0.5/s  ETA 0:32  mask"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUnexpectedSteps checks the line if the number of steps changes, and that no progress shows nothing.
func TestUnexpectedSteps(t *testing.T) {
	p := NewStepProgress(new(bytes.Buffer), false, 1, time.Now)
	p.Begin("reading")
	p.Expect(3)
	p.Step("reading")
	for _, name := range []string{"dedupe", "mask", "truncate"} {
		p.Begin(name)
		p.Step(name)
	}
	p.Begin("counting")
	if got, want := p.line(0, 79), "4/5  counting"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var none *Progress
	none.Begin("reading")
	none.Expect(3)
	none.Step("reading")
	none.Close()
}

func TestProgressInAPipe(t *testing.T) {
	var out bytes.Buffer
	p := clocked(&out, true)
	p.Begin("a.json")
	p.End("a.json", 5, report.Change{Before: 10, After: 5}, ItemLine("condensed", "a.json", report.Change{Before: 10, After: 5}, ""), false)
	p.Begin("b.json")
	p.End("b.json", 5, report.Change{}, ItemLine("failed", "b\x1b.json", report.Change{}, "gone\nfor good"), true)
	p.Close()
	want := "[1/2000] condensed a.json: 10 → 5 tokens (−50.0 %)\n[2/2000] failed b\\x1b.json: gone\\nfor good\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	p = clocked(&out, false)
	p.End("a.json", 5, report.Change{}, "condensed", false)
	p.End("b.json", 5, report.Change{}, "failed", true)
	if out.String() != "failed\n" {
		t.Errorf("got %q", out.String())
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 0: "0:00", 59 * time.Second: "0:59", time.Hour - time.Second: "59:59", time.Hour: "1:00:00", 100 * time.Hour: "100:00:00",
	} {
		if got := clock(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}
