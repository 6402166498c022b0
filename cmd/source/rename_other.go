//go:build !linux

package source

import (
	"errors"
	"os"
)

// renameNew is not supported by this system.
func renameNew(*os.Root, string, string) error { return errors.ErrUnsupported }
