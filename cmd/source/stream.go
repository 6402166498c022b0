package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// isDescriptor reports whether name stands for a file that this process has open already, such as
// /dev/stdin, or the /dev/fd/63 that a shell passes for <(command). Behind such a name may be a
// regular file, yet it is the open stream that the user means.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	for _, pattern := range []string{"/dev/std*", "/dev/fd/*", "/proc/*/fd/*"} {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// isStream reports whether path, with info behind it, takes bytes as they come and cannot be
// replaced. A block device is none: it holds a file system that writing would destroy.
func isStream(path string, info fs.FileInfo) bool {
	return info != nil && (isDescriptor(path) || info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) != 0)
}

// writeStream writes to a device, a pipe or an open file, which is described by info. Both the
// wait for a reader and the wait for a slow one end when ctx does.
func writeStream(ctx context.Context, name string, info fs.FileInfo, write func(io.Writer) error) error {
	f, err := openStream(ctx, name, info)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { f.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	err = pour(ctx, name, f, write)
	if closed := f.Close(); err == nil && closed != nil {
		return writeFailed(name, closed)
	}
	return err
}

// openStream opens name for writing. The end of a regular file is where a redirection like
// >>FILE, behind /dev/stdout, wants its output.
func openStream(ctx context.Context, name string, info fs.FileInfo) (*os.File, error) {
	for {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|nonblock, 0)
		if err == nil {
			return f, nil
		}
		if info.Mode()&fs.ModeNamedPipe == 0 || !lacksReader(err) {
			return nil, writeFailed(name, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
