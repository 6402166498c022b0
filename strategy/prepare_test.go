package strategy

import (
	"cmp"
	"slices"
	"testing"

	"condense/transcript"
)

func TestFamily(t *testing.T) {
	for model, want := range map[string]string{
		"claude-sonnet-4-5":       "anthropic",
		"anthropic/Claude-3-opus": "anthropic",
		"gpt-5-codex":             "openai",
		"chatgpt-4o-latest":       "openai",
		"o3":                      "openai",
		"openai/o4-mini":          "openai",
		"azure:o1-preview":        "openai",
		"gemini-3-pro1":           "google",
		"qwen-turbo3":             "qwen-turbo3",
		"marco-o14":               "marco-o14",
	} {
		if got := family(model); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}

// TestImages tests IM1 and IM2 of .github/CONFORMANCE.md. The user decides whether images
// are removed, and not the model. Unlike in Roo Code, images in results count, too.
func TestImages(t *testing.T) {
	const mark = "[image/png, 1,000 bytes omitted]"
	two := func() *transcript.Conversation {
		return conv(user("a", image(), "b"), model("c", call("1", "Shot")), user(withImage(result("1", "r")), "d"))
	}
	tests := []struct {
		name   string
		conv   *transcript.Conversation
		images Images
		want   string
	}{
		{"IM1", two(), Images{Limited: true}, "0:a & " + mark + " & b | 1:c & +1 | 2:-1 r\n" + mark + " & d"},
		{"IM1, the last stays", two(), Images{Limited: true, Last: 1}, "0:a & " + mark + " & b | 1:c & +1 | 2:-1 r & d"},
		{"IM2", two(), Images{}, "0:a & % & b | 1:c & +1 | 2:-1 r & d"},
		{"IM2, no images", conv(user("a"), model("b")), Images{Limited: true}, "0:a | 1:b"},
		{"IM2, nothing", conv(), Images{Limited: true}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := Run(t.Context(), tt.conv, nil, &Options{PrepareOptions: PrepareOptions{Images: tt.images}}, Env{Tokens: words})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(res.Conv); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			for _, s := range res.Stages {
				if !slices.IsSortedFunc(s.Edits, func(a, b transcript.Edit) int { return cmp.Compare(a.At.Msg, b.At.Msg) }) {
					t.Errorf("edits in another order than the messages: %q", showEdits(s.Edits))
				}
			}
		})
	}
}

// TestRelease checks that preparations remove what a message held only until it is released.
func TestRelease(t *testing.T) {
	for _, tt := range []struct {
		free []int
		o    PrepareOptions
		want string
	}{
		{nil, PrepareOptions{Thinking: ThinkingDrop}, "0:q | 1:?hm | 2:a | 3:r"},
		{[]int{1}, PrepareOptions{Thinking: ThinkingDrop}, "0:q | 2:a | 3:r"},
		{[]int{1}, PrepareOptions{}, "0:q | 1:?hm | 2:a | 3:r"},
	} {
		held := model(thinking("hm"))
		held.Shadows = true
		r := run(t, conv(user("q"), held, model("a"), user("r")), Options{Free: tt.free, PrepareOptions: tt.o})
		if got := show(r.Conv); got != tt.want {
			t.Errorf("released %v, thinking %q: %s, want %s", tt.free, tt.o.Thinking, got, tt.want)
		}
	}
}
