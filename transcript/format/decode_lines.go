package format

import (
	"runtime"

	"condense/transcript/internal/rawjson"
)

// stretch is a run of lines that one goroutine scans.
type stretch struct {
	lines []rawjson.Line
	docs  []rawjson.Doc // one for each line, and more from earlier use
	errs  []error       // of scanning, in the same way
	done  chan struct{} // gets a value when the lines are scanned
}

// stretchBytes is how much of a source makes a stretch: enough that to hand it over
// costs nothing beside scanning it, and little beside a source worth sharing out.
const stretchBytes = 256 << 10

// scanAhead scans lines on all cores and calls each for every one, in their order,
// with its index and what scanning gave. doc is valid only during the call.
func (p *probe) scanAhead(lines []rawjson.Line, each func(i int, doc *rawjson.Doc, err error)) {
	var ahead, free []*stretch
	done, rest := 0, lines
	for done < len(lines) {
		for len(rest) > 0 && len(ahead) < runtime.GOMAXPROCS(0) {
			s := &stretch{done: make(chan struct{}, 1)}
			if len(free) > 0 {
				s, free = free[0], free[1:]
			}
			rest = s.take(rest, p.texts)
			ahead = append(ahead, s)
			go s.scan(p.src)
		}
		s := ahead[0]
		<-s.done
		for i := range s.lines {
			each(done, &s.docs[i], s.errs[i])
			done++
		}
		ahead, free = ahead[1:], append(free, s)
	}
}

// take makes the first of the lines those of s, and gives the others.
func (s *stretch) take(lines []rawjson.Line, texts *rawjson.Texts) (rest []rawjson.Line) {
	n := 1
	for n < len(lines) && lines[n].Next-lines[0].Start < stretchBytes {
		n++
	}
	s.lines = lines[:n]
	for len(s.docs) < n {
		s.docs = append(s.docs, rawjson.Doc{Texts: texts})
		s.errs = append(s.errs, nil)
	}
	return lines[n:]
}

func (s *stretch) scan(src []byte) {
	for i, line := range s.lines {
		s.errs[i] = s.docs[i].ScanAll(src, line.Start, line.End)
	}
	s.done <- struct{}{}
}
