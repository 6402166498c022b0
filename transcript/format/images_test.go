package format

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// imageOf returns an image of noisy colour as base64.
func imageOf(t testing.TB, kind string, width, height int, seed uint64) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(seed, 2))
	for y := range height {
		for x := range width {
			n := uint8(r.IntN(8))
			m.SetRGBA(x, y, color.RGBA{uint8(x*255/width) ^ n, uint8(y*255/height) ^ n, uint8(seed) ^ n, 255})
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, m)
	if kind == "jpeg" {
		out.Reset()
		err = jpeg.Encode(&out, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// pictured returns a Claude Code session with an image for each of the given texts: in what the
// user sends, and in the result of a call, which toolUseResult repeats.
func pictured(images []string) []byte {
	var out strings.Builder
	parent := "null"
	line := func(id, rest string) {
		fmt.Fprintf(&out, `{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.5",%s,"uuid":%q,"timestamp":"2026-01-02T03:04:05.000Z"}`+"\n", parent, rest, id)
		parent = fmt.Sprintf("%q", id)
	}
	for i, img := range images {
		media := "image/png"
		if strings.HasPrefix(img, "/9j/") {
			media = "image/jpeg"
		}
		source := fmt.Sprintf(`{"type":"image","source":{"type":"base64","media_type":%q,"data":%q}}`, media, img)
		if i%2 == 0 {
			line(fmt.Sprintf("a%d", i), `"type":"user","message":{"role":"user","content":[{"type":"text","text":"What is wrong here?"},`+source+`]}`)
		} else {
			line(fmt.Sprintf("b%d", i), fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","id":"m%d","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"/p/%d.png"}}]}`, i, i, i))
			line(fmt.Sprintf("c%d", i), fmt.Sprintf(`"type":"user","toolUseResult":{"type":"image","file":{"base64":%q,"type":%q}},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":[%s]}]}`, img, media, i, source))
		}
		line(fmt.Sprintf("d%d", i), fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","id":"e%d","model":"claude-sonnet-4-5","content":[{"type":"text","text":"The margin is too small."}]}`, i))
	}
	return []byte(out.String())
}

// imageFindings returns the findings of validate about images.
func imageFindings(f *File) (found []string) {
	for _, x := range f.Check(f.Dialect.Target()) {
		if strings.HasSuffix(x.Rule, "/image-limits") {
			found = append(found, x.Message)
		}
	}
	return found
}

// TestShrinkImages checks that images and their copies are within the limits of a request of many
// images, that their format stays, and that all else keeps its bytes.
func TestShrinkImages(t *testing.T) {
	var images []string
	for i := range 24 {
		width, kind := 60, "png"
		if i < 4 {
			width, kind = 2200, []string{"png", "jpeg"}[i/2]
		}
		images = append(images, imageOf(t, kind, width, 40, uint64(i)))
	}
	src := pictured(images)
	f, err := Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	if found := imageFindings(f); len(found) != 4 || !strings.Contains(found[0], "2200 × 40 pixels, more than 2000") {
		t.Fatalf("found %q", found)
	}
	out, shrunk, err := f.ShrinkImages(&rules.AnthropicImages, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := imageFindings(out); len(found) > 0 || shrunk.Count != 4 || shrunk.Bytes != len(src)-out.Len() {
		t.Errorf("left %q; shrunk %+v, of %d bytes %d are left", found, shrunk, len(src), out.Len())
	}
	rest := string(out.Source())
	for _, img := range out.images(0) {
		rest = strings.ReplaceAll(rest, img.text, "")
	}
	was := string(src)
	for _, img := range images {
		was = strings.ReplaceAll(was, img, "")
	}
	if rest != was {
		t.Error("more than the images changed")
	}
	repaired, err := f.Repair(f.Dialect.Target())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(repaired.Out, out.Source()) || len(repaired.Mended) != 4 {
		t.Errorf("repair: %d bytes, want %d; %+v", len(repaired.Out), out.Len(), repaired.Mended)
	}
	if again, more, err := out.ShrinkImages(&rules.AnthropicImages, 0, 0); err != nil || again != out || more.Count != 0 {
		t.Errorf("a second time: %+v, %v", more, err)
	}
}

// TestShrinkImagesTo checks that images become smaller until the file has at most a number of bytes,
// and that those on the sides of a data URL of WebP state their new type.
func TestShrinkImagesTo(t *testing.T) {
	src := pictured([]string{imageOf(t, "png", 1800, 100, 1), imageOf(t, "jpeg", 1800, 100, 2)})
	f, err := Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	limit := len(src) / 2
	out, shrunk, err := f.ShrinkImages(&rules.AnthropicImages, limit, 0)
	if err != nil || out.Len() > limit || shrunk.Count == 0 {
		t.Errorf("%d bytes of %d, shrunk %+v, %v", out.Len(), len(src), shrunk, err)
	}
	if _, most, err := f.ShrinkImages(&rules.AnthropicImages, 1, 0); err != nil {
		t.Error(err)
	} else if _, fewer, err := f.ShrinkImages(&rules.AnthropicImages, 1, 1092); err != nil || fewer.Bytes >= most.Bytes {
		t.Errorf("a least side of 1,092 pixels: %+v saved, error %v; without it %+v", fewer, err, most)
	}
	if same, none, err := f.ShrinkImages(&rules.AnthropicImages, len(src), 0); err != nil || same != f || none.Count != 0 {
		t.Errorf("a file that fits: %+v, %v", none, err)
	}
}

// TestSmallImageStays checks that an image within the smallest size keeps its bytes, although they could be
// fewer.
func TestSmallImageStays(t *testing.T) {
	var out bytes.Buffer
	plain := png.Encoder{CompressionLevel: png.NoCompression}
	if err := plain.Encode(&out, image.NewRGBA(image.Rect(0, 0, 100, 100))); err != nil {
		t.Fatal(err)
	}
	small := base64.StdEncoding.EncodeToString(out.Bytes())
	f, err := Decode(pictured([]string{small, imageOf(t, "png", 1800, 100, 1)}), "")
	if err != nil {
		t.Fatal(err)
	}
	if after, shrunk, err := f.ShrinkImages(&rules.AnthropicImages, 1, 0); err != nil || shrunk.Count == 0 || !bytes.Contains(after.Source(), []byte(small)) {
		t.Errorf("%+v shrunk, %v", shrunk, err)
	}
}

// TestReplaceImage checks that the media type of an image changes with it: in a data URL, and in a member
// beside it. An image stays if it has a copy without either.
func TestReplaceImage(t *testing.T) {
	const src = `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/webp;base64,QUJD"}},` +
		`{"type":"image","source":{"type":"base64","media_type":"image/webp","data":"QUJD"}}]},{"role":"assistant","content":"So."}]}`
	f, err := Decode([]byte(src), "openai")
	if err != nil {
		t.Fatal(err)
	}
	edits, copies := f.replaceImage("QUJD", "RA==", "image/png")
	again, err := f.rewritten(edits)
	want := strings.NewReplacer("QUJD", "RA==", "image/webp", "image/png").Replace(src)
	if err != nil || copies != 2 || string(again.Source()) != want {
		t.Errorf("%d copies, %v: %s", copies, err, again.Source())
	}
	f, err = Decode([]byte(strings.Replace(src, `"So."`, `"It is QUJD."`, 1)), "openai")
	if err != nil {
		t.Fatal(err)
	}
	if edits, copies := f.replaceImage("QUJD", "RA==", "image/png"); len(edits) > 0 || copies != 0 {
		t.Errorf("an image that a text quotes: %d copies, %v", copies, edits)
	}
}

// TestFirstSide checks which sizes are skipped, since a file would stay far too large with them.
func TestFirstSide(t *testing.T) {
	image := savedImage{Medium: &transcript.Medium{Width: 2200, Height: 1500}, text: strings.Repeat("x", 1_000_000)}
	for _, tt := range []struct{ images, maxBytes, leastSide, want int }{
		{30, 0, 1092, 0},
		{8, 5_000_000, 1092, 0},     // the limits may be enough
		{16, 5_000_000, 1092, 1568}, // about 8 MB at this size
		{30, 5_000_000, 1092, 1092},
		{300, 5_000_000, 1092, 1092}, // the smallest allowed size
		{300, 5_000_000, 0, 512},
		{300, 5_000_000, 2000, 0}, // none is allowed
	} {
		all := slices.Repeat([]savedImage{image}, tt.images)
		if got := firstSide(all, tt.images*1_000_000, &rules.AnthropicImages, tt.maxBytes, tt.leastSide); got != tt.want {
			t.Errorf("%d images to %d bytes, %d pixels at least: first %d pixels, want %d", tt.images, tt.maxBytes, tt.leastSide, got, tt.want)
		}
	}
}
