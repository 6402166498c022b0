package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPartner(t *testing.T) {
	tests := []struct{ name, conv, want string }{ // want: call-result, each as message.block
		{"nothing", "U:q | A:hi", ""},
		{"pair", "A:+a(X) | T:-a 1", "0.0-1.0"},
		{"parallel", "A:hm & +a(X) & +b(X) | T:-b 2 & -a 1", "0.1-1.1 0.2-1.0"},
		{"in one message", "A:+a(X) & -a 1", "0.0-0.1"},
		{"late", "A:+a(X) | U:q | A:hi | T:-a 1", "0.0-3.0"},
		{"id used twice, each time answered", "A:+a(X) | T:-a 1 | A:+a(X) | T:-a 2", "0.0-1.0 2.0-3.0"},
		{"id called twice, answered once: the latest", "A:+a(X) | A:+a(X) | T:-a 1", "1.0-2.0"},
		{"id called twice, then answered twice: only the latest", "A:+a(X) | A:+a(X) | T:-a 1 | T:-a 2", "1.0-2.0"},
		{"id answered twice: the first", "A:+a(X) | T:-a 1 | T:-a 2", "0.0-1.0"},
		{"result before call", "T:-a 1 | A:+a(X)", ""},
		{"result before call and after", "T:-a 1 | A:+a(X) | T:-a 2", "1.0-2.0"},
		{"other id", "A:+a(X) | T:-b 1", ""},
		{"no id", "A:+(X) | T:- 1", ""},
		{"two calls, two results", "A:+a(X) | U:-b 1 | A:+b(X) | U:-a 2", "0.0-3.0"},
		{"both hidden", "~A:+a(X) | ~T:-a 1", "0.0-1.0"},
		{"hidden call", "~A:+a(X) | T:-a 1", ""},
		{"hidden result", "A:+a(X) | ~T:-a 1", ""},
		{"hidden round between", "A:+a(X) | ~A:+a(X) | ~T:-a 1 | T:-a 2", "0.0-3.0 1.0-2.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(tt.conv)
			if got := showPairs(t, c); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.conv, got, tt.want)
			}
		})
	}
}

func showPairs(t *testing.T, c *Conversation) string {
	var found []string
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			ref := Ref{m.ID, b.ID, 3} // the part does not matter
			other, ok := c.Partner(ref)
			if !ok {
				continue
			}
			if back, ok := c.Partner(other); !ok || back != (Ref{m.ID, b.ID, Whole}) {
				t.Errorf("the partner of %s is %s, whose partner is %s", ref, other, back)
			}
			if b.Kind == ToolCall {
				found = append(found, fmt.Sprintf("%d.%d-%d.%d", ref.Msg, ref.Block, other.Msg, other.Block))
			}
		}
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}
