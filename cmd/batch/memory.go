package batch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Fits returns an error if a source needs more than the limit: need is that of [Need].
func (m *Memory) Fits(need int64) error {
	if m != nil && m.limit > 0 && need+idleBytes > m.limit {
		return &MemoryError{Need: need + idleBytes, Limit: m.limit}
	}
	return nil
}

// FileFits returns an error if a file that is not compressed is larger than [Memory.Largest]. The error has the need
// that samples of the file show, as that of a file which is read has. FileFits returns nil for what is no file.
func (m *Memory) FileFits(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() <= m.Largest() {
		return nil
	}
	need := info.Size() * leastPerByte
	if more, err := needOfFile(path, info.Size()); err == nil {
		need = max(need, more)
	}
	return m.Fits(need)
}

// NeedOfItem returns the memory that a file takes of the limit: that of [Need]. It is the whole limit
// where the content is not known, as of compressed files, so that these are condensed alone.
func (m *Memory) NeedOfItem(it *Item) int64 {
	if m == nil || m.limit <= 0 {
		return 0
	}
	if strings.HasSuffix(it.Path, ".gz") || strings.HasSuffix(it.Path, ".zst") {
		return m.limit
	}
	need, err := needOfFile(it.Path, it.Size)
	if err != nil {
		return m.limit
	}
	return need
}

// Largest returns the size in bytes of the largest source to read; 0 for any size. A larger one does
// not fit, whatever it holds. Small sources are always read, so that an error can say what they need.
func (m *Memory) Largest() int64 {
	const small = 1 << 20
	if m == nil || m.limit <= 0 {
		return 0
	}
	return max(small, (m.limit-idleBytes)/leastPerByte)
}

// A MemoryError reports a source that needs more memory than the limit.
type MemoryError struct{ Need, Limit int64 } // bytes

func (e *MemoryError) Error() string {
	return fmt.Sprintf("needs up to %d MB of memory, and --max-memory is %d MB", e.Need>>20, e.Limit>>20)
}

// ExitCode returns 3: the input cannot be processed.
func (e *MemoryError) ExitCode() int { return 3 }

// Hint returns advice for the user.
func (e *MemoryError) Hint() string {
	return fmt.Sprintf("give it --max-memory %dM, or split the file: a line of JSONL with several conversations can go through condense filter", e.Need>>20+1)
}

// Upper bounds of the memory of a run, in bytes. They are measured: with them, the estimates for all
// shapes of scripts/bench-shapes are an eighth above what a run with a report keeps in use, or more. The
// constants that are multiplied by counts cover what decoding and the strategies keep for each thing that
// is counted.
const (
	idleBytes    = 32 << 20 // the program with its tokenizer
	leastPerByte = 2        // for each byte of any source: itself, and texts or the output

	perByte    = 5
	perMessage = 140  // for each role
	perElement = 100  // for each type of a message, a part or a record
	perRow     = 3300 // for each conversation
	perMember  = 100  // for each member that is a string
	perInner   = 40   // for each member in JSON that is the text of another value, such as arguments
	perString  = 170  // for each short string of a list
	perObject  = 16
	perArray   = 10
	perComma   = 4
	perLine    = 32  // for each line break in a text
	perNumber  = 140 // for each number of at least longNumber digits, as most of them are different; none for \u0434
	longNumber = 4

	shortString = 64 // bytes
)

// Need returns an upper bound of the memory for condensing a source, in bytes, without that of the
// program. It looks at samples of up to 1 MB in total.
func Need(data []byte) int64 {
	need, _ := needOf(int64(len(data)), func(buf []byte, at int64) (int, error) {
		return copy(buf, data[at:]), nil
	})
	return need
}

// needOfFile is [Need] for a file that is not compressed, of which it reads only the samples.
func needOfFile(path string, size int64) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return needOf(size, f.ReadAt)
}

// Samples of a source: their number and size.
const (
	samples    = 64
	sampleSize = 16 << 10
)

// needOf estimates the memory for a source of size bytes. read reads at an offset.
func needOf(size int64, read func(buf []byte, at int64) (int, error)) (int64, error) {
	need, seen := 0.0, 0
	buf := make([]byte, sampleSize)
	step := max(sampleSize, size/samples)
	for at := int64(0); at < size; at += step {
		n, err := read(buf[:min(sampleSize, size-at)], at)
		if err != nil && err != io.EOF {
			return 0, err
		}
		need += weigh(buf[:n])
		seen += n
	}
	if seen == 0 {
		return 0, nil
	}
	return int64(need / float64(seen) * float64(size)), nil
}

// weigh returns the memory that a sample stands for.
func weigh(text []byte) float64 {
	count := func(what string) float64 { return float64(bytes.Count(text, []byte(what))) }
	numbers, digits := 0.0, 0
	for i, c := range text {
		if c < '0' || '9' < c {
			digits = 0
		} else if digits++; digits == longNumber && !bytes.HasSuffix(text[:i+1-longNumber], []byte(`\u`)) {
			numbers++
		}
	}
	return perByte*float64(len(text)) + perNumber*numbers +
		perMessage*(count(`"role"`)+count(`"from"`)) + perElement*count(`"type"`) + perRow*(count(`"messages"`)+count(`"conversations"`)) +
		perMember*stringMembers(text) + perInner*count(`\":`) + perString*listed(text) + perObject*count("{") + perArray*count("[") + perComma*count(",") + perLine*count(`\n`)
}

// stringMembers returns the number of members of objects that are strings, whatever blanks stand around the colon.
func stringMembers(text []byte) (n float64) {
	for {
		at := bytes.IndexByte(text, ':')
		if at < 0 {
			return n
		}
		before, after := bytes.TrimRight(text[:at], " \t"), bytes.TrimLeft(text[at+1:], " \t")
		if bytes.HasSuffix(before, []byte{'"'}) && bytes.HasPrefix(after, []byte{'"'}) {
			n++
		}
		text = text[at+1:]
	}
}

// listed returns the number of short strings that follow another one in a list: the next thing behind them is no colon.
// The list may be in JSON that is the text of another value.
func listed(text []byte) (n float64) {
	for {
		at := bytes.IndexByte(text, ',')
		if at < 0 {
			return n
		}
		before, after := text[:at], bytes.TrimLeft(text[at+1:], " ")
		text = text[at+1:]
		quote := []byte{'"'}
		if bytes.HasPrefix(after, []byte(`\"`)) {
			quote = []byte(`\"`)
		}
		if !bytes.HasSuffix(before, quote) || !bytes.HasPrefix(after, quote) {
			continue
		}
		after = after[len(quote):min(len(after), shortString)]
		if end := bytes.Index(after, quote); end >= 0 && !bytes.HasPrefix(bytes.TrimLeft(after[end+len(quote):], " "), []byte{':'}) {
			n++
		}
	}
}

// ParseBytes parses a size in bytes, such as 500M or 2G. 1K is 1024 bytes.
func ParseBytes(s string) (int64, error) {
	digits := strings.TrimSuffix(strings.ToUpper(s), "B")
	shift := 0
	for i, unit := range []string{"K", "M", "G", "T"} {
		if rest, ok := strings.CutSuffix(digits, unit); ok {
			digits, shift = rest, 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("expected a size such as 500M or 2G")
	}
	return n << shift, nil
}
