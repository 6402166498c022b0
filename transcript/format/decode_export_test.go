package format

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
)

// TestChatFixtures checks that each export is accepted by its dialect and by no other dialect of
// exports.
func TestChatFixtures(t *testing.T) {
	chats := []*Dialect{&chatGPT, &claudeAI, &continueDev, &openWebUI, &libreChat, &chatbotUI, &grok, &langChain, &vscodeCopilot, &aiSDK}
	for path, src := range fixtures(t) {
		p, err := newProbe(src, false)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Base(filepath.Dir(path))
		for _, d := range chats {
			if got := d.sniff(p); got != (d.Name == folder) {
				t.Errorf("%s: claimed by %s: %t", path, d.Name, got)
			}
		}
	}
}

// TestCopiedTexts checks a member that repeats the texts of a message in one string. It follows each of them where
// it holds all of them, or only one. It is omitted where it holds them in another order, and one of these is cut.
func TestCopiedTexts(t *testing.T) {
	one := strings.Repeat("the first text, which is long enough to be looked for; ", 5)
	two := strings.Repeat("the second text, which is no shorter than that; ", 5)
	for name, format := range map[string]string{
		"claude-ai": `{"uuid":"c","chat_messages":[{"uuid":"m0","text":"q","content":[{"type":"text","text":"q"}],"sender":"human"},` +
			`{"uuid":"m1","text":%q,"content":[{"type":"text","text":%q},{"type":"text","text":%q}],"sender":"assistant"}]}`,
		"librechat": `{"conversationId":"c","messages":[{"messageId":"a","parentMessageId":null,"text":"q","isCreatedByUser":true},` +
			`{"messageId":"b","parentMessageId":"a","text":%q,"isCreatedByUser":false,"content":[{"type":"text","text":%q},{"type":"text","text":%q}]}]}`,
	} {
		for _, tt := range []struct{ copied, want string }{
			{one + two, "[cut]" + two},
			{one + "\n" + two + "\n", "[cut]\n" + two + "\n"},
			{two + one, "[omitted]"}, // in another order
			{one, "[cut]"},
			{"other words", "other words"},
			{"", ""},
		} {
			f := decoded(t, fmt.Sprintf(format, tt.copied, one, two))
			if f.Dialect.Name != name {
				t.Fatalf("%s is read as %s", name, f.Dialect.Name)
			}
			out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, "[cut]")
			if want := fmt.Sprintf(format, tt.want, "[cut]", two); out != want {
				t.Errorf("%s, with %.40q: got\n%s\nwant\n%s", name, tt.copied, out, want)
			}
		}
	}
}

// TestInspectEpochs checks that the quotes of a scorer follow the first epoch of their sample: it lists each sample
// once, and the epochs differ.
func TestInspectEpochs(t *testing.T) {
	answer := strings.Repeat("an answer that is long enough to be looked for; ", 6)
	sample := func(epoch string) string {
		return fmt.Sprintf(`{"id":1,%s"messages":[{"role":"user","content":"q"},{"role":"assistant","content":%q}]}`, epoch, answer)
	}
	log := func(samples string) string {
		return fmt.Sprintf(`{"status":"success","eval":{"task":"x"},"samples":[%s],"reductions":[{"samples":[{"sample_id":1,"answer":%q},{"sample_id":2,"answer":%q}]}]}`, samples, answer, answer)
	}
	for _, tt := range []struct {
		epochs []string
		edited int
		loses  bool
	}{
		{[]string{""}, 0, true},
		{[]string{`"epoch":1,`, `"epoch":2,`}, 0, true},
		{[]string{`"epoch":1,`, `"epoch":2,`}, 1, false},
		{[]string{`"epoch":2,`, `"epoch":1,`}, 1, true},
		{[]string{`"epoch":0,`}, 0, false},
	} {
		var samples []string
		for _, e := range tt.epochs {
			samples = append(samples, sample(e))
		}
		f := decoded(t, log(strings.Join(samples, ",")))
		final := append([]*transcript.Conversation(nil), f.Convs...)
		next, err := f.Convs[tt.edited].Apply([]transcript.Edit{{At: transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, Op: transcript.Rewrite, Text: "[cut]"}})
		if err != nil {
			t.Fatal(err)
		}
		final[tt.edited] = next
		out, err := f.Bytes(final)
		if err != nil {
			t.Fatal(err)
		}
		_, scores, _ := strings.Cut(string(out), `"reductions"`)
		if lost := strings.Contains(scores, `"sample_id":1,"answer":"[omitted]"`); lost != tt.loses || !strings.Contains(scores, fmt.Sprintf(`"sample_id":2,"answer":%q`, answer)) {
			t.Errorf("epochs %q, an edit of sample %d: %s", tt.epochs, tt.edited, scores)
		}
	}
}
