package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"condense/cmd/source"
)

// peak runs condense, and returns the peak of its memory in bytes, its exit code and its errors. The
// peak that Linux reports for a process that has ended includes that of the process that started it.
func peak(t *testing.T, in []byte, args ...string) (most int64, code int, errors string) {
	t.Helper()
	c := program(t, args...)
	var text bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(in), &text
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Wait() // the exit code has the error
	}()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kilobytes int64
			fmt.Sscan(after, &kilobytes)
			most = max(most, kilobytes<<10)
		}
		select {
		case <-done:
			return most, c.ProcessState.ExitCode(), text.String()
		case <-time.After(time.Millisecond):
		}
	}
}

// TestMaxMemory checks that what is condensed takes little more memory than --max-memory, and that
// other sources are refused.
func TestMaxMemory(t *testing.T) {
	shapes := map[string]string{
		"messages": `[` + strings.Repeat(`{"role":"user","content":"go on"},{"role":"assistant","content":"ok"},`, 12000) + `{"role":"user","content":"go on"}]`,
		"rows":     strings.Repeat(`{"messages":[{"role":"user","content":"What is it?"},{"role":"assistant","content":"A number."}]}`+"\n", 5000),
		"spaces":   `[` + strings.Repeat(`{"role": "user", "content": "go on"}, {"role": "assistant", "content": "ok"}, `, 10000) + `{"role": "user", "content": "go on"}]`,
		"lists":    `[{"role":"user","content":"go on"}` + strings.Repeat(`,{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"put","arguments":"{\"v\":[\"a\"`+strings.Repeat(`,\"b\"`, 60)+`]}"}}]},{"role":"tool","tool_call_id":"a","content":"ok"}`, 1500) + `]`,
		"text":     `[{"role":"user","content":"go on"},{"role":"assistant","content":"` + strings.Repeat(`It goes on and on.\n`, 100000) + `"},{"role":"user","content":"ok"}]`,
	}
	for name, text := range shapes {
		path := filepath.Join(t.TempDir(), name+".json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{
			{"run", "-q", "-n", "--target", "30%", path}, {"run", "-q", "-n", "--target", "30%"},
			{"batch", "-q", "-n", "--target", "30%", path}, {"filter", "-q", "-0", "--on-error", "fail"},
		} {
			counts := map[bool]int{}
			for _, limit := range []int64{40, 160} {
				most, code, errors := peak(t, []byte(text), append(command, "--max-memory", fmt.Sprintf("%dM", limit))...)
				refused := code == 3 && strings.Contains(errors, "--max-memory is 40 MB")
				if counts[refused]++; !refused && code != 0 {
					t.Errorf("%s, %s, %d MB: exit code %d, %s", name, command[0], limit, code, errors)
				}
				if most > limit<<20*12/10 {
					t.Errorf("%s, %s: %d MB, and the limit is %d", name, command[0], most>>20, limit)
				}
			}
			if counts[true] != 1 || counts[false] != 1 {
				t.Errorf("%s, %s: refused with %d limits of 2", name, command[0], counts[true])
			}
		}
	}
}

// TestMaxMemoryOfRecords checks that filter refuses a record that is too large before it is read to
// its end.
func TestMaxMemoryOfRecords(t *testing.T) {
	long := strings.Repeat("x", 60<<20)
	most, code, errors := peak(t, []byte(long), "filter", "-q", "--max-memory", "64M")
	if code != 3 || !strings.Contains(errors, "too much for --max-memory") || most > 80<<20 {
		t.Errorf("exit code %d, %d MB, %s", code, most>>20, errors)
	}
}

// TestMemoryOfRows checks that a run which reports nothing keeps the conversations of one chunk of a file
// of rows in memory, not those of the whole file.
func TestMemoryOfRows(t *testing.T) {
	in := manyRows(6 << 20)
	most, code, errors := peak(t, in, "run", "-q", "-n", "--target", "30%")
	if code != 0 || most > int64(32<<20+6*len(in)) {
		t.Errorf("exit code %d, %d MB for %d, %s", code, most>>20, len(in)>>20, errors)
	}
}

// TestCompressedStreamMemory checks that filter holds little of a compressed stream, also of one record
// that unpacks to more than is allowed.
func TestCompressedStreamMemory(t *testing.T) {
	var packed bytes.Buffer
	w, err := new(source.Input).EncodingFor("x.zst").Writer(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for range 160 {
		fmt.Fprint(w, strings.Repeat(strings.Repeat("x", 1<<10-1)+"\n", 1<<10))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	most, code, errors := peak(t, packed.Bytes(), "filter", "-q", "--on-error", "skip")
	if code != 0 || most > 120<<20 {
		t.Errorf("exit code %d, %d MB for a stream of 160 MB, %s", code, most>>20, errors)
	}
	most, code, errors = peak(t, packed.Bytes(), "filter", "-0", "-q", "--max-memory", "64M")
	if code != 3 || !strings.Contains(errors, "too much for --max-memory") || most > 80<<20 {
		t.Errorf("exit code %d, %d MB, %s", code, most>>20, errors)
	}
}

// TestManifestOnFullDisk checks that a batch ends when its manifest cannot be written: without an entry,
// another run would not know what is done.
func TestManifestOnFullDisk(t *testing.T) {
	disk, dir := t.TempDir(), t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4k"); err != nil {
		t.Skip("needs the right to mount:", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	const files = 60
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.json", i)), []byte(`[{"role": "user", "content": "Say hello."}]`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	manifest, to := filepath.Join(disk, "manifest.jsonl"), filepath.Join(t.TempDir(), "to")
	_, code, errors := peak(t, nil, "batch", "-j", "1", "--manifest", manifest, "--out-dir", to, dir)
	if code != 5 || !strings.Contains(errors, manifest) || !strings.Contains(errors, "no space left") {
		t.Errorf("exit code %d: %s", code, errors)
	}
	if done, err := os.ReadDir(to); err != nil || len(done) == 0 || len(done) > files/2 {
		t.Errorf("%d of %d files are done: %v", len(done), files, err)
	}
}
