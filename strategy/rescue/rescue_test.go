package rescue

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// A session collects the lines of a Claude Code session.
type session struct {
	strings.Builder
	last string
	n    int
}

// line adds a record whose parent is the record before it.
func (s *session) line(members string) {
	if s.last == "" {
		s.last = "null"
	}
	s.n++
	fmt.Fprintf(s, `{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":"5e6c5c8e-0a4f-4d1c-9a53-111111111111","version":"2.1.5",%s,"uuid":"u%d","timestamp":"2026-01-02T03:04:05.000Z"}`+"\n",
		s.last, members, s.n)
	s.last = fmt.Sprintf(`"u%d"`, s.n)
}

// turn adds a request, with an image unless img is "", a call with a result of some lines, and an
// answer. Records of progress stand in front of the result.
func (s *session) turn(i, lines, progress int, img string) {
	content := fmt.Sprintf(`[{"type":"text","text":"Please find the cause of failure %d."}`, i)
	if img != "" {
		content += fmt.Sprintf(`,{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":%q}}`, img)
	}
	s.line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":%s]}`, content))
	s.line(fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","id":"m%d","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"make test%d"}}]}`, i, i, i))
	for k := range progress {
		s.line(fmt.Sprintf(`"type":"progress","toolUseID":"b%d","parentToolUseID":"t%d","data":{"type":"bash_progress","output":%q}`, k, i, strings.Repeat(fmt.Sprintf("step %d of test %d. ", k, i), 30)))
	}
	var text strings.Builder
	for k := range lines {
		fmt.Fprintf(&text, "case%d_%d: limit %d, seen %d, ok\n", i, k, k*i, k+i)
	}
	s.line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]}`, i, text.String()))
	s.line(fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","id":"e%d","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Failure %d comes from the lock in step %d."}]}`, i, i, i*3))
}

// screenshot returns a JPEG image of large noisy areas, as base64.
func screenshot(t *testing.T, width, height, noise int, seed uint64) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range len(m.Pix) / 4 {
		n := uint8(r.IntN(noise))
		m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3] = uint8(i%width*200/width)+n, uint8(seed)+n, n, 255
	}
	m.SetRGBA(0, 0, color.RGBA{255, 255, 255, 255})
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 80}); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// rescued runs a rescue and checks the promises: no new errors, typed text and the last answer whole.
func rescued(t *testing.T, src []byte, change func(o *Options)) *Outcome {
	t.Helper()
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Options: condense.Defaults()}
	if change != nil {
		change(&o)
	}
	out, err := Run(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Notes) > 0 {
		t.Errorf("notes: %q", out.Notes)
	}
	if found := out.Decoded.NewErrors(f.Dialect.Target(), f); len(found) > 0 {
		t.Errorf("it breaks rules: %v", found)
	}
	if !bytes.Equal(out.Decoded.Source(), out.Out) {
		t.Error("Decoded is another file")
	}
	was, is := typed(f), typed(out.Decoded)
	if strings.Join(was, "\n") != strings.Join(is, "\n") {
		t.Errorf("typed text: %d blocks, %d before", len(is), len(was))
	}
	return out
}

// typed lists the visible typed texts of a file, and the last answer.
func typed(f *format.File) (list []string) {
	for _, c := range f.Convs {
		last := ""
		for m := range c.Visible() {
			for _, b := range m.Blocks {
				if b.Kind == transcript.Text && b.Origin == transcript.Typed {
					list = append(list, b.Text())
				}
				if b.Kind == transcript.Text && m.Role == transcript.Assistant {
					last = b.Text()
				}
			}
		}
		list = append(list, last)
	}
	return list
}

func images(list []rules.Finding) (n int) {
	for _, x := range list {
		if strings.HasSuffix(x.Rule, "/image-limits") {
			n++
		}
	}
	return n
}

// TestImages checks a session of 16 MB with 30 images that the API refuses: it gets below 5 MB
// without a finding about images.
func TestImages(t *testing.T) {
	var s session
	img := []string{screenshot(t, 2200, 700, 60, 1), screenshot(t, 2400, 640, 60, 2)}
	for i := range 30 {
		s.turn(i, 3, 0, img[i%2])
	}
	src := []byte(s.String())
	if len(src) < 16<<20 || len(src) > 24<<20 {
		t.Fatalf("the session has %d bytes", len(src))
	}
	out := rescued(t, src, nil)
	if images(out.Before) != 30 || images(out.After) != 0 || len(out.Out) > 5_000_000 {
		t.Errorf("%d bytes of %d; findings about images: %d before, %d after", len(out.Out), len(src), images(out.Before), images(out.After))
	}
}

// TestProgress checks a session of which 88 % are records of progress, and one that also has too many
// tokens for its window.
func TestProgress(t *testing.T) {
	var s session
	for i := range 40 {
		s.turn(i, 20, 18, "")
	}
	src := []byte(s.String())
	out := rescued(t, src, nil)
	if share := float64(len(src)-len(out.Out)) / float64(len(src)); share < 0.88 || !out.Changed || len(out.Trimmed) != 1 {
		t.Errorf("%d bytes of %d, removed %v", len(out.Out), len(src), out.Trimmed)
	}
	small := rescued(t, src, func(o *Options) { o.Window = 20_000 })
	r := small.Conversations[0].Result
	if r.Before <= 9_808 || r.After > 10_000 || len(small.Out) >= len(out.Out) {
		t.Errorf("%d of %d tokens, %d bytes", r.After, r.Before, len(small.Out))
	}
}

// hiddenRollout returns a Codex rollout whose history, up to a compaction, takes nearly all bytes.
func hiddenRollout(size int) []byte {
	var out bytes.Buffer
	line := func(kind, payload string) {
		fmt.Fprintf(&out, `{"timestamp":"2026-01-02T03:04:05.000Z","type":%q,"payload":%s}`+"\n", kind, payload)
	}
	line("session_meta", `{"id":"019ee09f-d2c6-72b1-94dd-f0863fe8464a","cwd":"/p","timestamp":"2026-01-02T03:04:05.000Z"}`)
	for i := 0; out.Len() < size; i++ {
		line("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","call_id":"c%d","arguments":"{\"cmd\":\"cat %d.log\"}"}`, i, i))
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":%q}`, i, strings.Repeat(fmt.Sprintf("%d: waits for the lock\n", i), 400)))
	}
	line("compacted", `{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Find the lock."}]}]}`)
	line("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is in step 3."}]}`)
	return out.Bytes()
}

// TestHidden checks that a rollout that is nearly all hidden gets to the size of what is visible, on
// demand, and that it stays as it is without that.
func TestHidden(t *testing.T) {
	src := hiddenRollout(20 << 20)
	for _, window := range []int{0, 1_000_000} {
		out := rescued(t, src, func(o *Options) { o.DropHidden, o.Window = true, window })
		if len(out.Out) > 2000 {
			t.Errorf("window %d: %d bytes of %d", window, len(out.Out), len(src))
		}
	}
	if out := rescued(t, src, func(o *Options) { o.Window = 1_000_000 }); out.Changed || !bytes.Equal(out.Out, src) {
		t.Errorf("%d bytes, changed %t", len(out.Out), out.Changed)
	}
}

// TestManyImages checks that the oldest of more images than the API takes are replaced.
func TestManyImages(t *testing.T) {
	var s session
	img := screenshot(t, 200, 200, 9, 1) // a tiny image has fewer tokens than the line in its place
	for i := range 103 {
		s.turn(i, 1, 0, img)
	}
	out := rescued(t, []byte(s.String()), func(o *Options) { o.Window = 1_000_000 })
	if images(out.Before) != 1 || images(out.After) != 0 || out.Decoded.Bloat().Images.Count != 100 {
		t.Errorf("%d images are left; findings: %d before, %d after", out.Decoded.Bloat().Images.Count, images(out.Before), images(out.After))
	}
}

// TestCorpus rescues every session of four tools in the corpus, which lies beside a checkout, for a
// window of 30,000 tokens. With -v it prints the bytes before and after.
func TestCorpus(t *testing.T) {
	for _, kind := range []string{"claude-code-jsonl", "codex-rollout", "gemini-cli-session", "gemini-cli-stream", "pi-session-jsonl"} {
		names, err := filepath.Glob("../../../shared/corpus/" + kind + "/*")
		if err != nil || len(names) == 0 {
			t.Skip("there is no corpus beside the checkout")
		}
		before, after := 0, 0
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out := rescued(t, src, func(o *Options) { o.Window = 30_000 })
			for _, c := range out.Conversations {
				if c.Result.After > 30_000 {
					t.Errorf("%s: %d of %d tokens are left", name, c.Result.After, c.Result.Before)
				}
			}
			if len(out.Out) > len(src) {
				t.Errorf("%s: %d bytes became %d", name, len(src), len(out.Out))
			}
			before, after = before+len(src), after+len(out.Out)
		}
		t.Logf("%s: %d files, %d bytes became %d", kind, len(names), before, after)
	}
}

// TestSmallImages checks that images within the limits stay as they are while nothing limits the bytes, and that
// they become smaller before text is removed.
func TestSmallImages(t *testing.T) {
	var s session
	var list []string
	for i := range 3 {
		list = append(list, screenshot(t, 1200, 700, 20, uint64(i)))
		s.turn(i, 40, 0, list[i])
	}
	limit := s.Len() - len(list[0])
	for maxBytes, smaller := range map[int]int{0: 0, s.Len(): 0, limit: 3} {
		out := rescued(t, []byte(s.String()), func(o *Options) { o.MaxBytes = maxBytes })
		stay := 0
		for _, img := range list {
			stay += strings.Count(string(out.Out), img)
		}
		if stay != 3-smaller || out.Shrunk.Count != smaller || maxBytes > 0 && len(out.Out) > maxBytes || bytes.Count(out.Out, []byte(": limit ")) != 120 {
			t.Errorf("at most %d bytes: %d of 3 images stay, %d are smaller, %d bytes of %d", maxBytes, stay, out.Shrunk.Count, len(out.Out), s.Len())
		}
	}
	if out := rescued(t, []byte(s.String()), func(o *Options) { o.MaxBytes = 1 }); out.Shrunk.Count != 3 {
		t.Errorf("at most 1 byte: %d images are smaller", out.Shrunk.Count)
	}
}

// TestImagesBeforeText checks that all text stays while a smaller image is enough, although there is text to remove.
func TestImagesBeforeText(t *testing.T) {
	var s session
	s.turn(0, 300, 0, screenshot(t, 600, 300, 20, 1))
	s.turn(1, 300, 0, "")
	s.turn(2, 1, 0, "")
	for over, lines := range map[int]int{1: 601, 1000: 601, s.Len() / 2: 0} {
		out := rescued(t, []byte(s.String()), func(o *Options) { o.KeepLast, o.MaxBytes = 1, s.Len()-over })
		stay := bytes.Count(out.Out, []byte(": limit "))
		if out.Shrunk.Count != 1 || len(out.Out) > s.Len()-over || lines > 0 && stay != lines || lines == 0 && stay > 300 {
			t.Errorf("%d bytes over: %d images are smaller, %d lines stay, %d bytes of %d", over, out.Shrunk.Count, stay, len(out.Out), s.Len())
		}
	}
}

// TestLimits checks which limits hold for images in a session of a client that serves several models.
func TestLimits(t *testing.T) {
	src, err := os.ReadFile("../../testdata/sessions/pi/ferry.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]*rules.ImageLimits{
		"claude-sonnet-4-5": &rules.AnthropicImages, "gpt-5.2": &rules.OpenAIImages, "openai/gpt-5.2": &rules.OpenAIImages, "glm-5": &rules.AnthropicImages,
	} {
		f, err := format.Decode(bytes.ReplaceAll(src, []byte("claude-sonnet-4-5"), []byte(model)), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := limitsFor(f); got != want {
			t.Errorf("%s: %+v, want %+v", model, got, want)
		}
	}
	for _, d := range format.Dialects {
		if want := d.Target().Images(); want != nil && limitsFor(&format.File{Dialect: d}) != want {
			t.Errorf("%s: not the limits of its own API", d.Name)
		}
	}
}

// TestMostImages checks that images are counted where the model sees them, in the conversation with most of
// them, and that documents are none.
func TestMostImages(t *testing.T) {
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`
	const document = `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"QUJD"}}`
	row := func(media ...string) string {
		return `{"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"see"}` + strings.Join(append([]string{""}, media...), ",") + `]},{"role":"assistant","content":"ok"}]}` + "\n"
	}
	for _, tt := range []struct {
		src  string
		want int
	}{{row(), 0}, {row(document), 0}, {row(image, document), 1}, {row(image) + row(image, image, document) + row(), 2}} {
		f, err := format.Decode([]byte(tt.src), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := mostImages(f); got != tt.want {
			t.Errorf("%d images, want %d: %s", got, tt.want, tt.src)
		}
	}
}

// TestImagesUpToTheLimit checks that no image is replaced while there are no more than the API takes, beside
// other files.
func TestImagesUpToTheLimit(t *testing.T) {
	var s session
	img := screenshot(t, 200, 200, 9, 1)
	for i := range 100 {
		s.turn(i, 1, 0, img)
	}
	if out := rescued(t, []byte(s.String()), func(o *Options) { o.Window = 1_000_000 }); out.Changed || out.Conversations[0].Result.Decision.Act {
		t.Errorf("%d images are left", out.Decoded.Bloat().Images.Count)
	}
}

// TestHiddenAndLarge checks that a session that is too large fits into half of the window if hidden messages
// go, too.
func TestHiddenAndLarge(t *testing.T) {
	var s session
	for i := range 30 {
		s.turn(i, 60, 0, "")
	}
	out := rescued(t, []byte(s.String()), func(o *Options) { o.DropHidden, o.Window = true, 20_000 })
	if r := out.Conversations[0].Result; r.After > 10_000 || r.Before <= 20_000 {
		t.Errorf("%d of %d tokens are left", r.After, r.Before)
	}
}

// TestNeededRecords checks that records which the client ignores stay with a note if the format would not be
// recognised without them.
func TestNeededRecords(t *testing.T) {
	src := `{"type":"file-history-snapshot","messageId":"1","snapshot":{"trackedFileBackups":{}}}` + "\n" + `{"type":"progress","uuid":"2"}` + "\n"
	f, err := format.Decode([]byte(src), "")
	if err != nil {
		t.Fatal(err)
	}
	out := &Outcome{}
	if again := out.trim(f, &Options{DropSnapshots: true}); again != f || len(out.Trimmed) > 0 || len(out.Notes) != 1 ||
		!strings.HasPrefix(out.Notes[0], "records that the client ignores stay as they are: ") {
		t.Errorf("%+v removed, notes %q", out.Trimmed, out.Notes)
	}
}
