package llm

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"condense/transcript/lazyregexp"
	"condense/transcript/redact"
)

// Error is a question that was not answered.
type Error struct {
	Status   int    // HTTP status; 0 when no answer arrived
	Message  string // message of the server or the network, without secrets
	Hint     string // what may help; "" when nothing is known
	Attempts int    // number of attempts

	retry bool          // the failure may be temporary
	wait  time.Duration // delay that the server asked for; 0: none
	quota bool

	tooLong bool // the prompt is longer than the model's window
	window  int  // that window in tokens; 0: not known
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

// failed returns the *Error for a response whose status is a failure, or whose body is
// an error in spite of its status.
func (c *Client) failed(status int, header http.Header, body []byte) *Error {
	reported := readError(body)
	e := &Error{Status: status, Message: c.scrub(reported.message), wait: retryAfter(header, c.now())}
	e.quota = reported.is("insufficient_quota") || reported.is("billing_hard_limit_reached") || reported.is("billing_not_active")
	inner := status
	if n, err := strconv.Atoi(reported.code); err == nil && status == http.StatusOK {
		inner = n // the 200 of a router, with the status of the server behind it
	}
	if inner == 400 || inner == 413 || inner == 422 {
		e.tooLong, e.window = lengthOf(reported, body)
	}
	switch {
	case e.quota:
		e.Hint = "the account has no credit"
	case inner == 408 || inner == 409 || inner == 425 || inner == 429 || inner >= 500 && inner != 501:
		e.retry = true
	case status >= 300 && status < 400:
		// The target may be anyone's, so the hint does not name it.
		e.Message, e.Hint = "it redirects, and redirects are not followed", "check the base URL"
		if to, err := url.Parse(header.Get("Location")); err == nil && to.Host != "" {
			e.Message = "it redirects to " + c.scrub(to.Scheme+"://"+to.Host) + ", and redirects are not followed"
		}
	case status == 401 || status == 403:
		e.Hint = "is the key the one for " + hostOf(c.base) + "?"
	case status == 404 || reported.html:
		e.Hint = c.versionHint()
	}
	return e
}

// overlong matches what servers report of a prompt that is longer than the window:
// OpenAI, vLLM, OpenRouter, Mistral and Groq ("maximum context length"), llama.cpp
// ("available context size"), LM Studio ("context length of only"), Anthropic ("prompt is
// too long"), Google ("input token count"), xAI ("maximum prompt length").
var overlong = lazyregexp.New(`(?i)maximum context length|context (?:length|window|size)[^.]{0,40}(?:exceed|only|limit)|exceeds?[^.]{0,40}context (?:length|window|size)|(?:prompt|input|request) is too long|input token count|maximum prompt length|too many (?:input )?tokens|reduce the length of the (?:messages|prompt|input)`)

// windowIn matches the window in such a report. It is the first number that a group has.
var windowIn = lazyregexp.New(`(?i)(?:maximum context length (?:is|of)|context length of only|maximum prompt length is|context size \(|"n_ctx"\s*:|tokens? > |tokens allowed \()\s*([0-9][0-9,]*)|with ([0-9][0-9,]*) maximum context length`)

// lengthOf reports whether a server refused a prompt because of its length, and returns
// the window that it named; 0 when it named none.
func lengthOf(reported serverError, body []byte) (tooLong bool, window int) {
	known := reported.is("context_length_exceeded") || reported.is("exceed_context_size_error")
	if !known && !overlong.MatchString(reported.message) {
		return
	}
	if m := windowIn.FindSubmatch(body); m != nil {
		window, _ = strconv.Atoi(strings.ReplaceAll(string(m[1])+string(m[2]), ",", "")) // 0 for one that is out of range
	}
	return true, window
}

// versionHint returns the hint for addresses that return a page instead of an API.
func (c *Client) versionHint() string {
	if strings.Contains(c.base, "/v1") || strings.Contains(c.base, "/openai") {
		return ""
	}
	return "is the base URL missing /v1?"
}

// serverError is the error that a server reported.
type serverError struct {
	message    string
	code, kind string
	html       bool
}

func (s serverError) is(code string) bool { return s.code == code || s.kind == code }

// readError reads the forms in which servers report errors: {"error": {"message",
// "type", "code"}}, {"error": "text"} (Ollama), {"detail": …} (FastAPI), {"message":
// …}, an array with one of these, a page, or plain text.
func readError(body []byte) serverError {
	body = bytes.TrimSpace(body)
	if len(body) > 1 && body[0] == '[' && body[len(body)-1] == ']' {
		body = bytes.TrimSpace(body[1 : len(body)-1])
	}
	if isPage(body) {
		return serverError{message: pageTitle(string(body)), html: true}
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return serverError{message: string(body)}
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
			return serverError{message: text}
		}
		if json.Unmarshal(raw, &inner) != nil || inner.Message == "" {
			return serverError{message: string(raw), kind: inner.Type}
		}
		return serverError{message: inner.Message, code: strings.Trim(string(inner.Code), `"`), kind: inner.Type}
	}
	if outer.Message != "" {
		return serverError{message: outer.Message}
	}
	return serverError{message: string(body)}
}

// hasError reports whether the body of a successful response is an error.
func hasError(body []byte) bool {
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	return json.Unmarshal(body, &outer) == nil && len(outer.Error) > 0 && string(outer.Error) != "null"
}

// isPage reports whether a body is HTML.
func isPage(body []byte) bool { return len(body) > 0 && body[0] == '<' }

// pageTitle returns the title of a page, which proxies use for the error.
func pageTitle(page string) string {
	_, rest, found := strings.Cut(page, "<title>")
	title, _, closed := strings.Cut(rest, "</title>")
	if !found || !closed {
		return "an HTML page came instead of an answer"
	}
	return "an HTML page came: " + strings.TrimSpace(title)
}

// retryAfter returns the delay of a header in either form: seconds, or a date. It
// returns 0 for none, and for a date in the past.
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

// withoutKey replaces the key in a text, also if half of it is there, or if it is reversed, in base64
// or in hexadecimal digits.
func withoutKey(text, key string) string {
	if key == "" {
		return text
	}
	forms := formsOf(key)
	var out strings.Builder
	for i := 0; i < len(text); {
		if n := longestIn(forms, text[i:]); n > 0 {
			out.WriteString(redact.Opening + "key]")
			i += n
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

// longestIn returns the length of the longest part of a form at the start of a text, 0 if none has half
// of its form.
func longestIn(forms []string, text string) (longest int) {
	for _, form := range forms {
		n := max(len(form)/2, min(len(form), 8))
		if len(text) < n || !strings.Contains(form, text[:n]) {
			continue
		}
		for n < len(text) && strings.Contains(form, text[:n+1]) {
			n++
		}
		longest = max(longest, n)
	}
	return longest
}

// formsOf returns the forms in which a server could show a key. In base64 there are three: the bytes
// before the key decide where its groups of three begin. The characters that other bytes decide too are
// left out.
func formsOf(key string) (forms []string) {
	reversed := []byte(key)
	slices.Reverse(reversed)
	forms = []string{key, string(reversed), hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key)))}
	for before, skip := range []int{0, 2, 3} {
		padded := append(make([]byte, before), key...)
		whole := len(padded) * 8 / 6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			forms = append(forms, encoding.EncodeToString(padded)[skip:max(skip, whole)])
		}
	}
	return forms
}

// scrub prepares the message of a server for display: one line, short, and without the
// key or other secrets, which some servers repeat.
func (c *Client) scrub(text string) string {
	const longest = 300
	text = strings.Join(strings.Fields(text), " ")
	text = withoutKey(text[:min(len(text), 8*longest)], c.cfg.Key)
	text, _ = redact.Text(text)
	if text == "" {
		return "the server sent no message"
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
