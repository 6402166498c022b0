package chronicle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// This file describes the outcomes of calls in records.

// outcome returns the outcome of a step in words, or "" when the call is sufficient.
func (d *draft) outcome(s *step, call *transcript.Block) string {
	if len(s.results) == 0 {
		return " (no result recorded)"
	}
	b, repeated := d.resultOf(s)
	most, brief := mostFailure, briefOutput
	if repeated {
		most, brief = mostRepeated, mostRepeated
	}
	body, failed := output(b.Body())
	switch {
	case strings.Contains(body[:min(len(body), longestRefusal)], rejected):
		s.complete = !quotesUser.MatchString(body)
		return " failed: " + rejected
	case b.Error || failed:
		return failedOutcome(call, b, failure(body, most))
	}
	trimmed := withoutNotices(body)
	switch line := running.FindString(b.Body()[:len(b.Body())-len(body)]); {
	case line != "": // another call returns the rest of its output
		return ": " + line
	case call != nil && subject.Changes(call) && (subject.Writes(call) || subject.InProse(call)):
		if _, list, found := strings.Cut(trimmed, newProblems); found {
			head, first, _ := strings.Cut(list, "\n- ")
			return strings.TrimRight(" ok, "+newProblems+": "+clean(problemFile(head)+first, mostFailure), ": ")
		}
		return " ok"
	case call != nil && s.changes && call.Arg("taskId", "task_id", "id") != "":
		return ""
	case trimmed == "" && hasMedia(b):
		return ""
	case trimmed == "":
		return " ok, " + noOutput
	case isCleared(trimmed):
		return ""
	case transcript.IsMarker(trimmed): // it is shortened already
		if line := verdict(trimmed); line != "" && s.changes {
			return ": " + clean(line, most)
		}
		return ""
	case len(trimmed) <= brief && (strings.Count(trimmed, "\n") < shortLines || len(b.Body()) <= shortResult): // lines of a short result are not quoted
		s.complete = true
		return ": " + cleanLines(trimmed)
	case refusal(trimmed) != "":
		return ": " + clean(refusal(trimmed), most)
	case s.changes:
		if line := verdict(trimmed); line != "" {
			return ": " + clean(line, most)
		}
	case s.kind == fact.ReadTool:
		return ""
	case lastStatus(call, trimmed) != "":
		return ": " + clean(lastStatus(call, trimmed), mostFailure)
	}
	if repeated {
		return ""
	}
	return sizeAndPlaces(s, call, trimmed)
}

// problemFile returns the file of the first of the problems that Cline and Roo Code list behind some lines, and a blank. It
// returns "" if these name none: the problem is in the file of the call.
func problemFile(head string) string {
	file := strings.TrimSpace(head[strings.LastIndexByte(head, '\n')+1:])
	if file == "" || strings.ContainsAny(file, " \t:") {
		return ""
	}
	return file + " "
}

// sizeAndPlaces returns the size of an output, and the places of the hits if it is that of a search.
func sizeAndPlaces(s *step, call *transcript.Block, output string) string {
	if call != nil && (s.kind == fact.SearchTool || squeeze.Searches(subject.Command(call))) {
		if places := placesOf(output); places != "" {
			return " (" + sizeOf(output) + ": " + places + ")"
		}
	}
	return " (" + sizeOf(output) + ")"
}

// failedOutcome returns the outcome of a call whose result b reports a failure for the reason why.
func failedOutcome(call, b *transcript.Block, why string) string {
	switch {
	case why == "":
		return " failed"
	case foundNothing(call, b.Body(), why):
		return ": no match"
	}
	return " failed: " + why
}

// lastStatus returns the last status of HTTP in the output of a call of curl, or "".
func lastStatus(call *transcript.Block, output string) string {
	if call == nil || !strings.Contains(subject.Command(call), "curl ") {
		return ""
	}
	list := httpStatus.FindAllString(output, -1)
	if list == nil {
		return ""
	}
	return list[len(list)-1]
}

// running matches the line in which Codex says that a command has not ended.
var running = lazyregexp.New(`(?m)^Process running with session ID \d+$`)

// cleared matches what clients put in the place of an old result: "[Old tool result content cleared]" of Claude
// Code and OpenCode, "[Compacted history content evicted to durable cold storage]" of oh-my-pi.
var cleared = lazyregexp.New(`^\[[^\[\]\n]{0,100}\b(?:content|result|output)s?\b[^\[\]\n]{0,100}\b(?:cleared|evicted|pruned)\b[^\[\]\n]{0,100}\]$`)

// isCleared reports whether a text only says that a client removed what was there.
func isCleared(text string) bool { return strings.HasPrefix(text, "[") && cleared.MatchString(text) }

// foundNothing reports whether a failed call is a search that ended with exit code 1, and said no more
// than that.
func foundNothing(call *transcript.Block, result, why string) bool {
	if call == nil || strings.Trim(why, "()") != noOutput && !exitCode.MatchString(why) {
		return false
	}
	code, ok := exitOf(result)
	if !ok {
		code, ok = exitOf(why)
	}
	return (!ok || code == "1") && squeeze.EndsInSearch(subject.Command(call))
}

// noOutput is the outcome of a command that printed nothing.
const noOutput = "no output"

// resultOf returns the first result of a step as it was before the run, and reports whether an earlier stage
// left only a marker of it, because another result is equal.
func (d *draft) resultOf(s *step) (b *transcript.Block, repeated bool) {
	b = d.Conv.Block(s.results[0])
	if d.Original == nil {
		return b, false
	}
	whole := d.Original(s.results[0])
	if whole == nil || whole == b {
		return b, false
	}
	return whole, transcript.IsMarker(strings.TrimSpace(b.Body()))
}

// rejected is what Claude Code says of a call that the user did not allow. The sentence goes on with what would be true
// of an edit.
const rejected = "The tool use was rejected"

// quotesUser matches the words in front of what the user said of a call.
var quotesUser = lazyregexp.New(`(?i)\bthe user (?:said|provided)`)

// refuses reports whether a tool says with a line that it did not do, or did not finish, what was asked.
func refuses(line string) bool {
	return len(line) <= longestRefusal && slices.ContainsFunc(refusals, func(words string) bool { return strings.Contains(line, words) })
}

// longestRefusal is the length in bytes up to which a line can be a refusal.
const longestRefusal = 1_000

// refusals are words of agents and their tools, some of which do not flag the result as an error.
var refusals = []string{
	"timed out", "been killed", "was interrupted", "not applied", "was rejected", "were rejected", "been rejected", "was denied", "doesn't want to",
	"No exact match", "No match found", "to replace not found", "introduced new syntax error",
}

// refusal returns the first or the last line of an output if it refuses, and otherwise "".
func refusal(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	for _, line := range [...]string{first, rest[strings.LastIndexByte(rest, '\n')+1:]} {
		if refuses(line) {
			return commandTags.Replace(line)
		}
	}
	return ""
}

// commandTags removes the tags in which some agents write a call, and repeat it.
var commandTags = strings.NewReplacer("<command>", "", "</command>", "")

// markRefusal makes the first or the last line of a result a signal if it refuses.
func (t *text) markRefusal() {
	first, last := -1, -1
	for i := range t.cut.Pieces {
		if t.idle(i) {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	for _, i := range [...]int{first, last} {
		if i >= 0 && refuses(t.source(i, i+1)) {
			t.cut.Pieces[i].Cue = max(t.cut.Pieces[i].Cue, 1)
		}
	}
}

// markAnnounced makes a line a signal that follows an error which announces it: "failed due to the following issues:".
func (t *text) markAnnounced() {
	announced := false
	for i := range t.cut.Pieces {
		line := strings.TrimSpace(t.source(i, i+1))
		if line == "" {
			continue
		}
		p := &t.cut.Pieces[i]
		if announced {
			p.Cue = max(p.Cue, 1)
		}
		announced = !announced && p.Cue >= 1 && strings.HasSuffix(line, ":")
	}
}

// hasMedia reports whether a block has an image or another file.
func hasMedia(b *transcript.Block) bool {
	return slices.ContainsFunc(b.Parts, func(p transcript.Part) bool { return p.Media != nil })
}

// newProblems is in front of the diagnostics that Cline and Roo Code report after they save a file.
const newProblems = "New problems detected"

// sizeOf returns the length of a text in words: "12 lines", or "80 bytes" for one line.
func sizeOf(text string) string {
	n, noun := subject.Size(text)
	return fmt.Sprintf("%d %s", n, noun)
}

// httpStatus matches the status of an answer that curl prints with its headers.
var httpStatus = lazyregexp.New(`HTTP/[\d.]+ \d{3}\b[^\r\n]*`)

// exitCode matches a line with the exit code of a command.
var exitCode = lazyregexp.New(`(?im)^(?:process )?exit(?:ed with)? code:? ([0-9]+)`)

// exitOf returns the exit code in the first line that has one. Only lines with the first letter
// of exitCode are matched, because the expression is slow.
func exitOf(text string) (code string, ok bool) {
	for line := range strings.Lines(text) {
		if strings.IndexByte("eEpP", line[0]) < 0 {
			continue
		}
		if m := exitCode.FindStringSubmatch(line); m != nil {
			return m[1], true
		}
	}
	return "", false
}

// output returns the text of a result without the client's header, and reports whether an
// exit code near its start is not 0.
func output(text string) (body string, failed bool) {
	head := transcript.StatusHead(text)
	if code, ok := exitOf(text[:min(len(text), max(300, head))]); ok {
		failed = code != "0"
	}
	return text[head:], failed
}

// longReason times the bytes of a reason is the length from which on the end of the line is shown, too.
const longReason = 4

// banner matches a line with only the name and the version of a program.
var banner = lazyregexp.New(`^[A-Za-z][\w. -]* v?\d+\.\d+\.\d+\S*(?: \([^)]*\))?$`)

// consequence matches a line that says only that a step before it failed: of make, apt, mise, yarn and pnpm, and the name
// of a script that npm prints before it runs it.
var consequence = lazyregexp.New(`^(?:make(?:\[\d+\])?: \*\*\*|Err:\d|> \S+@\d|(?:\[[\w:./-]+\] )?ERROR task failed|error Command failed with exit code|\s*ELIFECYCLE\b)`)

// shellExit matches the line behind the output of a shell of Copilot CLI.
var shellExit = lazyregexp.New(`^<shellId: \d+ completed with (exit code \d+)>$`)

// failure returns the line of a failed result that states the reason, in no more than most bytes, or "" for
// a marker.
func failure(body string, most int) string {
	first, cause, best, code := "", "", "", ""
	n, announced := 0, false // the last line announces a list of errors
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if m := shellExit.FindStringSubmatch(line); m != nil {
			code = m[1]
			continue
		}
		if _, exit := exitOf(line); exit || transcript.IsMarker(line) || isCleared(line) || !strings.ContainsFunc(line, unicode.IsLetter) {
			continue
		}
		if n++; first == "" || n == 2 && banner.MatchString(first) {
			first = line
		}
		if announced { // it is the first error of the list
			best += " " + line
			break
		}
		cue := squeeze.Cue(line)
		if (cue >= 1 && len(line) > 8 || strings.EqualFold(line, "error:") || strings.HasPrefix(line, `"message":`)) && !consequence.MatchString(line) {
			best = line
			if announced = strings.HasSuffix(line, ":"); announced {
				continue
			}
			break
		}
		if cause == "" && cue >= 0.5 && len(line) > 16 && !consequence.MatchString(line) {
			cause = line
		}
		if n > 400 {
			break
		}
	}
	if best == "" || first == cause && len(first) <= shortOutput {
		best = cmp.Or(cause, code, first)
	}
	switch {
	case best == "" && (transcript.IsMarker(strings.TrimSpace(body)) || isCleared(strings.TrimSpace(body))):
		return ""
	case best == "" && strings.TrimSpace(body) == "":
		return noOutput
	case best == "":
		best, _, _ = strings.Cut(strings.TrimSpace(body), "\n")
	}
	if len(best) > longReason*most { // the reason often stands behind what was asked
		at := len(best) - most/2
		at += max(0, strings.IndexByte(best[at:], ' '))
		return clean(best, most/2) + " " + clean(best[at:], most/2)
	}
	return clean(best, most)
}
