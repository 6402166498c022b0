// Package mcp serves the removed text of one session over the Model Context Protocol, so that the agent
// that continues the session can fetch it. There are two tools: expand returns the text of a marker by
// its id, and search finds lines of all removed texts.
//
// The server reads the stash again for each call, because runs may go on beside it. It writes no file
// and opens no socket. An id or a pattern is only compared with texts of the session.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"condense/cmd/stash"
)

// Session is the part of a stash that a server serves.
type Session struct {
	Store *stash.Store
	// File returns the present content of the session. It is nil if all entries of the store belong to
	// the session.
	File func(context.Context) ([]byte, error)
}

// entries returns the entries of the session, and all entries of the store if those of others are among them.
func (s *Session) entries(ctx context.Context) (own, all []stash.Entry, err error) {
	all, err = s.Store.Entries()
	if err != nil {
		return nil, nil, err
	}
	if s.File == nil {
		if names := stash.Files(all); len(names) > 1 {
			return nil, nil, fmt.Errorf("the stash has runs of %d files, and condense mcp was started without the file of this session", len(names))
		}
		return all, nil, nil
	}
	file, err := s.File(ctx)
	if err != nil {
		return nil, nil, err
	}
	if own, err = s.Store.Session(file); err == nil && len(own) == 0 {
		err = errors.New("no run with this stash has written the session as it is now")
	}
	return own, all, err
}

// instructions tells a model when to use the tools.
const instructions = `Earlier content of this session was removed to save context. Markers such as
[12 lines #482193 omitted] and [condensed: 3 reads #482193] stand for it. Call expand with the id to
get the text word for word, or search to find a line of it. Everything else of the session is as it was.`

// Serve answers the requests of one client from in on out, until in ends or ctx is done. version is
// that of condense.
func Serve(ctx context.Context, s *Session, version string, in io.Reader, out io.Writer) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "condense", Title: "Removed text of this session", Version: version}, &sdk.ServerOptions{Instructions: instructions})
	readOnly := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	sdk.AddTool(server, &sdk.Tool{
		Name: "expand", Title: "Get removed text", Annotations: readOnly,
		Description: "Return the text that a marker of this session stands for, word for word. The id is the number in the marker: 482193 of [12 lines #482193 omitted].",
	}, s.expand)
	sdk.AddTool(server, &sdk.Tool{
		Name: "search", Title: "Search removed text", Annotations: readOnly,
		Description: "Find the lines of all removed text of this session that match a regular expression (RE2 syntax). Each result has the id for expand.",
	}, s.search)
	err := server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: discardClose{out}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// discardClose is a writer whose owner closes it.
type discardClose struct{ io.Writer }

func (discardClose) Close() error { return nil }

// text returns a result of several texts.
func text(parts []string) *sdk.CallToolResult {
	r := &sdk.CallToolResult{}
	for _, p := range parts {
		r.Content = append(r.Content, &sdk.TextContent{Text: p})
	}
	return r
}
