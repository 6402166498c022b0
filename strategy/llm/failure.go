package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"condense/transcript/redact"
)

// Error is a question without an answer.
type Error struct {
	Status   int    // of HTTP; 0 when no answer came
	Message  string // what the server or the network said, without secrets
	Hint     string // what may help; ""
	Attempts int    // how often it was asked

	retry bool          // it may pass
	wait  time.Duration // that the server asked to wait; 0: it did not
	quota bool
}

func (e *Error) Error() string {
	text := e.Message
	if e.Status != 0 && e.Status != http.StatusOK {
		text = fmt.Sprintf("%d %s: %s", e.Status, http.StatusText(e.Status), text)
	}
	if e.wait > maxWait {
		text += fmt.Sprintf(" (it asks to wait %s)", e.wait.Round(time.Second))
	}
	if e.Attempts > 1 {
		text += fmt.Sprintf(", after %d attempts", e.Attempts)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// failed reads an answer with a status that is no success, or an error in the
// body of one that is.
func (c *Client) failed(status int, header http.Header, body []byte) *Error {
	said := readError(body)
	e := &Error{Status: status, Message: c.scrub(said.message), wait: retryAfter(header, c.now())}
	e.quota = said.is("insufficient_quota") || said.is("billing_hard_limit_reached") || said.is("billing_not_active")
	inner := status
	if n, err := strconv.Atoi(said.code); err == nil && status == http.StatusOK {
		inner = n // a router's 200 with the status of the one behind it
	}
	switch {
	case e.quota:
		e.Hint = "the account has no credit"
	case inner == 408 || inner == 409 || inner == 425 || inner == 429 || inner >= 500 && inner != 501:
		e.retry = true
	case status >= 300 && status < 400:
		e.Message = "it redirects, and redirects are not followed"
		if to := header.Get("Location"); to != "" {
			e.Hint = "give its address as the base URL: " + c.scrub(to)
		}
	case status == 401 || status == 403:
		e.Hint = "is the key the one for " + hostOf(c.base) + "?"
	case status == 404 || said.html:
		e.Hint = c.versionHint()
	}
	return e
}

// versionHint is for addresses that look like a page and not like an API.
func (c *Client) versionHint() string {
	if strings.Contains(c.base, "/v1") || strings.Contains(c.base, "/openai") {
		return ""
	}
	return "is the base URL missing /v1?"
}

// said is what a server wrote of an error.
type said struct {
	message    string
	code, kind string
	html       bool
}

func (s said) is(code string) bool { return s.code == code || s.kind == code }

// readError reads the forms in which servers write errors: {"error": {"message",
// "type", "code"}}, {"error": "text"} (Ollama), {"detail": …} (FastAPI),
// {"message": …}, an array with one of them, a page, or plain text.
func readError(body []byte) said {
	body = bytes.TrimSpace(body)
	if len(body) > 1 && body[0] == '[' && body[len(body)-1] == ']' {
		body = bytes.TrimSpace(body[1 : len(body)-1])
	}
	if isPage(body) {
		return said{message: pageTitle(string(body)), html: true}
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return said{message: string(body)}
	}
	var inner struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
		Status  string          `json:"status"`
	}
	for _, raw := range []json.RawMessage{outer.Error, outer.Detail} {
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return said{message: text}
		}
		if json.Unmarshal(raw, &inner) != nil || inner.Message == "" {
			return said{message: string(raw), kind: inner.Type}
		}
		return said{message: inner.Message, code: strings.Trim(string(inner.Code), `"`), kind: inner.Type}
	}
	if outer.Message != "" {
		return said{message: outer.Message}
	}
	return said{message: string(body)}
}

// hasError reports whether the body of a success is an error after all.
func hasError(body []byte) bool {
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	return json.Unmarshal(body, &outer) == nil && len(outer.Error) > 0 && string(outer.Error) != "null"
}

// isPage reports whether a body is HTML.
func isPage(body []byte) bool { return len(body) > 0 && body[0] == '<' }

// pageTitle is what a page is called, as proxies name what went wrong there.
func pageTitle(page string) string {
	_, rest, found := strings.Cut(page, "<title>")
	title, _, closed := strings.Cut(rest, "</title>")
	if !found || !closed {
		return "an HTML page came instead of an answer"
	}
	return "an HTML page came: " + strings.TrimSpace(title)
}

// retryAfter reads a header in either form: seconds, or a date. 0 for none, and
// for a date that is past.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 && seconds < 1e8 {
		return time.Duration(seconds * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// scrub makes a server's words fit to be shown: one line, short, and without the
// key or other secrets, which some servers repeat.
func (c *Client) scrub(text string) string {
	const longest = 300
	if c.cfg.Key != "" {
		text = strings.ReplaceAll(text, c.cfg.Key, redact.Opening+"key]")
	}
	text, _ = redact.Text(strings.Join(strings.Fields(text), " "))
	if text == "" {
		return "it said nothing"
	}
	if len(text) > longest {
		cut := longest
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return text
}
