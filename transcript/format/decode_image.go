package format

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// measure sets the data of a medium and estimates its size in bytes from the length of
// the base64 text. For an image it also sets the size in pixels, for which it decodes
// only the header. Data that is the address of an image elsewhere has no size in pixels.
func measure(m *transcript.Medium, data rawjson.Value) {
	if data.Kind() != rawjson.String {
		return
	}
	raw := data.Raw()
	m.Bytes = len(raw) * 3 / 4
	m.Data = data.Str()
	raw = bytes.Trim(raw, `"`)
	if bytes.HasPrefix(raw, []byte("data:")) {
		const longest = 200 // bytes of "data:image/png;base64,", with room for parameters
		_, after, found := bytes.Cut(raw[:min(len(raw), longest)], []byte(","))
		if !found {
			return
		}
		raw = raw[min(len(raw), longest)-len(after):]
	}
	m.Width, m.Height = pixels(base64.NewDecoder(base64.StdEncoding, &base64Text{raw}))
}

// pixels returns the size of an image from its header; 0, 0 for an unknown kind of image.
func pixels(r io.Reader) (width, height int) {
	const enough = 30 // bytes, for WebP
	head := make([]byte, enough)
	n, _ := io.ReadFull(r, head)
	head = head[:n]
	whole := io.MultiReader(bytes.NewReader(head), r)
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG")):
		if c, err := png.DecodeConfig(whole); err == nil {
			return c.Width, c.Height
		}
	case bytes.HasPrefix(head, []byte("\xff\xd8")):
		if c, err := jpeg.DecodeConfig(whole); err == nil {
			return c.Width, c.Height
		}
	case bytes.HasPrefix(head, []byte("GIF8")):
		if c, err := gif.DecodeConfig(whole); err == nil {
			return c.Width, c.Height
		}
	case len(head) == enough && bytes.HasPrefix(head, []byte("RIFF")) && bytes.Equal(head[8:12], []byte("WEBP")):
		return webp(head)
	}
	return 0, 0
}

// webp returns the size in pixels from the first chunk of a WebP file. RFC 9649 defines
// three kinds of that chunk.
func webp(head []byte) (width, height int) {
	switch string(head[12:16]) {
	case "VP8 ": // lossy: a frame tag and a start code, then 14 bits for each side
		if !bytes.Equal(head[23:26], []byte("\x9d\x01\x2a")) {
			return 0, 0
		}
		const size = 1<<14 - 1
		return int(binary.LittleEndian.Uint16(head[26:]) & size), int(binary.LittleEndian.Uint16(head[28:]) & size)
	case "VP8L": // lossless: a signature, then 14 bits for each side, minus one
		if head[20] != 0x2f {
			return 0, 0
		}
		const size = 1<<14 - 1
		bits := binary.LittleEndian.Uint32(head[21:])
		return int(bits&size) + 1, int(bits>>14&size) + 1
	case "VP8X": // extended: 24 bits for each side, minus one
		size := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return size(head[24:]) + 1, size(head[27:]) + 1
	}
	return 0, 0
}

// base64Text reads base64, in either alphabet, from the bytes of a JSON string. It
// decodes escaped slashes, skips escaped line breaks and ends at any other escape.
type base64Text struct{ rest []byte }

func (t *base64Text) Read(p []byte) (n int, err error) {
	for n < len(p) && len(t.rest) > 0 {
		c := t.rest[0]
		t.rest = t.rest[1:]
		switch c {
		case '\\':
			if len(t.rest) == 0 || t.rest[0] != '/' && t.rest[0] != 'n' && t.rest[0] != 'r' {
				t.rest = nil
				continue
			}
			if t.rest[0] != '/' {
				t.rest = t.rest[1:]
			}
			continue
		case '-':
			c = '+'
		case '_':
			c = '/'
		}
		p[n] = c
		n++
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}
