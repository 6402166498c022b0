package chronicle

import (
	"slices"
	"strings"

	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// label matches up to three words and a colon at the start of a text.
var label = lazyregexp.New(`^\s*(?:[-*•]\s+)?\**\p{L}[\p{L}'_-]*(?: [\p{L}'_-]+){0,2}\**:\**\s+\S`)

// Values in statements.
var (
	money  = lazyregexp.New(`(?i)[$€£¥]\s?\d[\d,.]*\d|[$€£¥]\s?\d|\b\d[\d,.]*\s?(?:dollars|euros|pounds|usd|eur|gbp)\b|\b(?:[a-z]+ )?(?:hundred|thousand|million)(?: [a-z]+)? (?:dollars|euros|pounds)\b`)
	date   = lazyregexp.New(`\b\d{4}-\d{2}-\d{2}\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b`)
	zone   = lazyregexp.New(`\b(?:UTC|GMT|CET|[ECMP][SD]T)\b|\b[A-Z][a-z]+ [Tt]ime\b`)
	hash   = lazyregexp.New(`\b(?:[0-9a-f]{7,12}|[0-9a-f]{40})\b`)
	number = lazyregexp.New(`\d[\d,.]*`)
	// given matches a word with a digit, a capital or a joint after words that announce a value.
	given = lazyregexp.New(`\b(is|are|was|now|to|named|called|=)( [\p{L}\d]*[\p{Lu}\d/_@.-][\p{L}\d/_@.:-]*)+`)
)

// Words in statements.
var (
	update     = lazyregexp.New(`(?i)\b(?:now|new|updated?|changed|moved|switched|rotated|instead|rather|actually|correction|no longer|any ?more|from now on|re(?:based|named|scheduled|assigned|placed|vised))\b`)
	only       = lazyregexp.New(`(?i)\bonly\b`) // alone, it often demands nothing
	limit      = lazyregexp.New(`(?i)\b(?:below|under|above|at most|at least|up to|no more than|limit|cap|ceiling|maximum|minimum|budget)\b`)
	preference = lazyregexp.New(`(?i)\b(?:prefers?|wants?|would rather|would like|likes?|please|keep|report)\b`)
	progress   = lazyregexp.New(`(?i)\b(?:next steps?|open questions?|to-?do|blocked|remaining|current task|failing|awaiting|based on)\b`)
	copula     = lazyregexp.New(`(?i)\b(?:is|are|was|were|owns?|runs|running|named|called|calling|designated|belongs|uses|due|moved|scheduled|handling|switched|stands for)\b|=`)
)

// rankOf returns the rank of a statement. labels reports whether a label at its start is
// one that the person wrote.
func rankOf(source string, labels bool) rank {
	hasValue := zone.MatchString(source) || money.MatchString(source) || date.MatchString(source) || hash.MatchString(source) || len(names(source)) > 0
	if !hasValue {
		fact.Each(source, func(int, string) { hasValue = true })
	}
	demands := false
	fact.Constraints(only.ReplaceAllString(source, ""), func(int, string) { demands = true })
	switch {
	case labels && label.MatchString(source), demands, limit.MatchString(source) && hasValue:
		return demand
	case preference.MatchString(source), progress.MatchString(source), hasValue && (copula.MatchString(source) || update.MatchString(source) || matterOf(source).topics != 0):
		return stated
	}
	return mention
}

// names returns the words with a capital that do not begin a sentence.
func names(source string) (list []string) {
	first := true
	for word := range strings.FieldsSeq(source) {
		bare := strings.Trim(word, ".,:;!?()*`\"'’")
		if !first && len(bare) > 2 && 'A' <= bare[0] && bare[0] <= 'Z' && strings.ToUpper(bare) != bare {
			list = append(list, bare)
		}
		first = strings.HasSuffix(word, ".") || strings.HasSuffix(word, ":") || strings.HasSuffix(word, "!") || strings.HasSuffix(word, "?")
	}
	return list
}

// maskedKey returns the words of a statement with a sign for each value that may change.
func maskedKey(source string) string {
	key := source
	for _, value := range []*lazyregexp.Regexp{money, date, hash} {
		key = value.ReplaceAllString(key, "#")
	}
	key = given.ReplaceAllString(key, "$1 #")
	key = number.ReplaceAllString(key, "#")
	if len(strings.Fields(strings.ReplaceAll(key, "#", ""))) < leastKey {
		key = source // too few words to be about the same thing
	}
	return strings.Join(strings.Fields(strings.ToLower(key)), " ")
}

// leastKey is the number of words that two statements with different values must share.
const leastKey = 4

// topic is a set of kinds of settings, of which each usually has one value at a time.
type topic uint8

const (
	spending topic = 1 << iota
	schedule
	clock
	naming
	duty
	branch
	style
	secret
)

// topicWords are words for topics.
var topicWords = map[string]topic{
	"budget": spending, "spend": spending, "spending": spending, "cost": spending, "costs": spending, "expense": spending, "expenses": spending,
	"ceiling": spending, "cap": spending, "price": spending, "dollars": spending, "euros": spending,
	"deadline": schedule, "date": schedule, "due": schedule, "timing": schedule, "schedule": schedule, "scheduled": schedule, "ship": schedule, "ships": schedule,
	"time": clock, "times": clock, "timezone": clock, "timestamp": clock, "timestamps": clock, "clock": clock, "clocks": clock, "utc": clock, "gmt": clock,
	"name": naming, "named": naming, "codename": naming, "called": naming, "calling": naming, "label": naming, "designated": naming, "renamed": naming,
	"owner": duty, "owns": duty, "pager": duty, "duty": duty, "handling": duty, "handles": duty, "belongs": duty, "responsible": duty, "assigned": duty, "call": duty,
	"branch": branch, "rebased": branch, "merged": branch, "checkout": branch,
	"style": style, "tone": style, "terse": style, "playful": style, "formal": style, "casual": style, "replies": style, "responses": style, "answers": style, "units": style,
	"code": secret, "password": secret, "token": secret, "key": secret, "secret": secret, "passphrase": secret,
}

// ignored are words that no matter depends on.
var ignored = map[string]bool{
	"this": true, "that": true, "with": true, "from": true, "must": true, "never": true, "keep": true, "have": true, "will": true, "them": true,
	"they": true, "user": true, "wants": true, "should": true, "before": true, "after": true, "until": true, "when": true, "what": true, "your": true,
	"rule": true, "fact": true, "goal": true, "state": true, "hard": true, "constraint": true, "safety": true, "preference": true, "note": true,
	"please": true, "next": true, "step": true, "stay": true, "into": true, "than": true, "then": true, "make": true, "most": true, "week": false,
}

// matter is the subject of a statement.
type matter struct {
	topics  topic
	stems   []string // sorted
	updates bool     // it says that something changed
	zone    bool     // it names a time zone
}

// stemLength is the length in bytes to which words are cut for comparison.
const stemLength = 6

func matterOf(source string) matter {
	s := matter{updates: update.MatchString(source), zone: zone.MatchString(source)}
	for word := range strings.FieldsFuncSeq(strings.ToLower(source), func(r rune) bool { return r < 'a' || r > 'z' && r < 0x80 }) {
		if t := topicWords[word]; t != 0 {
			s.topics |= t
		} else if len(word) >= 4 && !ignored[word] {
			s.stems = append(s.stems, word[:min(len(word), stemLength)])
		}
	}
	slices.Sort(s.stems)
	s.stems = slices.Compact(s.stems)
	return s
}

// replacedBy reports whether a later statement about the matter b replaces one about s. They
// must share a topic and another word, and the later one must state a change. For a style of
// answers, either is enough. A time zone is replaced by another.
func (s matter) replacedBy(b matter) bool {
	common := s.topics & b.topics
	shared := slices.ContainsFunc(s.stems, func(stem string) bool { return slices.Contains(b.stems, stem) })
	switch {
	case s.zone && b.zone:
		return true
	case common == 0:
		return false
	case common&style != 0:
		return b.updates || shared
	}
	return b.updates && shared
}
