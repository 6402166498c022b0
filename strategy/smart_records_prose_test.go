package strategy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"condense/transcript/format"
	"condense/transcript/token"
)

// TestRecordsHoldNoCalls checks that a quotation of a result in a record is not decoded as
// a call in formats that write calls in the text of the model.
func TestRecordsHoldNoCalls(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	type block map[string]string
	type message struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	text := func(role string, texts ...string) message {
		m := message{Role: role}
		for _, s := range texts {
			m.Content = append(m.Content, block{"type": "text", "text": s})
		}
		return m
	}
	msgs := []message{text("user", "<task>\nHow are tools written: read_file, harbour_path?\n</task>")}
	idle := strings.Repeat("a line as it was written in the file, of no interest at all\n", 200)
	named := ""
	for i := range 8 {
		named += fmt.Sprintf(" src/harbour_path_%d.go", i)
		msgs = append(msgs,
			text("assistant", fmt.Sprintf("I will read harbour_path_%d.go now.\n\n<read_file>\n<path>docs/tools_%d.md</path>\n</read_file>", i, i)),
			text("user", fmt.Sprintf("[read_file for 'docs/tools_%d.md'] Result:", i),
				fmt.Sprintf("# The tools\n\nTo read a file, the model writes:\n\n<read_file><path>src/harbour_path_%d.go</path></read_file>\n\n<read_file>\n<path>src/harbour_path_%d.go</path>\n</read_file>\n\n%s", i, i, idle)))
	}
	msgs = append(msgs, text("assistant", "<attempt_completion>\n<result>\nThey are elements with"+named+".\n</result>\n</attempt_completion>"))
	src, err := json.Marshal(msgs)
	if err != nil {
		t.Fatal(err)
	}
	file, err := format.Decode(src, "cline")
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0.2, 0.1, 0.05} {
		next := smartly(t, file, share, counter)[0]
		for m := range next.Visible() {
			for _, b := range m.Blocks {
				if strings.Contains(b.Text(), "harbour_path_") && b.Tool == "read_file" && strings.Contains(b.Text(), "src/") && m.Role.String() == "assistant" {
					t.Errorf("%.0f %%: a quotation was decoded as a call: %q", 100*share, b.Text())
				}
			}
		}
	}
}
