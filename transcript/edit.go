package transcript

import "fmt"

// Ref addresses a message, a block or a part by identity, not by position: it
// stays right whatever other edits do.
type Ref struct {
	Msg   int // Message.ID, or End
	Block int // Block.ID, or Whole for the message
	Part  int // index in Block.Parts, or Whole for the block
}

const (
	// Whole as Ref.Block or Ref.Part addresses the level above.
	Whole = -1
	// End as Ref.Msg of an Insert appends after the last message.
	End = -1
)

// At addresses a whole message.
func At(msg int) Ref { return Ref{msg, Whole, Whole} }

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

// Op is what an edit does.
type Op uint8

// The operations.
const (
	// Rewrite replaces the text of a part, or of a whole block, which then has
	// exactly one text part in place of its first.
	Rewrite Op = iota
	// Drop removes a block or a message. A message without blocks goes too.
	Drop
	// Insert puts Edit.New before the message that At addresses.
	Insert
)

func (o Op) String() string { return [...]string{"rewrite", "drop", "insert"}[o] }

// Edit is one proposed change, with its reason.
type Edit struct {
	At   Ref
	Op   Op
	Text string   // Rewrite: the new text, not empty
	New  *Message // Insert: role and blocks; identities are given by Apply
	Same *Ref     // Rewrite to a reference: the block that still holds the content
	// Group is a number shared by edits that stand or fall together, such as a
	// summary and the drops it replaces. 0: the edit stands alone.
	Group int
	Why   string // short, for people
}

// EditError says which edit was refused and why.
type EditError struct {
	Edit   Edit
	Reason string
}

func (e *EditError) Error() string {
	return fmt.Sprintf("%s %s refused: %s", e.Edit.Op, e.Edit.At, e.Reason)
}
