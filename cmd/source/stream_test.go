package source

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenStream opens files and standard input for a caller that reads them in pieces.
func TestOpenStream(t *testing.T) {
	dir := scratch(t)
	path, table := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "a.parquet")
	must(t, os.WriteFile(path, []byte("content"), 0o644))
	rows, err := os.ReadFile("../../transcript/parquet/testdata/types.parquet")
	must(t, err)
	must(t, os.WriteFile(table, rows, 0o644))
	for name, want := range map[string]string{path: "content", "-": "typed", "": "typed", table: string(rows)} {
		in, stream, err := OpenStream(name, strings.NewReader("typed"))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(stream)
		if file := name == path || name == table; err != nil || string(data) != want || in.Stream == file || in.Name != name && file || !file && in.Name != "standard input" {
			t.Errorf("%q: %d bytes, %+v, %v", name, len(data), in, err)
		}
		if found, err := in.Parquet(); err != nil || (found != nil) != (name == table) {
			t.Errorf("%q is Parquet: %v, %v", name, found != nil, err)
		}
		must(t, stream.Close())
	}
	for _, name := range []string{filepath.Join(dir, "absent"), dir} {
		if _, _, err := OpenStream(name, nil); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	must(t, os.WriteFile(table, append([]byte("PAR1 and no footer"), "PAR1"...), 0o644))
	in, stream, err := OpenStream(table, nil)
	must(t, err)
	defer stream.Close()
	if _, err := in.Parquet(); err == nil || !strings.Contains(err.Error(), "Parquet") {
		t.Errorf("a damaged file: %v", err)
	}
}
