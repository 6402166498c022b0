package strategy_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/token"
)

// TestDropMarkedInEveryFormat checks that text between drop tags is removed in every
// format, also from copies of the text in the file, and that the output decodes to the
// final conversation.
func TestDropMarkedInEveryFormat(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	const secret = "a passage that is long enough to be looked for in every other copy of what was typed, of 80 letters and more"
	files, err := filepath.Glob("../testdata/sessions/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	tried := map[string]bool{} // folders, one for each format
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		word := typedWord(decode(t, src).Convs)
		if word == "" {
			continue
		}
		marked := bytes.ReplaceAll(src, []byte(word), []byte(word+" <drop>"+secret+"</drop>"))
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			o := strategy.Defaults()
			o.Tags, o.Target = strategy.TagsTyped, strategy.Target{Share: 1}
			file := decode(t, marked)
			p := promise{t, marked, file, file, []*strategy.Strategy{&strategy.Dedupe}, o, counter, false}
			results, decided, out := p.run(file)
			p.verify(decided, out)
			edits := 0
			for _, r := range results {
				for _, s := range r.Stages {
					edits += len(s.Edits)
				}
			}
			for i, c := range decided {
				for _, b := range c.Blocks() {
					if b.Kind == transcript.Text && b.Origin == transcript.Typed && b.Pin != transcript.Verbatim && strings.Contains(b.Text(), secret) {
						t.Errorf("conversation %d: the text is left in %.200q", i, b.Text())
					}
				}
			}
			tried[filepath.Dir(path)] = tried[filepath.Dir(path)] || edits > 0
			if n := bytes.Count(out, []byte(secret)); edits > 0 && n >= bytes.Count(marked, []byte(secret)) {
				t.Errorf("%d copies are left", n)
			} else {
				t.Logf("%d edits, %d of %d copies are left", edits, n, bytes.Count(marked, []byte(secret)))
			}
		})
	}
	if len(tried) < 20 {
		t.Errorf("tested only %d formats", len(tried))
	}
}

// typedWord returns a run of letters and spaces in typed text, "" if there is none. No
// format escapes any of it, and it is so long that it occurs nowhere else.
func typedWord(convs []*transcript.Conversation) string {
	for _, c := range convs {
		for _, b := range c.Blocks() {
			if b.Kind != transcript.Text || b.Origin != transcript.Typed || c.Messages[0].Hidden {
				continue
			}
			plain := strings.TrimRightFunc(b.Text(), func(r rune) bool { return r != ' ' && (r < 'a' || r > 'z') })
			start := strings.LastIndexFunc(plain, func(r rune) bool { return r != ' ' && (r < 'a' || r > 'z') }) + 1
			if words := strings.TrimSpace(plain[start:]); len(words) >= 10 {
				return words
			}
		}
	}
	return ""
}
