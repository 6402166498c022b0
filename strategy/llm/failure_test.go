package llm

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestReadError checks the forms in which servers report errors.
func TestReadError(t *testing.T) {
	for body, want := range map[string]serverError{
		`{"error":{"message":"m","type":"t","code":"c"}}`:   {message: "m", kind: "t", code: "c"},
		`{"error":{"message":"m","code":404}}`:              {message: "m", code: "404"},
		`{"error":{"type":"t"}}`:                            {message: `{"type":"t"}`, kind: "t"},
		`{"error":["a"]}`:                                   {message: `["a"]`},
		`{"error":"text"}`:                                  {message: "text"},
		`{"error":null,"detail":"text"}`:                    {message: "text"},
		`{"detail":{"message":"m"}}`:                        {message: "m"},
		`{"detail":[{"loc":1}]}`:                            {message: `[{"loc":1}]`},
		`{"error":"first","detail":"second","message":"m"}`: {message: "first"},
		`{"message":"m"}`:                                   {message: "m"},
		` [ {"error":{"message":"m"}} ] `:                   {message: "m"},
		`[]`:                                                {},
		`[1`:                                                {message: "[1"},
		`{"other":1}`:                                       {message: `{"other":1}`},
		"plain text\n":                                      {message: "plain text"},
		``:                                                  {},
		`<html><title> Bad Gateway </title></html>`: {message: "an HTML page came: Bad Gateway", html: true},
		`<html>no title`:         {message: "an HTML page came instead of an answer", html: true},
		`<html><title>no end`:    {message: "an HTML page came instead of an answer", html: true},
		`<html>no start</title>`: {message: "an HTML page came instead of an answer", html: true},
	} {
		if got := readError([]byte(body)); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
	for body, want := range map[string]bool{`{"error":"x"}`: true, `{"error":null}`: false, `{}`: false, `x`: false, `{"error":{}}`: true} {
		if got := hasError([]byte(body)); got != want {
			t.Errorf("%s is an error: %v", body, got)
		}
	}
}

// TestRetryAfter checks the delays that a server asks for.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "x": 0, "5": 5 * time.Second, "0.5": time.Second / 2, " 5 ": 5 * time.Second, "0": 0, "-1": 0, "1e9": 0, "1e8": 0, "NaN": 0,
		"Sun, 01 Mar 2026 10:00:30 GMT": 30 * time.Second, "Sun, 01 Mar 2026 09:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// TestPause checks the delays between attempts: as long as the server asked for, otherwise twice as long each time, of
// which half is random.
func TestPause(t *testing.T) {
	for jitter, share := range map[float64]time.Duration{0: 2, 1: 1} {
		c := &Client{jitter: func() float64 { return jitter }}
		for attempt, whole := range []time.Duration{500, 1000, 2000, 4000, 8000, 16000, 30000, 30000} {
			if got, want := c.pause(attempt, 0), whole*time.Millisecond/share; got != want {
				t.Errorf("attempt %d with %v of the random half: %v, want %v", attempt, jitter, got, want)
			}
		}
		for _, attempt := range []int{64, 1 << 30} {
			if got := c.pause(attempt, 0); got != 30*time.Second/share {
				t.Errorf("attempt %d: %v", attempt, got)
			}
		}
		if got := c.pause(3, 7*time.Second); got != 7*time.Second {
			t.Errorf("the server asked for seven seconds: %v", got)
		}
	}
}

// TestScrub checks how the message of a server is shown: in one line, short, without the key.
func TestScrub(t *testing.T) {
	c := &Client{cfg: Config{Key: "the-key-0123456789"}}
	for text, want := range map[string]string{
		"": "the server sent no message", " \n\t": "the server sent no message", "a\n b\tc": "a b c", "key the-key-0123456789 is wrong": "key [redacted: key] is wrong",
		strings.Repeat("x", 300): strings.Repeat("x", 300), strings.Repeat("x", 301): strings.Repeat("x", 300) + "…", strings.Repeat("é", 151): strings.Repeat("é", 150) + "…",
		"x" + strings.Repeat("é", 150): "x" + strings.Repeat("é", 149) + "…",
	} {
		if got := c.scrub(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	const key = "abcdefghijklmnop"
	for text, want := range map[string]string{
		key: "[redacted: key]", "a " + key + ", a " + key + ".": "a [redacted: key], a [redacted: key].", "abcdefgh": "[redacted: key]", "abcdefg": "abcdefg", "ijklmnop!": "[redacted: key]!",
		"ponmlkjihgfedcba": "[redacted: key]", "": "",
	} {
		if got := withoutKey(text, key); got != want {
			t.Errorf("%q without the key is %q, want %q", text, got, want)
		}
	}
	if got := withoutKey("text", ""); got != "text" {
		t.Errorf("without a key: %q", got)
	}
}
