package squeeze

import (
	"strings"
	"unicode/utf8"
)

// cutHTML cuts a page or another document of tags, and reports whether the text is
// one. A piece is text with the tags around it, tags alone, or part of an element that
// is not read: a script, a style, a drawing, a comment.
func cutHTML(t *Text) bool {
	if !isHTML(t.Source) {
		return false
	}
	t.Kind = HTML
	c := htmlCut{t: t, shapes: shapes{t: t, first: map[uint64]int32{}}}
	page := !strings.HasPrefix(strings.TrimSpace(t.Source[:min(64, len(t.Source))]), "<?xml")
	for at := 0; at < len(t.Source); {
		token := htmlToken(t.Source, at, page)
		c.take(at, token)
		at = token.end
	}
	c.flush(len(t.Source))
	return true
}

// The cues of HTML.
const (
	readCue    = context // text
	headingCue = outline // headings, the title, captions and legends
)

// htmlCut collects tokens into a piece.
type htmlCut struct {
	t      *Text
	shapes shapes
	start  int
	words  int     // bytes of text in the piece
	cue    float32 // of its tags
	noise  bool    // scripts, styles and the like
}

// take adds a token to the piece, or begins a new piece with it.
func (c *htmlCut) take(at int, token htmlPart) {
	size := at - c.start
	switch {
	case token.noise != c.noise,
		(size >= cutFrom || c.cue > 0) && token.opens && c.words > 0,
		size+token.end-at > cutAfter && size >= cutFrom,
		token.cue > 0 && size > 0:
		if c.flush(at) {
			c.noise = token.noise
		}
	}
	c.words += token.words
	c.cue = max(c.cue, token.cue)
}

// flush makes the piece that ends at end. It reports false when that is inside a
// character.
func (c *htmlCut) flush(end int) bool {
	s := c.t.Source
	if !parts(s, end) || end < len(s) && s[end] == '\n' && s[max(end-1, 0)] == '\r' {
		return false
	}
	if end > c.start {
		text := s[c.start:end]
		cue := float32(0)
		if c.words > 0 && !c.noise {
			cue = max(c.cue, readCue)
		}
		marks := len(c.t.marks())
		i := int(c.t.add(c.start, end, cue, None))
		for k := i; k < len(c.t.Pieces) && len(c.t.marks()) == marks; k++ {
			c.t.Pieces[k].Cue = cue // words of a page are not messages of a program
			if k == i {
				c.shapes.line(int32(k), text)
			}
		}
	}
	c.start, c.words, c.cue, c.noise = end, 0, 0, false
	return true
}

// htmlPart is a tag, a text between tags, or an element that is not read.
type htmlPart struct {
	end   int
	words int     // bytes of text that are letters
	opens bool    // a tag that begins a block
	noise bool    // part of an element that is not read
	cue   float32 // of the text that follows
}

// htmlToken reads the token that begins at s[at]. Elements that are not read are known
// by name in a page only.
func htmlToken(s string, at int, page bool) htmlPart {
	if s[at] != '<' || !tagStart(s[at:]) {
		end := at + 1
		for end < len(s) && (s[end] != '<' || !tagStart(s[end:])) {
			end++
		}
		return htmlPart{end: end, words: letters(s[at:end])}
	}
	if strings.HasPrefix(s[at:], "<!--") {
		return htmlPart{end: behind(s, at, "-->"), noise: true}
	}
	name := tagName(s[at+1:])
	end := tagEnd(s, at)
	if !page {
		return htmlPart{end: end, opens: name != ""}
	}
	switch strings.ToLower(name) {
	case "script", "style", "svg", "noscript", "template", "iframe", "object", "canvas":
		if s[end-1] == '>' && s[end-2] != '/' {
			end = elementEnd(s, end, name)
		}
		return htmlPart{end: end, noise: true}
	case "meta", "link", "base", "source", "track", "path":
		return htmlPart{end: end, noise: true}
	case "h1", "h2", "h3", "h4", "h5", "h6", "title", "caption", "legend", "dt":
		return htmlPart{end: end, opens: true, cue: headingCue}
	case "p", "div", "li", "tr", "section", "article", "main", "nav", "header", "footer", "aside", "table", "ul", "ol", "dl", "dd",
		"form", "pre", "blockquote", "figure", "option", "button", "details", "summary", "body", "head", "item", "entry":
		return htmlPart{end: end, opens: true}
	}
	return htmlPart{end: end}
}

// tagStart reports whether a tag, a comment or a declaration begins.
func tagStart(s string) bool {
	c := byteAt(s, 1)
	return letter(c) || (c == '/' || c == '!' || c == '?') && len(s) > 2
}

// tagName returns the name after the "<" of a tag that opens an element, otherwise "".
func tagName(s string) string {
	for i := range len(s) {
		if c := s[i]; !letter(c) && !digit(c) && c != '-' && c != ':' || i > 24 {
			return s[:i]
		}
	}
	return s
}

// longestTag is the length in bytes at which a tag that is not closed is cut.
const longestTag = 1 << 16

// tagEnd returns the end of the tag that begins at s[at]. A ">" in quotes does not end
// it.
func tagEnd(s string, at int) int {
	to := min(len(s), at+longestTag)
	quote := byte(0)
	for i := at + 1; i < to; i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i + 1
		case c == '<':
			return i
		case (c == '"' || c == '\'') && s[i-1] == '=':
			quote = c
		}
	}
	if i := strings.IndexByte(s[at:to], '>'); i >= 0 { // a quote that is not closed
		return at + i + 1
	}
	return to
}

// elementEnd returns the end of the element whose content begins at s[at]. An element
// that is not closed extends to the end of s, as in a browser.
func elementEnd(s string, at int, name string) int {
	for i := at; ; {
		next := strings.Index(s[i:], "</")
		if next < 0 {
			return len(s)
		}
		i += next + 2
		if len(s)-i > len(name) && strings.EqualFold(s[i:i+len(name)], name) && !letter(s[i+len(name)]) {
			return tagEnd(s, i-2)
		}
	}
}

// behind returns the index after the next occurrence of end in s, from at on; len(s)
// without one.
func behind(s string, at int, end string) int {
	if i := strings.Index(s[at:], end); i >= 0 {
		return at + i + len(end)
	}
	return len(s)
}

// letters returns the number of bytes of a text that are part of words.
func letters(s string) (n int) {
	for i := range len(s) {
		if letter(s[i]) || digit(s[i]) || s[i] >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

// pageTags are the names of the tags of pages.
var pageTags = map[string]bool{
	"html": true, "head": true, "body": true, "meta": true, "link": true, "title": true, "div": true, "span": true, "p": true, "a": true,
	"ul": true, "ol": true, "li": true, "table": true, "tr": true, "td": true, "th": true, "h1": true, "h2": true, "h3": true, "h4": true,
	"img": true, "br": true, "hr": true, "form": true, "input": true, "button": true, "label": true, "section": true, "nav": true,
	"header": true, "footer": true, "main": true, "article": true, "strong": true, "em": true, "b": true, "i": true, "pre": true,
}

// isHTML reports whether a text is a document of tags: it declares so, or it begins
// and ends with tags and many of its first tags are those of a page.
func isHTML(s string) bool {
	trimmed := strings.TrimSpace(strings.TrimPrefix(s, "\uFEFF"))
	if len(trimmed) < cutAfter || !tagStart(trimmed) || trimmed[0] != '<' {
		return false
	}
	sample := trimmed[:min(len(trimmed), 4096)]
	first := strings.ToLower(sample[:16])
	if strings.HasPrefix(first, "<!doctype") || strings.HasPrefix(first, "<html") || strings.HasPrefix(first, "<?xml") {
		return true
	}
	if trimmed[len(trimmed)-1] != '>' {
		return false
	}
	tags, known := 0, 0
	for rest := sample; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if name := tagName(rest); name != "" {
			tags++
			if pageTags[name] {
				known++
			}
		}
	}
	return known >= 5 && known*2 > tags && known*400 > len(sample)
}
