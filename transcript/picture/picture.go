// Package picture makes images smaller: fewer pixels, fewer bytes, in the same file format.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// maxPixels limits the pixels of an image that is decoded: each takes four bytes or more of
// memory, and a small file may declare any number.
const maxPixels = 100_000_000

// quality is the quality of the JPEG files that Shrink writes. At it, text in screenshots stays
// readable.
const quality = 85

// step is the factor for the sides while an image has too many bytes, and leastSide ends that.
const (
	step      = 0.8
	leastSide = 64
)

// ErrKind is the error for data that is no image in a format that Shrink reads: PNG, JPEG, GIF or
// WebP.
var ErrKind = errors.New("no PNG, JPEG, GIF or WebP image")

// Shrink scales an image down, so that its longest side has at most side pixels and the file at
// most limit bytes, and always fewer than data. 0 stands for no limit.
//
// It returns the new file and its media type, such as "image/png". The file format stays, except
// that WebP becomes PNG or, without transparency, JPEG. Of an animation, the first frame stays.
// The Exif data and the colour profile of a JPEG file stay, because they may turn the image.
func Shrink(data []byte, side, limit int) (out []byte, media string, err error) {
	c, kind, err := header(data)
	if err != nil {
		return nil, "", err
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return nil, "", fmt.Errorf("an image of %d × %d pixels is too large to decode", c.Width, c.Height)
	}
	full, err := kind.decode(bytes.NewReader(data))
	if err != nil {
		return nil, "", err
	}
	long := max(c.Width, c.Height)
	to := long
	if side > 0 {
		to = min(long, side)
	}
	if limit <= 0 || limit >= len(data) {
		limit = len(data) - 1
	}
	for {
		if out, media, err = kind.encode(scaled(full, to, long), data); err != nil {
			return nil, "", err
		}
		if len(out) <= limit {
			return out, media, nil
		}
		if to <= leastSide {
			return nil, "", fmt.Errorf("an image of %d bytes cannot be brought to %d", len(data), limit)
		}
		to = max(leastSide, int(step*float64(to)))
	}
}

// A kind is a file format of images.
type kind struct {
	magic  string
	decode func(r *bytes.Reader) (image.Image, error)
	config func(r *bytes.Reader) (image.Config, error)
	encode func(m image.Image, from []byte) (out []byte, media string, err error)
}

var kinds = []kind{
	{
		"\x89PNG", func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) },
		func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) }, encodePNG,
	},
	{
		"\xff\xd8", func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) },
		func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) }, encodeJPEG,
	},
	{
		"GIF8", func(r *bytes.Reader) (image.Image, error) { return gif.Decode(r) },
		func(r *bytes.Reader) (image.Config, error) { return gif.DecodeConfig(r) }, encodeGIF,
	},
	{
		"RIFF", func(r *bytes.Reader) (image.Image, error) { return webp.Decode(r) },
		func(r *bytes.Reader) (image.Config, error) { return webp.DecodeConfig(r) }, encodeOther,
	},
}

// header reads the size of an image and finds its kind.
func header(data []byte) (image.Config, *kind, error) {
	for i := range kinds {
		if k := &kinds[i]; bytes.HasPrefix(data, []byte(k.magic)) {
			c, err := k.config(bytes.NewReader(data))
			return c, k, err
		}
	}
	return image.Config{}, nil, ErrKind
}

// scaled returns an image whose longest side of from pixels has to pixels.
func scaled(m image.Image, to, from int) image.Image {
	if to == from {
		return m
	}
	b := m.Bounds()
	size := func(n int) int { return max(1, (n*to+from/2)/from) }
	r := image.Rect(0, 0, size(b.Dx()), size(b.Dy()))
	var small draw.Image = image.NewRGBA(r)
	if _, grey := m.(*image.Gray); grey {
		small = image.NewGray(r)
	}
	draw.CatmullRom.Scale(small, r, m, b, draw.Src, nil)
	return small
}

func encodePNG(m image.Image, _ []byte) ([]byte, string, error) {
	var out bytes.Buffer
	err := png.Encode(&out, m)
	return out.Bytes(), "image/png", err
}

func encodeGIF(m image.Image, _ []byte) ([]byte, string, error) {
	var out bytes.Buffer
	err := gif.Encode(&out, m, nil)
	return out.Bytes(), "image/gif", err
}

func encodeJPEG(m image.Image, from []byte) ([]byte, string, error) {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		return nil, "", err
	}
	const start = 2 // bytes of the marker at the start, which the other segments follow
	file := append(out.Bytes()[:start:start], segments(from)...)
	return append(file, out.Bytes()[start:]...), "image/jpeg", nil
}

// encodeOther encodes an image of a format that cannot be written.
func encodeOther(m image.Image, _ []byte) ([]byte, string, error) {
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return encodeJPEG(m, nil)
	}
	return encodePNG(m, nil)
}

// segments returns the segments of a JPEG file that hold Exif data and the colour profile.
func segments(file []byte) (kept []byte) {
	const app1, app2, scan = 0xe1, 0xe2, 0xda
	for at := 2; at+4 <= len(file) && file[at] == 0xff && file[at+1] != scan; {
		end := at + 2 + int(file[at+2])<<8 + int(file[at+3])
		if end > len(file) || end < at+4 {
			break
		}
		body := file[at+4 : end]
		if file[at+1] == app1 && bytes.HasPrefix(body, []byte("Exif\x00")) || file[at+1] == app2 && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")) {
			kept = append(kept, file[at:end]...)
		}
		at = end
	}
	return kept
}
