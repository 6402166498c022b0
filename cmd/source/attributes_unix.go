//go:build darwin || freebsd || linux || netbsd

package source

import (
	"bytes"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes copies the extended attributes of a file to another, as far as this process may do so:
// labels of users and of the system, but not those that are a hash of the content or give rights.
func keepAttributes(to, from *os.File) {
	names := make([]byte, 1<<16)
	n, err := unix.Flistxattr(int(from.Fd()), names)
	if err != nil {
		return
	}
	for name := range bytes.SplitSeq(names[:n], []byte{0}) {
		value := make([]byte, 1<<16)
		if n, err := unix.Fgetxattr(int(from.Fd()), string(name), value); err == nil && !rightOrHash(string(name)) {
			_ = unix.Fsetxattr(int(to.Fd()), string(name), value[:n], 0)
		}
	}
}

// rightOrHash reports whether an attribute gives rights or depends on the content.
func rightOrHash(name string) bool {
	return strings.HasPrefix(name, "system.posix_acl") || name == "security.capability" || name == "security.ima" || name == "security.evm"
}
