package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A measure has the figures of a text.
type measure struct {
	sentences, words, longWords, longest, passive int
}

// measure counts the words of a text.
func (t text) measure() measure {
	m := measure{sentences: len(t.sentences)}
	for _, s := range t.sentences {
		words := wordsOf(s)
		m.words += len(words)
		m.longest = max(m.longest, len(words))
		for _, w := range words {
			if utf8.RuneCountInString(w) > 6 && w != code {
				m.longWords++
			}
		}
		if isPassive(words) {
			m.passive++
		}
	}
	return m
}

// mean returns the words per sentence.
func (m measure) mean() float64 { return float64(m.words) / float64(max(m.sentences, 1)) }

// keepsLimits reports whether neither the longest sentence nor the mean is too long.
func (m measure) keepsLimits() bool { return m.longest <= longest && m.mean() <= mean }

// String returns the cells of a row of the table.
func (m measure) String() string {
	percent := func(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
	return fmt.Sprintf("%9d %6d %6.1f %8d %7.0f%% %5.0f", m.sentences, m.words, m.mean(), m.longest,
		percent(m.passive, m.sentences), m.mean()+percent(m.longWords, m.words))
}

// tooLong returns the sentences with too many words, each after their number.
func (t text) tooLong() (list []string) {
	for _, s := range t.sentences {
		if n := len(wordsOf(s)); n > longest {
			list = append(list, fmt.Sprintf("%d: %s", n, s))
		}
	}
	return list
}

// code stands for an example of code in a sentence, and counts as one word.
const code = "xcodex"

var (
	blocks   = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
	comments = regexp.MustCompile(`(?s)<!--.*?-->|</?\w+>`)
	links    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	indented = regexp.MustCompile(`(?m)^ {2,}.*$`)
	item     = regexp.MustCompile(`^\s*(?:[-*]|\d+\.)\s+`)
)

// markdown returns the prose of a document, with an empty line between paragraphs and items: no
// headings, tables or blocks of code.
func markdown(document string) string {
	document = blocks.ReplaceAllString(document, "\n")
	document = withoutSpans(document)
	document = comments.ReplaceAllString(document, "")
	document = links.ReplaceAllString(document, "$1")
	var b strings.Builder
	inItem := false
	for line := range strings.Lines(document) {
		isItem := item.MatchString(line)
		switch {
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "|"), strings.HasPrefix(line, "    ") && !inItem:
			b.WriteString("\n")
			continue
		case isItem:
			b.WriteString("\n")
			line = item.ReplaceAllString(line, "")
		}
		inItem = isItem || inItem && strings.TrimSpace(line) != ""
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// withoutSpans replaces spans of code. A span ends at as many backticks as it begins with.
func withoutSpans(document string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(document, '`')
		if i < 0 {
			return b.String() + document
		}
		b.WriteString(document[:i])
		rest := strings.TrimLeft(document[i:], "`")
		fence := document[i : len(document)-len(rest)]
		end := -1
		for at := 0; end < 0; {
			j := strings.Index(rest[at:], fence)
			if j < 0 {
				return b.String() + rest
			}
			run := len(rest[at+j:]) - len(strings.TrimLeft(rest[at+j:], "`"))
			if run == len(fence) {
				end = at + j
			}
			at += j + run
		}
		b.WriteString(code)
		document = rest[end+len(fence):]
	}
}

// manualText returns the prose of a page of the manual. Indented lines are tables or code.
func manualText(page string) string {
	before, _, _ := strings.Cut(page, "### SEE ALSO")
	return markdown(indented.ReplaceAllString(before, "\n"))
}

// terms have a meaning of their own in the documents. The first use of each on a page must explain it,
// in italics, or be a link to the explanation.
var terms = regexp.MustCompile(`(?i)(.?)\b(marker|stash|preset|mirror|effective view|hidden history|typed text|injected text|manifest|baseline|fact)(?:e?s)?\b`)

// unexplained returns the terms that a document uses before it explains them.
func unexplained(document string) (list []string) {
	document = withoutSpans(blocks.ReplaceAllString(document, "\n"))
	var kept []string
	for line := range strings.Lines(document) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "|") {
			kept = append(kept, strings.Fields(line)...)
		}
	}
	seen := map[string]bool{}
	for _, m := range terms.FindAllStringSubmatch(strings.Join(kept, " "), -1) {
		term := strings.ToLower(m[2])
		if !seen[term] && m[1] != "*" && m[1] != "[" {
			list = append(list, term)
		}
		seen[term] = true
	}
	return list
}

// sentences divides paragraphs, which empty lines separate, into sentences.
func sentences(prose string) (list []string) {
	for _, paragraph := range strings.Split(prose, "\n\n") {
		fields := strings.Fields(paragraph)
		var current []string
		end := func() {
			if s := strings.Join(current, " "); len(wordsOf(s)) > 0 {
				list = append(list, s)
			}
			current = nil
		}
		for i, word := range fields {
			current = append(current, word)
			if i+1 < len(fields) && endsSentence(word, fields[i+1]) {
				end()
			}
		}
		end()
	}
	return list
}

// endsSentence reports whether a sentence ends with a word, if another one follows.
func endsSentence(word, next string) bool {
	word = strings.TrimRight(word, `"”’')]*`)
	if !strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "?") && !strings.HasSuffix(word, "!") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, `"“‘'([*`))
	return unicode.IsUpper(first) || unicode.IsDigit(first) || strings.Contains(next, code) || strings.HasPrefix(next, "--") || next == "condense"
}

var word = regexp.MustCompile(`[\p{L}\p{N}]+(?:['’.,_/-][\p{L}\p{N}]+)*`)

// wordsOf returns the words of a sentence.
func wordsOf(sentence string) []string { return word.FindAllString(sentence, -1) }

var (
	forms      = regexp.MustCompile(`(?i)^(?:is|are|was|were|be|been|being|gets|isn't|aren't)$`)
	participle = regexp.MustCompile(`(?i)^(?:\w+[^e]ed|written|read|kept|found|shown|made|taken|left|sent|known|set|cut|lost|held|put|built|chosen|begun|seen|done|hidden|given|meant|paid|split|shut|brought|thrown|undone|overwritten|rewritten|understood)$`)
	between    = regexp.MustCompile(`(?i)^(?:not|never|always|also|only|still|then|already|too|therefore|again|all|both|each|\w+ly)$`)
)

// isPassive reports whether a sentence has a form of "be" before a participle.
func isPassive(words []string) bool {
	for i, w := range words {
		if !forms.MatchString(w) {
			continue
		}
		for _, next := range words[i+1:] {
			if participle.MatchString(next) {
				return true
			}
			if !between.MatchString(next) {
				break
			}
		}
	}
	return false
}
