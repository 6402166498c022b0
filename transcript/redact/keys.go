package redact

import "strings"

// providers are rules for keys that gitleaks does not know, or of which it knows fewer forms.
var providers = []rule{
	{family: "aws-access-token", kind: "AWS access key", starts: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, edge: true, most: 20, value: `A[KSBC][IC]A[A-Z0-9]{16}`},
	{family: "anthropic-api-key", kind: "Anthropic key", starts: []string{"sk-ant-"}, edge: true, most: 200, value: `sk-ant-[\w-]{24,}`},
	{family: "openai-api-key", kind: "OpenAI key", starts: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, edge: true, most: 240, value: `sk-(?:proj|svcacct|admin)-[\w-]{24,}`},
	{family: "openai-api-key", kind: "OpenAI key", starts: []string{"sk-"}, edge: true, most: 100, value: `sk-[A-Za-z0-9]{32,}`},
	{family: "openrouter-api-key", kind: "OpenRouter key", starts: []string{"sk-or-v1-"}, edge: true, most: 100, value: `sk-or-v1-[A-Za-z0-9]{32,}`},
	{family: "groq-api-key", kind: "Groq key", starts: []string{"gsk_"}, most: 100, value: `gsk_[A-Za-z0-9]{40,}`},
	{family: "xai-api-key", kind: "xAI key", starts: []string{"xai-"}, edge: true, most: 120, value: `xai-[A-Za-z0-9]{60,}`},
	{family: "google-client-secret", kind: "Google client secret", starts: []string{"GOCSPX-"}, most: 60, value: `GOCSPX-[\w-]{28,}`},
	{family: "google-oauth-token", kind: "Google token", starts: []string{"ya29."}, edge: true, most: 600, value: `ya29\.[\w.-]{23,}[\w-]`},
	{family: "sendgrid-api-token", kind: "SendGrid key", starts: []string{"SG."}, edge: true, most: 100, value: `SG\.[\w.-]{59,}[\w-]`},
	{family: "stripe-access-token", kind: "Stripe key", starts: []string{"whsec_"}, edge: true, most: 80, value: `whsec_[A-Za-z0-9]{24,}`},
	{family: "square-secret", kind: "Square secret", starts: []string{"sq0csp-"}, edge: true, most: 60, value: `sq0csp-[\w-]{40,}`},
	{family: "gitlab-pat", kind: "GitLab token", starts: []string{"glpat-", "glrt-"}, most: 320, value: `gl(?:pat|rt)-[\w.-]{19,}[\w-]`},
	{family: "github-fine-grained-pat", kind: "GitHub token", starts: []string{"github_pat_"}, most: 110, value: `github_pat_\w{40,}`},
	{family: "slack-bot-token", kind: "Slack token", starts: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"}, most: 260, value: `x(?:ox[abeprs]|app)-[\w-]{20,}`},
	{family: "docker-pat", kind: "Docker token", starts: []string{"dckr_pat_", "dckr_oat_"}, most: 60, value: `dckr_[po]at_[\w-]{27,}`},
	{family: "atlassian-api-token", kind: "Atlassian token", starts: []string{"ATATT3", "ATCTT3", "ATBB"}, edge: true, most: 240, value: `AT(?:ATT3|CTT3|BB)[\w=-]{28,}`},
	{family: "databricks-api-token", kind: "Databricks token", starts: []string{"dapi", "dose"}, most: 40, value: `(?:dapi|dose)[a-f0-9]{32}`},
	{family: "notion-api-token", kind: "Notion token", starts: []string{"secret_", "ntn_"}, edge: true, most: 60, value: `(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})`},
	{family: "telegram-bot-api-token", kind: "Telegram token", starts: []string{":AA"}, back: 10, most: 60, value: `[0-9]{10}:AA[\w-]{33}`},
	{family: "telegram-bot-api-token", kind: "Telegram token", starts: []string{":AA"}, back: 9, most: 60, value: `[0-9]{9}:AA[\w-]{33}`},
	{family: "telegram-bot-api-token", kind: "Telegram token", starts: []string{":AA"}, back: 8, most: 60, value: `[0-9]{8}:AA[\w-]{33}`},
	{family: "discord-webhook", kind: "Discord URL", starts: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, most: 150, value: `discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[\w-]{60,}`},
	{family: "vault-service-token", kind: "Vault token", starts: []string{"hvs.", "hvb.", "hvr."}, edge: true, most: 320, value: `hv[bsr]\.[\w-]{24,}`},
	{family: "tailscale-key", kind: "Tailscale key", starts: []string{"tskey-"}, edge: true, most: 90, value: `tskey-[a-z]{2,12}-[\w-]{20,}`},
	{family: "supabase-token", kind: "Supabase key", starts: []string{"sbp_", "sb_secret_"}, edge: true, most: 80, value: `sb(?:p|_secret)_[\w-]{31,}`},
	{family: "replicate-token", kind: "Replicate token", starts: []string{"r8_"}, edge: true, most: 50, value: `r8_[A-Za-z0-9]{37}`},
	{family: "pinecone-key", kind: "Pinecone key", starts: []string{"pcsk_"}, edge: true, most: 100, value: `pcsk_[A-Za-z0-9_]{40,}`},
}

// webToken finds a JSON web token at i: three parts of base64 with dots between them,
// of which the first two begin like the base64 of {". A token with header and claims
// alone, as in truncated logs, counts too.
func webToken(s string, i, begin int) (secret, bool) {
	const head = "eyJ"
	if !strings.HasPrefix(s[i:], head) {
		return secret{}, false
	}
	if n, _ := escapeBefore(s, i, begin); n == 0 && i > begin && (wordByte(s[i-1]) || s[i-1] == '-') {
		return secret{}, false // each run is read once
	}
	part := func(from int) int {
		for from < len(s) && (wordByte(s[from]) || s[from] == '-') {
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
