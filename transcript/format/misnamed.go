package format

import (
	"errors"

	"condense/transcript/internal/rawjson"
)

// misnamed is the error of a source in which the dialect that the caller named finds no
// message, though there is something in it: another dialect finds some, or none knows it. It
// is nil for a source that is empty in every reading.
func misnamed(src []byte, name string) error {
	e := &Error{Offset: -1, Named: name, Reason: "there are no messages in it as " + name}
	other, err := decode(src, "", new(rawjson.Texts))
	var unknown *Error
	switch {
	case errors.As(err, &unknown):
		e.Reason += "; detection says: " + unknown.Reason
		e.Known = dialectNames()
	case err != nil:
		return err
	case !other.hasMessages():
		return nil
	default:
		e.Reason += ": it looks like " + other.Dialect.Name
		e.Like = other.Dialect.Name
	}
	return e
}

// hasMessages reports whether any conversation has a message, hidden ones included.
func (f *File) hasMessages() bool {
	for _, c := range f.Convs {
		if len(c.Messages) > 0 {
			return true
		}
	}
	return false
}
