package redact

import (
	"math"
	"strings"
)

// maxValue is the length in bytes of the longest secret value of a name.
const maxValue = 512

// value finds the secret value whose bytes begin at i: a long and random run of them that follows
// the name of a secret.
func (c *cursor) value(i int) (secret, bool) {
	s := c.s
	end, digits, upper := i, 0, 0
	for ; end < len(s) && valueByte(s[end]); end++ {
		if kinds[s[end]]&(isDigit|isUpper) != 0 {
			if digit(s[end]) {
				digits++
			} else {
				upper++
			}
		}
	}
	c.run = end
	if end-i < 8 || digits == 0 && upper < 3 {
		if end == len(s) || s[end] != '=' && s[end] != '%' && s[end] != ':' && s[end] != '|' {
			return secret{}, false
		}
	}
	from := i + escapeInto(s, i, end, c.done)
	to := c.valueEnd(from, end)
	if to-from < 8 || to-from > maxValue {
		return secret{}, false
	}
	p := profileOf(s[from:to])
	if !p.plausible() && (p.n < 32 || !plainID(s[from:to])) {
		return secret{}, false
	}
	x := c.before(from)
	d := c.demand(x, from)
	var found secret
	if len(x.words) > 0 && (x.assigned || d != never) {
		found = c.table.named(s, from, s[x.from:from])
	}
	if d == ids {
		to = c.quotedEnd(from, to)
		p = profileOf(s[from:to])
	} else if end < to {
		to = c.trimmed(from, end)
		p = profileOf(s[from:to])
	}
	if value := s[from:to]; d.met(value, p) && !placeholder(value) {
		found = longer(found, secret{"secret value", from, to})
	}
	if found.to > 0 {
		if key, ok := c.table.starting(trigram(s[from:]), s, from, c.done); ok && key.from == from && key.to >= found.to {
			found = key // its kind says more
		}
	}
	return found, found.to > 0
}

// valueEnd returns the end of the value at from whose first run of bytes ends at end, if it is
// that of a secret. It continues after = : | and escapes such as %2B.
func (c *cursor) valueEnd(from, end int) int {
	s := c.s
	for end < len(s) && end-from <= maxValue {
		next := end
		switch {
		case s[end] == '=':
			next = end + 1
		case (s[end] == ':' || s[end] == '|') && plainID(s[from:end]) && end-from >= 5:
			next = end + 1
		case s[end] == '%' && end+2 < len(s) && hex(s[end+1]) && hex(s[end+2]) && strings.IndexByte("+/=:|%~", hexByte(s[end+1:])) >= 0:
			next = end + 3
		}
		if next == end || next < len(s) && !valueByte(s[next]) && s[end] != '=' && s[end] != '%' {
			break
		}
		for end = next; end < len(s) && valueByte(s[end]); {
			end++
		}
	}
	return c.trimmed(from, end)
}

// quotedEnd returns the end of a value up to its closing quote, if it has quotes and no space is
// before the closing one.
func (c *cursor) quotedEnd(from, to int) int {
	s := c.s
	if from == c.done || strings.IndexByte("\"'`", s[from-1]) < 0 {
		return to
	}
	for i := to; i < len(s) && i-from <= 128 && s[i] > ' ' && s[i] < 0x7f; i++ {
		if s[i] == s[from-1] {
			for i > to && s[i-1] == '\\' {
				i--
			}
			return i
		}
	}
	return to
}

// trimmed returns the end of a value without punctuation at its end.
func (c *cursor) trimmed(from, end int) int {
	for end > from && strings.IndexByte(".-/~", c.s[end-1]) >= 0 {
		end--
	}
	return end
}

func digits(s string) (n int) {
	for i := range len(s) {
		if digit(s[i]) {
			n++
		}
	}
	return n
}

// demand is what a value must be like to be a secret, by the names before it.
type demand uint8

const (
	never  demand = iota
	ids           // after the name of a secret: UUIDs, hashes and numbers too
	mixed         // after a name that others have, too: random, but neither a UUID nor a hash
	remote        // after words of prose: random and long
)

// demand returns the demand of a context of a value at i.
func (c *cursor) demand(x context, i int) demand {
	if c.column(i) {
		return ids
	}
	for n, word := range x.words {
		class := classOf(word)
		if class == nothing && n+1 < len(x.words) && x.joined[n+1] {
			class = classOf(x.words[n+1] + "_" + word)
		}
		switch {
		case class == refused:
			return never
		case class == nothing || class == scheme:
		case n == 0 && x.assigned && (class == random || class == token):
			return ids
		case n == 0 && x.assigned && class == bare && c.isVariable(x.from, word, i):
			return ids
		case n == 0 && x.assigned && class == bare:
			return mixed
		default:
			return remote
		}
		if n+1 < len(x.words) && !x.joined[n+1] {
			break
		}
	}
	if x.assigned && c.cookie(i) {
		return ids
	}
	return never
}

// isVariable reports whether a word is a variable of the environment that a value at i is assigned to: TOKEN=.
func (c *cursor) isVariable(from int, word string, i int) bool {
	return strings.ToUpper(word) == word && strings.HasSuffix(strings.TrimRight(c.s[from:i], "\"'"), word+"=")
}

// cookie reports whether a value at i stands in the header of cookies.
func (c *cursor) cookie(i int) bool {
	line := c.s[max(c.line, c.done, i-maxTableLine):i]
	return strings.HasSuffix(line, "=") && strings.Contains(line, "ookie:") || strings.Contains(line, `ookie": "`)
}

// met reports whether a value is a secret by a demand.
func (d demand) met(value string, p profile) bool {
	if d == never || path(value) || strings.Contains(value, "://") {
		return false
	}
	plain := plainID(value)
	switch d {
	case ids:
		if p.letters() == 0 {
			return p.n >= 15 && p.digits == p.n
		}
		return p.n >= 10 && (p.random() || plain && p.digits > 1 && p.n >= 16) && entropy(value) >= leastEntropy(value)
	case mixed:
		return p.n >= 16 && !plain && p.random() && entropy(value) >= leastEntropy(value)
	}
	return p.n >= 16 && p.random() && (!plain || p.n >= 32) && entropy(value) >= leastEntropy(value)
}

// profile counts the bytes of a value.
type profile struct {
	n, lower, upper, digits int
	flips                   int // changes between letters and digits, or from lower case to upper case
	longest                 int // length of the longest run of letters of one case
}

func profileOf(value string) (p profile) {
	p.n = len(value)
	last, run := byte(0), 0
	for i := range len(value) {
		kind := byte(0)
		switch c := value[i]; {
		case digit(c):
			kind = 'd'
			p.digits++
		case 'a' <= c && c <= 'z':
			kind = 'l'
			p.lower++
		case 'A' <= c && c <= 'Z':
			kind = 'u'
			p.upper++
		}
		if kind == last {
			run++
		} else {
			run = 1
			if kind != 0 && last != 0 && !(last == 'u' && kind == 'l') {
				p.flips++
			}
		}
		if kind == 'l' || kind == 'u' {
			p.longest = max(p.longest, run)
		}
		last = kind
	}
	return p
}

func (p profile) letters() int { return p.lower + p.upper }

// plausible reports whether a value may be a secret after any name.
func (p profile) plausible() bool {
	if p.letters() == 0 {
		return p.digits >= 15
	}
	return p.flips >= 2
}

// random reports whether a value looks random, rather than made of words, dates and numbers.
func (p profile) random() bool {
	if p.digits == 0 {
		return p.n >= 14 && p.longest <= 9 && 3*p.upper >= p.n && 4*p.lower >= p.n
	}
	return p.letters() > 0 && p.longest <= 10 && 100*p.flips >= 14*p.n
}

// class is the kind of value that a name implies.
type class uint8

const (
	nothing  class = iota
	refused        // a name that resembles one of a secret, such as next_page_token
	scheme         // Authorization: a scheme, then credentials
	password       // chosen by people: short, and not random
	random         // keys and secrets: random
	token          // tokens of something
	bare           // tokens: random, but often a number, a UUID or a hash that is not secret
)

func (c class) secretColumn() bool { return c == password || c == random || c == token || c == bare }

// classOf returns the class of a name, by its words.
func classOf(name string) class {
	if len(name) < 3 {
		return nothing
	}
	last, rest := lastWord(name)
	for suffixWords[last] && rest != "" {
		last, rest = lastWord(rest)
	}
	before, _ := lastWord(rest)
	switch last {
	case "authorization":
		return scheme
	case "password", "passwd", "pwd", "passphrase", "pass", "passwort":
		return password
	case "secret", "apikey", "secretkey", "accesskey", "privatekey", "clientsecret", "credential", "credentials", "creds", "apitoken", "authkey":
		return random
	case "key":
		switch before {
		case "api", "secret", "access", "account", "private", "auth", "encryption", "signing", "master", "shared", "service", "client", "license", "licence", "app", "admin", "deploy", "application", "webhook", "storage", "hmac":
			return random
		}
	case "token":
		switch before {
		case "page", "next", "continuation", "prev", "previous", "sync", "resume", "cancellation", "csrf", "xsrf", "max", "eos", "bos", "pad", "unk", "special", "stop", "per", "last", "first", "start", "end", "input", "output", "a", "the", "each", "one", "sync_", "cursor", "idempotency", "authenticity", "public", "antiforgery", "verification", "request", "cls", "sep", "mask", "keep", "scroll":
			return refused
		case "":
			return bare
		}
		return token
	case "authtoken", "accesstoken", "bearertoken":
		return token
	case "auth":
		return bare
	}
	return nothing
}

// suffixWords lists words after the word of a name that says what it names: API_KEY_PROD.
var suffixWords = map[string]bool{
	"prod": true, "production": true, "dev": true, "test": true, "live": true, "staging": true, "value": true, "old": true, "new": true,
	"base": true, "v1": true, "v2": true, "1": true, "2": true, "header": true,
}

// lastWord returns the last word of a name in lower case, and the rest of the name.
func lastWord(name string) (word, rest string) {
	for len(name) > 0 && betweenWords(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	from := len(name)
	for from > 0 && !betweenWords(name[from-1]) {
		from--
		if upperAt(name, from) && from > 0 && !upperAt(name, from-1) {
			break
		}
	}
	return strings.ToLower(name[from:]), name[:from]
}

func betweenWords(c byte) bool { return c == '_' || c == '-' || c == '.' || c == ' ' }

func upperAt(s string, i int) bool { return 'A' <= s[i] && s[i] <= 'Z' }

// path reports whether a value is the path of a file.
func path(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
		strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "@")
}

// plainID reports whether a value is a UUID or a hash: hexadecimal digits and hyphens.
func plainID(value string) bool {
	for i := range len(value) {
		if !hex(value[i]) && value[i] != '-' {
			return false
		}
	}
	return true
}

// leastEntropy returns the least entropy of a random value, in bits a byte. With an
// alphabet of 16 digits some repeat, and so do some of 64 characters in 20.
func leastEntropy(value string) float64 {
	switch {
	case len(value) < 16:
		return 2.3
	case plainID(value):
		return 2.7
	case len(value) < 24:
		return 3.0
	}
	return 3.3
}

// entropy returns the Shannon entropy of the bytes of s, in bits a byte.
func entropy(s string) (bits float64) {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// variety returns the number of different bytes of s.
func variety(s string) (n int) {
	var seen [256]bool
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// placeholder reports whether a value calls itself a placeholder.
func placeholder(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"your", "changeme", "change-me", "change_me", "dummy", "insert", "replace", "redacted", "***", "process.env", "import.meta", "os.environ", "getenv", "12345678", "abcdefgh"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return sample(value)
}

// sample reports whether a value is an example that resembles a key.
func sample(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"example", "placeholder", "xxxx", "..."} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
