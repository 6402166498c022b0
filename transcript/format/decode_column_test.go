package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// A wrapping puts a conversation into a row.
type wrapping struct {
	name, column  string
	before, after string
	// wrap returns the conversation as it stands in the row, and unwrap the opposite.
	wrap   func(src []byte) []byte
	unwrap func(raw []byte) []byte
}

var asIs = func(b []byte) []byte { return b }

// quoted returns a text as a string literal, and unquoted the text of a literal.
func quoted(src []byte) []byte   { return rawjson.Style{}.Quote(string(src)) }
func unquoted(raw []byte) []byte { return []byte(rawjson.Decode(raw)) }

var wrappings = []wrapping{
	{"a member", "chat", `{"n": 1.0, "s":"\u00e9" , "chat" : `, ` ,"n2":[1, 2e3]}`, asIs, asIs},
	{"deeper", "a.b[].chat", `{"a":{"b":[{"id":7,"chat":`, `}], "c":null}}`, asIs, asIs},
	{"a string", "chat", `{"s":"\/","chat":`, `}`, quoted, unquoted},
	{"a string in a row of several", "chat", `{"chat":"[]"}` + "\n" + `{"s":"x","chat":`, `}` + "\n" + `{"chat":null}` + "\n", quoted, unquoted},
	{
		"a string in a string", "chat", `[{"chat":`, `,"z":0}]`,
		func(src []byte) []byte { return quoted(quoted(src)) }, func(raw []byte) []byte { return unquoted(unquoted(raw)) },
	},
	{
		"a member of a string", "payload.chat", `{"payload":`, `}`,
		func(src []byte) []byte { return quoted([]byte(`{"k": 1.50, "chat":` + string(quoted(src)) + `}`)) },
		func(raw []byte) []byte {
			inner := unquoted(raw)
			return unquoted(inner[len(`{"k": 1.50, "chat":`) : len(inner)-1])
		},
	},
}

// TestColumnFixtures checks that a conversation in a column is read and written as it is alone, and that
// all other bytes of the row stay.
func TestColumnFixtures(t *testing.T) {
	for path, src := range fixtures(t) {
		src = bytes.TrimSpace(src)
		for _, w := range wrappings {
			if string(w.wrap([]byte("x"))) == "x" && !json.Valid(src) {
				continue // JSONL fits only into a string
			}
			t.Run(filepath.Base(path)+" as "+w.name, func(t *testing.T) {
				t.Parallel()
				for seed := range 2 {
					w.check(t, src, int64(seed))
				}
			})
		}
	}
}

// check edits a conversation alone and in the row, and compares the two.
func (w *wrapping) check(t *testing.T, src []byte, seed int64) {
	t.Helper()
	alone, err := Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	row := slices.Concat([]byte(w.before), w.wrap(src), []byte(w.after))
	f, err := DecodeColumn(row, "", w.column)
	if err != nil {
		t.Fatal(err)
	}
	if f.Dialect != alone.Dialect || !bytes.Equal(f.Source(), row) || f.Len() != len(row) {
		t.Fatalf("read as %s, not as %s", f.Dialect.Name, alone.Dialect.Name)
	}
	if out, err := f.Bytes(f.Convs); err != nil || !bytes.Equal(out, row) {
		t.Fatalf("changed without an edit (%v)", err)
	}
	var convs []*transcript.Conversation // without the rows that hold none
	final := slices.Clone(f.Convs)
	edited := slices.Clone(alone.Convs)
	held := slices.DeleteFunc(slices.Clone(edited), func(c *transcript.Conversation) bool { return len(c.Messages) == 0 })
	for i, c := range f.Convs {
		if len(c.Messages) == 0 {
			continue
		}
		if convs = append(convs, c); len(convs) > len(held) {
			t.Fatalf("%d conversations, want %d", len(convs), len(held))
		}
		final[i] = randomly(rand.New(rand.NewSource(seed)), c)
		k := slices.Index(edited, held[len(convs)-1])
		edited[k] = randomly(rand.New(rand.NewSource(seed)), edited[k])
	}
	if len(convs) < len(held) {
		t.Fatalf("%d conversations, want %d", len(convs), len(held))
	}
	want, err := alone.Bytes(edited)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Bytes(final)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out, []byte(w.before)) || !bytes.HasSuffix(out, []byte(w.after)) {
		t.Fatalf("seed %d: other bytes changed", seed)
	}
	if got := w.unwrap(out[len(w.before) : len(out)-len(w.after)]); !bytes.Equal(got, want) {
		t.Fatalf("seed %d: the conversation is written differently than alone:\n%.400s\n%.400s", seed, got, want)
	}
	_, err = f.Verify(final, out)
	if _, refused := alone.Verify(edited, want); (err == nil) != (refused == nil) {
		t.Fatalf("seed %d: verified with %v, alone with %v", seed, err, refused)
	}
}

// TestColumnRefused checks the errors for rows that do not have the column.
func TestColumnRefused(t *testing.T) {
	const talk = `[{"role":"user","content":"a"}]`
	for _, tt := range []struct{ name, src, column, want string }{
		{"missing", `{"messages":` + talk + `}` + "\n" + `{"id":2}`, "messages", `line 2 (byte 45): row 2: no member is named "messages", which the column messages needs`},
		{"missing at depth", `{"a":{"b":1}}`, "a.c", `line 1 (byte 5): row 1: no member is named "c", which the column a.c needs`},
		{"twice", `[{"chat":` + talk + `,"chat":[]}]`, "chat", `line 1 (byte 41): row 1: two members are named "chat", and the column chat needs one`},
		{"twice, escaped", `{"chat":[],"ch\u0061t":[]}`, "chat", `line 1 (byte 11): row 1: two members are named "chat", and the column chat needs one`},
		{"a number", `{"x":0}` + "\n" + `{"chat":5}`, "chat", `line 1 (byte 0): row 1: no member is named "chat"`},
		{"a number in the column", `{"chat":5}`, "chat", `line 1 (byte 8): row 1: the column chat is a number, not a conversation`},
		{"a text", `{"chat":"hello"}`, "chat", `line 1 (byte 9): row 1: the column chat is a string that does not hold JSON`},
		{"a number in a string", `{"chat":"5"}`, "chat", `row 1: the column chat is a number, not a conversation`},
		{"no array", `{"a":{}}`, "a[].b", `line 1 (byte 5): row 1: the column a[].b expects an array here, and this is an object`},
		{"no object", `{"a":[]}`, "a.b", `line 1 (byte 5): row 1: the column a.b expects an object with "b" here, and this is an array`},
		{"no row", `[1]`, "chat", `row 1: the row is a number, not an object`},
		{"no conversation", "\n" + `{"chat":{"x":1}}`, "chat", `line 2 (byte 9): row 1, column chat: not a transcript in a known format`},
		{"no conversation, twice", `{"chat":{"x":1}}` + "\n" + `{"chat":{"y":[1,2]}}`, "chat", `line 1 (byte 8): row 1, column chat: not a transcript in a known format`},
		{"no conversation, and none", `{"chat":null}` + "\n" + `{"chat":{"x":1}}` + "\n" + `{"chat":null}` + "\n" + `{"chat":[]}`, "chat", `line 2 (byte 22): row 2, column chat: not a transcript in a known format`},
		{"another format below", `{"chat":` + talk + `}` + "\n" + `{"chat":{"x":1}}`, "chat", `line 2 (byte 49): row 2, column chat: no array of messages found`},
		{"no end of a pair", `{"prompt":` + talk + `}`, "prompt+completion", `no member is named "completion"`},
	} {
		_, err := DecodeColumn([]byte(tt.src), "", tt.column)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) && !strings.Contains(err.Error(), ": "+tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	for _, path := range []string{"a..b", ".a", "[]", "a+b+c", "a+b.c", "a+b[]", "a+"} {
		var malformed *PathError
		if _, err := DecodeColumn([]byte(`{}`), "", path); !errors.As(err, &malformed) || CheckColumn(path) == nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestColumnUsual checks which columns are found without a name.
func TestColumnUsual(t *testing.T) {
	const talk = `[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`
	for _, tt := range []struct{ src, column, format string }{
		{`{"messages":` + string(quoted([]byte(talk))) + `}`, "messages", "openai"},
		{`{"id":1,"conversation":` + string(quoted([]byte(`[{"from":"human","value":"a"}]`))) + `}` + "\n" + `{"conversation":null}`, "conversation", "sharegpt"},
		{`[{"trajectory":` + talk + `}]`, "trajectory", "openai"},
		{`{"history":` + talk + `,"x":1}`, "history", "openai"},
		{`{"prompt":` + talk + `,"completion":[{"role":"assistant","content":"c"}]}`, "prompt+completion", "openai"},
		{`{"prompt":"a","completion":"b"}`, "prompt+completion", "openai"},
		{`{"messages":` + talk + `,"x":1}`, "", "openai"},
		{`{"conversations":[{"from":"human","value":"a"}]}`, "", "sharegpt"},
	} {
		f, err := Decode([]byte(tt.src), "")
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if f.Column != tt.column || f.Dialect.Name != tt.format || !f.hasMessages() {
			t.Errorf("%s: column %q, format %s", tt.src, f.Column, f.Dialect.Name)
		}
	}
	for _, src := range []string{`{"messages":"hello"}`, `{"chat":` + talk + `}`, `{"prompt":1,"completion":2}`} {
		if f, err := Decode([]byte(src), ""); err == nil {
			t.Errorf("%s: column %q", src, f.Column)
		}
	}
}

// TestColumnPair checks that two members of a row are one conversation.
func TestColumnPair(t *testing.T) {
	const row = `{"prompt":[{"role":"user","content":"a"},{"role":"user","content":"b"}], "x":1, "completion": [{"role":"assistant","content":"c"}]}`
	for _, tt := range []struct{ src, want string }{
		{row, strings.Replace(row, `{"role":"user","content":"a"},`, "", 1)},
		{strings.Replace(row, `[{"role":"user","content":"a"},{"role":"user","content":"b"}]`, `"[{\"role\":\"user\",\"content\":\"a\"}]"`, 1), `{"prompt":"[]", "x":1, "completion": [{"role":"assistant","content":"c"}]}`},
		{`{"prompt":"a","completion":"c"}`, `{"prompt":"","completion":"c"}`},
	} {
		f, err := DecodeColumn([]byte(tt.src), "", "prompt+completion")
		if err != nil {
			t.Fatal(err)
		}
		c := f.Convs[0]
		if got := c.Messages[len(c.Messages)-1]; len(f.Convs) != 1 || got.Role != transcript.Assistant || got.Blocks[0].Text() != "c" {
			t.Fatalf("%s: ends with %s", tt.src, got.Role)
		}
		next, err := c.Apply([]transcript.Edit{{At: transcript.At(0), Op: transcript.Drop}})
		if err != nil {
			t.Fatal(err)
		}
		out, err := f.Bytes([]*transcript.Conversation{next})
		if err != nil || string(out) != tt.want {
			t.Errorf("%s (%v), want %s", out, err, tt.want)
		}
		if _, err := f.Verify([]*transcript.Conversation{next}, out); err != nil {
			t.Error(err)
		}
	}
}

// TestColumnRows checks the ids of conversations in rows, their models, the places of findings, and
// which rows can be left out.
func TestColumnRows(t *testing.T) {
	const src = `{"id":"r1","model":"gpt-4o","chat":"[{\"role\":\"user\",\"content\":\"a\"}]"}` + "\n" + `torn` + "\n" +
		`{"chat":"[\n\n{\"role\":\"assistant\",\"content\":null}]"}` + "\n" + `{"id":3,"chat":""}` + "\n"
	f, err := DecodeColumn([]byte(src), "", "chat")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range f.Convs {
		got += fmt.Sprintf("%s %s %d; ", c.ID, c.Model, len(c.Messages))
	}
	if got != "r1 gpt-4o 1; 2  1; 3  0; " {
		t.Error(got)
	}
	found := f.Check(f.Dialect.Target())
	at := strings.Index(src, "null")
	if len(found) == 0 || !slices.ContainsFunc(found, func(x rules.Finding) bool { return x.Offset == at && x.Line == 3 }) {
		t.Errorf("no finding at byte %d in line 3: %v", at, found)
	}
	lines := strings.SplitAfter(src, "\n")
	out, ok := f.WithoutRows(func(i int) bool { return i == 1 })
	if want := lines[0] + lines[1] + lines[3]; !ok || string(out) != want {
		t.Errorf("%t %s, want %s", ok, out, want)
	}
	if again, err := f.Reread(out); err != nil || len(again.Convs) != 2 || again.Column != "chat" {
		t.Error(err)
	}
}

// TestColumnRepair checks that a repair changes only the conversation.
func TestColumnRepair(t *testing.T) {
	const src = `{"tools":[{"x":"\ud800"}],"chat":"[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":null}]"}`
	f, err := DecodeColumn([]byte(src), "", "chat")
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Repair(f.Dialect.Target())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(r.Out, []byte(`{"tools":[{"x":"\ud800"}],"chat":"[{\"role\":\"user\",\"content\":\"a\"}`)) || bytes.Equal(r.Out, []byte(src)) {
		t.Errorf("%s", r.Out)
	}
}

// TestColumnCorpus reads the rows of training sets and benchmarks by their columns, and checks that random
// edits leave the other members as they are.
func TestColumnCorpus(t *testing.T) {
	read, rows := 0, 0
	for _, path := range corpusFiles(t, "openai-ft-jsonl", "sharegpt", "swe-agent-traj", "mini-swe-agent-traj", "openhands", "inspect-eval-log", "openai-chat") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range []string{"messages", "conversations", "history", "trajectory", "traj", "samples[].messages", "history[].messages"} {
			f, err := DecodeColumn(src, "", column)
			if err != nil {
				continue
			}
			read, rows = read+1, rows+len(f.rows.Spans)
			final := make([]*transcript.Conversation, len(f.Convs))
			for i, c := range f.Convs {
				final[i] = randomly(rand.New(rand.NewSource(int64(i))), c)
			}
			out, err := f.Bytes(final)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			} else if a, b := emptied(t, src, column), emptied(t, out, column); a != b {
				t.Errorf("%s: members beside %s changed", path, column)
			}
		}
	}
	t.Logf("%d columns of files, %d rows", read, rows)
	if read < 25 {
		t.Errorf("%d columns of files were read", read)
	}
}

// emptied returns a source without the values of a column. It shares no code with the reader of columns.
func emptied(t *testing.T, src []byte, column string) string {
	t.Helper()
	keys := strings.Split(strings.ReplaceAll(column, "[]", ".[]"), ".")
	var cut func(raw json.RawMessage, keys []string) string
	cut = func(raw json.RawMessage, keys []string) string {
		if len(keys) == 0 {
			return "…"
		}
		var values []json.RawMessage
		if keys[0] == "[]" {
			if json.Unmarshal(raw, &values) != nil {
				t.Fatal("no array")
			}
		} else {
			var members map[string]json.RawMessage
			if json.Unmarshal(raw, &members) != nil {
				t.Fatal("no object")
			}
			values = []json.RawMessage{members[keys[0]]}
		}
		text, from := string(raw), 0
		for _, v := range values {
			at := from + strings.Index(text[from:], string(v))
			in := cut(v, keys[1:])
			text, from = text[:at]+in+text[at+len(v):], at+len(in)
		}
		return text
	}
	var rows []json.RawMessage
	if json.Unmarshal(src, &rows) == nil {
		return cut(src, append([]string{"[]"}, keys...))
	}
	if json.Valid(src) {
		return cut(src, keys)
	}
	text := ""
	for line := range strings.Lines(string(src)) {
		text += cut(json.RawMessage(line), keys)
	}
	return text
}
