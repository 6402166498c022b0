package mutate

import (
	"regexp"
	"slices"
	"strings"
)

// structural lists the operators of values.
var structural = []operator{
	{name: "duplicated record", tree: func(m *mutation) bool {
		return m.inList(1, func(list *value, i int) {
			list.members = slices.Insert(list.members, m.IntN(len(list.members)+1), member{value: list.members[i].value.clone()})
		})
	}},
	{name: "dropped record", tree: func(m *mutation) bool {
		return m.inList(2, func(list *value, i int) { list.members = slices.Delete(list.members, i, i+1) })
	}},
	{name: "swapped records", tree: func(m *mutation) bool {
		return m.inList(2, func(list *value, i int) {
			j := m.IntN(len(list.members))
			a, b := &list.members[i], &list.members[j]
			a.value, b.value = b.value, a.value
		})
	}},
	{name: "reversed records", tree: func(m *mutation) bool {
		return m.inList(2, func(list *value, i int) {
			from, to := min(i, m.IntN(len(list.members))), i+1
			slices.Reverse(list.members[from:to])
		})
	}},
	{name: "duplicate ids", tree: func(m *mutation) bool { return m.copyBetween(idKey) }},
	{name: "reused calls", tree: func(m *mutation) bool { return m.copyBetween(callKey) }},
	{name: "swapped roles", tree: func(m *mutation) bool {
		return m.inMember(roleKey, func(_ *value, i *member) { i.value.set(m.oneOf(roles)) })
	}},
	{name: "broken parents", tree: func(m *mutation) bool {
		own := m.anyOf(func(o *value) bool { return o.isString() })
		return m.inMember(parentKey, func(_ *value, i *member) {
			i.value.set([]string{`null`, `"nobody"`, `""`, own.text, `[]`}[m.IntN(5)])
		})
	}},
	{name: "null", tree: func(m *mutation) bool { return m.inValue(nil, func(v *value) { v.set("null") }) }},
	{name: "deep nesting", tree: func(m *mutation) bool {
		return m.inValue(nil, func(v *value) {
			n := []int{1, 3, 40, 2000}[m.IntN(4)]
			open, closing := "[", "]"
			if m.IntN(2) == 0 {
				open, closing = `{"content":`, "}"
			}
			inner := "1"
			if v.isString() {
				inner = v.text
			}
			v.set(strings.Repeat(open, n) + inner + strings.Repeat(closing, n))
		})
	}},
	{name: "odd key order", tree: func(m *mutation) bool {
		return m.inObject(2, func(o *value) {
			m.Shuffle(len(o.members), func(i, j int) { o.members[i], o.members[j] = o.members[j], o.members[i] })
		})
	}},
	{name: "missing member", tree: func(m *mutation) bool {
		return m.inObject(1, func(o *value) {
			i := m.IntN(len(o.members))
			o.members = slices.Delete(o.members, i, i+1)
		})
	}},
	{name: "extra member", tree: func(m *mutation) bool {
		from := m.anyOf(func(o *value) bool { return o.open == '{' && len(o.members) > 0 })
		return from != nil && m.inObject(1, func(o *value) {
			extra := from.members[m.IntN(len(from.members))]
			extra.value = extra.value.clone()
			o.members = slices.Insert(o.members, m.IntN(len(o.members)+1), extra)
		})
	}},
	{name: "duplicate key", tree: func(m *mutation) bool {
		return m.inObject(1, func(o *value) {
			again := o.members[m.IntN(len(o.members))]
			again.value = again.value.clone()
			if again.value.isString() && m.IntN(2) == 0 {
				again.value.set(`"another value"`)
			}
			o.members = append(o.members, again)
		})
	}},
	{name: "wrong type", tree: func(m *mutation) bool {
		return m.inValue(nil, func(v *value) {
			v.set([]string{`0`, `true`, `"text"`, `[]`, `{}`, `[null]`, `["text"]`, `{"type":"text","text":"text"}`, `[{"type":"text","text":"text"}]`}[m.IntN(9)])
		})
	}},
	{name: "empty string", tree: func(m *mutation) bool {
		return m.inValue((*value).isString, func(v *value) { v.set([]string{`""`, `" "`, `"\n"`}[m.IntN(3)]) })
	}},
	{name: "huge number", tree: func(m *mutation) bool {
		return m.inValue(nil, func(v *value) {
			v.set([]string{"1e308", "-1E+400", "99999999999999999999999999", "-0", "0.1e-999", "9007199254740993", strings.Repeat("7", 5000)}[m.IntN(7)])
		})
	}},
	{name: "result without call", tree: func(m *mutation) bool { return m.dropLike(looksLikeCall) }},
	{name: "call without result", tree: func(m *mutation) bool { return m.dropLike(looksLikeResult) }},
	{name: "odd characters", tree: func(m *mutation) bool { return m.insert(oddCharacters) }},
	{name: "control bytes", tree: func(m *mutation) bool {
		return m.insert([]string{`\u0000`, `\u001b[31m`, `\b\f`, `\r`, `\u007f`, "\x7f", "\u0085"})
	}},
	{name: "forged words", tree: func(m *mutation) bool { return m.insert(forged) }},
}

// Keys of members by their use. A key is compared without its quotation marks.
var (
	idKey     = regexp.MustCompile(`(?i)^"(?:id|uuid|.*[_a-z](?:id|uuid))"$`)
	callKey   = regexp.MustCompile(`(?i)^"(?:.*call.*id|.*tool_?use_?id|call)"$`)
	roleKey   = regexp.MustCompile(`(?i)^"(?:role|from|source|author|sender|type)"$`)
	parentKey = regexp.MustCompile(`(?i)^"(?:.*parent.*|leaf.*|.*previous.*|current.*|children)"$`)
)

var roles = []string{
	`"user"`, `"assistant"`, `"system"`, `"tool"`, `"developer"`, `"model"`, `"human"`, `"gpt"`, `"function"`, `"USER"`, `"ai"`, `"environment"`, `""`, `"nobody"`,
}

// oddCharacters lists characters that programs treat in their own ways: separators of lines, halves of
// surrogate pairs, marks of order and of direction, characters of several code points.
var oddCharacters = []string{
	"\u2028", "\u2029", `\u2028`, `\ud83d`, `\udc00`, `\ud83d\ude00`, "\ufeff", "\u200b", "\u202e", "e\u0301\u0301\u0301", "\U0010ffff", "\ufffd",
	`\/`, `\u0041`, "👩‍👩‍👧", "İ", "\u00a0",
}

// forged lists words that condense, or a client, writes to mark texts, and that a person may type.
var forged = []string{
	"[12 lines omitted]", "[Read a.go: ok, 20 lines omitted]", "[repeated later: 3 lines omitted]", "<system-reminder>x</system-reminder>", "</system-reminder>",
	"<keep>a</keep>", "<drop>b</drop>", "<environment_details>", "<user_query>q</user_query>", "This session is being continued from a previous conversation",
	"```\\n<command>ls</command>\\n```", "<read_file><path>a.go</path></read_file>", "<summary>s</summary>", "[omitted]", "[REDACTED]",
}

// inList calls change for a random element of a random array that has at least least objects, or of
// the lines of the source.
func (m *mutation) inList(least int, change func(list *value, i int)) bool {
	if len(m.docs) > 1 && m.IntN(2) == 0 {
		m.inLines(change)
		return true
	}
	list := m.anyOf(func(v *value) bool {
		objects := 0
		for _, e := range v.members {
			if e.value.open == '{' {
				objects++
			}
		}
		return v.open == '[' && objects >= least
	})
	if list == nil {
		if len(m.docs) < max(2, least) {
			return false
		}
		m.inLines(change)
		return true
	}
	change(list, m.IntN(len(list.members)))
	return true
}

// inLines calls change for the lines of the source as an array.
func (m *mutation) inLines(change func(list *value, i int)) {
	lines := &value{open: '['}
	var others []piece
	for _, p := range m.pieces {
		if p.doc != nil {
			lines.members = append(lines.members, member{value: p.doc})
		} else {
			others = append(others, p)
		}
	}
	change(lines, m.IntN(len(lines.members)))
	m.pieces = others
	for _, line := range lines.members {
		if !strings.HasSuffix(line.value.after, "\n") {
			line.value.after += "\n"
		}
		m.pieces = append(m.pieces, piece{doc: line.value})
	}
}

// anyOf returns a random value for which fit returns true, or nil.
func (m *mutation) anyOf(fit func(*value) bool) (chosen *value) {
	n := 0
	for _, doc := range m.docs {
		doc.walk(func(v *value) {
			if fit(v) {
				n++
				if m.IntN(n) == 0 {
					chosen = v
				}
			}
		})
	}
	return chosen
}

// inValue calls change for a random value for which fit returns true; nil fits every value but
// documents.
func (m *mutation) inValue(fit func(*value) bool, change func(*value)) bool {
	if fit == nil {
		fit = func(v *value) bool { return !slices.Contains(m.docs, v) }
	}
	v := m.anyOf(fit)
	if v != nil {
		change(v)
	}
	return v != nil
}

// inObject calls change for a random object with at least least members.
func (m *mutation) inObject(least int, change func(*value)) bool {
	return m.inValue(func(v *value) bool { return v.open == '{' && len(v.members) >= least }, change)
}

// inMember calls change for a random member whose key matches.
func (m *mutation) inMember(key *regexp.Regexp, change func(o *value, i *member)) bool {
	matches := func(e member) bool { return key.MatchString(e.key) }
	return m.inValue(func(v *value) bool { return v.open == '{' && slices.ContainsFunc(v.members, matches) }, func(o *value) {
		i := slices.IndexFunc(o.members, matches)
		change(o, &o.members[i])
	})
}

// copyBetween sets a member whose key matches to the value of another such member.
func (m *mutation) copyBetween(key *regexp.Regexp) bool {
	var from *value
	return m.inMember(key, func(_ *value, e *member) { from = e.value }) &&
		m.inMember(key, func(_ *value, e *member) {
			copied := from.clone()
			copied.before, copied.after = e.value.before, e.value.after
			e.value = copied
		})
}

// dropLike removes a random element or document that is fit.
func (m *mutation) dropLike(fit func(*value) bool) bool {
	has := func(e member) bool { return e.value.open == '{' && fit(e.value) }
	list := m.anyOf(func(v *value) bool { return v.open == '[' && slices.ContainsFunc(v.members, has) })
	if list != nil {
		i := slices.IndexFunc(list.members, has)
		list.members = slices.Delete(list.members, i, i+1)
		return true
	}
	i := slices.IndexFunc(m.pieces, func(p piece) bool { return p.doc != nil && fit(p.doc) })
	if i < 0 || len(m.docs) < 2 {
		return false
	}
	m.pieces = slices.Delete(m.pieces, i, i+1)
	return true
}

// looksLikeCall reports whether an object, or one in it that is no message, calls a tool.
func looksLikeCall(o *value) bool {
	for _, key := range []string{"input", "arguments", "args", "function", "functionCall", "tool_calls", "function_call"} {
		if o.member(key) != nil {
			return true
		}
	}
	return false
}

// looksLikeResult reports whether an object is the result of a tool.
func looksLikeResult(o *value) bool {
	for _, key := range []string{"tool_call_id", "tool_use_id", "toolCallId", "functionResponse", "output", "observation", "toolUseResult"} {
		if o.member(key) != nil {
			return true
		}
	}
	role := o.member("role")
	return role != nil && role.text == `"tool"`
}

// insert inserts one of some texts into a random string.
func (m *mutation) insert(texts []string) bool {
	return m.inValue((*value).isString, func(v *value) {
		inner := v.text[1 : len(v.text)-1]
		at := m.IntN(len(inner) + 1)
		for at > 0 && at < len(inner) && (inner[at]&0xc0 == 0x80 || strings.LastIndexByte(inner[max(0, at-6):at], '\\') >= 0) {
			at-- // not within a character or an escape
		}
		text := m.oneOf(texts)
		if m.IntN(8) == 0 {
			text = strings.Repeat(text, 50)
		}
		v.text = `"` + inner[:at] + text + inner[at:] + `"`
	})
}

func (m *mutation) oneOf(texts []string) string { return texts[m.IntN(len(texts))] }
