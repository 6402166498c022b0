package llm

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"condense/strategy/notes"
)

// TestNotSent checks that no request is sent, not even to the cache, once the context is done, and that none
// is sent when the wait for the limits ends early.
func TestNotSent(t *testing.T) {
	s := serve(t, well("done"))
	c, _ := s.client(t, func(c *Config) { c.Cache, c.RPM = t.TempDir(), 1 })
	if _, err := c.Ask(t.Context(), question()); err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if reply, err := c.Ask(done, question()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v", reply, err)
	}
	early := errors.New("early")
	c.sleep = func(context.Context, time.Duration) error { return early }
	if _, err := c.Ask(t.Context(), notes.Prompt{Text: "another"}); !errors.Is(err, early) || len(s.asked()) != 1 {
		t.Errorf("asked %d times, %v", len(s.asked()), err)
	}
}

// TestOneAMinute checks that a limit of one request a minute is kept.
func TestOneAMinute(t *testing.T) {
	s := serve(t, well("done"))
	c, slept := s.client(t, func(c *Config) { c.RPM = 1 })
	for range 2 {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	if len(*slept) != 1 || (*slept)[0] != time.Minute {
		t.Errorf("slept %v", *slept)
	}
}

// TestUnknownPrice checks that the cost of several models is not known as soon as that of one is not.
func TestUnknownPrice(t *testing.T) {
	s := serve(t, well("done"))
	c, _ := s.client(t, func(c *Config) { c.Price = &Price{Input: 1, Output: 1} })
	other, err := c.Other("n", nil, c.cfg.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	for i, client := range []*Client{c, other, c} {
		if _, err := client.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
		if cost := c.Spent().Cost; (cost != nil) != (i == 0) {
			t.Errorf("after %d questions the cost is %v", i+1, cost)
		}
	}
	if got := (&CostError{Estimate: .25, Limit: .1}).Error(); got != "it would cost up to $0.2500, more than the limit of $0.1000" {
		t.Errorf("said %q", got)
	}
}

// TestThirdAdaption checks that a server that refuses three parts of a request gets no fourth one.
func TestThirdAdaption(t *testing.T) {
	refuses := func(name string) turn { return says(400, `{"error":{"message":"`+name+` is not supported"}}`) }
	s := serve(t, refuses("max_completion_tokens"), refuses("temperature"), refuses("stream_options"), stream(piece("done", "stop")))
	c, _ := s.client(t, func(c *Config) { c.Stream = true })
	if _, err := c.Ask(t.Context(), question()); err == nil || !strings.Contains(err.Error(), "stream_options") || len(s.asked()) != 3 {
		t.Errorf("asked %d times, %v", len(s.asked()), err)
	}
}

// TestBases checks which addresses are refused, and what remains of the others.
func TestBases(t *testing.T) {
	for base, want := range map[string]string{
		"":                         DefaultBaseURL,
		"https://host/v1//":        "https://host/v1",
		"https://host":             "https://host",
		"http://localhost:8080/v1": "http://localhost:8080/v1",
		"http://LocalHost/v1":      "http://LocalHost/v1",
		"http://127.0.0.1/v1/":     "http://127.0.0.1/v1",
		"http://127.8.9.1":         "http://127.8.9.1",
		"http://[::1]:9/v1":        "http://[::1]:9/v1",
		"http://10.0.0.1/v1":       "not encrypted",
		"http://[2001:db8::1]/v1":  "not encrypted",
		"http://host/v1":           "not encrypted",
		"http://127.0.0.1.host/v1": "not encrypted",
		"ftp://host/v1":            "of the form",
		"https:///v1":              "of the form",
		"host/v1":                  "of the form",
		"https://%zz/":             "of the form",
		"https://me@host/v1":       "a name or a password",
		"https://host/v1?a=b":      "has a query",
		"https://host/v1#a":        "has a query",
	} {
		got, err := checkBase(base)
		if err == nil && got != want || err != nil && (got != "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %q, %v, want %q", base, got, err, want)
		}
	}
}

// TestCacheFiles checks where an answer is stored, and that nothing else stays there, even if it cannot be
// stored.
func TestCacheFiles(t *testing.T) {
	s := serve(t, well("done"))
	dir := t.TempDir()
	c, _ := s.client(t, func(c *Config) { c.Cache = dir })
	key := c.cacheKey(question())
	path := filepath.Join(dir, key[:2], key+".json")
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in the way", ""} {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(files) != 1 || files[0].Name() != key+".json" || files[0].IsDir() != (want != "") {
			t.Fatal(files, err)
		}
		if err := os.RemoveAll(filepath.Join(path, want)); err != nil && want != "" {
			t.Fatal(err)
		}
		if want != "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestEncodedKeys checks that a key in base64 or in hexadecimal digits is replaced, whatever stands before
// and behind it, and that no more of the text goes than the characters that the key decides.
func TestEncodedKeys(t *testing.T) {
	const text = "0123456789"
	for before := range 6 {
		for behind := range 4 {
			whole := text[:before] + testKey + text[:behind]
			for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
				coded := encoding.EncodeToString([]byte(whole))
				head, tail, found := strings.Cut(withoutKey(coded, testKey), "[redacted: key]")
				if !found || len(head) != (8*before+5)/6 || !strings.HasPrefix(coded, head) || len(tail) > 3+2*behind {
					t.Errorf("%d bytes before and %d behind: %q in front, %q behind", before, behind, head, tail)
				}
			}
			coded := hex.EncodeToString([]byte(whole))
			if got, want := withoutKey(coded, testKey), coded[:2*before]+"[redacted: key]"+coded[2*(before+len(testKey)):]; got != want {
				t.Errorf("%d bytes before and %d behind: %q, want %q", before, behind, got, want)
			}
		}
	}
}
