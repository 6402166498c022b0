package chronicle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// work returns messages that read a page of many lines.
func work(id string) []*transcript.Message {
	return []*transcript.Message{
		transcripttest.Model("", transcripttest.Call(id, "Read", "file_path="+id+".txt")), transcripttest.Tool(id, strings.Repeat("a line of a page that says little\n", 60)),
	}
}

// TestAnswersInFrontOf checks that an answer stays as the outcome of its request whatever the client puts behind it: the
// next request, the summary of a client, or a command that the model answers.
func TestAnswersInFrontOf(t *testing.T) {
	const answer = "That is how it will be from here to there."
	for name, next := range map[string]*transcript.Message{
		"request": transcripttest.User("And the north gate?"),
		"summary": transcripttest.Message(transcript.User, transcript.Generated, "This session is being continued from a previous conversation: the gates of the harbour."),
		"command": transcripttest.Message(transcript.User, transcript.Injected, "<command-name>/review</command-name>\n<command-message>review</command-message>"),
	} {
		msgs := slices.Concat([]*transcript.Message{transcripttest.User("Mend the south gate.")}, work("a"), []*transcript.Message{transcripttest.Model(answer), next},
			work("b"), []*transcript.Message{transcripttest.Model("The north gate was sound.")})
		if got := left(t, 60, msgs...); !strings.Contains(got, answer) {
			t.Errorf("%s: the answer is gone:\n%s", name, got)
		}
	}
}

// TestAnsweredWithoutWords checks that a record says this only of a turn without words, in front of the next request.
func TestAnsweredWithoutWords(t *testing.T) {
	skill := transcripttest.Message(transcript.User, transcript.Injected, "Base directory for this skill: /skills/gates\n\n"+strings.Repeat("Look at the gate before you open it.\n", 80))
	for name, tt := range map[string]struct {
		first []*transcript.Message
		want  bool
	}{
		"no words": {work("a"), true},
		"words":    {slices.Concat([]*transcript.Message{transcripttest.Model("I use the skill.")}, work("a")), false},
		"skill":    {slices.Concat(work("a"), []*transcript.Message{skill}, work("c"), []*transcript.Message{transcripttest.Model("The south gate closes now.")}), false},
	} {
		msgs := slices.Concat([]*transcript.Message{transcripttest.User("Mend the south gate.")}, tt.first, []*transcript.Message{transcripttest.User("And the north gate?")},
			work("b"), []*transcript.Message{transcripttest.Model("The north gate was sound.")})
		for _, budget := range []int{40, 60, 90, 140} {
			if got := left(t, budget, msgs...); strings.Contains(got, wordless) != tt.want && (!tt.want || budget == 60) {
				t.Errorf("%s, %d tokens: %t\n%s", name, budget, tt.want, got)
			}
		}
	}
}

// TestChosenOption checks that the option stays that a short reply names by its number, rather than text with more facts.
func TestChosenOption(t *testing.T) {
	for reply, want := range map[string]string{
		"2": "2", "2, please": "2", "2 and 3": "23", "option 1": "1", "B.": "B", "#4 then": "4", "a": "A",
		"25 of them": "", "now 2": "", "": "", "best of all": "", "2nd": "", "all of it": "*", "lets create a branch and implement all of these": "*",
		"Yes, please.": "*", "ok": "*", "go ahead": "*", "fix them, and push": "*", "yesterday it worked": "", "what are these?": "", "is it ok to do this?": "",
		"No.": "", "do all of these" + strings.Repeat(" and more", 9): "",
	} {
		if got := chosenIn(reply); got != want {
			t.Errorf("chosenIn(%q) = %q, want %q", reply, got, want)
		}
	}
	list := "There are four ways, and each of them has its price.\n\n1. **Close the gate** at the top of every hour and wait for the tide\n2. **Dredge the basin** until the mud at the south wall is gone\n" +
		"3. **Raise the wall** by a metre along the whole of the quay\n4. **Leave it** as it is until the office has decided on it\n\nWhich one shall it be?"
	var found strings.Builder // what is worth more than the options by the facts in it
	for i := range 12 {
		fmt.Fprintf(&found, "\n\nThe level of `src/basin%d.go` is read by `gate%d.Open`, which fails with `ErrFlood%d` at %d.5 metres.", i, i, i, i+7)
	}
	for reply, option := range map[string]string{"2": "2. **Dredge the basin**", "3": "3. **Raise the wall**", "4": "4. **Leave it**", "None of it.": ""} {
		for _, list := range []string{list, strings.ReplaceAll(list, "\n", "\n\n")} { // the options are lines of a paragraph, or paragraphs
			got := left(t, 240, slices.Concat([]*transcript.Message{transcripttest.User("What can be done?")}, work("a"), []*transcript.Message{transcripttest.Model(list + found.String()), transcripttest.User(reply)},
				work("b"), []*transcript.Message{transcripttest.Model("It is done as you said.")})...)
			if !strings.Contains(got, option) || option == "" && strings.Contains(got, ". **") {
				t.Errorf("reply %s: without %q:\n%s", reply, option, got)
			}
		}
	}
}

// TestAgreedList checks that the items of a list stay to which the last request agrees, and those of an older one need
// not.
func TestAgreedList(t *testing.T) {
	var list, more strings.Builder
	list.WriteString("These would help the harbour most.\n\n**First**\n\n")
	for i, item := range []string{"close the gate at every full hour", "dredge the basin to its old depth", "raise the wall of the quay by a metre", "leave the office where it is"} {
		fmt.Fprintf(&list, "%d. %s, which costs less than anything that the council has thought of in all these years\n\n", i+1, item)
	}
	for i := range 12 {
		fmt.Fprintf(&more, "\n\nThe level of `src/basin%d.go` is read by `gate%d.Open`, which fails with `ErrFlood%d` at %d.5 metres.", i, i, i, i+7)
	}
	for name, tt := range map[string]struct {
		reply string
		later []*transcript.Message
		want  bool
	}{
		"agreed":  {reply: "implement all of these", want: true},
		"refused": {reply: "I do not like a single one, think of something else"},
		"older":   {reply: "implement all of these", later: []*transcript.Message{transcripttest.Model("All are built."), transcripttest.User("What did the office say about the price of the mud?")}},
	} {
		got := left(t, 300, slices.Concat([]*transcript.Message{transcripttest.User("What can be done?")}, work("a"), []*transcript.Message{transcripttest.Model(list.String() + more.String()), transcripttest.User(tt.reply)},
			work("b"), tt.later, work("c"), []*transcript.Message{transcripttest.Model("The first step is done.")})...)
		all := true
		for _, item := range []string{"**First**", "1. close", "2. dredge", "3. raise", "4. leave"} {
			all = all && strings.Contains(got, item)
		}
		if all != tt.want {
			t.Errorf("%s: all items: %t\n%s", name, all, got)
		}
	}
}

// TestAttachments checks that a short attachment of a request stays, and that a long one leaves a marker. Other texts of
// clients go without a trace.
func TestAttachments(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("limit: 4.2 # metres above the mud\n", n) }
	for name, tt := range map[string]struct {
		block *transcript.Block
		want  string
	}{
		"short":    {transcripttest.Text("<code_selection path=\"gate.env\" lines=\"3-3\">\n3|GATE_KEY=\n</code_selection>\n"), "GATE_KEY="},
		"files":    {transcripttest.Text("<attached_files>\n" + lines(40) + "</attached_files>\n"), "40 lines omitted]"},
		"named":    {transcript.NewText(transcript.Block{Kind: transcript.Text}, lines(40)), "40 lines omitted]"},
		"reminder": {transcripttest.Text("<system-reminder>\n" + lines(40) + "</system-reminder>\n"), ""},
	} {
		tt.block.Origin = transcript.Injected
		if name == "named" {
			tt.block.Parts[0].Name = "gate.env"
		}
		request := transcripttest.User(tt.block, "Why do we need this?")
		request.Blocks[0].Origin = transcript.Injected
		got := left(t, 70, slices.Concat([]*transcript.Message{request}, work("a"), []*transcript.Message{transcripttest.Model("The gate needs it."), transcripttest.User("go on")}, work("b"), []*transcript.Message{transcripttest.Model("I do.")})...)
		if before, _, _ := strings.Cut(got, "Why do we"); tt.want == "" && strings.TrimSpace(before) != "" || !strings.Contains(before, tt.want) {
			t.Errorf("%s: without %q:\n%s", name, tt.want, got)
		}
	}
}

// TestCleared checks that a record does not take the words of a client for the output of a call, or for the reason
// of its failure.
func TestCleared(t *testing.T) {
	describes(t, map[string]string{
		"[Old tool result content cleared]":                               "[condensed: `make`;",
		"[Compacted history content evicted to durable cold storage]\n":   "[condensed: `make`;",
		"[the anchor was cleared]":                                        "`make`: [the anchor was cleared]",
		"[3 results]\nthe old content of [hold] was cleared":              "`make`: [3 results] / the old content of [hold] was cleared",
		"Exit code 2\n[Old tool result content cleared]":                  "`make` failed: Exit code 2;",
		"Exit code 2\nthe winch is stuck\n[Old tool output was cleared.]": "`make` failed: the winch is stuck",
	})
}

// TestRunningCommands checks that a record does not call a command that still runs a success without output.
func TestRunningCommands(t *testing.T) {
	const head = "Chunk ID: a1\nWall time: 10 seconds\nProcess running with session ID 46118\nOriginal token count: 0\nOutput:\n"
	describes(t, map[string]string{
		head:                 "`make`: Process running with session ID 46118",
		head + "compiling\n": "`make`: Process running with session ID 46118",
		strings.Replace(head, "running with session ID 46118", "exited with code 0", 1): "`make` ok, no output",
		"Process running with session ID 46118":                                         "`make`: Process running with session ID 46118",
		"The log says:\nProcess running with session ID 7\nin line 2":                   "`make`: The log says: / Process running with session ID 7 / in line 2",
	})
}

// describes checks that the record of a command has the words that stand for an output in wants.
func describes(t *testing.T, wants map[string]string) {
	t.Helper()
	for output, want := range wants {
		msgs := []*transcript.Message{transcripttest.User("start"), transcripttest.Model("", transcripttest.Call("1", "exec_command", "cmd=make")), transcripttest.Tool("1", output)}
		for _, id := range []string{"2", "3", "4", "5", "6"} {
			msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Read", "file_path=/ship/log"+id+".txt")), transcripttest.Tool(id, strings.Repeat("a line of the log that says little\n", 60)))
		}
		got := left(t, 90, append(msgs, transcripttest.Model("Half of the work is done."), transcripttest.User("go on"))...)
		if !strings.Contains(got, want) {
			t.Errorf("%q: no %q in\n%s", output, want, got)
		}
	}
}

// TestUnedited checks that the last record says that a turn has no edits, where no call of the turn may have written to a
// file and some are left out. A record says it once.
func TestUnedited(t *testing.T) {
	var reads []*transcript.Message
	for _, id := range strings.Fields("a b c d e") {
		reads = append(reads, round(id, strings.Repeat("a line of a page that says little\n", 300), "Read", "file_path="+id+".txt")...)
	}
	edit := round("x", "ok", "Edit", "file_path=gate.txt", "old_string=a", "new_string=b")
	run := func(command string) []*transcript.Message { return round("y", "ok", "Bash", "command="+command) }
	summary := transcripttest.Message(transcript.User, transcript.Generated, "This session is being continued from a previous conversation: the gates of the harbour.")
	typed := []*transcript.Message{transcripttest.User("Mend the gate.")}
	for name, tt := range map[string]struct {
		msgs []*transcript.Message
		want bool
	}{
		"reads":         {slices.Concat(typed, reads), true},
		"tests":         {slices.Concat(typed, reads, run("go test ./...")), true},
		"tasks":         {slices.Concat(typed, reads, round("t", "ok", "TaskCreate", "subject=mend")), true},
		"earlier turn":  {slices.Concat(typed, edit, []*transcript.Message{transcripttest.Model("Mended."), transcripttest.User("And the wall?")}, reads), true},
		"edit":          {slices.Concat(typed, edit, reads), false},
		"redirection":   {slices.Concat(typed, run("echo 4 > level"), reads), false},
		"script":        {slices.Concat(typed, run("python3 mend.py"), reads), false},
		"another agent": {slices.Concat(typed, round("t", "ok", "Task", "prompt=mend it"), reads), false},
		"search":        {slices.Concat(typed, reads, round("t", "ok", "mcp__harbour__get_gate", "gate=south"), round("s", "ok", "search", "pattern=gate")), true},
		"branch":        {slices.Concat(typed, run("git checkout -b gate && cat gate.txt"), reads), true},
		"checkout":      {slices.Concat(typed, run("git checkout -- gate.txt"), reads), false},
		"unknown tool":  {slices.Concat(typed, round("t", "ok", "mend_gate", "gate=south"), reads), false},
		"two calls":     {slices.Concat(typed, work("a"), work("b")), false},
		"compacted":     {slices.Concat(typed, []*transcript.Message{summary}, reads), false},
	} {
		msgs := append(tt.msgs, transcripttest.Model("That is all that I have seen up to now."))
		if got := left(t, uneditedBudget-1, msgs...); strings.Contains(got, unedited) {
			t.Errorf("%s: a small budget has the words:\n%s", name, got)
		}
		got := left(t, uneditedBudget, msgs...)
		if strings.Contains(got, unedited) != tt.want || tt.want && !strings.Contains(got, unedited+"]") {
			t.Errorf("%s: want %t\n%s", name, tt.want, got)
		}
	}
	for command, want := range map[string]bool{
		"ls -la": true, "cd sea && rg 'a > b' .": true, "git status --short | head": true, "go test ./... 2>&1 | tail -5": true, "sed -n '1,20p' gate.go; echo done": true, "git commit -m \"mend; rm it\"": true,
		"FOO=1 make check": true, "find . -name '*.go'": true, "": true, "entire status": true, "gh issue view 37 --json title": true, "npx --yes vercel@latest alias list": true, "kubectl describe pods": true,
		"mend --help": true, "curl -I https://gate.example": true,
		"find . -name '*.go' -delete": false, "sed -i s/a/b/ gate.go": false, "git checkout -- gate.go": false, "edit 12:14\nclose()\nend_of_edit": false, "create gate.py": false, "cat > gate.go": false,
		"python3 mend.py": false, "ls; mend": false, "echo $(mend)": false, "git stash": false, "go generate ./...": false, "curl -o gate.go https://gate.example": false, "node -e 'mend()'": false, "rm -rf list": false, "mv gate list": false, "touch list": false, "eslint --fix gate.js": false, "make gate": false, "jest -u": false, "sort -o gate.go": false,
		"echo \"$(mend)\"": false, "tee gate.go": false,
	} {
		if onlyPrints(command) != want {
			t.Errorf("%q: want %t", command, want)
		}
	}
	r := recorder{chunks: []chunk{{head: "3 reads; " + unedited}, {head: unedited}, {head: "Read a"}}}
	if r.unedited(); writeRecord(r.chunks) != "[condensed: 3 reads; Read a; "+unedited+"]" {
		t.Errorf("the record is %s", writeRecord(r.chunks))
	}
}

// TestDisputedAnswer checks that less stays of an answer to which the user did not agree.
func TestDisputedAnswer(t *testing.T) {
	for reply, want := range map[string]bool{
		"but the gate is made of iron, why do you paint it?": true, "No, leave the gate as it is.": true, "why aren't we using the old gate": true, "I dont really like the paint of the gate": true,
		"Why is the gate open?": false, "now paint the wall": false, "nothing else": false, "I like the paint of the gate": false, "button": false,
	} {
		if disputes.MatchString(reply) != want {
			t.Errorf("%q: want %t", reply, want)
		}
	}
	answer := func(of string) *transcript.Message {
		var b strings.Builder
		for _, day := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth") {
			fmt.Fprintf(&b, "On the %s day of the summer, the %s gets a coat of paint and is left to dry.\n\n", day, of)
		}
		return transcripttest.Model(b.String())
	}
	kept := func(reply string) (wall, gate int) {
		got := left(t, 300, slices.Concat([]*transcript.Message{transcripttest.User("What of the wall?")}, work("a"), []*transcript.Message{answer("wall"), transcripttest.User("What of the gate?")}, work("b"),
			[]*transcript.Message{answer("gate"), transcripttest.User(reply)}, work("c"), []*transcript.Message{transcripttest.Model("I see it now.")})...)
		return strings.Count(got, "the wall gets"), strings.Count(got, "the gate gets")
	}
	if wall, gate := kept("But is the gate not made of iron, as all of the others?"); gate >= wall || gate == 0 {
		t.Errorf("disputed: %d paragraphs, and %d of the other answer", gate, wall)
	}
	if wall, gate := kept("And is the quay not made of iron, as all of the others?"); gate < wall {
		t.Errorf("not disputed: %d paragraphs, and %d of the other answer", gate, wall)
	}
}

// TestRefusedCall checks that a record names a call that the user did not allow, where it only counts others.
func TestRefusedCall(t *testing.T) {
	const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing."
	write := func(id, file, result string) []*transcript.Message {
		return round(id, result, "Write", "file_path="+file, "content="+strings.Repeat("a line of a page that says little\n", 20))
	}
	msgs := []*transcript.Message{transcripttest.User("Write the pages."), transcripttest.Model("I write them.")}
	for i := range 12 {
		result, file := "File created successfully", fmt.Sprintf("harbour/page%d.txt", i)
		if i == 2 {
			result, file = refusal, "harbour/rules.txt"
		}
		msgs = append(msgs, write(fmt.Sprint("w", i), file, result)...)
		msgs[len(msgs)-1].Blocks[0].Error = i == 2
	}
	got := left(t, 90, slices.Concat(msgs, []*transcript.Message{transcripttest.Model("All but one are written."), transcripttest.User("go on")}, work("a"), []*transcript.Message{transcripttest.Model("I do.")})...)
	if !strings.Contains(got, "Write harbour/rules.txt failed: The tool use was rejected") || !strings.Contains(got, " writes") {
		t.Errorf("the call is not named, or no other is counted:\n%s", got)
	}
}
