package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// Data sets and benchmarks share this file: each row holds a conversation, and other data
// about the run.

// eachRow calls visit for every row of a source: a document that is an object, the
// objects of an array, or the lines of JSONL. row is valid only during the call.
func (f *File) eachRow(p *probe, visit func(i int, row rawjson.Value)) {
	i := 0
	row := func(_ int, v rawjson.Value) {
		if v.Kind() == rawjson.Object {
			visit(i, v)
		}
		i++
	}
	switch {
	case p.lines != nil:
		f.readLines(splice.New(p.src), p, row)
	case p.doc.Root().Kind() == rawjson.Object:
		row(0, p.doc.Root())
	default:
		for e := range p.doc.Root().Elems() {
			row(0, e)
		}
	}
}

// sniffRows is the number of rows that detection looks at.
const sniffRows = 4

// firstObjects returns the objects among the first n elements of an array.
func firstObjects(array rawjson.Value, n int) (found []rawjson.Value) {
	i := 0
	for e := range array.Elems() {
		if i == n {
			break
		}
		i++
		if e.Kind() == rawjson.Object {
			found = append(found, e)
		}
	}
	return found
}

// rowBuilder begins the conversation of a row. Its messages lie in array.
func rowBuilder(src []byte, row, array rawjson.Value) *builder {
	b := &builder{l: splice.New(src), loss: weightOf(row), model: row.Get("model").Str()}
	b.l.Scope = row.Span()
	b.l.SetRecords(array)
	return b
}

// weights are members of messages and rows. They switch the learning of a message on or
// off: those of OpenAI, LLaMA-Factory, Axolotl and ms-swift.
var weights = []string{"weight", "loss_weight", "train", "loss"}

// weightOf returns what the weight of a message or row says. A weight of 0 and false
// switch the loss off, any other number and true switch it on.
func weightOf(v rawjson.Value) transcript.Loss {
	if v.Kind() != rawjson.Object {
		return transcript.LossByRole
	}
	for _, key := range weights {
		switch w := v.Get(key); w.Kind() {
		case rawjson.Bool:
			if string(w.Raw()) == "true" {
				return transcript.LossOn
			}
			return transcript.LossOff
		case rawjson.Number:
			if strings.Trim(string(w.Raw()), "-0.") == "" {
				return transcript.LossOff
			}
			return transcript.LossOn
		}
	}
	return transcript.LossByRole
}

// lossOf returns what the weights say about a message. A row without weight switches
// off all its messages; a weight of a row switches none on, since it is for the labels.
func (c *builder) lossOf(message rawjson.Value) transcript.Loss {
	if c.loss == transcript.LossOff {
		return transcript.LossOff
	}
	return weightOf(message)
}

// rowID returns the id of the conversation of row i, or the number i+1 when it has none.
func rowID(row rawjson.Value, i int) string {
	if id := firstOf(row, "instance_id", "unique_id", "uuid"); id.Kind() == rawjson.String {
		return id.Str()
	}
	return conversationID(row, i)
}

// isOneOf reports whether a key or string is one of the names.
func isOneOf(k rawjson.Value, names []string) bool {
	for _, name := range names {
		if k.Is(name) {
			return true
		}
	}
	return false
}

// body returns the slot of the content of a message, which is emptied instead of removed
// when the message stays without it. For content that is neither a string nor an array it
// returns the slot of the message.
func body(l *splice.Layout, slot int, v rawjson.Value, key string) int {
	if k := v.Get(key).Kind(); k != rawjson.String && k != rawjson.Array {
		return slot
	}
	return l.Emptied(slot, v, key)
}

// firstRows returns the first rows of a source, for detection.
func (p *probe) firstRows() []rawjson.Value {
	if p.lines != nil {
		return p.first[:min(len(p.first), sniffRows)]
	}
	if p.doc.Root().Kind() == rawjson.Object {
		return []rawjson.Value{p.doc.Root()}
	}
	return firstObjects(p.doc.Root(), sniffRows)
}
