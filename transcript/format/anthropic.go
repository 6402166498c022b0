package format

import (
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

var anthropic = Dialect{
	Name:  "anthropic",
	Doc:   "Anthropic messages: a bare array, or a request body {system, messages, tools}",
	Where: "API logs, SDK programs",
	sniff: sniffAnthropic,
	decode: func(f *File, p *probe) error {
		return decodeChat(f, p, func(b *builder, at []rawjson.Value) {
			hideCondensed(b, at)
			b.hideCompacted()
		})
	},
	fails:  saysFailed,
	render: renderMessage,
	target: &rules.Anthropic, lint: lintAnthropic, answers: transcript.User,
}

// sniffAnthropic looks for members of a request and for content elements that only this
// API has.
func sniffAnthropic(p *probe) bool {
	if root := p.doc.Root(); p.lines == nil && root.Get("messages").Kind() == rawjson.Array &&
		(root.Get("system").Ok() || root.Get("stop_sequences").Ok()) {
		return true
	}
	return anyContent(p.sample(), func(e rawjson.Value) bool {
		switch e.Get("type").Str() {
		case "tool_use", "tool_result", "thinking", "redacted_thinking", "compaction":
			return true
		case "image", "document":
			return e.Get("source").Ok()
		}
		return false
	})
}

// anyContent reports whether fits returns true for a content element of the sampled
// messages.
func anyContent(sample []rawjson.Value, fits func(element rawjson.Value) bool) bool {
	for _, m := range sample {
		for e := range m.Get("content").Elems() {
			if fits(e) {
				return true
			}
		}
	}
	return false
}

// maxMarks is the number of blocks of a request that may have cache_control.
const maxMarks = 4

func lintAnthropic(f *File) []flaw {
	found := append(lintSurrogates(f), lintSignatures(f, func(v rawjson.Value) rawjson.Value { return v })...)
	return append(found, lintMarks(f)...)
}

// cacheMark is a cache_control member.
type cacheMark struct {
	offset int
	remove []rawjson.Edit
	empty  bool // on an empty text
}

// lintMarks finds cache marks beyond the maximum, and those on empty texts. The last
// marks stay, because they cover most of the prompt.
func lintMarks(f *File) []flaw {
	marks := make([][]cacheMark, len(f.layouts))
	var doc rawjson.Doc
	if start := rawjson.SkipSpace(f.src, rawjson.SkipBOM(f.src)); len(marks) == 1 && f.rows == nil && doc.ScanAll(f.src, start, len(f.src)) == nil {
		for _, key := range []string{"tools", "system"} {
			marks[0] = marksOf(marks[0], doc.Root().Get(key))
		}
	}
	f.eachRecord(func(conv, _ int, v rawjson.Value) {
		marks[conv] = marksOf(marks[conv], v.Get("content"))
	})
	var found []flaw
	for conv, all := range marks {
		full := 0
		for _, m := range all {
			if m.empty {
				found = append(found, f.flaw(&rules.CacheControlMax4, m.offset, "cache_control on an empty text").mended("a cache mark on an empty text", m.remove...))
			} else {
				full++
			}
		}
		surplus := full - maxMarks
		for _, m := range all {
			if surplus <= 0 {
				break
			}
			if m.empty {
				continue
			}
			x := f.flaw(&rules.CacheControlMax4, m.offset, fmt.Sprintf("one of %d blocks with cache_control, %d more than allowed", full, full-maxMarks))
			x.Conv = conv
			found = append(found, x.mended("a surplus cache mark", m.remove...))
			surplus--
		}
	}
	return found
}

// marksOf returns the marks of the elements of a list, and of the lists in them.
func marksOf(marks []cacheMark, list rawjson.Value) []cacheMark {
	for e := range list.Elems() {
		marks = marksOf(marks, e.Get("content"))
		if mark := e.Get("cache_control"); mark.Kind() == rawjson.Object {
			marks = append(marks, cacheMark{
				offset: mark.Span().Start, remove: removeMember(e, "cache_control"),
				empty: e.Get("type").Is("text") && e.Get("text").Is(""),
			})
		}
	}
	return marks
}

// lintSignatures finds thinking without a signature when another record of the file has
// the same thinking with a signature. message returns the message in a record.
func lintSignatures(f *File, message func(record rawjson.Value) rawjson.Value) []flaw {
	signed := map[string]string{} // by thinking, the literal of its signature
	eachThinking := func(do func(e rawjson.Value)) {
		f.eachRecord(func(_, _ int, v rawjson.Value) {
			for e := range message(v).Get("content").Elems() {
				if e.Get("type").Is("thinking") && e.Get("thinking").Kind() == rawjson.String && !e.Get("thinking").Is("") {
					do(e)
				}
			}
		})
	}
	eachThinking(func(e rawjson.Value) {
		if s := e.Get("signature"); s.Kind() == rawjson.String && !s.Is("") {
			signed[e.Get("thinking").Str()] = string(s.Raw())
		}
	})
	var found []flaw
	if len(signed) == 0 {
		return nil
	}
	eachThinking(func(e rawjson.Value) {
		literal, known := signed[e.Get("thinking").Str()]
		s := e.Get("signature")
		if !known || s.Kind() == rawjson.String && !s.Is("") {
			return
		}
		rule := rules.Anthropic.Rule("anthropic/thinking-signature")
		x := f.flaw(rule, e.Span().Start, "thinking has no signature")
		if x.known = true; !f.thinksUnsigned(x.Conv, x.At.Msg, e.Get("thinking").Str()) {
			return
		}
		edit := rawjson.Edit{Span: s.Span(), New: []byte(literal)}
		if !s.Ok() {
			end := e.Get("thinking").Span().End
			edit = rawjson.Edit{Span: rawjson.Span{Start: end, End: end}, New: []byte(memberGap(f.src, e) + `"signature":` + literal)}
		}
		found = append(found, x.mended("its signature, from another copy in the file", edit))
	})
	return found
}

// thinksUnsigned reports whether a visible message has this thinking without a signature.
func (f *File) thinksUnsigned(conv, msg int, text string) bool {
	m := f.Convs[conv].Message(msg)
	return m != nil && !m.Hidden && slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool {
		return b.Kind == transcript.Thinking && b.Opaque == 0 && b.Text() == text
	})
}
