package rules

import (
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite testdata/findings.txt")

// randomBlock returns a block that some rule may refuse.
func randomBlock(r *rand.Rand) *transcript.Block {
	ids := []string{"a", "a", "b", "c", "", MadeUp + "1", strings.Repeat("i", 60), strings.Repeat("j", 64), strings.Repeat("k", 65), strings.Repeat("long ", 90)}
	tools := []string{"Read", "Read", "Bash", "a_1-Z", "x9", "two words", "", strings.Repeat("t", 64), strings.Repeat("t", 65)}
	id := func() string { return ids[min(r.IntN(20), r.IntN(len(ids)))%len(ids)] }
	b := &transcript.Block{Parts: []transcript.Part{{Text: []string{"x", "x", "one two", "", " ", "end \n"}[r.IntN(6)]}}}
	switch r.IntN(8) {
	case 0, 1:
		b.Kind, b.Origin, b.Call, b.Tool = transcript.ToolCall, transcript.ByModel, id(), tools[r.IntN(len(tools))]
		b.Opaque = max(0, r.IntN(30)-20)
	case 2, 3:
		b.Kind, b.Origin, b.Call, b.Error = transcript.ToolResult, transcript.ByTool, id(), r.IntN(5) == 0
	case 4:
		b.Kind, b.Origin, b.Opaque = transcript.Thinking, transcript.ByModel, max(0, []int{0, 1, 15, 16, 17, 200}[r.IntN(6)])
		b.Fixed = b.Opaque > 0
	case 5:
		b.Kind, b.Parts = transcript.Media, []transcript.Part{{Media: &transcript.Medium{
			Type: []string{"image/png", "application/pdf"}[r.IntN(2)], Width: 1999 + r.IntN(3), Height: 7999 + r.IntN(3),
			Bytes: []int{3, 5 << 20 / 4 * 3, 5<<20/4*3 + 3, 40 << 20}[r.IntN(4)],
		}}}
	default:
		if b.Origin = transcript.Origin(r.IntN(5)); r.IntN(20) == 0 {
			b.Tool, b.Fixed = "compaction", r.IntN(2) == 0
		}
	}
	return b
}

// randomConversation returns a conversation of a few messages, most of them without sense.
func randomConversation(r *rand.Rand) *transcript.Conversation {
	var all []*transcript.Message
	for range r.IntN(7) {
		m := &transcript.Message{Role: transcript.Role(r.IntN(4)), Hidden: r.IntN(12) == 0}
		for range r.IntN(4) {
			m.Blocks = append(m.Blocks, randomBlock(r))
		}
		all = append(all, m)
	}
	if r.IntN(100) == 0 { // a request of many images, or of many calls
		for range 19 + r.IntN(4) {
			all = append(all, user(image(2000+r.IntN(2), 1)))
		}
	}
	return transcript.New("", all)
}

// quotes are what a finding says of one conversation.
var quotes = regexp.MustCompile(`"[^"]*("|…)|[0-9]+| of [^ ]*( words)? has| the call .*`)

// TestFindingsOfAll checks how often each profile finds each fault in 3,000 random conversations, what a
// repair proposes, and what is left of the conversations after it. After a change, read the differences of
// go test ./transcript/rules -run TestFindingsOfAll -update.
func TestFindingsOfAll(t *testing.T) {
	var lines []string
	for _, p := range Profiles {
		r := rand.New(rand.NewPCG(15, 1))
		counts, all := map[string]int{}, fnv.New32a()
		for i := range 3000 {
			c := randomConversation(r)
			for _, f := range CheckFor(p, c) {
				fmt.Fprintln(all, f)
				counts[fmt.Sprintf("finds %v %s: %s", f.Severity, f.Rule, quotes.ReplaceAllString(f.Message, "“”"))]++
			}
			next, mends := Repair(p, c, transcript.Role(i%4), nil)
			for _, m := range mends {
				fmt.Fprintln(all, m.Edit.Why)
				counts[fmt.Sprintf("mends %s by %v: %s", m.Finding.Rule, m.Edit.Op, quotes.ReplaceAllString(m.Edit.Why, "“”"))]++
			}
			for _, f := range CheckFor(p, next) {
				counts[fmt.Sprintf("leaves %s", f.Rule)]++
			}
			for ref, b := range next.Blocks() {
				fmt.Fprintln(all, ref, next.Message(ref.Msg).Role, b.Kind, b.Call, b.Text())
			}
		}
		for _, what := range slices.Sorted(maps.Keys(counts)) {
			lines = append(lines, fmt.Sprintf("%s %s: %d", p.Name, what, counts[what]))
		}
		lines = append(lines, fmt.Sprintf("%s, the texts of all: %08x", p.Name, all.Sum32()))
	}
	transcripttest.FrozenText(t, "testdata/findings.txt", *update, strings.Join(lines, "\n")+"\n")
}
