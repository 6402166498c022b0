package main

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// source is a rule as gitleaks writes it.
type source struct {
	id, regex string
	entropy   float64
	keywords  []string
}

// rule is a rule as package redact reads it.
type rule struct {
	family  string
	kind    string
	starts  []string // a value begins with one of them, wherever it stands
	back    int      // the starts stand this many bytes after the beginning of the value
	fold    bool     // the starts match in any case
	edge    bool     // the value begins after a byte that is no letter, digit or _
	names   []string // a value without them has one of these in its name
	value   string
	most    int // the greatest length of a value in bytes
	entropy float64
}

// left lists the rules without a counterpart in the table, with the reasons.
var left = map[string]string{
	"generic-api-key":        "names without a provider: package redact judges names and values itself",
	"curl-auth-header":       "package redact finds headers in any text",
	"curl-auth-user":         "package redact finds the option -u itself",
	"private-key":            "package redact finds private keys itself, and cut ones too",
	"kubernetes-secret-yaml": "names without a provider",
	"nuget-config-password":  "a name without a provider",
	"hashicorp-tf-password":  "a name without a provider",
	"freemius-secret-key":    "a name without a provider",
	"pkcs12-file":            "the name of a file",
}

// named lists the rules that need a name, although all values have a text in common.
var named = map[string]bool{"facebook-access-token": true}

var tomlField = regexp.MustCompile(`^(id|regex|entropy) = (?:"(.*)"|'''(.*)'''|([0-9.]+))$`)

// parse reads the rules of a gitleaks.toml, as far as they have an expression.
func parse(config string) (rules []source) {
	_, config, _ = strings.Cut(config, "[[rules]]\n")
	for _, block := range strings.Split(config, "[[rules]]\n") {
		block, _, _ = strings.Cut(block, "[[rules.allowlists]]")
		var r source
		for line := range strings.Lines(block) {
			m := tomlField.FindStringSubmatch(strings.TrimSpace(line))
			switch {
			case m == nil:
			case m[1] == "id":
				r.id = m[2]
			case m[1] == "regex":
				r.regex = m[3]
			case m[1] == "entropy":
				r.entropy, _ = strconv.ParseFloat(m[4], 64)
			}
		}
		_, list, _ := strings.Cut(block, "keywords = [")
		list, _, _ = strings.Cut(list, "]")
		for word := range strings.SplitSeq(list, ",") {
			if word = strings.Trim(word, " \n\""); word != "" {
				r.keywords = append(r.keywords, word)
			}
		}
		rules = append(rules, r)
	}
	return rules
}

// The expressions of gitleaks wrap a value in these (cmd/generate/config/utils/generate.go).
const (
	namePrefix  = `[\w.-]{0,50}?(?:`
	nameSuffix  = `)(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
	operator    = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`
	valuePrefix = `[\x60'"\s=]{0,5}(`
	valueSuffix = `)(?:[\x60'"\s;]|\\[nr]|$)`
)

// convert returns the rules of package redact for a rule of gitleaks.
func convert(from source) ([]rule, error) {
	text, fold := strings.CutPrefix(from.regex, "(?i)")
	if names, rest, ok := strings.Cut(text, operator+valuePrefix); ok {
		value, more, ok := strings.Cut(rest, valueSuffix)
		if !ok {
			return nil, errors.New("the value has no end")
		}
		r := rule{value: folded(value, fold)}
		_, names, _ = cutLast(names, namePrefix)
		names, _, _ = strings.Cut(names, nameSuffix)
		for _, name := range literals("(?i:" + names + ")") {
			r.names = append(r.names, plain(name))
		}
		slices.Sort(r.names)
		r.names = slices.Compact(r.names)
		own := rule{value: r.value}
		if own.start() == nil && own.back == 0 && shortest(own.starts) >= 4 {
			r.starts, r.fold, r.edge = own.starts, own.fold, true
		}
		list := []rule{finish(r, from)}
		if more != "" {
			second := from
			second.regex = strings.TrimPrefix(more, "|")
			others, err := convert(second)
			if err != nil {
				return nil, err
			}
			list = append(list, others...)
		}
		return list, nil
	}
	return unique(from, text, fold)
}

// unique converts an expression that describes only a value.
func unique(from source, text string, fold bool) (list []rule, err error) {
	text, edge := strings.CutPrefix(text, `\b`)
	for _, wrap := range [][2]string{
		{"(", valueSuffix}, {"(", `)(?:[\x60'"\s;]|\\[nr]|$|\b)`}, {"(", `)(?:[^\w-]|\z)`}, {"(", `)\b`}, {"", `(?:[^a-zA-Z0-9+/]|\z)`}, {"", `\b`},
		{`(?:^|[\\'"\x60\s>=:(,)])(`, `)(?:$|[\\'"\x60\s<),])`},
	} {
		if inner, ok := strings.CutSuffix(text, wrap[1]); ok && strings.HasPrefix(inner, wrap[0]) {
			text, edge = inner[len(wrap[0]):], edge || strings.HasPrefix(wrap[0], "(?:^")
			break
		}
	}
	if strings.HasPrefix(text, `\b(`) && strings.HasSuffix(text, `)\b`) { // sourcegraph
		text = text[3 : len(text)-3]
	}
	for _, branch := range branches(text) {
		r := rule{value: folded(branch, fold), edge: edge}
		if err := r.start(); err != nil || named[from.id] {
			r.edge, r.starts, r.back = false, nil, 0
			for _, word := range from.keywords {
				if !strings.HasSuffix(word, "_") {
					r.names = append(r.names, plain(word))
				}
			}
			if r.names == nil {
				return nil, err
			}
		}
		list = append(list, finish(r, from))
	}
	return list, nil
}

func finish(r rule, from source) rule {
	r.family, r.kind, r.entropy = from.id, kind(from.id), from.entropy
	if re, err := syntax.Parse(r.value, syntax.Perl); err == nil {
		r.most = min(longest(re), mostBytes)
	}
	return r
}

// mostBytes limits values whose expressions have no limit.
const mostBytes = 1100

// longest returns the number of bytes of the longest match of re, or mostBytes if it has none.
func longest(re *syntax.Regexp) (n int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(string(re.Rune))
	case syntax.OpCharClass:
		return 1
	case syntax.OpStar, syntax.OpPlus:
		return mostBytes
	case syntax.OpRepeat:
		if re.Max < 0 {
			return mostBytes
		}
		return re.Max * longest(re.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			n = max(n, longest(sub))
		}
		return n
	}
	for _, sub := range re.Sub {
		n += longest(sub)
	}
	return n
}

// start finds the texts with which a value begins or, if it begins with any characters, the
// text after a fixed number of them.
func (r *rule) start() error {
	re, err := syntax.Parse(r.value, syntax.Perl)
	if err != nil {
		return err
	}
	re = re.Simplify()
	for len(re.Sub) == 1 && re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	for i := range parts {
		starts, fold := prefixes(parts[i:])
		if shortest(starts) >= 2 {
			r.starts, r.fold = starts, fold
			return nil
		}
		n, ok := width(parts[i])
		if !ok {
			break
		}
		r.back += n
	}
	r.back = 0
	return errors.New("no text that all values have at the same place")
}

// prefixes returns the texts with which matches of parts begin, as long as they can be listed.
func prefixes(parts []*syntax.Regexp) (list []string, fold bool) {
	const most = 48
	list = []string{""}
	for _, p := range parts {
		more, whole := alternatives(p)
		if len(more) == 0 || len(more)*len(list) > most {
			break
		}
		var joined []string
		for _, a := range list {
			for _, b := range more {
				joined = append(joined, a+b)
			}
		}
		list = joined
		fold = fold || folds(p)
		if !whole {
			break
		}
	}
	if fold {
		for i := range list {
			list[i] = strings.ToLower(list[i])
		}
	}
	slices.Sort(list)
	var out []string // without those that begin with another
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] == "" || !strings.HasPrefix(s, out[len(out)-1]) {
			out = append(out, s)
		}
	}
	return out, fold
}

// alternatives returns the texts that re matches, or with which its matches begin if it is not
// whole; none if there are many.
func alternatives(re *syntax.Regexp) (list []string, whole bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= re.Rune[i+1]; c++ {
				if len(list) == 4 {
					return nil, false
				}
				list = append(list, string(c))
			}
		}
		return list, true
	case syntax.OpCapture:
		return alternatives(re.Sub[0])
	case syntax.OpQuest:
		list, whole = alternatives(re.Sub[0])
		if !whole {
			return nil, false
		}
		return append(list, ""), true
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			more, all := alternatives(sub)
			if len(more) == 0 {
				return nil, false
			}
			list, whole = append(list, more...), whole && all
		}
		return list, whole
	case syntax.OpConcat:
		list, _ = prefixes(re.Sub)
		for _, sub := range re.Sub {
			if _, all := alternatives(sub); !all {
				return list, false
			}
		}
		return list, true
	}
	return nil, false
}

func folds(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 {
		return true
	}
	return slices.ContainsFunc(re.Sub, folds)
}

func shortest(list []string) int {
	n := len(list[0])
	for _, s := range list {
		n = min(n, len(s))
	}
	return n
}

// width returns the number of bytes of every match, if it is always the same.
func width(re *syntax.Regexp) (n int, ok bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), true
	case syntax.OpCharClass:
		return 1, true
	case syntax.OpRepeat:
		n, ok = width(re.Sub[0])
		return n * re.Min, ok && re.Min == re.Max
	case syntax.OpCapture:
		return width(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			w, ok := width(sub)
			if !ok {
				return 0, false
			}
			n += w
		}
		return n, true
	}
	return 0, false
}

// literals returns all texts that an expression matches, in lower case.
func literals(expr string) []string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	list, whole := prefixes([]*syntax.Regexp{re.Simplify()})
	if !whole && len(list) == 1 && list[0] == "" {
		return nil
	}
	for i := range list {
		list[i] = strings.ToLower(list[i])
	}
	return list
}

// branches splits an expression at the alternatives that are not inside brackets.
func branches(expr string) (list []string) {
	if inner, ok := strings.CutPrefix(expr, "("); ok && closes(inner) == len(inner)-1 {
		return branches(strings.TrimPrefix(inner[:len(inner)-1], "?:"))
	}
	depth, class, from := 0, false, 0
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			list, from = append(list, expr[from:i]), i+1
		}
	}
	return append(list, expr[from:])
}

// closes returns the index of the bracket that closes one before expr, or -1.
func closes(expr string) int {
	depth, class := 1, false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

func folded(value string, fold bool) string {
	if fold {
		return fmt.Sprintf("(?i:%s)", value)
	}
	return value
}

// plain returns a name in lower case and without the characters between its words.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", ",", "").Replace(strings.ToLower(name))
}
