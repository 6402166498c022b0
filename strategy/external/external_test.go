package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"condense/strategy"
	"condense/transcript"
)

// role names the variable that makes this test binary one of the programs below.
const role = "EXTERNAL_TEST_ROLE"

// TestMain runs one of the programs below if the environment names it. With -cover, os.Exit would add a
// warning to its messages.
func TestMain(m *testing.M) {
	name, argument, _ := strings.Cut(os.Getenv(role), " ")
	if name == "" {
		os.Exit(m.Run())
	}
	syscall.Exit(roles[name](argument))
}

// roles holds the programs. Each returns its exit code.
var roles = map[string]func(argument string) int{
	"say": func(text string) int { // does not read its input
		fmt.Print(text)
		return 0
	},
	"answer": func(text string) int {
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Print(text)
		return 0
	},
	"shorten": func(string) int { // rewrites every result that it may, and reports it
		var r Request
		if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
			return 2
		}
		a := Answer{Protocol: Protocol}
		for _, m := range r.Conversation.Messages {
			for _, b := range m.Blocks {
				if b.Kind == "tool_result" && b.Pin != "verbatim" {
					a.Edits = append(a.Edits, Edit{Message: m.ID, Block: &b.ID, Op: "rewrite", Text: "[result omitted]", Why: "old"})
				}
			}
		}
		fmt.Fprintln(os.Stderr, "shortened", len(a.Edits))
		_ = json.NewEncoder(os.Stdout).Encode(a)
		return 0
	},
	"fail": func(text string) int {
		fmt.Fprint(os.Stderr, text)
		return 3
	},
	"read": func(want string) int {
		in, _ := io.ReadAll(os.Stdin)
		if string(in) != want {
			return 1
		}
		return 0
	},
	"environment": func(string) int {
		fmt.Print(strings.Join(os.Environ(), "\n"))
		return 0
	},
	"hang": func(string) int {
		time.Sleep(time.Hour)
		return 0
	},
	"flood": func(string) int {
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
				time.Sleep(time.Hour) // it does not end by itself
			}
		}
	},
	"parent": func(where string) int { // leaves a child, and waits for it
		child := self("child " + where)
		child.Stdout = os.Stdout
		if child.Run() != nil {
			return 1
		}
		return 0
	},
	"leave": func(where string) int { // leaves a child that keeps the output open
		return leave(where, 0)
	},
	"abandon": func(where string) int { // fails, and leaves a child that keeps the output open
		return leave(where, 3)
	},
	"child": func(where string) int { // keeps a connection open until it is killed
		address, ready, _ := strings.Cut(where, " ")
		if _, err := net.Dial("tcp", address); err != nil || os.WriteFile(ready, nil, 0o600) != nil {
			return 1
		}
		time.Sleep(time.Hour)
		return 0
	},
}

// leave starts a child, waits until it runs, and returns the code.
func leave(where string, code int) int {
	child := self("child " + where)
	child.Stdout = os.Stdout
	if child.Start() != nil {
		return 1
	}
	for _, ready, _ := strings.Cut(where, " "); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ready); err == nil {
			return code
		}
	}
}

// self is this binary in another role.
func self(as string) *exec.Cmd {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(path)
	c.Env = append(os.Environ(), role+"="+as)
	return c
}

// as returns this binary as a program, and options in which it has a role.
func as(t *testing.T, name string) (Program, *Options) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(Prefix + "'" + path + "'")
	if err != nil {
		t.Fatal(err)
	}
	return p, &Options{Timeout: time.Minute, Env: []string{role + "=" + name}}
}

func TestParse(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"exec:a", []string{"a"}},
		{"exec: a  b\tc ", []string{"a", "b", "c"}},
		{`exec:"a b" 'c "d"' e"f g"h ''`, []string{"a b", `c "d"`, "ef gh", ""}},
		{`exec:a $HOME * | b \n`, []string{"a", "$HOME", "*", "|", "b", `\n`}},
	}
	for _, tt := range tests {
		if got, err := Parse(tt.text); err != nil || !slices.Equal(got.words, tt.want) {
			t.Errorf("%s: got %q, %v", tt.text, got.words, err)
		}
	}
	for _, text := range []string{"", "a", "exec:", "exec: ", "exec:''", `exec:a "b`} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: got %q", text, got.words)
		}
	}
	for list, want := range map[string]string{"a,b": "a|b", `a,exec:b 'c,d',"e,f"g,`: `a|exec:b 'c,d'|"e,f"g|`, "": ""} {
		if got := strings.Join(Fields(list), "|"); got != want {
			t.Errorf("%q: got %s", list, got)
		}
	}
}

func TestCheck(t *testing.T) {
	p, _ := as(t, "")
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	none, _ := Parse("exec:no-program-has-this-name x")
	if err := none.Check(); err == nil || !strings.HasPrefix(err.Error(), "exec:no-program-has-this-name: ") {
		t.Errorf("got %v", err)
	}
}

// TestEnvironment checks that only variables that are passed by name reach a program.
func TestEnvironment(t *testing.T) {
	env := map[string]string{"PATH": "/bin", "OPENAI_API_KEY": "sk-secret", "GITHUB_TOKEN": "t", "LANG": "C", "MINE": "1", "EMPTY": ""}
	get := func(name string) string { return env[name] }
	if got := Environment(get, nil); !slices.Equal(got, []string{"PATH=/bin", "LANG=C"}) {
		t.Errorf("got %q", got)
	}
	if got := Environment(get, []string{"MINE", "EMPTY", "NONE"}); !slices.Contains(got, "MINE=1") || len(got) != 3 {
		t.Errorf("got %q", got)
	}
	t.Setenv("SOME_API_KEY", "secret")
	p, o := as(t, "environment")
	o.Show = func(_, text string) {
		if strings.Contains(text, "SOME_API_KEY") || !strings.Contains(text, "MORE=1") || !strings.Contains(text, role) {
			t.Errorf("it sees %s", text)
		}
	}
	if err := p.Run(t.Context(), nil, []string{"MORE=1"}, o); err != nil {
		t.Error(err)
	}
	o.Env = nil // the empty environment, not that of this process
	var failed *Error
	if err := p.Run(t.Context(), nil, []string{role + "=read "}, o); errors.As(err, &failed) {
		t.Errorf("without any variables: %v", err)
	}
}

func TestRun(t *testing.T) {
	t.Run("input", func(t *testing.T) {
		p, o := as(t, "read the input")
		if err := p.Run(t.Context(), []byte("the input"), nil, o); err != nil {
			t.Error(err)
		}
	})
	t.Run("input that nobody reads", func(t *testing.T) {
		p, o := as(t, "say hello")
		said := ""
		o.Show = func(_, text string) { said = text }
		if err := p.Run(t.Context(), make([]byte, 1<<20), nil, o); err != nil || said != "hello" {
			t.Errorf("%v, its messages are %q", err, said)
		}
	})
	t.Run("failure", func(t *testing.T) {
		p, o := as(t, "fail because of "+strings.Repeat("x", 2*maxSaid)+" the end")
		err := p.Run(t.Context(), nil, nil, o)
		var failed *Error
		if !errors.As(err, &failed) || !strings.HasSuffix(failed.Said, "the end") || len(failed.Said) > maxSaid+3 ||
			!strings.HasPrefix(err.Error(), p.Name()+": exit status 3: …xxx") {
			t.Errorf("got %.200v", err)
		}
	})
	t.Run("no such program", func(t *testing.T) {
		p, _ := Parse("exec:no-program-has-this-name")
		var failed *Error
		if err := p.Run(t.Context(), nil, nil, &Options{}); !errors.As(err, &failed) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("timeout", func(t *testing.T) {
		p, o := as(t, "hang")
		o.Timeout = 50 * time.Millisecond
		err := p.Run(t.Context(), nil, nil, o)
		if err == nil || !strings.Contains(err.Error(), "it took longer than its timeout of 50ms and was stopped") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("interrupt", func(t *testing.T) {
		p, o := as(t, "hang")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		if err := p.Run(ctx, nil, nil, o); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// TestGroup checks that the children of a program end with it: when the run is interrupted, when the
// program ends before its child does, and when it fails. A child has ended when its connection is closed.
func TestGroup(t *testing.T) {
	for name, want := range map[string]string{"parent": "context canceled", "leave": "one of its children keeps its output open", "abandon": "exit status 3"} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p, o := as(t, name+" "+listener.Addr().String()+" "+filepath.Join(t.TempDir(), "ready"))
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx, nil, nil, o) }()
			child, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer child.Close()
			if name == "parent" {
				cancel()
			}
			if err := <-ended; err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("got %v, want %s", err, want)
			}
			if err := child.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := child.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the child is still alive")
			}
		})
	}
}

// TestLimited checks that an answer of exactly the limit is kept, and that more ends the program.
func TestLimited(t *testing.T) {
	full := 0
	l := &limited{max: 10, full: func() { full++ }}
	for _, s := range []string{"123456", "7890", ""} {
		if n, err := l.Write([]byte(s)); n != len(s) || err != nil || full != 0 {
			t.Errorf("%q: wrote %d, %v", s, n, err)
		}
	}
	if n, err := l.Write([]byte("x")); n != 0 || err != errTooMuch || full != 1 || l.text.String() != "1234567890" {
		t.Errorf("one byte more: wrote %d, %v, and has %q", n, err, l.text.String())
	}
}

func TestFlood(t *testing.T) {
	p, o := as(t, "flood")
	_, err := p.Ask(t.Context(), nil, o)
	if !errors.Is(err, errTooMuch) {
		t.Errorf("got %v", err)
	}
}

func conversation() *transcript.Conversation {
	text := func(role transcript.Role, origin transcript.Origin, s string) *transcript.Message {
		return &transcript.Message{Role: role, Blocks: []*transcript.Block{{Origin: origin, Parts: []transcript.Part{{Text: s}}}}}
	}
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: "1", Tool: "Read", Parts: []transcript.Part{
		{Name: "path", Text: "a.go"}, {Name: "limit", Text: "9", Number: true},
	}}
	result := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: "1", Error: true, Parts: []transcript.Part{
		{Text: strings.Repeat("line\n", 40)}, {Media: &transcript.Medium{Type: "image/png"}}, {Media: &transcript.Medium{}},
	}}
	hidden := text(transcript.User, transcript.Typed, "what was given up")
	hidden.Hidden = true
	return transcript.New("c1", []*transcript.Message{
		text(transcript.System, transcript.Injected, "rules"),
		text(transcript.User, transcript.Typed, "the task"),
		hidden,
		{Role: transcript.Assistant, Blocks: []*transcript.Block{{Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: true, Parts: []transcript.Part{{Text: "hm"}}}, call}},
		{Role: transcript.Tool, Blocks: []*transcript.Block{result}},
		text(transcript.Assistant, transcript.ByModel, "done, as far as I can see"),
		text(transcript.User, transcript.Typed, "thanks"),
		text(transcript.Assistant, transcript.ByModel, "welcome"),
	})
}

func size(b *transcript.Block) int { return len(b.Text()) }

// condense runs one program as the only strategy.
func condense(t *testing.T, as Program, o *Options) (*strategy.Result, error) {
	t.Helper()
	return strategy.Run(t.Context(), conversation(), []*strategy.Strategy{Strategy(as, o)}, &strategy.Options{}, strategy.Env{Tokens: size})
}

func TestStrategy(t *testing.T) {
	p, o := as(t, "shorten")
	said := ""
	o.Show = func(program, text string) { said = program + " " + text }
	r, err := condense(t, p, o)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Stages[0]
	if len(s.Edits) != 1 || s.Edits[0].Why != "old" || r.After >= r.Before || s.Name != p.Name() || s.Refusals != nil {
		t.Errorf("got %+v", s)
	}
	if said != p.Name()+" shortened 1\n" {
		t.Errorf("its messages are %q", said)
	}
}

func TestStrategyRefusals(t *testing.T) {
	answer := func(edits string) string { return `answer {"protocol": 1, "edits": [` + edits + `]}` }
	tests := []struct {
		name, role string
		edits      int
		refusals   []string
		skipped    string
	}{
		{"typed text", answer(`{"message": 1, "op": "drop"}`), 0, []string{"drop message 1 refused: a pinned block is in it"}, ""},
		{"half a pair, and a valid edit", answer(`{"message": 4, "op": "drop"}, {"message": 5, "block": 0, "op": "rewrite", "text": "done"}`), 1,
			[]string{"drop message 4 refused: its other half at message 3 block 1 would stay alone"}, ""},
		{"no such message", answer(`{"message": 77, "op": "drop"}`), 0, []string{"drop message 77 refused: no such message"}, ""},
		{"a hidden message's block", answer(`{"message": 2, "block": 0, "op": "rewrite", "text": "x"}`), 0, []string{"rewrite message 2 block 0 refused: the message is outside the effective view"}, ""},
		{"a hidden message", answer(`{"message": 2, "op": "drop"}`), 0, []string{"drop message 2 refused: the message is outside the effective view"}, ""},
		{"a refused group", answer(`{"message": 1, "op": "drop", "group": 2}, {"message": 5, "op": "drop", "group": 2}`), 0,
			[]string{"drop message 1 refused: a pinned block is in it"}, ""},
		{"the same edit twice", answer(`{"message": 5, "op": "drop"}, {"message": 5, "op": "drop"}`), 1,
			[]string{"drop message 5 refused: another edit has the same address or a part of it"}, ""},
		{"one that grows", answer(`{"message": 5, "block": 0, "op": "rewrite", "text": "done, as far as I can see, and more"}`), 0,
			[]string{"rewrite message 5 block 0 refused: it saves nothing"}, ""},
		{"nothing", answer(``), 0, nil, "nothing that it could do saves tokens"},
		{"its own reason", `answer {"protocol": 1, "skip": "not today"}`, 0, nil, "not today"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, o := as(t, tt.role)
			r, err := condense(t, p, o)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Stages[0]
			if len(s.Edits) != tt.edits || !slices.Equal(s.Refusals, tt.refusals) || tt.skipped != "" && s.Skipped != tt.skipped {
				t.Errorf("got %d edits, refused %q, skipped %q", len(s.Edits), s.Refusals, s.Skipped)
			}
		})
	}
}

func TestStrategyFails(t *testing.T) {
	tests := []struct{ name, role, want string }{
		{"exit code", "fail no\x1b[31m", "exit status 3: no\x1b[31m"},
		{"nothing", "answer", "its answer is empty"},
		{"not JSON", "answer hello", "its answer is not one of the protocol: invalid character"},
		{"a number", "answer 1", "its answer is not one of the protocol: json: cannot unmarshal"},
		{"unknown member", `answer {"protocol": 1, "edit": []}`, `unknown field "edit"`},
		{"two documents", `answer {"protocol": 1}{}`, "its answer has text after the document"},
		{"no protocol", `answer {}`, "its answer is of protocol 0, expected 1"},
		{"unknown op", `answer {"protocol": 1, "edits": [{"message": 5, "op": "insert"}]}`, `edit 1 of its answer: op is "insert", expected drop or rewrite`},
		{"a part without a block", `answer {"protocol": 1, "edits": [{"message": 5, "part": 0, "op": "drop"}]}`, "edit 1 of its answer: a part without its block"},
		{"the end as a message", `answer {"protocol": 1, "edits": [{"message": -1, "op": "drop"}]}`, "edit 1 of its answer: a number is negative"},
		{"a new fault", `answer {"protocol": 1, "edits": [{"message": 5, "block": 0, "op": "rewrite", "text": " "}]}`, "it would break the conversation"},
		{"too many refused", `answer {"protocol": 1, "edits": [` + strings.Repeat(`{"message": 1, "op": "drop"},`, 200) + `{"message": 1, "op": "drop"}]}`, "more than 100 of its edits are refused"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, o := as(t, tt.role)
			r, err := condense(t, p, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), p.Name()) || r != nil {
				t.Errorf("got %v, %v, want %s", r, err, tt.want)
			}
		})
	}
	p, o := as(t, "fail no")
	o.Skip = true
	r, err := condense(t, p, o)
	if err != nil || !r.Stages[0].Failed || !strings.HasPrefix(r.Stages[0].Skipped, "failed: "+p.Name()+": exit status 3") {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestRequestLeavesOutHidden: a program sees the effective view. That a request follows
// the published schema is tested in testdata/endtoend.
func TestRequestLeavesOutHidden(t *testing.T) {
	in := &strategy.Input{Conv: conversation(), Budget: 9, Need: 3, Env: strategy.Env{Tokens: size}}
	text, err := json.Marshal(newRequest(in))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "given up") {
		t.Error("a hidden message is in the request")
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add([]byte(`{"protocol": 1, "edits": [{"message": 5, "block": 0, "op": "rewrite", "text": "x", "why": "y", "group": 1}]}`))
	f.Add([]byte(`{"protocol": 1, "edits": [{"message": 3, "op": "drop"}, {"message": 4, "op": "drop"}]}`))
	f.Add([]byte(`{"protocol": 1, "skip": "no"}`))
	c := conversation()
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := parseAnswer(text)
		if err != nil {
			return
		}
		edits, err := a.edits()
		if err != nil {
			return
		}
		program := &strategy.Strategy{Name: "fuzz", Run: func(context.Context, *strategy.Input) (strategy.Proposal, error) {
			return strategy.Proposal{Edits: edits, Foreign: true}, nil
		}}
		r, err := strategy.Run(t.Context(), c, []*strategy.Strategy{program}, &strategy.Options{}, strategy.Env{Tokens: size})
		var stage *strategy.StageError
		if err != nil && !errors.As(err, &stage) {
			t.Fatal(err)
		}
		if err == nil && r.After > r.Before {
			t.Errorf("%d tokens, was %d", r.After, r.Before)
		}
	})
}
