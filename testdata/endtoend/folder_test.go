package endtoend

import (
	"os"
	"path/filepath"
	"testing"
)

// Two conversations: longChat has more than 20 tokens, shortChat has fewer.
const (
	longChat = "[{\"role\": \"user\", \"content\": \"How do I list the files of a folder by size?\"},\n" +
		"{\"role\": \"assistant\", \"content\": \"With ls -lSh: l for a line each, S for size, h for units that can be read.\"}]\n"
	shortChat = "[{\"role\": \"user\", \"content\": \"Say hello.\"}]\n"
)

// folder creates a folder with these files and returns its path. The keys of files are paths with
// slashes, and the values are contents.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
