package strategy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/strategy/chronicle"
	"condense/transcript"
)

// A summary is a message of the user that begins with one of these openings. Clients
// recognise summaries, including these, by the first words. In a summary without a model,
// blocks of generated and of typed text alternate. The generated ones after the first begin
// with openingMore.
const (
	opening     = chronicle.Heading + ": lines of it, word for word"
	openingMore = chronicle.Heading + ": answer"

	openingState     = stateElement + "\n<notice>lines of the conversation so far, word for word</notice>"
	openingStateMore = stateElement + "\n<answer><![CDATA[\n"
	stateElement     = "<state_snapshot>"
	stateEnd         = "</state_snapshot>"
)

// Lines of summaries.
const (
	notice   = "Earlier messages, shortened and in order. Brackets describe tool calls."
	rootLine = "Paths in brackets without a leading slash are below " // and the root
)

// notedBefore stands above the notes of a model when a summary without one takes them over.
const notedBefore = "Notes of a model on earlier messages:"

// isSummaryText reports whether a text is a summary of this program, or a block of one.
func isSummaryText(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return line == opening || line == openingMore || line == openingNotes ||
		strings.HasPrefix(text, openingState) || strings.HasPrefix(text, openingStateMore) || strings.HasPrefix(text, openingNotesState)
}

// dataEnd ends character data of XML. dataEndQuoted represents it in such data: one section
// ends within it, and another begins.
const (
	dataEnd       = "]]>"
	dataEndQuoted = "]]]]><![CDATA[>"
)

// storyBlocks returns the blocks of a summary without a model, or nil when the story has no
// generated text.
func storyBlocks(story chronicle.Story, end finale, state bool) (blocks []*transcript.Block) {
	last := -1
	for i, p := range story.Passages {
		if !p.Typed {
			last = i
			end.rules = slices.DeleteFunc(slices.Clone(end.rules), func(rule string) bool { return strings.Contains(p.Text, rule) })
		}
	}
	if last < 0 {
		return nil
	}
	for i, p := range story.Passages {
		if p.Typed {
			if i == 0 {
				blocks = append(blocks, generatedBlock(firstText(story.Root, "", "", state)+userLabel(p.Text, state)))
			}
			blocks = append(blocks, &transcript.Block{Parts: []transcript.Part{{Text: p.Text}}, Origin: transcript.Typed, Pin: transcript.Verbatim})
			continue
		}
		var lists string
		if i == last {
			lists = end.text(state)
		}
		text := moreText(p.Text, lists, state)
		if i == 0 {
			text = firstText(story.Root, p.Text, lists, state)
		}
		if i+1 < len(story.Passages) {
			text += userLabel(story.Passages[i+1].Text, state)
		}
		blocks = append(blocks, generatedBlock(text))
	}
	return blocks
}

func generatedBlock(text string) *transcript.Block {
	return &transcript.Block{Parts: []transcript.Part{{Text: text}}, Origin: transcript.Generated, Pin: transcript.Present}
}

// firstText returns the first block of a summary. body may be "".
func firstText(root, body, lists string, state bool) string {
	if root != "" {
		root = "\n" + rootLine + root
	}
	if !state {
		text := opening + "\n" + notice + root
		if body != "" {
			text += "\n\n" + body
		}
		return text + lists
	}
	text := openingState
	if body += root; body != "" {
		text += "\n<history><![CDATA[\n" + strings.TrimLeft(quotedData(body), "\n") + "\n]]></history>"
	}
	return text + lists + "\n" + stateEnd
}

// moreText returns a later block of a summary.
func moreText(body, lists string, state bool) string {
	if !state {
		return openingMore + "\n" + body + lists
	}
	return openingStateMore + quotedData(body) + "\n]]></answer>" + lists + "\n" + stateEnd
}

func quotedData(text string) string { return strings.ReplaceAll(text, dataEnd, dataEndQuoted) }

func tasksSection(tasks []string, state bool) string {
	return listSection(tasks, chronicle.TasksLine, "current_plan", state)
}

func rulesSection(rules []string, state bool) string {
	return listSection(rules, chronicle.RulesLine, "constraints", state)
}

// listSection returns the section for a list, or "" for an empty one.
func listSection(list []string, heading, element string, state bool) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for _, item := range list {
		b.WriteString("\n " + strings.ReplaceAll(item, "\n", "\n "))
	}
	if state {
		return "\n<" + element + "><![CDATA[" + quotedData(b.String()) + "\n]]></" + element + ">"
	}
	return "\n" + heading + b.String()
}

// userLabel returns the end of the block in front of a typed text. It has the number of lines
// of a text that could be mistaken for a summary: some formats join all blocks of a message.
func userLabel(typed string, state bool) string {
	switch {
	case state:
		return ""
	case strings.Contains(typed, chronicle.Heading):
		return "\n\nUser, " + transcript.Plural(strings.Count(typed, "\n")+1, "line") + ":"
	}
	return "\n\n" + chronicle.UserLine
}

// labelled matches the line that userLabel returns.
var labelled = regexp.MustCompile(`^User(?:, ([\d,]+) lines?)?:$`)

// speaker is the author of a text in a summary.
type speaker uint8

const (
	byModel speaker = iota
	byClient
	byUser
)

// spoken is a text in a summary.
type spoken struct {
	by   speaker
	text string
}

// earlierSummary holds the content of a block of a summary.
type earlierSummary struct {
	spoken []spoken
	finale
	root string
}

// finale holds the lists at the end of a summary: open items of the todo list, and rules.
type finale struct{ tasks, rules []string }

// text returns the lists as they stand in a summary, or "" without any.
func (e finale) text(state bool) string {
	text := tasksSection(e.tasks, state) + rulesSection(e.rules, state)
	if text != "" && !state {
		text = "\n" + text
	}
	return text
}

// readSummary takes a block of a summary apart. A block of a file that joins the blocks of a
// message also holds typed text.
func readSummary(text string) earlierSummary {
	var s earlierSummary
	state := strings.HasPrefix(text, stateElement)
	if from, to, ok := notesIn(text); ok {
		s.add(byModel, []string{notedBefore, "", text[from:to]})
		text = text[to:]
	}
	if state {
		s.states(text)
	} else {
		_, rest, _ := strings.Cut(text, "\n")
		s.lines(rest)
	}
	return s
}

// add adds lines as one text, unless all are blank.
func (s *earlierSummary) add(by speaker, lines []string) {
	if text := strings.Trim(strings.Join(lines, "\n"), "\n"); strings.TrimSpace(text) != "" {
		s.spoken = append(s.spoken, spoken{by, text})
	}
}

// lines reads the text behind the first line of a summary, or one section of a state.
func (s *earlierSummary) lines(text string) {
	by, list := byModel, []string(nil)
	var quoted *[]string // the list of tasks or rules that the lines belong to
	next := func(who speaker) {
		s.add(by, list)
		by, list, quoted = who, nil, nil
	}
	all := strings.Split(text, "\n")
	for i := 0; i < len(all); i++ {
		line := all[i]
		root, rooted := strings.CutPrefix(line, rootLine)
		label := labelled.FindStringSubmatch(line)
		switch {
		case by == byUser && line != openingMore:
			list = append(list, line)
		case line == openingMore, line == chronicle.ModelLine:
			next(byModel)
		case line == chronicle.ClientLine:
			next(byClient)
		case label != nil && label[1] != "":
			n, _ := strconv.Atoi(strings.ReplaceAll(label[1], ",", ""))
			next(byUser)
			n = min(n, len(all)-i-1)
			list = all[i+1 : i+1+n]
			i += n
			next(byModel)
		case label != nil:
			next(byUser)
		case rooted:
			s.root = root
		case line == chronicle.TasksLine:
			next(byModel)
			quoted = &s.tasks
		case line == chronicle.RulesLine:
			next(byModel)
			quoted = &s.rules
		case quoted != nil && strings.HasPrefix(line, " "):
			*quoted = append(*quoted, line[1:])
		case line != notice && line != wordForWord:
			quoted = nil
			list = append(list, line)
		}
	}
	next(byModel)
}

// section matches an element of a state.
var section = regexp.MustCompile(`(?s)<([a-z_]+)><!\[CDATA\[\n?(.*?)\n?\]\]></[a-z_]+>`)

// states reads the states of a text. Text between them is typed.
func (s *earlierSummary) states(text string) {
	for text != "" {
		state, rest, _ := strings.Cut(text, "\n"+stateEnd)
		for _, m := range section.FindAllStringSubmatch(state, -1) {
			body := strings.ReplaceAll(m[2], dataEndQuoted, dataEnd)
			switch m[1] {
			case "current_plan":
				body = chronicle.TasksLine + "\n" + body
			case "constraints":
				body = chronicle.RulesLine + "\n" + body
			}
			s.lines(body)
		}
		typed, more, again := strings.Cut(rest, "\n"+stateElement+"\n")
		s.add(byUser, []string{typed})
		if !again {
			return
		}
		text = stateElement + "\n" + more
	}
}
