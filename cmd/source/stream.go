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

// isDescriptor reports whether name refers to an open file of this process, such as /dev/stdin or
// the /dev/fd/63 that a shell passes for <(command). Even if that is a regular file, the user
// means the open stream.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	for _, pattern := range []string{"/dev/std*", "/dev/fd/*", "/proc/*/fd/*"} {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// isStream reports whether the file is a stream, which cannot be replaced. It returns false for a
// block device, because writing to one would destroy its file system.
func isStream(path string, info fs.FileInfo) bool {
	return info != nil && (isDescriptor(path) || info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) != 0)
}

// writeStream writes to a device, a pipe or an open file. It stops waiting for a reader when ctx
// is done.
func writeStream(ctx context.Context, name string, info fs.FileInfo, write func(io.Writer) error) error {
	f, err := openStream(ctx, name, info)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { f.SetWriteDeadline(time.Now()) })
	defer stop()
	err = pour(ctx, name, f, write)
	if closed := f.Close(); err == nil && closed != nil {
		return writeFailed(name, closed)
	}
	return err
}

// openStream opens name for appending, because /dev/stdout may be redirected by >>FILE.
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
