package stash

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDelta(t *testing.T) {
	letters := strings.Repeat("abcdefghijklmnopqrstuvwxyz", 40)
	tests := []struct {
		name, base, target string
		extra              int // limit of the extra bytes
	}{
		{"both empty", "", "", 0},
		{"nothing left", "", "all of it", 9},
		{"nothing before", "all of it", "", 0},
		{"the same", letters, letters, 0},
		{"a cut in the middle", letters + "[cut]" + letters, letters + "what goes" + letters, 9},
		{"short runs", "a0b0c0d0", "0123456789", 10},
		{"another order", strings.Repeat("x", 60) + strings.Repeat("y", 60), strings.Repeat("y", 60) + strings.Repeat("x", 60), 8},
		{"again and again", letters[:60], strings.Repeat(letters[:60], 9), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDelta([]byte(tt.base), []byte(tt.target))
			got, err := d.apply([]byte(tt.base), len(tt.target))
			if err != nil || string(got) != tt.target {
				t.Fatalf("got %q, %v", got, err)
			}
			if len(d.extra) > tt.extra {
				t.Errorf("stores %q, want at most %d bytes", d.extra, tt.extra)
			}
		})
	}
}

// TestLongestNearExpected checks that of equal runs the expected one is copied, or the first after it.
func TestLongestNearExpected(t *testing.T) {
	run := []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/")
	ix := newIndex(bytes.Repeat(run, 9))
	for expected, want := range map[int]int{0: 0, 128: 128, 129: 192, 500: 512} {
		if place, n := ix.longest(run, hash(run), expected); place != want || n != len(run) {
			t.Errorf("%d: %d bytes at %d, want them at %d", expected, n, place, want)
		}
	}
}

// TestDeltaOfCuts checks that a delta stores only the removed bytes and a few bytes for each cut.
func TestDeltaOfCuts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	line := func() []byte {
		b := make([]byte, 60+random.IntN(80))
		for i := range b {
			b[i] = byte(' ' + random.IntN(90))
		}
		return append([]byte(`{"type":"assistant","message":"`), append(b, "\"}\n"...)...)
	}
	var base, target []byte
	cuts, removed := 0, 0
	for range 2000 {
		l := line()
		target = append(target, l...)
		if random.IntN(3) > 0 {
			base = append(base, l...)
		} else {
			base = append(base, "[omitted]"...)
			cuts, removed = cuts+1, removed+len(l)
		}
	}
	d := newDelta(base, target)
	if got, err := d.apply(base, len(target)); err != nil || !bytes.Equal(got, target) {
		t.Fatal("apply does not return the target", err)
	}
	if len(d.extra) > removed {
		t.Errorf("stores %d bytes for %d removed ones", len(d.extra), removed)
	}
	if len(d.ops) > 12*cuts {
		t.Errorf("%d bytes of ops for %d cuts", len(d.ops), cuts)
	}
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte("a beginning that stays, [cut] and an end that does"), []byte("a beginning that stays, what goes, and an end that does"))
	f.Add([]byte(strings.Repeat("0", 99)), []byte(strings.Repeat("0", 500)))
	f.Fuzz(func(t *testing.T, base, target []byte) {
		got, err := newDelta(base, target).apply(base, len(target))
		if err != nil || !bytes.Equal(got, target) {
			t.Fatalf("%q became %q, %v", target, got, err)
		}
	})
}

// FuzzApply checks that applying any bytes returns an error or a target of the right size.
func FuzzApply(f *testing.F) {
	d := newDelta([]byte(strings.Repeat("0123456789", 9)), []byte(strings.Repeat("9876543210", 9)))
	f.Add([]byte(strings.Repeat("0123456789", 9)), d.ops, d.extra, 90)
	f.Add([]byte{}, []byte{0xff, 0xff, 0xff}, []byte{}, 3)
	f.Fuzz(func(t *testing.T, base, ops, extra []byte, size int) {
		if size < 0 || size > 1<<20 {
			return
		}
		got, err := delta{ops, extra}.apply(base, size)
		if err == nil && len(got) != size {
			t.Fatalf("%d bytes, want %d", len(got), size)
		}
	})
}
