package format

import (
	"encoding/json"
	"strings"
	"testing"

	"condense/transcript"
)

const libreNested = `{"conversationId":"c","recursive":true,"messages":[
 {"messageId":"a","parentMessageId":"0","text":"q","isCreatedByUser":true,"children":[
  {"messageId":"b","parentMessageId":"a","text":"A","isCreatedByUser":false,"children":[
   {"messageId":"h","parentMessageId":"b","text":"left","isCreatedByUser":true,"children":[]},
   {"messageId":"d","parentMessageId":"b","text":"r","isCreatedByUser":true,"children":[]}]}]}]}`

func TestLibreChatNested(t *testing.T) {
	f := decoded(t, libreNested)
	shows(t, f.Convs[0], `(user: typed "left")`, `user: typed "q"`, `assistant: model "A"`, `user: typed "r"`)
	for name, c := range map[string]struct {
		edits []transcript.Edit
		want  []string
	}{
		"root":  {[]transcript.Edit{drop(1)}, []string{`(user: typed "left")`, `assistant: model "A"`, `user: typed "r"`}},
		"inner": {[]transcript.Edit{drop(2)}, []string{`(user: typed "left")`, `user: typed "q"`, `user: typed "r"`}},
		"both":  {[]transcript.Edit{drop(1), drop(2)}, []string{`(user: typed "left")`, `user: typed "r"`}},
		"all":   {[]transcript.Edit{drop(0), drop(1), drop(2), insert(transcript.End, transcript.User, "S")}, []string{`user: typed "r"`, `user: typed "S"`}},
		"around": {[]transcript.Edit{insert(2, transcript.User, "S"), insert(2, transcript.Assistant, "T")},
			[]string{`(user: typed "left")`, `user: typed "q"`, `user: typed "S"`, `assistant: model "T"`, `assistant: model "A"`, `user: typed "r"`}},
		"beside": {[]transcript.Edit{drop(3), insert(transcript.End, transcript.User, "S")},
			[]string{`(user: typed "left")`, `user: typed "q"`, `assistant: model "A"`, `user: typed "S"`}},
		"append": {[]transcript.Edit{drop(3), drop(0), insert(transcript.End, transcript.User, "S")},
			[]string{`user: typed "q"`, `assistant: model "A"`, `user: typed "S"`}},
	} {
		t.Run(name, func(t *testing.T) {
			out := edited(t, f, c.edits...)
			if !json.Valid([]byte(out)) {
				t.Fatalf("not JSON:\n%s", out)
			}
			shows(t, decoded(t, out).Convs[0], c.want...)
		})
	}
}

func TestLibreChatFlat(t *testing.T) {
	f := decoded(t, `{"conversationId":"c","messages":[{"messageId":"a","parentMessageId":null,"text":"q","isCreatedByUser":true},`+
		`{"messageId":"b","parentMessageId":"a","text":"","sender":"X","isCreatedByUser":false,"content":[{"type":"think","think":"hm"},{"type":"tool_call","tool_call":{"id":"c1","name":"f","args":"{\"x\":1}","output":"out"}},{"type":"text","text":{"value":"A"}},{"type":"agent_update"}]},`+
		`{"messageId":"c","parentMessageId":"b","text":"r","sender":"User"}]}`)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: thinking "hm" | call c1 f x=1 | result c1 f "out" | model "A" | opaque`, `user: typed "r"`)
	if out := edited(t, f, drop(1)); !strings.Contains(out, `"messageId":"c","parentMessageId":"a"`) {
		t.Errorf("hangs on nothing:\n%s", out)
	}
	f = decoded(t, `{"conversationId":"c","messages":[{"messageId":"a","text":"q","isCreatedByUser":true},{"messageId":"b","text":"A","isCreatedByUser":false}]}`)
	for _, at := range []int{1, transcript.End} {
		out := edited(t, f, insert(at, transcript.Assistant, "S"))
		if strings.Contains(out, "parentMessageId") || !strings.Contains(out, `,"sender":"Assistant","isCreatedByUser":false,"text":"S"}`) {
			t.Errorf("a new message at %d of a list without parents:\n%s", at, out)
		}
	}
}
