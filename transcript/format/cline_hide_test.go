package format

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// These tests check what Roo Code saves and which messages its model sees, after its own tests:
// truncation (TR), the effective view (EF), summaries (SS), merging (MC), images (IM) and more.
// strategy.TestWindowCut and TestTruncateFraction check how many messages TR1 to TR9 remove, and
// strategy.TestImages which images IM1 removes. Where condense deviates on purpose, the test states
// it with the reason: SS5 and SS6, MC1 to MC3, TRI1 without an assistant, and TRI2.

// roo writes a task in a short notation, a word for each message:
//
//	U A       text of the user, of the assistant
//	A+x U=x   a call x, its result; U=x. a result, then text; U[] no content
//	S1 R1 M1  summary 1, one in the assistant's role, truncation marker 1
//	U/S1/M1   hidden by summary 1 and by marker 1
func roo(t *testing.T, words string) string {
	t.Helper()
	var messages []string
	for i, w := range strings.Fields(words) {
		m := rooWord.FindStringSubmatch(w)
		if m == nil {
			t.Fatalf("no word of the notation: %q", w)
		}
		kind, number, items := m[1], m[2], m[3]
		role := "user"
		if kind == "A" || kind == "R" {
			role = "assistant"
		}
		var content []string
		if items == "" {
			items = "."
		}
		for k := 0; k < len(items); k++ {
			switch items[k] {
			case '.':
				content = append(content, fmt.Sprintf(`{"type":"text","text":%q}`, kind+number))
			case '+':
				k++
				content = append(content, fmt.Sprintf(`{"type":"tool_use","id":"%c","name":"read_file","input":{"path":"a.go"}}`, items[k]))
			case '=':
				k++
				content = append(content, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"%c","content":"result"}`, items[k]))
			}
		}
		text := fmt.Sprintf(`{"role":%q,"content":[%s],"ts":%d`, role, strings.Join(content, ","), 1000*(i+1))
		switch kind {
		case "S", "R":
			text += fmt.Sprintf(`,"isSummary":true,"condenseId":"S%s"`, number)
		case "M":
			text += fmt.Sprintf(`,"isTruncationMarker":true,"truncationId":"M%s"`, number)
		}
		for _, tag := range strings.Split(m[4], "/")[1:] {
			name := "condenseParent"
			if tag[0] == 'M' {
				name = "truncationParent"
			}
			text += fmt.Sprintf(`,%q:%q`, name, tag)
		}
		messages = append(messages, text+"}")
	}
	return "[" + strings.Join(messages, ",\n") + "]"
}

var rooWord = regexp.MustCompile(`^([UASRM])(\d*)((?:[+=][a-z]|\.|\[\])*)((?:/[SM]\d+)*)$`)

// words returns a task in the notation of roo, without tags. It writes "-" for a hidden message,
// MARK for a marker of condense, and =x! for a result that a repair inserted.
func words(c *transcript.Conversation) string {
	var all []string
	for _, m := range c.Messages {
		if m.Hidden {
			all = append(all, "-")
			continue
		}
		w := strings.ToUpper(m.Role.String()[:1])
		for i, b := range m.Blocks {
			switch {
			case b.Kind == transcript.ToolCall:
				w += "+" + b.Call
			case b.Kind == transcript.ToolResult && strings.HasPrefix(b.Text(), "[no result was recorded"):
				w += "=" + b.Call + "!"
			case b.Kind == transcript.ToolResult:
				w += "=" + b.Call
			case strings.Contains(b.Text(), "Sliding window truncation"):
				w = "MARK"
			case b.Origin == transcript.Generated:
				w = b.Text()
			case i > 0:
				w += "."
			}
		}
		all = append(all, w)
	}
	return strings.Join(all, " ")
}

// rooFile decodes a task, and checks that it is recognised and encoded without change.
func rooFile(t *testing.T, src string) *File {
	t.Helper()
	f := decoded(t, src)
	if f.Dialect != &cline {
		t.Fatalf("decoded as %s", f.Dialect.Name)
	}
	return f
}

// wantWords fails the test when a task is not as wanted.
func wantWords(t *testing.T, f *File, want string) {
	t.Helper()
	if got := words(f.Convs[0]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// rooRecord is a message of a task as it is written.
type rooRecord struct {
	Role             string
	Content          []struct{ Type, Text string }
	TS               int64
	IsMarker         bool    `json:"isTruncationMarker"`
	IsSummary        bool    `json:"isSummary"`
	CondenseID       string  `json:"condenseId"`
	ID               string  `json:"truncationId"`
	TruncationParent *string `json:"truncationParent"`
	CondenseParent   *string `json:"condenseParent"`
}

func rooRecords(t *testing.T, src string) (all []rooRecord) {
	t.Helper()
	if err := json.Unmarshal([]byte(src), &all); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return all
}

// cutAway removes messages of a task by their index, as a rewind does.
func cutAway(t *testing.T, src string, gone func(i int, r rooRecord) bool) string {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(src), &raw); err != nil {
		t.Fatal(err)
	}
	i := -1
	all := rooRecords(t, src)
	raw = slices.DeleteFunc(raw, func(json.RawMessage) bool { i++; return gone(i, all[i]) })
	out, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// inTurns returns a task of n messages, of user and assistant in turn.
func inTurns(n int) string {
	return strings.TrimSpace(strings.Repeat("U A ", n/2) + strings.Repeat("U", n%2))
}

func TestRooTruncate(t *testing.T) {
	tag := Options{Tag: true}
	for _, c := range []struct {
		name string
		src  string
		drop []int // messages that the classic rule removes
		want string
	}{
		{"TR1", inTurns(3), nil, "U A U"},
		{"TR2", inTurns(5), []int{1, 2}, "U - - MARK A U"},
		{"TR3", inTurns(7), nil, "U A U A U A U"},
		{"TR4", inTurns(9), nil, "U A U A U A U A U"},
		{"TR5", inTurns(4), []int{1, 2}, "U - - MARK A"},
		{"TR6", inTurns(11), []int{1, 2, 3, 4}, "U - - - - MARK A U A U A U"},
		{"TR7", inTurns(12), []int{1, 2, 3, 4}, "U - - - - MARK A U A U A U A"},
		{"TR8", inTurns(2), nil, "U A"},
		{"TR9", inTurns(3), []int{1, 2}, "U - - MARK"},
		{"TR14", "U/S1 A/S1 S1 A U A U", []int{3, 4}, "- - S1 - - MARK A U"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := roo(t, c.src)
			out, again := dropping(t, src, tag, c.drop...)
			wantWords(t, again, c.want)
			if len(c.drop) == 0 && out != src {
				t.Errorf("nothing was to go, but the file changed\n%s", out)
			}
			if left := again.Check(&rules.Roo); len(left) > 0 {
				t.Errorf("faults: %v", left)
			}
		})
	}

	t.Run("TR6 view", func(t *testing.T) { // first, marker, and the six that stay
		_, again := dropping(t, roo(t, inTurns(11)), tag, 1, 2, 3, 4)
		if n := visibleCount(again.Convs[0]); n != 8 {
			t.Errorf("%d visible messages", n)
		}
	})

	t.Run("TR10", func(t *testing.T) {
		out, _ := dropping(t, roo(t, inTurns(11)), tag, 1, 2, 3, 4)
		all := rooRecords(t, out)
		m := all[5]
		if !m.IsMarker || m.Role != "user" || m.ID == "" || m.TruncationParent != nil || m.CondenseParent != nil {
			t.Errorf("marker %+v", m)
		}
		if len(m.Content) != 1 || !strings.Contains(m.Content[0].Text, "Sliding window truncation") {
			t.Errorf("the marker's text is %v", m.Content)
		}
		if m.TS != all[6].TS-1 {
			t.Errorf("the marker's time is %d, of the next message %d", m.TS, all[6].TS)
		}
		for i, r := range all {
			if hid := r.TruncationParent != nil; hid != (1 <= i && i <= 4) || hid && *r.TruncationParent != m.ID {
				t.Errorf("message %d is tagged %v, the marker is %s", i, r.TruncationParent, m.ID)
			}
		}
	})

	t.Run("TR11", func(t *testing.T) {
		out, _ := dropping(t, roo(t, inTurns(11)), tag, 1, 2, 3, 4)
		wantWords(t, rooFile(t, cutAway(t, out, func(_ int, r rooRecord) bool { return r.IsMarker })), inTurns(11))
	})

	t.Run("TR12", func(t *testing.T) {
		twice, again := twiceTruncated(t)
		wantWords(t, again, "U - - - - MARK - - - - MARK A U A U A U")
		markers := 0
		for _, r := range rooRecords(t, twice) {
			if r.IsMarker {
				markers++
			}
		}
		if markers != 2 {
			t.Errorf("%d markers in\n%s", markers, twice)
		}
	})

	t.Run("TR13", func(t *testing.T) {
		twice, _ := twiceTruncated(t)
		all := rooRecords(t, twice)
		first := slices.IndexFunc(all, func(r rooRecord) bool { return r.IsMarker })
		second := first + 1 + slices.IndexFunc(all[first+1:], func(r rooRecord) bool { return r.IsMarker })
		cut := cutAway(t, twice, func(i int, _ rooRecord) bool { return i >= second })
		r, err := rooFile(t, cut).Repair(&rules.Roo)
		if err != nil {
			t.Fatal(err)
		}
		wantWords(t, r.File, "U - - - - MARK A U A U")
		for i, r := range rooRecords(t, string(r.Out)) {
			if r.ID == all[second].ID || r.TruncationParent != nil && *r.TruncationParent == all[second].ID {
				t.Errorf("message %d still names the second marker", i)
			}
		}
	})

	t.Run("TR15", func(t *testing.T) {
		r, err := rooFile(t, roo(t, "U A/S1 U/M1 A")).Repair(&rules.Roo)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Mended) != 2 || string(r.Out) != roo(t, "U A U A") {
			t.Errorf("mended %v\n%s", r.Mended, r.Out)
		}
		wantWords(t, r.File, "U A U A")
	})

	t.Run("TR15 at once", func(t *testing.T) { // a run makes only this repair
		f, removed, err := rooFile(t, roo(t, "U/S1/M1 A+x/S1 U/M1 M2 A/M2/S1")).Prepare([]bool{true})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(f.src), roo(t, "U A+x U M2 A/M2"); len(removed) != 5 || got != want {
			t.Errorf("removed %v\n%s", removed, got)
		}
	})

	t.Run("TR15 one of two", func(t *testing.T) { // fields are judged independently
		r, err := rooFile(t, roo(t, "U A/S1/M1 U/M1 M1 A")).Repair(&rules.Roo)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Mended) != 1 || string(r.Out) != roo(t, "U A/M1 U/M1 M1 A") {
			t.Errorf("mended %v\n%s", r.Mended, r.Out)
		}
	})

	t.Run("TR16", func(t *testing.T) {
		src := roo(t, "U/S1 A/S1 S1 A/M1 U/M1 M1 A")
		r, err := rooFile(t, src).Repair(&rules.Roo)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Mended) != 0 || string(r.Out) != src {
			t.Errorf("mended %v\n%s", r.Mended, r.Out)
		}
		f := rooFile(t, src)
		if same, removed, err := f.Prepare([]bool{true}); same != f || removed != nil || err != nil {
			t.Errorf("removed %v, %v", removed, err)
		}
	})
}

// twiceTruncated is a task of 11 messages, of which a truncation hid 4. Then it got 4 more messages
// and was truncated again. The first marker (5) is not counted, and stays.
func twiceTruncated(t *testing.T) (string, *File) {
	t.Helper()
	once, _ := dropping(t, roo(t, inTurns(11)), Options{Tag: true}, 1, 2, 3, 4)
	var more []json.RawMessage
	if err := json.Unmarshal([]byte(roo(t, inTurns(16))), &more); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(once, "]"))
	for _, m := range more[11:15] {
		b.WriteString("," + string(m))
	}
	return dropping(t, b.String()+"]", Options{Tag: true}, 6, 7, 8, 9)
}

// TestRooEffective checks which messages the model sees, and that a repair removes orphan tags
// without changing the view.
func TestRooEffective(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
		repaired        string // "" when there is nothing to repair
	}{
		{"EF1", "U/S1 A/S1 U/S1 A/S1 S1", "- - - - S1", ""},
		{"EF2", "U/S1 A/S1 U/S1 A/S1 S1 A U", "- - - - S1 A U", ""},
		{"EF3", "U A U A", "U A U A", ""},
		{"EF4", "U/S1 A/S1 U A/M1", "U A U A", "U A U A"},
		{"EF5", "U/S1 A/S1 S1 A/M1 U/M1 M1 A U", "- - S1 - - M1 A U", ""},
		{"EF6", "U/S1 A+x/S1 S1 U=x A", "- - S1 - A", ""},
		{"EF7", "U/S1 A/S1 S1 A+x U=x A", "- - S1 A+x U=x A", ""},
		{"EF8", "U/S1 A+x/S1 S1 A+y U=x=y A", "- - S1 A+y U=y - A", ""},
		{"EF9", "U/S1 A+x+y/S1 S1 U=x=y A", "- - S1 - A", ""},
		{"EF10", "U/S1 A+x/S1 S1 U=x. A", "- - S1 U - A", ""},
		{"EF11", "U/S1 A/S1 S1/S2 U/S2 A/S2 S2 A U", "- - - - - S2 A U", ""},
		{"EF12", "U/S1 A/S1 S1/S2 A/S2 S2/S3 A/S3 S3 A", "- - - - - - S3 A", ""},
		{"EF14", "U A/S1 U/S1 A/S1 R1 U A U", "- - - - R1 U A U", ""},
		{"EF15", "U/S1 A/S1 S1 U", "- - S1 U", ""},
		{"EF16", "U/S1 A/S1 U/S1 A/S1 U", "U A U A U", "U A U A U"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := rooFile(t, roo(t, c.src))
			wantWords(t, f, c.want)
			r, err := f.Repair(&rules.Roo)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Mended) > 0 != (c.repaired != "") {
				t.Errorf("mended: %v", r.Mended)
			}
			if c.repaired != "" {
				wantWords(t, r.File, c.repaired)
			}
		})
	}

	t.Run("EF13", func(t *testing.T) { // the view of a view is the same view
		f := rooFile(t, roo(t, "U/S1 A/S1 S1/S2 A/S2 S2 A/M1 U/M1 M1 A U"))
		var hidden []int
		for _, m := range f.Convs[0].Messages {
			if m.Hidden {
				hidden = append(hidden, m.ID)
			}
		}
		_, again := dropping(t, roo(t, "U/S1 A/S1 S1/S2 A/S2 S2 A/M1 U/M1 M1 A U"), Options{}, hidden...)
		if want := "S2 M1 A U"; words(again.Convs[0]) != want || visibleCount(f.Convs[0]) != 4 {
			t.Errorf("%d are visible, and without the others: %s", visibleCount(f.Convs[0]), words(again.Convs[0]))
		}
	})

	t.Run("EF14 time", func(t *testing.T) {
		var last *transcript.Message
		for m := range rooFile(t, roo(t, "U A/S1 U/S1 A/S1 R1 U A U")).Convs[0].Visible() {
			if last != nil && (m.Role == last.Role || !m.Time().After(last.Time())) {
				t.Errorf("%s at %v follows %s at %v", m.Role, m.Time(), last.Role, last.Time())
			}
			last = m
		}
	})
}

// TestRooRandom checks the promises of TestRandomEdits for random tasks with tags, summaries and
// results, especially for messages that are split in two.
func TestRooRandom(t *testing.T) {
	kinds := strings.Fields("U A A+x A+y+x. U=x U=x. U=y=x. U=z.=x S1 S2 M1 U/M1 A+z/M1 A/S1 U=y./S2 U[]")
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		task := []string{"U"}
		for range 3 + r.Intn(12) {
			task = append(task, kinds[r.Intn(len(kinds))])
		}
		t.Run(strings.Join(task, " "), func(t *testing.T) {
			editAndCheck(t, []byte(roo(t, strings.Join(task, " "))), seed)
		})
	}
}

// TestRooUnknownRole checks that the result of a call in a message of an unknown role is hidden after a summary, as
// it is when that message is gone.
func TestRooUnknownRole(t *testing.T) {
	src := `[{"role":"user","isSummary":true},{"role":"","content":[{"type":"tool_use","id":"c"}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]},{"role":"user","content":"note"}]`
	for i, m := range rooFile(t, src).Convs[0].Messages {
		if m.Hidden != (i == 1 || i == 2) {
			t.Errorf("message %d is hidden: %t", i+1, m.Hidden)
		}
	}
}

// TestRooSinceSummary checks that the view begins with the last summary.
//
// When it built a request, the former version R1 put the task in front of a summary in the
// assistant's role (SS5, SS6). That is no property of a file: the current version sees exactly the
// summary and what follows it (EF14). Here a view that does not begin with the user is a fault. A
// repair cannot correct it, because a message in front of the summary would be hidden.
func TestRooSinceSummary(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
		fault           string
	}{
		{"SS1", "U A U", "U A U", ""},
		{"SS2", "U A S1 A U", "- - S1 A U", ""},
		{"SS3", "U A S1 A S2 A U", "- - - - S2 A U", ""},
		{"SS5", "U A R1 U A", "- - R1 U A", "anthropic/first-role-user"},
		{"SS6", "U A R1 U A U R2 U A", "- - - - - - R2 U A", "anthropic/first-role-user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := rooFile(t, roo(t, c.src))
			wantWords(t, f, c.want)
			var faults []string
			for _, x := range f.Check(&rules.Roo) {
				faults = append(faults, x.Rule)
			}
			if got := strings.Join(faults, " "); got != c.fault {
				t.Errorf("faults: %q, want %q", got, c.fault)
			}
			if r, err := f.Repair(&rules.Roo); err != nil || len(r.Mended) > 0 {
				t.Errorf("mended %v, %v", r, err)
			}
		})
	}

	t.Run("SS4", func(t *testing.T) {
		for _, c := range decoded(t, `[]`).Convs {
			if len(c.Messages) > 0 {
				t.Errorf("messages of an empty task: %v", show(c))
			}
		}
	})
}

// TestRooMerge checks that messages of one role stay apart, each with its own tags and time. Roo
// merges them in the request and never in the file, so that MC1 to MC3 do not apply to outputs. The
// rules check the merged messages.
func TestRooMerge(t *testing.T) {
	for _, c := range []struct{ name, src, view string }{
		{"MC1", "U U A", "U U A"},
		{"MC1 results", "U A+x+y U=x U=y A", "U A+x+y U=x U=y A"},
		{"MC2", "U/S1 A/S1 S1 U A", "- - S1 U A"},
		{"MC3", "U U S1 A", "- - S1 A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := rooFile(t, roo(t, c.src))
			wantWords(t, f, c.view)
			for _, p := range []*rules.Profile{&rules.Roo, &rules.Anthropic} {
				for _, x := range f.Check(p) {
					if x.Severity == rules.Error {
						t.Errorf("%s: %s", p.Name, x)
					}
				}
			}
		})
	}
}

// TestRooResultIDs checks the ids of results after a repair.
//
// Roo guesses by position which call a result with a wrong id belongs to (TRI2), and keeps a result
// without an assistant message before it (TRI1). It does so while it saves the results of calls that
// it has just run. In a file, only the id shows which call a result belongs to. By a guess, the
// content of one file could pass for that of another. A repair therefore drops the result, and
// inserts one for the call which states that none was recorded.
func TestRooResultIDs(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"TRI1 matching", "U A+x U=x A", ""},
		{"TRI1 matching, two", "U A+x+y U=x=y. A", ""},
		{"TRI1 no assistant before", "U=x. A", "U A"},
		{"TRI2", "U A+x U=z A", "U A+x U=x! A"},
		{"TRI2 several", "U A+x+y U=v=w A", "U A+x+y U=x! U=y! A"},
		{"TRI2 partial", "U A+x+y U=x=w A", "U A+x+y U=y! U=x A"},
		{"TRI3 surplus", "U A+x U=x=y. A", "U A+x U=x. A"},
		{"TRI3 duplicate", "U A+x U=x=x. A", "U A+x U=x. A"},
		{"TRI4 one", "U A+x+y U=x. A", "U A+x+y U=y! U=x. A"},
		{"TRI4 several", "U A+x+y+z U=y A", "U A+x+y+z U=x! U=z! U=y A"},
		{"TRI4 all", "U A+x+y U A", "U A+x+y U=x! U=y! U A"},
		{"TRI4 all, no content", "U A+x+y U[] A", "U A+x+y U=x! U=y! A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := roo(t, c.src)
			r, err := rooFile(t, src).Repair(&rules.Roo)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if len(r.Mended) > 0 || string(r.Out) != src {
					t.Errorf("mended %v\n%s", r.Mended, r.Out)
				}
				return
			}
			wantWords(t, r.File, c.want)
			if left := r.File.Check(&rules.Roo); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}

	t.Run("TRI1 strings", func(t *testing.T) {
		src := `[{"role":"user","content":"q","ts":1},{"role":"assistant","content":"a","ts":2},{"role":"user","content":"r","ts":3}]`
		if r, err := rooFile(t, src).Repair(&rules.Roo); err != nil || string(r.Out) != src {
			t.Errorf("%v, %v", r, err)
		}
	})
}

// TestRooImages checks IM1 and IM2 in the bytes.
func TestRooImages(t *testing.T) {
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}`
	const other = `{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"Z2lm"}}`
	src := `[{"role":"user","content":[{"type":"text","text":"a"},` + image + `,{"type":"text","text":"b"},` + other + `],"ts":1,"x":true}]`

	t.Run("IM1", func(t *testing.T) { // each becomes a text in its place; order and other members stay
		var edits []transcript.Edit
		for i, text := range map[int]string{1: "[one]", 3: "[two]"} {
			at := transcript.Ref{Msg: 0, Block: i, Part: transcript.Whole}
			edits = append(edits, transcript.Edit{At: at, Op: transcript.Rewrite, Text: text})
		}
		got, _ := lowered(t, rooFile(t, src), edits)
		want := strings.Replace(src, image, `{"type":"text","text":"[one]"}`, 1)
		want = strings.Replace(want, other, `{"type":"text","text":"[two]"}`, 1)
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})

	for name, src := range map[string]string{
		"IM2": src, "IM2, no images": roo(t, "U A U"), "IM2, no content": roo(t, "U A U[]"),
	} {
		t.Run(name, func(t *testing.T) {
			f := rooFile(t, src)
			images := 0
			for _, b := range f.Convs[0].Blocks() {
				if b.Kind == transcript.Media {
					images++
				}
			}
			if got, _ := lowered(t, f, nil); got != src || images != strings.Count(src, `"image"`) {
				t.Errorf("%d images, and written\n%s", images, got)
			}
		})
	}
}
