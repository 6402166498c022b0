package squeeze

import (
	"os"
	"path/filepath"
	"testing"

	"condense/transcript"
	"condense/transcript/format"
)

// corpusResults calls each for every tool result of the real conversations beside a
// checkout, with the hint of its call. It skips the test when there are none.
func corpusResults(t *testing.T, each func(file, text string, h Hint)) {
	files, err := filepath.Glob("../../../shared/corpus/*/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 || testing.Short() {
		t.Skip("no corpus")
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := format.Decode(src, "")
		if err != nil {
			continue // not every file of the corpus is a conversation
		}
		for _, c := range file.Convs {
			for m := range c.Visible() {
				for _, b := range m.Blocks {
					if b.Kind != transcript.ToolResult {
						continue
					}
					var call *transcript.Block
					if p, ok := c.Partner(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}); ok {
						call = c.Block(p)
					}
					for i := range b.Parts {
						if text := b.Parts[i].Text[b.Parts[i].Head:]; text != "" {
							each(filepath.Base(path), text, callHint(call, b))
						}
					}
				}
			}
		}
	}
}

// callHint returns the hint of a call for its result.
func callHint(call, result *transcript.Block) Hint {
	h := Hint{Tool: result.Tool, Failed: result.Error}
	if call != nil {
		h.Tool = call.Tool
		h.Command = call.Arg("command", "cmd", "command[2]", "input", "code")
		h.Path = call.Arg("file_path", "path", "filePath", "filename", "target_file", "absolute_path")
	}
	return h
}

// TestCorpusKinds logs the kinds that the tool results of the corpus are recognised
// as. Text of unknown kind must stay the exception.
func TestCorpusKinds(t *testing.T) {
	var count, bytes [len(kindNames)]int
	total := 0
	corpusResults(t, func(_, text string, h Hint) {
		kind := Cut(text, h).Kind
		count[kind]++
		bytes[kind] += len(text)
		total += len(text)
	})
	for kind, n := range count {
		t.Logf("%-16s %6d results %9d bytes %5.1f %%", Kind(kind), n, bytes[kind], 100*float64(bytes[kind])/float64(total))
	}
	if plain := bytes[Plain]; plain*100 > total*15 {
		t.Errorf("%d of %d bytes are of no known kind", plain, total)
	}
}

// TestCorpusProperties checks real results like the samples.
func TestCorpusProperties(t *testing.T) {
	seed := uint64(0)
	corpusResults(t, func(_, text string, h Hint) {
		if seed++; seed%7 == 0 { // every seventh, since results are similar
			check(t, text, h, seed)
		}
	})
}
