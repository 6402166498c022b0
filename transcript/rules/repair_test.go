package rules

import (
	"slices"
	"testing"

	"condense/transcript"
)

func TestFacing(t *testing.T) {
	named := func(b *transcript.Block, tool string) *transcript.Block {
		b.Tool = tool
		return b
	}
	pair := func(call, block, result, at int) Pair {
		return Pair{transcript.Ref{Msg: call, Block: block, Part: transcript.Whole}, transcript.Ref{Msg: result, Block: at, Part: transcript.Whole}}
	}
	for _, tt := range []struct {
		name string
		conv conv
		want []Pair
	}{
		{"sound", conv{model(call("a")), user(result("a"))}, nil},
		{"one of each", conv{user(text("q")), model(text("hm"), call("a")), user(result("x"))}, []Pair{pair(1, 1, 2, 0)}},
		{"among others", conv{model(call("a"), call("b"), call("c")), user(result("c"), result("x"), result("a"))}, []Pair{pair(0, 1, 1, 1)}},
		{"an answer twice", conv{model(call("a"), call("b")), user(result("a"), result("a"))}, []Pair{pair(0, 1, 1, 1)}},
		{"in messages of their own", conv{model(call("a")), model(call("b")), user(result("a")), user(result("x"))}, []Pair{pair(1, 0, 3, 0)}},
		{"two runs", conv{model(call("a")), user(result("x")), model(call("b")), user(result("y"))}, []Pair{pair(0, 0, 1, 0), pair(2, 0, 3, 0)}},
		{"two calls", conv{model(call("a"), call("b")), user(result("x"))}, nil},
		{"two results", conv{model(call("a")), user(result("x"), result("y"))}, nil},
		{"a result in front", conv{user(result("x")), model(call("a"))}, nil},
		{"another turn between them", conv{model(call("a")), user(text("stop")), user(result("x"))}, nil},
		{"an answer between them", conv{model(call("a")), user(result("a")), model(text("done")), user(result("x"))}, nil},
		{"text beside the result", conv{model(call("a")), user(result("x"), text("and?"))}, []Pair{pair(0, 0, 1, 0)}},
		{"another tool", conv{model(call("a")), user(named(result("x"), "Bash"))}, nil},
		{"the same tool", conv{model(call("a")), user(named(result("x"), "Read"))}, []Pair{pair(0, 0, 1, 0)}},
		{"a made-up id", conv{model(call("a")), user(result(MadeUp + "1"))}, nil},
		{"no id", conv{model(call("a")), user(result(""))}, nil},
		{"hidden", conv{model(call("a")), hidden(user(result("x")))}, nil},
	} {
		if got := Facing(transcript.New("", tt.conv)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
