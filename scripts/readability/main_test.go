package main

import (
	"slices"
	"strings"
	"testing"
)

// TestDocuments checks that the README and all pages keep the limits.
func TestDocuments(t *testing.T) {
	texts, err := documents("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 10 {
		t.Fatalf("%d documents", len(texts))
	}
	for _, text := range texts {
		if m := text.measure(); !m.keepsLimits() {
			t.Errorf("%s: the mean is %.1f words and the longest sentence has %d; at most %d and %d are readable", text.name, m.mean(), m.longest, mean, longest)
		}
		for _, s := range text.tooLong() {
			t.Errorf("%s: %s", text.name, s)
		}
		for _, term := range text.unexplained {
			t.Errorf("%s does not explain %s, in italics or by a link, where it first uses it", text.name, term)
		}
	}
}

// TestMeasureNotices measures texts with one fault each.
func TestMeasureNotices(t *testing.T) {
	for _, c := range []struct {
		name, document string
		want           measure
		ok             bool
	}{
		{"short", "The file is small. It has two lines.", measure{sentences: 2, words: 8, longest: 4}, true},
		{"a sentence of 31 words", strings.Repeat("a ", 31) + ". B c.", measure{sentences: 2, words: 33, longest: 31}, false},
		{"a mean of 17 words", strings.Repeat("a ", 17) + ". " + strings.Repeat("B ", 17) + ".", measure{sentences: 2, words: 34, longest: 17}, false},
		{"semicolons do not end a sentence", strings.Repeat("a b; ", 16), measure{sentences: 1, words: 32, longest: 32}, false},
		{"line breaks do not end a sentence", strings.Repeat("a\n", 31), measure{sentences: 1, words: 31, longest: 31}, false},
		{"code and tables do not count", "# A b c\n\nSee `a b c`:\n\n```sh\n" + strings.Repeat("a ", 31) + "\n```\n\n| " + strings.Repeat("a ", 31) + "|\n", measure{sentences: 1, words: 2, longest: 2}, true},
		{"items are sentences", "- a b\n- c d\n  e f\n\n1. g\n", measure{sentences: 3, words: 7, longest: 4}, true},
		{"links count by their text", "See [the page](https://a.b/c_d).", measure{sentences: 1, words: 3, longest: 3}, true},
		{"passive and long words", "The conversation is never changed. It was there.", measure{sentences: 2, words: 8, longest: 5, longWords: 2, passive: 1}, true},
		{"numbers and names", "It is 1.18 for `a.go`. 12 files are in cmd/run.go.", measure{sentences: 2, words: 10, longest: 5, longWords: 1}, true},
		{"spans with backticks", "Use ``a '```' b`` or `c`. No.", measure{sentences: 2, words: 5, longest: 4}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := text{name: c.name, sentences: sentences(markdown(c.document))}
			got := text.measure()
			if got != c.want {
				t.Errorf("got  %+v\nwant %+v\n%q", got, c.want, text.sentences)
			}
			if got.keepsLimits() != c.ok {
				t.Errorf("keeps the limits: %v", got.keepsLimits())
			}
			if long := text.tooLong(); (len(long) > 0) != (got.longest > longest) {
				t.Errorf("too long: %q", long)
			}
		})
	}
}

// TestSentences divides a paragraph.
func TestSentences(t *testing.T) {
	got := sentences("It reads .json files (one each). A \"quoted\" end.” Next? Yes!\n\nversion 2.0 of it, e.g. this\none")
	want := []string{"It reads .json files (one each).", "A \"quoted\" end.”", "Next?", "Yes!", "version 2.0 of it, e.g. this one"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestUnexplained checks which terms count as explained.
func TestUnexplained(t *testing.T) {
	for document, want := range map[string]string{
		"A *marker* is a phrase. Markers stay.": "",
		"See [markers](a.md), then a marker.":   "",
		"Markers stay. A *marker* is a phrase.": "marker",
		"# Marker\n\n`marker`\n\n| marker |\n":  "",
		"A stash and its presets":               "stash, preset",
		"The effective\nview":                   "effective view",
	} {
		if got := strings.Join(unexplained(document), ", "); got != want {
			t.Errorf("%q: got %q, want %q", document, got, want)
		}
	}
}
