package redact

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRules checks that each rule names its family and kind, has starts or names in the form in which they
// are compared, and an expression that matches no more than its limit.
func TestRules(t *testing.T) {
	for _, r := range slices.Concat(providers, gitleaks) {
		if r.family == "" || r.kind == "" || strings.ContainsAny(r.kind, "[]") || r.most < 8 || len(r.starts)+len(r.names) == 0 {
			t.Errorf("the rule %+v is incomplete", r)
		}
		if _, err := regexp.Compile(r.value); err != nil {
			t.Errorf("%s: %v", r.family, err)
		}
		for _, start := range r.starts {
			if len(start) < 2 || r.fold && start != strings.ToLower(start) {
				t.Errorf("%s: the start %q", r.family, start)
			}
		}
		for _, name := range r.names {
			if len(name) < 3 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				t.Errorf("%s: the name %q", r.family, name)
			}
		}
	}
}

// TestKinds checks a key of each provider whose rules are kept here. The secrets are concatenated, so that
// no scanner reports this file as a leak.
func TestKinds(t *testing.T) {
	const mixed, hexes = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0Fg7Qa2Ke9Uo4Xi8q7Rk2Vx9Lm4Tz8Np1Wc6Yd3H", "9f86d081884c7d659a2feaa0c55ad015"
	capitals := strings.ToUpper(mixed)
	for key, kind := range map[string]string{
		"AKIA" + capitals[:16]: "AWS access key", "ASIA" + capitals[:16]: "AWS access key", "ABIA" + capitals[:16]: "AWS access key", "ACCA" + capitals[:16]: "AWS access key",
		"sk-ant-" + mixed: "Anthropic key", "sk-proj-" + mixed: "OpenAI key", "sk-svcacct-" + mixed: "OpenAI key", "sk-admin-" + mixed: "OpenAI key",
		"sk-" + mixed: "OpenAI key", "sk-or-v1-" + mixed: "OpenRouter key", "gsk_" + mixed: "Groq key", "xai-" + mixed: "xAI key",
		"GOCSPX-" + mixed[:28]: "Google client secret", "ya29." + mixed: "Google token", "SG." + mixed: "SendGrid key", "whsec_" + mixed[:32]: "Stripe key",
		"sq0csp-" + mixed[:43]: "Square secret", "glpat-" + mixed[:20]: "GitLab token", "glrt-" + mixed[:20]: "GitLab token", "github_pat_" + mixed: "GitHub token",
		"xoxb-" + mixed: "Slack token", "xoxp-" + mixed: "Slack token", "xoxa-" + mixed: "Slack token", "xoxr-" + mixed: "Slack token",
		"xoxs-" + mixed: "Slack token", "xoxe-" + mixed: "Slack token", "xapp-" + mixed: "Slack token",
		"dckr_pat_" + mixed[:27]: "Docker token", "dckr_oat_" + mixed[:32]: "Docker token", "ATATT3" + mixed: "Atlassian token", "ATCTT3" + mixed: "Atlassian token",
		"ATBB" + mixed[:32]: "Atlassian token", "dapi" + hexes: "Databricks token", "dose" + hexes: "Databricks token", "secret_" + mixed[:43]: "Notion token",
		"ntn_" + mixed[:46]: "Notion token", "0123456789:AA" + mixed[:33]: "Telegram token", "123456789:AA" + mixed[:33]: "Telegram token", "12345679:AA" + mixed[:33]: "Telegram token",
		"discord.com/api/webhooks/012345678901234567/" + mixed[:68]: "Discord URL", "discordapp.com/api/webhooks/01234567890123456789/" + mixed[:68]: "Discord URL",
		"hvs." + mixed[:24]: "Vault token", "hvb." + mixed: "Vault token", "hvr." + mixed: "Vault token", "tskey-auth-" + mixed[:20]: "Tailscale key",
		"sbp_" + mixed[:40]: "Supabase key", "sb_secret_" + mixed[:31]: "Supabase key", "r8_" + mixed[:37]: "Replicate token", "pcsk_" + mixed[:50]: "Pinecone key",
	} {
		for _, form := range []string{"K", "key K.", "\"K\"", "(K)", "a=K&b", "\nK\n", `\nK\n`, "é K é"} {
			in := strings.ReplaceAll(form, "K", key)
			if got, want := first(Text(in)), strings.ReplaceAll(form, "K", Opening+kind+"]"); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		}
	}
}

func first(s string, _ Counts) string { return s }

// TestEdges checks around which bytes a key is one. A rule whose start is a word of few letters needs an edge
// before it.
func TestEdges(t *testing.T) {
	const mixed = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0Fg7Qa2Ke9Uo4Xi8"
	capitals := strings.ToUpper(mixed[:16])
	for in, found := range map[string]bool{
		"AKIA" + capitals: true, "xAKIA" + capitals: true, "XAKIA" + capitals: false, "_AKIA" + capitals: true, "-AKIA" + capitals: true, "%3DAKIA" + capitals: true,
		"1AKIA" + capitals: false, "\x1b[1mAKIA" + capitals: true, `\nAKIA` + capitals: true, "+AKIA" + capitals: true, "a+AKIA" + capitals: false,
		"AKIA" + capitals + "Z": false, "AKIA" + capitals + "_": false, "AKIA" + capitals + "-": true, "AKIA" + capitals + ".": true,
		"AKIA" + capitals + ".json": false, "AKIA" + capitals + ". Then": true, "AKIA" + capitals + ".1": true,
		"1sk-ant-" + mixed: true, "Ask-ant-" + mixed: true, "ask-ant-" + mixed: false, "task-ant-" + mixed: false,
		"xglsa_" + mixed[:32] + "_ee0ca923": true, "xdapi" + "2cec255404e4fb440034d6608697a8da": true,
		"xghp_" + mixed[:36]: true, "ghp_" + mixed[:36] + "x": true, "ghp_" + mixed[:35]: false,
	} {
		if out, _ := Text(in); (out != in) != found {
			t.Errorf("%q became %q, want a secret: %v", in, out, found)
		}
	}
	// A longer word is replaced to its end.
	if out, _ := Text("(ghp_" + mixed[:36] + "x9_Y)"); out != "([redacted: GitHub token])" {
		t.Errorf("a longer word became %q", out)
	}
}

// TestMatch checks that a key of a known form needs variety: neither a word repeated nor a name in code.
func TestMatch(t *testing.T) {
	for in, found := range map[string]bool{
		"gsk_" + "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0Fg7Qa2Ke9Uo4Xi8": true,
		"gsk_" + strings.Repeat("a", 44):                        false,
		"gsk_" + strings.Repeat("g1", 22):                       false,
		"gsk_" + strings.Repeat("thisIsTheNameOfTheTest", 2):    false, // no digits, few capitals
		"gsk_" + "q7Rk2Vx9Lm4Tz8Np1Wc6YdEXAMPLEb5Js0Fg7Qa2Ke9":  false,
		"gsk_" + "q7Rk2Vx9Lm4Tz8Np1Wc6Yxxxx3Hb5Js0Fg7Qa2Ke9":    false,
	} {
		if out, _ := Text(in); (out != in) != found {
			t.Errorf("%q became %q, want a secret: %v", in, out, found)
		}
	}
}

// TestNamed checks that a rule with names needs one of them before the value, as a word of its own.
func TestNamed(t *testing.T) {
	const id, token = "550e8400-e29b-41d4-a716-446655440000", "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0F00"
	for in, want := range map[string]string{
		"snyk_token=" + id:            "snyk_token=[redacted: Snyk token]",
		"SNYK_TOKEN=" + id:            "SNYK_TOKEN=[redacted: Snyk token]",
		`"snykToken": "` + id + `"`:   `"snykToken": "[redacted: Snyk token]"`,
		"snyk.key: " + id:             "snyk.key: [redacted: Snyk token]",
		"snyk id=" + id:               "snyk id=" + id,
		"desnyk_token_id=" + id:       "desnyk_token_id=" + id,
		"snyk_key=" + id + "-7":       "snyk_key=" + id + "-7",
		"adafruit=" + token:           "adafruit=[redacted: Adafruit key]",
		"myAdafruit=" + token:         "myAdafruit=[redacted: Adafruit key]",
		"my adafruit feed=" + token:   "my adafruit feed=[redacted: Adafruit key]",
		"notadafruit=" + token:        "notadafruit=" + token,
		"adafruit " + token:           "adafruit " + token,                 // nothing assigns it
		"airtable=abcDefgHijkLmnopq":  "airtable=[redacted: Airtable key]", // capitals instead of digits
		"airtable=abcDefgHijklmnopq":  "airtable=abcDefgHijklmnopq",        // few of them: a name
		"sumOfAll=su" + token[:12]:    "sumOfAll=su" + token[:12],
		"mySUMO=su" + token[:12]:      "mySUMO=[redacted: Sumo Logic id]",
		"MYSUMO=su" + token[:12]:      "MYSUMO=su" + token[:12],
		"sumo=su" + token[:12]:        "sumo=[redacted: Sumo Logic id]",
		"SUMO_id=su" + token[:12]:     "SUMO_id=[redacted: Sumo Logic id]",
		"the sumo is su" + token[:12]: "the sumo is [redacted: Sumo Logic id]",
	} {
		if got := first(Text(in)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestWebToken checks which texts are signed tokens: a header and claims of some length, and a signature
// or none.
func TestWebToken(t *testing.T) {
	const header, claims, signature = "eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiI0MiJ9abcd", "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3H"
	const gone = "[redacted: JWT]"
	for in, want := range map[string]string{
		header + "." + claims + "." + signature:                  gone,
		header + "." + claims + "." + signature + ".x":           gone + ".x",
		header + "." + claims + ".":                              gone,
		header + "." + claims:                                    gone,
		header + "." + claims + " x":                             gone + " x",
		"a=" + header + "." + claims + "-_9." + signature + "-_": "a=" + gone,
		"%3D" + header + "." + claims:                            "%3D" + gone,
		`\n` + header + "." + claims:                             `\n` + gone,
		"a" + header + "." + claims:                              "a" + header + "." + claims,
		"-" + header + "." + claims:                              "-" + header + "." + claims,
		header:                                                   header,
		header + ".":                                             header + ".",
		header + ".abc" + claims:                                 header + ".abc" + claims,
		header + "." + claims[:14]:                               header + "." + claims[:14],
		header[:15] + "." + claims:                               header[:15] + "." + claims,
		header[:16] + "." + claims[:15]:                          gone,
	} {
		if got := first(Text(in)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestPrivateKey checks where a private key ends: at its last line, or where its base64 does.
func TestPrivateKey(t *testing.T) {
	const begin, end, gone = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "[redacted: private key]"
	line := strings.Repeat("q7Rk2Vx9Lm", 4)
	for in, want := range map[string]string{
		begin + "\n" + line + "\n" + end + "\n":                                 gone + "\n",
		begin + `\n` + line + `\n` + end + `\n`:                                 gone + `\n`,
		begin + "\n" + line[:24] + "\n" + end:                                   gone,
		begin + "\n" + line[:23] + "\n" + end:                                   begin + "\n" + line[:23] + "\n" + end,
		begin + "\n" + line + "\n" + "-----END PRIVATE":                         gone + "PRIVATE",
		begin + "\n" + line + "\n" + line + "\nmore":                            gone + "\nmore",
		begin + "\n" + line + "\n" + line[:39] + "\nmore":                       gone + "\n" + line[:39] + "\nmore",
		begin + "\\n" + line + "\\r\\n" + line + "\"}":                          gone + "\"}",
		begin + "\n  " + line + "\n  " + line + "==\n":                          gone + "\n",
		begin + "\n" + "text":                                                   begin + "\n" + "text",
		"-----BEGIN EC PRIVATE KEY-----\n" + line:                               gone,
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\n" + line:                        gone,
		"-----BEGIN PUBLIC KEY-----\n" + line + "\n" + end:                      "-----BEGIN PUBLIC KEY-----\n" + line + "\n" + end,
		"-----BEGIN PRIVATE KEY\n" + line:                                       "-----BEGIN PRIVATE KEY\n" + line,
		begin + strings.Repeat("\n"+line, longestKey/len(line)-11) + "\n" + end: gone,
	} {
		if got := first(Text(in)); got != want {
			t.Errorf("%.200q became %.200q, want %.200q", in, got, want)
		}
	}
}
