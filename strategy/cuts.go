package strategy

import (
	"runtime"
	"sync"
	"sync/atomic"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// cut cuts the texts that are to be offered piece by piece, on all cores.
func (d *draft) cut(units []transcript.Unit) {
	type place struct {
		ref  transcript.Ref
		b    *transcript.Block
		part int
	}
	var places []place
	for _, u := range units {
		for _, id := range u.Msgs {
			m := d.in.Conv.Message(id)
			for _, b := range m.Blocks {
				if u.Open || d.untouchable(m, b) || undivided(b) {
					continue
				}
				for i := range b.Parts {
					if divisible(b, &b.Parts[i]) {
						places = append(places, place{transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}, b, i})
					}
				}
			}
		}
	}
	cuts := make([]*squeeze.Text, len(places))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() { // each goroutine owns the elements whose numbers it draws
			for i := next.Add(1) - 1; i < int64(len(places)); i = next.Add(1) - 1 {
				at := places[i]
				p := &at.b.Parts[at.part]
				cuts[i] = squeeze.Cut(p.Text[p.Head:], d.hint(at.ref, at.b, at.part))
			}
		})
	}
	wg.Wait()
	d.cuts = make(map[*transcript.Part]*squeeze.Text, len(places))
	pieces, mentions := 0, 0
	for i, at := range places {
		p := &at.b.Parts[at.part]
		d.cuts[p] = cuts[i]
		pieces += len(cuts[i].Pieces)
		mentions += len(d.survey.Mentions(p))
	}
	d.a.expect(len(units), len(places), pieces, mentions)
}

// hint says what squeeze can know of a text.
func (d *draft) hint(ref transcript.Ref, b *transcript.Block, part int) squeeze.Hint {
	h, call := squeeze.Hint{Failed: b.Error}, b
	switch b.Kind {
	case transcript.ToolResult:
		call = partner(d.in.Conv, ref)
	case transcript.ToolCall:
		h.Arg = b.Parts[part].Name
	default:
		return h
	}
	h.Tool = b.Tool
	if call != nil {
		if call.Tool != "" {
			h.Tool = call.Tool
		}
		h.Command, h.Path = callArg(call, commandArgs), callArg(call, pathArgs)
	}
	return h
}

// The names under which agents give a shell command, and a file.
var (
	commandArgs = []string{"command", "cmd", "script", "code"}
	pathArgs    = []string{"file_path", "filePath", "path", "filename", "target_file", "notebook_path", "file"}
)

// callArg returns an argument of a call, as a part or as an XML element in text.
func callArg(call *transcript.Block, names []string) string {
	if text := proseArg(call, names...); text != "" {
		return text
	}
	return call.Arg(names...)
}
