package chronicle

import (
	"math"
	"strings"
	"unicode/utf8"

	"condense/strategy/squeeze"
	"condense/transcript/lazyregexp"
)

// Values added to those of facts, per token unless stated otherwise, and factors of values. They are tuned to two
// measures: the things that agents mentioned again later, and the needs of a reader who continues the work.
const (
	valueOutput   = 0.0005
	valueBrief    = 0.02 // of an output of few lines
	valueStated   = 0.1  // of a line of prose in a result that states a finding or a decision, where the budget is small
	valueRun      = 0.3  // of a command in a document, where the budget is small
	valueEnd      = 0.2  // of the last line of the output of a command, where the budget is small
	valueThought  = 0.001
	valueQuoted   = 0.02 // of thinking that a record quotes
	valueSaid     = 0.06
	valueArgs     = 0.0025 // of the arguments of a call
	valueLastArgs = 0.005  // of text that a call of the last turn wrote
	valueWords    = 0.014  // of a line of words in text that a call wrote, such as a comment
	valueLiteral  = 0.05   // of a line with a literal in text that a call wrote, per line
	valueReport   = 0.02   // of the answer of another model
	valueReported = 0.006  // of the answer of another model in an earlier turn
	valueInjected = 0.001
	valueClosing  = 0.04  // of closing answers, beyond their reserved share
	valueLead     = 0.3   // of a heading or a lead in bold of a closing answer
	valueFinding  = 0.2   // of a sentence of a closing answer that states a finding
	valueCue      = 0.03  // of a piece that reports an error, times its cue
	valueLabel    = 0.6   // of the line of a record
	valueFirst    = 0.3   // of the first sentence of a closing answer
	valueAsked    = 0.03  // of a word of a request that occurs in a result
	valueChange   = 0.25  // of a line that a short diff adds or removes
	valueTurn     = 0.15  // of what a user said in a conversation that a tool returned
	valueForeign  = 0.5   // of a line that a diff adds or removes, and no call
	valueLine     = 0.5   // of a line that a request names by its number, in what findDue returns
	valueAbout    = 0.03  // of what askedRegions returns
	valuePlanned  = 1     // of a line of a declaration that the open plan names, in what findDue returns
	valuePhrase   = 1     // of a line of code that has a phrase of the open plan
	valuePattern  = 0.3   // of a line of a declaration that is a pattern for one that the open plan names
	valueNamed    = 0.5   // of a name of a request, such as contextFiles, in what findDue returns
	valueWord     = 0.012 // of a rare word in prose that a tool returned
	valueHunk     = 1.6   // factor for text that the model wrote to files: a reader needs it to continue
	valueScript   = 0.8   // factor for other text in the arguments of a call, such as a script or a prompt
	valueRetried  = 0.3   // factor for a command that the model repeated with changes
	valuePrompt   = 0.3   // factor for the task of another agent: its answer tells more
	valueDraft    = 2     // factor for code that the model drafted in its thinking, and has not written yet
	valueFailed   = 0.25  // factor for text in the arguments of a call that failed
	valueHelp     = 0.4   // factor for the help text of a command, where the budget is small
	valueFound    = 0.4   // factor for the hits of a wide search: most of them are of no use
	valueListed   = 0.4   // factor for the names in a listing of files, where the budget is small
	valueDisputed = 0.5   // factor for an answer to which the user did not agree
	valueSettings = 0.2   // factor for a file of settings that the model wrote: most of it is what every such file has
	valueExcerpt  = 0.5   // factor for code in the answer of another model, which read it in a file
	valueDue      = 1.5   // factor for what findDue returns
	valueAlike    = 0.4   // factor for regions of lines of which most have the shape of an earlier line
	valueMinor    = 0.3   // factor for what isMinor reports
	valueBack     = 0.6   // factor for a sentence that means something in the sentence before
	valueFrame    = 0.3   // factor for instructions and text of clients, beyond their reserved share
	lastTurnBonus = 1.2   // factor for texts of the last turn
	leastValue    = 1e-6  // of outdated text: kept only when everything else fits
)

// ageExponent is the exponent of the power law by which the value of a text falls with its
// age in messages. The value of its facts does not fall.
const ageExponent = 0.1

// recency returns the factor of the value of a text of the given age in messages: 1 for
// the newest.
func recency(age int) float64 { return math.Pow(float64(1+age), -ageExponent) }

// regionShare returns the factor of the value of a region, relative to lines that are
// quoted one by one. A larger budget favours regions that can be read in their place.
func regionShare(budget, total int) float64 { return byBudget(budget, total, 0.5, 2, -0.2) }

// unusedShare returns the factor of the value of lines of results that name nothing the model used
// later: such a text can be read again when it is needed.
func unusedShare(budget, total int) float64 { return byBudget(budget, total, 0.25, 3, 0) }

// quotedShare returns the factor of the value of a line of a result that a record quotes by itself: 0.5 at a
// tenth, 1 at a quarter. Under a small budget, a reader needs what the model said and wrote more than
// such lines.
func quotedShare(budget, total int) float64 { return byBudget(budget, total, 0.5, 10.0/3, 1.0/6) }

// writtenShare returns the factor of the value of what the model wrote to files, besides declarations: 0.2 at a
// tenth, 0.8 at a quarter. The file has it, while what the model said stands nowhere else.
func writtenShare(budget, total int) float64 { return byBudget(budget, total, 0.2, 4, -0.2) }

// byBudget returns a factor that rises with the share of the tokens that the budget holds: from least,
// with a slope and an offset, to 1.
func byBudget(budget, total int, least, slope, offset float64) float64 {
	part := float64(budget) / float64(max(1, total))
	return min(1, max(least, float64(slope*part)+offset))
}

// Factors of the value of a sentence.
const (
	deciding   = 3   // it states a decision with its reason
	concluding = 1.5 // it states a finding or a decision
	announcing = 0.3 // it only announces the next step

	answeredOffer = 0.02 // it offers something, and the user asked for something else
)

// conclusionFactor returns deciding for a sentence or paragraph with the reason of a decision, concluding
// for one that states another finding, a failure or an open task, announcing for an announcement, and
// otherwise 1.
func conclusionFactor(text string) float64 {
	text = strings.TrimLeft(text, " \t\n*_-#>0123456789.")
	if isAnnouncement(text) {
		return announcing
	}
	factor := factorOfWords(text)
	if lead, rest, ok := strings.Cut(text, ". "); ok && factor == 1 && len(lead) <= longestLead && isAnnouncement(rest) {
		return announcing
	}
	return factor
}

// longestLead is the length in bytes up to which a sentence in front of an announcement, such as "All tests pass.", says
// hardly more than the record of the call that it is about.
const longestLead = 24

// isAnnouncement reports whether a text begins with words that announce the next step, and states no reason.
func isAnnouncement(text string) bool {
	for _, start := range announcements {
		if text != "" && text[0] == start[0] && strings.HasPrefix(text, start) && !reasons.MatchString(text) {
			return true
		}
	}
	return false
}

// factorOfWords returns the factor of a text by the words in it.
func factorOfWords(text string) float64 {
	factor, words := 1.0, 0
	for word := range strings.FieldsSeq(text) {
		if words++; words > 60 {
			break
		}
		switch word = bareWord(word); {
		case word == "because", word == "rather", word == "instead", word == "decided":
			return deciding
		case factor == 1 && concludesAs(word):
			factor = concluding
		}
	}
	return factor
}

// concludesAs returns concludes for a word in any case.
func concludesAs(word string) bool {
	var low [len("recommendation")]byte
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return concludes(strings.ToLower(word))
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if i < len(low) {
			low[i] = c
		}
	}
	return len(word) <= len(low) && concludes(string(low[:len(word)]))
}

// bareWord returns a word without the punctuation around it.
func bareWord(word string) string {
	if first, last := word[0], word[len(word)-1]; isLetter(first) && isLetter(last) { // most words
		return word
	}
	for word != "" && isPunctuation(word[0]) {
		word = word[1:]
	}
	for word != "" && isPunctuation(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	if word == "" || word[0] < utf8.RuneSelf && word[len(word)-1] < utf8.RuneSelf {
		return word
	}
	return strings.Trim(word, ".,:;!?()*`\"'’")
}

// isPunctuation reports whether a byte is a character that bareWord removes.
func isPunctuation(c byte) bool {
	switch c {
	case '.', ',', ':', ';', '!', '?', '(', ')', '*', '`', '"', '\'':
		return true
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// pointOf returns the value of a sentence or paragraph of a closing answer for what it states, besides
// its facts.
func pointOf(sentence string) float64 {
	switch {
	case isHeading(sentence):
		return 0
	case leads(sentence):
		return valueLead
	case conclusionFactor(sentence) > 1:
		return valueFinding
	}
	return 0
}

// openHeading matches a heading over what is left to do, or does not work yet.
var openHeading = lazyregexp.New(`(?i)\b(?:still open|open (?:questions?|items?|points?|issues?)|remaining|next steps?|not (?:yet )?(?:done|built|implemented)|to-?do|left to do|what's left|outstanding|limitations?|caveats?|constraints?|known issues?|follow-?ups?|pending|blocked|blockers?|risks?)\b`)

// isHeading reports whether a text is only a heading, or a line in bold.
func isHeading(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), ":")
	return !strings.Contains(text, "\n") && (strings.HasPrefix(text, "#") || strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") && strings.Count(text, "**") == 2)
}

// states reports whether a line of a document states a reason, a rule or a decision, or begins with words
// in bold. Words that people use in every talk, such as "so" and "but", do not count.
func states(line string) bool {
	if leadsInBold(line) {
		return true
	}
	for word := range strings.FieldsSeq(line[:min(len(line), longestQuote)]) {
		if decides(strings.ToLower(bareWord(word))) {
			return true
		}
	}
	return false
}

// decides reports whether a word in lower case belongs to lines that state a reason, a rule or a decision.
func decides(word string) bool {
	switch word {
	case "because", "reason", "cause", "caused", "causes", "must", "never", "always", "only", "decide", "decided", "decision",
		"instead", "issue", "bug", "fails", "failed", "error", "fixed", "required", "requires", "rejected", "replaces", "replaced",
		"default", "defaults", "deprecated", "removed", "blocked", "cannot", "todo", "note", "warning", "important":
		return true
	}
	return false
}

// leads reports whether a text is a heading, or begins with words in bold.
func leads(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "#") || leadsInBold(text)
}

// leadsInBold reports whether a text begins with words in bold, perhaps as an item of a list.
func leadsInBold(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(strings.TrimLeft(text, " \t\n"), "-0123456789.) "), "**")
}

// tone returns toneOf for a piece.
func (d *draft) tone(t *text, i int) float64 {
	if t.tones == nil {
		t.tones = make([]float64, len(t.cut.Pieces))
	}
	if t.tones[i] == 0 {
		t.tones[i] = d.toneOf(t, t.source(i, i+1))
	}
	return t.tones[i]
}

// toneOf returns the factor of a sentence or paragraph of a text of a model. It is never 0.
func (d *draft) toneOf(t *text, sentence string) float64 {
	if d.isAnsweredOffer(t, sentence) {
		return answeredOffer
	}
	if isHeading(sentence) {
		return announcing // it says nothing without what follows
	}
	if t.closing && d.replied.has(t.ref()) && offers(sentence) {
		return announcing
	}
	factor := conclusionFactor(sentence)
	switch {
	case t.closing: // most of its sentences decide or conclude
		return min(factor, concluding)
	case factor == 1 && continues(sentence):
		return announcing
	}
	return factor
}

// isAnsweredOffer reports whether a sentence of a closing answer is an offer or a question to
// which the user has replied at length.
func (d *draft) isAnsweredOffer(t *text, sentence string) bool {
	return t.closing && d.replied.has(t.ref()) && strings.HasSuffix(strings.TrimRight(sentence, " \t\r\n*_\"'”)"), "?") && !strings.Contains(sentence, ". ")
}

// offers reports whether a sentence offers more work, as the end of an answer often does.
func offers(sentence string) bool {
	sentence = strings.TrimLeft(sentence, " \t\n*_-#>0123456789.")
	for _, start := range [...]string{"If you want", "If you'd like", "If you’d like", "If you later", "If you prefer", "If you need", "Let me know",
		"Want me to", "Would you like", "Shall I", "Do you want", "Happy to ", "Feel free"} {
		if strings.HasPrefix(sentence, start) {
			return true
		}
	}
	return false
}

// refersBack reports whether a sentence begins with a word that means something in the sentence before.
func refersBack(sentence string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(sentence, " \t\n*_-"), " ")
	switch first {
	case "It", "It's", "It’s", "Its", "They", "Their", "This", "That", "That's", "That’s", "These", "Those", "Returns", "Both", "Neither":
		return true
	}
	return false
}

// continues reports whether a sentence begins like one that announces the next step.
func continues(sentence string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(sentence, " \t\n*_-#>0123456789."), " ")
	switch strings.ToLower(strings.TrimRight(first, ",:")) {
	case "now", "next", "step", "finally", "then":
		return true
	}
	return false
}

// reasons matches words that make an announcement a decision.
var reasons = lazyregexp.New(`(?i)\b(?:because|since|so that|rather than|instead of|for consistency|without)\b`)

// announcements are the beginnings of sentences that announce the next step.
var announcements = []string{
	"Let me", "Let's", "Now let me", "Now let's", "First, let me", "I'll ", "I’ll ", "Now I'll", "Now I’ll", "I'm going to", "I’m going to",
	"I will now", "Next, I'll", "I'm checking", "I’m checking", "I'm waiting", "I’m waiting", "Looking at", "I need to check", "I want to look", "Good, ", "Great", "Perfect",
}

// concludes reports whether a word in lower case belongs to sentences that state a finding or a decision.
func concludes(word string) bool {
	switch word {
	case "because", "but", "so", "instead", "not", "still", "found", "therefore",
		"cause", "caused", "issue", "problem", "fixed", "works", "fails", "failed",
		"passes", "passed", "fail", "failing", "decided", "however", "can't", "cannot", "won't", "never",
		"must", "don't", "doesn't", "isn't", "wasn't", "didn't", "only", "confirmed",
		"remaining", "left", "todo", "next", "recommend", "recommendation", "bug", "wrong",
		"missing", "broken", "blocked", "done", "should", "keep", "keeps", "needs", "added", "changed", "removed", "reverted",
		"risk", "risky", "danger", "dangerous", "breaks", "break", "loses", "lose", "lost", "crashes", "race", "unsafe", "regression",
		"unable", "couldn't", "haven't", "aren't", "limitation", "limitations", "constraint", "constraints", "unavailable", "untested", "unverified",
		"skipped", "deferred", "placeholder", "placeholders", "stub", "stubbed", "mock", "mocked", "workaround", "assumption", "assumed",
		"weil", "aber", "nicht", "parce", "mais", "porque", "pero", "mas":
		return true
	}
	return false
}

// vocabulary counts the words in the pieces of prose that tools returned.
type vocabulary struct {
	lines map[uint64]int32 // by hash of the word: its occurrences
	all   int              // pieces
}

// words calls yield with the hash of each word of a line, once for each occurrence.
func words(line string, yield func(word uint64)) {
	for word := range strings.FieldsSeq(line) {
		word = strings.ToLower(bareWord(word))
		if len(word) < shortWord {
			continue
		}
		yield(squeeze.Hash(word))
	}
}

// shortWord is the length in bytes below which a word is ignored.
const shortWord = 3

// count counts the words of a text.
func (v *vocabulary) count(t *text) {
	for i := range t.cut.Pieces {
		v.all++
		p := &t.cut.Pieces[i]
		words(t.cut.Source[p.Start:p.End], func(w uint64) { v.lines[w]++ })
	}
}

// commonWord is the rarity up to which a word has no weight. The rarity is the logarithm
// of the number of all pieces divided by the number of occurrences.
const commonWord = 4

// weight returns the sum of the rarities of the words of a line, each above commonWord.
func (v *vocabulary) weight(line string) (sum float64) {
	words(line, func(w uint64) {
		rare := math.Log(float64(v.all) / float64(v.lines[w]))
		sum += max(0, rare-commonWord)
	})
	return sum
}

// isProse reports whether a text is prose that a tool returned.
func (t *text) isProse() bool {
	return t.form == result && (t.cut.Kind == squeeze.Prose || t.cut.Kind == squeeze.Plain)
}

// standAlone reports whether the lines of a result are read one by one: prose, and search results.
func (t *text) standAlone() bool {
	return t.isProse() || t.form == result && t.cut.Kind == squeeze.Search
}
