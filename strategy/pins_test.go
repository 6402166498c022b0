package strategy

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

func patterns(list ...string) (res []*regexp.Regexp) {
	for _, p := range list {
		res = append(res, regexp.MustCompile(p))
	}
	return res
}

// showPins returns the pins, a letter for each block: ".PV" is Unpinned, Present, Verbatim.
func showPins(c *transcript.Conversation) string {
	var msgs []string
	for _, m := range c.Messages {
		s := ""
		for _, b := range m.Blocks {
			s += ".PV"[b.Pin:][:1]
		}
		msgs = append(msgs, s)
	}
	return strings.Join(msgs, " ")
}

// TestPinsByContent puts a unit before and after the messages of each case, because the
// first and the last unit are always pinned.
func TestPinsByContent(t *testing.T) {
	tests := []struct {
		name     string
		conv     []*transcript.Message
		want     string
		unpinned string // with --unpin user
	}{
		{"typed", msgs(user("a")), "V", "."},
		{"injected", msgs(user(injected("<system-reminder>"), "a", injected("<environment_details>"))), ".V.", "..."},
		{"model", msgs(model("a", thinking("b"))), "..", ".."},
		{"round", msgs(model("a", call("1", "T")), tool("1", "r")), ".. .", ".. ."},
		{"system", msgs(system("a")), "P", "P"},
		{"summary", msgs(user(summary("what was done"))), "P", "P"},
		{"marker", msgs(user(summary("[earlier messages omitted]"))), ".", "."},
		{"a result with words of the user", msgs(model(call("1", "T")), user(quoting(result("1", "no"))), user("a")), ". V V", ". . ."},
		{"an image of the user", msgs(user("look", image())), "VP", ".."},
		{"an image of a tool", msgs(model(call("1", "T")), user(withImage(result("1", "shot")))), ". .", ". ."},
		{"hidden", msgs(hidden(user("a"))), ".", "."},
	}
	frame := func(middle []*transcript.Message) *transcript.Conversation {
		return conv(concat(msgs(model("first")), clone(middle), msgs(model("last")))...)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, want := showPins(pinned(frame(tt.conv), &Options{})), "P "+tt.want+" P"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if got, want := showPins(pinned(frame(tt.conv), &Options{UnpinUser: true})), "P "+tt.unpinned+" P"; got != want {
				t.Errorf("with --unpin user: got %q, want %q", got, want)
			}
		})
	}
}

// TestPinsLast checks that the last answer is pinned verbatim, wherever it stands.
func TestPinsLast(t *testing.T) {
	round := func(said ...any) []*transcript.Message {
		return []*transcript.Message{model(append(said, call("1", "Read", "path=a.go"))...), tool("1", "text")}
	}
	answers := []*transcript.Message{user("q"), model("first"), user("r"), model("last")}
	tests := []struct {
		name string
		conv *transcript.Conversation
		want string
	}{
		{"at the end", conv(answers...), "V . V V"},
		{"before a request", conv(append(answers, user("s"))...), "V . V V V"},
		{"before calls", conv(slices.Concat(answers, round(), round())...), "V . V V . . P P"},
		{"in a round", conv(slices.Concat(answers, round("let me see"), []*transcript.Message{user("s")})...), "V . V . V. . V"},
		{"hidden", conv(append(answers, hidden(model("aside")), user("s"))...), "V . V V . V"},
		{"before a marker", conv(append(answers, model(transcript.Marker("3 lines")), user("s"))...), "V . V V . V"},
		{"before a record", conv(append(answers, model(transcript.RecordOpening+"3 calls]"), user("s"))...), "V . V V . V"},
		{"before a blank text", conv(append(answers, model(" "), user("s"))...), "V . V V . V"},
		{"none", conv(user("q"), user("r")), "V V"},
	}
	for _, tt := range tests {
		if got := showPins(tt.conv.WithPins(pinsOf(tt.conv, &Options{}, transcript.Present).of)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPinsFrame(t *testing.T) {
	tests := []struct {
		name string
		conv *transcript.Conversation
		want string
	}{
		{"empty", conv(), ""},
		{"one message", conv(model("a")), "P"},
		{"first and last", conv(model("a"), user(injected("b")), model("c")), "P . P"},
		{"after the system prompt", conv(system("s"), model("a"), user(injected("b")), model("c")), "P P . P"},
		{"only a system prompt", conv(system("s")), "P"},
		{"hidden messages at both ends", conv(hidden(model("a")), model("b"), model("c"), model("d"), hidden(model("e"))), ". P . P ."},
		{"the last unit is a round", conv(model("a"), model("x", call("1", "T")), tool("1", "r")), "P PP P"},
		{"thinking before the last answer", conv(user("a"), model(thinking("t"), "x")), "V .P"},
		{"thinking in a message before the last answer", conv(user("a"), model(thinking("t")), model("x")), "V . P"},
		{"an interrupted answer", conv(user("a"), model(thinking("t"))), "V P"},
		{"thinking before calls", conv(user("a"), model(thinking("t"), call("1", "T")), tool("1", "r")), "V PP P"},
		{"an open round", conv(model("a"), model("x", call("1", "T"), call("2", "T")), tool("1", "r")), "P VVV P"},
		{"attachments of the first message", conv(user("a", announced("tools", "b")), model("c"), model("d")), "V. . P"},
		{"a first message of attachments", conv(user(announced("tools", "b")), model("c"), model("d")), "P . P"},
		{"several open rounds", conv(model("a"), model("b"), model(call("1", "T")), model(call("2", "T"))), "P . V V"},
		{"an open round beside a complete one", conv(model("a"), model("b"), model(call("1", "T")), model(call("2", "T")), user(result("1", "r"), "hm")), "P . V V PV"},
		{"a round with a late result is the last unit", conv(model("a"), model(call("1", "T")), model("b"), tool("1", "r")), "P P . P"},
		{"a system prompt at the end is not the last unit", conv(model("a"), user(injected("b")), model("c"), system("s")), "P . P P"},
		{"a call without a result", conv(model("a"), model(call("1", "T")), user(injected("b")), model("c")), "P . . P"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := showPins(pinned(tt.conv, &Options{})); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestPinsOfFirstRound checks that a stage that leaves records may take the thinking of a first round whose turn is over.
func TestPinsOfFirstRound(t *testing.T) {
	for want, c := range map[string]*transcript.Conversation{
		".P P . V .": conv(model(thinking("t"), call("1", "T")), tool("1", "r"), model("x"), user("a"), model("y")),
		"PP P .":     conv(model(thinking("t"), call("1", "T")), tool("1", "r"), model("x")),
	} {
		if got := showPins(c.WithPins(recordingPins(c, &Options{UnpinLast: true}).of)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPinsTodo(t *testing.T) {
	tests := []struct {
		name string
		conv []*transcript.Message
		want string
	}{
		{"one", todo("TodoWrite"), "V ."},
		{"the last of two", concat(todo("TodoWrite"), todo("TodoWrite")), ". . V ."},
		{"of any tool", concat(todo("update_plan"), todo("write_todos"), todo("Update_Todo_List")), ". . . . V ."},
		{"not a list", todo("TodoRead"), ". ."},
		{"the last call failed", concat(todo("TodoWrite"), msgs(model(call("x", "TodoWrite", "t=bad")), user(failing(result("x", "bad"))))), "V . . ."},
		{"hidden", concat(todo("TodoWrite"), msgs(hidden(model(call("x", "TodoWrite"))), hidden(tool("x", "ok")))), "V . . ."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(concat(msgs(model("first")), tt.conv, msgs(model("last")))...)
			if got, want := showPins(pinned(c, &Options{})), "P "+tt.want+" P"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// todo returns a round that writes a todo list.
func todo(tool string) []*transcript.Message { return round("t", tool, "todos=write tests", "ok") }

func TestPinsPattern(t *testing.T) {
	c := conv(
		model("first"),
		model("the password is here", thinking("the password?"), call("1", "Read", "path=password.txt")), tool("1", "password 123\nuser 7"),
		model("and more", call("2", "Read", "path=a.go")), tool("2", "nothing"),
		hidden(model("password")),
		model("last"),
	)
	tests := []struct {
		pin  []string
		want string
	}{
		{nil, "P ... . .. . . P"},
		{[]string{"password"}, "P VVV V .. . . P"},
		{[]string{`^user \d`}, "P ... . .. . . P"},
		{[]string{`(?m)^user \d`}, "P ... V .. . . P"},
		{[]string{"nothing", "last", "first"}, "V ... . .. V . V"},
		{[]string{"."}, "V VVV V VV V . V"},
	}
	for _, tt := range tests {
		if got := showPins(pinned(c, &Options{Pin: patterns(tt.pin...)})); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.pin, got, tt.want)
		}
	}
}

// TestPinsKeep checks that KeepFirst and KeepLast count visible messages without the
// system prompt, and pin whole units.
func TestPinsKeep(t *testing.T) {
	c := conv(system("s"), hidden(model("h")), model("a"),
		model("b", call("1", "T")), tool("1", "r"), model("c"),
		model("d", call("2", "T")), tool("2", "r"), model("e"))
	tests := []struct {
		first, last int
		want        string
	}{
		{0, 0, "P . P .. . . .. . P"},
		{1, 0, "P . V .. . . .. . P"},
		{2, 0, "P . V VV V . .. . P"},
		{3, 0, "P . V VV V . .. . P"},
		{4, 0, "P . V VV V V .. . P"},
		{0, 1, "P . P .. . . .. . V"},
		{0, 2, "P . P .. . . VV V V"},
		{0, 4, "P . P .. . V VV V V"},
		{1, 1, "P . V .. . . .. . V"},
		{5, 5, "P . V VV V V VV V V"},
		{99, 0, "P . V VV V V VV V V"},
		{0, 99, "P . V VV V V VV V V"},
	}
	for _, tt := range tests {
		if got := showPins(pinned(c, &Options{KeepFirst: tt.first, KeepLast: tt.last})); got != tt.want {
			t.Errorf("first %d, last %d: got %q, want %q", tt.first, tt.last, got, tt.want)
		}
	}
}

func TestPinsDoNotChangeTheInput(t *testing.T) {
	c := conv(user("a"), model("b"), user("c"))
	before := showPins(c)
	pinned(c, &Options{})
	if got := showPins(c); got != before {
		t.Errorf("got %q, was %q", got, before)
	}
}

func msgs(list ...*transcript.Message) []*transcript.Message { return list }

// clone copies messages, so that they can be part of another conversation.
func clone(list []*transcript.Message) []*transcript.Message {
	list = slices.Clone(list)
	for i, m := range list {
		n := *m
		list[i] = &n
	}
	return list
}

// TestThinkingOfStay checks that messages that stay lose the thinking that the options ask
// to drop, unless there is nothing else in them.
func TestThinkingOfStay(t *testing.T) {
	c := conv(msgs(user("start"), model(thinking("old, beside a text"), "a text"), model(thinking("old and alone")), user("go on"), model(thinking("new"), "done"))...)
	for _, tt := range []struct {
		mode Thinking
		want []string
	}{
		{ThinkingKeep, []string{"old, beside a text", "old and alone", "new"}},
		{ThinkingDropOld, []string{"old and alone", "new"}},
		{ThinkingDrop, []string{"old and alone"}},
	} {
		o := Options{Stay: []int{0, 1, 2, 3, 4}, PrepareOptions: PrepareOptions{Thinking: tt.mode}, Target: Target{Tokens: 1000}}
		r, err := Run(t.Context(), c, []*Strategy{&Dedupe}, &o, Env{Tokens: quarters})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range r.Conv.Blocks() {
			if b.Kind == transcript.Thinking {
				got = append(got, b.Text())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v leaves %q, want %q", tt.mode, got, tt.want)
		}
	}
}
