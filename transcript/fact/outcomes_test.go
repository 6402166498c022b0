package fact_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks what is found in each fixture: the number of facts, and checksums of the facts with
// their mentions, of the constraints, the commands and the open items, and of the words that tell failure.
// A change of a rule shows in testdata/fixtures.txt by the fixtures that it concerns, and -update rewrites it.
func TestOutcomes(t *testing.T) {
	rows := [][]string{{"fixture", "facts", "survey", "scan", "constraints", "commands", "todos", "severity"}}
	for name, src := range transcripttest.Fixtures(t, "../../testdata") {
		f, err := format.Decode(src, "")
		if err != nil || len(f.Convs) == 0 {
			continue
		}
		c := f.Convs[0]
		survey := fact.Of(c)
		var mentions, scan, rules, commands, words strings.Builder
		fmt.Fprintln(&mentions, survey.Visible, factsOf(survey))
		for text := range survey.Texts() {
			fmt.Fprintln(&mentions, text.Message, text.Mentions)
		}
		for ref, b := range c.Blocks() {
			fmt.Fprintln(&rules, fact.Instructs(c.Message(ref.Msg).Role, b), fact.ToolOf(b.Tool), fact.IsTodoList(b))
			for i := range b.Parts {
				p := &b.Parts[i]
				scanned(&scan, p.Text)
				fact.Constraints(p.Text, func(at int, sentence string) { fmt.Fprintln(&rules, at, sentence) })
				fact.Commands(b, p, func(at int, first, second string) { fmt.Fprintln(&commands, at, first, second) })
				for line := range strings.Lines(p.Text) {
					fmt.Fprint(&words, fact.MentionsFailure(line))
					for _, word := range strings.Fields(line) {
						fmt.Fprint(&words, severities(word))
					}
				}
			}
		}
		rows = append(rows, []string{name, fmt.Sprint(survey.Len()), transcripttest.Sum(mentions.String()), transcripttest.Sum(scan.String()), transcripttest.Sum(rules.String()),
			transcripttest.Sum(commands.String()), transcripttest.Sum(fact.OpenTodos(c)...), transcripttest.Sum(words.String())})
	}
	transcripttest.Frozen(t, "testdata/fixtures.txt", *update, rows)
}

// A knownFact is a fact with the number of messages in which the model mentions it.
type knownFact struct {
	messages, newest, said, newestSaid int32
	standing, passing                  bool
}

// factsOf returns the facts of a survey.
func factsOf(survey *fact.Survey) []knownFact {
	all, last := make([]knownFact, survey.Len()), make([]int, survey.Len())
	for id := range all {
		f := survey.Fact(fact.ID(id))
		all[id] = knownFact{messages: f.Messages, newest: f.Newest, newestSaid: f.NewestSaid, standing: f.Standing, passing: f.Passing}
	}
	for text := range survey.Texts() {
		for _, m := range text.Mentions {
			if text.Block.Origin == transcript.ByModel && last[m.Fact] != text.Message+1 {
				last[m.Fact] = text.Message + 1
				all[m.Fact].said++
			}
		}
	}
	return all
}

// scanned writes the facts of a text with their kinds.
func scanned(to *strings.Builder, text string) {
	fact.Each(text, func(at int, key string) { fmt.Fprintln(to, at, key, fact.KindOf(text, at, key)) })
}

// severities returns what a word tells about failure.
func severities(word string) string {
	return fmt.Sprint(fact.SeverityOf([]byte(strings.ToLower(word))), fact.SeverityOf([]byte(word)), fact.SeverityOfSign(word), fact.SeverityOfName(word), fact.IsFailedState([]byte(word)))
}

// TestOutcomesOfWords checks the facts of all words of up to four characters of ten sorts, between two blanks, and
// of random longer ones, in testdata/words.txt.
func TestOutcomesOfWords(t *testing.T) {
	const sorts = "ayAZ09_$./\\:-@#~+ \n\té|→"
	rows := [][]string{{"words", "facts"}}
	some := []rune("aA1_./:-# ")
	for _, first := range some {
		var all strings.Builder
		for _, second := range some {
			for _, third := range some {
				for _, fourth := range some {
					word := string([]rune{first, second, third, fourth})
					scanned(&all, " "+word+" ")
					scanned(&all, word[:3])
				}
			}
		}
		rows = append(rows, []string{fmt.Sprintf("%q", first)[1:2] + "_", transcripttest.Sum(all.String())})
	}
	rows[len(rows)-1][0] = "blank"
	r := rand.New(rand.NewPCG(1, 2))
	runes := []rune(sorts)
	for _, length := range []int{5, 6, 7, 8, 12, 16, 17, 24, 40, 199, 200, 201, 220} {
		var all strings.Builder
		for range 1500 {
			word := make([]rune, length)
			for i := range word {
				if word[i] = runes[r.IntN(len(runes))]; r.IntN(3) > 0 || length > 100 {
					word[i] = runes[r.IntN(10)]
				}
			}
			scanned(&all, string(word))
		}
		rows = append(rows, []string{fmt.Sprint("random-", length), transcripttest.Sum(all.String())})
	}
	transcripttest.Frozen(t, "testdata/words.txt", *update, rows)
}

// TestOutcomesOfLines checks commands, constraints and words of failure in lines that were written for this, in
// testdata/lines.txt.
func TestOutcomesOfLines(t *testing.T) {
	rows := [][]string{{"line", "found"}}
	for _, line := range []string{
		"go test ./...", "cd a && go vet; ls | wc -l", "FOO=1 make all", "sudo apt-get install x", "echo 'a; b' && git commit -m \"x && y\"", "git -C a push", "a || b", "a & b", "(cd x; ls)", "for f in *; do rm $f; done", "if x; then y; fi",
		"! grep x", "time make", "env A=b c", "python3 -m pytest", "npm run build", "docker compose up", "kubectl get pods", "./run.sh --all", "/usr/bin/env node", "$CMD x", "`ls`", "x=$(ls)", "# comment", "", " ", "\t", "-x", "--y z", "ls\\\n-la", "cat <<EOF",
		"You must not push.", "never push", "Don’t push it.", "Do not push it", "donot", "do notx", "x do not", "make sure", "Make. Sure it is", "1. Always run it", "2) only this", "- * > never this", "3 never", "Wir müssen gehen.", "Il ne faut pas.", "никогда не делай", "必须这样做才行。不要那样做才行",
		"short!", "Never do", "Nevermind that", strings.Repeat("x", 590) + " must go", strings.Repeat("x", 592) + " must go", "A. You must go now! Or only then? Yes", "a.b must be so", "must\tbe\nonly that", "tu ne dois pas", strings.Repeat("m", 40) + " must", "반드시 해야 합니다", "不準這樣",
		"the m'ust have it", "should not be", "may notice it", "ab jetzt nicht", "d'ora in poi",
		"error", "Error:", "ERROR", "errors", "failed", "FAIL", "fail", "warning", "WARN", "fatal", "panic", "exception", "TypeError", "MyException", "NotFoundError", "OSError", "IOError", "Error", "KeyFault", "AnyWarning", "xError1", "Terror", "✗", "✖", "✓", "⚠", "❌", "×", "!", "E", "F",
		"ok", "passed", "0 errors", "no errors", "1 error", "without error", "errors: 0", "failed: 3", "3 failed", "0 failed", "denied", "refused", "timeout", "timed out", "not found", "cannot find it", "can't open", "unable to open", "undefined", "missing", "invalid", "abort", "aborted", "killed", "segfault",
		"CrashLoopBackOff", "crashloopbackoff", "evicted", "pending", "running", "unhealthy", "exited", "ENOENT", "EACCES", "SIGSEGV", "Traceback", "traceback (most recent call last):", "deprecated", "critical", "severe", "alert", "emergency", "caution", "notice", "bug", "crash", "crashed",
	} {
		var all strings.Builder
		scanned(&all, line)
		fact.CommandsOf(line, func(at int, first, second string) { fmt.Fprintln(&all, at, first, second) })
		fact.Constraints(line, func(at int, sentence string) { fmt.Fprintln(&all, at, sentence) })
		fmt.Fprintln(&all, fact.MentionsFailure(line), severities(line))
		rows = append(rows, []string{fmt.Sprintf("%.40q-%d", line, len(line)), transcripttest.Sum(all.String())})
	}
	transcripttest.Frozen(t, "testdata/lines.txt", *update, rows)
}

// TestOutcomesOfSurveys checks surveys of random conversations, in testdata/surveys.txt. They have instructions,
// hidden messages, keys of all lengths, and enough texts for several processors.
func TestOutcomesOfSurveys(t *testing.T) {
	rows := [][]string{{"seed", "survey"}}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 3))
		var list []*transcript.Message
		for range 30 + r.IntN(50) {
			var text strings.Builder
			for range r.IntN(40) {
				fmt.Fprintf(&text, []string{"src/part_%d.go", "Thing%d", "10:11:%02d", "%d.5s", "-rw-r--r--%d", "https://example.org/a/%d/x", "word%[2]s%[1]d", "plain%.0d", "12.%dms", "a_%d\n"}[r.IntN(10)]+" ", r.IntN(30), strings.Repeat("_long", r.IntN(12)))
			}
			m := []*transcript.Message{transcripttest.User(text.String()), transcripttest.Model(text.String()), transcripttest.System(text.String()),
				transcripttest.Tool("1", text.String()), transcripttest.Model(transcripttest.Thinking(text.String()), transcripttest.Call("1", "Bash", "command="+text.String()))}[r.IntN(5)]
			m.Hidden = r.IntN(9) == 0
			list = append(list, m)
		}
		survey := fact.Of(transcripttest.Conversation(list...))
		all := fmt.Sprint(survey.Visible, factsOf(survey))
		for text := range survey.Texts() {
			all += fmt.Sprint(text.Message, text.Mentions)
		}
		rows = append(rows, []string{fmt.Sprint(seed), fmt.Sprintf("%d:%s", survey.Len(), transcripttest.Sum(all))})
	}
	transcripttest.Frozen(t, "testdata/surveys.txt", *update, rows)
}
