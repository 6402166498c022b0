package strategy

import (
	"regexp"
	"strings"
	"testing"

	"condense/transcript"
)

// sealed returns thinking with a signature.
func sealed(s string) *transcript.Block { return fixed(thinking(s)) }

// TestThinkingWithCalls checks which thinking is removed together with calls, although
// Options.Only pins it.
func TestThinkingWithCalls(t *testing.T) {
	a, b, ra, rb := call("1", "Bash"), call("2", "Read"), tool("1", "r"), tool("2", "r")
	for _, tt := range []struct {
		name  string
		conv  []*transcript.Message
		drops [][2]int
		want  string
	}{
		{"sealed, before the only call", msgs(model(sealed("t"), a), ra), [][2]int{{1, 1}, {2, 0}}, ""},
		{"sealed, behind a text", msgs(model("x", sealed("t"), a), ra), [][2]int{{1, 2}, {2, 0}}, "1:x | "},
		{"sealed, before a text", msgs(model(sealed("t"), "x", a), ra), [][2]int{{1, 2}, {2, 0}}, "1:?t & x | "},
		{"sealed, twice", msgs(model(sealed("t"), sealed("u"), a), ra), [][2]int{{1, 2}, {2, 0}}, ""},
		{"sealed, in a message of its own", msgs(model(sealed("t")), model(a), ra), [][2]int{{2, 0}, {3, 0}}, ""},
		{"sealed, another call stays", msgs(model(sealed("t")), model(a), model(b), ra, rb), [][2]int{{2, 0}, {4, 0}}, "1:?t | 3:+2 | 5:-2 r | "},
		{"sealed, a later round stays", msgs(model(sealed("t"), a), ra, model(sealed("u"), b), rb), [][2]int{{1, 1}, {2, 0}}, "3:?u & +2 | 4:-2 r | "},
		{"before the only call", msgs(model(thinking("t"), a), ra), [][2]int{{1, 1}, {2, 0}}, ""},
		{"behind a text", msgs(model("x", thinking("t"), a), ra), [][2]int{{1, 2}, {2, 0}}, "1:x & ?t | "},
		{"in a message of its own", msgs(model(thinking("t")), model(a), ra), [][2]int{{2, 0}, {3, 0}}, ""},
		{"behind a text in the message before", msgs(model("x", thinking("t")), model(a), ra), [][2]int{{2, 0}, {3, 0}}, "1:x & ?t | "},
		{"alone before, too", msgs(model(sealed("t")), user(injected("i")), model(a), ra), [][2]int{{3, 0}, {4, 0}}, "1:?t | 2:i | "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(concat(msgs(user("q")), tt.conv, msgs(user("last")))...)
			var edits []transcript.Edit
			for _, d := range tt.drops {
				edits = append(edits, group(1, drop(d[0], d[1]))...)
			}
			r := run(t, c, Options{Only: globs(t, "Bash", "Read")}, proposing(edits...))
			got := show(r.Conv)
			if got, want := got[:strings.LastIndex(got, "| ")+2], "0:q | "+tt.want; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			for _, e := range r.Stages[0].Edits {
				if e.Group != 1 {
					t.Errorf("an edit is in group %d", e.Group)
				}
			}
		})
	}
}

// TestRepeatedResults checks that all results of a removed call are removed.
func TestRepeatedResults(t *testing.T) {
	a, ra := call("1", "Bash"), tool("1", "r")
	for _, tt := range []struct {
		name string
		conv []*transcript.Message
		want string
	}{
		{"answered twice", msgs(model(a), ra, tool("1", "again"), model("x")), "0:q | 4:x | 5:last"},
		{"called again later", msgs(model(a), ra, tool("1", "again"), model(call("1", "Bash"))), "0:q | 4:+1 | 5:last"},
		{"called again before", msgs(model(a), ra, model(call("1", "Bash")), tool("1", "s"), tool("1", "t")), "0:q | 3:+1 | 4:-1 s | 5:-1 t | 6:last"},
		{"typed", msgs(model(a), ra, user(quoting(result("1", "no"))), model("x")), "0:q | 3:-1 no | 4:x | 5:last"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(concat(msgs(user("q")), tt.conv, msgs(user("last")))...)
			r, err := Run(t.Context(), c, []*Strategy{proposing(group(1, drop(1, 0), drop(2, 0))...)}, &Options{UnpinLast: true}, Env{Tokens: words})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(r.Conv); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestSummaryAfterThinking checks that no summary comes between thinking that the user pins
// and the first text that it led to.
func TestSummaryAfterThinking(t *testing.T) {
	c := conv(user("go"), model(sealed("thought")), model(said(1)), model(call("a", "Read", "path=a.go")), tool("a", "text of it"),
		model(said(2)), model(said(3)), model(said(4)), user("on"), model(said(5)), user("last"))
	for _, l := range []Layout{LayoutKeep, LayoutFresh, LayoutFork} {
		_, after := summarizing(t, c, 60, func(o *Options) {
			o.Layout, o.FreezePrefix, o.ProtectTools = l, 2, globs(t, "Read")
		})
		if got := shape(after); !strings.Contains(got, "S") || !strings.Contains(got, "a:thought | a:") {
			t.Errorf("%s: %s", l, got)
		}
	}
}

// TestPinnedThinking checks that thinking which the user pins keeps a text or call behind
// it, and that of a tool that Only names does not.
func TestPinnedThinking(t *testing.T) {
	word := []*regexp.Regexp{regexp.MustCompile("keep")}
	claude := model(sealed("t"), call("1", "T"))
	claude.SetModel("claude-opus-4")
	for _, tt := range []struct {
		name string
		o    Options
		conv []*transcript.Message
		want string
	}{
		{"pinned", Options{Pin: word}, msgs(model(sealed("keep"), call("1", "T"), call("2", "T"))), "VP."},
		{"pinned, behind a text", Options{Pin: word}, msgs(model("x", sealed("keep"), call("1", "T"))), ".VP"},
		{"pinned, not sealed", Options{Pin: word}, msgs(model("x", thinking("keep"), call("1", "T"))), "PV."},
		{"pinned, and so is a call", Options{Pin: word}, msgs(model(sealed("keep"), "x", call("1", "T", "a=keep"))), "V.V"},
		{"a protected line", Options{Protect: word}, msgs(model(sealed("keep"), call("1", "T"))), "PP"},
		{"a frozen prefix", Options{FreezePrefix: 2}, msgs(model(sealed("t")), model(call("1", "T")), model(call("2", "T"))), "V P ."},
		{"a tool that Only names", Options{Only: globs(t, "T")}, msgs(model(sealed("t"), call("1", "T"))), "V."},
		{"a tool that Only names, and pinned", Options{Only: globs(t, "T"), Pin: word}, msgs(model(sealed("keep"), call("1", "T"))), "VP"},
		{"not pinned", Options{}, msgs(model(sealed("t"), call("1", "T"))), ".."},
		{"--thinking keep", Options{PrepareOptions: PrepareOptions{Thinking: ThinkingKeep}}, msgs(model(sealed("t"), call("1", "T"), call("2", "T"))), "VP."},
		{"--thinking keep for another model", Options{PrepareOptions: PrepareOptions{Thinking: ThinkingKeep, TargetModel: "gpt-5"}}, msgs(claude), ".."},
		{"nothing behind it", Options{Pin: word}, msgs(model("x", sealed("keep"))), ".V"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(concat(msgs(user("q")), tt.conv, msgs(user("last")))...)
			got := showPins(pinned(c, &tt.o))
			if want := "V " + tt.want + " V"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
