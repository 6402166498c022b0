package redact

import "strings"

// password finds the password or the credentials of a header whose name ends before the separator
// at i.
func (c *cursor) password(i int) (secret, bool) {
	s := c.s
	end := c.nameEnd(i)
	if end <= c.done || !letter(s[end-1]) {
		return secret{}, false
	}
	start, likely := end, end-c.done >= 2 && (s[end-2:end] == "-u" || s[end-1] == 'r' || s[end-1] == 'e')
	for start > c.done && start > end-maxName && (wordByte(s[start-1]) || s[start-1] == '-' || s[start-1] == '.') {
		start--
		if c := s[start] | 0x20; c == 'p' || c == 'a' {
			likely = likely || start+1 < end && (s[start+1]|0x20 == 'a' || s[start+1]|0x20 == 'w' || s[start+1]|0x20 == 'u')
		}
	}
	if !likely {
		return secret{}, false
	}
	tag := start > c.done && s[start-1] == '<'
	option := start < end && s[start] == '-'
	switch s[i] {
	case ' ', ',':
		if s[i] == ' ' && !option || s[i] == ',' && (i == end || strings.IndexByte("\"'`", s[end]) < 0) {
			return secret{}, false
		}
	case '>':
		if !tag && (i == 0 || s[i-1] != '=') {
			return secret{}, false
		}
	}
	switch class := classOf(s[start:end]); {
	case class == scheme:
		from, _ := c.open(i + 1)
		return authorization(s, from)
	case class == password, s[start:end] == "value" && c.namesPassword(start):
		return c.passwordAt(i+1, tag, c.isVariable(start, s[start:end], i+1))
	case s[start:end] == "--user" || s[start:end] == "-u":
		return c.account(i + 1)
	}
	return secret{}, false
}

// namesPassword reports whether the words before byte i name a password: <add key="password" value=.
func (c *cursor) namesPassword(i int) bool {
	x := c.before(i)
	return len(x.words) > 0 && classOf(x.words[0]) == password
}

// account finds the password of name:password after the option -u of curl and others.
func (c *cursor) account(i int) (secret, bool) {
	s := c.s
	from, quote := c.open(i)
	to := from
	for to < len(s) && to < from+maxName && (wordByte(s[to]) || strings.IndexByte("-.@+{}", s[to]) >= 0) {
		to++
	}
	if to < len(s) && quote != 0 && s[to] == quote { // "name":"password"
		to++
	}
	if to == len(s) || s[to] != ':' {
		return secret{}, false
	}
	found, ok := c.passwordAt(to+1, false, false)
	if !ok && quote != 0 {
		for end := to + 1; end < len(s) && end < to+maxName; end++ {
			if s[end] == quote {
				value := s[to+1 : end]
				return secret{"password", to + 1, end}, chosen(value, true, true) && !placeholder(value)
			}
		}
	}
	return found, ok
}

// optionEnd reports whether an option such as --password or -u may end with two bytes.
func optionEnd(s string) bool {
	switch s {
	case "rd", "wd", "ss", "se", "er", "-u":
		return true
	}
	return false
}

// maxName is the number of bytes before a value in which its name is searched for.
const maxName = 64

// nameEnd returns the end of the name before the separator at i, without quotes, spaces and colours
// after it.
func (c *cursor) nameEnd(i int) int {
	s, end := c.s, i
	for end > c.done && end > i-16 {
		if s[end-1] == 'm' {
			if n, _ := escapeBefore(s, end, c.done); n > 0 {
				end -= n
				continue
			}
		}
		if b := s[end-1]; b != ' ' && b != '\t' && b != '"' && b != '\'' && b != '\\' && b != '`' && b != ']' && b != ':' && b != '*' {
			break
		}
		end--
	}
	return end
}

// open returns the start of the value after a separator, and its quote; 0 without one.
func (c *cursor) open(from int) (start int, quote byte) {
	s := c.s
	for from < len(s) && (s[from] == '=' || s[from] == '>') { // := == =>
		from++
	}
	for limit := from + 24; from < len(s) && from < limit; {
		if n := colourAt(s[from:]); n > 0 {
			from += n
		} else if s[from] == ' ' || s[from] == '\t' || s[from] == '\\' || s[from] == '*' {
			from++
		} else {
			break
		}
	}
	if from < len(s) && (s[from] == '"' || s[from] == '\'' || s[from] == '`') {
		return from + 1, s[from]
	}
	return from, 0
}

// colourAt returns the length of the colour code at the start of a text, or 0.
func colourAt(s string) int {
	for _, esc := range []string{"\x1b[", `\x1b[`, `\u001b[`, `\033[`, `\e[`} {
		rest, ok := strings.CutPrefix(s, esc)
		if !ok {
			continue
		}
		for n := range min(len(rest), 12) {
			if rest[n] == 'm' {
				return len(esc) + n + 1
			}
		}
	}
	return 0
}

// passwordAt finds the password whose separator ends before i. In a tag it ends at the next tag. In quotes, and as
// the value of a variable of the environment, a.b.c is no code.
func (c *cursor) passwordAt(i int, tag, variable bool) (secret, bool) {
	s := c.s
	from, quote := c.open(i)
	to := from
	for to < len(s) && to <= from+maxValue && !endsPassword(s, to, from, quote, tag) {
		to++
	}
	value := s[from:to]
	if quote == 0 {
		value = strings.TrimRight(value, ".:!?")
	}
	if chosen(value, quote != 0, variable || quote != 0) && !placeholder(value) {
		return secret{"password", from, from + len(value)}, true
	}
	return secret{}, false
}

// endsPassword reports whether a password ends before byte i: at its closing quote; without a quote,
// at a separator, at a colour code or at a bracket that it does not open.
func endsPassword(s string, i, from int, quote byte, tag bool) bool {
	switch b := s[i]; b {
	case '\n', '\r', 0x1b:
		return true
	case '\\':
		return i+1 == len(s) || strings.IndexByte("nrt\"'`ux0e\\", s[i+1]) >= 0
	case '<':
		return tag || quote == 0
	case ' ', '\t', ',', ';', '|', '"', '\'', '`':
		return !tag && quote == 0 || b == quote
	case '&', '>':
		return quote == 0 && !tag
	case ')':
		return quote == 0 && strings.Count(s[from:i], "(") <= strings.Count(s[from:i], ")")
	case '}', ']':
		return quote == 0
	}
	return false
}

// chosen reports whether a value is a password that a person chose, rather than a word or code that
// fetches one. A literal is not a.b.c in code.
func chosen(value string, quoted, literal bool) bool {
	if len(value) < 6 || len(value) > 128 || strings.HasPrefix(value, Opening[:1]) || strings.Contains(value, "://") || path(value) || reference(value) || !literal && dotted(value) {
		return false
	}
	var letters, digits, others int
	for i := range len(value) {
		switch {
		case letter(value[i]):
			letters++
		case digit(value[i]):
			digits++
		case value[i] == ' ' || value[i] >= 0x80:
			return false
		default:
			others++
		}
	}
	if letters == 0 || digits == 0 && (others == 0 || !quoted || identifier(value)) {
		return false
	}
	return digits > 0 && !identifier(value) || strings.ContainsAny(value, "!@#$%^&*+?~")
}

// reference reports whether a value is code or a template that stands for a password: $NAME,
// ${NAME}, $(command), %(name)s, {{ name }}, <name>, call(…), name[…].
func reference(value string) bool {
	switch value[0] {
	case '$':
		rest := strings.TrimLeft(value[1:], "{(")
		if strings.HasPrefix(value, "$(") && rest != "" && strings.IndexByte("%^&*#!?", rest[0]) >= 0 { // no command
			break
		}
		if rest != value[1:] || identifier(rest) || strings.Trim(rest, upperName) == "" {
			return true
		}
	case '%':
		return strings.HasSuffix(value, "%") || strings.HasPrefix(value, "%(") || strings.HasPrefix(value, "%{")
	case '{', '<', '[', '(', '*', '&':
		return true
	}
	if strings.Contains(value, "${") || strings.Contains(value, "{{") || strings.Contains(value, "...") || strings.Contains(value, "()") || strings.Contains(value, "->") || strings.Contains(value, "=>") {
		return true
	}
	name := strings.IndexFunc(value, func(r rune) bool { return r >= 0x80 || !wordByte(byte(r)) && r != '.' })
	return name > 0 && (value[name] == '(' || value[name] == '[') && codeName(value[:name])
}

// dotted reports whether a value may be the member of something in code: a.b.c.
func dotted(value string) bool {
	return strings.Contains(value, ".") && codeName(value) &&
		strings.IndexFunc(value, func(r rune) bool { return r >= 0x80 || !wordByte(byte(r)) && r != '.' }) < 0
}

const upperName = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// codeName reports whether a value is a name in code, perhaps with dots: words of two letters or
// more with digits only at their ends.
func codeName(value string) bool {
	for word := range strings.SplitSeq(value, ".") {
		base := strings.TrimRight(word, "0123456789")
		if len(base) < 2 || digits(base) > 0 || len(word)-len(base) > 1 && len(word) < len(value) {
			return false
		}
	}
	return true
}

// identifier reports whether a value looks like a name in code: letters alone, or small letters with
// _ between and perhaps digits at the end.
func identifier(value string) bool {
	base := strings.TrimRight(value, "0123456789")
	if strings.Contains(base, "_") {
		return strings.Trim(base, "abcdefghijklmnopqrstuvwxyz_") == ""
	}
	return base == value && strings.Trim(strings.ToLower(base), "abcdefghijklmnopqrstuvwxyz") == ""
}

// authorization finds the credentials of an Authorization header, after their scheme.
func authorization(s string, from int) (secret, bool) {
	for _, scheme := range []string{"bearer ", "basic ", "token ", "apikey "} {
		if len(s)-from < len(scheme) || !strings.EqualFold(s[from:from+len(scheme)], scheme) {
			continue
		}
		from += len(scheme)
		to := from
		for to < len(s) && (valueByte(s[to]) || s[to] == '=') {
			to++
		}
		value := s[from:to]
		// Basic is base64 of name:password, Bearer at least as long as a short key.
		if len(value) < 12 || placeholder(value) || variety(value) < 6 || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_-.") == "" {
			return secret{}, false
		}
		return secret{"Authorization header", from, to}, true
	}
	to := from
	for to < len(s) && (valueByte(s[to]) || s[to] == '=') {
		to++
	}
	value := s[from:to]
	if p := profileOf(value); p.n >= 20 && p.n < maxValue && (p.random() || plainID(value) && p.digits > 4) && !placeholder(value) {
		return secret{"Authorization header", from, to}, true
	}
	return secret{}, false
}

// inURL finds the password of scheme://name:password@host; i is the index of the
// second colon.
func inURL(s string, i, begin int) (secret, bool) {
	if s[i] != ':' || strings.HasPrefix(s[i:], "://") {
		return secret{}, false
	}
	from := i // of the name
	for from > max(begin, i-maxName) && nameInURL(s[from-1]) {
		from--
	}
	if from < 3 || s[from-3:from] != "://" || from-3 < begin || from < 4 || !letter(s[from-4]) {
		return secret{}, false
	}
	to := i + 1
	for to < len(s) && to < i+1+256 && passwordInURL(s[to]) {
		to++
	}
	value := s[i+1 : to]
	if to >= len(s) || s[to] != '@' || value == "" || value[0] == '$' || strings.Contains(value, "$(") && strings.HasSuffix(value, ")") || placeholder(value) || sampleWord(value) {
		return secret{}, false
	}
	return secret{"password in a URL", i + 1, to}, true
}

func nameInURL(c byte) bool {
	return wordByte(c) || c == '-' || c == '.' || c == '%' || c == '+' || c == '~'
}

func passwordInURL(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("@/\"'`<>{}[]\\", c) < 0
}

// sampleWord reports whether a password in a URL is the word that manuals write there.
func sampleWord(value string) bool {
	switch strings.ToLower(value) {
	case "password", "pass", "pwd", "secret", "token", "user", "passwd":
		return true
	}
	return false
}
