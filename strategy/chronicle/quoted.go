package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript/lazyregexp"
)

// This file reads a conversation that a tool returned: that of an earlier session, or the comments on a pull request. What
// its user said decides, and a reader must not take it for the conversation at hand.

// speaker matches the mark in front of what somebody said.
var speaker = lazyregexp.New(`^(?:\[(User|Human)\]|\[(?:Assistant|AI|Model|System|Tool)\]|(User|Human):|(?:Assistant|AI):)\s`)

// leastTurns is the number of marks of a user from which on a text is a conversation.
const leastTurns = 3

// speakerOf reports whether a line has a mark of a speaker, and whether that is a user.
func speakerOf(line string) (speaks, user bool) {
	if line == "" || strings.IndexByte("[UHA", line[0]) < 0 {
		return false, false
	}
	m := speaker.FindStringSubmatch(line)
	return m != nil, m != nil && m[1]+m[2] != ""
}

// markTurns finds what a user said in a conversation that a tool returned. All of it stands under the line in front of its
// first mark, and the end of a long line under its beginning.
func (t *text) markTurns() {
	if !t.isProse() || !strings.Contains(t.cut.Source, "\n[User] ") && !strings.Contains(t.cut.Source, "\nUser: ") && !strings.Contains(t.cut.Source, "\n[Human] ") && !strings.Contains(t.cut.Source, "\nHuman: ") {
		return
	}
	turns, users, first := make([]bool, len(t.cut.Pieces)), 0, squeeze.None
	for i := range t.cut.Pieces {
		speaks, user := speakerOf(t.source(i, i+1))
		if speaks && first == squeeze.None {
			first = i
		}
		if turns[i] = user; user {
			users++
		}
	}
	if users < leastTurns {
		return
	}
	title := first - 1
	for title >= 0 && strings.TrimSpace(t.source(title, title+1)) == "" {
		title--
	}
	begins := title
	for i := first; i < len(t.cut.Pieces); i++ {
		p := &t.cut.Pieces[i]
		if speaks, _ := speakerOf(t.source(i, i+1)); speaks || !t.continued(i) {
			begins = i
			p.Under = int32(title)
			continue
		}
		p.Under = int32(begins)
	}
	if title >= 0 {
		t.cut.Pieces[title].Under = squeeze.None
	}
	t.seldoms().turns = turns
}

// isTurn reports whether a piece begins what a user said in a conversation that a tool returned.
func (t *text) isTurn(i int) bool {
	return t.seldom != nil && t.seldom.turns != nil && t.seldom.turns[i]
}
