//go:build unix

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// Bounds of the memory for each byte of the input.
const (
	least  = 15 // tiny messages, each with a word of its own
	loose  = 12 // other tiny messages, and dense JSON
	strict = 6  // logs and agent sessions
)

// A shape is a kind of input.
type shape struct {
	name  string
	bound float64               // of the factor
	make  func(size int) []byte // returns an input of about size bytes
}

// shapes returns all shapes.
func shapes() []shape {
	var all []shape
	for _, f := range []string{"openai", "anthropic", "claude-code", "codex", "responses", "gemini"} {
		all = append(all, shape{"tiny-" + f, loose, tiny(f)})
	}
	all = append(all, []shape{
		{"tiny-words", least, tinyWords},
		{"tiny-calls", loose, tinyCalls},
		{"tiny-parts", loose, tinyParts},
		{"tiny-lines", strict, oneResult(func(t *text) string { return "ok\n" })},
		{"rows-array", loose, rowsArray},
		{"rows-jsonl", loose, rowsLines},
		{"rows-long", strict, rowsLong},
		{"wide-calls", loose, wideCalls},
		{"wide-rounds", loose, wideRounds},
		{"dense-result", loose, denseResult},
		{"dense-args", loose, denseArgs},
		{"dense-keys", loose, denseKeys},
		{"dense-strings", loose, denseValues(1000, `"a%d"`)},
		{"dense-rows", loose, denseValues(500, `{"id":%d,"on":true}`)},
		{"dense-extra", loose, denseExtra},
		{"dense-pretty", loose, densePretty},
		{"nested-args", loose, nestedArgs},
		{"nested-extra", loose, nestedExtra},
		{"escapes", strict, escapes},
	}...)
	for _, f := range []string{"openai", "anthropic", "claude-code", "codex", "gemini", "pi"} {
		all = append(all, shape{"session-" + f, strict, session(f)})
	}
	return append(all, []shape{
		{"rereads", strict, rereads},
		{"hidden", strict, hidden},
		{"log-one-result", strict, oneResult(func(t *text) string { return t.log(20) })},
		{"log-one-line", strict, oneResult(func(t *text) string { return t.words(200) + " " })},
		{"log-same-lines", strict, oneResult(func() func(t *text) string {
			line := newText().log(1)
			return func(*text) string { return line }
		}())},
		{"log-results", strict, logResults},
		{"log-numbers", strict, oneResult(func(t *text) string { return fmt.Sprintln(t.r.IntN(1e9), t.r.IntN(1e9), t.r.Float64()) })},
		{"grep", strict, oneResult(func(t *text) string { return fmt.Sprintf("%s:%d: %s\n", t.path(), t.r.IntN(5000), t.words(5)) })},
		{"images", strict, images},
		{"base64-result", strict, oneResult(func(t *text) string { return t.base64(4096) })},
		{"typed", strict, typed},
		{"prose", strict, prose},
		{"cjk", strict, cjk},
	}...)
}

// fill calls add until a conversation has about size bytes, and returns it.
func fill(w *writer, size int, add func(i int)) []byte {
	for i := 0; w.len() < size; i++ {
		add(i)
	}
	return w.bytes()
}

func tiny(format string) func(int) []byte {
	return func(size int) []byte {
		w := newWriter(format)
		return fill(w, size, func(int) { w.user("go on"); w.say("ok") })
	}
}

// tinyWords has blanks behind colons and commas, as the json module of Python writes them.
func tinyWords(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"messages": [`)
	for i := 0; b.Len() < size; i += 2 {
		fmt.Fprintf(&b, `{"role": "user", "content": "m%d"}, {"role": "assistant", "content": "m%d"}, `, i, i+1)
	}
	return []byte(strings.TrimSuffix(b.String(), ", ") + "]}")
}

func tinyCalls(size int) []byte {
	w := newWriter("openai")
	w.user("Run them all.")
	return fill(w, size, func(i int) { w.call(fmt.Sprintf(`{"n":%d}`, i), fmt.Sprint(i)) })
}

func tinyParts(size int) []byte {
	return []byte(`{"model":"gpt-5","messages":[{"role":"user","content":[` +
		strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"a"},`, size/27), ",") + `]},{"role":"assistant","content":"ok"}]}`)
}

// oneResult returns a shape with one tool result that is made of pieces.
func oneResult(piece func(*text) string) func(int) []byte {
	return func(size int) []byte {
		t, w := newText(), newWriter("openai")
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(piece(t))
		}
		w.user("Which line is wrong?")
		w.call(`{"command":"cat build.log"}`, b.String())
		w.say("The last one.")
		return w.bytes()
	}
}

func rowsArray(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `,{"id":"%d","conversations":[{"from":"human","value":"What is %d?"},{"from":"gpt","value":"A number."}]}`, i, i)
	}
	b.WriteString("]")
	out := b.Bytes()
	out[0] = '['
	return out
}

func rowsLines(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `{"messages":[{"role":"user","content":"What is %d?"},{"role":"assistant","content":"A number."}]}`+"\n", i)
	}
	return b.Bytes()
}

func rowsLong(size int) []byte {
	t := newText()
	var b bytes.Buffer
	for b.Len() < size {
		fmt.Fprintf(&b, `{"messages":[{"role":"user","content":%s},{"role":"assistant","content":%s}]}`+"\n", quote(t.prose(10)), quote(t.prose(60)))
	}
	return b.Bytes()
}

// wideCalls has one message with very many calls.
func wideCalls(size int) []byte {
	t := newText()
	var calls, results strings.Builder
	for i := 0; calls.Len()+results.Len() < size; i++ {
		fmt.Fprintf(&calls, `,{"id":"c%d","type":"function","function":{"name":"read","arguments":%s}}`, i, quote(`{"path":`+quote(t.path())+`}`))
		fmt.Fprintf(&results, `,{"role":"tool","tool_call_id":"c%d","content":%s}`, i, quote(t.words(12)))
	}
	return []byte(`{"model":"gpt-5","messages":[{"role":"user","content":"Read all."},{"role":"assistant","content":null,"tool_calls":[` +
		calls.String()[1:] + `]}` + results.String() + `,{"role":"assistant","content":"Done."}]}`)
}

// wideRounds has rounds of fifty calls.
func wideRounds(size int) []byte {
	t := newText()
	var b strings.Builder
	b.WriteString(`{"model":"gpt-5","messages":[{"role":"user","content":"Read all."}`)
	for round := 0; b.Len() < size; round++ {
		var calls, results strings.Builder
		for i := range 50 {
			fmt.Fprintf(&calls, `,{"id":"c%d_%d","type":"function","function":{"name":"read","arguments":%s}}`, round, i, quote(`{"path":`+quote(t.path())+`}`))
			fmt.Fprintf(&results, `,{"role":"tool","tool_call_id":"c%d_%d","content":%s}`, round, i, quote(t.log(4)))
		}
		b.WriteString(`,{"role":"assistant","content":` + quote(t.words(12)) + `,"tool_calls":[` + calls.String()[1:] + `]}` + results.String())
	}
	b.WriteString(`,{"role":"assistant","content":"Done."}]}`)
	return []byte(b.String())
}

func denseResult(size int) []byte {
	t, w := newText(), newWriter("openai")
	var b strings.Builder
	b.WriteString("[0")
	for b.Len() < size {
		fmt.Fprintf(&b, ",%d", t.r.IntN(100))
	}
	w.user("Sum them.")
	w.call(`{"command":"cat numbers.json"}`, b.String()+"]")
	w.say("4711")
	return w.bytes()
}

// denseArgs has calls whose arguments hold many numbers.
func denseArgs(size int) []byte {
	t, w := newText(), newWriter("anthropic")
	w.user("Draw them.")
	return fill(w, size, func(int) {
		var b strings.Builder
		for range 1000 {
			fmt.Fprintf(&b, ",%d", t.r.IntN(100))
		}
		w.call(`{"points":[`+b.String()[1:]+`]}`, "drawn")
	})
}

// denseKeys has calls whose arguments have many members.
// denseValues returns a shape of calls with a list of n values each.
func denseValues(n int, value string) func(size int) []byte {
	return func(size int) []byte {
		w := newWriter("openai")
		w.user("Store them.")
		return fill(w, size, func(int) {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, ","+value, i)
			}
			w.call(`{"values":[`+b.String()[1:]+`]}`, "stored")
		})
	}
}

func denseKeys(size int) []byte {
	t, w := newText(), newWriter("claude-code")
	w.user("Set them.")
	return fill(w, size, func(int) {
		var b strings.Builder
		for k := range 200 {
			fmt.Fprintf(&b, `,"k%d":"%s"`, k, t.word())
		}
		w.call(`{`+b.String()[1:]+`}`, "set")
	})
}

// denseExtra has dense JSON in members that are not part of the conversation.
func denseExtra(size int) []byte {
	t := newText()
	var b strings.Builder
	b.WriteString(`{"model":"gpt-5","messages":[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello."}],"extra":[0`)
	for b.Len() < size {
		fmt.Fprintf(&b, `,%d,{"a":%d}`, t.r.IntN(10), t.r.IntN(10))
	}
	return []byte(b.String() + "]}")
}

// densePretty has results that are JSON on many lines.
func densePretty(size int) []byte {
	t, w := newText(), newWriter("openai")
	w.user("Which of them is late?")
	return fill(w, size, func(int) {
		var b strings.Builder
		b.WriteString("[")
		for k := range 200 {
			fmt.Fprintf(&b, "\n  {\n    \"id\": %d,\n    \"name\": \"%s\",\n    \"late\": %t\n  },", k, t.word(), t.r.IntN(2) == 0)
		}
		w.call(`{"command":"curl http://localhost/list"}`, strings.TrimSuffix(b.String(), ",")+"\n]")
	})
}

func nestedArgs(size int) []byte {
	w := newWriter("anthropic")
	w.user("Nest them.")
	return fill(w, size, func(i int) {
		w.call(strings.Repeat(`{"a":`, 200)+fmt.Sprint(i)+strings.Repeat("}", 200), "nested")
	})
}

func nestedExtra(size int) []byte {
	return []byte(`{"model":"gpt-5","messages":[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello."}],"extra":[` +
		strings.Repeat(strings.Repeat("[", 500)+strings.Repeat("]", 500)+",", size/1001) + "0]}")
}

// escapes has texts in which every letter is escaped.
func escapes(size int) []byte {
	t := newText()
	var b strings.Builder
	b.WriteString(`{"model":"gpt-5","messages":[{"role":"user","content":"Hello."}`)
	for i := 0; b.Len() < size; i++ {
		var s strings.Builder
		for _, r := range t.prose(30) {
			fmt.Fprintf(&s, `\u%04x`, r)
		}
		b.WriteString(`,{"role":"` + [2]string{"assistant", "user"}[i%2] + `","content":"` + s.String() + `"}`)
	}
	return []byte(b.String() + "]}")
}

// session returns an agent session: a task for every twenty rounds.
func session(format string) func(int) []byte {
	return func(size int) []byte {
		t, w := newText(), newWriter(format)
		return fill(w, size, func(i int) {
			if i%20 == 0 {
				w.user("Please " + t.words(25) + ". The limit must stay 1000, and do not touch " + t.path() + ".")
			}
			var result string
			switch i % 4 {
			case 0:
				result = t.code(60)
			case 1:
				result = t.log(30)
			case 2:
				result = t.path() + "\n" + t.path() + "\n"
			case 3:
				result = fmt.Sprintf("--- FAIL: Test%s (0.0%ds)\n    %s:%d: expected %d, got %d\nFAIL\n", t.word(), t.r.IntN(9), t.path(), t.r.IntN(900), t.r.IntN(99), t.r.IntN(99))
			}
			w.call(`{"command":`+quote("cat "+t.path())+`}`, result)
			if i%5 == 4 {
				w.say(t.prose(5))
			}
		})
	}
}

// rereads reads the same few files again and again, with a line changed.
func rereads(size int) []byte {
	t, w := newText(), newWriter("claude-code")
	var files [][]string
	for range 20 {
		files = append(files, strings.Split(t.code(300), "\n"))
	}
	w.user("Mend the files.")
	return fill(w, size, func(i int) {
		f := files[i%20]
		f[t.r.IntN(len(f))] = "\t" + t.words(6)
		w.call(fmt.Sprintf(`{"command":"cat file%d.go"}`, i%20), strings.Join(f, "\n"))
	})
}

// hidden is a session of which a compaction hid the most part.
func hidden(size int) []byte {
	s := session("claude-code")(size * 9 / 10)
	w := newWriter("claude-code")
	w.put(`{"parentUuid":null,"logicalParentUuid":null,"isSidechain":false,"userType":"external","cwd":"/repo","sessionId":"00000000-0000-4000-8000-000000000001","version":"2.1.20","type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"compactMetadata":{"trigger":"auto","preTokens":155000},"uuid":"00000000-0000-4000-8000-{n12}","timestamp":"2026-03-01T00:00:01.000Z"}`, "", "")
	w.n = 1_000_000
	t := newText()
	return append(s, fill(w, size/10, func(int) { w.user(t.words(20)); w.say(t.prose(5)) })...)
}

func logResults(size int) []byte {
	t, w := newText(), newWriter("openai")
	w.user("Which line is wrong?")
	return fill(w, size, func(int) { w.call(`{"command":"make test"}`, t.log(400)) })
}

func images(size int) []byte {
	t := newText()
	var b strings.Builder
	b.WriteString(`{"model":"gpt-5","messages":[{"role":"assistant","content":"Hello."}`)
	for b.Len() < size {
		b.WriteString(`,{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
			t.base64(400_000) + `"}}]},{"role":"assistant","content":` + quote(t.prose(3)) + `}`)
	}
	return []byte(b.String() + "]}")
}

func typed(size int) []byte {
	t, w := newText(), newWriter("openai")
	return fill(w, size, func(int) { w.user(t.log(50) + t.prose(10)); w.say(t.words(10)) })
}

func prose(size int) []byte {
	t, w := newText(), newWriter("openai")
	return fill(w, size, func(int) { w.user(t.words(15)); w.say(t.prose(100)) })
}

func cjk(size int) []byte {
	t, w := newText(), newWriter("openai")
	return fill(w, size, func(int) {
		var b strings.Builder
		for k := range 500 {
			b.WriteRune(rune(0x4e00 + t.r.IntN(3000)))
			if k%20 == 19 {
				b.WriteString("。")
			}
		}
		w.user("次は？")
		w.say(b.String())
	})
}
