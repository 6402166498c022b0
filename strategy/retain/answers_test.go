package retain

import (
	"reflect"
	"strings"
	"testing"

	"condense/transcript"
)

const (
	fix    = "Please fix the importer, it loses the last row."
	found  = "The loop ends one row too early.\n\nI changed the bound in the loop of readRows. All of the tests pass now."
	thanks = "Thanks. Please bring the documents up to date, too."
	done   = "The documents name the new bound now."
)

// turnsOf is a talk of two turns.
func turnsOf() []*transcript.Message {
	return msgs(user(fix), model("I will look at it first."), call("1", "Read", "file_path=a.go"), result("1", "text"), model(found), user(thanks), model(done))
}

func TestAnswers(t *testing.T) {
	record := transcript.RecordOpening + "Read a.go (1 line)]"
	tests := []struct {
		name                               string
		before, after                      []*transcript.Message
		answered, closing, sentences, last Count
	}{
		{"all", turnsOf(), turnsOf(), Count{2, 2}, Count{2, 2}, Count{4, 4}, Count{1, 1}},
		{"nothing is left", turnsOf(), nil, Count{2, 0}, Count{2, 0}, Count{4, 0}, Count{1, 0}},
		{"no answers left", turnsOf(), msgs(user(fix), user(thanks)), Count{2, 0}, Count{2, 0}, Count{4, 0}, Count{1, 0}},
		{"a call is an answer", turnsOf(), msgs(user(fix), call("1", "Read", "file_path=a.go"), result("1", ""), user(thanks), model(done)), Count{2, 2}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"a record stands for one", turnsOf(), msgs(user(fix), summary(record), user(thanks), model(done)), Count{2, 2}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"a record of the model does", turnsOf(), msgs(user(fix), model(record), user(thanks), model(record+"\n\n"+done)), Count{2, 2}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"a marker does", turnsOf(), msgs(user(fix), summary(transcript.Marker("4 messages")), user(thanks), model(done)), Count{2, 2}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"a marker in a result does", turnsOf(), msgs(user(fix), result("1", "text\n"+transcript.Marker("3 lines")), user(thanks), model(done)), Count{2, 2}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"a result does not", turnsOf(), msgs(user(fix), result("1", found), user(thanks), model(done)), Count{2, 1}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"words of a short request are in a summary by chance", msgs(user(fix), model(done), user("go on"), model(found)), msgs(user(fix), model(done), summary("Then they go on with it. "+found)),
			Count{2, 1}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"a request is a part of another one", msgs(user(fix), model(done), user("It said: it loses the last row."), model(found), user("it loses the last row."), model(done)),
			msgs(summary(fix + "\n" + done + "\nIt said: it loses the last row.\n" + found + "\nit loses the last row.\n" + done)), Count{3, 3}, Count{3, 3}, Count{5, 5}, Count{1, 1}},
		{"one sentence is left", turnsOf(), msgs(user(fix), model("All of the tests pass now."), model("I changed the bound in the loop of readRows."), user(thanks), model(done)), Count{2, 2}, Count{2, 2}, Count{4, 3}, Count{1, 1}},
		{"a piece of a sentence is left", turnsOf(), msgs(user(fix), model("I changed the bound in the loop"), user(thanks), model(done)), Count{2, 2}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"at another place", turnsOf(), msgs(user(fix), user(thanks), model(found), model(done)), Count{2, 1}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"the last is cut", turnsOf(), msgs(user(fix), model(found), user(thanks), model("The documents name")), Count{2, 2}, Count{2, 1}, Count{4, 3}, Count{1, 0}},
		{"a summary quotes both", turnsOf(), msgs(summary("Asked: " + fix + "\nSaid: " + found + "\nAsked: " + thanks + "\nDone.")), Count{2, 2}, Count{2, 1}, Count{4, 3}, Count{1, 0}},
		{"a summary quotes requests alone", turnsOf(), msgs(summary(fix + "\n- \n" + thanks + "\n")), Count{2, 0}, Count{2, 0}, Count{4, 0}, Count{1, 0}},
		{"a request is joined with a summary", turnsOf(), msgs(user(fix+"\n\nThe loop ends one row too early."), user(thanks), model(done)), Count{2, 2}, Count{2, 2}, Count{4, 2}, Count{1, 1}},
		{"one request is cut", turnsOf(), msgs(user("Please fix the importer, [1 line omitted]"), model(found), user(thanks), model(done)), Count{2, 1}, Count{2, 1}, Count{4, 1}, Count{1, 1}},
		{"the last is in the summary", turnsOf(), msgs(summary("It ended with: " + done)), Count{2, 0}, Count{2, 0}, Count{4, 0}, Count{1, 1}},
		{"said twice, left once", msgs(user("go on"), model("ok"), user("go on"), model("yes")), msgs(user("go on"), model("yes")), Count{2, 1}, Count{2, 1}, Count{2, 1}, Count{1, 1}},
		{"said twice, left once, in front of another request", msgs(user("go on"), model("ok"), user(fix), model(found), user("go on"), model("yes")), msgs(user("go on"), model("ok"), user(fix), model(found)),
			Count{3, 2}, Count{3, 2}, Count{5, 4}, Count{1, 0}},
		{"said twice, left once, in front of a request that was before it", msgs(user(fix), model(found), user("go on"), model("ok"), user("go on"), model("yes")), msgs(user("go on"), model("ok"), user(fix), model(found)),
			Count{3, 1}, Count{3, 1}, Count{5, 3}, Count{1, 0}},
		{"never answered", msgs(user("go on"), user("go on")), msgs(user("go on")), Count{}, Count{}, Count{}, Count{}},
		{"answered by a call", msgs(user("go on"), call("1", "Bash", "command=ls")), msgs(user("go on")), Count{1, 0}, Count{}, Count{}, Count{}},
		{"nothing asked", msgs(model("hello")), msgs(model("hello")), Count{}, Count{}, Count{}, Count{1, 1}},
		{"no dialogue", nil, nil, Count{}, Count{}, Count{}, Count{}},
	}
	for _, tt := range tests {
		var got Retention
		got.answers(conv(tt.before...), conv(tt.after...))
		if got, want := [...]Count{got.Answered, got.Closing, got.Sentences, got.Last}, [...]Count{tt.answered, tt.closing, tt.sentences, tt.last}; got != want {
			t.Errorf("%s: answered, closing, sentences, last: %+v, want %+v", tt.name, got, want)
		}
	}
}

func TestProse(t *testing.T) {
	before := msgs(user(fix), model("It is the loop that ends one row too early.\n\nI changed its bound,\nand ran all of the tests.\n\n```\nfor {}\n```\n"))
	tests := []struct {
		name  string
		after []*transcript.Message
		want  Count
	}{
		{"all", before, Count{2, 2}},
		{"a paragraph", msgs(user(fix), model("I changed its bound, and ran all of the tests.")), Count{1, 1}},
		{"a line of a paragraph", msgs(user(fix), model("I changed its bound,")), Count{1, 0}},
		{"one whole, one cut", msgs(user(fix), model("It is the loop that ends one row too early.\n\n[1 line omitted]\nand ran all of the tests.")), Count{2, 1}},
		{"nothing", msgs(user(fix)), Count{}},
		{"in a note elsewhere", msgs(user(fix), user(thanks), summary("Found: It is the loop that ends one row too early.")), Count{1, 1}},
		{"in another text of the model", msgs(user(fix), user(thanks), model("It is the loop that ends one row too early.")), Count{}},
	}
	for _, tt := range tests {
		var got Retention
		got.answers(conv(append(before, user(thanks))...), conv(tt.after...))
		if got.Paragraphs != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got.Paragraphs, tt.want)
		}
	}
}

// TestProseBeforeTheFirstRequest checks that text of the model in front of the first request is compared, too.
func TestProseBeforeTheFirstRequest(t *testing.T) {
	var got Retention
	greeting := "I have read all of the files already."
	got.answers(conv(model(greeting+"\n\nAsk me anything about them."), user(fix)), conv(model(greeting), user(fix)))
	if got.Paragraphs != (Count{1, 1}) {
		t.Errorf("%+v, want one whole paragraph", got.Paragraphs)
	}
}

// TestParagraphs checks what separates paragraphs.
func TestParagraphs(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "a\nb": {"a b"}, "a\r\n\r\nb\r\n": {"a", "b"}, "a\n \t\nb": {"a", "b"}, "a\n```go\nb\n\nc\n```\nd\n": {"a", "d"}, "a\n> ~~~\nb": {"a"},
	} {
		var got []string
		for _, p := range paragraphs(text) {
			got = append(got, folded(p))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \n ", nil},
		{"Done.", []string{"Done."}},
		{"Yes. No.\nAh.", []string{"Yes. No. Ah."}},
		{"It is all in a.b.c of the file. Short. What was\nasked for is here in the file", []string{"It is all in a.b.c of the file.", "asked for is here in the file"}},
		{"    - one line of a list is long", []string{"- one line of a list is long"}},
		{"这个循环提前一行结束所以最后一行总是会丢失。我已经修改了边界条件并且运行了全部测试用例！", []string{"这个循环提前一行结束所以最后一行总是会丢失。", "我已经修改了边界条件并且运行了全部测试用例！"}},
	}
	for _, tt := range tests {
		if got := sentences(tt.text); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestGaps(t *testing.T) {
	line, record := transcript.Marker("3 lines"), transcript.RecordOpening+"3 calls]"
	tests := []struct {
		name             string
		before, after    []*transcript.Message
		markers, records int
	}{
		{"none", msgs(model("a")), msgs(model("a")), 0, 0},
		{"a marker", msgs(model("a")), msgs(model("a\n" + line)), 1, 0},
		{"two in a line", msgs(model("a")), msgs(model("a " + line + " b " + line + " c")), 2, 0},
		{"in an array", msgs(result("1", "[1,2]")), msgs(result("1", "[1, "+line+"]")), 1, 0},
		{"one was there", msgs(model(line)), msgs(model(line), model(line)), 1, 0},
		{"no marker", msgs(model("a")), msgs(model("a line was omitted] or [not omitted")), 0, 0},
		{"records", msgs(model("a")), msgs(summary(record + "\n" + transcript.RecordOpening + "Edit a.go:\n +x\n]")), 0, 2},
		{"a record was there", msgs(summary(record)), msgs(summary(record)), 0, 0},
		{"a marker in a record", msgs(model("a")), msgs(summary(transcript.RecordOpening + "Read a.go:\n x\n " + line + "\n]")), 1, 1},
	}
	for _, tt := range tests {
		if markers, records := gaps(conv(tt.before...), conv(tt.after...)); markers != tt.markers || records != tt.records {
			t.Errorf("%s: %d markers and %d records, want %d and %d", tt.name, markers, records, tt.markers, tt.records)
		}
	}
}

// TestAnswersOfACopy holds that a copy of a long session has all of its answers.
func TestAnswersOfACopy(t *testing.T) {
	var long []*transcript.Message
	for i := range 50 {
		long = append(long, user("go on"), model(strings.Repeat("so ", i)+"it is done, and all of it is tested"), user(strings.Repeat("again ", i%3)+"!"))
	}
	got := Of(conv(long...), conv(long...))
	for name, n := range map[string]Count{"answered": got.Answered, "closing": got.Closing, "sentences": got.Sentences, "prose": got.Paragraphs} {
		if n != (Count{50, 50}) {
			t.Errorf("%s: %+v, want 50 of 50", name, n)
		}
	}
	if got.Last != (Count{1, 1}) || got.Gaps != 0 || got.Records != 0 {
		t.Errorf("%+v", got)
	}
}
