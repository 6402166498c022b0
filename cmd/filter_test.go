package cmd

import (
	"context"
	"errors"
	"strings"
	"testing"

	"condense/cmd/batch"
)

// TestFilterReadInterrupted checks that read returns an error if it is interrupted while it waits to
// send a record. Without one, the stream would seem to have ended, and the exit code would be 0.
func TestFilterReadInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	f := &filter{o: &filterOptions{workers: 1}, ahead: batch.NewRoom(bytesAhead), in: strings.NewReader("{}\n{}\n"), end: '\n'}
	if err := f.read(ctx, make(chan *record), make(chan []*record)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want an error for the interrupt", err)
	}
}
