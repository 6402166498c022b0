package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// This file finds whether the last turn has changed anything yet.

// unedited is what the last record of a turn says if no call of the turn wrote to a file up to there: that nothing is done
// yet shows only where all calls are named.
const unedited = "no edits or writes so far in this turn"

// mayWrite reports whether the calls of a step may have written to files: no tool for reading, no check, and no command
// of programs that only print.
func mayWrite(s *step, call *transcript.Block) bool {
	switch s.kind {
	case fact.ReadTool, fact.SearchTool, fact.ListTool, fact.WebTool, fact.TodoTool, fact.TalkTool:
		return false
	case fact.ShellTool:
		return len(s.calls) > 1 || subject.Changes(call) || !onlyPrints(subject.Command(call))
	}
	return !isPlanned(call.Tool) && !looksUp.MatchString(call.Tool)
}

// looksUp matches the names of tools that only look something up, such as ToolSearch and mcp__tracker__get_issue.
var looksUp = lazyregexp.New(`(?:^|__)(?i:(?:tool_?)?(?:search|find|grep|glob|list|get|fetch|view|read|show|query|describe|look_?up))(?:_|$|[A-Z])`)

// quotedWords matches strings in quotes, and redirections that write to no file.
var quotedWords = lazyregexp.New(`"(?:[^"\\]|\\.)*"|'[^']*'|\d?>&\d|\d?> ?/dev/null`)

// prints matches a command that changes no file that the model wrote: of a program that prints, of Git without one that
// takes files from a commit, and a check.
var prints = lazyregexp.New(`^(?:(?:time|env|\w+=\S*) )*(?:(?:cd|cat|ls|pwd|rg|grep|egrep|head|tail|wc|sort|uniq|nl|cut|tr|jq|diff|tree|stat|file|du|which|echo|printf|true|exit|test|sleep|ps|env|date|find|sed -n|command -v|curl -s?I)(?: |$)|` +
	`git (?:-\S+ \S+ )*(?:status|log|diff|show|blame|grep|ls-files|rev-parse|remote|add|commit|push|fetch|tag|branch|checkout -[bB]|switch)\b|` +
	`(?:python3? -m )?(?:pytest|jest|vitest|mocha|tox|ctest|rspec|phpunit|tsc|mypy|golangci-lint|staticcheck|unittest|eslint)\b|(?:make|` + runners + `) (?:run )?(?:test|t|vet|check|lint)\b)`)

// asks matches a command that only looks something up, such as "gh issue view", unless effects matches it, too.
var asks = lazyregexp.New(`^[a-z][\w./@-]+(?: --?[\w-]+)?(?: [\w.@-]+)?(?: [\w-]+)? (?:status|list|ls|show|view|explain|inspect|info|describe|search|logs?|help|--help|--version)(?: |$)`)

// writesFiles matches what makes other commands write to files.
var writesFiles = lazyregexp.New(`(?:^|\s)(?:--fix|--write|--update\S*|--output\S*|-[iouwO]|-delete|-exec|touch|tar|unzip|dd|install|truncate)(?:\s|$)|<<`)

// onlyPrints reports whether all commands of a line only print or look something up.
func onlyPrints(line string) bool {
	if redirectsTo(line) != "" || strings.Contains(line, "$(") || strings.Contains(line, "`") { // also in quotes
		return false
	}
	line = quotedWords.ReplaceAllString(line, " text ")
	if writesFiles.MatchString(line) {
		return false
	}
	for command := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";&|\n", r) }) {
		if command = strings.TrimSpace(command); command != "" && !prints.MatchString(command) && (!asks.MatchString(command) || effects.MatchString(command)) {
			return false
		}
	}
	return true
}

// uneditedBehind returns one more than the index of the step behind whose words a record says that the last turn has no
// edits. It returns 0 where that is not so, not known, or where no record of the turn leaves calls out.
func (c *choice) uneditedBehind() int {
	behind, calls := 0, 0
	for i := len(c.seq) - 1; i >= 0 && int(c.turns[c.seq[i].msg]) == c.lastTurn; i-- {
		e := &c.seq[i]
		switch {
		case e.kind == oldElement: // it may be the record of an edit
			return 0
		case e.kind != stepElement:
			continue
		case c.steps[e.at].writes || len(c.steps[e.at].also().before)+len(c.steps[e.at].also().after) > 0:
			return 0
		}
		calls++
		if behind == 0 && !c.steps[e.at].real {
			behind = int(e.at) + 1
		}
	}
	if calls < leastUnedited || !c.beginsTyped() || c.Budget < uneditedBudget {
		return 0
	}
	return behind
}

// beginsTyped reports whether the last turn begins with typed text, and no client has compacted the conversation since.
func (d *draft) beginsTyped() bool {
	for _, m := range slices.Backward(d.Conv.Messages) {
		if m.Hidden {
			return false
		}
		for _, b := range m.Blocks {
			switch {
			case m.Role != transcript.User || b.Kind != transcript.Text:
			case b.Origin == transcript.Typed:
				return true
			case b.Origin == transcript.Generated:
				return false
			}
		}
	}
	return false
}

// leastUnedited is the number of calls of a turn from which on it is worth the words that none of them edits.
const leastUnedited = 3

// uneditedBudget is the budget in tokens from which on the words take no more than a hundredth of it.
const uneditedBudget = 1_000
