package format

import (
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// geminiCase is a source and what it decodes to: conversations are set apart by "--".
type geminiCase struct {
	name    string
	dialect *Dialect
	src     string
	want    []string
}

func (c geminiCase) check(t *testing.T) {
	f := decoded(t, c.src)
	if f.Dialect != c.dialect {
		t.Errorf("decoded as %s", f.Dialect.Name)
	}
	want := c.want
	for i, conv := range f.Convs {
		n := len(want)
		for k, line := range want {
			if line == "--" {
				n = k
				break
			}
		}
		if i == len(f.Convs)-1 && n < len(want) {
			t.Errorf("%d conversations", len(f.Convs))
		}
		shows(t, conv, want[:n]...)
		want = want[min(n+1, len(want)):]
	}
}

// TestGemini decodes contents, alone and in requests.
func TestGemini(t *testing.T) {
	for _, c := range []geminiCase{
		{"ids", &gemini, `[
			{"role":"user","parts":[{"text":"go"}]},
			{"role":"model","parts":[{"thought":true,"text":"hm"},{"functionCall":{"id":"c1","name":"ls","args":{"d":".","n":2}},"thoughtSignature":"abc"}]},
			{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"ls","response":{"output":"a","code":0}}},{"text":"<system-reminder>r</system-reminder>"}]}]`,
			[]string{`user: typed "go"`, `assistant: thinking "hm" | call c1 ls d="." n=2`, `user: result c1 ls "a" | injected "<system-reminder>r</system-reminder>"`}},
		{"without ids, answers belong to the calls of their name in the last turn", &gemini, `[
			{"role":"user","parts":["go"]},
			{"role":"model","parts":[{"function_call":{"name":"f","args":{"x":"open"}}}]},
			{"role":"user","parts":[{"text":"never mind"}]},
			{"role":"model","parts":[{"function_call":{"name":"f","args":{"x":"1"}}},{"function_call":{"name":"g"}},{"function_call":{"name":"f","args":{"x":"2"}}}]},
			{"role":"function","parts":[{"function_response":{"name":"f","response":{"result":"one"}}},{"function_response":{"name":"f","response":{"result":"two"}}},
			 {"function_response":{"name":"g","response":null}},{"function_response":{"name":"h","response":{}}}]}]`,
			[]string{`user: typed "go"`, `assistant: open call prose 1 f x="open"`, `user: typed "never mind"`,
				`assistant: call prose 2 f x="1" | call prose 3 g | call prose 4 f x="2"`,
				`tool: result prose 2 f "one" | result prose 4 f "two" | result prose 3 g | orphan result h`}},
		{"calls with ids, answers without", &gemini, `[
			{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f"}},{"functionCall":{"id":"c2","name":"f"}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"f","response":"one"}},{"functionResponse":{"id":"c2","name":"f","response":["two","three"]}}]}]`,
			[]string{`assistant: call prose 1 f | call c2 f`, `user: result prose 1 f "one" | result c2 f "two" "three"`}},
		{"the text of an error comes first", &gemini, `[
			{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"o","error":"e"}}},
			 {"functionResponse":{"id":"c2","name":"f","response":{"error":"","output":"fine"}}}]}]`,
			[]string{`user: orphan result c1 f "e" "o" | orphan result c2 f "fine"`}},
		{"parts of every kind", &gemini, `[
			{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"file_data":{"mime_type":"video/mp4","file_uri":"u"}},{"text":"both","inlineData":{"mimeType":"image/gif","data":""}}]},
			{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1+1"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"2"}},
			 {"thoughtSignature":"only"},{"text":"","thoughtSignature":"and text"},{"new":1},null]}]`,
			[]string{`user: media image/png | media video/mp4 | typed "both" | media image/gif`,
				`assistant: call prose 1 code_execution language="PYTHON" code="1+1" | result prose 1 code_execution "2" | thinking | thinking "" | opaque | opaque`}},
		{"what a response holds", &gemini, `[
			{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"AA"}],"n":1},
			 "parts":[{"inlineData":{"mimeType":"image/jpeg","data":"AA"}}]}}]}]`,
			[]string{`user: orphan result c f "a" image/png image/jpeg`}},
		{"mentioned files", &gemini, `[
			{"role":"user","parts":[{"text":"see @a"},{"text":"\n--- Content from referenced files ---"},{"text":"\nContent from @a:\n"},{"text":"x"},{"text":"\n--- End of content ---"},{"text":"now"}]}]`,
			[]string{`user: typed "see @a" | injected "\n--- Content from referenced files ---" | injected "\nContent from @a:\n" | injected "x" | injected "\n--- End of content ---" | typed "now"`}},
		{"a request", &gemini, `{"system_instruction":{"parts":[{"text":"be good"}]},"contents":[{"parts":[{"text":"go"}]},{"role":"model","parts":{"text":"ok"}},{"role":"model","parts":"ok"}]}`,
			[]string{`system: injected "be good"`, `user: typed "go"`, `assistant: model "ok"`, `assistant: model "ok"`}},
		{"a checkpoint", &gemini, `{"history":[{"role":"user","parts":[{"text":"go"}]}],"authType":"x"}`, []string{`user: typed "go"`}},
		{"several requests", &gemini, "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]}]}\n\n{\"request\":{\"systemInstruction\":\"s\",\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"b\"}]}]}}",
			[]string{`user: typed "a"`, "--", `system: injected "s"`, `user: typed "b"`}},
		{"an array of requests", &gemini, `[{"contents":[{"role":"user","parts":[{"text":"a"}]}]},{"contents":[]}]`, []string{`user: typed "a"`, "--"}},
	} {
		t.Run(c.name, c.check)
	}
}

// TestGeminiElsewhere: contents of other formats have parts, too.
func TestGeminiElsewhere(t *testing.T) {
	for _, src := range []string{
		`[{"id":"1","role":"user","parts":[{"type":"text","text":"UI message of the Vercel SDK"}]}]`,
		`[{"role":"user","parts":[{"kind":"text","text":"A2A message"}]}]`,
		`[{"info":{"role":"user"},"parts":[{"type":"text","text":"OpenCode"}]}]`,
		`{"events":[{"type":"message","author":"x"}]}`,
		`{"contents":"text"}`, `{"contents":[1,2]}`, `[[]]`, `[{"parts":null}]`,
	} {
		f, err := Decode([]byte(src), "")
		if err == nil && (f.Dialect == &gemini || f.Dialect == &adk) {
			t.Errorf("%s is taken for %s", src, f.Dialect.Name)
		}
	}
}

// TestGeminiInsert writes a new message into every dialect of this family.
func TestGeminiInsert(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`[{"role":"user","parts":[{"text":"a"}]}, {"role":"model","parts":[{"text":"b"}]}]`,
			`[{"role":"user","parts":[{"text":"a"}]}, {"role":"model","parts":[{"text":"new"}]}, {"role":"model","parts":[{"text":"b"}]}]`},
		{`{"events":[{"author":"user","invocationId":"i","content":{"parts":[{"text":"a"}]},"timestamp":1.50},{"author":"agent","content":{"parts":[{"text":"b"}]},"timestamp":2.50}]}`,
			`{"events":[{"author":"user","invocationId":"i","content":{"parts":[{"text":"a"}]},"timestamp":1.50},{"author":"agent","content":{"role":"model","parts":[{"text":"new"}]},"id":"ID","timestamp":2.50},{"author":"agent","content":{"parts":[{"text":"b"}]},"timestamp":2.50}]}`},
		{`{"chunkedPrompt":{"chunks":[{"text":"a","role":"user"},{"text":"b","role":"model"}]}}`,
			`{"chunkedPrompt":{"chunks":[{"text":"a","role":"user"},{"text":"new","role":"model"},{"text":"b","role":"model"}]}}`},
		{`{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"a"},{"id":"2","timestamp":"T","type":"gemini","content":"b"}]}`,
			`{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"a"},{"id":"ID","timestamp":"T","type":"gemini","content":"new"},{"id":"2","timestamp":"T","type":"gemini","content":"b"}]}`},
		{"{\"type\":\"message\",\"timestamp\":\"T\",\"role\":\"user\",\"content\":\"a\"}\n{\"type\":\"message\",\"timestamp\":\"U\",\"role\":\"assistant\",\"content\":\"b\",\"delta\":true}",
			"{\"type\":\"message\",\"timestamp\":\"T\",\"role\":\"user\",\"content\":\"a\"}\n{\"type\":\"message\",\"timestamp\":\"U\",\"role\":\"assistant\",\"content\":\"new\"}\n{\"type\":\"message\",\"timestamp\":\"U\",\"role\":\"assistant\",\"content\":\"b\",\"delta\":false}"},
	} {
		f := decoded(t, c.src)
		next, err := f.Convs[0].Apply([]transcript.Edit{{At: transcript.At(1), Op: transcript.Insert, New: &transcript.Message{
			Role: transcript.Assistant, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "new"}}}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		final := []*transcript.Conversation{next}
		out, err := f.Bytes(final)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Verify(final, out); err != nil {
			t.Errorf("%s: %v", f.Dialect.Name, err)
		}
		if got := withoutID(string(out)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", f.Dialect.Name, got, c.want)
		}
	}
}

// withoutID writes ID in place of the id of the new record, the only long one.
func withoutID(s string) string {
	before, rest, found := strings.Cut(s, `"id":"`)
	if !found {
		return s
	}
	id, rest, _ := strings.Cut(rest, `"`)
	if len(id) >= 8 {
		id = "ID"
	}
	return before + `"id":"` + id + `"` + withoutID(rest)
}

// TestGeminiRepair writes the answer that a call lacks.
func TestGeminiRepair(t *testing.T) {
	f := decoded(t, `[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"g","args":{}}}]},{"role":"user","parts":[{"text":"b"}]}]`)
	r, err := f.Repair(&rules.Gemini)
	if err != nil {
		t.Fatal(err)
	}
	shows(t, r.File.Convs[0], `user: typed "a"`, `assistant: call c g`,
		`user: result c g "[no result was recorded for this call]"`, `user: typed "b"`)
}
