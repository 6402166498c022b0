package condense

import "fmt"

// OptionError is an option that makes no sense.
type OptionError struct {
	Field   string // its name, as in Options
	Problem string // what is wrong, to be read after the name
}

func (e *OptionError) Error() string { return e.Field + " " + e.Problem }

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
