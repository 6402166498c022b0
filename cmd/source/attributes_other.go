//go:build !(darwin || freebsd || linux || netbsd)

package source

import "os"

// keepAttributes does nothing on systems without extended attributes.
func keepAttributes(_, _ *os.File) {}
