package fact

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestIndexIsAMap checks that keys of all lengths, many of them repeated and some with
// the same first and last bytes, have the numbers that a map would assign.
func TestIndexIsAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x Index
	numbers := map[string]int{}
	check := func(key string) {
		want, known := numbers[key]
		if id, found := x.Find(key); found != known || found && id != want {
			t.Fatalf("%q is found as %d, %v, want %d, %v", key, id, found, want, known)
		}
		if !known {
			want = len(numbers)
			numbers[key] = want
		}
		if got := x.ID(key); got != want || x.hashes.count != len(numbers) {
			t.Fatalf("%q is number %d of %d, want %d of %d", key, got, x.hashes.count, want, len(numbers))
		}
	}
	check("")
	for range 20_000 {
		key := make([]byte, r.IntN(32))
		for i := range key {
			key[i] = "\x00ab"[r.IntN(3)]
		}
		check(string(key))
	}
	for i := range 20_000 {
		check(fmt.Sprintf("name_%d", i%5_000))
	}
}

// TestIndexReset checks that an Index has no keys after Reset, whether it was small or large.
func TestIndexReset(t *testing.T) {
	var x Index
	for _, n := range []int{0, 10, 100, 5000, 20_000, 10} {
		for i := range n {
			key := fmt.Sprint("key ", i)
			if _, found := x.Find(key); found {
				t.Fatalf("%q is found before it is added", key)
			}
			if id := x.ID(key); id != i {
				t.Fatalf("%q is number %d", key, id)
			}
		}
		x.Reset()
	}
}
