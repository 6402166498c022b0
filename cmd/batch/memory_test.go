package batch

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// session returns the text of a file with n messages.
func session(n int) string {
	line := `{"role":"user","content":"Please read the file that I named before, and say what it does."}` + "\n"
	return strings.Repeat(line, n)
}

// TestLargest checks the size above which no source is read. A limit that is less than the program needs is
// a limit, too.
func TestLargest(t *testing.T) {
	const mb = 1 << 20
	for limit, want := range map[int64]int64{
		0: 0, -1: 0, 1: mb, idleBytes: mb, idleBytes + mb: mb, idleBytes + 2*mb: mb, idleBytes + 5*mb: 5 * mb / 2, 1 << 30: (1<<30 - idleBytes) / 2,
	} {
		m := &Memory{limit: limit}
		if got := m.Largest(); got != want {
			t.Errorf("with %d bytes the largest source has %d, want %d", limit, got, want)
		}
	}
	if (*Memory)(nil).Largest() != 0 {
		t.Error("there is a limit without a memory")
	}
}

// TestFits checks that a source is refused that needs more than the limit without the program, and that it is
// accepted with the limit that the error advises.
func TestFits(t *testing.T) {
	for _, limit := range []int64{1, idleBytes, idleBytes + 1, 100 << 20, 1 << 30} {
		m := &Memory{limit: limit}
		room := limit - idleBytes
		if err := m.Fits(max(0, room)); (err != nil) != (room < 0) {
			t.Errorf("%d bytes in %d: %v", room, limit, err)
		}
		for _, over := range []int64{1, 1 << 20, 1<<20 - 1, 3 << 30} {
			need := max(0, room) + over
			var e *MemoryError
			if err := m.Fits(need); !errors.As(err, &e) || e.ExitCode() != 3 {
				t.Fatalf("%d bytes fit into %d: %v", need, limit, err)
			}
			_, advice, _ := strings.Cut(e.Hint(), "give it --max-memory ")
			size, _, _ := strings.Cut(advice, ",")
			enough, err := ParseBytes(size)
			if err != nil || (&Memory{limit: enough}).Fits(need) != nil || enough > need+idleBytes+1<<20 {
				t.Errorf("the advice for %d bytes is %q, %v", need, size, err)
			}
		}
	}
	err := &MemoryError{Need: 70 << 20, Limit: 64 << 20}
	if got := err.Error(); got != "needs up to 70 MB of memory, and --max-memory is 64 MB" {
		t.Error(got)
	}
	if (*Memory)(nil).Fits(math.MaxInt64) != nil || NewMemory(0).Fits(math.MaxInt64) != nil {
		t.Error("there is a limit without one")
	}
}

// TestFileFits checks that a file is refused by its size alone, and that what is no file is left to others.
func TestFileFits(t *testing.T) {
	dir := t.TempDir()
	const size = 2 << 20
	path := write(t, dir, "a.json", "")
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	for limit, fits := range map[int64]bool{0: true, 1: false, idleBytes: false, idleBytes + 2*size - 2: false, idleBytes + 2*size: true} {
		m := &Memory{limit: limit}
		if err := m.FileFits(path); (err == nil) != fits {
			t.Errorf("%d bytes in %d: %v", size, limit, err)
		}
		if m.FileFits(dir) != nil || m.FileFits(filepath.Join(dir, "missing")) != nil {
			t.Errorf("a folder or nothing is refused in %d bytes", limit)
		}
	}
}

// TestFileFitsAdvice checks that the limit which the refusal of a large file advises is enough for it.
func TestFileFitsAdvice(t *testing.T) {
	text := strings.Repeat(`{"role":"user","content":"ok"},`, 100_000)
	path := write(t, t.TempDir(), "a.json", text)
	m := &Memory{limit: idleBytes + 1<<20}
	var e *MemoryError
	if err := m.FileFits(path); !errors.As(err, &e) {
		t.Fatal(err)
	}
	enough := &Memory{limit: (e.Need>>20 + 1) << 20}
	if err := enough.FileFits(path); err != nil {
		t.Errorf("with the limit advised: %v", err)
	}
	if err := enough.Fits(Need([]byte(text))); err != nil {
		t.Errorf("with the limit advised, when it is read: %v", err)
	}
}

// TestStringMembers checks that blanks around a colon do not hide a member.
func TestStringMembers(t *testing.T) {
	for text, want := range map[string]float64{
		`{"a":"b","c":"d"}`:               2,
		`{"a": "b", "c" : "d"}`:           2,
		"{\n\t\"a\"\t:\t\"b\"\n}":         1,
		`{"a":1,"b":{"c":[]},"d":null}`:   0,
		`{"a":"12:30 \"x\" : y","b":":"}`: 3, // a text that looks like a member counts, too
		``:                                0, `:`: 0, `"a":`: 0, `: "a"`: 0,
	} {
		if got := stringMembers([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestListed checks which strings of lists are counted.
func TestListed(t *testing.T) {
	for text, want := range map[string]float64{
		`["a","b","c"]`:               2,
		`["a", "b",  "c"]`:            2,
		`"[\"a\",\"b\", \"c\"]"`:      2,
		`{"a":"b","c":"d","e": "f"}`:  0,
		`"{\"a\":\"b\",\"c\":\"d\"}"`: 0,
		`{"a":["b","c"],"d":"e"}`:     1,
		`[1,2,"a"]`:                   0,
		`["a",1,"b"]`:                 0,
		`["a","` + strings.Repeat("b", shortString) + `"]`: 0,
		`"one, two, three"`: 0, `","`: 0, ``: 0,
	} {
		if got := listed([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestNeedOfItem checks what a file takes of the limit: what its content needs, or the whole limit where the
// content is not known.
func TestNeedOfItem(t *testing.T) {
	dir := t.TempDir()
	text := session(2000)
	plain := write(t, dir, "a.json", text)
	m := &Memory{limit: 1 << 30}
	for path, want := range map[string]int64{
		plain:                              Need([]byte(text)),
		write(t, dir, "a.json.gz", text):   m.limit,
		write(t, dir, "a.json.zst", text):  m.limit,
		filepath.Join(dir, "missing.json"): m.limit,
		write(t, dir, "empty.json", ""):    0,
	} {
		it := &Item{Path: path}
		if info, err := os.Stat(path); err == nil {
			it.Size = info.Size()
		}
		if got := m.NeedOfItem(it); got != want {
			t.Errorf("%s takes %d bytes, want %d", filepath.Base(path), got, want)
		}
		if (*Memory)(nil).NeedOfItem(it) != 0 || (&Memory{}).NeedOfItem(it) != 0 {
			t.Error("a file takes something of no limit")
		}
	}
	if _, err := needOfFile(filepath.Join(dir, "missing.json"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := needOfFile(dir, 1); err == nil {
		t.Error("a folder is read as a file")
	}
	// A file that has shrunk since it was found.
	if got, err := needOfFile(plain, int64(2*len(text))); err != nil || got < Need([]byte(text)) {
		t.Errorf("a shorter file takes %d bytes, %v", got, err)
	}
}

// TestNeed checks that the estimate grows with the size of a source and with what it holds.
func TestNeed(t *testing.T) {
	if Need(nil) != 0 {
		t.Errorf("nothing needs %d bytes", Need(nil))
	}
	if got := Need([]byte("x")); got != perByte {
		t.Errorf("a byte needs %d, want %d", got, perByte)
	}
	for what, want := range map[string]int64{
		"words and more words": 0, "123": 0, "1234": perNumber, "123456789": perNumber, "1234 5678": 2 * perNumber, "1.2.3": 0,
		`\u00e9`: 0, `\u0434`: 0, `\u1234`: 0, `\u00e9 1234`: perNumber, `\u0434 1234`: perNumber, `\u043456`: 0, `\n`: perLine, "{": perObject, "[": perArray, ",": perComma,
		`"a":"b"`: perMember, `"role"`: perMessage, `"from"`: perMessage, `"role""from"`: 2 * perMessage, `"type"`: perElement,
		`"messages"`: perRow, `"conversations"`: perRow, `"messages""conversations"`: 2 * perRow, `"roles"`: 0,
	} {
		if got := Need([]byte(what)) - perByte*int64(len(what)); got != want {
			t.Errorf("%s adds %d bytes, want %d", what, got, want)
		}
	}
	// A long source is estimated by samples of it.
	for _, n := range []int{100, 10_000, 100_000} {
		short, long := float64(Need([]byte(session(100)))), float64(Need([]byte(session(n))))
		if ratio := long / short / float64(n) * 100; ratio < 0.98 || ratio > 1.02 {
			t.Errorf("%d messages need %.2f times as much each as 100 do", n, ratio)
		}
	}
	half := session(50_000)
	if whole := Need([]byte(half + strings.Repeat(" ", len(half)))); whole < Need([]byte(half)) {
		t.Errorf("with as many spaces again it needs %d bytes, without %d", whole, Need([]byte(half)))
	}
}

// TestMemoryLimit checks that the garbage collector gets the limit without what it does not count.
func TestMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	NewMemory(0)
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("no limit sets %d", got)
	}
	for limit, want := range map[int64]int64{1 << 30: 1<<30 - outsideHeap, 4 * outsideHeap: 3 * outsideHeap, outsideHeap: outsideHeap / 2} {
		NewMemory(limit)
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("a limit of %d bytes sets %d, want %d", limit, got, want)
		}
	}
}
