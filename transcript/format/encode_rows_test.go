package format

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestSplit checks for every fixture that its chunks hold what the whole has, and that they join to its bytes.
func TestSplit(t *testing.T) {
	chunked := 0
	for _, src := range transcripttest.Sources(t, "../../testdata") {
		whole, err := Decode(src, "")
		chunks, f, split := Split(src, "", 1)
		if (split == nil) != (err == nil) || f != nil && f.Dialect != whole.Dialect {
			t.Errorf("%v, whole %v: %.200s", split, err, src)
		}
		if chunks == nil {
			continue
		}
		chunked++
		var convs []*transcript.Conversation
		var faults []Fault
		var out []byte
		if err := chunks.Each(func(c *Chunk) error {
			convs, faults = append(convs, c.Convs...), append(faults, c.Faults...)
			part, err := c.Bytes(c.Convs)
			out = c.Append(out, part)
			return err
		}); err != nil {
			t.Logf("a chunk without conversations: %v", err)
			continue
		}
		same := func(a, b *transcript.Conversation) bool { return a.ID == b.ID && slices.Equal(show(a), show(b)) }
		if !slices.EqualFunc(convs, whole.Convs, same) || !slices.Equal(faults, whole.Faults) || !bytes.Equal(append(out, chunks.Tail()...), src) {
			t.Errorf("%d conversations with faults %v, whole %d with %v: %.200s", len(convs), faults, len(whole.Convs), whole.Faults, src)
		}
	}
	if chunked < 5 {
		t.Errorf("only %d fixtures have chunks", chunked)
	}
}

// TestSplitNamed checks that Split and Decode agree about sources that the caller named, rightly or wrongly.
func TestSplitNamed(t *testing.T) {
	refused := 0
	for _, src := range smallest(t) {
		for _, d := range Dialects {
			whole, err := Decode(src, d.Name)
			chunks, f, split := Split(src, d.Name, len(src)/2)
			if err != nil {
				refused++
			}
			if chunks != nil {
				if got := chunks.Dialect(); got != d {
					t.Errorf("chunks of %s, named %s", got.Name, d.Name)
				}
				continue
			}
			if fmt.Sprint(err) != fmt.Sprint(split) {
				t.Errorf("named %s: %v, whole %v: %.200s", d.Name, split, err, src)
			} else if err == nil && (f.Dialect != d || !slices.EqualFunc(f.Convs, whole.Convs, func(a, b *transcript.Conversation) bool { return slices.Equal(show(a), show(b)) })) {
				t.Errorf("named %s: read as %s with other conversations: %.200s", d.Name, f.Dialect.Name, src)
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d sources are refused", refused)
	}
}

// TestSplitReads checks that the output of chunks must be found to be of their dialect, unless the caller named it.
func TestSplitReads(t *testing.T) {
	const row = `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}` + "\n"
	for _, tt := range []struct {
		name, out string
		want      bool
	}{
		{"", row + row, true},
		{"", `{"conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"}]}` + "\n", false},
		{"", "no JSON", false},
		{"openai-ft", "no JSON", true},
	} {
		chunks, _, err := Split([]byte(row+row), tt.name, len(row))
		if err != nil || chunks == nil {
			t.Fatalf("named %q: no chunks, %v", tt.name, err)
		}
		if got := chunks.Reads([]byte(tt.out)); got != tt.want {
			t.Errorf("named %q, %s: %t, want %t", tt.name, tt.out, got, tt.want)
		}
	}
}

// TestWithoutRows checks what is left of a source without some of its rows.
func TestWithoutRows(t *testing.T) {
	const a, b = `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`,
		`{"messages":[{"role":"user","content":"c"},{"role":"assistant","content":"d"}],"weight":0}`
	const talk = `[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`
	for _, tt := range []struct {
		name, src, want string
		drop            []int
	}{
		{"the first line", a + "\n" + b + "\n", b + "\n", []int{0}},
		{"the last line", a + "\r\n" + b, a + "\r\n", []int{1}},
		{"around a blank line", a + "\n\n" + b + "\n" + a + "\n", "\n" + b + "\n", []int{0, 2}},
		{"no line", a + "\n" + b + "\n", a + "\n" + b + "\n", nil},
		{"an element", "[" + a + ", " + b + ",\n" + a + "]", "[" + a + ",\n" + a + "]", []int{1}},
		{"the first elements", "[" + a + ", " + b + ",\n" + a + "]", "[" + a + "]", []int{0, 1}},
		{"lists of messages", "[" + talk + "," + talk + "]", "[" + talk + "]", []int{1}},
		{"turns", `[{"conversations":[{"from":"human","value":"a"}]},{"conversations":[{"from":"gpt","value":"b"}]}]`, `[{"conversations":[{"from":"human","value":"a"}]}]`, []int{1}},
		{"one conversation", talk, "", []int{0}},
		{"one object", a, "", []int{0}},
	} {
		f, err := Decode([]byte(tt.src), "")
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		dropped := map[int]bool{}
		for _, i := range tt.drop {
			dropped[i] = true
		}
		out, ok := f.WithoutRows(func(i int) bool { return dropped[i] })
		if string(out) != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %v, %s; want %s", tt.name, ok, out, tt.want)
		}
	}
}

// TestWeights checks which messages of training sets a model learns.
func TestWeights(t *testing.T) {
	for _, tt := range []struct{ name, row, learned string }{
		{"without weights", `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`, "b"},
		{"OpenAI", `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","weight":0},{"role":"assistant","content":"c","weight":1}]}`, "c"},
		{"LLaMA-Factory", `{"messages":[{"role":"user","content":"a","loss_weight":0.0},{"role":"user","content":"b","loss_weight":0.5},{"role":"assistant","content":"c","loss_weight":-0.0}]}`, "b"},
		{"ms-swift", `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","loss":false},{"role":"assistant","content":"c","loss":true}]}`, "c"},
		{"Axolotl", `{"conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b","train":false},{"from":"gpt","value":"c"}]}`, "c"},
		{"a row without weight", `{"messages":[{"role":"assistant","content":"b","weight":1},{"role":"assistant","content":"c"}],"weight":0}`, ""},
		{"a row with weight", `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"c"}],"weight":2}`, "c"},
	} {
		f, err := Decode([]byte(tt.row+"\n"+tt.row), "")
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		learned := ""
		for m := range f.Convs[0].Visible() {
			if m.Learned() {
				learned += m.Blocks[0].Text()
			}
		}
		if learned != tt.learned {
			t.Errorf("%s: a model learns %q, want %q", tt.name, learned, tt.learned)
		}
	}
}
