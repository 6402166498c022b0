package retain

import "slices"

// texts remembers the facts of long texts that were read, so that one which comes
// again, such as a file that is read ten times, is not searched ten times.
type texts struct {
	last  int32              // number of the text that is read, from 1
	named []int32            // facts of it, by index, each once
	known map[string][]int32 // those of the texts before
}

// rememberFrom is the length in bytes from which a text is remembered: to find a
// shorter one takes as long as to search it.
const rememberFrom = 256

// begin tells that another text is read from here on.
func (a *asked) begin() {
	a.read.last++
	a.read.named = a.read.named[:0]
}

// remember keeps what the text that was read names, unless it matters where the
// text stands: with a fact that is there, but was not found bound here, the next
// copy may have more to say.
func (a *asked) remember(text string) {
	if len(text) < rememberFrom {
		return
	}
	for _, id := range a.read.named {
		if f := &a.facts[id]; f.present && !f.bound {
			return
		}
	}
	if a.read.known == nil {
		a.read.known = map[string][]int32{}
	}
	a.read.known[text] = slices.Clone(a.read.named)
}

// again takes the facts of a text of message n that is known; false when it is not.
func (a *asked) again(n int, text string, kept bool) bool {
	if len(text) < rememberFrom {
		return false
	}
	named, known := a.read.known[text]
	for _, id := range named {
		f := a.named(int(id), n)
		f.present = f.present || kept
		f.bound = f.bound || kept
	}
	return known
}
