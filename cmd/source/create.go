package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateOptions are the choices of [Create]. The zero value creates a file as any tool would,
// and overwrites nothing.
type CreateOptions struct {
	From    *Input // what the content was made from, nil if nothing: never overwritten, never exposed
	Force   bool   // replace a file that exists
	Private bool   // a new file is for its owner alone: mode 0600

	fault func(step string) error // see run
}

// Creatable returns the error that Create would begin with, for asking before the work is done.
// It writes nothing.
func Creatable(path string, o CreateOptions) error {
	_, err := look(path, o)
	return err
}

// Create writes what write produces to a file at path. The file appears there complete or not at
// all: without Force only if the name is still free at the end, with Force in place of an old
// file, whose mode and owner it takes over. A new file has mode 0666 less the umask. Neither lets
// anyone read it who cannot read the file of o.From.
//
// A device, a FIFO and a name such as /dev/stdout or /dev/fd/63 are written to directly.
//
// Errors are an [*Error] (exit code 5, or 2 if path is the file of o.From), those of ctx, and
// those of write, unchanged. If the file exists, errors.Is finds fs.ErrExist.
func Create(ctx context.Context, path string, o CreateOptions, write func(io.Writer) error) error {
	old, err := look(path, o)
	if err != nil {
		return err
	}
	if isStream(path, old) {
		return writeStream(ctx, path, old, write)
	}
	place := path
	if old != nil { // a symbolic link stays: what it leads to is replaced
		if place, err = filepath.EvalSymlinks(path); err != nil {
			return writeFailed(path, err)
		}
	}
	dir, err := os.OpenRoot(filepath.Dir(place))
	if err != nil {
		return writeFailed(path, err)
	}
	defer dir.Close()

	p := product{target: path, dir: dir, base: filepath.Base(place), perm: 0o666, like: old, replace: o.Force, fault: o.fault}
	if o.Private {
		p.perm = 0o600
	}
	if old != nil {
		p.perm = old.Mode().Perm()
	}
	if o.From != nil && o.From.Info != nil {
		p.perm &= o.From.Info.Mode().Perm() | 0o700
	}
	return p.make(ctx, write)
}

// look examines path before anything is written. It returns what is there, nil if nothing is.
func look(path string, o CreateOptions) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, lookBeside(path)
	}
	switch {
	case err != nil:
		return nil, writeFailed(path, err)
	case info.IsDir():
		return nil, outputError(path, "is a directory, not a file", "name a file in it", nil)
	case o.From != nil && os.SameFile(info, o.From.Info):
		return nil, usageError(path, "is both the input and the output", "use -w to replace a file in place")
	case isStream(path, info):
		return info, nil
	case !info.Mode().IsRegular():
		return nil, outputError(path, "is a block device or a socket, not a file", "name a file", nil)
	case !o.Force:
		return nil, nameTaken(path)
	}
	return info, nil
}

// lookBeside examines where a file at path would come to be, when nothing is there.
func lookBeside(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return outputError(path, "is a symbolic link to a file that does not exist", "remove the link, or use another name", nil)
	}
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return outputError(path, "its directory does not exist", "create it first with mkdir -p "+printable(dir), nil)
	case err != nil:
		return writeFailed(path, err)
	case !info.IsDir() || base == "":
		return outputError(path, "is not a possible name for a file", "check the spelling", nil)
	}
	return nil
}
