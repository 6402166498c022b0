package picker

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// fruits are the items of the tests.
func fruits() []Item {
	var items []Item
	for _, name := range strings.Fields("apple banana cherry apricot") {
		items = append(items, Item{Row: name, Search: name + " fruit"})
	}
	return items
}

// TestKeys types keys, as terminals send them, and checks which row is taken.
func TestKeys(t *testing.T) {
	for _, tt := range []struct{ name, typed, want string }{
		{"the first", "\r", "apple"},
		{"arrows", "\x1b[B\x1b[B\x1b[A\r", "banana"},
		{"arrows of the other kind", "\x1bOB\x1bOB\r", "cherry"},
		{"control keys", "\x0e\x0e\x10\n", "banana"},
		{"past the end", "\x1b[6~\x1b[B\r", "apricot"},
		{"past the start", "\x1b[F\x1b[5~\x1b[A\r", "apple"},
		{"home and end", "\x1b[4~\x1b[1~\r", "apple"},
		{"words", "ap\x1b[B\r", "apricot"},
		{"words in any case and order", "FRUIT Ban\r", "banana"},
		{"words are erased", "chex\x7f\r", "cherry"},
		{"words are cleared", "xyz\x15\r", "apple"},
		{"no such row", "xyz\r\x7f\x7f\x7f\x1b[B\r", "banana"},
		{"leave", "\x1b[B\x1b", ""},
		{"control C", "ap\x03", ""},
		{"unknown keys", "\x1b[1;5C\x1b[24~\x1bx\x01\x1b[\r", ""},
		{"unknown keys choose and type nothing", "\x1b[1;5C\x1b[24~\x1bx\x1b[B\r", "banana"},
		{"function keys of the other kind", "\x1bOP\x1b[B\r", "banana"},
		{"no text", "\xff\x1b[B\r", "banana"},
		{"letters of all scripts", "ä\x7f\r", "apple"},
	} {
		s, got, typed := newScreen(fruits()), "", []byte(tt.typed)
		for len(typed) > 0 {
			k, n := nextKey(typed)
			typed = typed[n:]
			if o := s.press(k); o == taken {
				got = s.items[s.chosen()].Row
				break
			} else if o == left {
				break
			}
		}
		if got != tt.want {
			t.Errorf("%s: took %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLines checks that all lines fit a terminal of any size, that the chosen row is among them, and that it is cut
// only where the terminal ends.
func TestLines(t *testing.T) {
	var items []Item
	for i := range 40 {
		items = append(items, Item{Row: strings.Repeat(string(rune('a'+i%26)), 100)})
	}
	for _, color := range []bool{false, true} {
		for width := 2; width < 120; width += 7 {
			for height := 1; height < 40; height++ {
				p, s := &Picker{Title: "Sessions", Head: "names", Items: items, Color: color}, newScreen(items)
				for range 3 {
					s.press(keyPageDown)
					lines := p.lines(s, "", width, height)
					chosen := 0
					for _, line := range lines {
						if ansi.StringWidth(line) >= width {
							t.Fatalf("%d columns: %q", width, line)
						}
						if strings.HasPrefix(ansi.Strip(line), ">") {
							chosen++
							if got, want := ansi.StringWidth(line), min(width-1, len("> ")+100); got != want {
								t.Fatalf("%d columns: a row has %d, want %d", width, got, want)
							}
						}
					}
					if chosen != 1 && width > 2 || len(lines) > max(height, otherLines) {
						t.Fatalf("%d rows: %d lines, %d are chosen", height, len(lines), chosen)
					}
				}
			}
		}
	}
}

// TestHead checks that the names of the columns stand above the rows, if there are any.
func TestHead(t *testing.T) {
	items := fruits()[:2]
	for head, want := range map[string][]string{
		"name": {"Fruit: ▏ 2 of 2", "  name", "> apple", "  banana", "", "↑ ↓ choose · type to filter · enter: take · esc: leave"},
		"":     {"Fruit: ▏ 2 of 2", "> apple", "  banana", "", "↑ ↓ choose · type to filter · enter: take · esc: leave"},
	} {
		p := &Picker{Title: "Fruit", Head: head, Items: items}
		if got := p.lines(newScreen(items), "", 80, 24); !slices.Equal(got, want) {
			t.Errorf("with the head %q: %q", head, got)
		}
	}
}

// TestDrawing checks that lines replace those that were drawn before, and that nothing is left at the end:
// the cursor goes up to the first line, and is shown again.
func TestDrawing(t *testing.T) {
	var b strings.Builder
	d := &drawing{w: &b}
	for _, tt := range []struct {
		lines []string // none: all are removed
		want  string
	}{
		{[]string{"a", "b", "c"}, "\r\x1b[J\x1b[?25la\r\nb\r\nc"},
		{[]string{"d"}, "\r\x1b[2A\x1b[J\x1b[?25ld"},
		{[]string{"e", "f"}, "\r\x1b[J\x1b[?25le\r\nf"},
		{nil, "\r\x1b[1A\x1b[J\x1b[?25h"},
		{nil, "\r\x1b[J\x1b[?25h"},
	} {
		b.Reset()
		if len(tt.lines) == 0 {
			d.remove()
		} else if err := d.draw(tt.lines); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%q: wrote %q, want %q", tt.lines, b.String(), tt.want)
		}
	}
	in, out := io.Pipe()
	in.CloseWithError(errors.New("gone"))
	if err := (&drawing{w: out}).draw([]string{"a"}); err == nil {
		t.Error("an output that takes nothing is no error")
	}
}

// TestReadKeys checks that all that is typed arrives, and that the channel is closed at the end of the input.
func TestReadKeys(t *testing.T) {
	for name, in := range map[string]io.Reader{
		"the end comes with the last key": iotest.DataErrReader(iotest.OneByteReader(strings.NewReader("abc"))),
		"the end comes alone":             iotest.OneByteReader(strings.NewReader("abc")),
	} {
		keys, got := make(chan []byte), ""
		go readKeys(in, keys, nil)
		for typed := range keys {
			if len(typed) == 0 {
				t.Errorf("%s: keys of no bytes", name)
			}
			got += string(typed)
		}
		if got != "abc" {
			t.Errorf("%s: read %q", name, got)
		}
	}
	stop, left := make(chan struct{}), make(chan []byte)
	close(stop)
	go readKeys(strings.NewReader("abc"), left, stop)
	if typed, more := <-left; more && string(typed) != "abc" { // either may come first
		t.Errorf("read %q", typed)
	}
}

// TestSize checks the size of what is no terminal.
func TestSize(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if width, height := size(f); width != defaultWidth || height != defaultHeight {
		t.Errorf("%d × %d", width, height)
	}
}

// TestPreview checks that a preview is computed once for an item that stays chosen, that it is not shown with
// another item, and that it ends when another is chosen.
func TestPreview(t *testing.T) {
	type asked struct {
		item int
		ctx  context.Context
	}
	calls := make(chan asked, 10)
	p := &preview{lines: make(chan previewed, 1), of: func(ctx context.Context, item int) string {
		calls <- asked{item, ctx}
		return "about " + string(rune('a'+item))
	}}
	p.end() // nothing is computed yet
	for range 3 {
		p.choose(t.Context(), 2)
	}
	if got := p.text(2); got != "…" {
		t.Errorf("before it is known: %q", got)
	}
	p.done = <-p.lines
	if got := p.text(2); got != "about c" {
		t.Errorf("got %q", got)
	}
	p.choose(t.Context(), 2) // it is known
	time.Sleep(rest + 50*time.Millisecond)
	if len(calls) != 1 {
		t.Errorf("a preview was computed %d times", len(calls))
	}
	if got, none := p.text(1), p.text(-1); got != "…" || none != "" {
		t.Errorf("another item: %q, no item: %q", got, none)
	}
	first := <-calls
	p.choose(t.Context(), 0)
	if first.item != 2 || first.ctx.Err() == nil {
		t.Errorf("the preview of item %d goes on: %v", first.item, first.ctx.Err())
	}
	p.done = <-p.lines
	second := <-calls
	p.choose(t.Context(), -1)
	if got := p.text(0); got != "about a" || second.item != 0 || second.ctx.Err() == nil {
		t.Errorf("%q, item %d, %v", got, second.item, second.ctx.Err())
	}
	p.choose(t.Context(), 1)
	p.choose(t.Context(), -1) // before it has begun
	time.Sleep(rest + 50*time.Millisecond)
	if len(calls) != 0 {
		t.Errorf("a preview was computed of an item that was chosen for a moment: %d", (<-calls).item)
	}
	none := &preview{}
	none.choose(t.Context(), 1)
	none.end()
}
