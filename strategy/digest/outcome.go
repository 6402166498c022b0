package digest

import "slices"

// How a call ended. That a command passed is said only where it failed before; of
// another call, its tool is named again.
const (
	failed = "failed"
	passed = "then it passed"
)

// maxDid is how many tools and outcomes a head names.
const maxDid = 4

// outcome notes the tool of a call, or how it ended, once in a row. Where there is no
// room, the oldest go: the last has to be right.
func (e *entry) outcome(did string) {
	if did == "" || e.last() == did {
		return
	}
	if len(e.did) == maxDid {
		e.forget()
	}
	e.did = append(e.did, did)
}

// forget takes out the oldest tool and its failure; of a command, the oldest failure
// and what resolved it.
func (e *entry) forget() {
	to := 2
	if e.section != commands && e.did[1] != failed {
		to = 1
	}
	e.did = slices.Delete(e.did, 0, to)
}

// last is the newest outcome, "" without.
func (e *entry) last() string {
	if len(e.did) == 0 {
		return ""
	}
	return e.did[len(e.did)-1]
}
