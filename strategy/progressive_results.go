package strategy

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// Sizes after compacting, in characters, as in Antigravity Manager.
const (
	maxResults   = 200_000 // largest size of all results of a message
	snapshotFrom = 20_000  // largest size of a page snapshot that is not cut
	maxSnapshot  = 16_000  // largest size of a page snapshot that was cut
	minResult    = 2_000   // smallest limit that Aggression leads to
)

// Aggression halves the limit for older rounds. The number of halvings grows with the age
// of the round, up to maxHalvings at oldRounds before the last round. maxHalvings bring
// maxResults to about minResult.
const (
	oldRounds   = 20
	maxHalvings = 7
)

// Compacting removes noise from results by fixed rules and without a budget, as a proxy
// does with every request. Smart-compress differs: it chooses, under a budget, among the
// pieces into which package squeeze cuts a text.

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

// roomFor returns the largest number of characters for the results of a message. before is
// the number of rounds after its own.
func roomFor(before int, aggression float64) int {
	halvings := int(aggression * float64(maxHalvings*min(before, oldRounds)) / oldRounds)
	return max(maxResults>>halvings, minResult)
}

// compactMessage returns the edits that compact the results of a message, to at most room
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
	page contents = iota // a web page, the answer of a service, or other content
	log                  // the output of a command while it ran
	file                 // a file, or a part of one
)

// filePrinters matches commands that print files or search in them. Similar lines in their
// output are not noise.
var filePrinters = lazyregexp.New(`(?:^|[\s;&|>('"])(?:cat|bat|head|tail|less|more|nl|sed|awk|jq|diff|show|grep|rg|ag|find|ls|tree|type|Get-Content)\b`)

// printed returns the kind of content that a call returned. If in doubt, it returns file.
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

// compact applies the rules for a kind of content to the text of a result, and then cuts
// the text to max characters.
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
	pageStart  = lazyregexp.New(`(?i)<(?:html|body|!doctype)\b`)
	pageStyle  = lazyregexp.New(`(?is)<style\b[^>]*>.*?</style\s*>`)
	pageScript = lazyregexp.New(`(?is)<script\b[^>]*>.*?</script\s*>`)
	dataURL    = lazyregexp.New(`(?i)data:([a-z0-9.+/-]+)[a-z0-9.+=;-]*;base64,[a-z0-9+/=_-]{64,}`)
	blankLines = lazyregexp.New(`\n(?:[ \t\r]*\n)+`)
)

// cleanPage removes embedded files from a text, and styles, scripts and blank lines
// from HTML.
func cleanPage(text string) string {
	if strings.Contains(text, ";base64,") { // much faster than the expression
		text = dataURL.ReplaceAllString(text, "[$1 base64 omitted]")
	}
	if !pageStart.MatchString(text) {
		return text
	}
	text = pageStyle.ReplaceAllLiteralString(text, transcript.Marker("style"))
	text = pageScript.ReplaceAllLiteralString(text, transcript.Marker("script"))
	return blankLines.ReplaceAllLiteralString(text, "\n")
}

// saved matches the notice with which Claude Code replaces an output that is too long. The
// notice has the size of the output, and the path of the file in which it was saved.
var saved = lazyregexp.New(`(?i)^[^\n]{0,40}\bresult \([\d,]+ characters\) exceeds maximum allowed tokens\.\s+Output (?:has been )?saved to ([^\n]+)`)

// savedOutput shortens such a notice to its first sentences, the line about the format of
// the output, and a marker. ok is false for other texts.
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

// snapshotRefs is the number of references to elements that a text may have without being
// a snapshot.
const snapshotRefs = 30

// isSnapshot reports whether a text is a long snapshot of a page in a browser.
func isSnapshot(text string) bool {
	if utf8.RuneCountInString(text) <= snapshotFrom {
		return false
	}
	return strings.Contains(strings.ToLower(text), "page snapshot") || strings.Contains(text, "页面快照") ||
		strings.Count(text, "ref=") > snapshotRefs
}

// headTail shortens a snapshot to max characters: its start, a marker and its end. The start
// has seven tenths of the room, but at most 10,000 characters. The end has the rest, but at
// most 3,000 characters.
func headTail(text string, max int) string {
	const beside = 200 // room for the marker
	n := utf8.RuneCountInString(text)
	if n <= max {
		return text
	}
	budget := max - beside
	head := min(budget*7/10, 10_000)
	tail := min(budget-head, 3_000)
	first := strings.TrimRightFunc(text[:clusterBefore(text, runeOffset(text, head))], unicode.IsSpace)
	last := strings.TrimLeftFunc(text[clusterAfter(text, runeOffset(text, n-tail)):], unicode.IsSpace)
	gone := transcript.Number(n - utf8.RuneCountInString(first) - utf8.RuneCountInString(last))
	return first + "\n" + transcript.Marker("middle of the page snapshot: "+gone+" characters") + "\n" + last
}

// The largest number of bytes by which a cut moves back to the start of a tag or an object.
const (
	maxTag    = 1_000
	maxObject = 100
)

// cutSafely shortens a text to max characters: its start and a marker. It does not cut
// inside a tag, soon after the start of an object, or inside a grapheme cluster.
func cutSafely(text string, max int) string {
	n := utf8.RuneCountInString(text)
	if n <= max {
		return text
	}
	const beside = 40 // room for the marker
	cut := clusterBefore(text, runeOffset(text, max-beside))
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

// runeOffset returns the offset of rune n of a text, from 0. It returns 0 for a negative n,
// and the length of the text if it has no more than n runes.
func runeOffset(text string, n int) int {
	for i := range text {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(text)
}

// reach is the number of bytes before an offset at which the search for a grapheme cluster
// begins. A longer cluster may be cut.
const reach = 512

// clusterBefore returns the last border of a grapheme cluster at or before an offset.
func clusterBefore(text string, at int) int {
	border, _ := clusterAround(text, at)
	return border
}

// clusterAfter returns the first border of a grapheme cluster at or after an offset.
func clusterAfter(text string, at int) int {
	_, border := clusterAround(text, at)
	return border
}

// clusterAround returns the borders of the grapheme cluster around an offset. If the offset
// is a border, it returns the offset twice.
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

// over returns the number of tokens that a layer has to save. The layer runs above a share
// of the window. It saves down to the budget, or to that share without a budget. If the
// layer does not run, skip is the reason.
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
