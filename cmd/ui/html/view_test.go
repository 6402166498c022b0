package html

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
)

// viewed returns the page of a conversation with one message.
func viewed(t *testing.T, name string, blocks ...survey.ViewBlock) string {
	t.Helper()
	v := &survey.View{Input: name, Condense: "dev", Format: "openai", Conversations: []survey.ViewConversation{
		{Number: 1, Of: 1, Model: name, Messages: []survey.ViewMessage{{Number: 1, Role: "user", Blocks: blocks}}},
	}}
	var b strings.Builder
	if err := View(&b, v, content.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestViewRunsNothingOfTheFile checks that strings of a file stay text, wherever they stand.
func TestViewRunsNothingOfTheFile(t *testing.T) {
	const evil = `</pre></style></script><script>alert(1)</script><img src=x onerror=alert(1)>"' onclick="x" {{.}} javascript:x` + "\u202e\x1b"
	part := survey.ViewPart{Name: evil, Text: evil, Medium: nil}
	image := survey.ViewPart{Medium: &survey.ViewMedium{Type: evil, Data: "data:image/png;base64," + evil}}
	page := viewed(t, evil,
		survey.ViewBlock{Kind: "text", Origin: "typed", Parts: []survey.ViewPart{part, image}},
		survey.ViewBlock{Kind: "tool call", Origin: "model", Name: evil, Parts: []survey.ViewPart{part}, Change: "changed", Before: []survey.ViewPart{part}},
		survey.ViewBlock{Kind: "tool result", Origin: "tool", Name: evil, Parts: []survey.ViewPart{{Text: strings.Repeat(evil+"\n", 20)}}},
	)
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("the page has %d scripts", n)
	}
	for _, bad := range []string{"<img", "onclick=\"", "\u202e", "\x1b"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if addresses := regexp.MustCompile(`(?i)(?:src|href)="[^#"]`).FindAllString(page, -1); addresses != nil {
		t.Errorf("the page refers to %q", addresses)
	}
	if !strings.Contains(page, "img-src data:; style-src &#39;sha256-") && !strings.Contains(page, "img-src data:; style-src 'sha256-") {
		t.Error("the page has no policy")
	}
}

// TestImageURL checks that only bytes of raster images become images of the page.
func TestImageURL(t *testing.T) {
	data := base64.StdEncoding.EncodeToString([]byte("bytes"))
	for _, tt := range []struct {
		kind, data string
		shown      bool
	}{
		{"image/png", data, true}, {"", "data:image/jpeg;base64," + data, true}, {"image/svg+xml", data, false}, {"", "data:image/svg+xml;base64," + data, false},
		{"image/png", "https://example.com/a.png", false}, {"image/png", "", false}, {"text/html", data, false}, {"", "data:image/png," + data, false},
		{"image/png", `x" onerror="y`, false}, {"image/png", "javascript:x", false}, {"", "data:image/png;base64,\n" + data, false},
	} {
		got := imageURL(&survey.ViewMedium{Type: tt.kind, Data: tt.data})
		if (got != "") != tt.shown || got != "" && !strings.HasSuffix(string(got), ";base64,"+data) {
			t.Errorf("%s %s: %q", tt.kind, tt.data, got)
		}
	}
	page := viewed(t, "a", survey.ViewBlock{Kind: "media", Parts: []survey.ViewPart{{Medium: &survey.ViewMedium{Type: "image/png", Data: data}}}})
	if !strings.Contains(page, `<img src="data:image/png;base64,`+data+`" alt="[image/png]"`) {
		t.Errorf("no image in\n%s", page[strings.Index(page, "<body"):])
	}
}

// TestViewMarks checks that what a condenser wrote is marked, and that long results are folded.
func TestViewMarks(t *testing.T) {
	page := viewed(t, "a", survey.ViewBlock{Kind: "text", Origin: "model", Parts: []survey.ViewPart{{Text: "a [3 lines omitted] b"}}},
		survey.ViewBlock{Kind: "tool result", Name: "Read x", Origin: "tool", Parts: []survey.ViewPart{{Text: strings.Repeat("line\n", 20)}}},
		survey.ViewBlock{Kind: "tool result", Name: "Read y", Origin: "tool", Parts: []survey.ViewPart{{Text: "line\n"}}})
	for _, want := range []string{`a <b class="cut">[3 lines omitted]</b> b`, `<summary>← Read x`, `<p class="head">← Read y`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page[strings.Index(page, "<body"):])
		}
	}
}
