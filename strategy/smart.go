package strategy

import (
	"context"
	"regexp"
	"sort"
	"strings"

	"condense/strategy/chronicle"
	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// Smart shortens a conversation in place and in order. See package chronicle.
var Smart = Strategy{
	Name:    "smart-compress",
	Doc:     "requests, answers and what was done stay in their place and order; results keep the regions and lines most likely to be needed, and older calls become records of one line",
	Loses:   "the lines least likely to be needed",
	Options: []string{"Protect"},
	Aims:    true, access: accessRecords,
	Run: smart,
}

// noTarget is the reason to skip a strategy that aims at a budget when Options.Fraction
// replaces the budget.
const noTarget = "a fraction stands in for the target that it works towards"

func smart(_ context.Context, in *Input) (Proposal, error) {
	if in.Budget == 0 {
		return Skip(noTarget), nil
	}
	survey := fact.Of(in.Conv)
	values := factValues(survey)
	survey.Forget()
	s := chronicle.Source{
		Conv: in.Conv, Budget: in.Budget, Tokens: in.Tokens, Survey: survey, Value: values,
		Hint: func(ref transcript.Ref, b *transcript.Block, part int) squeeze.Hint {
			return hint(in.Conv, ref, b, part)
		},
		Held: in.held, Unpinned: in.Opts.UnpinUser, Tags: in.Opts.actingTags(), Original: in.before,
	}
	edits := s.Edits()
	if len(edits) == 0 {
		return Skip(allKept), nil
	}
	return Proposal{Edits: edits}, nil
}

// before returns a block of the conversation as it was before the first stage, or nil for a block that an
// earlier stage added.
func (in *Input) before(ref transcript.Ref) *transcript.Block {
	if in.original == nil { // another stage made the input
		return nil
	}
	return in.original.Block(ref)
}

// hint describes a text by the call that it belongs to: the tool, the command and the
// path.
func hint(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block, part int) squeeze.Hint {
	h, call := squeeze.Hint{Failed: b.Error}, b
	switch b.Kind {
	case transcript.ToolResult:
		call = partner(c, ref)
	case transcript.ToolCall:
		h.Arg = b.Parts[part].Name
	default:
		return h
	}
	h.Tool = b.Tool
	if call != nil {
		if call.Tool != "" {
			h.Tool = call.Tool
		}
		h.Command, h.Path = subject.Command(call), subject.Path(call)
	}
	return h
}

// held returns the pieces of a text that Options.Protect or a keep tag protects, in any
// order.
func held(o *Options, b *transcript.Block, text *squeeze.Text) []int {
	pieces := protected(text, o.Protect)
	for _, m := range o.Tags.kept(b, text.Source) {
		pieces = append(pieces, piecesIn(text, m.from, m.to)...)
	}
	return pieces
}

// protected returns the pieces of a text that have a match of one of the expressions, in
// any order. An expression matches within a line, without the line break. An empty match
// protects the whole line.
func protected(text *squeeze.Text, list []*regexp.Regexp) (pieces []int) {
	if len(list) == 0 {
		return nil
	}
	at := 0
	for line := range strings.Lines(text.Source) {
		bare := strings.TrimRight(line, "\r\n")
		for _, re := range list {
			for _, m := range re.FindAllStringIndex(bare, -1) {
				from, to := at+m[0], at+m[1]
				if from == to {
					from, to = at, at+len(line)
				}
				pieces = append(pieces, piecesIn(text, from, to)...)
			}
		}
		at += len(line)
	}
	return pieces
}

// piecesIn returns the pieces that overlap the bytes from (inclusive) to (exclusive).
func piecesIn(text *squeeze.Text, from, to int) (pieces []int) {
	i := sort.Search(len(text.Pieces), func(i int) bool { return int(text.Pieces[i].End) > from })
	for ; i < len(text.Pieces) && int(text.Pieces[i].Start) < to; i++ {
		pieces = append(pieces, i)
	}
	return pieces
}
