package rules

import (
	"fmt"
	"strings"

	"condense/transcript"
)

// ImageLimits are the limits of an API for the images of one request. 0 stands for no limit.
type ImageLimits struct {
	Side     int // pixels of the longest side of an image
	ManySide int // the same for a request of many images
	Many     int // images that a request may have before it counts as one of many
	Bytes    int // of one image as base64
	Count    int // images
	Total    int // bytes of all media as base64
}

// AnthropicImages are the limits of the Anthropic API. Its guide to vision states them, except
// for Bytes: an error of the API does ("image exceeds 5 MB maximum: … > 5242880 bytes").
var AnthropicImages = ImageLimits{Side: 8000, ManySide: 2000, Many: 20, Bytes: 5 << 20, Count: 100, Total: 32 << 20}

// OpenAIImages are the limits of the OpenAI API by its guide to images. It scales large images
// down itself.
var OpenAIImages = ImageLimits{Count: 500, Total: 50 << 20}

// SideFor returns the limit for the longest side of each image of a request with count images.
func (l *ImageLimits) SideFor(count int) int {
	if l.Many > 0 && count > l.Many {
		return l.ManySide
	}
	return l.Side
}

// IsImage reports whether a medium is an image.
func IsImage(m *transcript.Medium) bool { return strings.Contains(m.Type, "image") }

// asBase64 returns the bytes of a medium as base64.
func asBase64(m *transcript.Medium) int { return m.Bytes / 3 * 4 }

var (
	imageLimits = Rule{
		ID: "anthropic/image-limits", Severity: Warning,
		Doc: "At most 100 images (600 where the window is larger than 200k), 8000 pixels a side, 2000 pixels when there are more than 20, " +
			"5 MB for an image as base64, and 32 MB for all.",
		Provider: "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
		Fix:      "shrink images, or remove some",
		find:     func(v *view, broken report) { findImages(v, &AnthropicImages, broken) },
	}
	openAIImages = Rule{
		ID: "openai/image-limits", Severity: Warning,
		Doc:  "At most 500 images, and 50 MB for all.",
		Fix:  "shrink images, or remove some",
		find: func(v *view, broken report) { findImages(v, &OpenAIImages, broken) },
	}
)

// Images returns the limits for images that the rules of a profile check; nil for none.
func (p *Profile) Images() *ImageLimits {
	switch {
	case p.Rule(imageLimits.ID) != nil:
		return &AnthropicImages
	case p.Rule(openAIImages.ID) != nil:
		return &OpenAIImages
	}
	return nil
}

// OverSize returns a finding about an image if it breaks a limit, and "" otherwise. side is the
// limit for its sides.
func (l *ImageLimits) OverSize(m *transcript.Medium, side int) string {
	switch {
	case side > 0 && (m.Width > side || m.Height > side):
		return fmt.Sprintf("an image of %d × %d pixels, more than %d a side", m.Width, m.Height, side)
	case l.Bytes > 0 && asBase64(m) > l.Bytes:
		return fmt.Sprintf("an image of %.1f MB as base64, more than %d", float64(asBase64(m))/(1<<20), l.Bytes>>20)
	}
	return ""
}

// OverSized returns the finding of the rule about an image that breaks a limit of a profile. ok
// reports whether it does. side is the limit for its sides.
func (p *Profile) OverSized(at transcript.Ref, m *transcript.Medium, side int) (found Finding, ok bool) {
	limits, rule := p.Images(), &imageLimits
	if limits == &OpenAIImages {
		rule = &openAIImages
	}
	if limits == nil {
		return found, false
	}
	message := limits.OverSize(m, side)
	return rule.Of(at, message), message != ""
}

// findImages checks the images of a request.
func findImages(v *view, limits *ImageLimits, broken report) {
	type image struct {
		at transcript.Ref
		*transcript.Medium
	}
	var images []image
	size := 0
	v.each(func(b item) {
		for _, p := range b.Parts {
			if p.Media == nil {
				continue
			}
			size += asBase64(p.Media)
			if IsImage(p.Media) {
				images = append(images, image{b.at, p.Media})
			}
		}
	})
	side := limits.SideFor(len(images))
	for _, i := range images {
		if message := limits.OverSize(i.Medium, side); message != "" {
			broken(i.at, message)
		}
	}
	if len(images) > limits.Count {
		broken(images[limits.Count].at, fmt.Sprintf("%d images, more than %d", len(images), limits.Count))
	}
	if size > limits.Total {
		broken(transcript.At(transcript.End), fmt.Sprintf("media of %d MB, more than %d", size>>20, limits.Total>>20))
	}
}
