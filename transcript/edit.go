package transcript

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Ref addresses a message, a block or a part by identity. It stays valid after
// edits of other messages and blocks.
type Ref struct {
	Msg   int // Message.ID, or End
	Block int // Block.ID, or Whole for the message
	Part  int // index in Block.Parts, or Whole for the block
}

const (
	// Whole as Ref.Block or Ref.Part addresses the level above.
	Whole = -1
	// End as Ref.Msg of an Insert appends after the last message that was not undone.
	End = -1
)

// At returns the address of a whole message.
func At(msg int) Ref { return Ref{msg, Whole, Whole} }

// String returns the address for people, such as "message 3 block 0".
func (r Ref) String() string {
	switch {
	case r.Msg == End:
		return "end"
	case r.Block == Whole:
		return fmt.Sprintf("message %d", r.Msg)
	case r.Part == Whole:
		return fmt.Sprintf("message %d block %d", r.Msg, r.Block)
	default:
		return fmt.Sprintf("message %d block %d part %d", r.Msg, r.Block, r.Part)
	}
}

// Op is the operation of an edit.
type Op uint8

// The operations.
const (
	// Rewrite replaces the text of a part, or of a whole block. A block that is
	// rewritten whole has exactly one part afterwards.
	Rewrite Op = iota
	// Drop removes a block or a message. A message whose last block is dropped is
	// removed, too.
	Drop
	// Insert inserts Edit.New before the message that At addresses.
	Insert
)

// String returns the operation in lower case: "rewrite", "drop" or "insert".
func (o Op) String() string { return [...]string{"rewrite", "drop", "insert"}[o] }

// Edit is one proposed change, with its reason.
type Edit struct {
	At   Ref
	Op   Op
	Text string   // Rewrite: the new text, not empty
	New  *Message // Insert: role and blocks; Apply sets the identities of a copy
	Same *Ref     // Rewrite by a reference: the block that still holds the content; nil otherwise
	// Group is shared by edits that are applied together or not at all, such as a
	// summary and the drops that it replaces. 0: the edit is independent.
	Group int
	Why   string // short reason for people
}

// EditError is the refusal of an edit by [Conversation.Apply].
type EditError struct {
	Edit   Edit
	Reason string // for people
}

// Error returns the operation, the address and the reason.
func (e *EditError) Error() string {
	return fmt.Sprintf("%s %s refused: %s", e.Edit.Op, e.Edit.At, e.Reason)
}

// Marker keeps its phrase under maxMarker, so that IsMarker recognises every marker
// in the next run.
const (
	maxMarker = 400 // bytes
	omitted   = " omitted]"
)

// Marker returns the bracketed phrase that stands where content was removed:
// Marker("Read src/a.go: 214 lines") is "[Read src/a.go: 214 lines omitted]".
// The argument names the content and not the number of a message, which changes.
// Marker replaces brackets and line breaks in it and cuts it at 400 bytes.
func Marker(what string) string {
	what = strings.Map(func(r rune) rune {
		switch {
		case r == '[' || r == '{' || r == '<':
			return '('
		case r == ']' || r == '}' || r == '>':
			return ')'
		case r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		}
		return r
	}, what)
	if room := maxMarker - len(omitted) - 1; len(what) > room {
		for !utf8.RuneStart(what[room]) {
			room--
		}
		what = what[:room]
	}
	return "[" + what + omitted
}

// IsMarker reports whether the first line of text is the result of [Marker].
func IsMarker(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(line, "[") && strings.HasSuffix(line, omitted) && Marker(line[1:len(line)-len(omitted)]) == line
}

// Number writes n for people, with a comma between thousands: 1,204,112.
func Number(n int) string {
	digits, sign := strconv.Itoa(n), ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural writes n with its noun: "1 line", "2,140 lines".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}
