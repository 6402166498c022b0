package strategy

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// Sizes that compacting leaves, in characters, as in Antigravity Manager.
const (
	maxResults   = 200_000 // all results of one message
	snapshotFrom = 20_000  // a page snapshot is cut when it is longer
	maxSnapshot  = 16_000
	minResult    = 2_000 // the least that aggression leaves of a result
)

// Results of rounds that are oldRounds or more before the last one are cut by the whole
// of Aggression: maxHalvings bring maxResults to about minResult.
const (
	oldRounds   = 20
	maxHalvings = 7
)

// Compacting removes noise from results by fixed rules and without a budget, as a proxy
// does with every request. Package squeeze only cuts a text into pieces, among which
// smart-compress chooses under a budget. Both ask squeeze what a line says.

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

// roomFor returns the characters that the results of a message may have whose round is
// before the last one by the given number: half as many for each step of aggression.
func roomFor(before int, aggression float64) int {
	halvings := int(aggression * float64(maxHalvings*min(before, oldRounds)) / oldRounds)
	return max(maxResults>>halvings, minResult)
}

// compactMessage returns rewrites of a message's results, which may have room
// characters together.
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
			if p.Head > 0 { // a rewrite puts a line break after the head
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

// contents is the kind of content of a tool result.
type contents uint8

const (
	page contents = iota // anything else: a page, an answer of a service
	log                  // output of a command while it ran
	file                 // a file, or a part of one
)

// filePrinters matches commands that print files or search in them: similar lines of
// their output are not noise.
var filePrinters = regexp.MustCompile(`(?:^|[\s;&|>('"])(?:cat|bat|head|tail|less|more|nl|sed|awk|jq|diff|show|grep|rg|ag|find|ls|tree|type|Get-Content)\b`)

// printed returns the kind of content that a call returned: a file in case of doubt.
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

// compact applies the rules for tool results in order, and then cuts what is longer
// than max characters.
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

// cleanPage removes embedded files from a text, and styles, scripts and blank lines
// from HTML.
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

// saved matches the answer of Claude Code in place of an output that is too long. It
// has the size of the output and the path of a file.
var saved = regexp.MustCompile(`(?i)^[^\n]{0,40}\bresult \([\d,]+ characters\) exceeds maximum allowed tokens\.\s+Output (?:has been )?saved to ([^\n]+)`)

// savedOutput returns the notice of such an answer and the line on the format of the
// output. ok is false for other texts.
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
	return strings.Join(append(kept, transcript.Marker("rest of the notice of "+subject.Short(path))), "\n"), true
}

// snapshotRefs is the number of references to elements above which a text is a
// snapshot.
const snapshotRefs = 30

// isSnapshot reports whether a text is a long snapshot of a page in a browser.
func isSnapshot(text string) bool {
	if utf8.RuneCountInString(text) <= snapshotFrom {
		return false
	}
	return strings.Contains(strings.ToLower(text), "page snapshot") || strings.Contains(text, "页面快照") ||
		strings.Count(text, "ref=") > snapshotRefs
}

// headTail keeps the start and the end of a snapshot: seven tenths and the rest, but at
// most 10,000 and 3,000 characters.
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
	gone := transcript.Number(n - utf8.RuneCountInString(first) - utf8.RuneCountInString(last))
	return first + "\n" + transcript.Marker("middle of the page snapshot: "+gone+" characters") + "\n" + last
}

// How far a cut moves back so that it does not end in a tag or in an object.
const (
	maxTag    = 1_000 // bytes
	maxObject = 100
)

// cutSafely returns the start of a text that is longer than max characters, with a
// marker that counts as part of it. The cut is not inside a tag, at the start of an
// object or in a character.
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
	marker := transcript.Marker(transcript.Number(utf8.RuneCountInString(text[len(head):])) + " characters")
	if head == "" {
		return marker
	}
	return head + "\n" + marker
}

// runes returns the offset of rune number n of text; 0 for a negative n.
func runes(text string, n int) int {
	for i := range text {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(text)
}

// reach is how far before an offset the search for a grapheme cluster begins. A longer
// cluster is cut.
const reach = 512 // bytes

// clusterBefore returns the last border of a grapheme cluster that is not after offset
// at.
func clusterBefore(text string, at int) int {
	border, _ := clusterAround(text, at)
	return border
}

// clusterAfter returns the first border of a grapheme cluster that is not before offset
// at.
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

// over returns the tokens that a layer has to save. It starts at a share of the window,
// and saves down to the target, or to the share itself without one. skip is why it does
// not start.
func (in *Input) over(share float64) (need int, skip string) {
	total := 0
	for _, b := range in.Conv.Blocks() {
		total += in.Tokens(b)
	}
	window := cmp.Or(in.Opts.Window, in.Budget)
	start := share * float64(window)
	switch {
	case window == 0:
		return 0, "neither a window nor a target says how large the conversation may be"
	case float64(total) <= start:
		return 0, fmt.Sprintf("%s tokens are within %s of the window of %s", transcript.Number(total), formatShare(share), transcript.Number(window))
	case in.Budget > 0:
		return in.Need, ""
	}
	return total - int(start), ""
}
