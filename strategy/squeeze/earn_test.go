package squeeze

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// These tests measure the benefit of each kind. They shorten an invented text to a quarter, once cut by
// its kind and once as lines of unknown kind: output of commands by the first of its lines, all else as
// output of commands. They compare the shares of the items that a reader looks for. The facts that a
// conversation needs next hardly depend on the kinds (.github/ARCHITECTURE.md), so that these items
// justify the kinds: a kind without benefit has to be removed. Two kinds are not tested: nobody reads
// binary data, and the message of a tool is short enough to be its first line.

// An earning is a text with the items that its reader looks for. An item is found when the output has
// all its strings in order, such as a changed line below the name of its file.
type earning struct {
	kind  Kind
	hint  Hint
	text  string
	items [][]string
	valid func(string) bool // a further condition of the result; nil for none
}

func TestKindsEarn(t *testing.T) {
	missing := map[Kind]bool{}
	for k := range Kind(len(kindNames)) {
		missing[k] = k != Plain && k != Binary && k != ToolError
	}
	for _, e := range earnings() {
		missing[e.kind] = false
		t.Run(e.kind.String(), func(t *testing.T) {
			text := Cut(e.text, e.hint)
			if text.Kind != e.kind {
				t.Fatalf("taken for %s", text.Kind)
			}
			lines := &Text{Source: e.text}
			lines.cutRun(false)
			if ran(e.kind) { // outputs of commands are cut like that
				for i := range lines.Pieces {
					lines.Pieces[i].Cue = none
				}
			}
			with, without := e.found(shortened(text)), e.found(shortened(lines))
			t.Logf("%4d items: %3.0f %% found, %3.0f %% of lines of no kind", len(e.items), 100*with, 100*without)
			if with <= without {
				t.Errorf("%s has no benefit: %.2f, lines of no kind %.2f\n%s", e.kind, with, without, shortened(text))
			}
		})
	}
	for k, is := range missing {
		if is {
			t.Errorf("%s has no text in earnings", k)
		}
	}
}

// ran reports whether texts of a kind are output of commands, which cutRun cuts.
func ran(k Kind) bool {
	return k == Log || k == Test || k == Compiler || k == Trace
}

// shortened keeps the pieces with the highest cues, earlier ones first, within a
// quarter of the source.
func shortened(t *Text) string {
	order := make([]int, len(t.Pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if t.Pieces[a].Cue > t.Pieces[b].Cue {
			return -1
		}
		if t.Pieces[a].Cue < t.Pieces[b].Cue {
			return 1
		}
		return 0
	})
	most := func(n int) string {
		keep := make([]bool, len(order))
		for _, i := range order[:n] {
			keep[i] = true
		}
		return t.Render(keep)
	}
	low, high := 0, len(order)
	for low < high {
		n := (low + high + 1) / 2
		if len(most(n)) <= len(t.Source)/4 {
			low = n
		} else {
			high = n - 1
		}
	}
	return most(low)
}

// found returns the share of items that a text has; 0 when it is not valid.
func (e earning) found(s string) float64 {
	if e.valid != nil && !e.valid(s) {
		return 0
	}
	n := 0
	for _, item := range e.items {
		rest, all := s, true
		for _, part := range item {
			_, after, ok := strings.Cut(rest, part)
			rest, all = after, all && ok
		}
		if all {
			n++
		}
	}
	return float64(n) / float64(len(e.items))
}

// A writing collects a text and its items.
type writing struct {
	strings.Builder
	items [][]string
}

func (w *writing) linef(format string, a ...any) { fmt.Fprintf(w, format+"\n", a...) }

// item records what a reader looks for.
func (w *writing) item(parts ...string) { w.items = append(w.items, parts) }

// earnings returns long texts of each kind that is cut in its own way.
func earnings() []earning {
	list := []earning{logEarning(), testEarning(), compilerEarning(), traceEarning(), codeEarning(), diffEarning(), historyEarning(), listingEarning(), searchEarning(), proseEarning()}
	list = append(list, jsonEarnings()...)
	return append(list, tableEarning(), htmlEarning(), snapshotEarning())
}

func (w *writing) earning(kind Kind, h Hint) earning {
	return earning{kind: kind, hint: h, text: w.String(), items: w.items}
}

func logEarning() earning {
	var w writing
	for i := range 300 {
		if i%60 == 45 {
			gone := fmt.Sprintf("2031-03-01 10:%02d:00 ERROR gauge %d does not answer", i%60, i)
			w.linef("%s", gone)
			w.item(gone)
			continue
		}
		w.linef("2031-03-01 10:%02d:00 INFO read gauge %d", i%60, i)
	}
	return w.earning(Log, Hint{Tool: "Bash", Command: "./tides serve"})
}

func testEarning() earning {
	var w writing
	for i := range 150 {
		if i%30 != 20 {
			w.linef("=== RUN   TestGauge%d\n--- PASS: TestGauge%d (0.00s)", i, i)
			continue
		}
		name, says := fmt.Sprintf("--- FAIL: TestGauge%d (0.00s)", i), fmt.Sprintf("gauge_test.go:%d: got %d, want %d", i, i, i+1)
		w.linef("=== RUN   TestGauge%d\n%s\n    %s", i, name, says)
		w.item(name, says)
	}
	w.linef("FAIL\nFAIL\ttides\t0.31s")
	return w.earning(Test, Hint{Tool: "Bash", Command: "go test -v ./..."})
}

func compilerEarning() earning {
	var w writing
	for i := range 120 {
		if i%24 != 13 {
			w.linef("   Compiling gauge-%d v0.1.%d (/src/tides/gauge-%d)", i, i, i)
			continue
		}
		says, place := fmt.Sprintf("error[E0425]: cannot find value `level%d` in this scope", i), fmt.Sprintf(" --> gauge-%d/src/lib.rs:%d:9", i, i)
		w.linef("%s\n %s\n   |\n%d |     level%d\n   |     ^^^^^^ not found in this scope\n", says, place, i, i)
		w.item(says, place)
	}
	return w.earning(Compiler, Hint{Tool: "Bash", Command: "cargo build"})
}

func traceEarning() earning {
	var w writing
	for i := range 8 {
		w.linef("Traceback (most recent call last):")
		own := fmt.Sprintf("  File \"/src/tides/gauge%d.py\", line %d, in read", i, i+10)
		w.linef("%s\n    return fetch(gauge)", own)
		for k := range 12 {
			w.linef("  File \"/usr/lib/python3/site-packages/client/wire%d.py\", line %d, in send\n    return self.next(request)", k, k+40)
		}
		says := fmt.Sprintf("client.Timeout: gauge %d", i)
		w.linef("%s\n", says)
		w.item(own, says)
	}
	return w.earning(Trace, Hint{Tool: "Bash", Command: "python3 -m tides"})
}

func codeEarning() earning {
	var w writing
	w.linef("package tides\n")
	for i := range 40 {
		w.linef("// Gauge%d reads the gauge of harbour %d.", i, i)
		w.linef("func Gauge%d(at time.Time) (float64, bool) {", i)
		for k := range 12 {
			w.linef("\tlevel%d := table[%d].level + offset*%d", k, k, i)
		}
		w.linef("\treturn level0, true\n}\n")
		w.item(fmt.Sprintf("func Gauge%d(", i))
	}
	return w.earning(Code, Hint{Tool: "Read", Path: "/src/tides/gauge.go"})
}

func diffEarning() earning {
	var w writing
	for i := range 12 {
		name := fmt.Sprintf("tides/gauge%d.go", i)
		w.linef("diff --git a/%s b/%s\nindex 1234567..89abcde 100644\n--- a/%s\n+++ b/%s", name, name, name, name)
		for hunk := range 2 {
			w.linef("@@ -%d,20 +%d,20 @@ func Gauge%d() {", 40*hunk+1, 40*hunk+1, i)
			for k := range 20 {
				if k == 9 {
					was, is := fmt.Sprintf("-\tlevel := table[%d]", 10*i+hunk), fmt.Sprintf("+\tlevel := table[%d] + offset", 10*i+hunk)
					w.linef("%s\n%s", was, is)
					w.item(name, was, is)
				}
				w.linef(" \tkeep(%d, %d, %d) // as it was before", i, hunk, k)
			}
		}
	}
	return w.earning(Diff, Hint{Tool: "Bash", Command: "git diff"})
}

func historyEarning() earning {
	var w writing
	for i := range 50 {
		hash, subject := fmt.Sprintf("%040x", 7919*(i+1)), fmt.Sprintf("gauge %d: read the table once", i)
		w.linef("commit %s\nAuthor: Ada Marsh <ada@harbour.example>\nDate:   Mon Mar %d 10:00:00 2031 +0000\n\n    %s\n", hash, i%28+1, subject)
		for range 6 {
			w.linef("    The table was read for every gauge, which took long on slow disks.")
		}
		w.linef("")
		w.item(hash, subject)
	}
	return w.earning(History, Hint{Tool: "Bash", Command: "git log"})
}

func listingEarning() earning {
	var w writing
	for i := range 30 {
		folder := fmt.Sprintf("./harbours/north-%d:", i)
		w.linef("%s", folder)
		for k := range 15 {
			w.linef("gauge-%d-%d.csv", i, k)
		}
		w.linef("")
		w.item(folder)
	}
	return w.earning(Listing, Hint{Tool: "Bash", Command: "ls -R"})
}

func searchEarning() earning {
	var w writing
	for i := range 30 {
		path := fmt.Sprintf("tides/gauge%d.go", i)
		w.linef("%s", path)
		for k := range 14 {
			w.linef("%d:\tlevel := offset(%d, %d)", 10*k+12, i, k)
		}
		def := fmt.Sprintf("func offset%d(a, b int) int {", i)
		w.linef("%d:%s\n", 300, def)
		w.item(path, def)
	}
	return w.earning(Search, Hint{Tool: "Grep"})
}

func proseEarning() earning {
	var w writing
	for i := range 30 {
		heading := fmt.Sprintf("## Harbour %d", i)
		w.linef("%s\n", heading)
		for k := range 4 {
			w.linef("The water of this harbour rises %d times a day, and boats wait outside until the bar is covered.\n", k+1)
		}
		w.item(heading)
	}
	return w.earning(Prose, Hint{Tool: "Read", Path: "/docs/harbours.md"})
}

// jsonEarnings returns rows of which some failed, in an array and as NDJSON.
func jsonEarnings() []earning {
	var array, lines writing
	array.linef(`{"rows": [`)
	for i := range 200 {
		state := "done"
		if i%37 == 5 {
			state = "failed"
		}
		row := fmt.Sprintf(`{"id": %d, "gauge": "north-%d", "state": "%s", "level": %d.5, "note": "read at the pier"}`, i, i%9, state, i%7)
		comma := ","
		if i == 199 {
			comma = ""
		}
		array.linef("  %s%s", row, comma)
		lines.linef("%s", row)
		if state == "failed" {
			array.item(fmt.Sprintf(`"id": %d,`, i), `"state": "failed"`)
			lines.item(fmt.Sprintf(`"id": %d,`, i), `"state": "failed"`)
		}
	}
	array.linef("]}")
	a, l := array.earning(JSON, Hint{Tool: "query"}), lines.earning(NDJSON, Hint{Tool: "query"})
	a.valid = func(s string) bool { return json.Valid([]byte(s)) }
	l.valid = func(s string) bool {
		for line := range strings.Lines(s) {
			if !json.Valid([]byte(line)) {
				return false
			}
		}
		return true
	}
	return []earning{a, l}
}

// tableEarning returns a table in which some rows differ from the others, without a word that states it.
func tableEarning() earning {
	var w writing
	w.linef("gauge,day,level,keeper")
	for i := range 300 {
		if i%61 == 30 {
			odd := fmt.Sprintf("north-%d,%d,,nobody", i, i%28+1)
			w.linef("%s", odd)
			w.item("gauge,day,level,keeper", odd)
			continue
		}
		w.linef("north-%d,%d,%d,Ada", i, i%28+1, i%7+2)
	}
	return w.earning(Table, Hint{Tool: "Bash", Command: "cat tides.csv"})
}

func htmlEarning() earning {
	var w writing
	w.linef("<!DOCTYPE html>\n<html><head><title>Tides</title><style>")
	for i := range 60 {
		w.linef(".gauge-%d { padding: %dpx; border-bottom: 1px solid #ccc }", i, i)
	}
	w.linef("</style></head><body>")
	for i := range 40 {
		says := fmt.Sprintf("High water at pier %d comes at noon.", i)
		w.linef(`<div class="gauge gauge-%d" data-slot="north-%d" data-refresh="30"><svg viewBox="0 0 24 24"><path d="M12 2L2 7l10 5 10-5"/></svg>`, i, i)
		w.linef("<p>%s</p></div>", says)
		w.linef("<script>register(%d, {flags: ['a', 'b'], path: '/tides/%d'})</script>", i, i)
		w.item(says)
	}
	w.linef("</body></html>")
	return w.earning(HTML, Hint{Tool: "WebFetch"})
}

func snapshotEarning() earning {
	var w writing
	ref := 0
	node := func(indent int, format string, a ...any) string {
		ref++
		s := fmt.Sprintf(format, a...) + fmt.Sprintf(" [ref=e%d]", ref)
		w.linef("%s- %s", strings.Repeat("  ", indent), s)
		return s
	}
	for i := range 30 {
		node(0, "generic")
		node(1, "generic")
		for k := range 6 {
			node(2, "paragraph")
			node(3, "generic: The water rises %d times a day here", k)
		}
		w.item(node(2, "button \"Reserve berth %d\"", i))
	}
	return w.earning(Snapshot, Hint{Tool: "browser_snapshot"})
}
