package redact

import (
	"math"
	"strings"
)

// maxName is the number of bytes before a value in which its name is searched for.
const maxName = 64

// maxValue is the length in bytes of the longest secret value of a name.
const maxValue = 512

// assigned finds the secret value of a name; i is the index of the = or : between
// them.
func assigned(s string, i, begin int) (secret, bool) {
	name := nameBefore(s, i, max(begin, i-maxName))
	class := classOf(name)
	if class == nothing {
		return secret{}, false
	}
	from := i + 1
	for from < len(s) && (s[from] == '=' || s[from] == '>') { // := == =>
		from++
	}
	for from < len(s) && from < i+8 && (s[from] == ' ' || s[from] == '\t' || s[from] == '\\') {
		from++
	}
	quote := byte(0)
	if from < len(s) && (s[from] == '"' || s[from] == '\'' || s[from] == '`') {
		quote = s[from]
		from++
	}
	if class == header {
		return authorization(s, from)
	}
	if from < len(s) {
		if found, ok := known(s, from); ok {
			return found, true
		}
	}
	to := from
	for to < len(s) && to <= from+maxValue && !endsValue(s[to], quote) {
		to++
	}
	value := s[from:to]
	if strings.HasPrefix(value, Opening[:1]) || !class.secret(value) || placeholder(value) {
		return secret{}, false
	}
	return secret{class.kind(), from, to}, true
}

// nameBefore returns the name that ends before byte i, without quotes and spaces after
// it, in any of the spellings api_key, api-key, apiKey and API_KEY.
func nameBefore(s string, i, begin int) string {
	end := i
	for end > begin && strings.IndexByte(" \t\"'\\`]:", s[end-1]) >= 0 && end > i-4 {
		end--
	}
	from := end
	for from > begin && (wordByte(s[from-1]) || s[from-1] == '-') {
		from--
	}
	return s[from:end]
}

// class is the kind of value that a name implies.
type class uint8

const (
	nothing  class = iota
	header         // Authorization: a scheme, then credentials
	password       // chosen by people: short, and not random
	random         // keys and secrets: random
	token          // tokens: random, but often a number, a UUID or a hash that is not secret
)

func (c class) kind() string {
	if c == password {
		return "password"
	}
	return "secret value"
}

// classOf returns the class of a name, by its words.
func classOf(name string) class {
	if len(name) < 3 {
		return nothing
	}
	words := wordsOf(name)
	last := words[len(words)-1]
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "authorization":
		return header
	case "password", "passwd", "pwd", "passphrase", "pass":
		return password
	case "secret", "apikey", "secretkey", "accesskey", "privatekey":
		return random
	case "key":
		switch before {
		case "api", "secret", "access", "account", "private", "auth", "encryption", "signing", "master", "shared", "service", "client":
			return random
		}
	case "token":
		switch before {
		case "page", "next", "continuation", "prev", "previous", "sync", "resume", "cancellation", "csrf", "max", "eos", "bos", "pad", "unk", "special", "stop":
			return nothing
		}
		return token
	case "authtoken", "accesstoken", "bearertoken":
		return token
	}
	return nothing
}

// wordsOf returns the words of a name in lower case.
func wordsOf(name string) (words []string) {
	from := 0
	for i := 1; i <= len(name); i++ {
		switch {
		case i == len(name), name[i] == '_' || name[i] == '-', upperAt(name, i) && !upperAt(name, i-1):
			if w := strings.Trim(name[from:i], "_-"); w != "" {
				words = append(words, strings.ToLower(w))
			}
			from = i
		}
	}
	if words == nil {
		words = []string{""}
	}
	return words
}

func upperAt(s string, i int) bool { return 'A' <= s[i] && s[i] <= 'Z' }

// endsValue reports whether a value ends at c: at its closing quote; without a quote,
// at a separator.
func endsValue(c, quote byte) bool {
	switch c {
	case '\n', '\r':
		return true
	case ' ', '\t', ',', ';', ')', '}', ']', '&', '<', '>', '|', '"', '\'', '`', '\\':
		return quote == 0 || c == quote || c == '\\' || c == '<' || c == '>'
	}
	return false
}

// secret reports whether a value is a secret of the class, rather than a word or code
// that fetches a secret.
func (c class) secret(value string) bool {
	if len(value) > maxValue {
		return false
	}
	if strings.ContainsAny(value, "($%{*[ …") || strings.Contains(value, "://") || path(value) {
		return false
	}
	var letters, digits, others int
	for i := range len(value) {
		switch {
		case letter(value[i]):
			letters++
		case digit(value[i]):
			digits++
		default:
			others++
		}
	}
	if c == password {
		return len(value) >= 6 && len(value) <= 128 && letters > 0 && digits > 0 && !strings.Contains(value, ".") && !identifier(value)
	}
	if len(value) < 16 || letters == 0 || digits == 0 || c == token && plainID(value) || strings.Count(value, ".") > 2 {
		return false
	}
	if digits < 2 && others > 0 { // words with a number: build_step_2_finished
		return false
	}
	return entropy(value) >= leastEntropy(value)
}

// identifier reports whether a value looks like a name in code: lower-case letters and
// _, with digits at the end.
func identifier(value string) bool {
	base := strings.TrimRight(value, "0123456789")
	return strings.Contains(base, "_") && strings.Trim(base, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// path reports whether a value is the path of a file.
func path(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
		strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "@")
}

// plainID reports whether a value is a UUID or a hash: hexadecimal digits and hyphens.
func plainID(value string) bool {
	return strings.Trim(strings.ToLower(value), "0123456789abcdef-") == ""
}

// leastEntropy returns the least entropy of a random value, in bits a byte. With an
// alphabet of 16 digits some repeat, and so do some of 64 characters in 20.
func leastEntropy(value string) float64 {
	if plainID(value) {
		return 2.7
	}
	if len(value) < 24 {
		return 3.2
	}
	return 3.6
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
	for _, word := range []string{"example", "your", "placeholder", "changeme", "change-me", "change_me", "xxxx", "dummy", "insert", "replace", "redacted", "...", "***", "process.env", "import.meta", "os.environ", "getenv", "12345678", "abcdefgh"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// authorization finds the credentials of an Authorization header, after their scheme.
func authorization(s string, from int) (secret, bool) {
	for _, scheme := range []string{"bearer ", "basic ", "token ", "apikey "} {
		if len(s)-from < len(scheme) || !strings.EqualFold(s[from:from+len(scheme)], scheme) {
			continue
		}
		from += len(scheme)
		to := from
		for to < len(s) && (dotted.holds(s[to]) || base64Byte(s[to]) || s[to] == '~') {
			to++
		}
		value := s[from:to]
		// Basic is base64 of name:password, Bearer at least as long as a short key.
		if len(value) < 12 || placeholder(value) || variety(value) < 6 || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_-.") == "" {
			return secret{}, false
		}
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
	if to >= len(s) || s[to] != '@' || value == "" || placeholder(value) || sampleWord(value) {
		return secret{}, false
	}
	return secret{"password in a URL", i + 1, to}, true
}

func nameInURL(c byte) bool {
	return wordByte(c) || c == '-' || c == '.' || c == '%' || c == '+' || c == '~'
}

func passwordInURL(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("@/\"'`<>{}[]\\$", c) < 0
}

// sampleWord reports whether a password in a URL is the word that manuals write there.
func sampleWord(value string) bool {
	switch strings.ToLower(value) {
	case "password", "pass", "pwd", "secret", "token", "user", "passwd":
		return true
	}
	return false
}
