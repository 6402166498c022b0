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

// overCap returns the cap of each result that may be shortened and has more tokens. Records
// in a result stand for other calls, so the cap has room for them.
func overCap(in *Input) map[*transcript.Block]int {
	over := map[*transcript.Block]int{}
	for ref, b := range in.Conv.Blocks() {
		if staysWhole(b) || b.Fixed {
			continue
		}
		if limit := in.Opts.capOf(in.Conv, ref, b); in.Tokens(b) > limit {
			bare := withoutRecords(b)
			if size := in.Tokens(bare); size > limit && (bare == b || !masked(bare.Body())) {
				over[b] = limit + in.Tokens(b) - size
			}
		}
	}
	return over
}

// withoutRecords returns a result without its records and the line breaks around them, and
// without the markers that stand for some of several parts, or the result itself if it has none.
func withoutRecords(b *transcript.Block) *transcript.Block {
	bare := b
	for i := range b.Parts {
		p := &b.Parts[i]
		text := p.Text[p.Head:]
		rest := transcript.WithoutRecords(text)
		if len(b.Parts) > 1 && subject.OnlyMarker(text) {
			rest = ""
		}
		if len(rest) == len(text) {
			continue
		}
		if bare == b {
			bare = &transcript.Block{Kind: b.Kind, Parts: slices.Clone(b.Parts)}
		}
		bare.Parts[i].Text = p.Text[:p.Head] + strings.Trim(rest, "\n")
	}
	return bare
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
		if limit := o.capOf(c, ref, b); limit < math.MaxInt && tokens(b) > limit && tokens(withoutRecords(b)) > limit && !masked(withoutRecords(b).Body()) {
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
