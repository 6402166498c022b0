package format

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"condense/transcript"
	"condense/transcript/token"
)

func TestZZ(t *testing.T) {
	out, _ := os.Create("/tmp/ev/go.jsonl")
	defer out.Close()
	c4, _ := token.New("bytes4")
	for _, path := range corpusFiles(t) {
		src, _ := os.ReadFile(path)
		f, err := Decode(src, "")
		rec := map[string]any{"file": filepath.Base(path)}
		if err != nil {
			rec["error"] = err.Error()
		} else {
			var convs []any
			for i, c := range f.Convs {
				var msgs []any
				l := f.layouts[i]
				for _, m := range c.Messages {
					var bl []any
					tok := 0
					for _, b := range m.Blocks {
						n := c4.Block(b)
						tok += n
						bl = append(bl, map[string]any{"kind": b.Kind.String(), "origin": b.Origin.String(), "call": b.Call, "tool": b.Tool, "tokens": n, "text": b.Text(), "sha": fmt.Sprintf("%x", sha256.Sum256([]byte(b.Text())))[:12]})
					}
					var recs []int
					for _, s := range l.msgs[m.ID].records {
						recs = append(recs, s-l.first)
					}
					msgs = append(msgs, map[string]any{"id": m.ID, "role": m.Role.String(), "hidden": m.Hidden, "blocks": bl, "records": recs, "tokens": tok})
				}
				convs = append(convs, map[string]any{"id": c.ID, "messages": msgs})
			}
			rec["convs"] = convs
			rec["dialect"] = f.Dialect.Name
			var fs []string
			for _, x := range f.Faults {
				fs = append(fs, fmt.Sprintf("%d %s", x.Line, x.Text))
			}
			rec["faults"] = fs
		}
		b, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	_ = transcript.Whole
}
