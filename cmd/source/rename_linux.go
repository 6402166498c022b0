package source

import (
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames a file in dir in one step, and fails with fs.ErrExist if the new name is taken.
// Some file systems do not support it.
func renameNew(dir *os.Root, from, to string) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Renameat2(int(d.Fd()), from, int(d.Fd()), to, unix.RENAME_NOREPLACE)
}
