package format

import (
	"path/filepath"
	"testing"
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
