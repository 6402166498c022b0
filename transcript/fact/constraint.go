package fact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
)

// Lengths in bytes of a sentence that can be a constraint. A shorter one demands
// nothing; a longer one is data.
const (
	shortestSentence = 8
	longestSentence  = 600
)

// Constraints calls yield for every sentence of text that demands something: what must
// be, must not be, or holds from now on. It passes the byte offset of the sentence,
// and the sentence without list marks and quotation marks before it. It knows the
// words for demands in English, German, French, Spanish, Portuguese, Italian, Russian,
// Chinese, Japanese and Korean.
//
// A sentence ends with a line, with . ! or ? before white space, or with their
// full-width forms.
func Constraints(text string, yield func(at int, sentence string)) {
	for from := 0; from < len(text); {
		n := sentenceEnd(text[from:])
		s := withoutBullet(text[from : from+n])
		at := from + n - len(s)
		s = strings.TrimRightFunc(s, unicode.IsSpace)
		if len(s) >= shortestSentence && len(s) <= longestSentence && demands(s) {
			yield(at, s)
		}
		from += n
	}
}

// sentenceEnd returns the length of the first sentence of text, its end included.
func sentenceEnd(text string) int {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			return i + 1
		case c == '.' || c == '!' || c == '?':
			if i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				return i + 1
			}
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(text[i:])
			if r == '。' || r == '！' || r == '？' {
				return i + n
			}
			i += n
			continue
		}
		i++
	}
	return len(text)
}

// withoutBullet returns a sentence without the text before it: white space, marks of lists and
// quotations, the number of an item.
func withoutBullet(s string) string {
	s = strings.TrimLeftFunc(s, isBullet)
	if rest := strings.TrimLeft(s, "0123456789"); rest != s && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		return strings.TrimLeftFunc(rest[1:], isBullet)
	}
	return s
}

func isBullet(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-*•>#", r) }

// demands reports whether a sentence contains a word, or two words in a row, that
// demand something.
func demands(s string) bool {
	var before [maxDemand]byte
	var word [maxDemand]byte
	kept, n := 0, 0
	end := func() bool {
		found := demanding[string(word[:n])] || kept > 0 && n > 0 && demandingPairs[[2]string{string(before[:kept]), string(word[:n])}]
		if n > 0 {
			before, kept = word, n
		}
		n = 0
		return found
	}
	foreign := false
	for _, r := range s {
		if r >= 0x2e80 {
			foreign = true // scripts without spaces, or with endings: the phrases are searched for
		}
		if r == '\'' || r == '’' || unicode.IsLetter(r) {
			if r == '’' {
				r = '\''
			}
			r = unicode.ToLower(r)
			if n+utf8.RuneLen(r) <= maxDemand {
				n += utf8.EncodeRune(word[n:], r)
			} else {
				n = maxDemand // longer than every word of the table
			}
		} else if end() {
			return true
		}
	}
	return end() || foreign && demandsInside(s)
}

func demandsInside(s string) bool {
	for _, phrase := range demandingPhrases {
		if strings.Contains(s, phrase) {
			return true
		}
	}
	return false
}

// maxDemand is longer than every word below, in bytes.
const maxDemand = 32

// demanding holds the single words that demand something, in lower case.
var demanding = map[string]bool{
	// English
	"must": true, "mustn't": true, "never": true, "don't": true, "always": true, "only": true, "avoid": true,
	"instead": true, "unless": true, "required": true, "forbidden": true, "shouldn't": true,
	// German
	"muss": true, "müssen": true, "musst": true, "nie": true, "niemals": true, "immer": true, "nur": true,
	"vermeide": true, "vermeiden": true, "stattdessen": true, "außer": true, "verboten": true, "keinesfalls": true,
	// French
	"doit": true, "doivent": true, "dois": true, "jamais": true, "toujours": true, "seulement": true,
	"uniquement": true, "évite": true, "évitez": true, "éviter": true, "sauf": true, "désormais": true, "interdit": true,
	// Spanish and Portuguese
	"debe": true, "deben": true, "debes": true, "nunca": true, "siempre": true, "solo": true, "sólo": true,
	"solamente": true, "evita": true, "evitar": true, "salvo": true, "prohibido": true,
	"deve": true, "devem": true, "sempre": true, "apenas": true, "somente": true, "evite": true, "exceto": true, "proibido": true,
	// Italian
	"devi": true, "devono": true, "mai": true, "soltanto": true, "tranne": true, "vietato": true,
	// Russian
	"должен": true, "должна": true, "должно": true, "должны": true, "нельзя": true, "никогда": true,
	"всегда": true, "только": true, "избегай": true, "избегайте": true, "обязательно": true, "запрещено": true, "кроме": true,
}

// demandingPairs holds the pairs of adjacent words that demand something together.
var demandingPairs = map[[2]string]bool{
	{"do", "not"}: true, {"from", "now"}: true, {"before", "you"}: true, {"make", "sure"}: true, {"should", "not"}: true,
	{"may", "not"}: true, {"darf", "nicht"}: true, {"darf", "kein"}: true, {"ab", "jetzt"}: true, {"ab", "sofort"}: true, {"auf", "keinen"}: true,
	{"ne", "pas"}: true, {"il", "faut"}: true, {"à", "partir"}: true,
	{"de", "ahora"}: true, {"hay", "que"}: true, {"de", "agora"}: true, {"tem", "que"}: true,
	{"d'ora", "in"}: true, {"non", "usare"}: true, {"не", "надо"}: true, {"не", "должен"}: true, {"с", "этого"}: true,
}

// demandingPhrases lists the phrases that are searched for anywhere in a sentence of a script that
// does not separate its words.
var demandingPhrases = []string{
	"必须", "必須", "不要", "不能", "不得", "不可", "禁止", "总是", "總是", "始终", "始終", "只能", "仅", "避免", "除非",
	"从现在", "從現在", "务必", "務必", "切勿", "绝不", "絕不", "永远", "不准", "应该", "不應", "不应",
	"必ず", "絶対", "ないで", "なければ", "してはいけ", "常に", "のみ", "避け", "以外", "今後", "これから",
	"반드시", "절대", "항상", "하지 마", "하지 말", "금지", "해야", "피하", "지금부터", "앞으로",
}

// Instructs reports whether a text tells the model how to work: instructions of the system,
// or a text that a client presents as instructions of the user or of the project. Other text
// of clients does not, whatever it says: it may quote the output of a command, a skill, a hook
// or another model.
func Instructs(by transcript.Role, b *transcript.Block) bool {
	switch {
	case b.Kind != transcript.Text || b.Origin != transcript.Injected:
		return false
	case by == transcript.System:
		return true
	}
	return by == transcript.User && instructing.MatchString(b.Text())
}

// NamesCommand reports whether a text is the name of a command that the user gave to the client, such as /review.
func NamesCommand(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Injected && strings.HasPrefix(strings.TrimSpace(b.Text()), "<command-")
}

// instructing matches the beginnings of the instructions that Codex, Claude Code and other
// clients put into messages of the user.
var instructing = regexp.MustCompile(`^\s*(?:# AGENTS\.md|<(?:user_instructions|user-instructions|INSTRUCTIONS|permissions|` +
	`collaboration_mode|apps_instructions|plugins_instructions)\b|<system-reminder>\s*As you answer the user's questions)`)
