package rawjson_test

import (
	"bytes"
	"fmt"

	"condense/transcript/internal/rawjson"
)

// This example changes one string and leaves every other byte alone. The 1.0, the repeated key and
// the odd spacing would not survive a trip through Go values.
func Example() {
	src := []byte(`{"score":1.0, "content" : "Une tr\u00e8s longue r\u00e9ponse", "tag":"a", "tag":"b"}`)
	var doc rawjson.Doc
	if _, err := doc.Scan(src, 0, len(src)); err != nil {
		fmt.Println(err)
		return
	}
	content := doc.Root().Get("content")
	fmt.Println(content.Str())
	style := rawjson.StyleOf(content.Raw()).Or(rawjson.StyleOf(src))
	out, err := rawjson.Apply(src, []rawjson.Edit{
		{Span: content.Span(), New: style.Quote("Réponse")},
	})
	fmt.Println(string(out), err)
	// Output:
	// Une très longue réponse
	// {"score":1.0, "content" : "R\u00e9ponse", "tag":"a", "tag":"b"} <nil>
}

// This example reads a log line by line. The error for a line has the place of the fault.
func ExampleLines() {
	log := []byte("{\"id\":1}\n{\"id\":2,}\r\n{\"id\"")
	var doc rawjson.Doc
	for n, line := range rawjson.Lines(log) {
		if err := doc.ScanAll(log, line.Start, line.End); err != nil {
			fmt.Printf("line %d: %v\n", n+1, err)
			continue
		}
		id, _ := doc.Root().Get("id").Int()
		fmt.Printf("line %d: id %d\n", n+1, id)
	}
	// Output:
	// line 1: id 1
	// line 2: offset 17: expected a key after ',', found '}'
	// line 3: offset 25: expected ':' after object key, found end of input
}

// This example removes elements with their commas.
func ExampleRemove() {
	src := []byte("[\n  1,\n  2,\n  3\n]")
	var doc rawjson.Doc
	if _, err := doc.Scan(src, 0, len(src)); err != nil {
		fmt.Println(err)
		return
	}
	edits := rawjson.Remove(nil, doc.Root().Items(), func(i int) bool { return i == 1 })
	out, err := rawjson.Apply(src, edits)
	fmt.Println(string(out), err)
	// Output:
	// [
	//   1,
	//   3
	// ] <nil>
}

// This example replaces a part of a string by the offsets of the part in the decoded text.
func ExampleCuts() {
	raw := []byte(`"caf\u00e9\n<env>old</env>"`)
	text := rawjson.Decode(raw)
	start := len("café\n<env>")
	cuts := rawjson.Cuts(raw, []int{start, start + len("old")})
	fmt.Printf("%q: %s\n", text, raw[cuts[0]:cuts[1]])
	out := bytes.Join([][]byte{raw[:cuts[0]], []byte("new"), raw[cuts[1]:]}, nil)
	fmt.Println(string(out))
	// Output:
	// "café\n<env>old</env>": old
	// "caf\u00e9\n<env>new</env>"
}
