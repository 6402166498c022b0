package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"condense/cmd/report/inventory"
	"condense/transcript/format"
	"condense/transcript/token"
)

// Sizes of the parts of a file that are read, in bytes. A part grows from the first size to the last
// until it has what is searched for.
const (
	firstPart   = 8 << 10
	largestPart = 512 << 10
	growth      = 4
)

// enough is the number of answers without a recorded usage after which none is expected.
const enough = 3

// settled is the time in which a client writes a message. A file that changed later was condensed or
// copied, and the usage that it records can be that of more messages than it has.
const settled = 30 * time.Second

// A buffer holds the parts of a file that are read, one file after the other.
type buffer []byte

// of returns n bytes. They are valid until the next call.
func (b *buffer) of(n int) []byte {
	if n > cap(*b) {
		*b = make([]byte, n)
	}
	return (*b)[:n]
}

// read describes a session by the beginning and the end of its file. Its tokens are the provider's
// count for the last answer. The session does not refer to the buffer.
func read(f *File, models token.Models, now time.Time, b *buffer) inventory.Session {
	s := inventory.Session{
		ID: f.ID, Tool: f.Tool, Path: f.Path, Bytes: int(f.Bytes),
		Modified: f.Modified.UTC().Format(time.RFC3339), Age: max(0, int(now.Sub(f.Modified).Seconds())),
	}
	g, err := f.glance(b)
	if err != nil {
		s.Problem = reason(err)
		return s
	}
	if f.at.short && strings.HasPrefix(g.ID, f.ID) {
		s.ID = strings.Clone(g.ID)
	}
	s.Project, s.Model, s.First = strings.Clone(f.project(g)), strings.Clone(g.Model), strings.Clone(beginning(g.First))
	if u := g.Usage; u != nil {
		s.Tokens, s.About = u.Input+u.CacheRead+u.CacheWrite+u.Output, true
		f.last, f.stale = g.Last, !g.Last.IsZero() && f.Modified.Sub(g.Last) > settled
	}
	m, _ := models.Find(g.Model)
	s.Window = m.Window
	share(&s)
	return s
}

// share sets the share of the window that the tokens fill.
func share(s *inventory.Session) {
	if s.Window > 0 {
		s.Share = float64(s.Tokens) / float64(s.Window)
	}
}

// glance reads the ends of the file, as little as shows the first request and the last usage. The
// result refers to the buffer.
func (f *File) glance(b *buffer) (*format.Glimpse, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // it was one when it was found
		return nil, errors.New("not a regular file")
	}
	head, tail := firstPart, firstPart
	for {
		g, err := f.glanceAt(file, info.Size(), head, tail, b)
		whole := int64(head+tail) >= info.Size()
		switch {
		case whole:
			return g, err
		case err != nil && head < largestPart:
			head, tail = head*growth, tail*growth
			continue
		case err != nil:
			return nil, err
		}
		grown := false
		if g.First == "" && head < largestPart {
			head, grown = head*growth, true
		}
		if g.Usage == nil && g.Answers < enough && tail < largestPart {
			tail, grown = tail*growth, true
		}
		if !grown {
			return g, nil
		}
	}
}

// glanceAt reads the first and the last bytes of a file of size bytes.
func (f *File) glanceAt(file *os.File, size int64, head, tail int, b *buffer) (*format.Glimpse, error) {
	if int64(head+tail) >= size {
		all := b.of(int(size))
		if n, err := file.ReadAt(all, 0); err != nil && err != io.EOF {
			return nil, err
		} else {
			all = all[:n] // it is shorter now
		}
		return format.Glance(all, nil, f.at.dialect)
	}
	parts := b.of(head + tail)
	if _, err := file.ReadAt(parts[:head], 0); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(parts[head:], size-int64(tail)); err != nil && err != io.EOF {
		return nil, err
	}
	return format.Glance(parts[:head:head], parts[head:], f.at.dialect)
}

// project returns the folder in which the tool ran. Gemini CLI has it in a file beside the sessions.
func (f *File) project(g *format.Glimpse) string {
	if g.Folder != "" {
		return strings.TrimPrefix(g.Folder, "file://")
	}
	if f.at.dialect == "gemini-cli" {
		file, err := os.Open(filepath.Join(filepath.Dir(filepath.Dir(f.Path)), ".project_root"))
		if err != nil {
			return ""
		}
		defer file.Close()
		text, _ := io.ReadAll(io.LimitReader(file, 4096))
		return strings.TrimSpace(string(text))
	}
	return ""
}

// maxFirst limits the bytes of a first request that are reported.
const maxFirst = 500

// beginning returns the beginning of a text on one line.
func beginning(text string) string {
	cut := len(text) > 4*maxFirst
	if cut {
		text = text[:4*maxFirst]
	}
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\ufffd")
	if len(text) <= maxFirst && !cut {
		return text
	}
	end := min(len(text), maxFirst)
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
