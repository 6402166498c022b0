package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"strconv"
)

// backupNames yields the possible names of a backup of base, in order: base.bak,
// base.bak.1 and so on.
func backupNames(base, suffix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		name := base + suffix
		for i := 1; yield(name); i++ {
			name = base + suffix + "." + strconv.Itoa(i)
		}
	}
}

// otherNames returns the number of further names (hard links) of the original. It does not count
// the backups of runs that were killed before their rename.
func (r *replacement) otherNames() int {
	names := linkCount(r.info) - 1
	if names > 0 && r.opts.Backup != "" {
		for name := range backupNames(r.base, r.opts.Backup) {
			if _, err := r.dir.Lstat(name); err != nil {
				break
			}
			if r.isOriginal(name) {
				names--
			}
		}
	}
	return names
}

// keep makes the backup, if one is wanted: a hard link to the original, or a copy if the file
// system has no hard links.
func (r *replacement) keep() error {
	if r.opts.Backup == "" {
		return nil
	}
	err := r.keepAs(func(name string) error {
		if r.dir.Link(r.base, name) == nil {
			return nil
		}
		return r.copyTo(name, bytes.NewReader(r.in.Raw))
	})
	if err != nil {
		return err
	}
	if err := syncDir(r.dir); err != nil {
		return writeFailed(r.path(r.backup), err)
	}
	return nil
}

// rescue ensures that a backup has the lines that were written during the replacement. A hard
// link has them already.
func (r *replacement) rescue() error {
	if r.backup != "" && r.isOriginal(r.backup) {
		return nil
	}
	if r.opts.Backup == "" {
		r.opts.Backup = ".bak"
	}
	return r.keepAs(func(name string) error { return r.copyTo(name, content(r.file)) })
}

// keepAs calls put with the first free name for a backup. If a killed run already linked the
// original to a name, that is the backup.
func (r *replacement) keepAs(put func(name string) error) error {
	for name := range backupNames(r.base, r.opts.Backup) {
		if r.isOriginal(name) {
			r.backup = name
			return nil
		}
		if _, err := r.dir.Lstat(name); err == nil {
			continue
		}
		err := put(name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			r.backup, r.ours = name, true
		}
		return err
	}
	return nil // unreachable: the names do not end
}

// copyTo writes a verified copy that is not more accessible than the original.
func (r *replacement) copyTo(name string, from io.Reader) error {
	p := product{target: r.path(name), dir: r.dir, base: name, perm: r.info.Mode().Perm(), like: r.info, from: r.file}
	return p.make(context.Background(), func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// unkeep removes the backup of a replacement that did not happen.
func (r *replacement) unkeep() {
	if r.ours && r.isOriginal(r.base) {
		r.dir.Remove(r.backup)
	}
}
