package strategy

import (
	"context"
	"fmt"
	"strings"

	"condense/strategy/chronicle"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// Mask replaces each old tool result by one line.
var Mask = Strategy{
	Name:    "mask",
	Doc:     "tool results older than the newest tool rounds become one line each: tool, target, status, size",
	Loses:   "old output",
	Options: []string{"KeepRounds"},
	Run:     mask,
}

// mask proposes a stub for every result before the last rounds, oldest first, until the
// budget is met. It does not change pinned results and stubs.
func mask(_ context.Context, in *Input) (Proposal, error) {
	rounds := toolRounds(in.Conv)
	if len(rounds) <= in.Opts.KeepRounds {
		return Skip(fmt.Sprintf("%d tool rounds, the last %d are kept", len(rounds), in.Opts.KeepRounds)), nil
	}
	var edits []transcript.Edit
	need := in.Need
	later, _ := chronicle.ChangedLater(in.Conv)
	for _, u := range rounds[:len(rounds)-in.Opts.KeepRounds] {
		for _, id := range u.Msgs {
			for _, b := range in.Conv.Message(id).Blocks {
				if in.Budget > 0 && need <= 0 {
					return Proposal{Edits: edits}, nil
				}
				ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
				if e, ok := maskResult(in, ref, b, later); ok {
					edits = append(edits, e)
					need += in.delta(&e)
				}
			}
		}
	}
	return Proposal{Edits: edits}, nil
}

// maskResult returns the edit that replaces a result by a stub. ok is false if the block
// is no such result, or the edit saves nothing. later holds the calls of [chronicle.ChangedLater].
func maskResult(in *Input, ref transcript.Ref, b *transcript.Block, later map[*transcript.Block]string) (e transcript.Edit, ok bool) {
	if b.Kind != transcript.ToolResult || b.Fixed || b.Pin == transcript.Verbatim || masked(b.Body()) {
		return transcript.Edit{}, false
	}
	e = transcript.Edit{At: ref, Op: transcript.Rewrite, Text: stub(in.Conv, ref, b, later), Why: "old tool result"}
	return e, in.delta(&e) < 0
}

// masked reports whether a body is only a marker, or a reference followed by markers.
func masked(body string) bool {
	first, rest, _ := strings.Cut(body, "\n")
	if _, _, ok := parseReference(first); !ok {
		return transcript.IsMarker(body)
	}
	for line := range strings.Lines(rest) {
		if line = strings.TrimRight(line, "\n"); line != "" && !transcript.IsMarker(line) {
			return false
		}
	}
	return true
}

// stub returns the text that replaces a result: one marker and, if the call failed, the
// lines that say why. The marker of a call in later states that the file changed.
func stub(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block, later map[*transcript.Block]string) string {
	call, body, status := partner(c, ref), b.Body(), "ok"
	if later[call] != "" {
		status = chronicle.Later
	}
	name := subject.Name(call, b)
	if !b.Error {
		return transcript.Marker(name + ": " + status + ", " + amount(b))
	}
	marker := transcript.Marker(name + failedStub + amount(b))
	return strings.Join(append([]string{marker}, errorLines(body)...), "\n")
}

// failedStub stands in the marker of a failed result, between its name and its amount.
const failedStub = ": failed, "

// isFailedStub reports whether a body is the stub of a failed result.
func isFailedStub(body string) bool {
	line, _, _ := strings.Cut(body, "\n")
	return transcript.IsMarker(line) && strings.Contains(line, failedStub)
}

// amount describes the content of a result, for a marker: the size of its text, and the
// number of its images.
func amount(b *transcript.Block) string {
	var parts []string
	images := mediaParts(b)
	if body := b.Body(); body != "" || images == 0 {
		parts = append(parts, size(body))
	}
	if images > 0 {
		parts = append(parts, transcript.Plural(images, "image"))
	}
	return strings.Join(parts, " and ")
}

// mediaParts returns the number of images and other media in a block.
func mediaParts(b *transcript.Block) (n int) {
	for _, p := range b.Parts {
		if p.Media != nil {
			n++
		}
	}
	return n
}

// keptErrorLines is the largest number of lines of a failure that stay. The message and
// its origin have room in them.
const keptErrorLines = 8

// errorLines returns the lines of a failed result that say why it failed, in order and
// word for word. If no line does, it returns the first lines.
func errorLines(text string) []string {
	var picked, head []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(head) < keptErrorLines {
			head = append(head, line)
		}
		if fact.MentionsFailure(line) {
			if picked = append(picked, line); len(picked) == keptErrorLines {
				break
			}
		}
	}
	if picked == nil {
		return head
	}
	return picked
}

// size describes the size of a text, for a marker: in bytes if it is one line, and in
// lines otherwise.
func size(text string) string {
	n, noun := subject.Size(text)
	return transcript.Number(n) + " " + noun
}

// toolRounds returns the units that are tool rounds, oldest first. Open rounds are none.
func toolRounds(c *transcript.Conversation) (rounds []transcript.Unit) {
	for _, u := range c.Units() {
		if u.Kind == transcript.ToolRound && !u.Open {
			rounds = append(rounds, u)
		}
	}
	return rounds
}
