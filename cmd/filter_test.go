package cmd

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

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

// TestFilterTogether checks that workers take more and more short records at a time, each once and in
// order, and that those that wait are handed over when the stream breaks off.
func TestFilterTogether(t *testing.T) {
	const records = 600
	broken := iotest.ErrReader(errors.New("broken"))
	f := &filter{o: &filterOptions{workers: 2, run: newRunOptions()}, ahead: batch.NewRoom(bytesAhead), end: '\n'}
	f.in = io.MultiReader(strings.NewReader(strings.Repeat("{}\n", records)+"{"), broken)
	queue, todo := make(chan *record, records+1), make(chan []*record, records+1)
	if err := f.read(t.Context(), queue, todo); err == nil {
		t.Error("the end of a broken stream is no error")
	}
	close(todo)
	number, most := 0, 0
	for list := range todo {
		if len(list) > 1 && number < slowStart {
			t.Errorf("record %d is one of %d for one worker, while others may have none", number+1, len(list))
		}
		most = max(most, len(list))
		for _, r := range list {
			if number++; r.number != number {
				t.Fatalf("record %d is at place %d", r.number, number)
			}
		}
	}
	if number != records || len(queue) != records || most != mostTogether {
		t.Errorf("%d and %d of %d records, at most %d at a time", number, len(queue), records, most)
	}
	f.o.run.use = true
	if n := f.together(records); n != 1 {
		t.Errorf("%d records at a time, for which a model is asked one after the other", n)
	}
}

// TestFilterCores checks that a stream runs on no more cores than it has workers, and that the program has its
// cores again afterwards.
func TestFilterCores(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	cores := 0
	f := &filter{a: &app{}, o: &filterOptions{workers: 1, run: newRunOptions()}, end: '\n'}
	f.in = readerFunc(func([]byte) (int, error) {
		cores = runtime.GOMAXPROCS(0)
		return 0, io.EOF
	})
	if err := f.stream(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	if after := runtime.GOMAXPROCS(0); cores != 1 || after != before {
		t.Errorf("%d cores for one worker, and %d of %d afterwards", cores, after, before)
	}
}

// readerFunc is a function that is a reader.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
