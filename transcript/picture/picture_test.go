package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"testing"
)

// photo returns an image that compresses like a photograph: soft shapes with noise.
func photo(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(1, 2))
	for y := range height {
		for x := range width {
			n := uint8(r.IntN(16))
			m.SetRGBA(x, y, color.RGBA{uint8(x*255/width) ^ n, uint8(y*255/height) ^ n, uint8((x+y)/8) ^ n, 255})
		}
	}
	return m
}

func encoded(t *testing.T, m image.Image, kind string) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&out, m)
	case "jpeg":
		err = jpeg.Encode(&out, m, nil)
	case "gif":
		err = gif.Encode(&out, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestShrink checks the sides, the bytes and the format of images of each format.
func TestShrink(t *testing.T) {
	for _, kind := range []string{"png", "jpeg", "gif"} {
		data := encoded(t, photo(400, 200), kind)
		for _, c := range []struct{ side, limit, width, height int }{
			{200, 0, 200, 100},
			{101, 0, 101, 51},        // rounded from 50.5
			{0, len(data) / 3, 0, 0}, // as large as fits
			{399, len(data), 0, 0},
			{200, len(data) / 8, 0, 0},
		} {
			out, media, err := Shrink(data, c.side, c.limit)
			if err != nil {
				t.Errorf("%s to %d, %d bytes: %v", kind, c.side, c.limit, err)
				continue
			}
			got, format, err := image.DecodeConfig(bytes.NewReader(out))
			if err != nil || format != kind || media != "image/"+kind {
				t.Errorf("%s to %d: it is %s, %s (%v)", kind, c.side, format, media, err)
			}
			if c.width > 0 && (got.Width != c.width || got.Height != c.height) {
				t.Errorf("%s to %d: %d × %d pixels", kind, c.side, got.Width, got.Height)
			}
			if len(out) >= len(data) || c.limit > 0 && len(out) > c.limit || c.side > 0 && got.Width > c.side {
				t.Errorf("%s to %d, %d bytes: %d × %d pixels, %d bytes of %d", kind, c.side, c.limit, got.Width, got.Height, len(out), len(data))
			}
		}
	}
}

// TestShrinkPixels checks that a smaller image shows the same.
func TestShrinkPixels(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 400, 400))
	for y := range 400 {
		for x := range 400 {
			m.Set(x, y, map[bool]color.Color{true: color.RGBA{200, 0, 0, 255}, false: color.RGBA{0, 0, 200, 255}}[x < 200])
		}
	}
	out, _, err := Shrink(encoded(t, m, "png"), 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	small, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]uint32{20: 200, 80: 0} {
		if r, _, _, _ := small.At(x, 50).RGBA(); r>>8 != want {
			t.Errorf("at %d: %d red, want %d", x, r>>8, want)
		}
	}
}

// TestShrinkExif checks that the segment of a JPEG file which may turn it stays.
func TestShrinkExif(t *testing.T) {
	data := encoded(t, photo(400, 200), "jpeg")
	exif := append([]byte{0xff, 0xe1, 0, 16}, "Exif\x00\x00II*\x00abcd"...)
	turned := append(append(bytes.Clone(data[:2]), exif...), data[2:]...)
	out, _, err := Shrink(turned, 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out[2:], exif) {
		t.Errorf("the file begins with % x", out[:24])
	}
	if c, err := jpeg.DecodeConfig(bytes.NewReader(out)); err != nil || c.Width != 100 {
		t.Errorf("%d pixels, %v", c.Width, err)
	}
}

// TestShrinkWebP checks the formats that replace WebP. The files are from the tests of
// golang.org/x/image.
func TestShrinkWebP(t *testing.T) {
	for name, want := range map[string]string{"lossy.webp": "image/jpeg", "alpha.webp": "image/png"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out, media, err := Shrink(data, 40, 0)
		if err != nil || media != want {
			t.Errorf("%s: %s, %v", name, media, err)
			continue
		}
		if c, format, err := image.DecodeConfig(bytes.NewReader(out)); err != nil || "image/"+format != want || max(c.Width, c.Height) > 40 {
			t.Errorf("%s: %s of %d × %d pixels, %v", name, format, c.Width, c.Height, err)
		}
	}
}

// TestShrinkRefuses checks the errors for other data, broken files, too many pixels, and images that
// cannot be smaller.
func TestShrinkRefuses(t *testing.T) {
	data := encoded(t, photo(100, 50), "png")
	huge := bytes.Clone(data)
	copy(huge[16:], []byte{0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0}) // 100,000 pixels a side; the checksum is wrong, too
	large := bytes.Clone(huge)
	binary.BigEndian.PutUint32(large[29:], crc32.ChecksumIEEE(large[12:29]))
	if _, _, err := Shrink(large, 10, 0); err == nil || err.Error() != "an image of 100000 × 100000 pixels is too large to decode" {
		t.Errorf("too many pixels: %v", err)
	}
	for name, bad := range map[string][]byte{"huge": huge, "cut": data[:len(data)/2], "bare": []byte("\xff\xd8\xff")} {
		if out, _, err := Shrink(bad, 10, 0); err == nil {
			t.Errorf("%s: %d bytes, %v", name, len(out), err)
		}
	}
	if _, _, err := Shrink([]byte("text"), 10, 0); !errors.Is(err, ErrKind) || err.Error() != "no PNG, JPEG, GIF or WebP image" {
		t.Error(err)
	}
	if _, _, err := Shrink(data, 0, 10); err == nil {
		t.Error("an image fits into 10 bytes")
	}
}

// TestShrinkKeepsTheKind checks that grey images stay grey, and that an image which only has to be packed better
// keeps its palette.
func TestShrinkKeepsTheKind(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 200, 100))
	for i := range grey.Pix {
		grey.Pix[i] = uint8(i * i >> 3)
	}
	out, _, err := Shrink(encoded(t, grey, "png"), 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	small, err := png.Decode(bytes.NewReader(out))
	if _, ok := small.(*image.Gray); err != nil || !ok {
		t.Errorf("a grey image became %T, %v", small, err)
	}
	few := image.NewPaletted(image.Rect(0, 0, 200, 100), color.Palette{color.White, color.Black, color.RGBA{9, 8, 7, 255}})
	for i := range few.Pix {
		few.Pix[i] = uint8(i % 3)
	}
	var loose bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&loose, few); err != nil {
		t.Fatal(err)
	}
	if out, _, err = Shrink(loose.Bytes(), 0, 0); err != nil {
		t.Fatal(err)
	}
	packed, err := png.Decode(bytes.NewReader(out))
	if p, ok := packed.(*image.Paletted); err != nil || !ok || !bytes.Equal(p.Pix, few.Pix) {
		t.Errorf("an image with a palette became %T, %v", packed, err)
	}
}

// TestSegments checks that the Exif data and the colour profile are found, and that other segments and those
// which go beyond the end of a file are left out.
func TestSegments(t *testing.T) {
	exif := "\xff\xe1\x00\x08Exif\x00\x00"
	profile := "\xff\xe2\x00\x10ICC_PROFILE\x00\x01\x01"
	for file, want := range map[string]string{
		"\xff\xd8" + exif + "\xff\xda":                                 exif,
		"\xff\xd8" + exif + "\xff\xe1\xff\xffExif\x00":                 exif,
		"\xff\xd8\xff\xe1\x00\x00" + exif:                              "",
		"\xff\xd8\xff\xe1\x00\x08Other\x00" + exif + "\xff":            exif,
		"\xff\xd8" + exif + profile + "\xff\xda":                       exif + profile,
		"\xff\xd8\xff\xe2\x00\x08MPF\x00II" + profile + "\xff\xda\x00": profile,
		"\xff\xd8\xff\xda\x00\x02" + exif:                              "",
		"\xff\xd8":                                                     "",
	} {
		if got := string(segments([]byte(file))); got != want {
			t.Errorf("% x: % x, want % x", file, got, want)
		}
	}
}
