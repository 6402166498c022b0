package cmd

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"condense/strategy"
)

// run runs the program in this process, and returns its standard output, its messages and its exit
// code.
func run(in []byte, args ...string) (out []byte, printed string, code int) {
	var stdout, stderr bytes.Buffer
	env := func(name string) string { return map[string]string{"CONDENSE_TOKENIZER": "bytes4"}[name] }
	code = Main(args, bytes.NewReader(in), &stdout, &stderr, env)
	return stdout.Bytes(), stderr.String(), code
}

// everyWay condenses a file by every strategy, and by three runs in a row, and restores it from each
// output. It returns the number of outputs, and the number of those that differed from the file.
func everyWay(file []byte, dir string) (restored, changed int, err error) {
	ways := [][][]string{{
		{"--strategy", "dedupe"}, {"--strategy", "smart-compress", "--target", "60%"}, {"--strategy", "truncate", "--target", "50%"},
	}}
	for _, name := range append(strategy.Names(), "truncate --fraction 0.5") {
		ways = append(ways, [][]string{strings.Fields("--strategy " + name)})
	}
	ways = append(ways, [][]string{{"--target", "100%", "--strategy", "truncate"}}) // changes nothing
	for _, way := range ways {
		out, refused := file, 0
		for _, options := range way {
			next, printed, code := run(out, append([]string{"run", "-q", "--stash", dir, "--verify-restore"}, options...)...)
			if code == exitPolicy {
				refused++
				continue
			}
			if code != 0 {
				return restored, changed, fmt.Errorf("%s: exit code %d: %s", options, code, printed)
			}
			out = next
		}
		if refused == len(way) {
			continue
		}
		back, printed, code := run(out, "restore", "-q", "--stash", dir)
		if code != 0 || sha256.Sum256(back) != sha256.Sum256(file) {
			return restored, changed, fmt.Errorf("%s: exit code %d, restored %d bytes of %d: %s", way, code, len(back), len(file), printed)
		}
		restored++
		if !bytes.Equal(out, file) {
			changed++
		}
	}
	return restored, changed, nil
}

// restoreAll calls everyWay for the transcripts below root, each in a test of its own. It starts none
// after the time until.
func restoreAll(t *testing.T, root string, until time.Time) {
	var files, restored, changed atomic.Int32
	t.Run("files", func(t *testing.T) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(root, path)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if time.Now().After(until) {
					t.Skip("no time")
				}
				file, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, code := run(file, "run", "-n", "-q", "--strategy", "truncate", "--target", "100%"); code == exitInput {
					t.Skip("no transcript")
				}
				r, c, err := everyWay(file, filepath.Join(t.TempDir(), "undo"))
				if err != nil {
					t.Error(err)
				}
				files.Add(1)
				restored.Add(int32(r))
				changed.Add(int32(c))
			})
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	if changed.Load() == 0 && files.Load() > 1 { // a single one may stay as it is
		t.Error("nothing was restored")
	}
	t.Logf("%d files, restored from %d outputs, of which %d differed", files.Load(), restored.Load(), changed.Load())
}

// TestRestoreFixtures checks that the first original of every fixture can be restored, whatever
// condensed it and however often.
func TestRestoreFixtures(t *testing.T) {
	for _, folder := range []string{"sessions", "compressed"} {
		t.Run(folder, func(t *testing.T) { restoreAll(t, "../testdata/"+folder, time.Now().Add(time.Hour)) })
	}
}

// TestRestoreCorpus does the same as [TestRestoreFixtures] with real files, if there are any. It takes
// 8 seconds, or tests all files if go test has no timeout (-timeout 0).
func TestRestoreCorpus(t *testing.T) {
	const corpus = "../../shared/corpus"
	if _, err := os.Stat(corpus); err != nil || testing.Short() {
		t.Skip("no corpus here, or no time for it")
	}
	until := time.Now().Add(time.Hour)
	if _, limited := t.Deadline(); limited {
		until = time.Now().Add(8 * time.Second)
	}
	restoreAll(t, corpus, until)
}

// longSession returns a session of about n bytes with long, different results of tools.
func longSession(n int) []byte {
	var b bytes.Buffer
	line := func(role, content string) { fmt.Fprintf(&b, `{"role":%q,"content":%q}`+"\n", role, content) }
	sum := sha256.Sum256([]byte("seed"))
	for i := 0; b.Len() < n; i++ {
		line("user", fmt.Sprintf("Look into part %d.", i))
		var log strings.Builder
		for j := range 60 {
			sum = sha256.Sum256(sum[:])
			fmt.Fprintf(&log, "%05d: step %d of part %d wrote %x to block %d\n", j, j*7, i, sum[:9], sum[9])
		}
		line("assistant", log.String())
	}
	return b.Bytes()
}

// TestStashSize checks that the entries of three runs are not much larger than the compressed text
// that the runs removed, so that they hold no copy of the file.
func TestStashSize(t *testing.T) {
	dir := t.TempDir()
	var doc bytes.Buffer
	doc.WriteString(`{"messages":[`)
	doc.Write(bytes.ReplaceAll(bytes.TrimSpace(longSession(4<<20)), []byte("\n"), []byte(",\n")))
	doc.WriteString("]}\n")
	file := doc.Bytes()
	out, undo := file, filepath.Join(dir, "undo")
	for _, target := range []string{"80%", "60%", "45%"} {
		var printed string
		var code int
		if out, printed, code = run(out, "run", "-q", "--stash", undo, "--target", target); code != 0 {
			t.Fatal(printed)
		}
	}
	gone := packed(t, file) - packed(t, out) // bytes by which the compressed file shrinks
	stored := 0
	entries, err := os.ReadDir(undo)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		stored += int(info.Size())
	}
	t.Logf("%d bytes became %d; compressed with zstd, the file shrank by %d bytes; the stash has %d", len(file), len(out), gone, stored)
	if stored*10 > gone*11 {
		t.Errorf("the stash has %d bytes, more than 1.1 times %d", stored, gone)
	}
}

// packed returns the size of data after compression with zstd.
func packed(t *testing.T, data []byte) int {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return len(w.EncodeAll(data, nil))
}

func TestParseAge(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  string
	}{
		{text: "36h", want: 36 * time.Hour},
		{text: "0d", want: 0},
		{text: "90d", want: 90 * 24 * time.Hour},
		{text: "12w", want: 12 * 7 * 24 * time.Hour},
		{text: "100000d", want: 100_000 * 24 * time.Hour},
		{text: "15250w", want: 15_250 * 7 * 24 * time.Hour},
		{text: "20000w", err: "at most 15250w"}, // would overflow
		{text: "106752d", err: "at most 106751d"},
		{text: "99999999999999999999d", err: "a number of days or weeks"},
		{text: "-1d", err: "a number of days or weeks"},
		{text: "1.5w", err: "a number of days or weeks"},
		{text: "-1h", err: "such as 36h"},
		{text: "soon", err: "such as 36h"},
		{text: "", err: "such as 36h"},
	}
	for _, tt := range tests {
		got, err := parseAge(tt.text)
		switch {
		case (err != nil) != (tt.err != ""), err != nil && !strings.Contains(err.Error(), tt.err):
			t.Errorf("%q: got the error %v, want %q", tt.text, err, tt.err)
		case got != tt.want:
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}
