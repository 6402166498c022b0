package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// mixedSession invents a session with outputs of many tools, some of them several times, and with all that
// texts can have: rules, tags, reminders, thoughts, images, lists of tasks, summaries and markers.
func mixedSession(t testing.TB, seed uint64) *transcript.Conversation {
	data, err := os.ReadFile("squeeze/testdata/outputs.txt")
	if err != nil {
		t.Fatal(err)
	}
	outputs := strings.Split(string(data), "\n-- ")
	r := rand.New(rand.NewPCG(seed, 29))
	sentences := []string{"Never push to main.", "The moon is in src/tide/moon.go.", "I shall look at `Level` next, because the tests of it fail.", "It was off by one: 12,000 of 12,001 rows.", "There are 12000 rows of 12001, off by one.", "Please keep it short; see https://example.org/a.", "Done. All 14 tests pass now.", "That did not work, so I shall try something else."}
	prose := func() string {
		var text strings.Builder
		for range 1 + r.IntN(9) {
			text.WriteString(sentences[r.IntN(len(sentences))] + []string{" ", " ", "\n\n", "\n- "}[r.IntN(4)])
		}
		return text.String()
	}
	msgs := []*transcript.Message{transcripttest.System("You must always run the tests. " + prose()), transcripttest.User("Mend the tides. " + prose())}
	for i := range 10 + r.IntN(16) {
		id := fmt.Sprint(i)
		name, text, _ := strings.Cut(outputs[r.IntN(len(outputs))], " --\n")
		call := transcripttest.Call(id, "Bash", "command="+name)
		if path, ok := strings.CutPrefix(name, "path "); ok {
			call = transcripttest.Call(id, "Read", "path=src/"+path)
		}
		result := transcripttest.Result(id, text)
		switch r.IntN(14) {
		case 0:
			msgs = append(msgs, transcripttest.User("And now <keep>the moon</keep>. <drop>"+prose()+"</drop>"))
		case 1:
			msgs = append(msgs, transcripttest.Message(transcript.User, transcript.Injected, "<system-reminder>\n"+prose()+"</system-reminder>"))
		case 2:
			msgs = append(msgs, transcripttest.Model(transcripttest.Call("t"+id, "TodoWrite", "todos=- [x] read\n- [ ] mend "+id)), transcripttest.Tool("t"+id, "ok"))
		case 3:
			msgs = append(msgs, transcripttest.Model(prose()), transcripttest.User(prose()))
		case 4:
			result.Parts = append(result.Parts, transcript.Part{Media: &transcript.Medium{Type: "image/png", Bytes: 3000}})
		case 5:
			result = transcripttest.Failing(result)
		case 6:
			result = transcripttest.WithText(transcripttest.EmptyResult(id), "[12 lines omitted]\n"+text+"[condensed: Read src/a.go (214 lines)]\n")
		case 7:
			msgs = append(msgs, transcripttest.Hidden(transcripttest.Model(prose())))
		case 8:
			msgs = append(msgs, transcripttest.Message(transcript.User, transcript.Generated, "## Conversation Summary: lines of it\n"+prose()))
		case 9:
			call = transcripttest.Call(id, "Write", "path=src/tide.go", "content="+text)
			result = transcripttest.Result(id, "written")
		case 10:
			result = transcripttest.Result(id, strings.Repeat(text, 4)+strings.Repeat("QUJD", 300))
		}
		blocks := []any{call}
		if r.IntN(3) == 0 {
			blocks = append([]any{transcripttest.Thinking(prose())}, blocks...)
		}
		if r.IntN(3) == 0 {
			blocks = append([]any{prose()}, blocks...)
		}
		msgs = append(msgs, transcripttest.Model(blocks...), transcripttest.Message(transcript.Tool, transcript.ByTool, result))
		if r.IntN(5) == 0 {
			msgs = append(msgs, transcripttest.Model(prose()), transcripttest.User("next: "+prose()))
		}
	}
	return transcripttest.Conversation(append(msgs, transcripttest.Model(prose()))...)
}

// told returns what a run says about itself.
func told(r *strategy.Result) string {
	var s strings.Builder
	fmt.Fprintln(&s, r.Before, r.After, r.Budget, r.Raised, r.Decision, r.Floor, r.Notes, r.Faults)
	for _, st := range r.Stages {
		fmt.Fprintln(&s, st.Name, st.Skipped, st.Failed, st.Left, st.Refused, st.Refusals, st.Planned, st.Fallback, st.Before, st.After)
		if st.Asked != nil {
			fmt.Fprintln(&s, st.Asked.Text, st.Asked.Remarks, st.Asked.In, st.Asked.Out, st.Asked.Calls)
		}
		for _, e := range st.Edits {
			fmt.Fprintln(&s, e.At, e.Op, e.Text, e.Group, e.Why, e.Same)
		}
	}
	for _, removed := range r.Removed {
		fmt.Fprintln(&s, removed)
	}
	for ref, why := range r.Reasons() {
		fmt.Fprintln(&s, ref, why)
	}
	return s.String()
}

// content returns all that a conversation holds.
func content(c *transcript.Conversation) string {
	var s strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintln(&s, m.ID, m.Role, m.Hidden, m.Hides)
		for _, b := range m.Blocks {
			fmt.Fprintln(&s, b.ID, b.Kind, b.Origin, b.Pin, b.Tool, b.Call)
			for _, p := range b.Parts {
				fmt.Fprintln(&s, p.Name, p.Text, p.Media != nil)
			}
		}
	}
	return s.String()
}
