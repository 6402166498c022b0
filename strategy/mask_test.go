package strategy

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"condense/transcript"
)

// rounds returns n tool rounds, each of which reads a file of 20 lines: calls 1, 2, …
func rounds(n int) (msgs []*transcript.Message) {
	for i := range n {
		id := fmt.Sprint(i + 1)
		msgs = append(msgs, round(id, "Read", "path="+id+".go", id+"\n"+lines(19))...)
	}
	return msgs
}

func TestMaskKeepsLastRounds(t *testing.T) {
	c := conv(append(rounds(4), user("go on"))...)
	tests := []struct {
		keep int
		want []string
	}{
		{0, []string{
			"1.0 [Read 1.go: ok, 20 lines omitted]", "3.0 [Read 2.go: ok, 20 lines omitted]",
			"5.0 [Read 3.go: ok, 20 lines omitted]", "7.0 [Read 4.go: ok, 20 lines omitted]",
		}},
		{1, []string{
			"1.0 [Read 1.go: ok, 20 lines omitted]", "3.0 [Read 2.go: ok, 20 lines omitted]",
			"5.0 [Read 3.go: ok, 20 lines omitted]",
		}},
		{3, []string{"1.0 [Read 1.go: ok, 20 lines omitted]"}},
	}
	for _, tt := range tests {
		wantEdits(t, propose(t, &Mask, inputFor(c, Options{KeepRounds: tt.keep}, 0)), tt.want...)
	}
	for _, keep := range []int{4, 5, 100} {
		wantSkip(t, &Mask, inputFor(c, Options{KeepRounds: keep}, 0), fmt.Sprintf("4 tool rounds, the last %d are kept", keep))
	}
}

// TestMaskCountsRoundsNotResults checks that several calls of a message and their results
// count as one round.
func TestMaskCountsRoundsNotResults(t *testing.T) {
	c := conv(
		model(call("1", "Read", "path=1.go"), call("2", "Read", "path=2.go")), tool("1", lines(20)), tool("2", lines(30)),
		model(call("3", "Read", "path=3.go")), tool("3", lines(20)),
	)
	wantEdits(t, propose(t, &Mask, inputFor(c, Options{KeepRounds: 1}, 0)),
		"1.0 [Read 1.go: ok, 20 lines omitted]", "2.0 [Read 2.go: ok, 30 lines omitted]")
}

func TestMaskBudget(t *testing.T) {
	c := conv(append(rounds(4), user("go on"))...)
	one := total(c) - 71 // a result of 77 words becomes a stub of 6
	tests := []struct {
		name         string
		budget, want int
	}{
		{"one is enough", one, 1},
		{"one is more than enough", one + 1, 1},
		{"one is not enough", one - 1, 2},
		{"two", one - 71, 2},
		{"not enough", 1, 4},
	}
	for _, tt := range tests {
		edits := propose(t, &Mask, inputFor(c, Options{}, tt.budget))
		if len(edits) != tt.want {
			t.Errorf("%s: %d edits, want %d", tt.name, len(edits), tt.want)
		}
		for i, e := range edits {
			if e.At.Msg != 2*i+1 {
				t.Errorf("%s: edit %d is of message %d: not the oldest", tt.name, i, e.At.Msg)
			}
		}
	}
}

// TestMaskStub tests the parts of a stub: the tool, its subject, the outcome, and the size
// of the removed text.
func TestMaskStub(t *testing.T) {
	long := strings.Repeat("word ", 400)
	tests := []struct {
		name string
		call *transcript.Block
		res  *transcript.Block
		want string // "" for unchanged
	}{
		{"file", call("1", "Read", "file_path=/src/a.go", "limit:=200"), result("1", lines(1214)), "[Read /src/a.go: ok, 1,214 lines omitted]"},
		{"command", call("1", "Bash", "description=run all", "command=go test ./...\necho done"), result("1", lines(9)), "[Bash go test ./...: ok, 9 lines omitted]"},
		{"brackets", call("1", "Grep", "pattern=a[0]"), result("1", lines(9)), "[Grep a(0): ok, 9 lines omitted]"},
		{"without a subject", call("1", "Browser", "x:=1"), result("1", lines(9)), "[Browser: ok, 9 lines omitted]"},
		{"one line", call("1", "Fetch", "url=https://go.dev"), result("1", long), "[Fetch https://go.dev: ok, 2,000 bytes omitted]"},
		{"several texts", call("1", "T"), withText(result("1", "one"), lines(8)), "[T: ok, 9 lines omitted]"},
		{"an image beside text", call("1", "Shot"), withImage(result("1", lines(9))), "[Shot: ok, 9 lines and 1 image omitted]"},
		{"images only", call("1", "Shot"), withImage(withImage(empty("1"))), "[Shot: ok, 2 images omitted]"},
		{"prose", prose("1", "read_file", "<read_file><path>a.go</path></read_file>"),
			headed("1", "[read_file for 'a.go'] Result:", lines(9)), "[read_file a.go: ok, 9 lines omitted]"},

		{"failed", call("1", "Bash", "command=make"), failing(result("1", long+"\n\nmake: *** [all] Error 2\r\n  fatal:\tnot found  \n"+long)),
			"[Bash make: failed, 5 lines omitted]\nmake: *** [all] Error 2\n  fatal:\tnot found  "},
		{"failed without words of error", call("1", "Bash", "command=make"), failing(result("1", "\n"+lines(12))),
			"[Bash make: failed, 12 lines omitted]\n" + strings.TrimSuffix(lines(8), "\n")},
		{"failed with many words of error", call("1", "Bash", "command=make"), failing(result("1", "start\n"+strings.Repeat("an error\n", 12))),
			"[Bash make: failed, 13 lines omitted]\n" + strings.TrimSuffix(strings.Repeat("an error\n", 8), "\n")},
		{"failed with an exit code", call("1", "shell", "command=make"), failing(result("1", "Exit code 2\n"+lines(12))),
			"[shell make: failed, 13 lines omitted]\nExit code 2"},
		{"words of error, but not failed", call("1", "shell", "command=make"), result("1", "Exit code 2\n"+lines(12)),
			"[shell make: ok, 13 lines omitted]"},
		{"prose that failed", prose("1", "execute_command", "<execute_command><command>grep error</command></execute_command>"),
			failing(headed("1", "[execute_command for 'grep error'] Result:", "The tool execution failed with the following error:\n"+lines(9))),
			"[execute_command grep error: failed, 10 lines omitted]\nThe tool execution failed with the following error:"},

		{"short already", call("1", "Bash", "command=true"), result("1", "ok"), ""},
		{"as long as its stub", call("1", "T"), result("1", "five words are in here"), ""},
		{"a word longer", call("1", "T"), result("1", "six words are in here, really"), "[T: ok, 29 bytes omitted]"},
		{"empty", call("1", "T"), result("1", ""), ""},
		{"without a part", call("1", "T"), empty("1"), ""},
		{"short error", call("1", "Edit", "path=a.go"), failing(result("1", "Error: no such file")), ""},
		{"only lines of error", call("1", "Edit", "path=a.go"), failing(result("1", strings.Repeat("an error\n", 8))), ""},
		{"masked already", call("1", "T"), result("1", "[T: ok, 9 lines omitted]"), ""},
		{"masked already, failed", call("1", "T"), failing(result("1", "[T: failed, 9 lines omitted]\n"+lines(8))), ""},
		{"masked already, prose", prose("1", "read_file", "<path>a</path>"), headed("1", "[read_file for 'a.go'] Result:", "[read_file a.go: ok, 9 lines omitted]"), ""},
		{"quotes the user", call("1", "Ask"), quoting(result("1", "the user said: "+long)), ""},
		{"fixed", call("1", "T"), fixed(result("1", long)), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(conv(user("q"), model(tt.call), user(tt.res), model("done")), Options{}, 0)
			var want []string
			if tt.want != "" {
				want = []string{"2.0 " + tt.want}
			}
			edits := propose(t, &Mask, in)
			wantEdits(t, edits, want...)
			wantEdits(t, propose(t, &Mask, inputFor(apply(t, in.Conv, edits), Options{}, 0))) // a second run proposes nothing
		})
	}
}

// TestMaskSaysChangedLater checks that a stub says that a later call changed the file.
func TestMaskSaysChangedLater(t *testing.T) {
	c := conv(append(rounds(2), model(call("3", "Edit", "path=1.go", "old_string=a", "new_string=b")), user(result("3", "done")))...)
	wantEdits(t, propose(t, &Mask, inputFor(c, Options{}, 0)), "1.0 [Read 1.go: changed later, 20 lines omitted]", "3.0 [Read 2.go: ok, 20 lines omitted]")
}

// TestMaskKeepsHead checks that the header by which a client recognises a result stays
// before the stub.
func TestMaskKeepsHead(t *testing.T) {
	in := inputFor(conv(
		model(prose("1", "read_file", "<read_file><path>a.go</path></read_file>")),
		user(headed("1", "[read_file for 'a.go'] Result:", lines(9))), model("done")), Options{}, 0)
	b := apply(t, in.Conv, propose(t, &Mask, in)).Messages[1].Blocks[0]
	if got, want := b.Text(), "[read_file for 'a.go'] Result:\n[read_file a.go: ok, 9 lines omitted]"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestMaskLeavesAlone(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		conv *transcript.Conversation
	}{
		{"calls, texts, thinking", Options{}, conv(user(lines(9)), model(thinking(lines(9)), lines(9), call("1", "Write", "text="+lines(9))), tool("1", "ok"), user(lines(9)))},
		{"a pinned result", Options{Pin: patterns("line 3")}, conv(user("q"), model(call("1", "T")), tool("1", lines(9)), user("r"))},
		{"results of the first messages", Options{KeepFirst: 2}, conv(user("q"), model(call("1", "T")), tool("1", lines(9)), user("r"))},
		{"open rounds", Options{}, conv(user("q"), model(call("1", "T"), call("2", "T")), tool("1", lines(9)))},
		{"hidden rounds", Options{}, conv(hidden(model(call("1", "T"))), hidden(tool("1", lines(9))), model(call("2", "T")), tool("2", "ok"), user("q"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantEdits(t, propose(t, &Mask, inputFor(tt.conv, tt.opts, 0)))
		})
	}
}

// TestNameFitsInMarker checks that a stub with very long names is a marker with the size of
// the removed text.
func TestNameFitsInMarker(t *testing.T) {
	for _, c := range []string{"a", "界", "👨‍👩‍👧‍👦", "e\u0301\u0301\u0301", "[", "\x1b", "\xff", "\xffa"} {
		name := strings.Repeat(c, 2000)
		res := failing(withImage(withImage(result("1", lines(9)))))
		in := inputFor(conv(model(call("1", name, "path="+name)), user(res)), Options{}, 0)
		marker, _, _ := strings.Cut(stub(in.Conv, transcript.Ref{Msg: 1, Part: transcript.Whole}, res, nil), "\n")
		if !strings.HasSuffix(marker, ": failed, 9 lines and 2 images omitted]") || !transcript.IsMarker(marker) {
			t.Errorf("not a marker with the size of the removed text: %q", marker)
		}
		if !utf8.ValidString(marker) {
			t.Errorf("cut inside a character: %q", marker)
		}
	}
}

func TestSize(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "0 bytes"},
		{"word", "4 bytes"},
		{"word\n", "5 bytes"},
		{"é", "2 bytes"},
		{strings.Repeat("a", 1234567), "1,234,567 bytes"},
		{"a\nb", "2 lines"},
		{"a\nb\n\n", "2 lines"},
		{"a\n\nb", "3 lines"},
		{strings.Repeat("a\n", 1000), "1,000 lines"},
	}
	for _, tt := range tests {
		if got := size(tt.text); got != tt.want {
			t.Errorf("%.20q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
