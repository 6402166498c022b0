package redact

import "strings"

// key is the form of a key: a prefix, then a run of bytes of an alphabet.
type key struct {
	kind   string
	prefix string
	set    alphabet
	least  int  // least number of bytes after the prefix
	exact  bool // the number of bytes is exactly least
}

// alphabet is the set of bytes that a key consists of.
type alphabet uint8

const (
	alnum  alphabet = iota // letters and digits
	upper                  // capitals and digits
	word                   // letters, digits, _ and -
	dotted                 // word, and dots
)

// holds reports whether c belongs to the alphabet.
func (a alphabet) holds(c byte) bool {
	switch {
	case digit(c) || 'A' <= c && c <= 'Z':
		return true
	case a == upper:
		return false
	case letter(c):
		return true
	case c == '_' || c == '-':
		return a >= word
	}
	return c == '.' && a == dotted
}

// keys are the forms that providers document, or that their own secret scanners search
// for, by their first byte. Longer prefixes of one provider come first.
var keys = [128][]key{
	'A': {
		{"AWS access key", "AKIA", upper, 16, true},
		{"AWS access key", "ASIA", upper, 16, true},
		{"AWS access key", "ABIA", upper, 16, true},
		{"AWS access key", "ACCA", upper, 16, true},
		{"Google key", "AIza", word, 35, true},
	},
	'G': {
		{"Google client secret", "GOCSPX-", word, 28, false},
	},
	'S': {
		{"SendGrid key", "SG.", dotted, 60, false},
	},
	'd': {
		{"DigitalOcean token", "dop_v1_", alnum, 64, true},
	},
	'g': {
		{"GitHub token", "ghp_", alnum, 36, false},
		{"GitHub token", "gho_", alnum, 36, false},
		{"GitHub token", "ghu_", alnum, 36, false},
		{"GitHub token", "ghs_", word, 36, false},
		{"GitHub token", "ghr_", alnum, 36, false},
		{"GitHub token", "github_pat_", word, 40, false},
		{"GitLab token", "glpat-", dotted, 20, false},
		{"GitLab token", "gldt-", word, 20, false},
		{"GitLab token", "glrt-", dotted, 20, false},
		{"GitLab token", "glptt-", word, 20, false},
		{"GitLab token", "glcbt-", word, 20, false},
		{"Groq key", "gsk_", alnum, 40, false},
	},
	'h': {
		{"Hugging Face token", "hf_", alnum, 34, true},
	},
	'n': {
		{"npm token", "npm_", alnum, 36, true},
	},
	'p': {
		{"PyPI token", "pypi-AgEIcHlwaS5vcmc", word, 40, false},
	},
	'r': {
		{"Stripe key", "rk_live_", alnum, 16, false},
		{"Stripe key", "rk_test_", alnum, 16, false},
	},
	's': {
		{"Anthropic key", "sk-ant-", word, 24, false},
		{"OpenRouter key", "sk-or-v1-", alnum, 32, false},
		{"OpenAI key", "sk-proj-", word, 24, false},
		{"OpenAI key", "sk-svcacct-", word, 24, false},
		{"OpenAI key", "sk-admin-", word, 24, false},
		{"OpenAI key", "sk-", alnum, 32, false},
		{"Stripe key", "sk_live_", alnum, 16, false},
		{"Stripe key", "sk_test_", alnum, 16, false},
	},
	'w': {
		{"Stripe key", "whsec_", alnum, 24, false},
	},
	'x': {
		{"Slack token", "xoxb-", word, 20, false},
		{"Slack token", "xoxp-", word, 20, false},
		{"Slack token", "xoxa-", word, 20, false},
		{"Slack token", "xoxr-", word, 20, false},
		{"Slack token", "xoxs-", word, 20, false},
		{"Slack token", "xoxe-", word, 20, false},
		{"Slack token", "xapp-", word, 20, false},
		{"xAI key", "xai-", alnum, 60, false},
	},
	'y': {
		{"Google token", "ya29.", dotted, 24, false},
	},
}

// at reports whether such a key begins at i, and returns its end. A key that calls
// itself an example, or repeats itself, is not one.
func (k *key) at(s string, i int) (end int, ok bool) {
	if !strings.HasPrefix(s[i:], k.prefix) {
		return 0, false
	}
	if i > 0 && k.set.holds(s[i-1]) { // inside another run: each run is read once
		return 0, false
	}
	from := i + len(k.prefix)
	end = from
	for end < len(s) && k.set.holds(s[end]) {
		end++
	}
	for end > from && s[end-1] == '.' { // the end of a sentence
		end--
	}
	n := end - from
	if n < k.least || k.exact && (n > k.least || end < len(s) && wordByte(s[end])) || placeholder(s[i:end]) {
		return 0, false
	}
	return end, variety(s[from:end]) >= 6
}

// webToken finds a JSON web token at i: three parts of base64 with dots between them,
// of which the first two begin like the base64 of {". A token with header and claims
// alone, as in truncated logs, counts too.
func webToken(s string, i int) (secret, bool) {
	const head = "eyJ"
	if !strings.HasPrefix(s[i:], head) || i > 0 && word.holds(s[i-1]) {
		return secret{}, false
	}
	part := func(from int) int {
		for from < len(s) && word.holds(s[from]) {
			from++
		}
		return from
	}
	first := part(i)
	if first-i < 16 || first >= len(s) || !strings.HasPrefix(s[first:], "."+head) {
		return secret{}, false
	}
	end := part(first + 1)
	if end-first < 16 {
		return secret{}, false
	}
	if end < len(s) && s[end] == '.' {
		end = part(end + 1)
	}
	return secret{"JWT", i, end}, true
}

// Limits of private keys in bytes: the length of the longest that is searched for (RSA
// with 16,384 bits has about 12,500), and the shortest run of base64 in a real one.
const (
	longestKey  = 16 << 10
	shortestKey = 24
)

// privateKey finds a private key block whose first line begins at i. When its end was
// cut off, the secret is the rest of it.
func privateKey(s string, i int) (secret, bool) {
	const begin, end, last = "-----BEGIN ", "-----END ", "-----"
	if !strings.HasPrefix(s[i:], begin) {
		return secret{}, false
	}
	title, _, closed := strings.Cut(s[i+len(begin):min(len(s), i+80)], last)
	if !closed || !strings.HasSuffix(strings.TrimSuffix(title, " BLOCK"), "PRIVATE KEY") {
		return secret{}, false
	}
	body := i + len(begin) + len(title) + len(last)
	window := s[body:min(len(s), body+longestKey)]
	if at := strings.Index(window, end); at >= 0 && longestRun(window[:at]) >= shortestKey {
		to := body + at + len(end)
		if rest := strings.Index(s[to:min(len(s), to+80)], last); rest >= 0 {
			to += rest + len(last)
		}
		return secret{"private key", i, to}, true
	} else if at >= 0 {
		return secret{}, false // an empty key is an example
	}
	to := body + keyLines(window)
	return secret{"private key", i, to}, to > body
}

// keyLines returns the number of bytes at the start of a text that are lines of
// base64, with real or escaped line breaks between them.
func keyLines(text string) (n int) {
	for {
		from := n
		for from < len(text) && strings.IndexByte(" \r\n\t\\rn", text[from]) >= 0 && !base64Line(text[from:]) {
			from++
		}
		if !base64Line(text[from:]) {
			return n
		}
		for n = from; n < len(text) && base64Byte(text[n]); {
			n++
		}
	}
}

func base64Line(text string) bool { return runOf(text) >= 40 }

func runOf(text string) (n int) {
	for n < len(text) && base64Byte(text[n]) {
		n++
	}
	return n
}

func longestRun(text string) (longest int) {
	for len(text) > 0 {
		n := runOf(text)
		longest = max(longest, n)
		text = text[min(len(text), n+1):]
	}
	return longest
}

func base64Byte(c byte) bool { return letter(c) || digit(c) || c == '+' || c == '/' || c == '=' }
