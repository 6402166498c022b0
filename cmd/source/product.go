package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// product is a file that Create makes, or the copy that becomes a backup.
type product struct {
	target  string // as the user wrote it, for messages
	dir     *os.Root
	base    string
	perm    fs.FileMode // less the umask, unless there is a like
	like    fs.FileInfo // the file whose place it takes or whose copy it is; nil if it is new
	replace bool        // whatever has the name when the file is complete

	fault func(step string) error // see run
}

// make follows the plan for a file that nobody has read before.
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
		{"sync", func() error { return t.sync() }},
		{"verify", func() error { return t.verify() }},
		{"rename", func() error { return p.publish(t) }},
	})
}

// firstPerm is the mode that the file is created with: final for a new file, because only the
// kernel can apply the umask; private for one that is to get the mode and owner of another.
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
	return t.setMode(p.perm, p.like)
}

// publish gives the file its name.
func (p product) publish(t *temp) error {
	publish := t.link
	if p.replace {
		publish = t.rename
	}
	if err := publish(p.base); err != nil {
		return err
	}
	if err := syncDir(p.dir); err != nil {
		return writeFailed(p.target, err)
	}
	return nil
}

// link gives the file its final name if that is free, in one atomic step.
func (t *temp) link(base string) error {
	err := t.dir.Link(t.name, base)
	if errors.Is(err, fs.ErrExist) {
		return nameTaken(t.target)
	}
	if err != nil {
		return t.claim(base)
	}
	if err := t.dir.Remove(t.name); err != nil {
		return writeFailed(t.target, err)
	}
	t.name = ""
	return nil
}

// claim is link for file systems without hard links: an empty file takes the name, and ours the
// empty file's place. Only a kill between the two leaves the empty file behind.
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
