package redact_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"condense/transcript/redact"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks what is left of the examples of each family, of those that are no secrets, and of texts
// that differ from them a little: how many secrets are found, and a checksum of the texts. A change of a rule
// shows in testdata/outcomes.txt by the families that it concerns, and -update rewrites it.
func TestOutcomes(t *testing.T) {
	rows := [][]string{{"family", "examples", "shorter", "longer", "glued", "capitals", "doubled", "one-more", "two-more", "many-more", "two-less", "no-first", "dash", "blank", "accent", "digit", "returns", "spellings"}}
	data, err := os.ReadFile("testdata/gitleaks.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts, order := map[string][]string{}, []string{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		text, err := base64.StdEncoding.DecodeString(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 1000 {
			continue
		}
		family := fields[0] + fields[1]
		if texts[family] == nil {
			order = append(order, family)
		}
		texts[family] = append(texts[family], string(text))
	}
	for _, family := range order {
		row := []string{family}
		for _, change := range []func(string) string{
			func(s string) string { return s },
			func(s string) string { return s[:len(s)-1] },
			func(s string) string { return s + "Ab1" },
			func(s string) string { return "x" + s + "_" },
			strings.ToUpper,
			func(s string) string { return s[:len(s)/2] + s[len(s)/2-1:] },
			func(s string) string { return s + s[len(s)-1:] },
			func(s string) string { return s + s[len(s)-2:] },
			func(s string) string { return s + s[len(s)/2:] },
			func(s string) string { return s[:len(s)-2] },
			func(s string) string { return s[1:] },
			func(s string) string { return s[:2*len(s)/3] + "-" + s[2*len(s)/3+1:] },
			func(s string) string { return s[:2*len(s)/3] + " " + s[2*len(s)/3:] },
			func(s string) string { return s[:3*len(s)/4] + "é" + s[3*len(s)/4:] },
			func(s string) string { return s[:3*len(s)/4] + "7" + s[3*len(s)/4+1:] },
			func(s string) string {
				return "\r\n" + strings.NewReplacer("=", "\r=", ":", ":\r\n", " ", "\t ").Replace(s) + "\r"
			},
			func(s string) string {
				var all strings.Builder
				for _, spelling := range spellings {
					all.WriteString(spelling.write("access_token", s) + "\n")
				}
				return all.String()
			},
		} {
			n, all := 0, ""
			for _, text := range texts[family] {
				left, counts := redact.Text(change(text))
				n, all = n+counts.Total(), all+left+counts.String()+"\x00"
			}
			row = append(row, fmt.Sprintf("%d:%s", n, transcripttest.Sum(all)))
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, "testdata/outcomes.txt", *update, rows)
}

// TestOutcomesOfNames checks which values behind which names count as secrets, in all spellings, in
// testdata/named.txt.
func TestOutcomesOfNames(t *testing.T) {
	rows := [][]string{{"text", "found"}}
	values := []string{
		"k9Lw2x", "k9Lw2x7Qr5", "secret", "changeme", "xxxxxxxx", "********", "<password>", "${PASSWORD}", "$PASSWORD", "{{ password }}", "%PASSWORD%", "process.env.PASSWORD", "os.getenv", "None", "null", "true", "12345", "123456", "hunter2",
		"correct horse", "p4$$w0rd!", "a.b.c", "/run/secrets/db", "C:\\secrets\\db", "https://example.org", "string", "[redacted]", "...", mixed[:16], mixed[:20], mixed[:31], mixed[:40], hexes[:16], hexes[:32], hexes[:40], hexes,
		digits[:12], digits[:32], "550e8400-e29b-41d4-a716-446655440000", "sha256:" + hexes, "v1.2.3", "2026-03-01T10:22:07Z", "MyClassName", "my_function_name", "some-long-kebab-case-name-of-it", "AAAAAAAAAAAAAAAAAAAAAAAA", "abcdefghijklmnopqrstuvwxyz", mixed[:20] + "==", mixed[:10] + "/" + mixed[10:20] + "+" + mixed[20:24] + "=",
	}
	for _, name := range []string{
		"password", "passwd", "pwd", "pass", "passphrase", "db_password", "Password", "PASSWORD", "password_hash", "passport", "bypass", "secret", "client_secret", "secret_name", "secretary", "token", "access_token", "refreshToken", "token_count", "tokens", "tokenizer", "max_tokens", "api_key", "apikey", "API-KEY", "apiKeyId",
		"key", "keyboard", "private_key", "public_key", "primary_key", "credential", "credentials", "auth", "authorization", "author", "Bearer", "cookie", "session_id", "sessionid", "csrf", "signature", "hash", "commit", "id", "uuid", "name", "user", "x-api-key", "AccountKey", "SharedAccessKey", "connection_string", "dsn", "webhook", "otp", "pin", "salt", "nonce",
	} {
		var all strings.Builder
		n := 0
		for _, value := range values {
			for _, spelling := range spellings {
				left, counts := redact.Text(spelling.write(name, value))
				n += counts.Total()
				all.WriteString(left + "\n")
			}
			for _, form := range []string{"%s=%s", "%s = %s", "%s: %s", "%s:%s,", "\"%s\":\"%s\"", "'%s' => '%s'", "--%s %s", "--%s=%s", "-%s%s", "%s := `%s`", "%s(%s)", "f(%s=%q)", "%s == %q", "the %s is %s.", "%s %s", "?%s=%s&", "%s>%s<", "https://%s:%s@host/", "| %s | %s |", "%s%%3D%s%%26", "%s\\\": \\\"%s\\\"", "# %s\n%s\n", "- name: %s\n  value: %s\n", "%s: |\n  %s\n", "%s\t%s"} {
				left, counts := redact.Text(fmt.Sprintf(form, name, value))
				n += counts.Total()
				all.WriteString(left + "\n")
			}
		}
		rows = append(rows, []string{name, fmt.Sprintf("%d:%s", n, transcripttest.Sum(all.String()))})
	}
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		left, counts := redact.Text(string(src))
		rows = append(rows, []string{name, fmt.Sprintf("%d:%s", counts.Total(), transcripttest.Sum(left))})
	}
	transcripttest.Frozen(t, "testdata/named.txt", *update, rows)
}
