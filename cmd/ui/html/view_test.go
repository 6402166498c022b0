package html

import (
	"encoding/base64"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
)

// pageOf returns the page of a view.
func pageOf(t *testing.T, v *survey.View) string {
	t.Helper()
	var b strings.Builder
	if err := View(&b, v, content.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// viewed returns the page of a conversation with one message.
func viewed(t *testing.T, name string, blocks ...survey.ViewBlock) string {
	t.Helper()
	return pageOf(t, &survey.View{Input: name, Condense: "dev", Format: "openai", Conversations: []survey.ViewConversation{
		{Number: 1, Of: 1, Model: name, Messages: []survey.ViewMessage{{Number: 1, Role: "user", Blocks: blocks}}},
	}})
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
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
	for _, tt := range []struct {
		kind, data string
		shown      bool
	}{
		{"image/png", data, true}, {"image/gif", data, true}, {"image/webp", data, true}, {"image/png", alphabet + data, true}, {"image/tiff", data, false}, {"", "data:image/jpeg;base64," + data, true}, {"image/svg+xml", data, false}, {"", "data:image/svg+xml;base64," + data, false},
		{"image/png", "https://example.com/a.png", false}, {"image/png", "", false}, {"text/html", data, false}, {"", "data:image/png," + data, false},
		{"image/png", `x" onerror="y`, false}, {"image/png", "javascript:x", false}, {"", "data:image/png;base64,\n" + data, false},
	} {
		got := imageURL(&survey.ViewMedium{Type: tt.kind, Data: tt.data})
		if (got != "") != tt.shown || got != "" && !strings.HasSuffix(string(got), ";base64,"+tt.data[strings.LastIndex(tt.data, ",")+1:]) {
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

// TestViewNames checks the foot of a page, and the names of its conversations if there are several.
func TestViewNames(t *testing.T) {
	one := survey.ViewConversation{Number: 3, ID: "x1", Of: 2, Model: "m"}
	for _, tt := range []struct {
		list []survey.ViewConversation
		want bool
	}{{[]survey.ViewConversation{one}, false}, {[]survey.ViewConversation{one, {Number: 4}}, true}} {
		page := pageOf(t, &survey.View{Input: "a", Condense: "v7.8", Format: "openai", Conversations: tt.list})
		if !strings.Contains(page, "<footer><p>condense v7.8, format openai.</p></footer>") || strings.Contains(page, "<h2>conversation 3, x1: 2 messages, m</h2>") != tt.want {
			t.Errorf("%d conversations:\n%s", len(tt.list), page[strings.Index(page, "<body"):])
		}
	}
}

// TestViewMessages checks the ids and classes of messages: of a file alone, and of one that is compared.
func TestViewMessages(t *testing.T) {
	for original, want := range map[string][]string{
		"":  {`id="c2-m1" class="m-user"`, `id="c2-m2" class="m-assistant"`},
		"b": {`id="c2-m1" class="m-user"`, `id="c2-m2" class="m-assistant new"`, `id="c2-was4" class="m-tool removed"`},
	} {
		c := survey.ViewConversation{Number: 2, Messages: []survey.ViewMessage{{Number: 1, Role: "user"}, {Number: 2, Role: "assistant"}}}
		if original != "" {
			c.Messages[0].Was = 2
			c.Messages = append(c.Messages, survey.ViewMessage{Was: 4, Role: "tool"})
		}
		page := pageOf(t, &survey.View{Original: original, Conversations: []survey.ViewConversation{c}})
		var got []string
		for _, m := range regexp.MustCompile(`<article ([^>]*)>`).FindAllStringSubmatch(page, -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("compared with %q: %q, want %q", original, got, want)
		}
	}
}

// TestViewBlocks checks the classes of blocks and which are folded.
func TestViewBlocks(t *testing.T) {
	result := func(text string) survey.ViewBlock {
		return survey.ViewBlock{Kind: "tool result", Name: "Read x", Origin: "tool", Parts: []survey.ViewPart{{Text: text}}}
	}
	said := []survey.ViewPart{{Text: "said"}}
	const marker = "[3 lines omitted]\n"
	long := strings.Repeat("line\n", foldedLines)
	for _, tt := range []struct {
		name   string
		block  survey.ViewBlock
		folded bool
		class  string
	}{
		{"typed", survey.ViewBlock{Kind: "text", Origin: "typed", Parts: said}, false, ""},
		{"injected", survey.ViewBlock{Kind: "text", Origin: "injected", Parts: said}, false, "client"},
		{"generated", survey.ViewBlock{Kind: "text", Origin: "generated", Parts: said}, false, "condensed"},
		{"thinking", survey.ViewBlock{Kind: "thinking", Origin: "model", Parts: said}, true, "thinking"},
		{"result", result("line"), false, "tool"},
		{"long result", result(long), true, "tool"},
		{"marker", result(marker), false, "tool"},
		{"long result with a marker", result(long + marker), true, "tool condensed"},
		{"new", survey.ViewBlock{Kind: "text", Origin: "typed", Parts: said, Change: "new"}, false, "new"},
		{"failed", survey.ViewBlock{Kind: "text", Origin: "typed", Parts: said, Failed: true}, false, "failed"},
	} {
		page := viewed(t, "a", tt.block)
		element := "div"
		if tt.folded {
			element = "details"
		}
		if want := "<" + element + ` class="block ` + tt.class + `">`; !strings.Contains(page, want) {
			t.Errorf("%s: no %s in\n%s", tt.name, want, page[strings.Index(page, "<body"):])
		}
	}
}

// A fullDisk takes nothing.
type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestViewReturnsWriteErrors checks that a page that cannot be written is an error, whatever its size.
func TestViewReturnsWriteErrors(t *testing.T) {
	for _, n := range []int{1, 100_000} {
		v := &survey.View{Conversations: []survey.ViewConversation{{Messages: []survey.ViewMessage{{Number: 1, Role: "user", Blocks: []survey.ViewBlock{
			{Kind: "text", Origin: "typed", Parts: []survey.ViewPart{{Text: strings.Repeat("x", n)}}},
		}}}}}}
		if err := View(fullDisk{}, v, content.Options{}); !errors.Is(err, errFull) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
