package source

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	parquetFile = "../../transcript/parquet/testdata/tool-calls.parquet"
	evalFile    = "../../transcript/eval/testdata/log.eval"
)

// TestContainers reads containers as JSON and writes changed JSON back.
func TestContainers(t *testing.T) {
	for path, text := range map[string]string{parquetFile: `"content":"List it"`, evalFile: "We are solving this issue"} {
		in, err := Open(t.Context(), path, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !in.Encoding.Container() || !strings.Contains(string(in.Data), text) {
			t.Fatalf("%s is read as %.200s", path, in.Data)
		}
		same, err := in.pack(bytes.Clone(in.Data), in.Encoding)
		if err != nil || !bytes.Equal(same, in.Raw) {
			t.Errorf("%s without changes: %d bytes of %d, %v", path, len(same), len(in.Raw), err)
		}
		changed := bytes.Replace(in.Data, []byte(text), bytes.Replace([]byte(text), []byte("i"), []byte("I"), 1), 1)
		packed, err := in.pack(changed, in.Encoding)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "packed")
		if err := os.WriteFile(to, packed, 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), to, 0)
		if err != nil || !bytes.Equal(again.Data, changed) {
			t.Errorf("%s: changed content is read as %.200s, %v", path, again.Data, err)
		}
		for name, want := range map[string]*Encoding{"x.jsonl": nil, "x.JSON": nil, "x": in.Encoding, "x.parquet": in.Encoding} {
			if got := in.EncodingFor(name); got != want {
				t.Errorf("%s as %s: %v", path, name, got)
			}
		}
	}
}

// TestContainerErrors checks errors about containers that cannot be read or written.
func TestContainerErrors(t *testing.T) {
	data, err := os.ReadFile(parquetFile)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.parquet")
	if err := os.WriteFile(path, data[:len(data)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, 0); err == nil || !strings.Contains(err.Error(), "cannot be read as Parquet: the file has no footer") {
		t.Errorf("a file that is cut off: %v", err)
	}
	if _, err := Open(t.Context(), parquetFile, 3000); err == nil || !strings.Contains(err.Error(), "unpacks to more than the limit of 3000 bytes") {
		t.Errorf("a limit: %v", err)
	}
	in, err := Open(t.Context(), parquetFile, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.pack([]byte("{}\n"), in.Encoding); err == nil || !strings.Contains(err.Error(), "the output could not be written as Parquet") {
		t.Errorf("rows are missing: %v", err)
	}
	if in, err = Open(t.Context(), evalFile, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := in.pack([]byte("{}\n"), in.Encoding); err == nil || !strings.Contains(err.Error(), "the output could not be written as an archive of Inspect") {
		t.Errorf("members are missing: %v", err)
	} else if e, ok := errors.AsType[*Error](err); ok {
		wantWords(t, e)
	}
}

// TestPackRows checks that rows are left out of a container by their place, and that other rows stay.
func TestPackRows(t *testing.T) {
	in, err := Open(t.Context(), parquetFile, 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(in.Data, []byte("\n"))
	lines = lines[:len(lines)-1]
	last := len(lines) - 1
	for _, without := range [][]int{nil, {0}, {1}, {last}, {0, last}, {last - 1, last}} {
		var rest []byte
		for i, line := range lines {
			if !slices.Contains(without, i) {
				rest = append(rest, line...)
			}
		}
		packed, err := in.PackRows(rest, in.Encoding, without)
		if err != nil {
			t.Fatalf("without %v: %v", without, err)
		}
		path := filepath.Join(t.TempDir(), "rows.parquet")
		if err := os.WriteFile(path, packed, 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), path, 0)
		if err != nil || !bytes.Equal(again.Data, rest) {
			t.Errorf("without %v: %v, %.200s", without, err, again.Data)
		}
		if plain, err := in.PackRows(rest, nil, without); err != nil || !bytes.Equal(plain, rest) {
			t.Errorf("without %v, as JSON: %v, %.200s", without, err, plain)
		}
	}
}
