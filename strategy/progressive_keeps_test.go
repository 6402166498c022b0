package strategy

import (
	"strings"
	"testing"

	"condense/transcript"
)

// What others switch on is so in any case: no layer edits what the user or the model
// said, code blocks in it included. It stays whole or goes whole, and with --pin it stays.
func TestProgressiveEditsNoText(t *testing.T) {
	const code = "I changed this:\n```go\nfunc main() {\n\n\n\tprintln(1) // " + "the same line\n\tprintln(1) // the same line\n}\n```"
	c := conv(concat(
		thinker(0), msgs(user("write it"), model(code)), rounds(4), msgs(model("Built.\n"+lines(30))), thinker(1), thinker(2), thinker(3),
	)...)
	for _, tt := range []struct {
		pin  []string
		left bool // the code block
	}{{nil, false}, {[]string{"```"}, true}} {
		o := Defaults()
		o.Target, o.Aggression, o.KeepRounds = Target{Tokens: 1}, 1, 0
		o.Pin = patterns(tt.pin...)
		got, _ := layered(t, c, o)
		if left := strings.Contains(all(got), code); left != tt.left {
			t.Errorf("pin %q: code block left %v", tt.pin, left)
		}
		for ref, b := range c.Blocks() {
			now := got.Block(ref)
			if b.Kind == transcript.Text && now != nil && now.Text() != b.Text() && !transcript.IsMarker(now.Text()) {
				t.Errorf("pin %q: %s became %q", tt.pin, ref, now.Text())
			}
		}
	}
}
