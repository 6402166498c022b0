package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// product is a file that Create writes, or a copy that becomes a backup.
type product struct {
	target  string // as the user named it, for messages
	dir     *os.Root
	base    string
	perm    fs.FileMode // less the umask, unless like is set
	like    fs.FileInfo // the file that it replaces or copies; nil if it is new
	from    *os.File    // open on like, for its extended attributes; may be nil
	replace bool        // replace a file that has the name at the end
	loose   bool        // do not flush it to the disk

	fault func(step string) error // see run
}

// make does the steps of Create.
func (p product) make(ctx context.Context, write func(io.Writer) error) error {
	var t *temp
	defer func() {
		if t != nil {
			t.discard()
		}
	}()
	return run(ctx, p.fault, []step{
		{"temp", func() (err error) { t, err = newTemp(p.dir, p.target, p.base, p.firstPerm()); return err }},
		{"write", func() error { return t.fill(ctx, write) }},
		{"mode", func() error { return p.setMode(t) }},
		{"sync", func() error { return p.sync(t) }},
		{"verify", func() error { return t.verify() }},
		{"rename", func() error { return p.publish(t) }},
	})
}

// firstPerm returns the mode for the creation of the file: the final one for a new file,
// because only the kernel can apply the umask, and 0600 for a file that takes its mode and
// owner from another.
func (p product) firstPerm() fs.FileMode {
	if p.like != nil {
		return 0o600
	}
	return p.perm
}

func (p product) setMode(t *temp) error {
	if p.like == nil {
		return nil
	}
	return t.setMode(p.perm, p.like, p.from)
}

func (p product) sync(t *temp) error {
	if p.loose {
		return nil
	}
	return t.sync()
}

// publish moves the file to its name.
func (p product) publish(t *temp) error {
	publish := t.link
	if p.replace {
		publish = t.rename
	}
	if err := publish(p.base); err != nil {
		return err
	}
	if p.loose {
		return nil
	}
	if err := syncDir(p.dir); err != nil {
		return writeFailed(p.target, err)
	}
	return nil
}

// link moves the file to its final name if that is free, in one atomic step.
func (t *temp) link(base string) error {
	switch err := renameNew(t.dir, t.name, base); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return nameTaken(t.target)
	}
	return t.hardLink(base)
}

// hardLink does the work of link on file systems that cannot rename in this way. A kill after its first step leaves
// the temporary name, too.
func (t *temp) hardLink(base string) error {
	err := t.dir.Link(t.name, base)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nameTaken(t.target)
	case err != nil:
		return t.claim(base)
	}
	if err := t.dir.Remove(t.name); err != nil {
		return writeFailed(t.target, err)
	}
	return nil
}

// claim does the work of link on file systems without hard links: it creates an empty file with
// the final name, and replaces that file. A kill between these steps leaves the empty file.
func (t *temp) claim(base string) error {
	f, err := t.dir.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nameTaken(t.target)
	}
	if err != nil {
		return writeFailed(t.target, err)
	}
	f.Close()
	if err := t.rename(base); err != nil {
		t.dir.Remove(base)
		return err
	}
	return nil
}

func nameTaken(target string) error {
	return outputError(target, "not overwritten without --force", "use --force, or another name", fs.ErrExist)
}
