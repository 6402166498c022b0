package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

const shot = `"$CHROME" --headless --disable-gpu --window-size=1280,800 --virtual-time-budget=8000 --screenshot=/tmp/harbour.png "http://localhost:5173/"`

// TestRetried checks which commands count as earlier forms of a later one.
func TestRetried(t *testing.T) {
	mended := strings.Replace(shot, "--headless", "--headless=new --use-gl=angle", 1)
	other := `git -C /srv/harbour log --oneline --since=2026-11-01 --until=2026-11-20 --author=ines -- gates`
	for _, tt := range []struct {
		name     string
		commands []string // "" is a request
		want     []bool
	}{
		{"with changes", []string{shot, mended}, []bool{true, false}},
		{"the same again", []string{shot, shot}, []bool{true, false}},
		{"other commands between", []string{shot, other, mended}, []bool{true, false, false}},
		{"another command", []string{shot, other}, []bool{false, false}},
		{"in another turn", []string{shot, "", mended}, []bool{false, false}},
		{"few words", []string{"npm run build", "npm run build"}, []bool{false, false}},
		{"too long ago", slices.Concat([]string{shot}, differing(newestAttempts), []string{mended}), slices.Concat([]bool{false}, make([]bool, newestAttempts), []bool{false})},
		{"just not too long ago", slices.Concat([]string{shot}, differing(newestAttempts-1), []string{mended}), slices.Concat([]bool{true}, make([]bool, newestAttempts-1), []bool{false})},
	} {
		msgs := []*transcript.Message{transcripttest.User("Take a picture.")}
		for i, command := range tt.commands {
			if command == "" {
				msgs = append(msgs, transcripttest.Model("Taken."), transcripttest.User("Again."))
				continue
			}
			id := fmt.Sprint("c", i)
			msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Bash", "command="+command)), transcripttest.Tool(id, "exit: 0"))
		}
		c := choiceOf(1000, transcripttest.Conversation(msgs...))
		var got []bool
		for i := range c.steps {
			got = append(got, c.steps[i].retried)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// differing returns commands of several words that have none in common.
func differing(n int) (list []string) {
	for i := range n {
		command := fmt.Sprint("tool", i)
		for k := range attemptWords {
			command += fmt.Sprintf(" -%c%d", 'a'+k, i)
		}
		list = append(list, command)
	}
	return list
}

// TestRetriedIsWorthLess checks that a record quotes the last form of a command before earlier ones.
func TestRetriedIsWorthLess(t *testing.T) {
	script := strings.ReplaceAll(shot, " --", " \\\n  --") + "\necho \"exit: $?\"\nls -la /tmp/harbour.png /tmp/harbour.log\ngrep -c error /tmp/harbour.log\n" + strings.Repeat("echo the picture of the harbour is there\n", 5)
	mended := strings.Replace(script, "--headless", "--headless=new", 1)
	msgs := []*transcript.Message{transcripttest.User("Take a picture.")}
	for i, command := range []string{script, mended} {
		id := fmt.Sprint("c", i)
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Bash", "command="+command)), transcripttest.Tool(id, "exit: 0"))
	}
	c := choiceOf(1000, transcripttest.Conversation(msgs...))
	first, last := c.steps[0].texts, c.steps[1].texts
	if len(first) == 0 || len(last) == 0 {
		t.Fatal("the scripts are no texts")
	}
	a, b := &c.texts[first[len(first)-1]], &c.texts[last[len(last)-1]]
	if c.weightOf(a) >= c.weightOf(b) {
		t.Errorf("the first form has the weight %v, the last %v", c.weightOf(a), c.weightOf(b))
	}
}
