// Package picker lets a person choose one of several rows on a terminal: with the arrow keys, and by
// typing words that the row must have. It draws below the cursor and removes what it has drawn.
package picker

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// An Item is one row. Its texts must be safe for terminals.
type Item struct {
	Row    string // one line
	Search string // what typed words are searched in
}

// A Picker shows rows on a terminal.
type Picker struct {
	Title string
	Head  string // names of the columns of the rows; "" for none
	Items []Item
	Color bool

	// Preview returns a line about an item, which must be safe for terminals; nil for none. It
	// may be slow: it runs beside the picker, and its context ends when another item is chosen.
	Preview func(ctx context.Context, item int) string
}

// rest is the time that an item must be chosen before its preview is computed.
const rest = 200 * time.Millisecond

// Pick shows the rows until one is taken, and returns its index; ok is false if the person leaves.
// It reads keys from in and draws on out, which must be terminals. An error is one of the terminal,
// or that of ctx.
func (p *Picker) Pick(ctx context.Context, in, out *os.File) (item int, ok bool, err error) {
	old, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return 0, false, err
	}
	defer term.Restore(int(in.Fd()), old)
	drawn := &drawing{w: out}
	defer drawn.remove()

	keys := make(chan []byte)
	stop := make(chan struct{})
	defer close(stop)
	go readKeys(in, keys, stop)
	s := newScreen(p.Items)
	preview := &preview{of: p.Preview, lines: make(chan previewed, 1)}
	defer preview.end()
	for {
		preview.choose(ctx, s.chosen())
		width, height := size(out)
		if err := drawn.draw(p.lines(s, preview.text(s.chosen()), width, height)); err != nil {
			return 0, false, err
		}
		select {
		case <-ctx.Done():
			return 0, false, ctx.Err()
		case line := <-preview.lines:
			preview.done = line
		case typed, more := <-keys:
			for len(typed) > 0 && more {
				k, n := nextKey(typed)
				typed = typed[n:]
				switch s.press(k) {
				case taken:
					return s.chosen(), true, nil
				case left:
					return 0, false, nil
				}
			}
			if !more { // the terminal is gone
				return 0, false, nil
			}
		}
	}
}

// readKeys sends what is typed until stop is closed or in ends. It may wait for one more key.
func readKeys(in io.Reader, keys chan<- []byte, stop <-chan struct{}) {
	defer close(keys)
	for {
		buf := make([]byte, 256)
		n, err := in.Read(buf)
		if n > 0 {
			select {
			case keys <- buf[:n]:
			case <-stop:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Sizes of a terminal that does not report them, and the most rows that are shown at once.
const (
	defaultWidth  = 80
	defaultHeight = 24
	mostRows      = 15
	otherLines    = 5 // title, head, an empty line, preview, help
)

func size(out *os.File) (width, height int) {
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return defaultWidth, defaultHeight
	}
	return width, height
}

// Styles of lines, as escape codes.
const (
	reverse = "\x1b[7m"
	faint   = "\x1b[2m"
	plain   = "\x1b[0m"
)

// lines returns what is shown.
func (p *Picker) lines(s *screen, preview string, width, height int) []string {
	paint := func(code, text string) string {
		text = ansi.Truncate(text, width-1, "…")
		if !p.Color || text == "" {
			return text
		}
		return code + text + plain
	}
	out := []string{ansi.Truncate(fmt.Sprintf("%s: %s▏ %d of %d", p.Title, string(s.typed), len(s.found), len(s.items)), width-1, "…")}
	if p.Head != "" {
		out = append(out, paint(faint, "  "+p.Head))
	}
	from, to := s.window(max(1, min(mostRows, height-otherLines)))
	for k := from; k < to; k++ {
		row := s.items[s.found[k]].Row
		if k == s.at {
			out = append(out, paint(reverse, "> "+row))
		} else {
			out = append(out, paint("", "  "+row))
		}
	}
	if len(s.found) == 0 {
		out = append(out, paint(faint, "  no session has these words"))
	}
	out = append(out, "")
	if p.Preview != nil {
		out = append(out, paint("", preview))
	}
	return append(out, paint(faint, "↑ ↓ choose · type to filter · enter: take · esc: leave"))
}

// drawing is what was drawn on a terminal, with the cursor at its end.
type drawing struct {
	w     io.Writer
	lines int
}

// draw replaces the lines that were drawn before.
func (d *drawing) draw(lines []string) error {
	text := d.back() + "\x1b[?25l" + strings.Join(lines, "\r\n") // without a cursor
	d.lines = len(lines)
	_, err := io.WriteString(d.w, text)
	return err
}

// back returns the codes that move the cursor to the start, and clear what is drawn.
func (d *drawing) back() string {
	text := "\r"
	if d.lines > 1 {
		text += fmt.Sprintf("\x1b[%dA", d.lines-1)
	}
	return text + "\x1b[J"
}

// remove removes what is drawn, and shows the cursor.
func (d *drawing) remove() {
	io.WriteString(d.w, d.back()+"\x1b[?25h")
	d.lines = 0
}

// preview computes the preview of the chosen item.
type preview struct {
	of     func(context.Context, int) string
	lines  chan previewed
	item   int // that is computed; from 1, 0 for none
	cancel context.CancelFunc
	done   previewed
}

// previewed is the preview of an item, from 1; 0 for none.
type previewed struct {
	item int
	text string
}

// choose computes the preview of an item, from 0, unless it is computed already.
func (p *preview) choose(ctx context.Context, item int) {
	if p.of == nil || item+1 == p.item {
		return
	}
	p.end()
	p.item = item + 1
	if item < 0 {
		return
	}
	ctx, p.cancel = context.WithCancel(ctx)
	go func() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
		text := p.of(ctx, item)
		select {
		case p.lines <- previewed{item + 1, text}:
		case <-ctx.Done():
		}
	}()
}

// text returns the preview of an item, from 0, or that it is not known yet.
func (p *preview) text(item int) string {
	switch {
	case item < 0:
		return ""
	case p.done.item != item+1:
		return "…"
	}
	return p.done.text
}

// end stops the computation.
func (p *preview) end() {
	if p.cancel != nil {
		p.cancel()
	}
}
