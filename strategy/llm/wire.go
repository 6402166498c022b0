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

// Why an attempt was given up by us.
var (
	errIdle    = errors.New("the answer stopped in the middle")
	errTimeout = errors.New("no whole answer came in time")
	errTooLong = errors.New("the answer is too long")
)

// wire is one attempt below go-openai, which hides headers, reads without a
// limit, waits without end, and takes some failures for answers: here a response
// is whole and a success before the library sees it, or an error.
type wire struct {
	c      *Client
	give   context.CancelCauseFunc // gives the attempt up
	stream bool
}

// Do sends a request.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	resp, err := w.c.http.Do(req)
	if err != nil {
		return nil, err
	}
	body := &patient{ReadCloser: resp.Body, left: maxBody, idle: w.c.cfg.Idle, give: w.give}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if w.stream && resp.StatusCode == http.StatusOK && kind == "text/event-stream" {
		resp.Body = body
		return resp, nil
	}
	data, err := io.ReadAll(body)
	_ = resp.Body.Close() // all that is wanted of it was read
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

// patient reads an answer, but neither more of it than there may be, nor through
// a silence that is too long.
type patient struct {
	io.ReadCloser
	left int
	idle time.Duration
	give context.CancelCauseFunc
}

// Read reads like the body below.
func (p *patient) Read(into []byte) (int, error) {
	if p.left <= 0 {
		p.give(errTooLong)
		return 0, errTooLong
	}
	timer := time.AfterFunc(p.idle, func() { p.give(errIdle) })
	defer timer.Stop()
	n, err := p.ReadCloser.Read(into[:min(len(into), p.left)])
	p.left -= n
	return n, err
}
