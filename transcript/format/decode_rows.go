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
	i := f.before.rows
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
	f.read = i
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
// when the message stays without it. For a number or another value without texts it
// returns the slot of the message.
func body(l *splice.Layout, slot int, v rawjson.Value, key string) int {
	if k := v.Get(key).Kind(); k != rawjson.String && k != rawjson.Array && k != rawjson.Object {
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

// Chunks is a source with one conversation in each row, cut into chunks. A chunk holds whole
// rows, and can be decoded and written without the others, so that memory holds one chunk
// at a time.
type Chunks struct {
	dialect *Dialect
	named   bool // the caller named the dialect
	src     []byte
	array   bool           // the rows are the elements of an array; otherwise they are lines
	spans   []rawjson.Span // of the chunks; for an array without the separators between them
}

// Split cuts a source into chunks of about size bytes. If its rows depend on each other, or
// if one chunk holds them all, it decodes the source as [Decode] does.
func Split(src []byte, name string, size int) (*Chunks, *File, error) {
	if len(src) > size {
		chunks, f := split(src, name, size)
		switch {
		case chunks != nil:
			return chunks, nil, nil
		case f != nil:
			return nil, f, f.named(name)
		}
	}
	f, err := Decode(src, name)
	return nil, f, err
}

// split is [Split] for a source that can be read without a search for columns. Otherwise both
// results are nil.
func split(src []byte, name string, size int) (*Chunks, *File) {
	p, err := newProbe(src, name != "")
	if err != nil {
		return nil, nil
	}
	d, err := p.dialect(name)
	if err != nil {
		return nil, nil
	}
	if chunks := p.chunks(d, size); chunks != nil {
		chunks.named = name != ""
		return chunks, nil
	}
	f, err := p.file(d, name, new(rawjson.Texts))
	if err != nil {
		return nil, nil
	}
	return nil, f
}

// chunks cuts the source into chunks of about size bytes. It returns nil if the rows depend on
// each other, or if there is only one chunk.
func (p *probe) chunks(d *Dialect, size int) *Chunks {
	if !d.rows {
		return nil
	}
	chunks := &Chunks{dialect: d, src: p.src, array: p.lines == nil}
	switch {
	case p.lines != nil:
		for _, line := range p.lines {
			chunks.cut(rawjson.Span{Start: line.Start, End: line.Next}, size)
		}
	case p.doc.Root().Kind() == rawjson.Array:
		for e := range p.doc.Root().Elems() {
			chunks.cut(e.Span(), size)
		}
	}
	if len(chunks.spans) < 2 {
		return nil
	}
	return chunks
}

// cut adds a row to the last chunk, or to a new one if that would exceed size bytes.
func (p *Chunks) cut(row rawjson.Span, size int) {
	if last := len(p.spans) - 1; last >= 0 && row.End-p.spans[last].Start <= size {
		p.spans[last].End = row.End
		return
	}
	p.spans = append(p.spans, row)
}

// Len returns the size of the source in bytes.
func (p *Chunks) Len() int { return len(p.src) }

// Dialect returns the dialect of all chunks.
func (p *Chunks) Dialect() *Dialect { return p.dialect }

// Chunk is one chunk of a source, decoded. Its conversations have the same identities as in
// the whole source, and its faults the same lines.
type Chunk struct {
	*File
	between []byte // bytes of the source between the chunk before it and this one
	count   int    // number of its lines
	array   bool
}

// Append appends the output of a chunk, and the bytes in front of it, to the output of the
// chunks before it.
func (p *Chunk) Append(to, out []byte) []byte {
	to = append(to, p.between...)
	if p.array {
		out = out[1 : len(out)-1]
	}
	return append(to, out...)
}

// Tail returns the bytes of the source after the last chunk.
func (p *Chunks) Tail() []byte { return p.src[p.spans[len(p.spans)-1].End:] }

// Each decodes one chunk after the other, and calls visit with each. It stops at the first
// error. A chunk of which no row can be read is an *Error, although other chunks may have
// conversations.
func (p *Chunks) Each(visit func(*Chunk) error) error {
	at, done := 0, passed{}
	for _, span := range p.spans {
		chunk, err := p.decode(span, done)
		if err != nil {
			return err
		}
		chunk.between = p.src[at:span.Start]
		if err := visit(chunk); err != nil {
			return err
		}
		at = span.End
		done = passed{rows: chunk.read, lines: done.lines + chunk.count, offset: span.End}
	}
	return nil
}

// Conversations calls visit for the conversations of all chunks, in order. The error is that of [Chunks.Each].
func (p *Chunks) Conversations(visit func(*transcript.Conversation)) error {
	return p.Each(func(c *Chunk) error {
		for _, conv := range c.Convs {
			visit(conv)
		}
		return nil
	})
}

// decode decodes the chunk at a span. done is what stands before it.
func (p *Chunks) decode(span rawjson.Span, done passed) (*Chunk, error) {
	src := p.src[span.Start:span.End:span.End]
	if p.array {
		src = append(append(append(make([]byte, 0, len(src)+2), '['), src...), ']')
	}
	probe := &probe{src: src, part: rawjson.Span{End: len(src)}, most: probeRecords, texts: new(rawjson.Texts)}
	probe.doc.Texts = probe.texts
	if p.array {
		if err := probe.doc.ScanAll(src, 0, len(src)); err != nil {
			return nil, notJSON(src, 0, err)
		}
	} else if probe.splitLines(); len(probe.first) == 0 {
		return nil, notJSON(src, 0, nil)
	}
	f := &File{
		Dialect: p.dialect, Detected: p.dialect, src: src, texts: probe.texts, sample: rawjson.NewSample(src),
		before: done,
	}
	if err := p.dialect.decode(f, probe); err != nil {
		return nil, err
	}
	return &Chunk{File: f, count: len(probe.lines), array: p.array}, nil
}

// Reads reports whether detection finds the dialect of the source in its output, too. It
// need not if the caller named the dialect.
func (p *Chunks) Reads(out []byte) bool {
	if p.named {
		return true
	}
	probe, err := newProbe(out, false)
	return err == nil && probe.detected() == p.dialect
}

// passed counts what stands before a chunk in its source: rows, lines and bytes.
type passed struct{ rows, lines, offset int }
