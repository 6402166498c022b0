package format

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"condense/transcript"
)

// pictures are an image of 70×31 pixels in every format whose header is read. Go cannot encode WebP,
// so these are only headers.
func pictures(t *testing.T) map[string]string {
	t.Helper()
	im := image.NewPaletted(image.Rect(0, 0, 70, 31), palette.Plan9)
	var p, j, g bytes.Buffer
	for _, err := range []error{png.Encode(&p, im), jpeg.Encode(&j, im, nil), gif.Encode(&g, im, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	exif := "\xff\xd8\xff\xe1\xff\xff" + strings.Repeat("x", 0xfffd) // a segment of the maximal length, before the size
	const chunk = "RIFF\x00\x00\x00\x00WEBP"
	return map[string]string{
		"png": p.String(), "jpeg": j.String(), "jpeg with EXIF": exif + j.String()[2:], "gif": g.String(),
		"webp, lossy":    chunk + "VP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x46\x00\x1f\x40",
		"webp, lossless": chunk + "VP8L\x00\x00\x00\x00\x2f\x45\x80\x07\x00     ",
		"webp, extended": chunk + "VP8X\x00\x00\x00\x00\x00\x00\x00\x00\x45\x00\x00\x1e\x00\x00",
	}
}

// firstMedium decodes a source and returns its first medium.
func firstMedium(t *testing.T, src, dialect string) *transcript.Medium {
	t.Helper()
	f, err := Decode([]byte(src), dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range f.Convs[0].Messages {
		for _, b := range m.Blocks {
			for _, p := range b.Parts {
				if p.Media != nil {
					return p.Media
				}
			}
		}
	}
	t.Fatalf("no medium in %s", src)
	return nil
}

// TestMediumData checks that equal images have equal data, which is that of the file.
func TestMediumData(t *testing.T) {
	const data = "iVBORw0KGgo="
	for src, want := range map[string]string{
		anthropicImage(data): data,
		`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + data + `"}}]}]`: "data:image/png;base64," + data,
		`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https:\/\/example.com\/a.png"}}]}]`:       "https://example.com/a.png",
	} {
		if got := firstMedium(t, src, ""); got.Data != want {
			t.Errorf("%s: data %q, want %q", src, got.Data, want)
		}
	}
}

func anthropicImage(data string) string {
	return `[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}]}]`
}

func TestPixels(t *testing.T) {
	for name, picture := range pictures(t) {
		m := firstMedium(t, anthropicImage(base64.StdEncoding.EncodeToString([]byte(picture))), "")
		if m.Width != 70 || m.Height != 31 {
			t.Errorf("%s: %d×%d", name, m.Width, m.Height)
		}
		for padding := range 3 { // of the picture, whose length decides on that of its base64 text
			picture += strings.Repeat("\x00", min(padding, 1))
			for _, scheme := range []string{"", "data:image/png;base64,"} {
				data := scheme + base64.StdEncoding.EncodeToString([]byte(picture))
				if got := firstMedium(t, anthropicImage(data), "").Bytes; got != len(picture) {
					t.Errorf("%s: %d bytes of %.30s, want %d", name, got, data, len(picture))
				}
			}
		}
	}
}

// TestPixelsEverywhere checks the size of an image in every form that a dialect has for it.
func TestPixelsEverywhere(t *testing.T) {
	data := base64.StdEncoding.EncodeToString([]byte(pictures(t)["png"]))
	url := "data:image/png;base64," + data
	for name, test := range map[string]struct{ src, dialect string }{
		"escaped slashes":  {anthropicImage(strings.ReplaceAll(data, "/", `\/`)), "anthropic"},
		"broken in lines":  {anthropicImage(data[:8] + `\n` + data[8:20] + `\r\n` + data[20:]), "anthropic"},
		"for addresses":    {anthropicImage(strings.NewReplacer("/", "_", "+", "-").Replace(data)), "anthropic"},
		"tool result":      {`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}]}]}]`, "anthropic"},
		"openai":           {`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"` + url + `","detail":"high"}}]}]`, "openai"},
		"responses":        {`{"input":[{"role":"user","content":[{"type":"input_image","image_url":"` + url + `"}]}]}`, "responses"},
		"gemini":           {`[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"` + data + `"}}]}]`, "gemini"},
		"ai-sdk":           {`[{"id":"1","role":"user","parts":[{"type":"file","mediaType":"image/png","url":"` + url + `"}]}]`, "ai-sdk"},
		"a long parameter": {`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;name=` + strings.Repeat("x", 99) + `;base64,` + data + `"}}]}]`, "openai"},
	} {
		t.Run(name, func(t *testing.T) {
			if m := firstMedium(t, test.src, test.dialect); m.Width != 70 || m.Height != 31 {
				t.Errorf("%d×%d", m.Width, m.Height)
			}
		})
	}
}

func TestPixelsUnknown(t *testing.T) {
	whole := base64.StdEncoding.EncodeToString([]byte(pictures(t)["png"]))
	for name, data := range map[string]string{
		"nothing": "", "torn": whole[:30], "no base64": "%%%%", "escape": whole[:8] + `\u0041` + whole[9:],
		"text":                       base64.StdEncoding.EncodeToString([]byte("just a text of some length, no image at all")),
		"webp of another kind":       base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WEBPVP9 " + strings.Repeat("\x00", 14))),
		"lossy without a start code": base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WEBPVP8 " + strings.Repeat("\x00", 14))),
		"lossless without signature": base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WEBPVP8L" + strings.Repeat("\x00", 14))),
		"an address":                 "https://example.com/a.png",
		"an endless header":          "data:" + strings.Repeat("x", 500),
	} {
		if m := firstMedium(t, anthropicImage(data), "anthropic"); m.Width != 0 || m.Height != 0 {
			t.Errorf("%s: %d×%d", name, m.Width, m.Height)
		}
	}
}

// BenchmarkPixels measures the size of an image. Its time must not depend on the size.
func BenchmarkPixels(b *testing.B) {
	im := image.NewGray(image.Rect(0, 0, 300, 300))
	var p bytes.Buffer
	if err := png.Encode(&p, im); err != nil {
		b.Fatal(err)
	}
	for _, pad := range []int{0, 3 << 20} {
		src := []byte(anthropicImage(base64.StdEncoding.EncodeToString(append(p.Bytes(), make([]byte, pad)...))))
		b.Run(fmt.Sprint(len(src)), func(b *testing.B) {
			for b.Loop() {
				if _, err := Decode(src, "anthropic"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestWideWebP checks the sizes in the header of an extended WebP file, which have three bytes each.
func TestWideWebP(t *testing.T) {
	head := "RIFF\x00\x00\x00\x00WEBPVP8X\x00\x00\x00\x00\x00\x00\x00\x00\x45\x01\x02\x1e\x03\x04"
	if width, height := webp([]byte(head)); width != 0x020146 || height != 0x04031f {
		t.Errorf("%d × %d pixels", width, height)
	}
}
