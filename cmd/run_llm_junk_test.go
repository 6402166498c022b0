//go:build unix

package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// junk lists answers that are no notes: without most sections, refusals, and those that say
// too little.
var junk = map[string]string{
	"OK":                   "OK.",
	"an acknowledgement":   "Sure, here are the notes that you asked for.",
	"one section":          "## Intent\nThe user wants the valves mended, and later the pumps, and nothing of it may touch prod.cfg.",
	"a summary in prose":   strings.Repeat("The valves were mended one after the other, and the pumps come next. ", 12),
	"a refusal":            "I'm sorry, but I can't help with that.",
	"a refusal in German":  "Es tut mir leid, aber dabei kann ich nicht helfen.",
	"refusals by sections": written(map[string]string{"Intent": "I cannot help with that request.", "Current state": "I can't assist with this."}),
	"nothing by sections":  written(map[string]string{"Current state": "None."}),
}

// TestSummarizeJunk checks that an answer that is no notes never becomes a summary. The model is
// asked once more, in an exchange that goes on, and then the digest is used.
func TestSummarizeJunk(t *testing.T) {
	path := valves(t, 40, 120)
	without := summarize(t, nil, path)
	for name, answer := range junk {
		t.Run(name, func(t *testing.T) {
			b := serve(t, says(answer))
			r := summarize(t, b, path)
			if r.code != 0 || r.out != without.out || r.stage(t).Fallback == "" {
				t.Errorf("exit code %d, fallback %q, notes:\n%s", r.code, r.stage(t).Fallback, notesOf(t, r.out))
			}
			if len(b.asked) != 2 {
				t.Fatalf("%d questions", len(b.asked))
			}
			first, second := b.asked[0].Messages, b.asked[1].Messages
			if len(first) != 2 || len(second) != 4 || first[0] != second[0] || first[1] != second[1] {
				t.Fatalf("the second question has %d messages and does not begin as the first", len(second))
			}
			if second[2].Role != "assistant" || second[2].Content != strings.TrimSpace(answer) || second[3].Role != "user" || len(second[3].Content) > 400 {
				t.Errorf("the exchange went on with %v", second[2:])
			}
		})
	}
	t.Run("then well", func(t *testing.T) {
		b := serve(t, func(n int, _ string) (int, string) {
			if n == 1 {
				return 200, junk["OK"]
			}
			return 200, written(map[string]string{"Decisions": strings.Repeat("The valve opens, waits for some seconds and closes again. ", 20)})
		})
		if r := summarize(t, b, path); r.stage(t).Fallback != "" || !strings.Contains(notesOf(t, r.out), "closes again") {
			t.Errorf("%+v", r.stage(t))
		}
	})
	t.Run("own instructions", func(t *testing.T) {
		prompt := filepath.Join(t.TempDir(), "prompt")
		if err := os.WriteFile(prompt, []byte("In a line."), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, answer := range []string{junk["OK"], junk["a refusal"]} {
			if r := summarize(t, serve(t, says(answer)), path, "--prompt-file", prompt); r.stage(t).Fallback == "" {
				t.Errorf("%q became a summary", answer)
			}
		}
	})
}

// TestSummarizeSubstitute (V8) checks the order of the models: the first one, the one of
// --llm-fallback-model, and then none.
func TestSummarizeSubstitute(t *testing.T) {
	prices := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(prices, []byte(`{"m":{"input_cost_per_token":1e-06,"output_cost_per_token":2e-06},"n":{"input_cost_per_token":1e-06,"output_cost_per_token":2e-06}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	path := valves(t, 4, 20)
	good := written(map[string]string{"Files and code": "valve/v0.go: shortened"})
	var b *notebook
	answers := func(m, n func() (int, string)) *notebook {
		b = serve(t, func(i int, _ string) (int, string) {
			if b.asked[i-1].Model == "n" {
				return n()
			}
			return m()
		})
		return b
	}
	well := func() (int, string) { return 200, good }
	busy := func() (int, string) { return 503, "overloaded" }
	ok := func() (int, string) { return 200, "OK." }
	tests := []struct {
		name string
		m, n func() (int, string)
		want string // models in the order of the questions
		why  string // remark or fallback
	}{
		{"V8: not needed", well, busy, "m", ""},
		{"V8: the first is busy", busy, well, "m n", "m failed, and n was asked: 503"},
		{"the first answers junk", ok, well, "m m n", "m failed, and n was asked: the model's notes cannot be used"},
		{"V8: both fail", busy, ok, "m n n", "503 Service Unavailable: overloaded; n, which was asked then: the model's notes cannot be used"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := summarize(t, answers(tt.m, tt.n), path, "--llm-fallback-model", "n", "--prices", prices)
			var models []string
			for _, q := range b.asked {
				models = append(models, q.Model)
			}
			if got := strings.Join(models, " "); got != tt.want {
				t.Errorf("asked %s", got)
			}
			kept(t, &r)
			s := r.stage(t)
			if got := strings.Join(s.Metrics.Asked.Notes, "; ") + s.Fallback; !strings.Contains(got, tt.why) || (s.Fallback != "") != (tt.name == "V8: both fail") {
				t.Errorf("remarks %q, fallback %q", s.Metrics.Asked.Notes, s.Fallback)
			}
			if notes := notesOf(t, r.out); (notes != "") != (s.Fallback == "") {
				t.Errorf("the notes are\n%s", notes)
			}
			answered := len(models) - strings.Count(tt.want, "m")
			if tt.name == "V8: not needed" || tt.name == "the first answers junk" {
				answered = len(models)
			}
			if cost := s.Metrics.Cost; cost == nil || fmt.Sprintf("%.4f", *cost) != fmt.Sprintf("%.4f", float64(answered)*0.0011) || s.Metrics.Asked.Questions != answered {
				t.Errorf("%d questions cost %v", s.Metrics.Asked.Questions, cost)
			}
		})
	}
	t.Run("limit of the cost", func(t *testing.T) { // the second try and the substitute exceed it
		plan, err := program(t, "run", "-n", "-s", "summarize", "--target", "60%", "--llm", "--llm-model", "m", "--prices", prices, path).CombinedOutput()
		price := regexp.MustCompile(`for up to \$([0-9.]+);`).FindSubmatch(plan)
		if err != nil || price == nil {
			t.Fatalf("%v:\n%s", err, plan)
		}
		limit := string(price[1]) + "5" // what the plan costs, rounded up
		r := summarize(t, answers(ok, well), path, "--llm-fallback-model", "n", "--prices", prices, "--max-cost", limit)
		if s := r.stage(t); len(b.asked) != 1 || s.Metrics.Cost == nil || strings.Count(s.Fallback, "more than the limit of $") != 2 {
			t.Errorf("%d questions, %+v", len(b.asked), s)
		}
	})
	t.Run("dry run", func(t *testing.T) {
		b := answers(well, well)
		text, err := program(t, "run", "-n", "-s", "summarize", "--llm", "--llm-model", "m", "--llm-fallback-model", "n", "--prices", prices, "--base-url", b.url, path).CombinedOutput()
		if want := regexp.MustCompile(`would ask m: part 1 of 1 .* for up to \$0\.\d{4}.*; an answer that cannot be used is asked for once more; if that fails, n: part 1 of 1 .* for up to \$0\.\d{4}`); err != nil || !want.Match(text) || len(b.asked) > 0 {
			t.Errorf("%v, %d questions:\n%s", err, len(b.asked), text)
		}
	})
	t.Run("the same", func(t *testing.T) {
		out, err := program(t, "run", "-n", "--llm", "--llm-model", "m", "--llm-fallback-model", "m", path).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "the same model") {
			t.Errorf("%v:\n%s", err, out)
		}
	})
}

// TestSummarizeTooLong checks that the report of a server that a prompt is too long leads to
// smaller parts, and not to the fallback.
func TestSummarizeTooLong(t *testing.T) {
	const window = 9000
	long := strings.Repeat("The valve opens, waits for some seconds and closes again. ", 20)
	refused := 0
	b := serve(t, func(_ int, prompt string) (int, string) {
		if tokens := len(prompt) / 3; tokens > window {
			refused++
			return 400, fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens.", window, tokens)
		}
		return 200, written(map[string]string{"Decisions": long})
	})
	r := summarize(t, b, valves(t, 40, 120))
	kept(t, &r)
	if s := r.stage(t); s.Fallback != "" || refused == 0 || refused > 3 || notesOf(t, r.out) == "" {
		t.Fatalf("refused %d times, %+v", refused, s)
	}
	seen := map[string]int{}
	for _, q := range b.asked {
		for _, m := range regexp.MustCompile(`go on with step (\d+)\.`).FindAllStringSubmatch(q.Messages[1].Content, -1) {
			if len(q.Messages[1].Content)/3 < window {
				seen[m[1]]++
			}
		}
	}
	for i := 1; i < 38; i++ {
		if seen[fmt.Sprint(i)] != 1 {
			t.Errorf("step %d was sent %d times", i, seen[fmt.Sprint(i)])
		}
	}
	if notes := strings.Join(r.stage(t).Metrics.Asked.Notes, "; "); !strings.Contains(notes, "smaller parts were sent, for a window of 9000 tokens") {
		t.Errorf("the report has %q", notes)
	}
}

// TestSummarizeSampling checks that temperature and length are what the flags say, and that the user's
// messages, which stay, are not asked for.
func TestSummarizeSampling(t *testing.T) {
	b := serve(t, says(written(map[string]string{"Decisions": strings.Repeat("The valve opens, waits for some seconds and closes again. ", 10)})))
	path := valves(t, 40, 120)
	summarize(t, b, path)
	summarize(t, b, path, "--llm-temperature", "0.5", "--llm-max-tokens", "600", "--unpin", "user")
	if len(b.asked) < 2 {
		t.Fatalf("%d questions", len(b.asked))
	}
	first, last := b.asked[0], b.asked[len(b.asked)-1]
	if first.Temperature > 1e-6 || last.Temperature != 0.5 || first.MaxTokens != 4800 || last.MaxTokens != 900 { // with the draft
		t.Errorf("sent %v, %d and %v, %d", first.Temperature, first.MaxTokens, last.Temperature, last.MaxTokens)
	}
	if strings.Contains(first.Messages[0].Content, "## User messages") || !strings.Contains(last.Messages[0].Content, "## User messages") {
		t.Error("the messages of the user are asked for where they stay, or not asked for where they go")
	}
	if n := strings.Count(first.Messages[1].Content, typedLast); n != 1 {
		t.Errorf("the question holds the latest request %d times", n)
	}
}

// TestSummarizeFill checks that the newest turns use what short notes leave of the target, and that
// a second run on the output still finds the notes.
func TestSummarizeFill(t *testing.T) {
	path := valves(t, 40, 120)
	short := written(map[string]string{"Decisions": strings.Repeat("The valve opens, waits for some seconds and closes again. ", 12)})
	for _, share := range []string{"10%", "25%", "50%"} {
		b := serve(t, says(short))
		r := summarize(t, b, path, "--target", share)
		var percent float64
		if _, err := fmt.Sscanf(share, "%f%%", &percent); err != nil {
			t.Fatal(err)
		}
		target := percent / 100 * float64(r.report.Tokens.Before)
		if after := float64(r.report.Tokens.After); after > target || after < 0.9*target {
			t.Errorf("%s: %.0f tokens of %.0f", share, after, target)
		}
		kept(t, &r)
		if notesOf(t, r.out) == "" || !strings.Contains(r.out, "valve_39 waits too long") || strings.Contains(r.out, "valve_0 waits too long") {
			t.Errorf("%s: %+v", share, r.stage(t))
		}
	}
}
