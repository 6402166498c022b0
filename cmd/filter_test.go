package cmd

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A reader that is interrupted while it waits to hand on a record says so: without an error, the
// stream would seem to be at its end, and the exit code would be 0.
func TestFilterReadInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	f := &filter{a: &app{in: strings.NewReader("{}\n{}\n")}, end: '\n'}
	if err := f.read(ctx, make(chan *record)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was interrupted", err)
	}
}
