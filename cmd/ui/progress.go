package ui

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// A Progress shows the progress of work on many files: on a terminal in one line that is redrawn,
// elsewhere in a line for each file. Other output to the same screen must be written to it, so that
// it can remove its line first. It is safe for concurrent use.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	live  bool
	each  bool // set to write a line for each finished file
	steps bool // set for the steps of work on one file, which save no tokens
	now   func() time.Time
	began time.Time
	drawn time.Time
	shown bool // set while the line is on the screen

	files, done      int
	bytes, doneBytes int64
	saved            int      // tokens
	current          []string // files in work, oldest first
}

// redraw is the shortest time between two drawings of the line.
const redraw = 100 * time.Millisecond

// NewProgress returns the progress of work on files that have the given number of bytes together. If
// live is set, it draws the line, which needs a terminal. If each is set, every finished file has a
// line.
func NewProgress(w io.Writer, live, each bool, files int, bytes int64, now func() time.Time) *Progress {
	return &Progress{w: w, live: live, each: each, files: files, bytes: bytes, now: now, began: now()}
}

// NewStepProgress returns the progress of work on one file in steps of about the same length. Only
// the redrawn line shows it. A nil *Progress shows no steps.
func NewStepProgress(w io.Writer, live bool, steps int, now func() time.Time) *Progress {
	p := NewProgress(w, live, false, steps, int64(steps), now)
	p.steps = true
	return p
}

// Expect changes the number of steps.
func (p *Progress) Expect(steps int) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.files, p.bytes = steps, int64(steps)
	}
}

// Begin records that work on a file or step begins.
func (p *Progress) Begin(name string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = append(p.current, name)
	if n := p.done + len(p.current); p.steps && n > p.files { // more steps than were expected
		p.files, p.bytes = n, int64(n)
	}
	p.draw(false)
}

// Step records the end of a step.
func (p *Progress) Step(name string) {
	if p != nil {
		p.End(name, 1, report.Change{}, "", false)
	}
}

// End records that a file is done: its size, its tokens, and a line about it. The line is shown if
// every file has one, or if it matters. An empty line is not shown.
func (p *Progress) End(name string, size int64, tokens report.Change, line string, matters bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.current, name); i >= 0 {
		p.current = slices.Delete(p.current, i, i+1)
	}
	p.done++
	p.doneBytes += size
	p.saved += tokens.Before - tokens.After
	if line != "" && (p.each || matters) {
		p.clear()
		if p.each {
			line = fmt.Sprintf("[%d/%d] %s", p.done, p.files, line)
		}
		io.WriteString(p.w, escape.Line(line)+"\n")
	}
	p.draw(matters)
}

// Write writes one or more whole lines to the screen. It removes the progress line first.
func (p *Progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	return p.w.Write(text)
}

// Close removes the line from the screen for good.
func (p *Progress) Close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.live = false
}

// clear removes the line from the screen.
func (p *Progress) clear() {
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// draw draws the line. It skips drawings that follow the last one too soon, unless now is set.
func (p *Progress) draw(now bool) {
	at := p.now()
	if !p.live || !now && p.shown && at.Sub(p.drawn) < redraw {
		return
	}
	width := Width(p.w)
	if width < 2 {
		return
	}
	p.clear()
	io.WriteString(p.w, p.line(at.Sub(p.began), width-1)) // in the last column the cursor would wrap
	p.drawn, p.shown = at, true
}

// line returns the line after some time: done/total, rate, time left, saved tokens, and the file that
// is longest in work. It cuts a long file name at the front.
func (p *Progress) line(spent time.Duration, width int) string {
	words := []string{fmt.Sprintf("%d/%d", p.done, p.files)}
	if seconds := spent.Seconds(); p.done > 0 && seconds > 0 {
		words = append(words, rate(float64(p.done)/seconds))
		if p.doneBytes > 0 {
			words = append(words, "ETA "+clock(time.Duration(float64(spent)*float64(p.bytes-p.doneBytes)/float64(p.doneBytes))))
		}
	}
	if !p.steps {
		words = append(words, "saved "+short(p.saved))
	}
	line := strings.Join(words, "  ")
	if len(p.current) > 0 {
		name := escape.Line(p.current[0])
		room := width - ansi.StringWidth(line) - 2
		if room >= 8 {
			if over := ansi.StringWidth(name) - room; over > 0 {
				name = ansi.TruncateLeft(name, over+1, "…")
			}
			line += "  " + name
		}
	}
	return ansi.Truncate(line, width, "…")
}

// clock formats a duration as 4:05 or 1:02:03.
func clock(d time.Duration) string {
	s := int(max(0, d).Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// short formats a number of tokens in a few columns.
func short(n int) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1fG", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return transcript.Number(n)
}

// ItemLine returns a line about the outcome of one file.
func ItemLine(status, name string, tokens report.Change, why string) string {
	line := status + " " + name
	if why != "" {
		return line + ": " + why
	}
	if tokens.Before > 0 {
		line += ": " + content.Change(tokens) + " tokens"
		if tokens.Before != tokens.After {
			line += " (" + content.Percent(tokens) + ")"
		}
	}
	return line
}

// rate formats a speed in bytes a second.
func rate(perSecond float64) string {
	if perSecond >= 100 {
		return fmt.Sprintf("%.0f/s", perSecond)
	}
	return fmt.Sprintf("%.3g/s", perSecond)
}
