package condense

import "fmt"

// ConflictError is an option that contradicts another. Both are named by their fields in
// Options.
type ConflictError struct{ Field, With string }

func (e *ConflictError) Error() string { return e.Field + " does not go with " + e.With }

// SelectError is an Options.Select that names no conversation of the source.
type SelectError struct {
	Select string
	Of     int // conversations in the source
}

func (e *SelectError) Error() string {
	return fmt.Sprintf("no conversation %q among %d", e.Select, e.Of)
}

// RefusedError is an output that would break a promise. It is not used.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return "output refused: " + e.Err.Error() }

// Unwrap returns the broken promise.
func (e *RefusedError) Unwrap() error { return e.Err }
