package strategy_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// TestCharacters checks that no strategy and no cap cuts a character in two: an emoji of several code
// points, a flag, a letter with combining marks. Every character of an output is one of the input or of
// a marker in ASCII.
func TestCharacters(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	clusters := []string{"👨‍👩‍👧‍👦", "🇳🇴", "e\u0301\u0327", "각", "👍🏽", "षि"}
	known := map[string]bool{"→": true, "−": true, "…": true, "×": true, "\r\n": true}
	for _, c := range clusters {
		known[c] = true
	}
	for _, width := range []int{1, 7, 40} {
		c := oddCharacters(clusters, width)
		for _, share := range []float64{0.5, 0.3, 0.1} {
			for _, stages := range append([][]*strategy.Strategy{strategy.Hybrid}, single(strategy.All)...) {
				o := strategy.Defaults()
				o.Target.Share, o.KeepRounds, o.UnpinUser, o.Caps = share, 1, true, caps(fmt.Sprintf("fetch=%d", 20+width))
				r, err := strategy.Run(t.Context(), c, stages, &o, strategy.Env{Tokens: counter.Block})
				if err != nil {
					t.Fatal(err)
				}
				for ref, b := range r.Conv.Blocks() {
					text := b.Text()
					if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
						t.Fatalf("width %d, %s at %.1f, %v: not UTF-8: %.80q", width, stages[0].Name, share, ref, text)
					}
					for g := uniseg.NewGraphemes(text); g.Next(); {
						if s := g.Str(); len(s) > 1 && !known[s] {
							t.Fatalf("width %d, %s at %.1f, %v: %q is no character of the input, near %q", width, stages[0].Name, share, ref, s, text[max(0, strings.Index(text, s)-20):])
						}
					}
				}
			}
		}
	}
}

// single returns a pipeline for each strategy.
func single(list []*strategy.Strategy) (pipelines [][]*strategy.Strategy) {
	for _, s := range list {
		pipelines = append(pipelines, []*strategy.Strategy{s})
	}
	return pipelines
}

// oddCharacters returns a conversation of characters that have several code points, in lines of about
// width characters and in one long line, as text of each author.
func oddCharacters(clusters []string, width int) *transcript.Conversation {
	var line, page strings.Builder
	for i := range 600 {
		line.WriteString(clusters[i%len(clusters)])
		page.WriteString(clusters[(i/3)%len(clusters)])
		if i%width == width-1 {
			fmt.Fprintf(&page, " %d\n", i)
		}
	}
	msgs := []*transcript.Message{transcripttest.User("Please look at the signs. " + line.String())}
	for i := range 6 {
		id := fmt.Sprint("c", i)
		msgs = append(msgs,
			transcripttest.Model(fmt.Sprintf("Sign %d: ", i)+page.String(), transcripttest.Call(id, "fetch", "sign="+line.String()[:len(clusters[0])*(i%2)]+clusters[i], "note="+line.String())),
			transcripttest.Tool(id, fmt.Sprintf("sign %d\n", i)+page.String()+line.String()))
	}
	return transcripttest.Conversation(append(msgs, transcripttest.User("Thanks."), transcripttest.Model("Done: "+clusters[0]))...)
}
