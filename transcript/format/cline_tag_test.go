package format

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

const rooTask = `[{"role":"user","content":"task: mend it","ts":1000},` +
	`{"role":"assistant","content":"a1","ts":2000},{"role":"user","content":"u2","ts":3000},` +
	`{"role":"assistant","content":"a3","ts":4000},{"role":"user","content":"u4","ts":5000}]`

// dropping decodes a source, drops messages by id and writes the rest with options.
func dropping(t *testing.T, src string, o Options, ids ...int) (out string, again *File) {
	t.Helper()
	f, err := Decode([]byte(src), "")
	if err != nil {
		t.Fatal(err)
	}
	if f, err = f.With(o); err != nil {
		t.Fatal(err)
	}
	var edits []transcript.Edit
	for _, id := range ids {
		edits = append(edits, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
	}
	if o.Tag && len(ids) > 0 {
		edits = append(edits, markerBehind(f.Convs[0], ids))
	}
	return lowered(t, f, edits)
}

// markerBehind inserts the marker that hides messages. Like a strategy, it inserts the marker in front
// of the next visible message that is no marker.
func markerBehind(c *transcript.Conversation, ids []int) transcript.Edit {
	at := transcript.At(transcript.End)
	for m := range c.Visible() {
		if !m.Hides && c.Position(m.ID) > c.Position(ids[len(ids)-1]) {
			at = transcript.At(m.ID)
			break
		}
	}
	return generatedBy(at, true, fmt.Sprintf("[Sliding window truncation: %d messages hidden to save context]", len(ids)))
}

// generatedBy inserts a generated message: a marker, or a summary.
func generatedBy(at transcript.Ref, marker bool, text string) transcript.Edit {
	return transcript.Edit{At: at, Op: transcript.Insert, New: &transcript.Message{
		Role: transcript.User, Hides: marker,
		Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: text}}}},
	}}
}

// lowered applies edits to the first conversation of a file, writes it and reads it again.
func lowered(t *testing.T, f *File, edits []transcript.Edit) (out string, again *File) {
	t.Helper()
	c, err := f.Convs[0].Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	final := []*transcript.Conversation{c}
	b, err := f.Bytes(final)
	if err != nil {
		t.Fatal(err)
	}
	if again, err = f.Verify(final, b); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return string(b), again
}

// TestTag checks that dropped messages stay in the file, hidden behind a marker, and become visible
// when the marker is removed.
func TestTag(t *testing.T) {
	out, again := dropping(t, rooTask, Options{Tag: true}, 1, 2)
	if strings.Count(out, `"truncationParent"`) != 2 || strings.Count(out, `"isTruncationMarker":true`) != 1 {
		t.Errorf("tags and marker in\n%s", out)
	}
	if !strings.Contains(out, `"ts":3999`) {
		t.Errorf("the marker's time is not just before that of the next message\n%s", out)
	}
	want := []string{
		`user: typed "task: mend it"`, `(assistant: model "a1")`, `(user: typed "u2")`,
		`user: generated "[Sliding window truncation: 2 messages hidden to save context]"`,
		`assistant: model "a3"`, `user: typed "u4"`,
	}
	if got := show(again.Convs[0]); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}

	marker := again.Convs[0].Messages[3].ID
	_, back := dropping(t, strings.Replace(out, `"isTruncationMarker":true`, `"isTruncationMarker":false`, 1), Options{}, marker)
	for _, m := range back.Convs[0].Messages {
		if m.Hidden {
			t.Errorf("still hidden without its marker: %v", m.Blocks[0].Text())
		}
	}
}

// TestTagTwice checks that a second truncation inserts a second marker.
func TestTagTwice(t *testing.T) {
	once, _ := dropping(t, rooTask, Options{Tag: true}, 1, 2)
	twice, again := dropping(t, once, Options{Tag: true}, 4)
	if strings.Count(twice, `"isTruncationMarker":true`) != 2 {
		t.Errorf("not two markers in\n%s", twice)
	}
	if got := len(slices.Collect(again.Convs[0].Visible())); got != 4 {
		t.Errorf("%d visible messages, want the first, two markers and the last", got)
	}
}

func TestTagUnsupported(t *testing.T) {
	f, err := Decode([]byte(`[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`), "openai")
	if err != nil {
		t.Fatal(err)
	}
	var unsupported *UnsupportedError
	if _, err := f.With(Options{Tag: true}); !errors.As(err, &unsupported) || unsupported.Option != "Tag" {
		t.Errorf("got %v", err)
	}
	if _, err := f.Rename("x"); !errors.As(err, &unsupported) {
		t.Errorf("got %v", err)
	}
}

// TestTagSummary checks that an inserted message other than a marker is a summary, which hides all
// earlier messages. The tag of an earlier summary stays.
func TestTagSummary(t *testing.T) {
	const text = "## Conversation Summary\nAll is mended."
	summarized := func(src string, ids ...int) (string, *File) {
		t.Helper()
		f, err := rooFile(t, src).With(Options{Tag: true})
		if err != nil {
			t.Fatal(err)
		}
		edits := []transcript.Edit{generatedBy(transcript.At(transcript.End), false, text)}
		for _, id := range ids {
			edits = append(edits, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
		}
		return lowered(t, f, edits)
	}
	out, again := summarized(roo(t, inTurns(7)), 0, 1, 2, 3, 4, 5, 6)
	wantWords(t, again, "- - - - - - - "+text)
	all := rooRecords(t, out)
	last := all[len(all)-1]
	if !last.IsSummary || last.IsMarker || last.TS != all[6].TS+1 || last.CondenseParent != nil {
		t.Errorf("summary %+v", last)
	}
	for i, r := range all[:7] {
		if r.CondenseParent == nil || *r.CondenseParent != last.CondenseID || r.TruncationParent != nil {
			t.Errorf("message %d is tagged %v, %v, not with %s", i, r.CondenseParent, r.TruncationParent, last.CondenseID)
		}
	}

	src := roo(t, "U/S1 A+x/S1 S1 U=x. A") // U=x. is two messages, 3 and 4
	out, again = summarized(src, 2, 3, 5)
	wantWords(t, again, "- - - - - - "+text)
	all = rooRecords(t, out)
	if p := all[0].CondenseParent; len(all) != 6 || p == nil || *p != "S1" || *all[2].CondenseParent != all[5].CondenseID {
		t.Errorf("got\n%s", out)
	}
}

// TestTagPartlyHidden checks a message with a hidden result, which is decoded as two messages.
// Changes of the visible one leave the hidden one in place.
func TestTagPartlyHidden(t *testing.T) {
	const src = "U/S1 A+x/S1 S1 A+y U=x=y. A U" // U=x=y. is 4, and 5 for x
	for _, c := range []struct {
		name  string
		tag   bool
		drop  []int
		want  string
		left  string // the text that stays in the file
		marks int
	}{
		{"removed", false, []int{3, 4}, "- - S1 - A U", "U/S1 A+x/S1 S1 U=x A U", 0},
		{"hidden", true, []int{3, 4}, "- - S1 - - - MARK A U", "", 1},
		{"the hidden one removed with its call", false, []int{1, 5}, "- S1 A+y U=y. A U", "U/S1 S1 A+y U=y. A U", 0},
		{"behind it", true, []int{6}, "- - S1 A+y U=y. - - MARK U", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, again := dropping(t, roo(t, src), Options{Tag: c.tag}, c.drop...)
			wantWords(t, again, c.want)
			if strings.Count(out, "isTruncationMarker") != c.marks {
				t.Errorf("got\n%s", out)
			}
			if want := rooFile(t, roo(t, src)).src; c.left != "" && len(out) >= len(want) {
				t.Errorf("nothing is gone from\n%s", out)
			}
			if c.left != "" {
				wantWords(t, rooFile(t, roo(t, c.left)), c.want)
			}
		})
	}
}

// TestTagsOfRoo checks that only Roo Code hides messages by tags: a file with the modelInfo of Cline has no
// tags, unless one of the four members of Roo Code is in it.
func TestTagsOfRoo(t *testing.T) {
	const src = `[{"role":"user","content":[{"type":"text","text":"<task>go</task>"}],"ts":1%s},{"role":"assistant","content":[{"type":"text","text":"ok"}],"ts":2,"modelInfo":{"modelId":"m"}}]`
	for member, tags := range map[string]bool{
		"": false, `,"condenseParent":"c"`: true, `,"truncationParent":"c"`: true, `,"isSummary":true`: true, `,"isTruncationMarker":true`: true,
	} {
		f, err := Decode(fmt.Appendf(nil, src, member), "cline")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.With(Options{Tag: true}); (err == nil) != tags {
			t.Errorf("with %q: %v", member, err)
		}
	}
}

// TestProseTools checks that the elements by which Cline and Roo Code call their tools are calls, and others
// are text.
func TestProseTools(t *testing.T) {
	const tools = "read_file write_to_file replace_in_file apply_diff insert_content search_and_replace search_files list_files " +
		"list_code_definition_names execute_command browser_action use_mcp_tool access_mcp_resource ask_followup_question " +
		"attempt_completion new_task switch_mode update_todo_list plan_mode_respond fetch_instructions codebase_search"
	for _, tool := range append(strings.Fields(tools), "paint_file") {
		src := fmt.Sprintf(`[{"role":"user","content":[{"type":"text","text":"<task>go</task>"}],"ts":1},{"role":"assistant","content":[{"type":"text","text":"So: <%s><a>b</a></%s>"}],"ts":2}]`, tool, tool)
		blocks := rooFile(t, src).Convs[0].Messages[1].Blocks
		if called := len(blocks) == 2 && blocks[1].Kind == transcript.ToolCall && blocks[1].Tool == tool; called != (tool != "paint_file") {
			t.Errorf("%s: read as %v", tool, showBlock(blocks[len(blocks)-1], false))
		}
	}
}
