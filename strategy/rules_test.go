package strategy

import (
	"context"
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"condense/strategy/notes"
	"condense/transcript"
)

// TestOptionsAreFields checks that the options which a strategy names exist, each once.
func TestOptionsAreFields(t *testing.T) {
	for _, s := range All {
		seen := map[string]bool{}
		for _, name := range s.Options {
			of, field := reflect.TypeFor[Options](), name
			if rest, ok := strings.CutPrefix(name, "Model."); ok {
				of, field = reflect.TypeFor[Model](), rest
			} else if name == "Ask" {
				of = reflect.TypeFor[Env]()
			}
			if _, ok := of.FieldByName(field); !ok || seen[name] {
				t.Errorf("%s: %q is no option, or is named twice", s.Name, name)
			}
			seen[name] = true
		}
	}
}

// TestMalformed checks that the types of options refuse malformed texts and take well-formed ones.
func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		value     encoding.TextUnmarshaler
		good, bad string // separated by blanks
	}{
		{new(Glob), "* R* a.b", "["},
		{new(Range), "1..2 1.. ..2 7", "x 2..1 0 1..2..3 -1"},
		{new(Thinking), "keep drop-old drop", "all Keep"},
		{new(Images), "keep placeholder last:3 last=0 last1", "last last-1 none lastx"},
		{new(Cap), "*=60 Bash=1k", "60 *= *=x *=-1 [=3"},
		{new(Tags), "typed all", "none Typed"},
		{new(Layout), "keep fresh fork", "none Keep"},
		{new(Target), "20000 20_000 20k 1.5m 50% 0.5%", "1.5 0 -1 101% 0% k 20kb 3000m"},
		{new(ProfileThreshold), "work=80 work=-1 a=5% a=x", "work =80"},
	} {
		for _, text := range strings.Fields(tt.good) {
			if err := tt.value.UnmarshalText([]byte(text)); err != nil {
				t.Errorf("%T refuses %q: %v", tt.value, text, err)
			}
		}
		for _, text := range strings.Fields(tt.bad) {
			if err := tt.value.UnmarshalText([]byte(text)); err == nil {
				t.Errorf("%T takes %q: %+v", tt.value, text, tt.value)
			}
		}
	}
}

// TestSendsSecrets checks what a plan says about the secrets that the questions hold.
func TestSendsSecrets(t *testing.T) {
	secrets := []string{"postgres://gauge:k9Lw2x7Qr5@db.example/valves", "mysql://gauge:p4rT7yXw8@db.example/pumps"}
	for _, tt := range []struct {
		secrets int
		open    bool
		want    string
	}{
		{0, false, ""}, {0, true, ""}, {1, false, ", with 1 password in a URL replaced"}, {1, true, ", with 1 password in a URL as it is"},
		{2, false, ", with 2 passwords in a URL replaced"}, {2, true, ", with 2 passwords in a URL as they are"},
	} {
		list := msgs(user("begin " + lines(40)))
		for i := range 12 {
			id := fmt.Sprint(i)
			list = concat(list, round(id, "Read", "path=a", lines(30)), msgs(model("it is at " + secrets[i%2] + lines(3)))[:min(1, max(0, tt.secrets-i))])
		}
		o := Defaults()
		o.Target.Share, o.UnpinUser = .4, true
		env := Env{Tokens: words, Model: Model{Name: "m", DryRun: true, NoRedact: tt.open}, Ask: func(context.Context, notes.Prompt) (notes.Reply, error) {
			t.Error("the model was asked")
			return notes.Reply{}, nil
		}}
		r, err := Run(t.Context(), conv(concat(list, msgs(user("and now?"), model("done")))...), []*Strategy{&Summarize}, &o, env)
		if err != nil {
			t.Fatal(err)
		}
		_, sends, found := strings.Cut(r.Stages[0].Skipped, "; it sends ")
		if at := strings.Index(sends, ", with "); !found || at < 0 && tt.want != "" || at >= 0 && sends[at:] != tt.want {
			t.Errorf("%d secrets: %q, want %q at the end", tt.secrets, sends, tt.want)
		}
	}
}

// TestRecent checks that a block with the content of one of the eight last ones is not counted again, if it
// is not too long.
func TestRecent(t *testing.T) {
	counted := 0
	tokens := func(b *transcript.Block) int { counted++; return len(b.Text()) }
	r := &recent{}
	for _, tt := range []struct {
		text string
		want int // counts so far
	}{
		{"a", 1}, {"a", 1}, {"b", 2}, {"a", 2}, {"c", 3}, {"d", 4}, {"e", 5}, {"f", 6}, {"g", 7}, {"h", 8}, {"a", 8}, {"i", 9}, {"a", 10}, {"c", 10}, {"b", 11},
		{strings.Repeat("x", recentBytes), 12}, {strings.Repeat("x", recentBytes), 12}, {strings.Repeat("x", recentBytes+1), 13}, {strings.Repeat("x", recentBytes+1), 14},
	} {
		if got := r.count(text(tt.text), tokens); got != len(tt.text) || counted != tt.want {
			t.Errorf("%.9q: %d tokens, counted %d times, want %d", tt.text, got, counted, tt.want)
		}
	}
}

// TestChangeOfNothing checks that an edit of what does not exist changes no size.
func TestChangeOfNothing(t *testing.T) {
	c := conv(user("one two"), model("three"))
	hidden := conv(user("one"), model("two"))
	hidden.Messages[0].Hidden = true
	for _, e := range []transcript.Edit{
		{At: transcript.At(1), Op: transcript.Insert},
		{At: transcript.At(9), Op: transcript.Drop},
		{At: transcript.Ref{Msg: 0, Block: 9, Part: transcript.Whole}, Op: transcript.Drop},
		{At: transcript.Ref{Msg: 0, Block: 0, Part: 5}, Op: transcript.Rewrite, Text: "x y z"},
		{At: transcript.Ref{Msg: 0, Block: 0, Part: -7}, Op: transcript.Rewrite, Text: "x y z"},
	} {
		if got := change(c, &e, words); got != 0 {
			t.Errorf("%s: %d", e.At, got)
		}
	}
	if got := change(hidden, &transcript.Edit{At: transcript.At(0), Op: transcript.Drop}, words); got != 0 {
		t.Errorf("a hidden message: %d", got)
	}
}

// TestDescribeMedia checks what stands in the place of an image.
func TestDescribeMedia(t *testing.T) {
	for want, m := range map[string]transcript.Medium{
		"image": {}, "image/png": {Type: "image/png"}, "image, 1 bytes": {Bytes: 1}, "audio/mp3, 12,000 bytes": {Type: "audio/mp3", Bytes: 12000},
	} {
		if got := describe(&m); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestBudgetOf checks the budget of a conversation of 1,000 tokens: the target, the room of the window as far as
// it is less, or else half of the tokens.
func TestBudgetOf(t *testing.T) {
	free := Trigger{Reserve: -1} // nine tenths of a window have room
	for _, tt := range []struct {
		name string
		s    *Strategy
		o    Options
		want int
	}{
		{"nothing asked", &Summarize, Options{}, 500},
		{"no aim", &Dedupe, Options{}, 0},
		{"a target", &Dedupe, Options{Target: Target{Tokens: 70}, Window: 10}, 70},
		{"a share", &Dedupe, Options{Target: Target{Share: .25}}, 250},
		{"a window with room for less", &Summarize, Options{Window: 900, Trigger: free}, 810},
		{"a window with room for one token less", &Summarize, Options{Window: 1110, Trigger: free}, 999},
		{"a window with room for just that", &Summarize, Options{Window: 1112, Trigger: free}, 500},
		{"a wide window", &Summarize, Options{Window: 5000, Trigger: free}, 500},
		{"a window without room", &Summarize, Options{Window: 400}, 400},
		{"a large window without room", &Summarize, Options{Window: 8000}, 500},
		{"shares of a window", &Progressive, Options{Window: 900}, 0},
		{"a fraction", &Truncate, Options{TruncateOptions: TruncateOptions{Fraction: .5}}, 0},
	} {
		if got := budget([]*Strategy{tt.s}, &tt.o, 1000); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := budget(nil, &Options{Target: Target{Tokens: 5}}, 1000); got != 0 {
		t.Errorf("without stages: %d", got)
	}
}

// TestWithoutMarked checks what is left of a text without what its tags drop.
func TestWithoutMarked(t *testing.T) {
	for text, want := range map[string]string{
		"<drop>ab</drop>":   "[text omitted]",
		"a <drop>b</drop>c": "a c",
		"a <drop>" + strings.Repeat("long ", 20) + "</drop> b": "a [100 bytes omitted] b",
		"a <drop>b": "",
		"a":         "",
	} {
		short, dropped := withoutMarked(&transcript.Part{Text: text})
		if dropped != (want != "") || dropped && short != want {
			t.Errorf("%q: %q, %t, want %q", text, short, dropped, want)
		}
	}
}

// TestMalformedCap checks that the message about a cap names what is malformed.
func TestMalformedCap(t *testing.T) {
	for text, want := range map[string]string{"Bash": "expected TOOL_GLOB=TOKENS, such as Bash=500", "a=b=x": `malformed cap "x", expected tokens (500, 2k)`, "a=50%": `malformed cap "50%", expected tokens (500, 2k)`} {
		var c Cap
		if err := c.UnmarshalText([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestMiddle checks that lines between the first and the last go if their marker is shorter, and that failures
// and markers between them stay.
func TestMiddle(t *testing.T) {
	for _, tt := range []struct{ lines, want string }{
		{"a|123456789012|12345678901|z", "a|123456789012|12345678901|z"}, // as long as the marker
		{"a|123456789012|123456789012|z", "a|[2 lines between omitted]|z"},
		{"a|z", "a|z"},
		{"a|123456789012|error: no|123456789012|[3 lines omitted]|z", "a|[2 lines between omitted]|error: no|[3 lines omitted]|z"},
	} {
		if got := strings.Join(middle(strings.Split(tt.lines, "|"), 2), "|"); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.lines, got, tt.want)
		}
	}
}

// TestMayReplace checks which earlier summaries may be replaced: those of marked messages, and others unless
// the program wrote more beside them.
func TestMayReplace(t *testing.T) {
	own := func() *transcript.Block { return summary(openingNotes + "\nnotes") }
	for name, tt := range map[string]struct {
		marked bool
		others []*transcript.Block
		want   bool
	}{
		"marked": {true, []*transcript.Block{summary("more")}, true}, "alone": {false, nil, true}, "beside another": {false, []*transcript.Block{own()}, true},
		"beside text of a person": {false, []*transcript.Block{text("typed")}, true}, "beside generated text": {false, []*transcript.Block{summary("more")}, false},
	} {
		m := &transcript.Message{Role: transcript.User, Marked: tt.marked, Blocks: append([]*transcript.Block{own()}, tt.others...)}
		if got := mayReplace(m, m.Blocks[0]); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
		if mayReplace(m, text("other")) {
			t.Errorf("%s: a text that is no summary may be replaced", name)
		}
	}
}
