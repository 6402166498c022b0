package picker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"condense/cmd/terminaltest"
)

// TestPick takes and leaves on a terminal: which row is taken, and that what is drawn has its size.
func TestPick(t *testing.T) {
	type result struct {
		item int
		ok   bool
		err  error
	}
	for _, tt := range []struct {
		name string
		keys []string // each is typed when the lines are drawn again after the last
		stop bool
		want result
	}{
		{"the third", []string{"\x1b[B\x1b[B\r"}, false, result{2, true, nil}},
		{"the third, one row after the other", []string{"\x1b[B", "\x1b[B", "\r"}, false, result{2, true, nil}},
		{"by its words", []string{"apri\r"}, false, result{3, true, nil}},
		{"leave", []string{"\x1b"}, false, result{}},
		{"interrupted", nil, true, result{err: context.Canceled}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tty := terminaltest.New(t, 40, 7) // room for two rows
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			done := make(chan result)
			go func() {
				p := &Picker{Title: "Fruit", Items: fruits(), Preview: func(_ context.Context, item int) string { return fmt.Sprint("about ", item) }}
				item, ok, err := p.Pick(ctx, tty.Program, tty.Program)
				done <- result{item, ok, err}
			}()
			tty.Await(t, "Fruit: ▏ 4 of 4\r\n> apple\r\n  banana\r\n\r\n…\r\n")
			tty.Await(t, "about 0")
			if tt.stop {
				stop()
			}
			for i, keys := range tt.keys {
				if i > 0 {
					tty.Await(t, "Fruit: ")
				}
				tty.Type(t, keys)
			}
			if got := <-done; got.item != tt.want.item || got.ok != tt.want.ok || !errors.Is(got.err, tt.want.err) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			tty.Await(t, "\x1b[J\x1b[?25h")
		})
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, ok, err := (&Picker{}).Pick(t.Context(), file, file); ok || err == nil {
		t.Errorf("what is no terminal: %v, %v", ok, err)
	}
}
