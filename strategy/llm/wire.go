package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

// Reasons for which the client abandons an attempt.
var (
	errIdle    = errors.New("the answer stopped in the middle")
	errTimeout = errors.New("no whole answer came in time")
	errTooLong = errors.New("the answer is too long")
)

// wire is the HTTP client of one attempt. The library go-openai hides headers, reads
// without limit and without timeout, and mistakes some failures for answers; wire
// passes it only complete, successful responses.
type wire struct {
	c       *Client
	abandon context.CancelCauseFunc // abandons the attempt
	stream  bool
}

// Do sends a request.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	resp, err := w.c.http.Do(req)
	if err != nil {
		return nil, err
	}
	body := &patient{ReadCloser: resp.Body, left: maxBody, idle: w.c.cfg.Idle, abandon: w.abandon}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if w.stream && resp.StatusCode == http.StatusOK && kind == "text/event-stream" {
		resp.Body = body
		return resp, nil
	}
	data, err := io.ReadAll(body)
	_ = resp.Body.Close() // the body was read
	if err != nil && resp.StatusCode == http.StatusOK {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK || hasError(data) {
		return nil, w.c.failed(resp.StatusCode, resp.Header, data)
	}
	if isPage(bytes.TrimSpace(data)) {
		e := w.c.failed(resp.StatusCode, resp.Header, data)
		e.retry = false
		return nil, e
	}
	switch {
	case !json.Valid(data):
		return nil, &Error{Status: resp.StatusCode, Message: "the answer is not JSON: " + w.c.scrub(string(data)), retry: true}
	case w.stream:
		return nil, &Error{Status: resp.StatusCode, Message: "the server does not stream", Hint: "ask without streaming"}
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, nil
}

// patient reads an answer up to a limit of bytes, and abandons it after a pause that
// is too long.
type patient struct {
	io.ReadCloser
	left    int
	idle    time.Duration
	abandon context.CancelCauseFunc
}

// Read reads from the body.
func (p *patient) Read(into []byte) (int, error) {
	if p.left <= 0 {
		p.abandon(errTooLong)
		return 0, errTooLong
	}
	timer := time.AfterFunc(p.idle, func() { p.abandon(errIdle) })
	defer timer.Stop()
	n, err := p.ReadCloser.Read(into[:min(len(into), p.left)])
	p.left -= n
	return n, err
}
