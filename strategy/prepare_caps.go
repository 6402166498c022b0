package strategy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// Cap limits the tokens of a result of some tools, or of an attachment of some kinds. The
// zero Cap matches none.
type Cap struct {
	Tool   Glob
	Tokens int // limit for one result, images included; a marker may be larger
}

// UnmarshalText parses "GLOB=TOKENS", such as "Bash=500" or "mcp__*=2k".
func (c *Cap) UnmarshalText(text []byte) (err error) {
	*c, err = parseCap(string(text))
	return err
}

func parseCap(s string) (Cap, error) {
	at := strings.LastIndexByte(s, '=')
	if at < 0 {
		return Cap{}, fmt.Errorf("expected TOOL_GLOB=TOKENS, such as Bash=500")
	}
	tool, err := parseGlob(s[:at])
	if err != nil {
		return Cap{}, err
	}
	t, err := parseTarget(s[at+1:])
	if err != nil || t.Tokens == 0 {
		return Cap{}, fmt.Errorf("malformed cap %q, expected tokens (500, 2k)", s[at+1:])
	}
	return Cap{tool, t.Tokens}, nil
}

var applyCaps = preparation{
	Name:     "cap", // shortens results to the cap of their tool
	access:   accessLines,
	demanded: func(_ *transcript.Conversation, o *Options) bool { return len(o.Caps) > 0 },
	run:      capResults,
}

// capResults shortens each result over its cap to the pieces with the most value, newest
// result first. It assumes that all other texts stay, so a fact that they mention has
// little value in a result.
func capResults(in *Input) Proposal {
	over := overCap(in)
	if len(over) == 0 {
		return Skip("no result that may be changed is over its cap")
	}
	survey := fact.Of(in.Conv)
	values := allocate.NewMarginal[fact.ID](factValues(survey), again)
	var refs []transcript.Ref
	for ref, b := range in.Conv.Blocks() {
		if _, ok := over[b]; ok {
			refs = append(refs, ref)
			continue
		}
		for i := range b.Parts {
			values.Keep(factsOf(survey.Mentions(&b.Parts[i])))
		}
	}
	var edits []transcript.Edit
	for _, ref := range slices.Backward(refs) {
		c := newCapped(in, survey, values, ref, over[in.Conv.Block(ref)])
		edits = append(edits, c.edits()...)
	}
	if len(edits) == 0 {
		return Skip("results over their cap are protected, or markers already")
	}
	return Proposal{Edits: edits}
}

// again is the share of its value that a fact has in a second mention. It is not 0,
// because the second mention may connect the fact with another one.
const again = 0.2

// overCap returns the cap of each result that may be shortened and has more tokens.
func overCap(in *Input) map[*transcript.Block]int {
	over := map[*transcript.Block]int{}
	for ref, b := range in.Conv.Blocks() {
		if staysWhole(b) || b.Fixed {
			continue
		}
		if limit := in.Opts.capOf(in.Conv, ref, b); in.Tokens(b) > limit {
			if limit += recorded(in.Tokens, b); in.Tokens(b) > limit {
				over[b] = limit
			}
		}
	}
	return over
}

// recorded returns the tokens of the records in a result. Caps do not limit records,
// because they stand for other calls.
func recorded(tokens func(*transcript.Block) int, b *transcript.Block) (sum int) {
	for i := range b.Parts {
		text := b.Parts[i].Text
		for from, to := range transcript.Records(text) {
			sum += tokens(&transcript.Block{Parts: []transcript.Part{{Text: text[from:to]}}})
		}
	}
	return sum
}

// capOf returns the smallest cap that matches the tool of a result, or the kind of an
// attachment. It returns math.MaxInt if none matches, and for other blocks.
func (o *Options) capOf(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) int {
	limit := math.MaxInt
	if b.Kind != transcript.ToolResult && !(b.Kind == transcript.Text && b.Tool != "" && b.Origin == transcript.Injected) {
		return limit
	}
	tool, _ := subject.Concerns(c, ref, b)
	for _, one := range o.Caps {
		if one.Tool.Name(tool) {
			limit = min(limit, one.Tokens)
		}
	}
	return limit
}

// capNotes reports, for people, the number of results that are still over their cap.
// Markers do not count.
func capNotes(c *transcript.Conversation, o *Options, tokens func(*transcript.Block) int) []string {
	if len(o.Caps) == 0 {
		return nil
	}
	n := 0
	for ref, b := range c.Blocks() {
		if limit := o.capOf(c, ref, b); limit < math.MaxInt && tokens(b) > limit && tokens(b) > limit+recorded(tokens, b) && !masked(b.Body()) {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 result keeps more than its cap: it is pinned, or has protected lines"}
	}
	return []string{fmt.Sprintf("%s results keep more than their cap: they are pinned, or have protected lines", transcript.Number(n))}
}
