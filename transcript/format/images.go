package format

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/picture"
	"condense/transcript/rules"
)

// measure sets the data of a medium and estimates its size in bytes from the length of
// the base64 text without padding. For an image it also sets the size in pixels, for which it decodes
// only the header. Data that is the address of an image elsewhere has no size in pixels.
func measure(m *transcript.Medium, data rawjson.Value) {
	if data.Kind() != rawjson.String {
		return
	}
	raw := data.Raw()
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
	m.Bytes = len(bytes.TrimRight(raw, "=")) * 3 / 4
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

// smallSides are longest sides in pixels. While all images together have too many bytes, they are
// scaled down to the next of them. To the first, the Anthropic API scales images down itself.
var smallSides = []int{1568, 1092, 768, 512}

// ShrinkImages scales the images of the effective view down that break limits, until they break none
// as far as their sizes matter; their number stays. While the file has more than maxBytes, it scales
// all large images down further, but not below leastSide pixels on their longest side; 0 stands for no
// limit. Copies of an image outside the messages shrink, too.
//
// It returns the file with smaller images and what has shrunk, or f and no images. After an error,
// the result must not be used.
func (f *File) ShrinkImages(limits *rules.ImageLimits, maxBytes, leastSide int) (*File, Surplus, error) {
	s := &shrinker{f: f, small: map[string]*smallImage{}}
	var all []savedImage
	each := make([][]savedImage, len(f.Convs))
	for i := range f.Convs {
		each[i] = f.images(i)
		all = append(all, each[i]...)
	}
	if side := firstSide(all, f.Len(), limits, maxBytes, leastSide); side > 0 {
		s.scale(all, side)
	}
	for _, images := range each {
		s.fit(images, limits)
	}
	for _, side := range smallSides {
		if maxBytes == 0 || side < leastSide || f.Len()-s.saved() <= maxBytes {
			break
		}
		s.scale(all, side)
	}
	shrunk := Surplus{Name: "images", Bytes: s.saved()}
	var edits []rawjson.Edit
	for _, to := range s.small {
		if to.text != "" {
			shrunk.Count++
			edits = append(edits, to.edits...)
		}
	}
	if len(edits) == 0 {
		return f, Surplus{}, nil
	}
	again, err := f.rewritten(edits)
	if err != nil {
		return nil, Surplus{}, err
	}
	return again, shrunk, nil
}

// hopeless is how many times too large a file must be expected to skip a size: each size of each image takes
// a second, and images can become smaller than their pixels suggest.
const hopeless = 2

// firstSide returns the first of smallSides to which a file of size bytes may fit into maxBytes, or the
// smallest allowed one. It returns 0 if the limits alone may be enough.
func firstSide(all []savedImage, size int, limits *rules.ImageLimits, maxBytes, leastSide int) (first int) {
	fits := func(side int) bool {
		left := size
		for _, img := range all {
			if long := max(img.Width, img.Height); long > side {
				share := float64(side) / float64(long)
				left -= int(float64(len(img.text)) * (1 - share*share))
			}
		}
		return left <= hopeless*maxBytes
	}
	if maxBytes == 0 || fits(cmp.Or(limits.SideFor(len(all)), math.MaxInt)) {
		return 0
	}
	for _, side := range smallSides {
		if side < leastSide {
			break
		}
		if first = side; fits(side) {
			break
		}
	}
	return first
}

// imageFlaws returns the images that break a limit of a profile, with the edits that shrink them.
func (f *File) imageFlaws(p *rules.Profile) (found []flaw) {
	limits := p.Images()
	if limits == nil {
		return nil
	}
	for i := range f.Convs {
		s := &shrinker{f: f, small: map[string]*smallImage{}}
		images := f.images(i)
		s.fit(images, limits)
		mended := map[string]bool{}
		for _, img := range images {
			to := s.small[img.text]
			if to == nil || to.text == "" || mended[img.text] {
				continue
			}
			mended[img.text] = true
			broken, ok := p.OverSized(img.at, img.Medium, limits.SideFor(len(images)))
			if !ok {
				broken.Message = fmt.Sprintf("all media have more than %d MB together", limits.Total>>20)
			}
			broken.Conv, broken.Offset, broken.Line = i, img.start, f.lineAt(img.start)
			x := flaw{Finding: broken, known: true}
			found = append(found, x.mended(fmt.Sprintf("scaled down, from %d to %d bytes", len(img.text), len(to.text)), to.edits...))
		}
	}
	return found
}

// A savedImage is an image of the effective view.
type savedImage struct {
	*transcript.Medium
	at    transcript.Ref
	start int    // offset in the source
	text  string // the base64 text as it stands there
}

// images lists the images of conversation i that the source holds, with known sizes in pixels.
func (f *File) images(i int) (list []savedImage) {
	l := f.layouts[i]
	for m := range f.Convs[i].Visible() {
		if !l.Has(m.ID) {
			continue
		}
		for k, b := range m.Blocks {
			for p, part := range b.Parts {
				if part.Media == nil || part.Media.Width == 0 {
					continue
				}
				places := l.Block(m.ID, k).Parts
				if p >= len(places) {
					continue
				}
				if start, text := f.base64At(places[p].Lit); text != "" {
					list = append(list, savedImage{part.Media, transcript.Ref{Msg: m.ID, Block: k, Part: transcript.Whole}, start, text})
				}
			}
		}
	}
	return list
}

// base64At returns the base64 text in a JSON value, and its offset: the content of the longest
// string, without the head of a data URL. It returns "" when there is none.
func (f *File) base64At(value rawjson.Span) (start int, text string) {
	var doc rawjson.Doc
	if doc.ScanAll(f.src, value.Start, value.End) != nil {
		return 0, ""
	}
	longest := rawjson.Span{}
	eachString(doc.Root(), func(_, v rawjson.Value) {
		if v.Span().Len() > longest.Len() {
			longest = v.Span()
		}
	})
	if longest.Len() < 2 {
		return 0, ""
	}
	start, text = longest.Start+1, string(f.src[longest.Start+1:longest.End-1])
	if strings.HasPrefix(text, "data:") {
		head, rest, _ := strings.Cut(text, ",")
		return start + len(head) + 1, rest
	}
	return start, text
}

// eachString calls visit for every string in v, with the object or array that holds it.
func eachString(v rawjson.Value, visit func(in, s rawjson.Value)) {
	eachStringIn(rawjson.Value{}, v, visit)
}

func eachStringIn(in, v rawjson.Value, visit func(in, s rawjson.Value)) {
	switch v.Kind() {
	case rawjson.String:
		visit(in, v)
	case rawjson.Array:
		for e := range v.Elems() {
			eachStringIn(v, e, visit)
		}
	case rawjson.Object:
		for _, m := range v.Members() {
			eachStringIn(v, m, visit)
		}
	}
}

// A shrinker makes images smaller.
type shrinker struct {
	f     *File
	small map[string]*smallImage // by base64 text
}

// A smallImage is an image after it was scaled down.
type smallImage struct {
	text   string // base64; "" when the image cannot be made smaller
	edits  []rawjson.Edit
	copies int

	side int // pixels of the smallest size that was tried
}

// saved returns the bytes that the file has less.
func (s *shrinker) saved() (n int) {
	for was, to := range s.small {
		if to.text != "" {
			n += to.copies * (len(was) - len(to.text))
		}
	}
	return n
}

// fit scales the images of one request down until they are within limits.
func (s *shrinker) fit(images []savedImage, limits *rules.ImageLimits) {
	side := limits.SideFor(len(images))
	total := func() (n int) {
		for _, img := range images {
			n += len(img.text)
			if to := s.small[img.text]; to != nil && to.text != "" {
				n += len(to.text) - len(img.text)
			}
		}
		return n
	}
	for _, img := range images {
		if limits.OverSize(img.Medium, side) != "" || limits.Bytes > 0 && len(img.text) > limits.Bytes {
			s.shrink(img, cmp.Or(side, math.MaxInt), limits.Bytes)
		}
	}
	for _, side := range smallSides {
		if limits.Total == 0 || total() <= limits.Total {
			break
		}
		s.scale(images, side)
	}
}

// scale scales the images down that have more than side pixels on their longest side.
func (s *shrinker) scale(images []savedImage, side int) {
	for _, img := range images {
		if max(img.Width, img.Height) > side {
			s.shrink(img, side, 0)
		}
	}
}

// shrink scales one image down, unless that was done to the same size or fails.
func (s *shrinker) shrink(img savedImage, side, limit int) {
	was := s.small[img.text]
	switch {
	case was == nil:
		was = &smallImage{}
		s.small[img.text] = was
	case was.side <= side:
		return
	}
	was.side = side
	data, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, &base64Text{[]byte(img.text)}))
	if err != nil {
		return
	}
	out, media, err := picture.Shrink(data, side, limit/4*3)
	text := base64.StdEncoding.EncodeToString(out)
	if err != nil || len(text) >= len(img.text) || was.text != "" && len(text) >= len(was.text) {
		return
	}
	if edits, copies := s.f.replaceImage(img.text, text, media); copies > 0 {
		*was = smallImage{text, edits, copies, side}
	}
}

// replaceImage returns the edits that replace an image wherever the source has it, and the number of
// these places. It returns none if the media type changes at a place that does not state it.
func (f *File) replaceImage(from, to, media string) (edits []rawjson.Edit, copies int) {
	for _, part := range f.parts() {
		for at := part.Start; ; {
			next := bytes.Index(f.src[at:part.End], []byte(from))
			if next < 0 {
				break
			}
			at += next
			span := rawjson.Span{Start: at, End: at + len(from)}
			kind, ok := f.mediaType(span)
			if !ok {
				return nil, 0
			}
			if string(f.src[kind.Start:kind.End]) != media {
				edits = append(edits, rawjson.Edit{Span: kind, New: []byte(media)})
			}
			edits = append(edits, rawjson.Edit{Span: span, New: []byte(to)})
			copies++
			at = span.End
		}
	}
	return edits, copies
}

// mediaType returns the place of the media type of an image: in the head of its data URL, or in a
// member beside it. ok is false if there is none.
func (f *File) mediaType(image rawjson.Span) (kind rawjson.Span, ok bool) {
	const longest = 200 // bytes of "data:image/png;base64,", with room for parameters
	head := f.src[max(0, image.Start-longest):image.Start]
	if i := bytes.LastIndex(head, []byte("data:")); i >= 0 && bytes.HasSuffix(head, []byte("base64,")) {
		start := image.Start - len(head) + i + len("data:")
		if end := bytes.IndexByte(f.src[start:image.Start], ';'); end > 0 {
			return rawjson.Span{Start: start, End: start + end}, true
		}
	}
	record := f.recordAt(image.Start)
	var doc rawjson.Doc
	if doc.ScanAll(f.src, record.Start, record.End) != nil {
		return kind, false
	}
	eachString(doc.Root(), func(in, s rawjson.Value) {
		if s.Span().Start > image.Start || s.Span().End < image.End || in.Kind() != rawjson.Object {
			return
		}
		for _, m := range in.Members() {
			if m.Kind() == rawjson.String && m.Span().Len() < longest && strings.HasPrefix(m.Str(), "image/") {
				kind, ok = rawjson.Span{Start: m.Span().Start + 1, End: m.Span().End - 1}, true
			}
		}
	})
	return kind, ok
}

// recordAt returns the span of the record that holds the byte at an offset, or the whole source.
func (f *File) recordAt(offset int) rawjson.Span {
	for _, l := range f.layouts {
		spans := l.RecordSpans()
		i, _ := slices.BinarySearchFunc(spans, offset, func(s rawjson.Span, offset int) int { return s.End - offset - 1 })
		if i < len(spans) && spans[i].Start <= offset && offset < spans[i].End {
			return spans[i]
		}
	}
	return rawjson.Span{Start: 0, End: len(f.src)}
}

// rewritten applies edits that leave messages and blocks as they are, and decodes the result.
func (f *File) rewritten(edits []rawjson.Edit) (*File, error) {
	out, err := f.apply(edits)
	if err != nil {
		return nil, err
	}
	again, err := f.decodeAgain(out)
	if err != nil {
		return nil, fmt.Errorf("the output does not decode: %w", err)
	}
	if len(again.Convs) != len(f.Convs) {
		return nil, fmt.Errorf("the output has %d conversations, expected %d", len(again.Convs), len(f.Convs))
	}
	for i, c := range again.Convs {
		same := slices.EqualFunc(c.Messages, f.Convs[i].Messages, func(a, b *transcript.Message) bool {
			return a.Role == b.Role && a.Hidden == b.Hidden && len(a.Blocks) == len(b.Blocks)
		})
		if !same {
			return nil, fmt.Errorf("the messages of conversation %d changed", i+1)
		}
	}
	return again, nil
}
