package strategy

import (
	"context"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"condense/transcript"
	"condense/transcript/fact"
)

// Sizes of what the compactor leaves, in characters (SYSTEMS §3.4).
const (
	maxResults   = 200_000 // all results of one message
	snapshotFrom = 20_000  // a page snapshot is cut when it is longer
	maxSnapshot  = 16_000
	minResult    = 2_000 // what aggression leaves of any result
)

// Results of rounds that are oldRounds or more before the last are cut by the
// whole of --aggression: maxHalvings bring maxResults to about minResult.
const (
	oldRounds   = 20
	maxHalvings = 7
)

// The compactor takes out of results what says nothing, by fixed rules and with no
// budget: what a proxy does to every request. Package squeeze, which smart-compress
// goes by, cuts a text into pieces for a choice under a budget, and takes nothing out
// itself. So their ways of cutting are not each other's; what a line says is asked of
// squeeze by both.

// compactResults proposes shorter tool results, oldest first, until enough is saved.
func compactResults(_ context.Context, in *Input) (Proposal, error) {
	need, skip := in.over(in.Opts.L1)
	if skip != "" {
		return Skip(skip), nil
	}
	var edits []transcript.Edit
	rounds := toolRounds(in.Conv)
	for i, u := range rounds {
		room := roomFor(len(rounds)-1-i, in.Opts.Aggression)
		for _, id := range u.Msgs {
			if need <= 0 {
				return Proposal{Edits: edits}, nil
			}
			shorter := compactMessage(in, in.Conv.Message(id), room)
			need += in.deltas(shorter)
			edits = append(edits, shorter...)
		}
	}
	if edits == nil {
		return Skip("no tool result can be compacted"), nil
	}
	return Proposal{Edits: edits}, nil
}

// roomFor is how many characters the results of a message may have that is of
// the round so many before the last: half as many for each step of aggression.
func roomFor(before int, aggression float64) int {
	halvings := int(aggression * float64(maxHalvings*min(before, oldRounds)) / oldRounds)
	return max(maxResults>>halvings, minResult)
}

// compactMessage returns the rewrites of a message's results, which have room for
// so many characters together.
func compactMessage(in *Input, m *transcript.Message, room int) []transcript.Edit {
	var edits []transcript.Edit
	left := room
	for _, b := range m.Blocks {
		ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
		if b.Kind != transcript.ToolResult {
			continue
		}
		prints := printed(partner(in.Conv, ref), b)
		for i, p := range b.Parts {
			text := p.Text[p.Head:]
			now := text
			if b.Pin != transcript.Verbatim && !b.Fixed && p.Media == nil && !transcript.IsMarker(text) {
				now = compact(text, prints, left)
			}
			if p.Head > 0 { // a rewrite puts a line break behind it
				now = strings.TrimLeft(now, "\n")
			}
			e := transcript.Edit{At: ref, Op: transcript.Rewrite, Text: now, Why: "compacted tool result"}
			if len(b.Parts) > 1 {
				e.At.Part = i
			}
			if now != text && now != "" && in.saves([]transcript.Edit{e}) {
				edits, text = append(edits, e), now
			}
			left -= utf8.RuneCountInString(text)
		}
	}
	return edits
}

// contents is what a tool result is a copy of.
type contents uint8

const (
	page contents = iota // anything else: a page, an answer of a service
	log                  // what a command printed while it ran
	file                 // a file, or a part of one
)

// filePrinters match commands whose output is a file or a search in files, in which
// lines that look alike are not noise.
var filePrinters = regexp.MustCompile(`(?:^|[\s;&|>('"])(?:cat|bat|head|tail|less|more|nl|sed|awk|jq|diff|show|grep|rg|ag|find|ls|tree|type|Get-Content)\b`)

// printed returns what the result of a call is a copy of: a file in case of doubt.
func printed(call, result *transcript.Block) contents {
	tool := result.Tool
	if call != nil && call.Tool != "" {
		tool = call.Tool
	}
	if tool == "" {
		return file
	}
	switch fact.ToolOf(tool) {
	case fact.ReadTool, fact.WriteTool, fact.EditTool, fact.SearchTool, fact.ListTool:
		return file
	case fact.ShellTool:
		if call == nil || filePrinters.MatchString(call.Text()) {
			return file
		}
		return log
	}
	return page
}

// compact applies the rules for tool results in order. max is in characters.
// What is longer after all rules is cut.
func compact(text string, of contents, max int) string {
	if notice, ok := savedOutput(text); ok {
		return notice
	}
	switch of {
	case log:
		text = cleanLog(text, logLines)
	case page:
		text = cleanPage(text)
		if isSnapshot(text) {
			return headTail(text, min(max, maxSnapshot))
		}
	}
	return cutSafely(text, max)
}

var (
	pageStart  = regexp.MustCompile(`(?i)<(?:html|body|!doctype)\b`)
	pageStyle  = regexp.MustCompile(`(?is)<style\b[^>]*>.*?</style\s*>`)
	pageScript = regexp.MustCompile(`(?is)<script\b[^>]*>.*?</script\s*>`)
	dataURL    = regexp.MustCompile(`(?i)data:([a-z0-9.+/-]+)[a-z0-9.+=;-]*;base64,[a-z0-9+/=_-]{64,}`)
	blankLines = regexp.MustCompile(`\n(?:[ \t\r]*\n)+`)
)

// cleanPage takes embedded files out of a text, and styles, scripts and blank
// lines out of HTML.
func cleanPage(text string) string {
	if strings.Contains(text, ";base64,") { // looking is much faster than matching
		text = dataURL.ReplaceAllString(text, "[$1 base64 omitted]")
	}
	if !pageStart.MatchString(text) {
		return text
	}
	text = pageStyle.ReplaceAllLiteralString(text, transcript.Marker("style"))
	text = pageScript.ReplaceAllLiteralString(text, transcript.Marker("script"))
	return blankLines.ReplaceAllLiteralString(text, "\n")
}

// saved matches what Claude Code answers in place of an output that is too long,
// with its number and the path of the file.
var saved = regexp.MustCompile(`(?i)^[^\n]{0,40}\bresult \([\d,]+ characters\) exceeds maximum allowed tokens\.\s+Output (?:has been )?saved to ([^\n]+)`)

// savedOutput keeps of such an answer the notice and what it says of the form of
// the output. ok is false for other texts.
func savedOutput(text string) (notice string, ok bool) {
	text = strings.TrimSpace(text)
	m := saved.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	kept := []string{m[0]}
	rest := text[len(m[0]):]
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		if low := strings.ToLower(line); transcript.IsMarker(line) {
			continue
		} else if strings.HasPrefix(low, "format:") || strings.Contains(low, "schema") {
			kept = append(kept, line)
			break
		}
	}
	path := strings.TrimRight(strings.TrimSpace(m[1]), `)]"'.`)
	return strings.Join(append(kept, transcript.Marker("rest of the notice of "+shorten(path, maxSubject, maxSubjectBytes))), "\n"), true
}

// snapshotRefs is how many references to elements make a text a snapshot.
const snapshotRefs = 30

// isSnapshot reports whether a text is a long snapshot of a page in a browser.
func isSnapshot(text string) bool {
	if utf8.RuneCountInString(text) <= snapshotFrom {
		return false
	}
	return strings.Contains(strings.ToLower(text), "page snapshot") || strings.Contains(text, "页面快照") ||
		strings.Count(text, "ref=") > snapshotRefs
}

// headTail keeps the start and the end of a snapshot: seven tenths and the rest, but
// no more than 10,000 and 3,000 characters.
func headTail(text string, max int) string {
	const beside = 200 // for the marker
	n := utf8.RuneCountInString(text)
	if n <= max {
		return text
	}
	budget := max - beside
	head := min(budget*7/10, 10_000)
	tail := min(budget-head, 3_000)
	first := strings.TrimRightFunc(text[:clusterBefore(text, runes(text, head))], unicode.IsSpace)
	last := strings.TrimLeftFunc(text[clusterAfter(text, runes(text, n-tail)):], unicode.IsSpace)
	gone := thousands(n - utf8.RuneCountInString(first) - utf8.RuneCountInString(last))
	return first + "\n" + transcript.Marker("middle of the page snapshot: "+gone+" characters") + "\n" + last
}

// How far a cut goes back so as not to end in a tag or in an object.
const (
	maxTag    = 1_000 // bytes
	maxObject = 100
)

// cutSafely keeps the start of a text that is longer than max characters, marker
// included. It does not end inside a tag, at the start of an object or in a character.
func cutSafely(text string, max int) string {
	n := utf8.RuneCountInString(text)
	if n <= max {
		return text
	}
	const beside = 40 // for the marker
	cut := clusterBefore(text, runes(text, max-beside))
	if open := strings.LastIndexByte(text[:cut], '<'); open > strings.LastIndexByte(text[:cut], '>') && cut-open < maxTag {
		cut = open
	}
	if open := strings.LastIndexByte(text[:cut], '{'); open >= 0 && cut-open < maxObject {
		cut = open
	}
	head := strings.TrimRightFunc(text[:cut], unicode.IsSpace)
	marker := transcript.Marker(thousands(utf8.RuneCountInString(text[len(head):])) + " characters")
	if head == "" {
		return marker
	}
	return head + "\n" + marker
}

// runes returns the offset of rune number n of text; 0 for less than none.
func runes(text string, n int) int {
	for i := range text {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(text)
}

// reach is how far before an offset the search for borders of characters begins.
// One that is longer is cut.
const reach = 512 // bytes

// clusterBefore returns the last border of a grapheme cluster that is not behind offset at.
func clusterBefore(text string, at int) int {
	border, _ := clusterAround(text, at)
	return border
}

// clusterAfter returns the first border that is not before it.
func clusterAfter(text string, at int) int {
	_, border := clusterAround(text, at)
	return border
}

func clusterAround(text string, at int) (before, after int) {
	if at <= 0 || at >= len(text) {
		return at, at
	}
	start := max(0, at-reach)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	if nl := strings.LastIndexByte(text[start:at], '\n'); nl >= 0 {
		start += nl + 1
	}
	rest, state := text[start:], -1
	for len(rest) > 0 {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end := start + len(cluster); end >= at {
			if end == at {
				return at, at
			}
			return start, end
		}
		start += len(cluster)
	}
	return at, at
}
