package llm

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestKeySource(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	env := map[string]string{"OPENAI_API_KEY": "of-openai", "GROQ_API_KEY": "of-groq", "AZURE_OPENAI_API_KEY": "of-azure", "MINE": "of-mine"}
	tests := []struct {
		name string
		s    KeySource
		want string // the key, or part of the error
	}{
		{"default", KeySource{}, "of-openai"},
		{"by its host", KeySource{BaseURL: "https://api.groq.com/openai/v1", BaseGiven: true}, "of-groq"},
		{"Azure", KeySource{BaseURL: "https://ours.openai.azure.com/openai/v1", BaseGiven: true}, "of-azure"},
		{"another host gets none", KeySource{BaseURL: "https://llm.example.org/v1", BaseGiven: true}, ""},
		{"like a host", KeySource{BaseURL: "https://api.openai.com.evil.example/v1", BaseGiven: true}, ""},
		{"like a domain", KeySource{BaseURL: "https://evilopenai.azure.com/v1", BaseGiven: true}, ""},
		{"this machine gets none", KeySource{BaseURL: "http://localhost:11434/v1", BaseGiven: true}, ""},
		{"both said", KeySource{BaseURL: "https://proxy.example.org/v1", BaseGiven: true, Variable: "OPENAI_API_KEY"}, "of-openai"},
		{"of another, to the default", KeySource{Variable: "GROQ_API_KEY"}, "GROQ_API_KEY is not for api.openai.com"},
		{"one of our own", KeySource{Variable: "MINE"}, "of-mine"},
		{"not set", KeySource{Variable: "NONE"}, "the environment has no NONE"},
		{"file", KeySource{File: file("key", "of-a-file\n")}, "of-a-file"},
		{"empty file", KeySource{File: file("empty", "\n")}, "is empty"},
		{"no file", KeySource{File: filepath.Join(dir, "none")}, "cannot be read"},
		{"directory", KeySource{File: dir}, "is not a file with a key"},
		{"large file", KeySource{File: file("large", strings.Repeat("k", 9<<10))}, "is not a file with a key"},
		{"bad base", KeySource{BaseURL: "ftp://a"}, "not of the form"},
	}
	for _, tt := range tests {
		tt.s.Env = func(name string) string { return env[name] }
		key, err := tt.s.Find()
		if got := key; err != nil && !strings.Contains(err.Error(), tt.want) || err == nil && got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, key, err, tt.want)
		}
	}
}

// TestKeyByHost checks that each provider gets the key of its own variable.
func TestKeyByHost(t *testing.T) {
	for host, name := range map[string]string{
		"api.openai.com":                    "OPENAI_API_KEY",
		"openrouter.ai":                     "OPENROUTER_API_KEY",
		"api.anthropic.com":                 "ANTHROPIC_API_KEY",
		"generativelanguage.googleapis.com": "GEMINI_API_KEY",
		"api.mistral.ai":                    "MISTRAL_API_KEY",
		"api.groq.com":                      "GROQ_API_KEY",
		"api.deepseek.com":                  "DEEPSEEK_API_KEY",
		"api.together.xyz":                  "TOGETHER_API_KEY",
		"API.x.ai":                          "XAI_API_KEY",
		"mine.openai.azure.com":             "AZURE_OPENAI_API_KEY",
	} {
		s := KeySource{BaseURL: "https://" + host + "/v1", BaseGiven: true, Env: func(name string) string { return "of " + name }}
		if key, err := s.Find(); err != nil || key != "of "+name {
			t.Errorf("%s: got %q, %v", host, key, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct {
		cfg  Config
		want string
	}{
		{Config{}, "no model"},
		{Config{Model: "m", BaseURL: "http://llm.example.org/v1"}, "not encrypted"},
		{Config{Model: "m", BaseURL: "http://127.0.0.1.example.org/v1"}, "not encrypted"},
		{Config{Model: "m", BaseURL: "http://[::1]:8080/v1"}, ""},
		{Config{Model: "m", BaseURL: "http://localhost:11434/v1"}, ""},
		{Config{Model: "m", BaseURL: "https://u:p@host/v1"}, "password"},
		{Config{Model: "m", BaseURL: "https://host/v1?key=1"}, "query"},
		{Config{Model: "m", BaseURL: "host/v1"}, "not of the form"},
		{Config{Model: "m", Key: "a\r\nX-Evil: 1"}, "the key has"},
		{Config{Model: "m", MaxCost: 1}, "price of m is not known"},
		{Config{Model: "m", Retries: -1}, "below 0"},
		{Config{Model: "m", Idle: -1}, "below 0"},
		{Config{Model: "m", Timeout: -1}, "below 0"},
		{Config{Model: "m", RPM: -1}, "below 0"},
		{Config{Model: "m", TPM: -1}, "below 0"},
		{Config{Model: "m", MaxCost: -1, Price: &Price{}}, "below 0"},
		{Config{Model: "m", Temperature: 2.1}, "the temperature is not between 0 and 2"},
		{Config{Model: "m", Temperature: -0.1}, "the temperature is not between 0 and 2"},
		{Config{Model: "m", Temperature: 2}, ""},
	} {
		_, err := New(tt.cfg)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.cfg, err, tt.want)
		}
		if err != nil && tt.cfg.Key != "" && strings.Contains(err.Error(), "Evil") {
			t.Errorf("the key is in %q", err)
		}
	}
}

// TestKeyStays checks that the key is sent in the header, never appears in an error,
// even when the server repeats it, and never follows a redirect.
func TestKeyStays(t *testing.T) {
	elsewhere := serve(t, well("done"))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := serve(t, says(status, "", "Location", elsewhere.URL+"/v1/chat/completions"))
		c, _ := s.client(t, nil)
		_, err := c.Ask(t.Context(), question())
		if err == nil || !strings.Contains(err.Error(), "it redirects to "+elsewhere.URL+", and redirects are not followed; check the base URL") {
			t.Errorf("%d: %v", status, err)
		}
	}
	if n := len(elsewhere.asked()); n > 0 {
		t.Errorf("%d requests were redirected", n)
	}
	repeats := func(w http.ResponseWriter, r *http.Request) {
		says(401, fmt.Sprintf(`{"error":{"message":"Incorrect API key provided: %s"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))(w, r)
	}
	s := serve(t, repeats)
	c, _ := s.client(t, nil)
	if _, err := c.Ask(t.Context(), question()); err == nil || strings.Contains(err.Error(), testKey) || !strings.Contains(err.Error(), "Incorrect API key provided: [redacted: key]") {
		t.Errorf("said %v", err)
	}
	c, _ = s.client(t, func(c *Config) { c.Key = "" })
	_, _ = c.Ask(t.Context(), question()) // only the header matters here
	if got, there := s.asked()[1].header["Authorization"]; there {
		t.Errorf("without a key, sent %q", got)
	}
	s.Close()
	c, _ = s.client(t, func(c *Config) { c.Retries = 0 })
	if _, err := c.Ask(t.Context(), question()); err == nil || strings.Contains(err.Error(), testKey) {
		t.Errorf("without a server: %v", err)
	}
}

// TestKeyInOtherForms checks that a server cannot show the key by changing it.
func TestKeyInOtherForms(t *testing.T) {
	reversed := []byte(testKey)
	slices.Reverse(reversed)
	n := len(testKey)
	for _, tt := range []struct{ name, text, secret string }{
		{"as it is", testKey, testKey},
		{"reversed", string(reversed), string(reversed)},
		{"base64", base64.StdEncoding.EncodeToString([]byte(testKey)), ""},
		{"base64 for URLs", base64.RawURLEncoding.EncodeToString([]byte(testKey)), ""},
		{"base64 of the header", base64.StdEncoding.EncodeToString([]byte("Bearer " + testKey)), "tleS1vZi10aGUtdGVzdC0wMTIzNDU2Nzg5"},
		{"base64 with a name", base64.StdEncoding.EncodeToString([]byte("xy:z" + testKey)), "tleS1vZi10aGUtdGVzdC0wMTIzNDU2Nzg5"},
		{"base64 with another name", base64.StdEncoding.EncodeToString([]byte("x:" + testKey)), "Xktb2YtdGhlLXRlc3QtMDEyMzQ1Njc4O"},
		{"hexadecimal", hex.EncodeToString([]byte(testKey)), ""},
		{"capital hexadecimal", strings.ToUpper(hex.EncodeToString([]byte(testKey))), ""},
		{"first half", testKey[:n/2] + " and so on", testKey[:n/2]},
		{"second half", "it ends in " + testKey[n/2:], testKey[n/2:]},
		{"both halves", testKey[:n/2] + " " + testKey[n/2:], testKey[n/2:]},
		{"percent-encoded", url.QueryEscape("Bearer " + testKey), testKey},
	} {
		if tt.secret == "" {
			tt.secret = tt.text
		}
		if !strings.Contains(tt.text, tt.secret) {
			t.Fatalf("%s: %s is not in %s", tt.name, tt.secret, tt.text)
		}
		s := serve(t, says(401, fmt.Sprintf(`{"error":{"message":"Incorrect key %s."}}`, tt.text)))
		c, _ := s.client(t, nil)
		_, err := c.Ask(t.Context(), question())
		if err == nil {
			t.Fatal("no error")
		}
		for i := 0; i+10 <= len(tt.secret); i++ {
			if strings.Contains(err.Error(), tt.secret[i:i+10]) {
				t.Errorf("%s: said %v", tt.name, err)
				break
			}
		}
	}
	s := serve(t, says(401, `{"error":{"message":"no such model"}}`))
	c, _ := s.client(t, nil)
	if _, err := c.Ask(t.Context(), question()); err == nil || !strings.Contains(err.Error(), "no such model") {
		t.Errorf("said %v", err)
	}
}
