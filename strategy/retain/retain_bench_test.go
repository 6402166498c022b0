package retain

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// BenchmarkOf compares conversations of about 4 MB with condensed ones, for several
// shapes of results.
func BenchmarkOf(b *testing.B) {
	long := func(piece string) string {
		var s strings.Builder
		for i := 0; s.Len() < 4<<20; i++ {
			fmt.Fprintf(&s, piece, i%5000, i)
		}
		return s.String()
	}
	line := long(`{"name":"row_%d","value":%d},`)
	column := long("pkg/part%d/file_%d.go\n")
	prose := long("we never saw x_%d but always a_b%d ")
	var chat []*transcript.Message
	for i := range 40000 {
		chat = append(chat, user(fmt.Sprintf("please go on with step %d of the long list, and say what came of it", i)))
	}
	rounds := session(5000)
	for _, bb := range []struct {
		name          string
		before, after *transcript.Conversation
	}{
		{"copy", rounds, session(5000)},
		{"half", rounds, conv(rounds.Messages[len(rounds.Messages)/2:]...)},
		{"one line, cut", conv(result("1", line)), conv(result("1", line[100:]))},
		{"a column, cut", conv(model(column)), conv(model(column[100:]))},
		{"a sentence without end, cut", conv(user(prose)), conv(user(prose[100:]))},
		{"typed text in a summary", conv(chat...), conv(summary(long("please go on with %d, %d")))},
		{"names only", rounds, conv(model(names(rounds)))},
	} {
		b.Run(bb.name, func(b *testing.B) {
			n := 0
			for _, block := range bb.before.Blocks() {
				n += len(block.Text())
			}
			b.SetBytes(int64(n))
			for b.Loop() {
				Of(bb.before, bb.after)
			}
		})
	}
}
