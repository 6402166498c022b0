package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"condense/cmd/stash"
	"condense/transcript"
	"condense/transcript/marker"
)

// Limits of the result of expand. Clients cut or refuse results of more than about 25,000 tokens.
const (
	mostText  = 40_000 // bytes of removed text
	mostNamed = 100    // texts that are only named
)

type expandInput struct {
	ID   string `json:"id" jsonschema:"the number in a marker, without its sign: 6 to 9 digits"`
	From int    `json:"from,omitempty" jsonschema:"byte of a long text to begin at, from 0, as the result before says"`
}

// expand returns a removed text after a line that names it. A group has such a pair for each text.
func (s *Session) expand(ctx context.Context, _ *sdk.CallToolRequest, in expandInput) (*sdk.CallToolResult, any, error) {
	id := strings.TrimPrefix(in.ID, "#")
	if !marker.IsID(id) {
		return nil, nil, fmt.Errorf("%.80q is no id: an id has 6 to 9 digits, such as 482193 of [12 lines #482193 omitted]; paths and file names are not accepted", in.ID)
	}
	own, all, err := s.entries(ctx)
	if err != nil {
		return nil, nil, refused(err)
	}
	x, ok, err := s.Store.Expand(own, id)
	if err != nil {
		return nil, nil, refused(err)
	}
	if !ok {
		if _, other, err := s.Store.Expand(all, id); other || err != nil {
			return nil, nil, fmt.Errorf("the id %s belongs to another session: this server has only the text of its own", id)
		}
		return nil, nil, fmt.Errorf("no removed text of this session has the id %s; search finds text by its words", id)
	}
	if len(x.Texts) == 0 {
		return nil, nil, fmt.Errorf("the texts of %s are no longer in the stash", id)
	}
	if in.From != 0 && len(x.Texts) > 1 {
		return nil, nil, fmt.Errorf("from goes with the id of one text, and %s stands for %d texts", id, len(x.Texts))
	}
	parts, err := written(x.Texts, in.From)
	return text(parts), nil, err
}

// written returns texts with their names, up to the limits, and a statement of what is left out. The
// first text begins at byte from.
func written(texts []stash.Text, from int) (parts []string, err error) {
	room := mostText
	for i, t := range texts {
		if from < 0 || from > len(t.Text) {
			return nil, fmt.Errorf("from is %d, and the text has %d bytes", from, len(t.Text))
		}
		for from > 0 && from < len(t.Text) && !utf8.RuneStart(t.Text[from]) {
			from--
		}
		if room < len(t.Text)-from && i > 0 {
			return append(parts, left(texts[i:])), nil
		}
		end := min(len(t.Text), from+room)
		for end < len(t.Text) && !utf8.RuneStart(t.Text[end]) {
			end--
		}
		parts = append(parts, name(&t)+":", t.Text[from:end])
		if end < len(t.Text) {
			parts = append(parts, fmt.Sprintf("Left out: bytes %d to %d of %d. Call expand with id %s and from %d for the rest.", end, len(t.Text), len(t.Text), t.ID, end))
		}
		room -= end - from
	}
	return parts, nil
}

// left names the texts that a result leaves out.
func left(texts []stash.Text) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Left out: %s. Call expand with the id of each:\n", transcript.Plural(len(texts), "text"))
	for _, t := range texts[:min(len(texts), mostNamed)] {
		fmt.Fprintf(&b, "%s %s\n", t.ID, name(&t))
	}
	if n := len(texts) - mostNamed; n > 0 {
		fmt.Fprintf(&b, "and %d more, which search finds\n", n)
	}
	return b.String()
}

// name names a text: "message 12, tool result Read src/a.go, 4,512 bytes".
func name(t *stash.Text) string {
	parts := []string{fmt.Sprintf("message %d", t.Message)}
	if t.Conversation > 1 {
		parts[0] = fmt.Sprintf("conversation %d, %s", t.Conversation, parts[0])
	}
	if t.What != "" {
		parts = append(parts, t.What)
	}
	return strings.Join(append(parts, transcript.Plural(len(t.Text), "byte")), ", ")
}

// refused returns an error for the model, with the advice for people.
func refused(err error) error {
	var advised interface{ Hint() string }
	if errors.As(err, &advised) && advised.Hint() != "" {
		return fmt.Errorf("%w (%s)", err, advised.Hint())
	}
	return err
}
