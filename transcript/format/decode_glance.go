package format

import (
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// Glimpse is what the beginning and the end of a file say about its newest conversation.
// Members that these parts do not have are zero.
type Glimpse struct {
	Dialect *Dialect
	ID      string // of the session, or its title
	Model   string // of the last answer
	Folder  string // in which the client ran
	First   string // the first typed text that is not empty
	// Usage is the provider's count for the last visible answer that records one; nil if the
	// end has no such answer.
	Usage *transcript.Usage
	// Answers is the number of visible answers in the end of the file.
	Answers int
	// Last is the time of the newest message; the zero time if none has one.
	Last time.Time
}

// Glance reads a source of the named dialect by its first bytes and its last bytes, or
// detects the dialect if name is "". A nil tail means that head is the whole source.
//
// The error is an *Error or an *UnknownDialect. It may be due to the lengths of the parts:
// a record that is longer than a part cannot be read.
func Glance(head, tail []byte, name string) (*Glimpse, error) {
	src, from := head, 0
	if tail != nil {
		var ok bool
		if src, from, ok = rawjson.Excerpt(head, tail); !ok {
			return nil, &Error{Offset: -1, Reason: "no whole record at its end"}
		}
	}
	p, err := newProbe(src, name != "")
	if err != nil {
		return nil, err
	}
	texts := new(rawjson.Texts)
	p.texts, p.doc.Texts = texts, texts
	d, err := p.dialect(name)
	if err != nil {
		return nil, err
	}
	folder := p.folder(d)
	f := &File{Dialect: d, src: src, texts: texts, sample: rawjson.NewSample(src)}
	if err := d.decode(f, p); err != nil {
		return nil, err
	}
	if len(f.Convs) == 0 {
		return &Glimpse{Dialect: d, Folder: folder}, nil
	}
	if tail == nil {
		from = -1
	}
	g := f.glimpse(len(f.Convs)-1, from)
	if g.Dialect = d; folder != "" {
		g.Folder = folder
	}
	return g, nil
}

// glimpse describes a conversation. The end of the file begins at the offset from; -1 stands for a
// whole file, whose beginning and end are the same.
func (f *File) glimpse(conv, from int) *Glimpse {
	c := f.Convs[conv]
	g := &Glimpse{ID: c.ID, Model: c.LastModel(), Last: f.newest()}
	for _, m := range c.Messages {
		at, _ := f.offset(conv, transcript.At(m.ID))
		if from < 0 || at < from {
			g.open(m)
		}
		if m.Hidden || m.Role != transcript.Assistant || at < from {
			continue
		}
		g.Answers++
		if u := m.Usage(); u != nil && u.Input+u.CacheRead+u.CacheWrite > 0 {
			g.Usage = u
		}
	}
	return g
}

// open reads a message of the beginning.
func (g *Glimpse) open(m *transcript.Message) {
	for _, b := range m.Blocks {
		switch {
		case b.Kind != transcript.Text:
		case b.Origin == transcript.Typed && m.Role == transcript.User && g.First == "":
			g.First = unwrapped(b.Text())
		case b.Origin == transcript.Injected && g.Folder == "":
			g.Folder = statedFolder(b.Text())
		}
	}
}

// unwrapped returns a typed text without the tags in which Cline and Cursor save it.
func unwrapped(text string) string {
	text = strings.TrimSpace(text)
	for _, tag := range []string{"task", "user_query", "user_message"} {
		if rest, ok := strings.CutPrefix(text, "<"+tag+">"); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, "</"+tag+">"))
		}
	}
	return text
}

// folder returns the folder that the first records name, or "".
func (p *probe) folder(d *Dialect) string {
	for _, path := range d.folder {
		for _, r := range p.firstRecords() {
			for key := range strings.SplitSeq(path, ".") {
				r = r.Get(key)
			}
			if r.Str() != "" {
				return r.Str()
			}
		}
	}
	return ""
}

// statedFolder returns the folder that Cline, Roo Code or Gemini CLI state in a text that
// they add to a request, or "".
func statedFolder(text string) string {
	for _, lead := range []string{"# Current Working Directory (", "# Current Workspace Directory (", "I'm currently working in the directory: "} {
		_, rest, found := strings.Cut(text, lead)
		if !found {
			continue
		}
		line, _, _ := strings.Cut(rest, "\n")
		if strings.HasSuffix(lead, "(") {
			line, _, _ = strings.Cut(line, ")")
		}
		return strings.TrimSpace(line)
	}
	return ""
}
