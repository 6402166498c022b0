package fact

import (
	"fmt"
	"reflect"
	"testing"

	"condense/transcript"
)

func TestSurvey(t *testing.T) {
	say := func(role transcript.Role, origin transcript.Origin, text string) *transcript.Message {
		return &transcript.Message{Role: role, Blocks: []*transcript.Block{{Origin: origin, Parts: []transcript.Part{{Text: text}}}}}
	}
	gone := say(transcript.Assistant, transcript.ByModel, "old_name")
	gone.Hidden = true
	c := transcript.New("", []*transcript.Message{
		say(transcript.System, transcript.Injected, "always run make_check"),
		gone,
		say(transcript.User, transcript.Typed, "fix src/tide.go and readTide readTide"),
		say(transcript.Assistant, transcript.ByModel, "I look at /home/ana/src/tide.go"),
		say(transcript.Tool, transcript.ByTool, "readTide gauge.go"),
	})
	s := Of(c)
	if s.Visible != 4 {
		t.Errorf("%d visible messages, want 4", s.Visible)
	}
	want := []struct {
		at, part int
		fact     Fact
	}{
		{0, 0, Fact{Messages: 1, Newest: 0, NewestSaid: -1, Standing: true}},
		{2, 0, Fact{Messages: 2, Newest: 2, NewestSaid: 2}},
		{2, 1, Fact{Messages: 2, Newest: 2, NewestSaid: 2}}, // tide.go
		{2, 2, Fact{Messages: 2, Newest: 3, NewestSaid: -1}},
		{4, 1, Fact{Messages: 1, Newest: 3, NewestSaid: -1}},
	}
	for _, w := range want {
		m := s.Mentions(&c.Messages[w.at].Blocks[0].Parts[0])[w.part]
		if got := *s.Fact(m.Fact); got != w.fact {
			t.Errorf("message %d, mention %d: %+v, want %+v", w.at, w.part, got, w.fact)
		}
	}
	if got := s.Mentions(&gone.Blocks[0].Parts[0]); got != nil {
		t.Errorf("hidden history mentions %v", got)
	}
	texts := 0
	for text := range s.Texts() {
		if len(text.Mentions) == 0 {
			t.Errorf("message %d without mentions", text.Message)
		}
		texts++
	}
	if texts != 4 {
		t.Errorf("%d texts, want 4", texts)
	}
}

// TestSurveyInRuns checks that the survey does not depend on the number of runs.
func TestSurveyInRuns(t *testing.T) {
	var msgs []*transcript.Message
	for i := range 40 {
		m := &transcript.Message{Role: transcript.Assistant, Hidden: i%11 == 3}
		origin := transcript.ByModel
		if i%3 == 0 {
			m.Role, origin = transcript.Tool, transcript.ByTool
		}
		if i == 25 {
			m.Role, origin = transcript.System, transcript.Injected
		}
		text := fmt.Sprintf("src/gauge%d.go has readTide%d and tide_%d", i%7, i%5, i)
		m.Blocks = []*transcript.Block{{Origin: origin, Parts: []transcript.Part{{Text: text}, {Text: "readTide4 harbour"}}}}
		msgs = append(msgs, m)
	}
	c := transcript.New("", msgs)
	want := survey(c, 1, 0)
	for _, n := range []int{2, 3, 7, 100} {
		if runs := len(runsOf(c, n, 0)); runs < 2 || runs > n {
			t.Errorf("%d runs, want 2 to %d", runs, n)
		}
		if got := survey(c, n, 0); !reflect.DeepEqual(got, want) {
			t.Errorf("in %d runs: differs from the survey in one run", n)
		}
	}
	if got := survey(transcript.New("", nil), 4, 0); got.Visible != 0 || got.Len() != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// TestPassing checks which keys are times, durations and modes of files.
func TestPassing(t *testing.T) {
	for key, want := range map[string]bool{
		"2026-06-19T16": true, "03Z": true, "03.094Z": true, "385ms": true, "0.3s": true, "drwxr-xr-x": true, "-rw-r--r--": true,
		"2026-06-19": false, "385": false, "385px": false, "1.2.3": false, "docker-run": false, "d": false, "src/2026-06-19T16.log": false, "12": false,
	} {
		if got := isPassing(key); got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
}
