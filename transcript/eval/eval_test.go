package eval

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// archive returns an archive that Python's zipfile wrote, as Inspect does.
func archive(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/log.eval")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func unpacked(t *testing.T, archive []byte) []byte {
	t.Helper()
	var log bytes.Buffer
	if err := Unpack(&log, archive); err != nil {
		t.Fatal(err)
	}
	return log.Bytes()
}

// members returns the members with their compressed bytes.
func members(t *testing.T, archive []byte) (headers []zip.FileHeader, raw [][]byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		in, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		headers, raw = append(headers, f.FileHeader), append(raw, data)
	}
	return headers, raw
}

func TestHolds(t *testing.T) {
	data := archive(t)
	if !Holds(data) || Holds(data[:len(data)-9]) || Holds(nil) || Holds([]byte("{}")) {
		t.Error("archives are not recognised")
	}
	var other bytes.Buffer
	w := zip.NewWriter(&other)
	if _, err := w.Create("log.json"); err != nil || w.Close() != nil || Holds(other.Bytes()) {
		t.Error("another archive is taken for one of Inspect")
	}
}

// TestPack changes one sample. All other members keep their compressed bytes.
func TestPack(t *testing.T) {
	data := archive(t)
	log := unpacked(t, data)
	if !json.Valid(log) || !bytes.Contains(log, []byte(`"task":"tides"`)) {
		t.Fatalf("log %.300s", log)
	}
	same, err := Pack(data, log)
	if err != nil {
		t.Fatal(err)
	}
	headers, raw := members(t, data)
	if again, rawAgain := members(t, same); len(again) != len(headers) || !slices.EqualFunc(raw, rawAgain, bytes.Equal) {
		t.Error("an archive without changes has other members")
	}
	smaller := bytes.Replace(log, []byte("The tide table is wrong"), []byte("Wrong table"), 1)
	out, err := Pack(data, smaller)
	if err != nil {
		t.Fatal(err)
	}
	if got := unpacked(t, out); !bytes.Equal(got, smaller) {
		t.Errorf("the log is %d bytes, expected %d", len(got), len(smaller))
	}
	headersOut, rawOut := members(t, out)
	for i, h := range headers {
		changed := !bytes.Equal(raw[i], rawOut[i])
		if first := h.Name == "samples/1_epoch_1.json"; changed != first || headersOut[i].Name != h.Name || !headersOut[i].Modified.Equal(h.Modified) || headersOut[i].Method != h.Method {
			t.Errorf("%s: changed %v, header %+v", h.Name, changed, headersOut[i])
		}
	}
}

// TestMethods packs samples that are stored, and compressed with zstd.
func TestMethods(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate, zstd.ZipMethodWinZip} {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
		for _, m := range [][2]string{
			{"_journal/start.json", `{"version":2,"eval":{"task":"t","model":"m"}}`},
			{"samples/a_epoch_1.json", `{"id":"a","messages":[{"role":"user","content":"long text"}]}`},
		} {
			f, err := w.CreateHeader(&zip.FileHeader{Name: m[0], Method: method})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, m[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		log := unpacked(t, out.Bytes())
		if !bytes.HasPrefix(log, []byte(`{"version":2,"status":"started","eval":{"task":"t","model":"m"},"samples":[`)) {
			t.Errorf("method %d: log %s", method, log)
		}
		smaller := bytes.Replace(log, []byte("long "), nil, 1)
		packed, err := Pack(out.Bytes(), smaller)
		if err != nil || !bytes.Equal(unpacked(t, packed), smaller) {
			t.Errorf("method %d: %v", method, err)
		}
	}
}

// made returns an archive of a start and two samples, with a method.
func made(t *testing.T, method uint16) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range [][2]string{
		{"_journal/start.json", `{"version":2,"eval":{"task":"t","model":"m"}}`}, {"samples/a_epoch_1.json", `{"id":"a"}`}, {"samples/b_epoch_1.json", `{"id":"b"}`},
	} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m[0], Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, m[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLines checks that each sample stands in lines of its own.
func TestLines(t *testing.T) {
	want := `{"version":2,"status":"started","eval":{"task":"t","model":"m"},"samples":[` + "\n" + `{"id":"a"},` + "\n" + `{"id":"b"}` + "\n]}\n"
	if got := string(unpacked(t, made(t, zip.Deflate))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// limited takes a number of bytes, and then fails.
type limited int

func (l *limited) Write(b []byte) (int, error) {
	if n := int(*l); len(b) > n {
		*l = 0
		return n, io.ErrShortWrite
	}
	*l -= limited(len(b))
	return len(b), nil
}

// TestUnwritten checks that a log which cannot be written to its end is an error.
func TestUnwritten(t *testing.T) {
	data := made(t, zip.Store)
	whole := len(unpacked(t, data))
	for n := range whole {
		to := limited(n)
		if err := Unpack(&to, data); err == nil {
			t.Errorf("%d bytes of %d, and no error", n, whole)
		}
	}
}

// TestDamagedMembers checks the errors for samples whose content is not that of their checksum, members of
// methods that nobody knows, and archives that lack what every one has.
func TestDamagedMembers(t *testing.T) {
	sample := []byte(`{"id":"a"}`)
	data := made(t, zip.Store)
	changed := bytes.Replace(data, sample, []byte(`{"id":"x"}`), 1)
	if err := Unpack(io.Discard, changed); err == nil || !strings.Contains(err.Error(), "samples/a_epoch_1.json: zip: checksum error") {
		t.Errorf("a changed sample: %v", err)
	}
	if _, err := Pack(changed, []byte(`{"samples":[{"id":"a"},{"id":"b"}]}`)); err == nil || !strings.Contains(err.Error(), "checksum error") {
		t.Errorf("a changed sample is packed: %v", err)
	}
	unknown := bytes.Clone(data)
	for _, signature := range []string{"PK\x03\x04", "PK\x01\x02"} { // the method in both headers of the second member
		at := 0
		for range 2 {
			at += bytes.Index(unknown[at:], []byte(signature)) + len(signature)
		}
		unknown[at+map[string]int{"PK\x03\x04": 4, "PK\x01\x02": 6}[signature]] = 77
	}
	if err := Unpack(io.Discard, unknown); err == nil || !strings.Contains(err.Error(), "samples/a_epoch_1.json: zip: unsupported compression algorithm") {
		t.Errorf("an unknown method: %v", err)
	}
	if _, err := pack(77, sample); err == nil || !strings.Contains(err.Error(), "the compression method 77 is not supported") {
		t.Errorf("an unknown method: %v", err)
	}
	headless := bytes.ReplaceAll(data, []byte("_journal/start.json"), []byte("_journal/other.json"))
	if err := Unpack(io.Discard, headless); err == nil || !strings.Contains(err.Error(), "it has no header.json") {
		t.Errorf("without a header: %v", err)
	}
	lost := bytes.Replace(data, []byte("PK\x03\x04"), []byte("PK\x03\x00"), 1) // of the first member, which is copied
	if _, err := Pack(lost, []byte(`{"samples":[{"id":"a"},{"id":"b"}]}`)); err == nil {
		t.Error("a member without its header is no error")
	}
}

// TestErrors packs logs that have other samples, and reads damaged archives.
func TestErrors(t *testing.T) {
	data := archive(t)
	for log, want := range map[string]string{
		`{"samples":[{}]}`: "the log has 1 samples, the archive 2",
		`{"samples":`:      "unexpected end",
	} {
		if _, err := Pack(data, []byte(log)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", log, err)
		}
	}
	for i := range data {
		damaged := slices.Clone(data)
		damaged[i] ^= 0x15
		_ = Unpack(io.Discard, damaged)
	}
}
