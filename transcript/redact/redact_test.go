package redact_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript/redact"
)

// The secrets are concatenated here, so that no scanner reports this file as a leak.
const (
	mixed  = "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0Fg7Qa2Ke9Uo4Xi8"
	digits = "48152342108664213579086420975310246813579024"
	hexes  = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

func TestText(t *testing.T) {
	jwt := "eyJ" + "hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0" + "." + mixed[:43]
	body := strings.Repeat(mixed+mixed[:18]+"\n", 8)
	tests := []struct{ name, in, want string }{
		{"AWS", "id AKIA" + strings.ToUpper(mixed[:16]) + ", used", "id [redacted: AWS access key], used"},
		{"GitHub", "git clone with ghp_" + mixed[:36] + ".", "git clone with [redacted: GitHub token]."},
		{"GitHub, fine-grained", "github_pat_" + mixed + mixed[:20], "[redacted: GitHub token]"},
		{"GitLab", "(glpat-" + mixed[:20] + ")", "([redacted: GitLab token])"},
		{"Slack", `"xoxb-` + digits[:12] + "-" + mixed[:24] + `"`, `"[redacted: Slack token]"`},
		{"OpenAI", "sk-proj-" + mixed + "-_" + mixed, "[redacted: OpenAI key]"},
		{"OpenAI, older", "sk-" + mixed[:40], "[redacted: OpenAI key]"},
		{"Anthropic", "x-api-key: sk-ant-api03-" + mixed, "x-api-key: [redacted: Anthropic key]"},
		{"Google", "key=AIza" + mixed[:35] + "&q=1", "key=[redacted: Google key]&q=1"},
		{"Stripe", "sk_live_" + mixed[:24] + "\n", "[redacted: Stripe key]\n"},
		{"npm", "//registry/:_authToken=npm_" + mixed[:36], "//registry/:_authToken=[redacted: npm token]"},
		{"JWT", "cookie " + jwt + ";", "cookie [redacted: JWT];"},
		{"private key", "a\n-----BEGIN RSA PRIVATE KEY-----\n" + body + "-----END RSA PRIVATE KEY-----\nb", "a\n[redacted: private key]\nb"},
		{"private key in JSON", `{"k":"-----BEGIN PRIVATE KEY-----\n` + strings.ReplaceAll(body, "\n", `\n`) + `-----END PRIVATE KEY-----\n"}`, `{"k":"[redacted: private key]\n"}`},
		{"private key, cut", "-----BEGIN OPENSSH PRIVATE KEY-----\n" + body, "[redacted: private key]\n"},
		{"PGP", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + body + "-----END PGP PRIVATE KEY BLOCK-----", "[redacted: private key]"},
		{"bearer", "Authorization: Bearer " + mixed[:30] + "'", "Authorization: Bearer [redacted: Authorization header]'"},
		{"basic", `"authorization": "Basic ` + base64.StdEncoding.EncodeToString([]byte("ana:s3cret-of-ana")) + `"`, `"authorization": "Basic [redacted: Authorization header]"`},
		{"URL", "https://ana:h7xQ!9@git.host/a", "https://ana:[redacted: password in a URL]@git.host/a"},
		{"connection string", "postgres://app:p4rT-7y@db:5432/shop", "postgres://app:[redacted: password in a URL]@db:5432/shop"},
		{"no name in a URL", "redis://:p4rT7y@cache:6379", "redis://:[redacted: password in a URL]@cache:6379"},
		{"connection string by parts", "Server=db;User Id=app;Password=p4rT7y!x;", "Server=db;User Id=app;Password=[redacted: password];"},
		{"account key", "AccountName=a;AccountKey=" + mixed + "==;EndpointSuffix=b", "AccountName=a;AccountKey=[redacted: secret value];EndpointSuffix=b"},
		{"environment", "AWS_SECRET_ACCESS_KEY=" + mixed[:20] + "/" + mixed[20:39] + "\nNEXT=1", "AWS_SECRET_ACCESS_KEY=[redacted: secret value]\nNEXT=1"},
		{"camel case", `{"clientSecret":"` + mixed[:32] + `"}`, `{"clientSecret":"[redacted: secret value]"}`},
		{"YAML", "db:\n  password: k9Lw2x\n", "db:\n  password: [redacted: password]\n"},
		{"escaped quotes", `{\"api_key\":\"` + mixed[:32] + `\"}`, `{\"api_key\":\"[redacted: secret value]\"}`},
		{"hex behind a strong name", "SECRET_KEY = '" + hexes + "'", "SECRET_KEY = '[redacted: secret value]'"},
		{"token with hex", "DEPLOY_TOKEN=" + hexes[:40], "DEPLOY_TOKEN=[redacted: secret value]"},
		{"token with a UUID", "GITHUB_APP_TOKEN=550e8400-e29b-41d4-a716-446655440000\n", "GITHUB_APP_TOKEN=[redacted: secret value]\n"},
		{"row of a table", "| DB_SECRET | " + mixed[:24] + " |", "| DB_SECRET | [redacted: secret value] |"},
		{"column of a table", "| id | api_key |\n|:---|---|\n| 1 | " + mixed[:24] + " |\n| 2 | " + hexes[:32] + " |", "| id | api_key |\n|:---|---|\n| 1 | [redacted: secret value] |\n| 2 | [redacted: secret value] |"},
		{"YAML list", "env:\n- name: SENTRY_AUTH_TOKEN\n  value: " + hexes[:64], "env:\n- name: SENTRY_AUTH_TOKEN\n  value: [redacted: Sentry token]"},
		{"YAML block", "api_key: |\n  " + mixed[:30] + "\n", "api_key: |\n  [redacted: secret value]\n"},
		{"XML", "<password>k9.Lw2x$(%</password>", "<password>[redacted: password]</password>"},
		{"XML attribute", `<add key="Password" value="k9.Lw2x&amp;" />`, `<add key="Password" value="[redacted: password]" />`},
		{"XML with escapes", "&lt;apiKey&gt;" + mixed[:24] + "&lt;/apiKey&gt;", "&lt;apiKey&gt;[redacted: secret value]&lt;/apiKey&gt;"},
		{"cookie", "Set-Cookie: sid=" + mixed[:32] + "; Path=/; HttpOnly", "Set-Cookie: sid=[redacted: secret value]; Path=/; HttpOnly"},
		{"colours", "\x1b[33mghp_" + mixed[:36] + "\x1b[0m", "\x1b[33m[redacted: GitHub token]\x1b[0m"},
		{"name in colours", "\x1b[36mAPI_KEY\x1b[0m=\x1b[1m" + hexes[:32] + "\x1b[0m", "\x1b[36mAPI_KEY\x1b[0m=\x1b[1m[redacted: secret value]\x1b[0m"},
		{"escaped colours", `\u001b[32mDB_PASSWORD\u001b[0m: \u001b[1mk9Lw2x\u001b[0m`, `\u001b[32mDB_PASSWORD\u001b[0m: \u001b[1m[redacted: password]\u001b[0m`},
		{"password with dots", "DB_PASSWORD=p4.rT7.yQ", "DB_PASSWORD=[redacted: password]"},
		{"password with $(%", `password: "a$(7%x.Q2"`, `password: "[redacted: password]"`},
		{"password as an option", "mysql --password k9Lw2x -e x", "mysql --password [redacted: password] -e x"},
		{"account as an option", "curl -u ana:k9Lw2x https://h", "curl -u ana:[redacted: password] https://h"},
		{"after a percent escape", "next=%2Fa%3Ftoken%3Dghp_" + mixed[:36] + "%26b", "next=%2Fa%3Ftoken%3D[redacted: GitHub token]%26b"},
		{"value after a percent escape", "api_key%3D" + mixed[:24] + "%26b", "api_key%3D[redacted: secret value]%26b"},
		{"after a word", "xghp_" + mixed[:36], "x[redacted: GitHub token]"},
		{"after an escaped line", `a\nghp_` + mixed[:36], `a\n[redacted: GitHub token]`},
		{"percent escape in a value", "api_key=ab%2B" + mixed[:24] + "%26b", "api_key=[redacted: secret value]%26b"},
		{"header", "X-Api-Key: " + hexes[:32], "X-Api-Key: [redacted: secret value]"},
		{"option", "deploy --api-key " + mixed[:24] + " --yes", "deploy --api-key [redacted: secret value] --yes"},
		{"prose", "Use the access token `" + mixed[:24] + "` for it.", "Use the access token `[redacted: secret value]` for it."},
		{"Vault", "hvs." + mixed + mixed, "[redacted: Vault token]"},
		{"Telegram", "https://api.telegram.org/bot123456789:AA" + mixed[:33] + "/send", "https://api.telegram.org/bot[redacted: Telegram token]/send"},
		{"Docker", "docker login -p dckr_pat_" + mixed[:27], "docker login -p [redacted: Docker token]"},
		{"Slack hook", "https://hooks.slack.com/services/T0" + strings.ToUpper(mixed[:9]) + "/B0" + strings.ToUpper(mixed[10:19]) + "/" + mixed[:24], "[redacted: Slack URL]"},
		{"two", "ghp_" + mixed[:36] + " " + jwt, "[redacted: GitHub token] [redacted: JWT]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, counts := redact.Text(tt.in)
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if counts.Total() != strings.Count(tt.want, redact.Opening) {
				t.Errorf("counted %v", counts)
			}
			if again, _ := redact.Text(got); again != got {
				t.Errorf("a second time it is %q", again)
			}
		})
	}
}

// TestTextLeaves checks that text that only resembles a secret is kept.
func TestTextLeaves(t *testing.T) {
	for _, s := range []string{
		"", "plain words", "id 550e8400-e29b-41d4-a716-446655440000",
		`"token": "550e8400-e29b-41d4-a716-446655440000"`,
		"commit " + hexes[:40], `"access_token_hash": "` + hexes + `"`, "token: " + hexes[:40],
		`"integrity": "sha512-` + base64.StdEncoding.EncodeToString([]byte(hexes)) + `"`,
		"h1:" + mixed[:43] + "=", "sha256:" + hexes, "cargo checksum = \"" + hexes + `"`,
		"data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG pixels 0123", 40))),
		"AKIA" + "IOSFODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"OPENAI_API_KEY=sk-your-key-goes-here-0123456789abcdef", "sk-" + strings.Repeat("x", 48), "ghp_" + strings.Repeat("1", 36),
		"apiKey: import.meta.env.VITE_API_KEY_2", "const api_key = process.env.API_KEY_V2", "api_key=os.environ['API_KEY_V1']",
		"password = get_password_from_store_2()", "password: string", "password=password", "PASSWORD=${DB_PASSWORD_1}", "passwd: *****",
		"max_tokens: 4096", "nextPageToken: CAUQAA1B2C3D4E5F6G7H8", "token_count=1234567890123456", "tokens=128000000000000000",
		"http://localhost:8080/a@b", "https://user:password@host", "postgres://app:${PW}@db", "git@github.com:ana/repo.git", "npm i react@18.2.0",
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----\n" + strings.Repeat(mixed+"\n", 4) + "-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\n" + mixed, "looks for -----BEGIN RSA PRIVATE KEY----- in files",
		"Authorization: Bearer $TOKEN", "Authorization: Bearer <your-token-here>", "Authorization: bearer-token-is-missing",
		"secret: /run/secrets/api-key-0123456789", "private_key_path=~/.ssh/id_ed25519_0123456789", "eyJhbGciOi", "eyJust a word",
		"primary_key = user_account_id_0123456789", "key: a1b2c3d4e5f6a7b8c9d0", "[redacted: JWT]", "api_key=[redacted: secret value]",
		"DB_PASSWORD=$(pass show db1)", "password = cfg.Database.Password1", "password: %(password1)s", "password = request.form['password1']", "PASSWORD=%PASSWORD1%",
		"def login(user, password, token=None1):", "pages 1|2 of token list 1700000000", "csrf_token: 550e8400-e29b-41d4-a716-446655440000", "the token count is 128000, in 2026-03-01T10:22:07",
		"docker run -u 1000:1000 app", "| name | token |\n|---|---|\n| max | 4096 |", "sumOfTotals = 3, cameraKit: " + hexes[:40],
		"tool_use_id: toolu_01A2b3C4d5E6f7G8h9J0", `"signature":"` + mixed + mixed + `"`,
	} {
		if got, counts := redact.Text(s); got != s || counts != nil {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestCounts(t *testing.T) {
	var c redact.Counts
	c.Add(nil)
	if c.String() != "" || c.Total() != 0 {
		t.Errorf("of nothing: %q, %d", c, c.Total())
	}
	c.Add(redact.Counts{"JWT": 1, "password": 1})
	c.Add(redact.Counts{"password": 2, "password in a URL": 2})
	if got := fmt.Sprint(c, c.Total()); got != "3 passwords, 2 passwords in a URL, 1 JWT 6" {
		t.Errorf("got %q", got)
	}
}

// BenchmarkText reads short and long runs that begin like secrets. Both have the same rate if the
// work is linear.
func BenchmarkText(b *testing.B) {
	for _, unit := range []string{"plain words, ", "xoxb-", "eyJ-", "eyJ.", "SG.", "sk-ant-", "-----BEGIN PRIVATE KEY-----", "token=", "://a:"} {
		for _, size := range []int{1 << 14, 1 << 20} {
			b.Run(fmt.Sprint(unit, size), func(b *testing.B) {
				s := strings.Repeat(unit, size/len(unit))
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					redact.Text(s)
				}
			})
		}
	}
}

// BenchmarkSessions reads all fixtures of sessions, several times over.
func BenchmarkSessions(b *testing.B) {
	var all strings.Builder
	files, _ := filepath.Glob("../../testdata/sessions/*/*")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		all.Write(data)
	}
	s := strings.Repeat(all.String(), 1+(8<<20)/all.Len())
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		redact.Text(s)
	}
}

func FuzzText(f *testing.F) {
	f.Add("password: k9Lw2x")
	f.Add("https://a:b1c2@d https://e:f@g")
	f.Fuzz(func(t *testing.T, s string) {
		got, counts := redact.Text(s)
		if (counts == nil) != (got == s) {
			t.Errorf("%v for %q to %q", counts, s, got)
		}
		if again, more := redact.Text(got); again != got {
			t.Errorf("a second time: %v, %q to %q", more, got, again)
		}
	})
}
