package chronicle

import (
	"condense/strategy/subject"
	"condense/transcript/fact"
)

// An attempt is a command of several words. A model that looks for one that works repeats it with changes.
type attempt struct {
	step  int
	words map[uint64]bool // hashes
}

const (
	newestAttempts = 6   // number of earlier commands with which a command is compared
	attemptWords   = 6   // least number of different words of an attempt
	sharedWords    = 0.4 // share of the words of the shorter of two attempts that both have
)

// markRetried marks the commands that a later command of the turn repeats with changes. The last of them
// has the form that the model found.
func (d *draft) markRetried() {
	var recent []attempt
	for i := range d.steps {
		s := &d.steps[i]
		if s.kind != fact.ShellTool && s.kind != fact.ProcessTool || len(s.calls) != 1 {
			continue
		}
		words := commandWords(subject.Command(d.Conv.Block(s.calls[0])))
		if len(words) < attemptWords {
			continue
		}
		for _, before := range recent {
			if earlier := &d.steps[before.step]; earlier.turn == s.turn && shares(before.words, words) {
				earlier.retried = true
			}
		}
		if recent = append(recent, attempt{i, words}); len(recent) > newestAttempts {
			recent = recent[1:]
		}
	}
}

// comparedBytes is the number of bytes of a command that are compared with others.
const comparedBytes = 4 << 10

// commandWords returns the hashes of the words of a command.
func commandWords(command string) map[uint64]bool {
	list := map[uint64]bool{}
	words(command[:min(len(command), comparedBytes)], func(word uint64) { list[word] = true })
	return list
}

// shares reports whether two commands have most words in common.
func shares(earlier, later map[uint64]bool) bool {
	n := 0
	for word := range earlier {
		if later[word] {
			n++
		}
	}
	return float64(n) >= sharedWords*float64(min(len(earlier), len(later)))
}
